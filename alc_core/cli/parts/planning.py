"""Options on attacks to plan, and the plan."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from alc_core.cli.parts.codes import ColumnOption
from alc_core.cli.parts.command import together
from alc_core.cli.parts.options import (
    ORIGINAL,
    PUBLISHED,
    RELEASES,
    column_option,
    in_two_options,
    table_options,
    target_options,
    targets_of,
)
from alc_core.cli.parts.plugs import ATTACK, ONLY_ON, RELEASE_TYPE, parsed
from alc_core.cli.parts.sets import sets_options
from alc_core.errors import ColumnError, InputError, NothingToAttackError
from alc_core.phrasing import split_names

if TYPE_CHECKING:
    from alc_core.campaign.plan.planner import CampaignPlan
    from alc_core.releases.release import Release
    from alc_core.tables.roles import ColumnRole, Roles
    from alc_core.tables.table import Table

_MOST_COLUMNS = 20  # Of one role in a line

# Say who knows which column
role_options = together(
    column_option(
        "--weight",
        help="Survey weights: neither known nor attacked. [default: recognized; see 'alc check']",
    ),
    column_option(
        "--protect",
        help="Columns to protect. Only these are attacked. [default: all about people]",
    ),
    group="What is attacked",
)

# What is attacked, what attackers know, and how tables are read
plan_options = together(
    click.option(
        "--quick/--thorough",
        default=None,
        help="Depth; thorough: a model, more known columns, up to 5,000 people. [default: quick]",
    ),
    ATTACK,
    ONLY_ON,
    column_option(
        "--unknown",
        help="Columns to infer; see 'alc assess --help-all'. [default: all to be protected]",
    ),
    click.option(
        "--known",
        "named",
        cls=ColumnOption,
        multiple=True,
        callback=parsed(lambda texts: tuple(map(split_names, texts))),
        metavar="COLUMNS",
        help="Columns an attacker may know, such as age,sex; repeatable.",
    ),
    click.option(
        "--job-list",
        type=click.Path(),
        metavar="FILE",
        help="List of attacks. CSV lines: unknown, then known columns. "
        'TOML: income = [["age", "sex"], ["job"]].',
    ),
    click.option(
        "--known-sets",
        type=click.IntRange(min=0),
        help="Number of minimal sets that single out most people. [default: 2]",
    ),
    click.option(
        "--max-known",
        type=click.IntRange(min=1),
        help="Maximum known columns.",
    ),
    click.option(
        "--all-others/--no-all-others",
        default=None,
        help="Also try all other columns together. [default: yes]",
    ),
    click.option(
        "--knowable/--no-knowable",
        default=None,
        help="Also try all columns that may be known together. [default: as --all-others]",
    ),
    click.option(
        "--minutes",
        type=click.IntRange(min=1),
        help="Time limit in minutes. Run again for more.",
    ),
    click.option(
        "--stop-settled/--no-stop-settled",
        default=None,
        help="After a serious attack, skip the release's others. [default: no]",
    ),
    role_options,
    table_options,
    sets_options,
    target_options,
    group="What is attacked",
)

released_tables = together(
    ORIGINAL, RELEASES, PUBLISHED, RELEASE_TYPE
)  # Say which tables there are


# Plan options that are not settings of that name
_OTHERS = ("targets", "pretarget", "missing", "include_missing", "weight", "protect", "minutes")
_OF_SETS = {
    "named": "--known", "known_sets": "--known-sets", "max_known": "--max-known",
    "all_others": "--all-others", "knowable": "--knowable",
}  # fmt: skip
# Settings also used without planning
_BESIDE = frozenset({"down_sample", "person", "household", "seed"})


def _given(options: Mapping[str, Any]) -> dict[str, Any]:
    from alc_core.campaign.plan.settings import PlanSettings

    found = {field.name: options.get(field.name) for field in fields(PlanSettings)}
    return {name: given for name, given in found.items() if given not in (None, (), {})}


def is_planned(options: Mapping[str, Any]) -> bool:
    """Return whether any option says what to attack."""
    others = any(options[name] for name in _OTHERS) or options["quick"] is not None
    return others or bool(_given(options).keys() - _BESIDE)


def make_plan(
    options: Mapping[str, Any], original: Table, releases: Mapping[str, Release], *, seed: int
) -> CampaignPlan:
    """Return the attacks that the options ask for."""
    from alc_core.campaign.plan.job_list import read_job_list
    from alc_core.campaign.plan.planner import plan_campaign
    from alc_core.campaign.plan.settings import Effort, PlanSettings, with_effort
    from alc_core.releases.answers import asked_tables
    from alc_core.scenario.no_value import check_missing

    targets, file = targets_of(options), options["job_list"]
    check_missing(asked_tables(original, (), targets.missing or ())[0], targets.missing)
    jobs = read_job_list(file, original) if file else {}
    idle = [flag for name, flag in _OF_SETS.items() if options[name]]
    if idle and jobs and jobs.keys() >= {*options["unknown"]}:
        raise InputError(f"--job-list names the sets, so {idle[0]} does nothing. Remove one.")
    known = {*itertools.chain(*options["named"], *itertools.chain(*jobs.values()))}
    roles = chosen_roles(
        options, original, releases.values(), known=known, unknown=options["unknown"] or tuple(jobs)
    )
    settings = PlanSettings(targets=targets)
    if options["quick"] is False:
        settings = with_effort(settings, Effort.THOROUGH, releases.values())
    people = settings.targets if targets.count is None else targets
    given = {**_given(options), "targets": people, "roles": roles, "job_list": jobs, "seed": seed}
    try:
        return plan_campaign(original, releases, replace(settings, **given))
    except ColumnError:
        # The tables' nature explains more than missing columns
        refuse_unattackable(original, releases)
        raise


def in_time(
    options: Mapping[str, Any],
    plan: CampaignPlan,
    original: Table,
    releases: Mapping[str, Release],
    out: Path | None = None,
) -> CampaignPlan:
    """Return what of a plan fits the minutes, with a campaign's attacks."""
    from joblib import cpu_count

    from alc_core.campaign.file.records import identity_of
    from alc_core.campaign.file.store import CampaignStore
    from alc_core.campaign.plan.estimate import speed_now
    from alc_core.campaign.run.budget import within_budget

    if options["minutes"] is None:
        return plan
    begun, missing = set[bytes](), set[bytes]()
    if out is not None and out.exists():
        with CampaignStore.open(out) as store:
            begun = {identity_of(attack) for attack in store.attacks}
            missing = {identity_of(attack) for attack in store.missing()}
    processes = options["jobs"] or cpu_count()
    return within_budget(
        plan, original, releases, options["minutes"], processes=processes,
        speed=speed_now(processes), begun=begun, finished=begun - missing,
    )  # fmt: skip


