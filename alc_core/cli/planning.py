"""Options that say which attacks to plan, and the plan that they make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from alc_core.cli.options import column_option, split_names, targets_of, together
from alc_core.cli.plugs import ATTACK, chosen_attacks

if TYPE_CHECKING:
    from alc_core.campaign.plan.planner import CampaignPlan
    from alc_core.releases.release import Release
    from alc_core.tables.table import Table

plan_options = together(
    ATTACK,
    column_option(
        "--unknown", help="Columns that attackers want to learn. [default: every column]"
    ),
    click.option(
        "--known",
        "named",
        multiple=True,
        metavar="COLUMNS",
        help="Columns that an attacker may know, such as age,sex. Repeat it for more sets.",
    ),
    click.option(
        "--known-sets",
        type=click.IntRange(min=0),
        help="For each unknown column, how many of the smallest sets of columns that single out "
        "most people. [default: 2]",
    ),
    click.option(
        "--max-known",
        type=click.IntRange(min=1),
        help="How many columns an attacker may know at most.",
    ),
    click.option(
        "--all-others/--no-all-others",
        default=None,
        help="Whether all other columns together are also a set. [default: yes]",
    ),
)
"""Say what is attacked and what attackers know."""


def is_planned(options: Mapping[str, Any]) -> bool:
    """Return whether any option says what to attack."""
    plain = ("unknown", "named", "targets", "pretarget", "attacks", "missing", "include_missing")
    chosen = ("known_sets", "max_known", "all_others")
    return any(options[name] for name in plain) or any(options[name] is not None for name in chosen)


def make_plan(
    options: Mapping[str, Any], original: Table, releases: Mapping[str, Release], *, seed: int
) -> CampaignPlan:
    """Return the attacks that the options ask for."""
    from alc_core.campaign.plan.planner import plan_campaign
    from alc_core.scenario.without_value import check_missing

    known_sets, all_others = options["known_sets"], options["all_others"]
    targets = targets_of(options)
    check_missing(original, targets.missing)
    return plan_campaign(
        original,
        releases,
        unknown=options["unknown"] or None,
        named=[split_names(text) for text in options["named"]],
        known_sets=2 if known_sets is None else known_sets,
        max_known=options["max_known"],
        attacks=chosen_attacks(options),
        all_others=True if all_others is None else all_others,
        targets=targets,
        down_sample=options["down_sample"],
        person=options["person"],
        household=options["household"],
        seed=seed,
    )
