"""Parts of the page that compares releases: headline, figures, changes, one attack opened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
import streamlit as st

from alc_core.campaign.overview import STANDINGS, what_if_text
from alc_core.campaign.view import CampaignView
from alc_core.compare.comparison import (
    NO_RESULT,
    Comparison,
    ReleaseChange,
    compare_with,
    riskiest,
)
from alc_core.compare.sentences import (
    APART,
    CLIPPED,
    change_sentence,
    comparison_title,
    difference_text,
    remaining_sentence,
)
from alc_core.compare.tables import changes_frame
from alc_core.compare.utility import Utility
from alc_core.dashboard.campaign_overview import open_attack
from alc_core.dashboard.campaign_table import CARRIED_OVER, table_height
from alc_core.dashboard.campaign_tiles import standing_label
from alc_core.dashboard.charts import draw_chart
from alc_core.dashboard.findings_parts import CAMPAIGN
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.session import FINDINGS_PAGE, bind, go_to, selection
from alc_core.dashboard.state import AppState
from alc_core.figures.attack_matrix import MOST_ROWS, loss_matrix, loss_matrix_alt, matrix_rows
from alc_core.figures.compare import (
    loss_changes,
    loss_changes_alt,
    loss_distributions,
    loss_distributions_alt,
)
from alc_core.figures.palette import VERDICT_COLOURS
from alc_core.figures.risk_utility import RiskMeasure, UtilityMeasure
from alc_core.glossary import explain
from alc_core.parameters import ScoringParameters
from alc_core.phrasing import count, listed
from alc_core.verdict import Verdict
from alc_core.wording import parameters_text


@dataclass(slots=True, kw_only=True, eq=False)
class CompareChoices:
    """What the user chose on the page.

    Attributes
    ----------
    view : CampaignView or None
        Of which campaign: with another one all begins anew.
    reference, other, unknown : str
        Release to compare with (empty for the riskiest), release whose changes are listed, unknown
        column of the matrix (empty for all).
    picked : int or None
        Number of the attack that was clicked.
    picked_in : str
        Key of the chart or table that was clicked.
    rows : list of int
        Number of the attack in each row of the table of changes.
    everything : bool
        Whether attacks without a clear change are listed.
    utility_axis, risk_axis
        Of the map.
    targets : list of str
        Columns to predict; empty for the default.
    measured : dict of str to Utility
        Measured in this session.
    just_measured : bool
        Whether the page is to be drawn again with what was measured.
    message : str
        What went wrong in keeping them.
    """

    view: CampaignView | None = None
    reference: str = ""
    other: str = ""
    unknown: str = ""
    picked: int | None = None
    picked_in: str = ""
    rows: list[int] = field(default_factory=list)
    everything: bool = False
    utility_axis: UtilityMeasure = "pairs"
    risk_axis: RiskMeasure = "worst"
    targets: list[str] = field(default_factory=list)
    measured: dict[str, Utility] = field(default_factory=dict)
    just_measured: bool = False
    message: str = ""


def compare_choices(state: AppState, view: CampaignView) -> CompareChoices:
    """Return what was chosen for this campaign."""
    choices = state.screen(CompareChoices)
    if choices.view is not view:
        choices = CompareChoices(view=view)
        state.screens[CompareChoices] = choices
    return choices


def draw_scoring(scoring: ScoringParameters, run: ScoringParameters) -> None:
    """Say by which parameters all of the page is scored."""
    changed = what_if_text(scoring, run)
    whose = f"Changed after the run ({changed})" if changed else "The run's parameters"
    st.caption(literal(f"{whose}: {parameters_text(scoring)}."))


def draw_reference(choices: CompareChoices, comparison: Comparison) -> tuple[ReleaseChange, ...]:
    """Let the user choose the reference; return what differs on each other release."""
    automatic = riskiest(comparison)
    st.selectbox(
        "Compare with",
        ["", *comparison.releases],
        format_func=lambda name: name or f"{automatic} (highest mean loss)",
        help="The release that all others are compared with.",
        **bind(choices, "reference"),
    )
    reference = choices.reference or automatic
    return tuple(
        compare_with(comparison, reference, release)
        for release in comparison.releases
        if release != reference
    )


def draw_headline(comparison: Comparison, changes: Sequence[ReleaseChange]) -> None:
    """Draw which release is safer, in how many attacks, and what remains to be looked at."""
    with st.container(border=True):
        st.markdown(f"#### {literal(comparison_title(comparison, changes))}")
        st.markdown("\n".join(f"- {literal(change_sentence(change))}" for change in changes))
        st.markdown(literal(remaining_sentence(comparison)))
        st.caption(f"{APART} {CLIPPED}")


def draw_distributions(comparison: Comparison) -> None:
    """Draw the losses of all attacks by release."""
    draw_chart(
        loss_distributions(comparison),
        key="compare_distributions",
        name="loss-distributions",
        alt=loss_distributions_alt(comparison),
        on_select=lambda: _pick_point("compare_distributions"),
    )
    st.caption(
        "Each mark is one attack; click it to see it on all releases. The box holds the middle "
        "half of the attacks, its line is the median. Further right is riskier; marks are spread "
        "upwards and downwards only to keep them apart."
    )


def draw_matrix(choices: CompareChoices, comparison: Comparison) -> None:
    """Draw attack by release, with a choice of the unknown column where there are many."""
    if len(comparison) > MOST_ROWS:
        st.selectbox(
            "Unknown column",
            ["", *sorted(set(comparison.unknown))],
            format_func=lambda name: name or "All, with the worst attack on each",
            help=explain("unknown attribute"),
            **bind(choices, "unknown"),
        )
    unknown = (choices.unknown or None) if len(comparison) > MOST_ROWS else None
    draw_chart(
        loss_matrix(comparison, unknown),
        key="compare_matrix",
        name="attack-by-release",
        alt=loss_matrix_alt(comparison, unknown),
        on_select=lambda: _pick_point("compare_matrix"),
    )
    icons = listed([standing_label(each) for each in STANDINGS if _occurs(comparison, each)])
    left_out = matrix_rows(comparison, unknown).left_out
    more = f" {count(left_out)} more rows, none worse than these, are left out." if left_out else ""
    st.caption(
        f"A number is the ALC, 0 for no loss: {icons}. The column before the arrow is what is "
        f"learned, those after it what is known. Click a cell to see the attack on all "
        f"releases.{more}"
    )


def draw_picked(
    state: AppState, choices: CompareChoices, comparison: Comparison, *places: str
) -> None:
    """Draw the attack that was clicked on every release, each with a way to Findings.

    Parameters
    ----------
    state, choices, comparison
        Of the page.
    *places : str
        Keys of charts and tables: a click elsewhere is left to be drawn there.
    """
    row = None if choices.picked is None else comparison.row_of(choices.picked)
    if row is None or choices.view is None or choices.picked_in not in places:
        return
    with st.container(border=True, key="picked_attack"):
        known = listed(list(comparison.known[row]))
        st.markdown(
            f"**The chosen attack:** learns **{literal(comparison.unknown[row])}** knowing "
            f"{literal(known)}"
        )
        for place, release in enumerate(comparison.releases):
            code = int(comparison.standing[row, place])
            with st.container(horizontal=True, vertical_alignment="center"):
                stands = "No result" if code == NO_RESULT else standing_label(STANDINGS[code])
                st.markdown(
                    f"{literal(release)}: **{literal(stands)}**, ALC "
                    f"{literal(difference_text(comparison, row, place) or 'not known')}",
                    width="stretch",
                )
                number = int(comparison.number[row, place])
                if code != NO_RESULT and st.button(
                    "Open on Findings", key=f"open_{place}", icon=":material/open_in_new:"
                ):
                    open_on_findings(state, choices.view, number)
        st.button("Close", on_click=_unpick, args=(choices,))


def open_on_findings(state: AppState, view: CampaignView, number: int) -> None:
    """Go to the Findings page with an attack opened."""
    open_attack(view, number, key="findings")
    if state.result is not None:
        st.session_state["findings_of"] = CAMPAIGN
    go_to(FINDINGS_PAGE)


def draw_changes(
    choices: CompareChoices, comparison: Comparison, changes: Sequence[ReleaseChange]
) -> None:
    """Draw what improved or worsened on one release against the reference."""
    names = [change.release for change in changes]
    if choices.other not in names:
        choices.other = names[0]
    if len(names) > 1:
        st.segmented_control("Release", names, required=True, **bind(choices, "other"))
    change = changes[names.index(choices.other)]
    if not len(change):
        st.info(literal(change_sentence(change)), icon=":material/info:")
        return
    draw_chart(
        loss_changes(comparison, change),
        key="compare_changes",
        name="loss-changes",
        alt=loss_changes_alt(change),
        on_select=lambda: _pick_point("compare_changes"),
    )
    st.toggle("List attacks without a clear change, too", **bind(choices, "everything"))
    table = changes_frame(comparison, change, everything=choices.everything)
    if not len(table):
        st.info("No attack changes its verdict or clearly its loss.", icon=":material/equal:")
        return
    _draw_changes_table(choices, comparison, change, table)


def _draw_changes_table(
    choices: CompareChoices, comparison: Comparison, change: ReleaseChange, table: pd.DataFrame
) -> None:
    choices.rows = table["number"].tolist()
    shown = table.assign(
        before=_chips(table["before"]),
        after=_chips(table["after"]),
        change=[f"{each[0].upper()}{each[1:]}" for each in table["change"]],
    ).drop(columns="number")
    config = st.column_config
    labels = [standing_label(each) for each in STANDINGS]
    chip: dict[str, Any] = {
        "options": labels,
        "color": [_chip_colour(each) for each in STANDINGS],
        "width": 125,
    }
    st.dataframe(
        shown,
        key="compare_table",
        hide_index=True,
        lazy=False,
        height=table_height(len(shown)),
        column_config={
            "change": config.TextColumn(
                "Change", width=150, help=f"{APART} “Only”: the verdict differs, and they overlap."
            ),
            "before": config.MultiselectColumn("Before", **chip),
            "after": config.MultiselectColumn("Now", **chip),
            "alc_before": config.NumberColumn("ALC before", format="%.2f", help=CLIPPED),
            "alc_after": config.NumberColumn("ALC now", format="%.2f", help=CLIPPED),
            "difference": config.NumberColumn("Difference", format="%+.2f", help=CLIPPED),
            "interval_before": config.TextColumn("Interval before", help=explain("interval")),
            "interval_after": config.TextColumn("Interval now", help=explain("interval")),
            "unknown": config.TextColumn("Unknown", help=explain("unknown attribute")),
            "known": config.TextColumn("Known", help=explain("known attributes"), width="large"),
        },
        column_order=[
            "change", "before", "after", "alc_before", "alc_after", "difference", "unknown",
            "known", "interval_before", "interval_after",
        ],
        selection_mode=["single-row", "single-cell"],
        on_select=_pick_row,
        alt=f"Attacks that change from {change.reference} to {change.release}.",
    )  # fmt: skip
    carried = "" if comparison.interval_exact else f" {CARRIED_OVER}"
    st.caption(
        literal(
            f"Before: on {change.reference}. Now: on {change.release}. What got worse comes "
            "first, then by the size of the difference. Click a row to see the attack on all "
            f"releases. Between “safe” and “no loss” no change of verdict is counted.{carried}"
        )
    )


def _chips(standings: pd.Series) -> pd.Series:
    """Return lists of one label each, which the table draws as chips."""
    return standings.map(lambda standing: [standing_label(standing)]).astype(object)


def _chip_colour(standing: str) -> str:
    known = {str(verdict): colour for verdict, colour in VERDICT_COLOURS.items()}
    return known.get(standing, VERDICT_COLOURS[Verdict.UNDECIDED])


def _occurs(comparison: Comparison, standing: str) -> bool:
    return bool((comparison.standing == STANDINGS.index(standing)).any())


def _pick_point(key: str) -> None:
    points = selection(key, "points")
    if points and points[-1].get("customdata") is not None:
        _pick(int(points[-1]["customdata"]), key)


def _pick_row() -> None:
    choices = _choices()
    rows = [
        *(row for row, _ in selection("compare_table", "cells")),
        *selection("compare_table", "rows"),
    ]
    if rows and rows[0] < len(choices.rows):
        _pick(choices.rows[rows[0]], "compare_table")


def _pick(number: int, key: str) -> None:
    choices = _choices()
    choices.picked, choices.picked_in = number, key


def _choices() -> CompareChoices:
    state: AppState = st.session_state["alc_state"]
    return state.screen(CompareChoices)


def _unpick(choices: CompareChoices) -> None:
    choices.picked = None
