"""Where the utility of a release goes: columns, pairs of columns, models."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from alc_core.compare.sentences import targets_frame
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.attack_table import table_height
from alc_core.dashboard.parts.charts import draw_chart
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.campaign_state import CampaignData
from alc_core.dashboard.state.session import bind
from alc_core.dashboard.statistics.compare.choices import CompareChoices
from alc_core.figures.utility import (
    MOST_COLUMNS,
    distribution_figure,
    model_losses_figure,
    pair_heat_map,
)
from alc_core.glossary import explain
from alc_core.phrasing import count, quoted
from alc_core.studies.utility.distributions import column_distribution
from alc_core.studies.utility.result import (
    Utility,
    distribution_notes,
    losses_sentence,
    majority_sentence,
    pairs_sentence,
)

_VIEWS = {"columns": "Columns", "pairs": "Pairs of columns", "models": "Models"}
_BAR = 84


def draw_where_lost(
    state: AppState, choices: CompareChoices, utilities: Mapping[str, Utility]
) -> None:
    """Draw what changed in a release, folded away; nothing is computed before it is opened."""
    with (panel := st.expander(
        "Where the utility goes", icon=":material/equalizer:", **bind(choices, "lost_open")
    )):  # fmt: skip
        if not panel.open:
            return
        names = list(utilities)
        if choices.lost_release not in names:
            choices.lost_release = names[0]
        with st.container(horizontal=True):
            if len(names) > 1:
                st.selectbox("Release", names, width=260, **bind(choices, "lost_release"))
            st.segmented_control(
                "Show", list(_VIEWS), format_func=_VIEWS.__getitem__, required=True,
                **bind(choices, "lost_view"),
            )  # fmt: skip
        utility = utilities[choices.lost_release]
        if choices.lost_view == "columns":
            _draw_columns(state, choices, utility)
        elif choices.lost_view == "pairs":
            _draw_pairs(utility)
        else:
            _draw_models(utility)


def _draw_columns(state: AppState, choices: CompareChoices, utility: Utility) -> None:
    table = utility.column_frame("distance")
    choices.lost_columns = table["column"].tolist()
    if choices.lost_column not in choices.lost_columns:
        choices.lost_column = choices.lost_columns[0]
    ranked, drawn = st.columns([2, 3], gap="medium")
    config = st.column_config
    with ranked:
        distance = explain("total variation distance")
        st.dataframe(
            table, key="lost_columns", hide_index=True, lazy=False, height=table_height(len(table)),
            column_config={
                "column": config.TextColumn("Column"),
                "distance": config.ProgressColumn(
                    "Distance", min_value=0, max_value=1, format="%.2f", width=_BAR, help=distance
                ),
                "pair_distance": config.ProgressColumn(
                    "With others", min_value=0, max_value=1, format="%.2f", width=_BAR,
                    help=f"Mean over its pairs with each other column. {distance}",
                ),
            },
            selection_mode="single-cell", on_select=choices.pick_column,
            alt="Columns by how much their distribution changed.",
        )  # fmt: skip
        lacking = f" Not in the release: {quoted(utility.lacking)}." if utility.lacking else ""
        st.caption(literal(f"What changed most comes first; click a row to see it.{lacking}"))
    with drawn:
        distances = dict(zip(table["column"], table["distance"].tolist(), strict=True))
        st.selectbox(
            "Column", choices.lost_columns, label_visibility="collapsed",
            format_func=lambda name: f"{name} ({distances[name]:.3f})",
            **bind(choices, "lost_column"),
        )  # fmt: skip
        _draw_distribution(state, choices, distances[choices.lost_column])


def _draw_distribution(state: AppState, choices: CompareChoices, distance: float) -> None:
    tables, chosen = state.campaign_tables(), (choices.lost_release, choices.lost_column)
    if tables is None:
        st.info(
            "Distributions are counted in the tables that were attacked and are kept in no file: "
            "upload the original and all releases on the Data page.",
            icon=":material/folder_open:",
        )
        return
    original, releases = tables
    key = CampaignData.of(original, {chosen[0]: releases[chosen[0]]}, {})
    with st.spinner("Counting", show_time=False):
        shown = state.memo.remember(
            ("distribution", *chosen),
            key,
            lambda: column_distribution(original, releases[chosen[0]], chosen[1]),
        )
    draw_chart(distribution_figure(shown), key="lost_distribution", name="distribution")
    st.caption(literal(" ".join(distribution_notes(shown, distance))))


def _draw_pairs(utility: Utility) -> None:
    st.markdown(literal(pairs_sentence(utility)))
    if not utility.pairs:
        return
    draw_chart(pair_heat_map(utility), key="lost_pairs", name="pairs-of-columns")
    left_out = max(len(utility.columns) - MOST_COLUMNS, 0)
    more = f" {count(left_out)} columns that changed less are left out." if left_out else ""
    grey = " Grey: not together in one table of the release." if utility.apart else ""
    st.caption(
        "Darker: the two columns go together less as in the original. On the diagonal, a column "
        f"by itself. Columns that changed most with others are at the top left.{more}{grey}",
    )


def _draw_models(utility: Utility) -> None:
    st.markdown(
        literal(losses_sentence(utility)), help=explain("train on release, test on original")
    )
    if not utility.targets:
        return
    if below := majority_sentence(utility):
        st.markdown(f":material/warning: {literal(below)}")
    draw_chart(model_losses_figure(utility), key="lost_models", name="model-losses")
    _draw_predictions(utility)


def _draw_predictions(utility: Utility) -> None:
    share = "%.1f %%"
    table = targets_frame({utility.release: utility}).drop(columns="release")
    shares = ["loss", "release_accuracy", "low", "high", "original_accuracy", "majority_accuracy"]
    table[shares] = table[shares] * 100
    config = st.column_config
    st.dataframe(
        table, hide_index=True, lazy=False,
        column_config={
            "target": "Predicted column",
            "loss": config.NumberColumn("Loss", format="%.1f points"),
            "release_accuracy": config.NumberColumn("Trained on release", format=share),
            "low": config.NumberColumn("from", format=share, help="95 % interval."),
            "high": config.NumberColumn("to", format=share, help="95 % interval."),
            "original_accuracy": config.NumberColumn("Original's own", format=share),
            "majority_accuracy": config.NumberColumn("Most frequent value", format=share),
            "train_rows": "Rows trained on", "test_rows": "Rows tested",
        },
        alt="Accuracy of models by predicted column.",
    )  # fmt: skip
