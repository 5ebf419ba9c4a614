"""What trying changes found: a sentence, a table, the to-do list."""

from __future__ import annotations

from dataclasses import asdict

import pandas as pd
import streamlit as st

from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.attack_table import table_height
from alc_core.dashboard.parts.widgets import draw_download
from alc_core.glossary import explain
from alc_core.studies.remedies.result import RemedyStudy, RemedyTrial
from alc_core.studies.remedies.words import (
    LIMITS,
    LOSS_HELP,
    attack_rows,
    study_sentence,
    to_do_csv,
    to_do_markdown,
    trial_row,
)


def draw_study(study: RemedyStudy) -> None:
    """Draw what suffices, everything that was tried, and the to-do list."""
    if study.sufficient:
        st.success(literal(study_sentence(study)), icon=":material/build:")
    else:
        st.warning(literal(study_sentence(study)), icon=":material/build:")
    if not study.trials:
        return
    _draw_trials(study)
    _draw_attacks(study.trials[0])
    st.caption(literal(" ".join([*study.notes, LIMITS])))
    with st.container(horizontal=True):
        draw_download(
            "To-do list (CSV)", to_do_csv(study), "what-to-change.csv", key="remedies_csv"
        )
        draw_download(
            "To-do list (Markdown)", to_do_markdown(study), "what-to-change.md",
            key="remedies_markdown",
        )  # fmt: skip


def _draw_trials(study: RemedyStudy) -> None:
    config = st.column_config
    st.dataframe(
        pd.DataFrame([asdict(trial_row(trial)) for trial in study.trials]),
        hide_index=True,
        lazy=False,
        height=table_height(len(study.trials)),
        column_order=["enough", "change", "flagged", "worst", "loss"],
        column_config={
            "enough": config.TextColumn(
                "Enough", help="Whether no attack is flagged any more.", width="small"
            ),
            "change": config.TextColumn("Change", width="medium"),
            "flagged": config.TextColumn("Still flagged", width="small"),
            "worst": config.TextColumn("Worst ALC (interval)", help=explain("ALC", "interval")),
            "loss": config.TextColumn("Loss of utility", help=LOSS_HELP, width="small"),
        },
        alt="Changes that were tried, with the attacks still flagged and the loss of utility.",
    )


def _draw_attacks(best: RemedyTrial) -> None:
    with st.expander(f"Each attack before and after: {literal(best.words)}"):
        st.dataframe(
            pd.DataFrame(attack_rows(best)), hide_index=True, lazy=False,
            height=table_height(len(best.attacks)), alt="Each attack before and after.",
        )  # fmt: skip
