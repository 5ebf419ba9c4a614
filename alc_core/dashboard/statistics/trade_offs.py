"""Whether the verdict depends on the parameters."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from alc_core.campaign.findings.sensitivity import (
    Dependence,
    FlagGrid,
    GridCells,
    changing_attacks,
    few_people_sentence,
    flag_grid,
    flagged_range,
    flagged_sentence,
    limit_sentence,
    needed_sentence,
    prc_sentence,
    sensitivity_answers,
)
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.attack_table import as_chips, draw_attacks
from alc_core.dashboard.parts.charts import draw_chart
from alc_core.dashboard.parts.header import (
    chosen_scoring,
    draw_flips,
    draw_flips_table,
    draw_freshness,
    draw_sliders,
    focused_view,
    settle,
)
from alc_core.dashboard.parts.panels import draw_empty, plain_chip
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.campaign_state import CampaignResult
from alc_core.dashboard.state.session import Page, bind, clicked_point
from alc_core.dashboard.statistics.calculator import draw_calculator
from alc_core.figures.looks import LOOKS
from alc_core.figures.prc_curves import equal_prc_figure, prc_parameter_figure
from alc_core.figures.trade_offs import equal_loss_figure, flag_heat_map, needed_precision_figure
from alc_core.glossary import explain
from alc_core.phrasing import count
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import Verdict

if TYPE_CHECKING:
    import plotly.graph_objects as go


HEAT_MAP = "Attacks above the limit"  # The figure that needs a campaign
_NO_RESULTS = "No results yet."


@dataclass(slots=True, kw_only=True)
class TradeOffChoices:
    """What the user chose on the page."""

    picture: str = HEAT_MAP  # Which figure
    level: float = 0.5  # PRC of curves drawn for several parameters
    same_recall: bool = False  # Whether the baseline answers for as few people
    attack: int | None = None  # Clicked attack
    cells: GridCells = field(default_factory=GridCells)  # What was scored
    grid: FlagGrid | None = None  # As it was last drawn

    def choose_attack(self) -> None:
        """Ring the attack whose mark was clicked."""
        if (number := clicked_point("trade_off_figure")) is not None:
            self.attack = number


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Attacks:
    """The user's attacks, as the figures take them."""

    # Finished attacks, if any
    results: pd.DataFrame | None = None
    selected: int | None = None  # The one that is ringed
    grid: FlagGrid | None = None  # The attacks over alpha and R_min


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Picture:
    """A figure of the paper."""

    title: str  # On the button
    reading: str  # How to read it
    # From parameters, attacks, ringed attack and choices below
    draw: Callable[..., go.Figure]
    # From the user's attacks, parameters and ringed attack
    says: Callable[[pd.DataFrame, ScoringParameters, int | None], str]
    leveled: bool = False  # Whether the curves' level is a choice
    # Whether the baseline can answer for as few people
    as_in_paper: bool = False


# In the order of the paper
PICTURES: tuple[Picture, ...] = (
    Picture(
        title="Equal PRC",
        reading="Attacks on a curve are equally strong.",
        draw=equal_prc_figure,
        says=lambda results, *_: prc_sentence(results),
    ),
    Picture(
        title="Effect of alpha",
        reading="A higher alpha favours attacks on few people.",
        draw=partial(prc_parameter_figure, parameter="alpha"),
        says=lambda results, *_: few_people_sentence(results),
        leveled=True,
    ),
    Picture(
        title="Effect of R_min",
        reading="Below R_min, an attack counts less.",
        draw=partial(prc_parameter_figure, parameter="r_min"),
        says=lambda results, *_: few_people_sentence(results),
        leveled=True,
    ),
    Picture(
        title="Equal ALC",
        reading="Up: a better attack. Right: a better guess. Diagonal: no loss.",
        draw=equal_loss_figure,
        says=lambda results, scoring, _: limit_sentence(results, scoring),
    ),
    Picture(
        title="Precision needed",
        reading="Precision at which an attack is at risk.",
        draw=needed_precision_figure,
        says=lambda results, scoring, number: needed_sentence(results, number, scoring),
        as_in_paper=True,
    ),
)


