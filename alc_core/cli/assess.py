"""``alc assess``: one attack."""

from __future__ import annotations

import gc
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from alc_core.cli.parts.options import (
    ACCEPT,
    BASELINE_ROWS,
    KNOWN,
    ORIGINAL,
    QUIET,
    RELEASE,
    SEED,
    UNKNOWN,
    accepted_of,
    command,
    fail_on,
    limit_of,
    loop_of,
    read_original,
    read_release,
    scoring_of,
    scoring_options,
    table_options,
    target_options,
    targets_of,
)
from alc_core.cli.parts.plugs import ATTACK, RELEASE_TYPE
from alc_core.cli.parts.printing import Outputs, ProgressPrinter, echo, out_option, print_findings
from alc_core.cli.parts.sets import sets_options, with_given_sets
from alc_core.errors import InputError

if TYPE_CHECKING:
    from alc_core.assessment.result import Assessment

# Objects until garbage is looked for. What libraries make while they load is none: with
# Python's own thresholds a twentieth of this command's time goes into walking through it.
_COLLECT_AFTER = 50_000, 20, 50


@command()
@ORIGINAL
@RELEASE
@KNOWN
@UNKNOWN
@ATTACK
@RELEASE_TYPE
@table_options
@sets_options
@scoring_options()
@target_options
@BASELINE_ROWS
@SEED
@ACCEPT
@out_option("json", "Write the result as JSON here; '-' for stdout.")
@out_option("csv", "Write the curves of attack and baseline as CSV here; '-' for stdout.")
@click.option(
    "--household-effect",
    is_flag=True,
    help="Attack once more without --household, and say how far the loss differs.",
)
@fail_on()
@QUIET
def assess(**options: Any) -> int:
    """Attack a release and compare the attack with its baseline.

    Where the release has the unknown column in classes of several values, the classes are attacked
    besides.

    Example: alc assess --original people.csv --release published.csv --known age,sex --unknown job
    """
    gc.set_threshold(*_COLLECT_AFTER)
    from alc_core.assessment.run import assess_attacks as run
    from alc_core.attacks.registry import usual_attacks
    from alc_core.note import is_verbatim, leads_back
    from alc_core.releases.answers import asked_tables, levels
    from alc_core.report.text import household_text, measures_csv, summary_text
    from alc_core.scenario.no_value import check_missing, settled
    from alc_core.scenario.scenario import Scenario
    from alc_core.scoring.verdict import EXIT_CODES, Cause, cause_of, outcome_of

    outputs = Outputs(options)
    unknown, tolerances = options["unknown"], options["tolerance"]
    if others := [column for column in tolerances if column != unknown]:
        raise InputError(f"--tolerance is for '{others[0]}', but '{unknown}' is unknown.")
    scenario = Scenario(
        options["known"],
        unknown,
        targets=targets_of(options),
        down_sample=options["down_sample"],
        person=options["person"],
        household=options["household"],
        tolerance=tolerances.get(unknown),
    )
    other = options["household_effect"]
    if other and scenario.household is None:
        raise InputError("--household-effect needs --household: name the columns to tell it by.")
    scoring = scoring_of(options)
    original = read_original(options)
    release = with_given_sets(options, original, read_release(options, original))
    original, (release,) = asked_tables(original, [release], scenario.named)
    check_missing(original, scenario.selection.missing)
    attacks = options["attacks"] or usual_attacks(release)
    quiet = options["quiet"]

    def attacked(wanted: Scenario, *, told: bool) -> list[Assessment]:
        return [
            result
            for asked in levels(original, release, settled(wanted, original))
            for result in run(
                original,
                release,
                asked,
                attacks,
                scoring=scoring,
                loop=loop_of(options, None),
                seed=options["seed"] or 0,
                accept=accepted_of(options),
                tell=print_findings if told and asked.level == "exact" else None,
                progress=None if quiet else ProgressPrinter(),
            )
        ]

    results = attacked(scenario, told=not quiet)
    apart = attacked(replace(scenario, household=None), told=False) if other else []
    outputs.write("csv", lambda: measures_csv(*results))
    outputs.write_json(
        "assess",
        lambda: {
            "results": [each.to_dict() for each in results],
            "without_household": [each.to_dict() for each in apart],
        },
    )
    if not outputs.on_stdout:
        echo("\n\n".join((*map(summary_text, results), *map(household_text, results, apart))))
    if not options["fail_on"]:
        return 0
    limit = limit_of(options["fail_on"])
    causes = [
        cause_of(
            r.verdict, r.decisive_interval[1], r.scoring, limit, exposes_many=r.exposes_many
        )
        for r in results
    ]  # fmt: skip
    # What the check said of the release is noted by each attack on it.
    notes = results[0].notes
    if any(leads_back(note.code) for note in notes):
        causes.append(Cause.LINKED)
    if any(map(is_verbatim, notes)):
        causes.append(Cause.ROWS)
    return EXIT_CODES[outcome_of(causes)]
