"""All attacks of a campaign on one screen: verdict, figure, table; one of them can be chosen."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import pandas as pd
import streamlit as st

from alc_core.campaign.overview import CampaignOverview
from alc_core.campaign.view import CampaignView
from alc_core.dashboard.campaign_table import (
    CARRIED_OVER,
    AttackFilter,
    draw_failures,
    draw_filter,
    table_columns,
    table_height,
    table_of,
)
from alc_core.dashboard.campaign_tiles import draw_campaign_verdict
from alc_core.figures import loss_scatter, loss_scatter_alt
from alc_core.parameters import ScoringParameters
from alc_core.phrasing import count

__all__ = ["CampaignView", "draw_campaign_overview"]

_MODEBAR = {
    "displaylogo": False,
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
    "toImageButtonOptions": {"format": "svg", "filename": "attacks"},
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
    filter : AttackFilter
        What is shown.
    drawn, drawn_at : CampaignOverview or None, float
        What figure and table show while live, and since when.
    """

    view: CampaignView
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
    screen = _screen(view, key)
    with st.spinner("Scoring all attacks", show_time=False):
        overview = view.overview(scoring)
    draw_campaign_verdict(overview, view.overview(view.settings.scoring))
    if live:
        overview = _steady(screen, overview)
    selected = screen.chosen
    if selected is None and not live:
        selected = overview.worst
    if not live and len(overview.results) > 1:
        draw_filter(screen.filter, view, overview)
    shown = overview.results if live else screen.filter.apply(overview.results)
    picture = st.container()
    if beside is not None:
        picture, settings = st.columns([12, 5], gap="medium")
        with settings:
            beside()
    with picture:
        _draw_figure(shown, overview, selected=selected, key=key)
    _draw_table(shown, overview, screen, selected=selected, key=key)
    draw_failures(view, view.failures)
    return selected


def _screen(view: CampaignView, key: str) -> _Screen:
    place = f"{key}_screen"
    screen = st.session_state.get(place)
    if not isinstance(screen, _Screen) or screen.view is not view:
        screen = st.session_state[place] = _Screen(view=view)
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
    shown: pd.DataFrame, overview: CampaignOverview, *, selected: int | None, key: str
) -> None:
    if not shown["alc"].notna().any():
        return
    st.plotly_chart(
        loss_scatter(shown, overview.scoring, selected=selected),
        key=f"{key}_figure",
        config=_MODEBAR,
        selection_mode="points",
        on_select=lambda: _choose_point(key),
        alt=loss_scatter_alt(shown, overview.scoring, selected=selected),
    )
    st.caption(
        "Each mark is one attack; click it to choose it. Higher is riskier. Further right, the "
        "attack is right more often; the lighter the colour, the more people it guesses for."
    )


def _draw_table(
    shown: pd.DataFrame,
    overview: CampaignOverview,
    screen: _Screen,
    *,
    selected: int | None,
    key: str,
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
    st.dataframe(
        table_of(shown, overview),
        key=f"{key}_table",
        hide_index=True,
        lazy=False,
        height=table_height(len(shown)),
        column_config=table_columns(overview),
        selection_mode=["single-row", "single-cell"],
        on_select=lambda: _choose_row(key),
        alt="All attacks with a result, worst first. Choose a row to open the attack.",
    )
    st.caption(_table_caption(shown, overview))


def _table_caption(shown: pd.DataFrame, overview: CampaignOverview) -> str:
    total, part = len(overview.results), len(shown)
    which = f"All {count(total)}" if part == total else f"{count(part)} of {count(total)}"
    carried = "" if overview.interval_exact else f" {CARRIED_OVER}"
    return f"{which} attacks with a result, worst first. Click a row to choose the attack.{carried}"


def _select_rows(key: str, rows: list[int]) -> None:
    """Let the table show a selection, wherever its row is by now."""
    wanted = {"rows": rows, "columns": [], "cells": []}
    now = st.session_state.get(key)
    if now is None or dict(now["selection"]) != wanted:
        st.session_state[key] = {"selection": wanted}


def _choose_row(key: str) -> None:
    screen: _Screen = st.session_state[f"{key}_screen"]
    selection = st.session_state[f"{key}_table"]["selection"]
    rows = [*(row for row, _ in selection["cells"]), *selection["rows"]]
    screen.chosen = screen.rows[rows[0]] if rows and rows[0] < len(screen.rows) else None


def _choose_point(key: str) -> None:
    screen: _Screen = st.session_state[f"{key}_screen"]
    points = st.session_state[f"{key}_figure"]["selection"]["points"]
    if points:
        screen.chosen = int(points[-1]["customdata"])
