"""The use of releases that are compared: measured, on a map, and where it is lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import streamlit as st

from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.line import CandidateLine
from alc_core.compare.comparison import Comparison
from alc_core.compare.sentences import releases_frame, targets_frame
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.attack_table import table_height
from alc_core.dashboard.parts.charts import draw_chart
from alc_core.dashboard.parts.panels import draw_tables_needed, draw_task
from alc_core.dashboard.parts.study_runs import StudyChoices, known_results, start_study
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.campaign_state import CampaignData
from alc_core.dashboard.state.session import bind, clicked_point, selected_row
from alc_core.figures.looks import LOOKS
from alc_core.figures.risk_utility import RiskMeasure, UtilityMeasure, risk_utility_map
from alc_core.figures.utility import (
    MOST_COLUMNS,
    distribution_figure,
    model_losses_figure,
    pair_heat_map,
)
from alc_core.glossary import explain
from alc_core.phrasing import listed, numbered, quoted
from alc_core.studies.registry import studies
from alc_core.studies.study import usual_values
from alc_core.studies.utility.distributions import column_distribution
from alc_core.studies.utility.result import (
    Utility,
    campaign_release,
    differing_sentence,
    distribution_notes,
    losses_sentence,
    majority_sentence,
    pairs_sentence,
    reading_lines,
    stored_utilities,
)


@dataclass(slots=True, kw_only=True, eq=False)
class CompareChoices:
    """What the user chose on the page."""

    reference: str = ""  # Release to compare with; empty for the riskiest
    other: str = ""  # Release whose changes are listed
    picked: int | None = None  # Number of the attack that was clicked
    picked_in: str = ""  # Key of the chart or table that was clicked
    everything: bool = False  # Whether attacks without a clear change are listed
    utility_axis: UtilityMeasure = "pairs"  # Of the map
    risk_axis: RiskMeasure = "worst"
    targets: list[str] = field(default_factory=list)  # Columns to predict; empty for the default
    explore_open: bool = False  # Whether the part on how the losses are distributed is open
    lost_open: bool = False  # Whether the part on where the utility goes is open
    lost_release: str = ""  # What it shows: a release; columns, pairs or models; a column
    lost_view: Literal["columns", "pairs", "models"] = "columns"
    lost_column: str = ""
    lost_columns: list[str] = field(default_factory=list)  # Column in each row of its table

    def pick_point(self, key: str) -> None:
        """Keep the attack whose point was clicked in a chart."""
        if (number := clicked_point(key)) is not None:
            self.picked, self.picked_in = number, key

    def pick_row(self, numbers: Sequence[int]) -> None:
        """Keep the attack whose row was clicked in the table of changes, which has these."""
        if (number := selected_row("compare_table", numbers)) is not None:
            self.picked, self.picked_in = number, "compare_table"

    def pick_column(self) -> None:
        """Keep the column whose row was clicked, to show its distribution."""
        self.lost_column = selected_row("lost_columns", self.lost_columns) or self.lost_column


_UTILITY = studies()["utility"]
_UTILITY_WORDS = {
    "pairs": "Two-column marginals",
    "columns": "One-column marginals",
    "accuracy": "Accuracy of models",
}
_RISK_WORDS = {"worst": "Worst attack", "flagged": "Share at risk or serious"}


def known_utilities(state: AppState, view: CampaignView) -> dict[str, Utility]:
    """Return the utilities in the campaign's file and those measured in this session."""
    one, settings = state.screen(StudyChoices).of(_UTILITY), view.store.settings
    known_results(state, _UTILITY, one)  # keeps those of this session in the file
    own = {n: each for n, each in one.found.items() if campaign_release(settings, each) == n}
    found = {**stored_utilities(view.store), **own}
    return {name: found[name] for name in settings.releases if name in found}


def draw_releases(comparison: Comparison, utilities: Mapping[str, Utility]) -> None:
    """Draw risk and utility of each release in a table."""
    table = releases_frame(comparison, utilities)
    table["standing"] = [
        LOOKS[each].label if isinstance(each, str) else "No result" for each in table["standing"]
    ]
    shares = ["accuracy", "original_accuracy", "majority_accuracy"]
    table[shares] = table[shares].astype("float64") * 100
    config = st.column_config
    distance = explain("total variation distance")
    learned = explain("train on release, test on original")
    order = ["release", "standing", "worst_alc", "worst_interval", "median_alc", "flagged",
             "measured"]  # fmt: skip
    if utilities:
        order += ["column_distance", "pair_distance", "accuracy", "original_accuracy"]
    if any(each.lacking for each in utilities.values()):
        order.append("lacking")
    st.dataframe(
        table,
        hide_index=True,
        lazy=False,
        height=table_height(len(table)),
        column_order=order,
        column_config={
            "release": config.TextColumn("Release", help=explain("release")),
            "standing": config.TextColumn("Worst verdict"),
            "worst_alc": config.NumberColumn("Highest ALC", format="%.2f", help=explain("ALC")),
            "worst_interval": config.TextColumn("Its interval", help=explain("interval")),
            "median_alc": config.NumberColumn("Median ALC", format="%.2f"),
            "flagged": config.NumberColumn("At risk or serious"),
            "measured": config.NumberColumn("Of attacks", help="Attacks with a result."),
            "column_distance": config.NumberColumn("1-col. TVD", format="%.3f", help=distance),
            "pair_distance": config.NumberColumn("2-col. TVD", format="%.3f", help=distance),
            "accuracy": config.NumberColumn("Accuracy", format="%.1f %%", help=learned),
            "original_accuracy": config.NumberColumn(
                "Original's own", format="%.1f %%", help=learned
            ),
            "lacking": config.NumberColumn("Missing columns"),
        },
        alt="Risk and utility of each release.",
    )