_CHIPS: Mapping[Dependence, tuple[str, str]] = {
    Dependence.NONE: (LOOKS[Verdict.BELOW_LIMIT].colour, "✔\u2002No"),
    Dependence.SINGLE: (LOOKS[Verdict.INCONCLUSIVE].colour, "≈\u2002Only for some attacks"),
    Dependence.RELEASE: (LOOKS[Verdict.AT_RISK].colour, "▲\u2002Yes"),
}


def draw_trade_offs(state: AppState) -> None:
    """Draw the answer, figures, sliders, changes and calculator."""
    campaign, run = state.campaign, ScoringParameters()
    if campaign is not None:
        campaign.view.refresh()
        run = campaign.view.settings.scoring
    # Another campaign's choices are forgotten
    choices = state.screen(TradeOffChoices, "none" if campaign is None else campaign.view)
    answer = st.container()
    picture, settings = st.columns([12, 5], gap="medium")
    below = st.container()
    scoring = chosen_scoring(state, run)
    with settings:
        whose = "paper" if campaign is None else "run"
        draw_sliders(state, run, back=f"Reset to the {whose}'s parameters")
    if scoring is None:
        return
    attacks = Attacks()
    with answer:
        if campaign is None:
            draw_empty(_NO_RESULTS, Page.ATTACK, "Plan the attacks")
        else:
            settle(state, campaign.view, scoring)
            attacks = _draw_answer(state, choices, campaign, scoring)
    with picture:
        _draw_pictures(state, choices, scoring, attacks, run=None if campaign is None else run)
    with below:
        if campaign is not None and attacks.results is not None and attacks.grid is not None:
            view = focused_view(state, campaign)
            with st.expander("Which attacks cross a limit", icon=":material/swap_horiz:"):
                st.markdown("**From the run's to the sliders' parameters**")
                draw_flips(view, scoring)
                st.markdown("**For some alpha and R_min**")
                _draw_changing(attacks.grid, attacks.results)
            draw_flips_table(view, scoring)
        with st.expander(
            "Calculator: from precision and recall to ALC", icon=":material/calculate:"
        ):
            draw_calculator(state, scoring)


def _draw_answer(
    state: AppState, choices: TradeOffChoices, campaign: CampaignResult, scoring: ScoringParameters
) -> Attacks:
    view = focused_view(state, campaign)
    draw_freshness(state, campaign)
    with st.spinner("Scoring all attacks", show_time=False):
        grid = flag_grid(view, scoring=scoring, cells=choices.cells)
    choices.grid = grid if grid.finished else None
    if not grid.finished:
        draw_empty(_NO_RESULTS, Page.ATTACK, "Go to the attacks")
        return Attacks()
    _draw_answers(grid)
    overview = view.overview(scoring)
    selected = overview.worst if choices.attack is None else choices.attack
    return Attacks(results=overview.results, selected=selected, grid=grid)


def _draw_answers(grid: FlagGrid) -> None:
    answers = sensitivity_answers(grid)
    chips = "".join(
        f"<span>{html.escape(answer.of)} {plain_chip(words, colour, size=0.85)}</span>"
        for answer in answers
        for colour, words in [_CHIPS[answer.dependence]]
    )
    with st.container(border=True, gap="xsmall"):
        st.html(
            '<div style="display:flex;flex-wrap:wrap;align-items:center;gap:.3rem 1.2rem">'
            '<span style="font-weight:650;font-size:1.05rem">Does the verdict depend on</span>'
            f"{chips}</div>"
        )
        texts = "\n\n".join(f"**{literal(each.of)}**: {literal(each.text)}" for each in answers)
        st.markdown(
            literal(flagged_range(grid)),
            help=texts,
        )


