"""Releases compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from alc_core.campaign.findings.overview import STANDINGS
from alc_core.compare.comparison import (
    BY_STRONGEST,
    NO_RESULT,
    Comparison,
    ReleaseChange,
    comparable,
    compare_all,
    compare_releases,
    is_by_strongest,
    riskiest,
)
from alc_core.compare.sentences import (
    APART,
    CLIPPED,
    change_sentence,
    changes_frame,
    comparison_title,
    difference_text,
    own_attacks_sentence,
    people_sentence,
    remaining_sentence,
)
from alc_core.dashboard.markdown import literal, told_apart
from alc_core.dashboard.parts.attack_table import APPROXIMATED, as_chips, draw_attacks
from alc_core.dashboard.parts.charts import draw_chart
from alc_core.dashboard.parts.header import Focus, focus_of
from alc_core.dashboard.parts.panels import draw_empty
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.campaign_state import CampaignResult
from alc_core.dashboard.state.session import Page, bind, clicked_point, selected_row
from alc_core.figures.comparison import loss_changes, loss_distributions
from alc_core.figures.looks import LOOKS
from alc_core.glossary import explain
from alc_core.phrasing import facts_words, listed, sentence_case
from alc_core.scoring.parameters import ScoringParameters

ONE_RELEASE = "A comparison needs two or more releases."


@dataclass(slots=True, kw_only=True, eq=False)
class CompareChoices:
    """What the user chose on the page."""

    reference: str = ""  # Release to compare with; empty for the riskiest
    other: str = ""  # Release whose changes are listed
    picked: int | None = None  # Clicked attack
    picked_in: str = ""  # Key of the clicked chart or table
    everything: bool = False  # List attacks without clear change
    explore_open: bool = False  # Whether the losses' distribution is open

    def pick_point(self, key: str) -> None:
        """Keep the attack clicked in a chart."""
        if (number := clicked_point(key)) is not None:
            self.picked, self.picked_in = number, key

    def pick_row(self, numbers: Sequence[int]) -> None:
        """Keep the attack clicked in the table of changes."""
        if (number := selected_row("compare_table", numbers)) is not None:
            self.picked, self.picked_in = number, "compare_table"


def draw_compare(state: AppState, campaign: CampaignResult, scoring: ScoringParameters) -> None:
    """Draw a campaign's releases under the current parameters."""
    focus = focus_of(state, campaign)
    view = campaign.view
    choices = state.screen(CompareChoices, view)
    everything = compare_releases(view, scoring)
    comparison = comparable(everything)
    several = len(comparison.releases) > 1
    changes = _draw_reference(choices, comparison) if several else ()
    if several:
        _draw_headline(comparison, changes)
    else:
        draw_empty(ONE_RELEASE, Page.ATTACK, "Plan attacks on several releases")
    if own := own_attacks_sentence(everything):
        st.caption(literal(own))
    if not comparison.measured.any():
        return
    if several:
        st.header("What improved, what worsened")
        _draw_changes(choices, comparison, changes)
        _draw_picked(choices, comparison, focus, "compare_table")
    with (panel := st.expander(
        "Distribution of losses", icon=":material/scatter_plot:",
        **bind(choices, "explore_open"),
    )):  # fmt: skip
        if not panel.open:
            return
        figure = loss_distributions(comparison)
        _draw_pickable(choices, figure, "compare_distributions", "loss-distributions")
        st.caption("Click an attack for all releases.")
        listed_one = next((each for each in changes if each.release == choices.other), None)
        if listed_one is not None and len(listed_one):
            figure = loss_changes(comparison, listed_one)
            _draw_pickable(choices, figure, "compare_changes", "loss-changes")
        _draw_picked(choices, comparison, focus, "compare_distributions", "compare_changes")


def _draw_reference(choices: CompareChoices, comparison: Comparison) -> tuple[ReleaseChange, ...]:
    automatic = riskiest(comparison)
    st.selectbox(
        "Compare with",
        ["", *comparison.releases],
        format_func=lambda name: name or f"{automatic} (highest mean loss)",
        **bind(choices, "reference"),
    )
    return compare_all(comparison, choices.reference or automatic)


