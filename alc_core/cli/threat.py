"""``alc threat``: attacker and learner of a grouped release."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from alc_core.cli.parts.options import (
    ACCEPT,
    KNOWN,
    ORIGINAL,
    QUIET,
    RELEASE,
    SEED,
    UNKNOWN,
    check_writable,
    missing_of,
    missing_options,
    read_original,
    read_release,
    read_table_file,
    split_names,
    table_options,
    together,
)
from alc_core.cli.parts.plugs import RELEASE_TYPE
from alc_core.cli.parts.printing import StepsPrinter, echo, print_findings
from alc_core.cli.parts.sets import sets_options, with_given_sets
from alc_core.errors import InputError
from alc_core.group_posterior.settings import PARAMETERS, RANGES
from alc_core.parameter import Parameter

if TYPE_CHECKING:
    from collections.abc import Mapping


def _usual(parameter: Parameter) -> str:
    if isinstance(parameter.default, bool):
        return "yes" if parameter.default else "no"
    return str(parameter.default)


_sampler_options = together(
    *(
        click.option(
            f"--{parameter.name.replace('_', '-')}/--no-{parameter.name.replace('_', '-')}"
            if parameter.type is bool
            else f"--{parameter.name.replace('_', '-')}",
            parameter.name,
            type=click.Choice(parameter.choices) if parameter.choices else parameter.type,
            help=f"{parameter.help} [default: {_usual(parameter)}]",
            default=None,
        )
        for parameter in (*PARAMETERS, RANGES)
    )
)


@click.command()
@ORIGINAL
@RELEASE
@KNOWN
@UNKNOWN
@click.option(
    "--victim",
    metavar="COLUMN=VALUE,…",
    help='What is known of one person, such as "age=35,sex=f"; not all known columns are needed.',
)
@click.option(
    "--holdout",
    metavar="FILE",
    help="People with the same columns who are in neither table: are they guessed as often?",
)
@RELEASE_TYPE
@_sampler_options
@table_options
@sets_options
@missing_options
@SEED
@ACCEPT
@click.option(
    "--json", "json_out", metavar="OUT", help="Write the result as JSON here; '-' for stdout."
)
@QUIET
def threat(**options: Any) -> None:
    """Compare what an attacker and a learner get from a release in groups.

    Both learn from the whole release by Bayes' rule; the attacker knows besides that the victim is
    in it. For k-anonymous tables, whose labels stand for several values, and for groups whose
    values are shuffled, such as Anatomy's.

    Example: alc threat --original people.csv --release kanonymous.csv --known age,sex
    --unknown job --victim "age=35,sex=f"
    """
    from alc_core.group_posterior.settings import SamplerSettings
    from alc_core.scenario.scenario import Scenario, Targets
    from alc_core.studies.relative_threat.measuring import measure_threat
    from alc_core.studies.relative_threat.words import threat_text

    check_writable(options["json_out"])
    given = {p.name: options[p.name] for p in PARAMETERS if options[p.name] is not None}
    settings = SamplerSettings(**given, seed=options["seed"] or 0)
    RANGES.check(ranges := options["ranges"] or RANGES.default)
    scenario = Scenario(
        options["known"], options["unknown"], targets=Targets(missing=missing_of(options))
    )
    victim = _victim(options)
    original = read_original(options)
    quiet = options["quiet"]
    result = measure_threat(
        original,
        with_given_sets(options, original, read_release(options, original)),
        scenario,
        victim=victim,
        holdout=read_table_file(options, options["holdout"]) if options["holdout"] else None,
        settings=settings,
        ranges=int(ranges),
        accept=options["accept"],
        tell=None if quiet else print_findings,
        progress=None if quiet else StepsPrinter(),
    )
    if options["json_out"]:
        text = json.dumps(result.to_dict(), indent=1, ensure_ascii=False, allow_nan=False)
        if options["json_out"] == "-":
            echo(text)
            return
        Path(options["json_out"]).write_text(text, encoding="utf-8")
    echo(threat_text(result))


def _victim(options: Mapping[str, Any]) -> dict[str, str]:
    """Return what is known of the victim, by column."""
    found: dict[str, str] = {}
    for part in split_names(options["victim"] or ""):
        name, equals, value = part.partition("=")
        if not equals or not name.strip():
            raise InputError(f"--victim takes COLUMN=VALUE, separated by commas, not '{part}'.")
        found[name.strip()] = value.strip()
    return found
