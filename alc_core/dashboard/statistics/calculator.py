"""The calculator of PRC and ALC."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.panels import draw_chip
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import bind
from alc_core.glossary import explain
from alc_core.phrasing import loss_text
from alc_core.scoring.calculator import EXAMPLES, Calculation, Example, calculate
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import VERDICT_TITLES

_OWN = "Your own numbers"
_NUMBERS = ("attack_precision", "attack_recall", "baseline_precision", "baseline_recall")


@dataclass(slots=True, kw_only=True)
class CalculatorChoices:
    """What was typed in, in per cent."""

    example: str = EXAMPLES[0].name  # Last loaded example
    attack_precision: float = 54.0  # Between 0 and 100
    attack_recall: float = 100.0
    baseline_precision: float = 5.0
    baseline_recall: float = 100.0

    def load(self) -> None:
        """Load the chosen example."""
        if (example := self.loaded) is not None:
            for name in _NUMBERS:
                setattr(self, name, round(100 * getattr(example, name), 6))

    def changed(self) -> None:
        """Forget the example once a number is typed."""
        self.example = _OWN

    @property
    def loaded(self) -> Example | None:
        """The example whose numbers are there."""
        return next((example for example in EXAMPLES if example.name == self.example), None)

    def result(self, scoring: ScoringParameters) -> Calculation:
        """Return what the numbers amount to."""
        shares = {name: getattr(self, name) / 100 for name in _NUMBERS}
        return calculate(**shares, scoring=scoring)


def draw_calculator(state: AppState, scoring: ScoringParameters) -> None:
    """Draw the calculator under the chosen parameters."""
    choices = state.screen(CalculatorChoices)
    st.selectbox(
        "Load an example from the paper",
        [_OWN, *(example.name for example in EXAMPLES)],
        **bind(choices, "example", choices.load),
    )
    if choices.loaded is not None:
        st.caption(
            literal(f"{choices.loaded.comment} Francis and Wagner (2025), {choices.loaded.source}.")
        )
    attack, baseline, found = st.columns([2, 2, 5], gap="medium")
    with attack.container(border=True, height="stretch"):
        st.markdown("**Attack**", help=explain("attack"))
        _draw_inputs(choices, "attack")
    with baseline.container(border=True, height="stretch"):
        st.markdown("**Baseline**", help=explain("baseline"))
        _draw_inputs(choices, "baseline")
    with found.container(border=True, height="stretch"):
        _draw_result(choices.result(scoring))


def _draw_inputs(choices: CalculatorChoices, side: str) -> None:
    for measure, words in (("precision", "Precision, in %"), ("recall", "Recall, in %")):
        st.number_input(
            literal(words), min_value=0.0, max_value=100.0, step=1.0, format="%g",
            help=explain(measure), **bind(choices, f"{side}_{measure}", choices.changed),
        )  # fmt: skip


def _draw_result(found: Calculation) -> None:
    with st.container(horizontal=True, gap="medium"):
        st.metric(
            "PRC of the attack", f"{found.attack_prc:.4f}", help=explain("PRC"), width="content"
        )
        st.metric("PRC of the baseline", f"{found.baseline_prc:.4f}", width="content")
        shown = f"{found.alc:.4f}" if found.alc > 0 else loss_text(found.alc)
        st.metric("ALC", shown, help=explain("ALC"), width="content")
    draw_chip(found.verdict, VERDICT_TITLES[found.verdict], size=1.0)
    st.markdown(literal(found.sentence))
    st.markdown(literal(found.needed_sentence))
    st.caption("Measured attacks also have an interval.")
