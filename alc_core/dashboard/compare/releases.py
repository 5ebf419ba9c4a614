"""The releases side by side: headline, figures, and one attack on all of them."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from alc_core.campaign.findings.overview import STANDINGS, what_if_text
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
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.charts import draw_chart
from alc_core.dashboard.results.overview import open_attack
from alc_core.dashboard.state.session import FINDINGS_PAGE, bind, go_to
from alc_core.figures.attack_matrix import MOST_ROWS, loss_matrix, loss_matrix_alt, matrix_rows
from alc_core.figures.comparison import loss_distributions, loss_distributions_alt
from alc_core.figures.standings import LOOKS
from alc_core.glossary import explain
from alc_core.phrasing import count, listed
from alc_core.scoring.parameter_words import parameters_text
from alc_core.scoring.parameters import ScoringParameters


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
    return compare_all(comparison, choices.reference or automatic)


def draw_headline(comparison: Comparison, changes: Sequence[ReleaseChange]) -> None:
    """Draw which release is safer, in how many attacks, and what remains to be looked at."""
    with st.container(border=True):
        st.markdown(f"#### {literal(comparison_title(comparison, changes))}")
        if is_by_strongest(comparison):
            st.markdown(BY_STRONGEST)
        st.markdown("\n".join(f"- {literal(change_sentence(change))}" for change in changes))
        st.markdown(literal(remaining_sentence(comparison)))
        if people := people_sentence(comparison):
            st.markdown(literal(people))
        st.caption(f"{APART} {CLIPPED}")


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
        on_select=lambda: pick_point("compare_matrix"),
    )
    icons = listed([LOOKS[each].label for each in STANDINGS if _occurs(comparison, each)])
    left_out = matrix_rows(comparison, unknown).left_out
    more = f" {count(left_out)} more rows, none worse than these, are left out." if left_out else ""
    st.caption(
        f"A number is the ALC, 0 for no loss: {icons}. In bold is what is learned, after the arrow "
        f"what is known. Click a cell to see the attack on all releases.{more}"
    )


def draw_picked(choices: CompareChoices, comparison: Comparison, *places: str) -> None:
    """Draw the attack that was clicked on every release, each with a way to Findings.

    Parameters
    ----------
    choices, comparison
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
                verdict = "No result" if code == NO_RESULT else LOOKS[STANDINGS[code]].label
                st.markdown(
                    f"{literal(release)}: **{literal(verdict)}**, ALC "
                    f"{literal(difference_text(comparison, row, place) or 'not known')}",
                    width="stretch",
                )
                number = int(comparison.number[row, place])
                if code != NO_RESULT and st.button(
                    "Open on Findings", key=f"open_{place}", icon=":material/open_in_new:"
                ):
                    open_attack(choices.view, number, key="findings")
                    go_to(FINDINGS_PAGE)
        st.button("Close", on_click=unpick, args=(choices,))


def _occurs(comparison: Comparison, standing: str) -> bool:
    return bool((comparison.standing == STANDINGS.index(standing)).any())
