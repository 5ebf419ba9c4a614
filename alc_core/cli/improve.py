"""``alc improve``: what to change in a release so that its flagged attacks fall below the limit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from alc_core.cli.parts.campaign_file import as_attacked, columns_as_attacked, open_campaign
from alc_core.cli.parts.options import (
    ORIGINAL,
    QUIET,
    RELEASE,
    check_writable,
    read_original,
    read_release,
    scoring_changes,
    scoring_options,
    table_options,
)
from alc_core.cli.parts.plugs import RELEASE_TYPE
from alc_core.cli.parts.printing import StepsPrinter, echo
from alc_core.cli.parts.sets import sets_options, with_given_sets
from alc_core.errors import CampaignMismatchError, InputError
from alc_core.phrasing import quoted

if TYPE_CHECKING:
    from alc_core.campaign.model import CampaignSettings
    from alc_core.releases.release import Release
    from alc_core.tables.table import Table


@click.command()
@click.argument("file", metavar="FILE")
@ORIGINAL
@RELEASE
@RELEASE_TYPE
@table_options
@sets_options
@click.option(
    "--trials",
    type=click.IntRange(min=1),
    help="Changes that are tried at most. [default: 80]",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=1),
    help="After this time nothing new is begun. [default: 600]",
)
@scoring_options
@click.option(
    "--json", "json_out", metavar="OUT", help="Write all numbers as JSON here; '-' for stdout."
)
@click.option("--csv", "csv_out", metavar="OUT", help="Write the to-do list as CSV here.")
@click.option("--markdown", "markdown_out", metavar="OUT", help="The same list as Markdown.")
@click.option("--save", is_flag=True, help="Keep the result in FILE, for dashboard and report.")
@QUIET
def improve(file: str, **options: Any) -> None:
    """Try what to change in a release so that its flagged attacks fall below the limit.

    Columns are dropped, coarsened or swapped in memory, and the flagged attacks of the campaign in
    FILE are run again on the changed release.

    Example: alc improve review.alc --original people.csv --release release.csv --csv to-do.csv
    """
    from alc_core.campaign.findings.view import CampaignView
    from alc_core.plain_values import to_plain
    from alc_core.scoring.parameters import ScoringParameters
    from alc_core.studies.remedies.result import KEPT_REMEDIES
    from alc_core.studies.remedies.searching import (
        SearchLimits,
        column_contributions,
        flagged_attacks,
        try_changes,
    )
    from alc_core.studies.remedies.words import study_text, to_do_csv, to_do_markdown

    outs = {name: options[f"{name}_out"] for name in ("json", "csv", "markdown")}
    for out in outs.values():
        check_writable(out)
    given = {name: options[name] for name in ("trials", "seconds") if options[name] is not None}
    with open_campaign(file) as store:
        view, settings = CampaignView(store), store.settings
        original = as_attacked(store, read_original(options))
        release = _of_campaign(options, original, settings, file)
        scoring = ScoringParameters.from_dict(
            {**settings.scoring.to_dict(), **scoring_changes(options)}
        )
        attacks = flagged_attacks(view, release.name, scoring=scoring)
        if not attacks:
            echo(f"No attack on '{release.name}' is flagged, so nothing is to be changed.")
            return
        study = try_changes(
            original,
            release,
            attacks,
            scoring=scoring,
            added=column_contributions(view, attacks),
            limits=SearchLimits(**given),
            progress=None if options["quiet"] else StepsPrinter(),
        )
        if options["save"]:
            KEPT_REMEDIES.keep(store, study)
    contents = {
        "json": lambda: json.dumps(to_plain(study), indent=1, ensure_ascii=False),
        "csv": lambda: to_do_csv(study),
        "markdown": lambda: to_do_markdown(study),
    }
    for name, out in outs.items():
        if out not in (None, "-"):
            Path(out).write_text(contents[name](), encoding="utf-8")
    to_stdout = [name for name, out in outs.items() if out == "-"]
    echo(contents[to_stdout[0]]() if to_stdout else study_text(study))


def _of_campaign(
    options: dict[str, Any], original: Table, settings: CampaignSettings, file: str
) -> Release:
    """Return the given release under its name in the campaign, its labels read as there."""
    from alc_core.releases.told import with_told_sets
    from alc_core.studies.remedies.searching import untried

    given = with_given_sets(options, original, read_release(options, original))
    prints = tuple(table.fingerprint for table in given.tables)
    for name, tables in settings.releases.items():
        if tuple(table.fingerprint for table in tables) == prints:
            release = columns_as_attacked(settings, original, given.renamed(name))
            if reason := untried(release):
                raise InputError(reason)
            return with_told_sets(original, release, settings.told_sets.get(name, ()))
    raise CampaignMismatchError(
        f"'{given.name}' is no release of the campaign in '{file}', which attacks "
        f"{quoted(list(settings.releases))}. Pass the files of one of them."
    )
