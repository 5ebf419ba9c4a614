"""``alc risk``: k-anonymity and the other risk numbers of guidelines."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from alc_core.cli.parts.campaign_file import as_attacked, columns_as_attacked, open_campaign
from alc_core.cli.parts.options import (
    ORIGINAL,
    QUIET,
    RELEASES,
    check_writable,
    column_option,
    read_original,
    read_releases,
    table_options,
)
from alc_core.cli.parts.plugs import RELEASE_TYPE
from alc_core.cli.parts.printing import StagePrinter, echo
from alc_core.cli.parts.sets import sets_options, with_given_sets

if TYPE_CHECKING:
    from alc_core.campaign.file.store import CampaignStore
    from alc_core.releases.release import Release
    from alc_core.risk_numbers.result import RiskNumbers
    from alc_core.risk_numbers.settings import RiskSettings
    from alc_core.tables.table import Table


@click.command()
@ORIGINAL
@RELEASES
@RELEASE_TYPE
@column_option(
    "--known",
    help="Columns that others can know: quasi-identifiers, key variables. [default: by their roles;"
    " 'alc check' shows them]",
)
@column_option(
    "--protected",
    help="Columns that nobody should learn, for l-diversity and t-closeness. [default: by their"
    " roles]",
)
@click.option(
    "--threshold",
    type=float,
    default=0.09,
    show_default=True,
    help="Count rows whose risk is above it, which is 1 / size of the class. 0.09 asks for classes"
    " of 11.",
)
@click.option(
    "--population",
    type=click.IntRange(min=1),
    metavar="N",
    help="People of whom the original is a random sample: uniqueness among them is estimated.",
)
@click.option(
    "--rows",
    type=click.Choice(["people", "changed"]),
    help="Whether rows of the releases are people, or values were swapped, changed or made up, so"
    " that only the original has risk numbers. [default: found out]",
)
@table_options
@sets_options
@click.option(
    "--campaign",
    "campaign_file",
    metavar="FILE",
    help="Keep the numbers in this campaign's file, for its report, and say the ALC beside them;"
    " the tables must be the ones that it attacks.",
)
@click.option(
    "--json", "json_out", metavar="OUT", help="Write all numbers as JSON here; '-' for stdout."
)
@QUIET
def risk(**options: Any) -> None:
    """Count classes of equal rows: k-anonymity and other risk numbers of guidelines.

    These are k, prosecutor, journalist and marketer risk, uniqueness in the population,
    l-diversity and t-closeness.

    Example: alc risk --original people.csv --release v1.csv --known age,sex --protected job
    """
    from alc_core.risk_numbers.in_campaign_file import KEPT_RISK_NUMBERS, name_in_campaign
    from alc_core.risk_numbers.measuring import measure_risk_numbers
    from alc_core.risk_numbers.text import plain_risk, risk_text
    from alc_core.runtime.progress import Reporter

    check_writable(options["json_out"])
    original = read_original(options)
    releases = read_releases(options, original)
    with ExitStack() as stack:
        store = _open_campaign(options["campaign_file"])
        if store is not None:
            stack.enter_context(store)
            original = as_attacked(store, original)
            releases = {
                (name := name_in_campaign(store.settings, release)): columns_as_attacked(
                    store.settings, original, release.renamed(name)
                )
                for release in releases.values()
            }
        settings = _settings(options, original, releases)
        results: list[RiskNumbers] = []
        for name, release in releases.items():
            reporter = Reporter(progress=None if options["quiet"] else StagePrinter(name))
            given = with_given_sets(options, original, release)
            results += measure_risk_numbers(original, given, settings, reporter=reporter)
        beside: list[str] = []
        if store is not None:
            for found in results:
                KEPT_RISK_NUMBERS.keep(store, found)
            beside = _beside(store, results)
    if options["json_out"]:
        text = json.dumps(list(map(plain_risk, results)), indent=1, ensure_ascii=False)
        if options["json_out"] == "-":
            echo(text)
            return
        Path(options["json_out"]).write_text(text, encoding="utf-8")
    echo("\n\n".join([risk_text(results), *beside]))


def _settings(
    options: dict[str, Any], original: Table, releases: dict[str, Release]
) -> RiskSettings:
    """Return what is measured; columns that are not named are taken by their roles."""
    from alc_core.releases.release import released_columns
    from alc_core.risk_numbers.settings import RiskSettings, RowsAre, chosen_columns
    from alc_core.tables.roles import Roles

    released = frozenset().union(*map(released_columns, releases.values()))
    naming = [name for name in (options["person"], options["household"]) if name]
    roles = Roles.of(original, released, naming=naming)
    known, protected = chosen_columns(
        original, roles, released, known=options["known"], protected=options["protected"]
    )
    return RiskSettings(
        known=known,
        protected=protected,
        threshold=options["threshold"],
        population=options["population"],
        rows_are=RowsAre(options["rows"] or RowsAre.UNKNOWN),
        person=options["person"],
    )


def _beside(store: CampaignStore, results: list[RiskNumbers]) -> list[str]:
    """Say the ALC of each release, and where it disagrees."""
    from alc_core.campaign.findings.view import CampaignView
    from alc_core.risk_numbers.beside_alc import alc_words

    view = CampaignView(store)
    words = ((found, alc_words(view, store.settings.scoring, found)) for found in results)
    return [f"{found.label}\n{' '.join(said)}" for found, said in words if said]


def _open_campaign(file: str | None) -> CampaignStore | None:

    return None if file is None else open_campaign(file)
