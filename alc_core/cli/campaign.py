"""``alc campaign``: many attacks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from alc_core.cli.findings import print_campaign
from alc_core.cli.gate import print_gate
from alc_core.cli.parts.campaign_file import read_model, refuse_plan_beside_like
from alc_core.cli.parts.codes import take_codes
from alc_core.cli.parts.command import command
from alc_core.cli.parts.options import (
    ACCEPT,
    BASELINE_ROWS,
    QUIET,
    SEED,
    accepted_of,
    fail_on,
    loop_of,
    scoring_changes,
    scoring_of,
    scoring_options,
)
from alc_core.cli.parts.planning import (
    in_time,
    is_planned,
    make_plan,
    plan_options,
    released_tables,
    role_lines,
)
from alc_core.cli.parts.printing import CampaignBar, check_writable, echo, print_warnings
from alc_core.cli.parts.sets import with_given_sets
from alc_core.cli.parts.tables import read_original, read_releases
from alc_core.errors import InputError, NothingToAttackError
from alc_core.phrasing import quoted

if TYPE_CHECKING:
    from alc_core.campaign.plan.planner import CampaignPlan
    from alc_core.releases.release import Release


@command(usual="original release published out quick unknown known protect minutes accept")
@released_tables
@click.option(
    "--out",
    required=True,
    metavar="FILE",
    help="The campaign's file. If it exists, it continues.",
)
@click.option(
    "--like",
    type=click.Path(),
    metavar="FILE",
    help="Repeat the plan, kinds, parameters and seed of this file.",
)
@plan_options
@scoring_options()
@BASELINE_ROWS
@SEED
@click.option(
    "--jobs", type=click.IntRange(min=1), help="Number of processes. [default: one per processor]"
)
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Dask cluster, such as tcp://127.0.0.1:8786. Its workers receive all tables.",
)
@fail_on()
@click.option("--retry-failed", is_flag=True, help="Run failed attacks again.")
@ACCEPT
@QUIET
def campaign(**options: Any) -> int:
    """Run many attacks on one or more releases.

    Every sensitive column is attacked with several sets of known facts. Each result is saved at
    once: run the same command again to continue after a stop.

    Example: alc campaign --original people.csv --release published.csv --out review.alc
    """
    from alc_core.campaign.file.annotations import kept_waiting
    from alc_core.campaign.run.check import nothing_ran
    from alc_core.campaign.run.start import run_campaign

    if options["out"] == "-":
        raise InputError("--out is '-', but a campaign needs a file. Name one.")
    check_writable(options["out"])
    if options["like"]:
        refuse_plan_beside_like(options, is_planned=is_planned(options))
    out, quiet = Path(options["out"]), options["quiet"]
    original = read_original(options)
    releases = read_releases(options, original)
    scoring = scoring_of(options) if scoring_changes(options) else None
    planned, loop, seed = None, None, options["seed"]
    model = None
    if options["like"]:
        model = read_model(options["like"])
        named = bool(original.codes)
        original, releases = model.tables(original, releases)
        if not named:
            take_codes(options, original)
    releases = {name: with_given_sets(options, original, each) for name, each in releases.items()}
    if model is not None:
        planned, loop = model.plan(releases), model.settings.loop
        scoring = scoring_of(options, model.settings.scoring)
        seed = model.settings.seed if seed is None else seed
    elif not out.exists() or is_planned(options):
        planned = make_plan(options, original, releases, seed=_seed(options, out))
        planned = in_time(options, planned, original, releases, out)
    else:
        _refuse_unplanned(options, out)
    releases = _attackable(options, releases, planned, out)
    if planned is not None and not quiet:
        echo(" ".join(filter(None, (planned.summary, planned.budget))), err=True)
        for line in role_lines(planned.roles):
            echo(line, err=True)
    with _saying_what_is_saved(out), CampaignBar() if not quiet else nullcontext() as bar:
        store = run_campaign(
            original,
            releases,
            out,
            plan=planned,
            scoring=scoring,
            loop=loop_of(options, loop),
            seed=seed,
            jobs=options["jobs"],
            scheduler=options["scheduler"],
            retry_failed=options["retry_failed"],
            accept=accepted_of(options),
            tell=None if quiet else print_warnings,
            progress=bar,
        )
    with store:
        counts = store.counts()
        if counts.failed and not counts.finished and not counts.missing:  # only why can be shown
            raise NothingToAttackError(nothing_ran(store.failures()))
        waiting = kept_waiting(store)
    print_campaign(out, options)
    code = print_gate(out, **options) if options["fail_on"] else 0
    left_out = _left_out(waiting)
    return code or left_out


def _attackable(
    options: Mapping[str, Any],
    releases: dict[str, Release],
    planned: CampaignPlan | None,
    out: Path,
) -> dict[str, Release]:
    """Return releases; of linked ones the parts relating an unknown column to known ones."""
    from alc_core.campaign.file.store import CampaignStore

    if "linked" not in options:
        return releases
    if planned is not None:
        names = {each.release for each in (*planned.attacks, *(planned.left_out or ()))}
    else:
        with CampaignStore.open(out) as store:
            names = {*store.settings.releases}
    if spared := [name for name in releases if name not in names]:
        echo(f"Not attacked alone: {quoted(spared)} (no column to infer there).", err=True)
    return {name: release for name, release in releases.items() if name in names}


def _left_out(waiting: Mapping[str, str]) -> int:
    """Say which releases wait for answers; return the exit code."""
    from alc_core.scoring.verdict import EXIT_CODES, Outcome

    for release, asked in waiting.items():
        echo(f"'{release}' was not attacked: {' '.join(asked.splitlines())}", err=True)
    return EXIT_CODES[Outcome.INCONCLUSIVE if waiting else Outcome.PASSED]


def _refuse_unplanned(options: Mapping[str, Any], out: Path) -> None:
    from alc_core.campaign.file.store import CampaignStore

    with CampaignStore.open(out) as store:
        scenarios = [attack.scenario for attack in store.attacks]
    said = (
        ("--person", None, options["person"], {each.person for each in scenarios}),
        ("--household", None, options["household"], {each.household for each in scenarios}),
        ("--recall", "population", options["recall"], {e.selection.recall for e in scenarios}),
        ("--no-down-sample", True, options["down_sample"], {e.down_sample for e in scenarios}),
    )
    for option, usual, wanted, planned in said:
        if wanted != usual and planned != {wanted}:
            raise InputError(f"'{out}' was planned without this {option}. Write to another file.")


@contextmanager
def _saying_what_is_saved(out: Path) -> Iterator[None]:
    from alc_core.campaign.file.store import CampaignStore

    try:
        yield
    except KeyboardInterrupt:
        if out.exists():
            with CampaignStore.open(out) as store:
                counts = store.counts()
            echo(
                f"{counts.finished} of {counts.planned} attacks are saved in '{out}'. Run again "
                "to continue.",
                err=True,
            )
        raise


def _seed(options: Mapping[str, Any], out: Path) -> int:
    from alc_core.campaign.file.store import CampaignStore

    if options["seed"] is not None:
        return int(options["seed"])
    if not out.exists():
        return 0
    with CampaignStore.open(out) as store:
        return store.settings.seed