def refuse_unattackable(original: Table, releases: Mapping[str, Release]) -> None:
    """Raise if no release can be attacked."""
    from alc_core.tables.checks.finding import Severity

    obstacles = [
        [
            f"{finding.place}: {finding.message} {finding.action}"
            for finding in release.checker(original).findings()
            if finding.severity is Severity.ERROR and not finding.columns
        ]
        for release in releases.values()
    ]
    if obstacles and all(obstacles):
        raise NothingToAttackError(f"Nothing to attack. {obstacles[0][0]}")


def chosen_roles(
    options: Mapping[str, Any],
    original: Table,
    releases: Iterable[Release],
    *,
    known: Collection[str],
    unknown: Collection[str],
) -> dict[str, ColumnRole]:
    """Return the roles that the options say."""
    from alc_core.releases.release import released_columns
    from alc_core.tables.roles import ColumnRole, Roles, protecting

    _refuse_conflicts(options, known=known, unknown=unknown)
    weights = dict.fromkeys(options["weight"], ColumnRole.WEIGHT)
    if not options["protect"]:
        return weights
    roles = Roles.of(
        original,
        frozenset().union(*map(released_columns, releases)),
        chosen=weights,
        naming=[options["person"], options["household"]],
    )
    return {**weights, **protecting(roles, options["protect"])}


def _refuse_conflicts(
    options: Mapping[str, Any], *, known: Collection[str], unknown: Collection[str]
) -> None:
    if unknown and options["protect"]:
        raise InputError(
            "--unknown and --protect both say what to attack. Use --unknown to keep roles."
        )
    parts = {
        "--weight": options["weight"],
        "--protect": options["protect"],
        "--ignore": options["ignore"],
        "--person": [options["person"]],
        "--household": [options["household"]],
    }
    beside = [("--weight", "--known"), ("--weight", "--unknown")]
    exclude = [*itertools.combinations(parts, 2), *beside]
    exclude.remove(("--person", "--household"))
    parts |= {"--known": known, "--unknown": unknown}
    for first, second in exclude:
        both = [column for column in parts[first] if column and column in parts[second]]
        if both:
            raise in_two_options(both[0], first, second)


def role_lines(roles: Roles) -> list[str]:
    """Return a line of columns per role, the first of many."""
    return [
        f"{role} ({role.meaning}): {', '.join(columns[:_MOST_COLUMNS])}"
        + (f" and {more} more" if (more := len(columns) - _MOST_COLUMNS) > 0 else "")
        for role, columns in roles.columns_by_role.items()
    ]
