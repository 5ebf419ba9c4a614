"""``alc plan``: what a campaign would do."""

from __future__ import annotations

from typing import Any

import click

from alc_core.cli.options import (
    ORIGINAL,
    RELEASES,
    SEED,
    read_original,
    read_releases,
    table_options,
    target_options,
)
from alc_core.cli.planning import make_plan, plan_options
from alc_core.cli.plugs import RELEASE_TYPE
from alc_core.cli.sets import sets_options, with_given_sets


@click.command()
@ORIGINAL
@RELEASES
@RELEASE_TYPE
@plan_options
@table_options
@sets_options
@target_options
@SEED
@click.option(
    "--jobs", type=click.IntRange(min=1), help="Number of processes to estimate the time for."
)
def plan(**options: Any) -> None:
    """Show which attacks a campaign would run, and their time.

    For each set of known facts it says why it was chosen.

    Example: alc plan --original people.csv --release published.csv
    """
    from joblib import cpu_count

    from alc_core.campaign.plan.estimate import estimate_seconds, told_duration
    from alc_core.phrasing import listed
    from alc_core.releases.registry import as_releases

    original, releases = read_original(options), read_releases(options)
    releases = {name: with_given_sets(options, original, each) for name, each in releases.items()}
    planned = make_plan(options, original, releases, seed=options["seed"] or 0)
    click.echo(planned.summary)
    seconds = estimate_seconds(
        planned, original, as_releases(releases), processes=options["jobs"] or cpu_count()
    )
    click.echo(f"Estimated time: {told_duration(seconds)}, within a factor of about two.")
    for unknown, sets in planned.known_sets.items():
        click.echo(f"\n{unknown}, if an attacker knows")
        for known in sets:
            click.echo(f"  {listed(known.columns)}\n    {known.reason}")
    if planned.notes:
        click.echo()
    for note in planned.notes:
        click.echo(f"Note: {note}")
