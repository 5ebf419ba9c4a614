"""What improved or worsened against a reference."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from alc_core.compare.comparison import Comparison, ReleaseChange
from alc_core.compare.sentences import APART, CLIPPED, change_sentence
from alc_core.compare.tables import changes_frame
from alc_core.dashboard.compare.choices import CompareChoices, pick_point, pick_row
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.charts import draw_chart
from alc_core.dashboard.results.attack_table import APPROXIMATED, as_chips, draw_attacks
from alc_core.dashboard.state.session import bind
from alc_core.figures.comparison import loss_changes, loss_changes_alt
from alc_core.glossary import explain
from alc_core.phrasing import sentence_case


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
    st.toggle("List attacks without a clear change, too", **bind(choices, "everything"))
    table = changes_frame(comparison, change, everything=choices.everything)
    if not len(table):
        st.info("No attack changes its verdict or clearly its loss.", icon=":material/equal:")
        return
    _draw_changes_table(choices, comparison, change, table)


def draw_change_figure(
    choices: CompareChoices, comparison: Comparison, changes: Sequence[ReleaseChange]
) -> None:
    """Draw each attack on the release that is listed against that on the reference."""
    change = next((each for each in changes if each.release == choices.other), None)
    if change is None or not len(change):
        return
    draw_chart(
        loss_changes(comparison, change),
        key="compare_changes",
        name="loss-changes",
        alt=loss_changes_alt(change),
        on_select=lambda: pick_point("compare_changes"),
    )


def _draw_changes_table(
    choices: CompareChoices, comparison: Comparison, change: ReleaseChange, table: pd.DataFrame
) -> None:
    choices.rows = table["number"].tolist()
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
                "Change", width=150, help=f"{APART} “Only”: the verdict differs, and they overlap."
            ),
            "alc_before": config.NumberColumn("ALC before", format="%.2f", help=CLIPPED),
            "alc_after": config.NumberColumn("ALC now", format="%.2f", help=CLIPPED),
            "difference": config.NumberColumn("Difference", format="%+.2f", help=CLIPPED),
            "interval_before": config.TextColumn("Interval before", help=explain("interval")),
            "interval_after": config.TextColumn("Interval now", help=explain("interval")),
        },
        on_select=pick_row,
        alt=f"Attacks that change from {change.reference} to {change.release}.",
    )  # fmt: skip
    approximated = "" if comparison.interval_exact else f" {APPROXIMATED}"
    st.caption(
        literal(
            f"Before: on {change.reference}. Now: on {change.release}. What got worse comes "
            "first, then by the size of the difference. Click a row to see the attack on all "
            f"releases. Between “safe” and “no loss” no change of verdict is counted.{approximated}"
        )
    )