def draw_measuring(state: AppState, choices: CompareChoices, view: CampaignView) -> None:
    """Draw the button that measures utility in the background, or what it needs."""
    one = state.screen(StudyChoices).of(_UTILITY)
    if draw_task(state, _UTILITY.name):
        return
    if one.message:
        st.warning(literal(one.message), icon=":material/warning:")
    tables, utilities = state.campaign_tables(), known_utilities(state, view)
    if tables is None:
        draw_tables_needed("Measuring it again" if utilities else "Measuring utility")
        return
    reasons = [reason for each in tables[1].values() if (reason := _UTILITY.refusal(each))]
    if reasons:
        st.caption(literal(" ".join(reasons)))
    if len(reasons) == len(tables[1]):
        return
    with st.expander("Options"):
        st.multiselect(
            "Columns that models predict",
            [name for name, kind in tables[0].kinds.items() if kind == "categorical"],
            placeholder="Up to 10 categorical columns that the campaign attacks",
            help=explain("train on release, test on original"),
            **bind(choices, "targets"),
        )
    st.button(
        "Measure utility again" if utilities else "Measure utility",
        type="secondary" if utilities else "primary",
        icon=":material/straighten:",
        on_click=start_study,
        args=(state, _UTILITY),
        kwargs={
            "releases": tuple(tables[1]),
            "given": {**usual_values(_UTILITY), "target": tuple(choices.targets)},
        },
    )
    if not utilities:
        st.caption(
            f"{explain('utility')} It takes from seconds to a minute for each release of usual "
            "size and runs in the background; the result is kept in the campaign's file."
        )


def draw_map(
    choices: CompareChoices,
    comparison: Comparison,
    utilities: Mapping[str, Utility],
    lines: Sequence[CandidateLine],
) -> None:
    """Draw the risk-utility map with a choice of its axes."""
    with st.container(horizontal=True):
        st.segmented_control(
            "Utility", list(_UTILITY_WORDS), format_func=_UTILITY_WORDS.__getitem__,
            required=True, help=explain("utility"), **bind(choices, "utility_axis"),
        )  # fmt: skip
        st.segmented_control(
            "Risk", list(_RISK_WORDS), format_func=_RISK_WORDS.__getitem__,
            required=True, help=explain("ALC"), **bind(choices, "risk_axis"),
        )  # fmt: skip
    figure = risk_utility_map(
        comparison, utilities, lines=lines, utility=choices.utility_axis, risk=choices.risk_axis
    )
    draw_chart(figure, key="compare_map", name="risk-utility-map")
    lacking = [name for name in comparison.releases if name not in utilities]
    missing = f" Not measured: {listed(lacking)}." if lacking else ""
    mark = (
        "The short line at the bottom is what naming the most frequent value would reach. More "
        "than 100 % is a sign of copied records, not of more use."
        if choices.utility_axis == "accuracy"
        else "The short line at the bottom is what the same number of rows drawn again from the "
        "original would reach: a release beyond it usually holds the original's own rows or values."
    )
    st.caption(
        literal(f"Further right is more useful, further down is safer.{missing}"),
        help=literal(mark),
    )


def draw_utility_details(utilities: Mapping[str, Utility]) -> None:
    """Draw how to read the numbers, and notes on each release."""
    found = list(utilities.values())
    if differing := differing_sentence(found):
        st.warning(literal(differing), icon=":material/warning:")
    notes = [(each.release, note) for each in found for note in each.notes]
    remarks = f", with {numbered(len(notes), 'remark')}" if notes else ""
    with st.expander(f"How to read utility{remarks}"):
        lines = [f"- **{literal(of)}**: {literal(note)}" for of, note in notes]
        lines += [f"- {literal(line)}" for line in reading_lines(found)]
        st.markdown("\n".join(lines))


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
    more = f" Left out: {numbered(left_out, 'column')} that changed less." if left_out else ""
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
