"""``alc plan``: what a campaign would do."""

from __future__ import annotations

from typing import Any

import click

from alc_core.cli.parts.command import command
from alc_core.cli.parts.options import QUIET, SEED
from alc_core.cli.parts.planning import (
    in_time,
    make_plan,
    plan_options,
    refuse_unattackable,
    released_tables,
    role_lines,
)
from alc_core.cli.parts.printing import Outputs, echo, out_option
from alc_core.cli.parts.sets import with_given_sets
from alc_core.cli.parts.tables import read_original, read_releases


@command(usual="original release quick unknown known protect minutes jobs json verbose")
@released_tables
@plan_options
@SEED
@out_option("json", "Write JSON here; '-' for stdout.")
@click.option("--jobs", type=click.IntRange(min=1), help="Number of processes.")
@click.option("--verbose", is_flag=True, help="Name all known columns.")
@QUIET
def plan(**options: Any) -> None:
    """List the attacks a campaign would run.

    For each set of known facts it says why it was chosen.

    Example: alc plan --original people.csv --release published.csv
    """
    from joblib import cpu_count

    from alc_core.campaign.plan.estimate import scenario_costs, seconds_now, told_duration
    from alc_core.phrasing import facts_words, listed
    from alc_core.releases.registry import as_releases

    outputs = Outputs(options)
    original = read_original(options)
    releases = read_releases(options, original)
    releases = {name: with_given_sets(options, original, each) for name, each in releases.items()}
    refuse_unattackable(original, releases)
    planned = make_plan(options, original, releases, seed=options["seed"] or 0)
    planned = in_time(options, planned, original, releases)
    outputs.write_json(
        "plan",
        lambda: {
            "attacks": len(planned),
            "columns": planned.roles.of_columns,
            "known_sets": planned.known_sets,
            "notes": (*planned.notes, *filter(None, [planned.budget])),
        },
    )
    if outputs.on_stdout:
        return
    echo(" ".join(filter(None, (planned.summary, planned.budget))))
    costs = scenario_costs(planned.attacks, original, as_releases(releases))
    seconds = seconds_now(costs, options["jobs"] or cpu_count())
    echo(f"Estimated time: {told_duration(seconds)}, within a factor of two.")
    echo("Columns:")
    for line in role_lines(planned.roles):
        echo(f"  {line}")
    for unknown, sets in planned.known_sets.items():
        echo(f"\n{unknown}, if an attacker knows")
        for known in sets:
            told = listed(known.columns) if options["verbose"] else facts_words(known.columns)
            echo(f"  {told}\n    {known.reason}")
    if planned.notes:
        echo()
    for note in planned.notes:
        echo(f"Note: {note}")
