"""``alc plan``, ``alc campaign`` and ``alc findings``: many attacks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from alc_core.cli.like import read_model, refuse_plan_beside_like
from alc_core.cli.options import (
    ACCEPT,
    ORIGINAL,
    QUIET,
    RELEASES,
    SEED,
    check_writable,
    column_option,
    read_original,
    read_releases,
    scoring_changes,
    scoring_of,
    scoring_options,
    split_names,
    table_options,
    target_options,
    targets_of,
)
from alc_core.cli.plugs import ATTACK, RELEASE_TYPE, chosen_attacks
from alc_core.cli.printing import CampaignBar, print_warnings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from alc_core.campaign.plan.planner import CampaignPlan
    from alc_core.releases.release import Release
    from alc_core.tables.table import Table

_SHOWN = 20

_PLAN_OPTIONS = (
    ATTACK,
    column_option("--unknown", help="What attackers want to learn. [default: every column]"),
    click.option(
        "--known",
        "named",
        multiple=True,
        metavar="COLUMNS",
        help="A set of facts that an attacker may know, such as age,sex. Repeat it for more sets.",
    ),
    click.option(
        "--known-sets",
        type=click.IntRange(min=0),
        help="How many of the smallest sets of columns that single out most people, for each "
        "unknown column. [default: 2]",
    ),
    click.option(
        "--max-known",
        type=click.IntRange(min=1),
        help="How many facts an attacker may know: no chosen set is larger.",
    ),
    click.option(
        "--all-others/--no-all-others",
        default=None,
        help="Whether all other columns together are a set, too. [default: they are]",
    ),
)


def _plan_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(_PLAN_OPTIONS):
        command = option(command)
    return command


def _is_planned(options: Mapping[str, Any]) -> bool:
    """Return whether any option says what to attack."""
    plain = ("unknown", "named", "targets", "pretarget", "attacks")
    chosen = ("known_sets", "max_known", "all_others")
    return any(options[name] for name in plain) or any(options[name] is not None for name in chosen)


def _make_plan(
    options: Mapping[str, Any], original: Table, releases: Mapping[str, Release], *, seed: int
) -> CampaignPlan:
    from alc_core.campaign.plan.planner import plan_campaign

    known_sets, all_others = options["known_sets"], options["all_others"]
    return plan_campaign(
        original,
        releases,
        unknown=options["unknown"] or None,
        named=[split_names(text) for text in options["named"]],
        known_sets=2 if known_sets is None else known_sets,
        max_known=options["max_known"],
        attacks=chosen_attacks(options),
        all_others=True if all_others is None else all_others,
        targets=targets_of(options),
        down_sample=options["down_sample"],
        person=options["person"],
        household=options["household"],
        seed=seed,
    )


@click.command()
@ORIGINAL
@RELEASES
@RELEASE_TYPE
@_plan_options
@table_options
@target_options
@SEED
@click.option("--jobs", type=click.IntRange(min=1), help="Processes, for the estimated time.")
def plan(**options: Any) -> None:
    """Say which attacks a campaign would run, why these, and about how long it would take.

    Example: alc plan --original people.csv --release published.csv
    """
    from joblib import cpu_count

    from alc_core.campaign.plan.estimate import estimate_seconds, told_duration
    from alc_core.phrasing import listed
    from alc_core.releases.registry import as_releases

    original, releases = read_original(options), read_releases(options)
    planned = _make_plan(options, original, releases, seed=options["seed"] or 0)
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


@click.command()
@ORIGINAL
@RELEASES
@RELEASE_TYPE
@click.option(
    "--out",
    required=True,
    metavar="FILE",
    help="The campaign's file. One that is there goes on with what it lacks.",
)
@click.option(
    "--like",
    metavar="FILE",
    help="Take plan, column kinds, parameters and seed from this campaign's file, to repeat it.",
)
@_plan_options
@table_options
@target_options
@scoring_options
@SEED
@click.option("--jobs", type=click.IntRange(min=1), help="Processes. [default: one per processor]")
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Run on the Dask cluster of this scheduler, such as tcp://127.0.0.1:8786. The data are "
    "sent to its workers.",
)
@click.option("--retry-failed", is_flag=True, help="Run attacks again that failed before.")
@ACCEPT
@QUIET
def campaign(**options: Any) -> None:
    """Run many attacks: every sensitive column, several sets of known facts, every release.

    Every result is kept at once: run the same command again to go on after a stop.

    Example: alc campaign --original people.csv --release published.csv --out review.alc
    """
    from alc_core.campaign.run.start import run_campaign

    check_writable(options["out"])
    out, quiet = Path(options["out"]), options["quiet"]
    original, releases = read_original(options), read_releases(options)
    scoring = scoring_of(options) if scoring_changes(options) else None
    planned, loop, seed = None, None, options["seed"]
    if options["like"]:
        refuse_plan_beside_like(options, is_planned=_is_planned(options))
        model = read_model(options["like"])
        original, releases = model.tables(original, releases)
        planned, loop = model.plan(releases), model.settings.loop
        scoring = model.scoring(scoring_changes(options))
        seed = model.settings.seed if seed is None else seed
    elif not out.exists() or _is_planned(options):
        planned = _make_plan(options, original, releases, seed=_seed(options, out))
    if planned is not None and not quiet:
        click.echo(planned.summary, err=True)
    with _kept_told(out), CampaignBar() if not quiet else nullcontext() as bar:
        store = run_campaign(
            original,
            releases,
            out,
            plan=planned,
            scoring=scoring,
            loop=loop,
            seed=seed,
            jobs=options["jobs"],
            scheduler=options["scheduler"],
            retry_failed=options["retry_failed"],
            accept=options["accept"],
            tell=None if quiet else print_warnings,
            progress=bar,
        )
    store.close()
    _print_campaign(out, {})


@contextmanager
def _kept_told(out: Path) -> Iterator[None]:
    """Say on an interrupt that what is finished is kept."""
    from alc_core.campaign.file.store import CampaignStore

    try:
        yield
    except KeyboardInterrupt:
        if out.exists():
            with CampaignStore.open(out) as store:
                counts = store.counts()
            click.echo(
                f"{counts.finished} of {counts.planned} attacks are kept in '{out}'. Run the same "
                "command to go on.",
                err=True,
            )
        raise


def _seed(options: Mapping[str, Any], out: Path) -> int:
    """Return the seed to plan with: the one given, else that of the campaign's file."""
    from alc_core.campaign.file.store import CampaignStore

    if options["seed"] is not None:
        return int(options["seed"])
    if not out.exists():
        return 0
    with CampaignStore.open(out) as store:
        return store.settings.seed


