"""All attacks of a campaign on one screen: verdict, figure, table; one of them can be chosen."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from alc_core.campaign.findings.decisions import Decision, decisions
from alc_core.campaign.findings.measured_columns import measure_columns
from alc_core.campaign.findings.overview import CampaignOverview
from alc_core.campaign.findings.view import CampaignView
from alc_core.dashboard.parts.charts import draw_chart
from alc_core.dashboard.results.attack_filter import AttackFilter, draw_filter
from alc_core.dashboard.results.attack_table import (
    APPROXIMATED,
    DETAILS,
    draw_attacks,
    draw_failures,
    table_of,
)
from alc_core.dashboard.results.verdict_tiles import draw_campaign_verdict
from alc_core.dashboard.state.session import bind, selected_row, selection
from alc_core.figures.attacks import loss_scatter, loss_scatter_alt
from alc_core.figures.measures.scatter import measure_scatter, measure_scatter_alt
from alc_core.figures.trade_offs.equal_loss import equal_loss_alt, equal_loss_figure
from alc_core.phrasing import count
from alc_core.scoring.parameters import ScoringParameters

_PICTURES = ("Loss and precision", "Attack and baseline")
_FIGURES = {
    _PICTURES[0]: (
        loss_scatter,
        loss_scatter_alt,
        "attacks",
        "Higher is riskier. Further right, the attack is right more often; the lighter the colour, "
        "the more people it guesses for.",
    ),
    _PICTURES[1]: (
        equal_loss_figure,
        equal_loss_alt,
        "attack-and-baseline",
        "Further up, the attack learns more. Further right, anybody could guess more without the "
        "person's record. Along a line the loss is the same.",
    ),
}
"""Per figure: what draws it, what describes it, its name in files, how to read it."""


def _figures(results: pd.DataFrame) -> dict[str, tuple[Any, Any, str, str]]:
    """Return the figures that can be drawn: one for each measure that the attacks have, too."""
    return _FIGURES | {
        column.title: (
            partial(measure_scatter, column=column),
            partial(measure_scatter_alt, column=column),
            column.name.replace("_", "-"),
            column.number.help,
        )
        for column in measure_columns(results)
        if column.leading
    }


_STEADY = 3.0
"""Seconds for which figure and table stay while a campaign runs."""


@dataclass(slots=True, kw_only=True, eq=False)
class _Screen:
    """What the user did to one overview of one campaign.

    Attributes
    ----------
    view : CampaignView
        Of which campaign.
    chosen : int or None
        Number of the attack that was clicked.
    rows : list of int
        Number of the attack in each row of the table as it was last drawn.
    live : bool
        Whether this is drawn again and again while the campaign runs.
    picture : str
        Which figure is shown.
    filter : AttackFilter
        What is shown.
    drawn, drawn_at : CampaignOverview or None, float
        What figure and table show while live, and since when.
    """

    view: CampaignView
    live: bool
    picture: str = _PICTURES[0]
    chosen: int | None = None
    rows: list[int] = field(default_factory=list)
    filter: AttackFilter = field(default_factory=AttackFilter)
    drawn: CampaignOverview | None = None
    drawn_at: float = 0.0


def draw_campaign_overview(
    view: CampaignView,
    scoring: ScoringParameters,
    *,
    key: str,
    live: bool,
    beside: Callable[[], None] | None = None,
) -> int | None:
    """Draw what a campaign found so far.

    Parameters
    ----------
    view : CampaignView
        As of its last refresh.
    scoring : ScoringParameters
        How the attacks are scored.
    key : str
        Tells apart overviews on several pages.
    live : bool
        Whether this is drawn again and again while the campaign runs: then there are no filters.
    beside : callable, optional
        Draws what stands beside the figure.

    Returns
    -------
    int or None
        Number of the attack that was chosen by a click on a point or a row. Until one is, the
        worst; None while live or without a result.
    """
    screen = _screen(view, key, live=live)
    with st.spinner("Scoring all attacks", show_time=False):
        overview = view.overview(scoring)
    made = {} if live else decisions(view.store)
    run = view.overview(view.settings.scoring)
    draw_campaign_verdict(overview, run, None if live else made)
    if live:
        overview = _steady(screen, overview)
    selected = screen.chosen
    if selected is None and not live:
        selected = overview.worst
    if not live and len(overview.results) > 1:
        draw_filter(screen.filter, view, overview, made)
    shown = overview.results if live else screen.filter.apply(overview.results, made)
    picture = st.container()
    if beside is not None:
        picture, settings = st.columns([12, 5], gap="medium")
        with settings:
            beside()
    with picture:
        _draw_figure(shown, overview, screen, selected=selected, key=key)
    _draw_table(shown, overview, screen, made, selected=selected, key=key, live=live)
    draw_failures(view)
    return selected


def open_attack(view: CampaignView, number: int, *, key: str) -> None:
    """Choose an attack of an overview, as a click on it does."""
    _screen(view, key, live=False).chosen = number


def _screen(view: CampaignView, key: str, *, live: bool) -> _Screen:
    place = f"{key}_screen"
    screen = st.session_state.get(place)
    if not isinstance(screen, _Screen) or screen.view is not view:
        screen = st.session_state[place] = _Screen(view=view, live=live)
    return screen


def _steady(screen: _Screen, overview: CampaignOverview) -> CampaignOverview:
    """Return what figure and table show: not renewed so often that a click would be lost."""
    now = time.monotonic()
    drawn = screen.drawn
    if drawn is None or drawn.scoring != overview.scoring or now - screen.drawn_at > _STEADY:
        screen.drawn, screen.drawn_at = overview, now
        return overview
    return drawn


def _draw_figure(
    shown: pd.DataFrame,
    overview: CampaignOverview,
    screen: _Screen,
    *,
    selected: int | None,
    key: str,
) -> None:
    if not shown["decisive_alc"].notna().any():
        return
    scoring = overview.scoring
    figures = _figures(overview.results)
    picture = _PICTURES[0] if screen.live else _choose_picture(screen, list(figures))
    draw, describe, name, words = figures[picture]
    figure_key = f"{key}_{name}"
    draw_chart(
        draw(shown, scoring, selected=selected),
        key=figure_key,
        name=name,
        alt=describe(shown, scoring, selected=selected),
        on_select=lambda: _choose_point(screen, figure_key),
    )
    st.caption(f"Each mark is one attack; click it to choose it. {words}")


def _choose_picture(screen: _Screen, pictures: Sequence[str]) -> str:
    chosen = st.segmented_control(
        "Figure", pictures, required=True, label_visibility="collapsed", **bind(screen, "picture")
    )
    return chosen or _PICTURES[0]


def _draw_table(
    shown: pd.DataFrame,
    overview: CampaignOverview,
    screen: _Screen,
    made: Mapping[int, Decision],
    *,
    selected: int | None,
    key: str,
    live: bool,
) -> None:
    if not len(overview.results):
        return
    if not len(shown):
        st.info("No attack matches the filters.", icon=":material/filter_alt:")
        st.button("Show all attacks", on_click=screen.filter.clear)
        return
    screen.rows = shown["number"].tolist()
    rows = [screen.rows.index(selected)] if selected in screen.rows else []
    _select_rows(f"{key}_table", rows)
    draw_attacks(
        table_of(shown, overview, made),
        key=f"{key}_table",
        scoring=overview.scoring,
        on_select=lambda: _choose_row(screen, f"{key}_table"),
        alt="All attacks with a result, worst first. Choose a row to open the attack.",
    )
    further = "" if live or selected is None else f" [Go to the chosen attack](#{DETAILS})"
    st.caption(f"{_table_caption(shown, overview)}{further}")


def _table_caption(shown: pd.DataFrame, overview: CampaignOverview) -> str:
    total, part = len(overview.results), len(shown)
    which = f"All {count(total)}" if part == total else f"{count(part)} of {count(total)}"
    approximated = "" if overview.interval_exact else f" {APPROXIMATED}"
    return (
        f"{which} attacks with a result, worst verdict first, then by the higher ALC. Click a "
        f"row to choose the attack.{approximated}"
    )


def _select_rows(key: str, rows: list[int]) -> None:
    """Let the table show a selection, wherever its row is by now."""
    wanted = {"rows": rows, "columns": [], "cells": []}
    now = st.session_state.get(key)
    if now is None or dict(now["selection"]) != wanted:
        st.session_state[key] = {"selection": wanted}


def _choose_row(screen: _Screen, key: str) -> None:
    row = selected_row(key)
    screen.chosen = screen.rows[row] if row is not None and row < len(screen.rows) else None


def _choose_point(screen: _Screen, figure_key: str) -> None:
    if points := selection(figure_key, "points"):
        screen.chosen = int(points[-1]["customdata"])