def _draw_pictures(
    state: AppState,
    choices: TradeOffChoices,
    scoring: ScoringParameters,
    attacks: Attacks,
    *,
    run: ScoringParameters | None,
) -> None:
    titles = [picture.title for picture in PICTURES]
    if attacks.grid is not None:
        titles = [HEAT_MAP, *titles]
    if choices.picture not in titles:
        choices.picture = titles[0]
    st.pills(
        "Figure",
        titles,
        required=True,
        wrap=True,
        label_visibility="collapsed",
        **bind(choices, "picture"),
    )
    if choices.picture == HEAT_MAP and attacks.grid is not None:
        _draw_heat_map(state, choices, attacks.grid, run)
        return
    picture = next(each for each in PICTURES if each.title == choices.picture)
    _draw_picture(picture, choices, scoring, attacks)


def _draw_changing(grid: FlagGrid, results: pd.DataFrame) -> None:
    table = changing_attacks(grid, results)
    if not len(table):
        st.markdown("No attack crosses a limit.")
        return
    cross = "attack crosses" if len(table) == 1 else "attacks cross"
    st.markdown(f"{count(len(table))} of {count(grid.finished)} {cross} a limit:")
    number = st.column_config.NumberColumn
    losses = ["decisive_alc", "lowest", "highest"]
    shown = table.assign(after=as_chips(table["standing"]))
    shown[losses] = shown[losses].clip(lower=0.0)
    draw_attacks(
        shown,
        order=["after", *losses, "flagged", "release", "unknown", "known"],
        extra={
            "decisive_alc": number("ALC", format="%.2f", width=70, help=explain("ALC")),
            "lowest": number("Lowest", format="%.2f", width=70),
            "highest": number("Highest", format="%.2f", width=70),
            "flagged": number(
                "Cells", width=60,
                help=f"Cells of {grid.flagged.size} at risk.",
            ),
        },
        alt="Attacks that cross a limit.",
    )  # fmt: skip


def _draw_heat_map(
    state: AppState, choices: TradeOffChoices, grid: FlagGrid, run: ScoringParameters | None
) -> None:
    draw_chart(
        flag_heat_map(grid, run=run),
        key="trade_off_cells",
        name="flagged-attacks",
        on_select=lambda: _choose_cell(state, choices),
    )
    st.markdown(
        "Click a cell to move the sliders.",
        help=f"Ringed: sliders; dotted: the run. {literal(flagged_sentence(grid))}",
    )


def _draw_picture(
    picture: Picture, choices: TradeOffChoices, scoring: ScoringParameters, attacks: Attacks
) -> None:
    further: dict[str, object] = {}
    if picture.leveled:
        st.slider(
            "PRC of the curves", 0.1, 0.9, step=0.1, format="%.1f", help=explain("PRC"),
            **bind(choices, "level"),
        )  # fmt: skip
        further["level"] = choices.level
    if picture.as_in_paper:
        st.toggle(
            "As in the paper: the baseline has the attack's recall",
            help="Hides your attacks.",
            **bind(choices, "same_recall"),
        )
        further["same_recall"] = choices.same_recall
    draw_chart(
        picture.draw(
            scoring=scoring, results=attacks.results, selected=attacks.selected, **further
        ),
        key="trade_off_figure",
        name=picture.title.lower().replace(" ", "-").replace(",", ""),
        on_select=choices.choose_attack,
    )
    reading = literal(picture.reading)
    terms = explain("PRC", "ALC", "precision", "recall")
    if attacks.results is None:
        st.markdown(reading, help=terms)
        return
    says = picture.says(attacks.results, scoring, attacks.selected)
    st.markdown(
        literal(says),
        help=f"{reading}\n\nEach mark is an attack; click it to ring it.\n\n{terms}",
    )


def _choose_cell(state: AppState, choices: TradeOffChoices) -> None:
    cell = clicked_point("trade_off_cells")
    if cell is None or choices.grid is None:
        return
    row, column = divmod(cell, len(choices.grid.r_mins))
    state.rescoring = {
        **choices.grid.scoring.to_dict(),
        "alpha": choices.grid.alphas[row],
        "r_min": choices.grid.r_mins[column],
    }
