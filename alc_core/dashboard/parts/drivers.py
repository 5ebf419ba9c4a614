"""What drives the risk of an attack and of a campaign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.model import PlannedAttack
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.attack_table import table_height
from alc_core.dashboard.parts.charts import draw_chart
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import bind
from alc_core.dashboard.work.campaign_runs import can_go_on, go_on
from alc_core.explain.drivers import (
    AttackPair,
    Loss,
    attack_losses,
    attack_pairs,
    attribute_effects,
    contribution_sentence,
    contributions,
    effects_frame,
    effects_sentence,
    known_counts,
    plan_one_less,
    riskiest_attack,
)
from alc_core.figures.explain import contribution_figure, effect_figure, known_count_figure
from alc_core.phrasing import listed, numbered
from alc_core.scoring.parameters import ScoringParameters

_CLIPPED = "An ALC below 0 is shown as 0."


@dataclass(slots=True, kw_only=True)
class DriversScreen:
    """Whether a campaign's drivers are unfolded."""

    open: bool = False


def draw_campaign_drivers(state: AppState, view: CampaignView, scoring: ScoringParameters) -> None:
    """Draw the folded drivers of a campaign."""
    with (panel := st.expander(
        "Which facts matter", icon=":material/key:",
        **bind(state.screen(DriversScreen), "open"),
    )):  # fmt: skip
        if not panel.open:
            return
        losses, pairs = _read(view, scoring)
        if not losses:
            st.info("No results yet.", icon=":material/info:")
            return
        _draw_effects(state, view, losses, pairs)
        points = known_counts(view.attacks, losses, view.standings(scoring))
        draw_chart(
            known_count_figure(points, scoring), key="known_count", name="alc-by-known-facts"
        )
        st.caption("The line connects the highest values.")


def draw_attack_drivers(
    state: AppState, view: CampaignView, number: int, scoring: ScoringParameters
) -> None:
    """Draw what known attributes add to an attack, and offer missing runs."""
    losses, pairs = _read(view, scoring)
    known = view.attack(number).scenario.known
    found = contributions(number, pairs, losses) if number in losses else ()
    if len(known) < 2:
        st.markdown("This attack knows only one column.")
        return
    if found:
        st.markdown(literal(contribution_sentence(found)))
        draw_chart(contribution_figure(found), key="contributions", name="what-drives-the-attack")
        st.caption(
            "Each bar: ALC against the same attack without that column. Bars do not add up. "
            f"{_CLIPPED}"
        )
    compared = {each.attribute for each in found}
    _draw_missing(state, view, number, compared, key="one_less")


def _read(
    view: CampaignView, scoring: ScoringParameters
) -> tuple[dict[int, Loss], tuple[AttackPair, ...]]:
    losses = attack_losses(view.rescored(scoring))
    return losses, attack_pairs(view.attacks, losses)


def _draw_effects(
    state: AppState, view: CampaignView, losses: dict[int, Loss], pairs: tuple[AttackPair, ...]
) -> None:
    effects = attribute_effects(view.attacks, pairs, losses)
    if pairs:
        st.markdown(literal(effects_sentence(effects)))
        draw_chart(effect_figure(effects), key="effects", name="what-drives-the-risk")
    else:
        st.info(
            "No two attacks differ by just one column. Rerun the riskiest, dropping columns in "
            "turn.",
            icon=":material/info:",
        )
        number = riskiest_attack(view.attacks, losses)
        if number is not None:
            st.markdown(f"**The riskiest:** {literal(view.attack(number).words)}.")
            _draw_missing(state, view, number, set(), key="one_less_riskiest")
    frame = effects_frame(effects)
    st.dataframe(
        frame,
        key="effects_table",
        placeholder="",
        hide_index=True,
        lazy=False,
        height=table_height(len(frame)),
        column_config={
            "attribute": st.column_config.TextColumn("Known column"),
            "mean": _number("Mean difference", "Pairs differing only in this column."),
            "largest": _number("Largest difference", "In one pair."),
            "pairs": st.column_config.NumberColumn("Pairs"),
            "with_mean": _number("Mean ALC with it", "Attacks that know it."),
            "with_count": st.column_config.NumberColumn("Attacks with it"),
            "without_mean": _number("Mean ALC without it", "Attacks without it."),
            "without_count": st.column_config.NumberColumn("Attacks without it"),
        },
        alt="Differences of ALC by known column.",
    )
    st.caption(f"Pairs show what a column adds. {_CLIPPED}")


def _number(label: str, explanation: str) -> Any:
    return st.column_config.NumberColumn(label, format="%.2f", help=explanation)


def _draw_missing(
    state: AppState, view: CampaignView, number: int, compared: set[str], *, key: str
) -> None:
    """Say which attributes cannot be judged yet, and offer their attacks."""
    known = view.attack(number).scenario.known
    open_ones = [column for column in known if column not in compared]
    if not open_ones:
        return
    verb = "adds" if len(open_ones) == 1 else "add"
    st.markdown(literal(f"Still unknown: what {listed(open_ones)} {verb}."))
    missing = plan_one_less(view.attacks, number)
    if state.campaign_run is not None:
        st.info("Attacks are running.", icon=":material/sync:")
    elif not missing:
        st.caption("No result: see the Attack page.")
    elif can_go_on(state):
        st.button(
            f"Run {numbered(len(missing), 'attack')} with one fact fewer",
            key=key,
            icon=":material/play_arrow:",
            help="These do not affect the verdict.",
            on_click=_run,
            args=(state, missing),
        )
    else:
        st.info(
            "Upload all tables on the Data page.",
            icon=":material/folder_open:",
        )


def _run(state: AppState, attacks: Sequence[PlannedAttack]) -> None:
    if not go_on(state, attacks):
        st.toast("Attacks are running, or the tables have changed.")
