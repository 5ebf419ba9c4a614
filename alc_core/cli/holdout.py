"""``alc holdout``: people of the original beside people who are in neither table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from alc_core.cli.parts.options import (
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
    read_table_file,
    table_options,
)
from alc_core.cli.parts.plugs import RELEASE_TYPE
from alc_core.cli.parts.printing import StagePrinter, echo
from alc_core.errors import InputError

if TYPE_CHECKING:
    from alc_core.studies.holdout.measuring import AskedAttack


@click.command()
@ORIGINAL
@RELEASES
@RELEASE_TYPE
@click.option(
    "--holdout",
    required=True,
    metavar="FILE",
    help="Other people of the same population, with the original's columns.",
)
@column_option("--known", help="Known columns of the attack; without them only distances.")
@column_option("--unknown", help="The column that the attacker wants to learn, or several.")
@click.option(
    "--attack",
    "attacks",
    multiple=True,
    metavar="NAME[: PARAMETERS]",
    help="Run this attack; repeat it for several. [default: best row match]",
)
@click.option(
    "--people",
    type=click.IntRange(min=1),
    help="Members, and others, whom an attack is run on at most. [default: 2000]",
)
@click.option("--person", metavar="COLUMN", help="Column that says whose record it is.")
@table_options
@missing_options
@SEED
@click.option(
    "--json", "json_out", metavar="OUT", help="Write all numbers as JSON here; '-' for stdout."
)
@QUIET
def holdout(**options: Any) -> None:
    """Compare people of the original with people who are in neither table.

    The same attack on both gives the residual risk; distances to the closest record tell whether
    the release remembers people.

    Example: alc holdout --original people.csv --release synthetic.csv --holdout others.csv
    --known age,sex --unknown job
    """
    from alc_core.studies.holdout.data import Checked
    from alc_core.studies.holdout.measuring import MOST_PEOPLE, measure_holdout
    from alc_core.studies.holdout.words import holdout_text

    check_writable(options["json_out"])
    asked = _asked(options)
    original = read_original(options)
    others = read_table_file(options, options["holdout"])
    results = []
    checked: Checked = {}
    for name, release in read_releases(options, original).items():
        shown = None if options["quiet"] else StagePrinter(name)
        found = measure_holdout(
            original, release, others, asked, people=options["people"] or MOST_PEOPLE,
            seed=options["seed"] or 0, checked=checked, progress=shown,
        )  # fmt: skip
        results.append(found)
    plain = [found.to_dict() for found in results]
    contents = json.dumps(plain[0] if len(plain) == 1 else plain, indent=1, ensure_ascii=False)
    if options["json_out"] == "-":
        echo(contents)
        return
    if options["json_out"]:
        Path(options["json_out"]).write_text(contents, encoding="utf-8")
    echo(holdout_text(results))


def _asked(options: dict[str, Any]) -> list[AskedAttack]:
    """Return the attacks that are asked for."""
    from alc_core.attacks.registry import DEFAULT_ATTACK
    from alc_core.scenario.scenario import Scenario, Targets
    from alc_core.studies.holdout.measuring import AskedAttack

    known, unknown = options["known"], options["unknown"]
    if bool(known) != bool(unknown):
        raise InputError("--known and --unknown belong together: name both, or neither.")
    targets = Targets(missing=missing_of(options))
    return [
        AskedAttack(
            scenario=Scenario(
                [column for column in known if column != each], each,
                person=options["person"], targets=targets,
            ),
            attack=attack,
        )
        for each in unknown
        for attack in options["attacks"] or (DEFAULT_ATTACK,)
    ]  # fmt: skip