def _draw_headline(comparison: Comparison, changes: Sequence[ReleaseChange]) -> None:
    with st.container(border=True):
        st.markdown(f"## {literal(comparison_title(comparison, changes))}")
        st.markdown(literal(remaining_sentence(comparison)), help=f"{APART} {CLIPPED}")
        if is_by_strongest(comparison):
            st.caption(BY_STRONGEST)
        with st.expander("Attack by attack"):
            st.markdown("\n".join(f"- {literal(change_sentence(change))}" for change in changes))
            if people := people_sentence(comparison):
                st.markdown(literal(people))


def _draw_picked(
    choices: CompareChoices, comparison: Comparison, focus: Focus, *places: str
) -> None:
    row = None if choices.picked is None else comparison.row_of(choices.picked)
    if row is None or choices.picked_in not in places:
        return
    with st.container(border=True, key="picked_attack"):
        st.markdown(
            f"**The chosen attack:** infers **{literal(comparison.unknown[row])}**, knowing "
            f"{literal(facts_words(comparison.known[row]))}",
            help=literal(listed(list(comparison.known[row]))),
        )
        for place, release in enumerate(comparison.releases):
            code = int(comparison.standing[row, place])
            with st.container(horizontal=True, vertical_alignment="center"):
                verdict = "No result" if code == NO_RESULT else LOOKS[STANDINGS[code]].label
                st.markdown(
                    f"{literal(release)}: **{literal(verdict)}**, ALC "
                    f"{literal(difference_text(comparison, row, place) or 'not known')}",
                    width="stretch",
                )
                number = int(comparison.number[row, place])
                if code != NO_RESULT:
                    st.button(
                        told_apart("Open the attack", f"on {release}"),
                        key=f"open_{place}", icon=":material/open_in_new:",
                        on_click=focus.open, args=(number,),
                    )  # fmt: skip
        st.button("Close", on_click=lambda: setattr(choices, "picked", None))


def _draw_changes(
    choices: CompareChoices, comparison: Comparison, changes: Sequence[ReleaseChange]
) -> None:
    names = [change.release for change in changes]
    if choices.other not in names:
        choices.other = names[0]
    if len(names) > 1:
        st.segmented_control("Release", names, required=True, **bind(choices, "other"))
    change = changes[names.index(choices.other)]
    if not len(change):
        st.info(literal(change_sentence(change)), icon=":material/info:")
        return
    st.toggle("List unchanged attacks", **bind(choices, "everything"))
    table = changes_frame(comparison, change, everything=choices.everything)
    if not len(table):
        st.info("No attack changes clearly.", icon=":material/equal:")
        return
    numbers = table["number"].tolist()
    shown = table.assign(
        before=as_chips(table["before"]),
        after=as_chips(table["after"]),
        change=table["change"].map(sentence_case),
    )
    config = st.column_config
    draw_attacks(
        shown,
        key="compare_table",
        order=[
            "change", "before", "after", "alc_before", "alc_after", "difference", "unknown",
            "known", "interval_before", "interval_after",
        ],
        extra={
            "change": config.TextColumn(
                "Change", width=150, help=f"{APART} “Only”: the verdict differs."
            ),
            "alc_before": config.NumberColumn("ALC before", format="%.2f", help=CLIPPED),
            "alc_after": config.NumberColumn("ALC now", format="%.2f", help=CLIPPED),
            "difference": config.NumberColumn("Difference", format="%+.2f", help=CLIPPED),
            "interval_before": config.TextColumn("Interval before", help=explain("interval")),
            "interval_after": config.TextColumn("Interval now", help=explain("interval")),
        },
        on_select=lambda: choices.pick_row(numbers),
        alt=f"Attacks that change from {change.reference} to {change.release}.",
    )  # fmt: skip
    approximated = "" if comparison.interval_exact else f" {APPROXIMATED}"
    st.caption(
        literal(f"From {change.reference} to {change.release}. Click a row for all releases."),
        help=f"“Below limit” counts as “no loss”.{approximated}",
    )


def _draw_pickable(choices: CompareChoices, figure: Any, key: str, name: str) -> None:
    draw_chart(figure, key=key, name=name, on_select=lambda: choices.pick_point(key))
