"""What a holdout shows: attacks on members and on others, distances to the closest record."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from alc_core.dashboard.holdout.choices import HoldoutChoices
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.charts import draw_chart
from alc_core.dashboard.rapid.beside_alc import judged
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import bind
from alc_core.figures.holdout import (
    closest_records_alt,
    closest_records_figure,
    holdout_attacks,
    holdout_attacks_alt,
)
from alc_core.studies.holdout.beside_alc import beside_rows, disagreements
from alc_core.studies.holdout.result import Closest, HoldoutResult
from alc_core.studies.holdout.words import (
    DISTANCE_LIMITS,
    attack_sentence,
    closest_sentence,
    equal_sentence,
    overall_sentence,
    release_row,
    surest_rows,
)


def draw_results(
    state: AppState, choices: HoldoutChoices, results: Mapping[str, HoldoutResult]
) -> None:
    """Draw all releases in one table, and the chosen one."""
    if choices.shown not in results:
        choices.shown = next(iter(results))
    if len(results) > 1:
        st.dataframe(
            pd.DataFrame([release_row(found) for found in results.values()]), hide_index=True,
            lazy=False, alt="Residual risk and holdout share of each release.",
        )  # fmt: skip
        st.selectbox(
            "Release", list(results), format_func=lambda key: results[key].release,
            **bind(choices, "shown"),
        )  # fmt: skip
    _draw_one(state, choices, results[choices.shown])


def _draw_one(state: AppState, choices: HoldoutChoices, found: HoldoutResult) -> None:
    sentences = [overall_sentence(found)]
    if found.closest is not None:
        sentences.append(closest_sentence(found.closest))
    st.info(literal(" ".join(filter(None, sentences))), icon=":material/lightbulb:")
    for note in found.notes:
        st.warning(literal(note), icon=":material/warning:")
    if found.attacks:
        _draw_attacks(state, choices, found)
    if found.closest is not None:
        _draw_closest(found.closest)


def _draw_attacks(state: AppState, choices: HoldoutChoices, found: HoldoutResult) -> None:
    st.subheader("Attack on members, attack on others")
    draw_chart(
        holdout_attacks(found.attacks), key="holdout_attacks", name="holdout-attacks",
        alt=holdout_attacks_alt(found.attacks),
    )  # fmt: skip
    there = judged(state)
    attacks, overview = ((), None) if there is None else (there[0].attacks, there[1])
    found = found.worst_first()
    st.dataframe(
        pd.DataFrame(beside_rows(attacks, overview, found)), hide_index=True, lazy=False,
        alt="Success on members and on others, residual risk and ALC of each attack.",
    )  # fmt: skip
    if overview is not None:
        for sentence in disagreements(attacks, overview, found):
            st.markdown(f"- {literal(sentence)}")
    with st.expander("The surest predictions of one attack"):
        _draw_surest(choices, found)


def _draw_surest(choices: HoldoutChoices, found: HoldoutResult) -> None:
    if choices.attack >= len(found.attacks):
        choices.attack = 0
    if len(found.attacks) > 1:
        names = [f"{a.unknown} from {', '.join(a.known)} ({a.attack})" for a in found.attacks]
        st.selectbox(
            "Attack", list(range(len(names))), format_func=names.__getitem__,
            **bind(choices, "attack"),
        )  # fmt: skip
    attack = found.attacks[choices.attack]
    st.markdown(literal(attack_sentence(attack)))
    rows = surest_rows(attack)
    if rows:
        st.dataframe(pd.DataFrame(rows), hide_index=True, lazy=False,
                     alt="Precision on members and on others by rank score.")  # fmt: skip
        st.caption("Both at the same rank score. Of several rows one may differ by chance.")
    else:
        st.caption("Too few predictions, or all equally sure.")
    for note in attack.notes:
        st.caption(literal(note))


def _draw_closest(found: Closest) -> None:
    st.subheader("Distance to the closest record")
    draw_chart(
        closest_records_figure(found), key="holdout_closest", name="closest-records",
        alt=closest_records_alt(found),
    )  # fmt: skip
    st.caption(literal(f"{equal_sentence(found)} {DISTANCE_LIMITS}"))
