"""``alc assess``: one attack."""

from __future__ import annotations

import gc
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from alc_core.cli.parts.command import command
from alc_core.cli.parts.options import (
    ACCEPT,
    BASELINE_ROWS,
    KNOWN,
    ORIGINAL,
    PUBLISHED,
    QUIET,
    RELEASES,
    SEED,
    UNKNOWN,
    accepted_of,
    fail_on,
    loop_of,
    scoring_of,
    scoring_options,
    table_options,
    target_options,
    targets_of,
)
from alc_core.cli.parts.plugs import ATTACK, RELEASE_TYPE
from alc_core.cli.parts.printing import (
    Outputs,
    ProgressPrinter,
    echo,
    ended,
    out_option,
    print_findings,
)
from alc_core.cli.parts.sets import sets_options, with_given_sets
from alc_core.cli.parts.tables import read_original, read_releases
from alc_core.errors import InputError
from alc_core.phrasing import numbered

if TYPE_CHECKING:
    from alc_core.assessment.result import Assessment
    from alc_core.releases.release import Release
    from alc_core.scenario.scenario import Scenario
    from alc_core.scoring.verdict import Verdict

# Objects until garbage collection. Loading libraries creates none: with Python's thresholds it
# takes a twentieth of this command's time.
_COLLECT_AFTER = 50_000, 20, 50


@command(usual="original release known unknown attack accept seed json fail-on verbose")
@ORIGINAL
@RELEASES
@KNOWN
@UNKNOWN
@ATTACK
@PUBLISHED
@RELEASE_TYPE
@table_options
@sets_options
@scoring_options()
@target_options
@BASELINE_ROWS
@SEED
@ACCEPT
@out_option("json", "Write JSON here; '-' for stdout.")
@out_option("csv", "Write both curves as CSV here; '-' for stdout.")
@click.option(
    "--household-effect",
    is_flag=True,
    help="Attack once more without --household and compare.",
)
@fail_on()
@click.option("--verbose", is_flag=True, help="Print all sentences, numbers and notes.")
@QUIET
def assess(**options: Any) -> int:
    """Attack a release and report the anonymity loss.

    If a release has the unknown column in classes of several values, the classes are attacked too.
    Several releases are first summarized, worst on top; the exit code is the worst one's.

    Example: alc assess --original people.csv --release published.csv --known age,sex --unknown job
    """
    gc.set_threshold(*_COLLECT_AFTER)
    from alc_core.assessment.result import worst_of
    from alc_core.assessment.run import assess_attacks as run
    from alc_core.attacks.registry import compares, usual_attacks
    from alc_core.releases.answers import asked_tables, levels
    from alc_core.releases.linked import asked_releases
    from alc_core.report.text import (
        brief_text,
        household_text,
        measures_csv,
        releases_text,
        severity,
        summary_text,
    )  # fmt: skip
    from alc_core.scenario.no_value import check_missing, settled
    from alc_core.scenario.scenario import Scenario
    from alc_core.tables.households import columns_of

    outputs = Outputs(options)
    original = read_original(options)
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
        raise InputError("--household-effect requires --household.")
    scoring = scoring_of(options)
    published = [
        with_given_sets(options, original, each)
        for each in read_releases(options, original).values()
    ]
    original, releases = asked_tables(original, published, scenario.named)
    if "linked" in options:
        releases = asked_releases(releases, scenario.known, unknown)
    check_missing(original, scenario.selection.missing)
    quiet = options["quiet"]

    def reads_all(asked: Scenario, wanted: Scenario) -> bool:
        return asked.selection.where == wanted.selection.where

    # Without its household, these would be asked
    numbers = (f"maybe-person:{column}" for column in columns_of(scenario.household))
    asked_apart = ("maybe-household", "duplicate-people", *numbers)

    def attacked(release: Release, wanted: Scenario, *, told: bool) -> list[Assessment]:
        attacks = options["attacks"] or usual_attacks(release)
        return [
            result
            for asked in levels(original, release, settled(wanted, original))
            for result in run(
                original,
                release,
                asked,
                [a for a in attacks if reads_all(asked, wanted) or not compares(a)],
                scoring=scoring,
                loop=loop_of(options, None),
                seed=options["seed"] or 0,
                accept=(*accepted_of(options), *(asked_apart if wanted is not scenario else ())),
                tell=print_findings if told and asked.level == "exact" else None,
                progress=None if quiet else ProgressPrinter(),
            )
        ]

    results, apart = {}, {}
    for release in releases:
        results[release.name] = attacked(release, scenario, told=not quiet)
        without = replace(scenario, household=None)
        apart[release.name] = attacked(release, without, told=False) if other else []
    results = dict(sorted(results.items(), key=lambda of: severity(of[1]), reverse=True))
    outputs.write("csv", lambda: measures_csv(
        *(each for found in results.values() for each in found),
        names=[name for name, found in results.items() for _ in found],
    ))  # fmt: skip
    outputs.write_json(
        "assess",
        lambda: {
            "releases": [
                {
                    "release": name,
                    "verdict": worst_of(found).verdict,
                    "stopped_by": found[0].stopped_by,
                }
                for name, found in results.items()
            ],
            "results": _plain(results),
            "without_household": _plain({name: apart[name] for name in results}),
        },
    )
    if not outputs.on_stdout:
        texts = [releases_text(results)] if len(results) > 1 else []
        for name, found in results.items():
            texts += [f"--- {name}"] if len(results) > 1 else []
            shown = found if options["attacks"] else map(worst_of, _by_level(found))
            said = summary_text if options["verbose"] else brief_text
            texts += [*map(said, shown), *map(household_text, found, apart[name])]
        if not options["verbose"]:
            notes = len(
                {note.text for found in results.values() for e in found for note in e.notes}
            )
            texts += [f"--verbose shows all numbers and {numbered(notes, 'note')}."]
        echo("\n\n".join(texts))
    return _ending(results, options["fail_on"]) if options["fail_on"] else 0


def _by_level(found: Sequence[Assessment]) -> list[list[Assessment]]:
    """Return usual attacks, of which the worst is the answer, by exactness."""
    levels = dict.fromkeys(each.scenario.level for each in found)
    return [[each for each in found if each.scenario.level == level] for level in levels]


def _plain(results: Mapping[str, Sequence[Assessment]]) -> list[dict[str, Any]]:
    return [
        {**each.to_dict(), "release_name": name}
        for name, found in results.items()
        for each in found
    ]


def _ending(results: Mapping[str, Sequence[Assessment]], limit: Verdict) -> int:
    """Return the worst release's exit code, and say what stops which."""
    from alc_core.scoring.verdict import (
        EXIT_CODES,
        cause_of,
        outcome_of,
        stopping_cause,
        worst_outcome,
    )  # fmt: skip

    outcomes, why = {}, {}
    for name, found in results.items():
        causes = [
            cause_of(
                r.verdict, r.decisive_interval[1], r.scoring, limit, exposes_many=r.exposes_many
            )
            for r in found
        ]  # fmt: skip
        # Each attack on the release notes the check's findings
        causes = [*(stopping_cause(note.code) for note in found[0].stopped_by), *causes]
        outcomes[name] = outcome_of(causes)
        said = ", ".join(dict.fromkeys(map(str, filter(None, causes))))
        why[name] = f"{name}: {outcomes[name]} ({said})"
    worst = worst_outcome(outcomes.values())
    stopped = [why[name] for name, outcome in outcomes.items() if outcome is worst]
    return ended(EXIT_CODES[worst], "; ".join(stopped))
