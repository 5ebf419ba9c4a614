"""The releases side by side: headline, figures, and one attack on all of them."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from alc_core.campaign.findings.overview import STANDINGS
from alc_core.compare.comparison import NO_RESULT, Comparison, ReleaseChange, compare_all, riskiest
from alc_core.compare.sentences import (
    APART,
    CLIPPED,
    change_sentence,
    comparison_title,
    difference_text,
    people_sentence,
    remaining_sentence,
)
from alc_core.compare.strongest import BY_STRONGEST, is_by_strongest
from alc_core.dashboard.compare.choices import CompareChoices, pick_point, unpick
from alc_core.dashboard.markdown import literal, told_apart
from alc_core.dashboard.parts.charts import draw_chart
from alc_core.dashboard.results.focus import Focus
from alc_core.dashboard.state.session import bind
from alc_core.figures.comparison import loss_distributions, loss_distributions_alt
from alc_core.figures.standings import LOOKS
from alc_core.phrasing import listed


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
    return compare_all(comparison, choices.reference or automatic)


def draw_headline(comparison: Comparison, changes: Sequence[ReleaseChange]) -> None:
    """Draw which release is safer, in how many attacks, and what remains to be looked at."""
    with st.container(border=True):
        st.markdown(f"#### {literal(comparison_title(comparison, changes))}")
        st.markdown(literal(remaining_sentence(comparison)), help=f"{APART} {CLIPPED}")
        if is_by_strongest(comparison):
            st.caption(BY_STRONGEST)
        with st.expander("Attack by attack"):
            st.markdown("\n".join(f"- {literal(change_sentence(change))}" for change in changes))
            if people := people_sentence(comparison):
                st.markdown(literal(people))


def draw_distributions(comparison: Comparison) -> None:
    """Draw the losses of all attacks by release."""
    draw_chart(
        loss_distributions(comparison),
        key="compare_distributions",
        name="loss-distributions",
        alt=loss_distributions_alt(comparison),
        on_select=lambda: pick_point("compare_distributions"),
    )
    st.caption(
        "Each mark is one attack; click it to see it on all releases. The box holds the middle "
        "half of the attacks, its line is the median. Further right is riskier; marks are spread "
        "upwards and downwards only to keep them apart."
    )


def draw_picked(
    choices: CompareChoices, comparison: Comparison, focus: Focus, *places: str
) -> None:
    """Draw the attack that was clicked on every release, each with a way to its page."""
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
        st.button("Close", on_click=unpick, args=(choices,))