@click.command()
@click.argument("file", metavar="FILE")
@scoring_options
@click.option("--csv", "csv_out", metavar="OUT", help="Write one row per attack here.")
@click.option("--parquet", "parquet_out", metavar="OUT", help="The same as Parquet.")
@click.option("--excel", "excel_out", metavar="OUT", help="The same as an Excel workbook (.xlsx).")
@click.option("--all", "everything", is_flag=True, help="Print all attacks, not the worst ones.")
def findings(file: str, **options: Any) -> None:
    """Say what a campaign found, under other parameters if any are given.

    Example: alc findings review.alc --alpha 2 --csv findings.csv
    """
    for out in (options["csv_out"], options["parquet_out"], options["excel_out"]):
        check_writable(out)
    _print_campaign(
        Path(file),
        scoring_changes(options),
        csv_out=options["csv_out"],
        parquet_out=options["parquet_out"],
        excel_out=options["excel_out"],
        shown=None if options["everything"] else _SHOWN,
    )


def _print_campaign(
    file: Path,
    changes: Mapping[str, Any],
    *,
    csv_out: str | None = None,
    parquet_out: str | None = None,
    excel_out: str | None = None,
    shown: int | None = _SHOWN,
) -> None:
    from alc_core.campaign.file.store import CampaignStore
    from alc_core.campaign.findings.decisions import decisions, with_decisions
    from alc_core.campaign.findings.findings_table import findings_csv, write_findings_parquet
    from alc_core.campaign.findings.view import CampaignView
    from alc_core.report.campaign_text import campaign_text
    from alc_core.scoring.parameters import ScoringParameters
    from alc_core.spreadsheet import write_findings_workbook

    with CampaignStore.open(file) as store:
        scoring = ScoringParameters.from_dict({**store.settings.scoring.to_dict(), **changes})
        view = CampaignView(store)
        frame = with_decisions(view.frame(scoring), decisions(store))
        if csv_out:
            Path(csv_out).write_text(findings_csv(frame), encoding="utf-8")
        if parquet_out:
            write_findings_parquet(frame, Path(parquet_out))
        if excel_out:
            write_findings_workbook(frame, excel_out)
        click.echo(
            campaign_text(view.overview(scoring), frame, flips=view.flips(scoring), shown=shown)
        )
    for out in filter(None, (csv_out, parquet_out, excel_out)):
        click.echo(f"Wrote {out}.", err=True)
