"""``alc rapid``: how many people a model trained on a release predicts too well."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from alc_core.cli.parts.options import (
    KNOWN,
    ORIGINAL,
    QUIET,
    RELEASES,
    SEED,
    check_writable,
    column_option,
    missing_of,
    missing_options,
    read_original,
    read_releases,
    table_options,
)
from alc_core.cli.parts.plugs import RELEASE_TYPE
from alc_core.cli.parts.printing import StagePrinter, echo
from alc_core.errors import InputError, ParameterError

if TYPE_CHECKING:
    from alc_core.studies.rapid.result import MeasuredRapid, RapidSettings
    from alc_core.tables.table import Table


@click.command()
@ORIGINAL
@RELEASES
@RELEASE_TYPE
@KNOWN
@column_option(
    "--unknown", required=True, help="The column that the attacker wants to learn, or several."
)
@click.option(
    "--threshold",
    type=float,
    help="Of categories: at risk is who has a score above it. [default: 0.3]",
)
@click.option(
    "--tolerance",
    type=float,
    help="Of numbers: at risk is whose error is below it. [default: 0.1]",
)
@click.option(
    "--score",
    help="'gain', 'conditional' or 'cross-entropy' of categories; 'symmetric', 'relative' or"
    " 'absolute' error of numbers. [default: gain, symmetric; of dates absolute, in days]",
)
@click.option(
    "--learner",
    default="random forest",
    show_default=True,
    help="'random forest', 'decision tree', 'gradient boosting' or 'regression'.",
)
@column_option(
    "--by",
    help="Further columns of the original, or several, by whose values the share at risk is told;"
    " always told by the known and unknown ones.",
)
@click.option("--person", metavar="COLUMN", help="Column that says whose record it is.")
@table_options
@missing_options
@SEED
@click.option(
    "--json", "json_out", metavar="OUT", help="Write all numbers as JSON here; '-' for stdout."
)
@click.option(
    "--people",
    "people_out",
    metavar="OUT",
    help="Write the risk of every person of the original as CSV here. It is personal data.",
)
@QUIET
def rapid(**options: Any) -> None:
    """Measure how many people a model trained on a release predicts too well (RAPID).

    Beside it stands the same for models that learned from other people's original data.

    Example: alc rapid --original people.csv --release synthetic.csv --known age,sex --unknown job
    """
    from alc_core.releases.release import without_rows
    from alc_core.runtime.progress import Reporter
    from alc_core.scenario.no_value import check_missing
    from alc_core.scenario.scenario import Scenario, Targets
    from alc_core.studies.rapid.measuring import measure_rapid
    from alc_core.studies.rapid.words import people_table, plain_rapid, rapid_text

    for out in (options["json_out"], options["people_out"]):
        check_writable(out)
    original = read_original(options)
    targets = Targets(missing=missing_of(options))
    check_missing(original, targets.missing)
    releases = read_releases(options, original)
    results: list[MeasuredRapid] = []
    like: dict[str, MeasuredRapid] = {}
    for name, release in releases.items():
        if reason := without_rows(release, "RAPID needs"):
            raise InputError(reason)
        for unknown in options["unknown"]:
            scenario = Scenario(
                [column for column in options["known"] if column != unknown],
                unknown,
                targets=targets,
                person=options["person"],
            )
            shown = None if options["quiet"] else StagePrinter(f"{name}, {unknown}")
            reporter = Reporter(progress=shown)
            settings = _settings(options, original, unknown)
            found = measure_rapid(
                original, release, scenario, settings, by=options["by"], like=like.get(unknown),
                reporter=reporter,
            )  # fmt: skip
            like[unknown] = found
            results.append(found)
    if options["people_out"]:
        Path(options["people_out"]).write_text(people_table(results), encoding="utf-8")
    plain = [plain_rapid(found.result) for found in results]
    contents = json.dumps(plain[0] if len(plain) == 1 else plain, indent=1, ensure_ascii=False)
    if options["json_out"] == "-":
        echo(contents)
        return
    if options["json_out"]:
        Path(options["json_out"]).write_text(contents, encoding="utf-8")
    echo(rapid_text([found.result for found in results]))


def _settings(options: dict[str, Any], original: Table, unknown: str) -> RapidSettings:
    """Return what is measured for one unknown column, by its kind."""
    from alc_core.studies.rapid.result import RapidSettings

    numeric = unknown in original.columns and original.kind(unknown).is_numeric
    given, other = ("tolerance", "threshold") if numeric else ("threshold", "tolerance")
    if options[given] is None and options[other] is not None and len(options["unknown"]) == 1:
        raise ParameterError(
            f"'{unknown}' holds {'numbers' if numeric else 'categories'}: give --{given}, not"
            f" --{other}."
        )
    return RapidSettings(
        learner=options["learner"],
        score=options["score"],
        cut=options[given],
        seed=options["seed"] or 0,
    )
