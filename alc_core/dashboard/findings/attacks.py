"""The attacks of a campaign or of one release: filter, matrix and table, to open one from."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
import streamlit as st

from alc_core.assessment.words import marks_sentence
from alc_core.campaign.findings.decisions import (
    Choice,
    Decision,
    choice_label,
    decisions,
)
from alc_core.campaign.findings.overview import STANDINGS, CampaignOverview
from alc_core.campaign.findings.view import CampaignView
from alc_core.compare.comparison import (
    BY_STRONGEST,
    comparable,
    compare_releases,
    find_gaps,
    is_by_strongest,
    only_attacks,
)
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.attack_table import draw_attacks, table_caption, table_of
from alc_core.dashboard.parts.charts import draw_chart
from alc_core.dashboard.parts.header import Focus
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import bind, selected_row
from alc_core.figures.comparison import EACH_WORST, MOST_APART, loss_matrix, matrix_rows
from alc_core.figures.looks import LOOKS
from alc_core.glossary import explain
from alc_core.phrasing import numbered
from alc_core.scoring.parameters import ScoringParameters


@dataclass(slots=True, kw_only=True, eq=False)
class AttackFilter:
    """Which attacks are shown; what is empty lets all through."""

    # Where attacks stand, what they learn, from which releases, which they are, what was decided
    standings: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    releases: list[str] = field(default_factory=list)
    attacks: list[str] = field(default_factory=list)
    decisions: list[str] = field(default_factory=list)
    text: str = ""  # To be found in a column's or release's name

    def clear(self) -> None:
        """Let all attacks through."""
        self.standings, self.unknown, self.releases = [], [], []
        self.attacks, self.decisions, self.text = [], [], ""

    def fit(self, view: CampaignView) -> None:
        """Let go of columns, releases and attacks that are not in a view, which offers no such."""
        attacks = view.attacks
        unknown = {attack.scenario.wanted for attack in attacks}
        releases, names = {a.release for a in attacks}, {a.attack for a in attacks}
        self.unknown = [each for each in self.unknown if each in unknown]
        self.releases = [each for each in self.releases if each in releases]
        self.attacks = [each for each in self.attacks if each in names]

    def apply(self, results: pd.DataFrame, made: Mapping[int, Decision]) -> pd.DataFrame:
        """Return the attacks that are let through, in their order."""
        kept = np.ones(len(results), dtype=bool)
        chosen = {
            "standing": self.standings,
            "unknown": self.unknown,
            "release": self.releases,
            "attack": self.attacks,
        }
        for column, values in chosen.items():
            if values:
                kept &= results[column].isin(values).to_numpy()
        if self.decisions:
            choices = {number: each.choice or "" for number, each in made.items()}
            kept &= results["number"].map(lambda n: choices.get(n, "")).isin(self.decisions)
        if text := self.text.strip().casefold():
            found = np.zeros(len(results), dtype=bool)
            for column in ("known", "unknown", "release"):
                found |= results[column].str.casefold().str.contains(text, regex=False).to_numpy()
            kept &= found
        return results[kept]


def draw_filter(
    chosen: AttackFilter,
    view: CampaignView,
    overview: CampaignOverview,
    made: Mapping[int, Decision],
) -> None:
    """Draw the widgets of the filter."""
    attacks = view.attacks
    releases = view.attacked_releases
    unknown = list(dict.fromkeys(attack.scenario.wanted for attack in attacks))
    with st.container(horizontal=True):
        st.multiselect(
            "Verdict",
            [s for s in STANDINGS if overview.counts[s] or s in chosen.standings],
            format_func=lambda standing: LOOKS[standing].label,
            placeholder="All",
            **bind(chosen, "standings"),
        )
        st.multiselect(
            "Unknown column", unknown, placeholder="All",
            help=explain("unknown attribute"), **bind(chosen, "unknown"),
        )  # fmt: skip
        if len(releases) > 1:
            st.multiselect("Release", releases, placeholder="All", **bind(chosen, "releases"))
        names = list(dict.fromkeys(attack.attack for attack in attacks))
        if len(names) > 1:
            st.multiselect("Attack", names, placeholder="All", **bind(chosen, "attacks"))
        if made:
            st.multiselect(
                "Decision", ["", *map(str, Choice)],
                format_func=lambda choice: choice_label(Choice(choice)) if choice else "None yet",
                placeholder="All", **bind(chosen, "decisions"),
            )  # fmt: skip
        st.text_input(
            "Search", placeholder="A name", icon=":material/search:", **bind(chosen, "text")
        )


@dataclass(slots=True, kw_only=True, eq=False)
class AttacksScreen:
    """What the user chose of the attacks of a campaign."""

    # Number of the attack in each row of the table as it was last drawn
    rows: list[int] = field(default_factory=list)
    filter: AttackFilter = field(default_factory=AttackFilter)  # What is shown


def draw_all_attacks(
    state: AppState, view: CampaignView, scoring: ScoringParameters, focus: Focus
) -> None:
    """Draw the attacks of a campaign or of one release: matrix and table, to open one from."""
    screen, overview = state.screen(AttacksScreen, focus.of), view.overview(scoring)
    if not len(overview.results):
        return
    made = decisions(view.store)
    screen.filter.fit(view)
    shown = screen.filter.apply(overview.results, made)
    if len(shown) and len(overview.results) > 1:
        part = len(shown) < len(overview.results)
        numbers = shown["number"].tolist() if part else None
        draw_matrix(state, view, scoring, focus, shown=numbers)
    if len(overview.results) > 1:
        with st.popover("Filter", icon=":material/filter_alt:"):
            draw_filter(screen.filter, view, overview, made)
    _draw_table(shown, overview, screen, made, focus)


def _draw_table(
    shown: pd.DataFrame,
    overview: CampaignOverview,
    screen: AttacksScreen,
    made: Mapping[int, Decision],
    focus: Focus,
) -> None:
    if not len(shown):
        st.info("No attack matches the filters.", icon=":material/filter_alt:")
        st.button("Show all attacks", on_click=screen.filter.clear)
        return
    screen.rows = shown["number"].tolist()

    def open_row() -> None:
        row = selected_row("findings_table")
        if row is not None and row < len(screen.rows):
            focus.open(screen.rows[row])

    # No row looks chosen, so that a click on any opens it.
    none: dict[str, list[int]] = {"rows": [], "columns": [], "cells": []}
    st.session_state["findings_table"] = {"selection": none}
    draw_attacks(
        table_of(shown, overview, made),
        key="findings_table",
        scoring=overview.scoring,
        on_select=open_row,
        alt="All attacks with a result, worst first. Choose a row to open the attack.",
    )
    if said := table_caption(shown, overview):
        st.caption(said)


_KEY = "findings_matrix"


@dataclass(slots=True, kw_only=True, eq=False)
class MatrixChoices:
    """Which rows of a long matrix are shown: those of one unknown column, or all (empty)."""

    unknown: str = ""


def draw_matrix(
    state: AppState,
    view: CampaignView,
    scoring: ScoringParameters,
    focus: Focus,
    *,
    shown: Collection[int] | None = None,
) -> None:
    """Draw attack by release, with a choice of the unknown column where there are many."""
    every = compare_releases(view, scoring)
    comparison = comparable(every if shown is None else only_attacks(every, shown))
    choices = state.screen(MatrixChoices)
    columns = sorted(set(comparison.unknown))
    many = len(comparison) > MOST_APART
    if not many or choices.unknown not in columns:
        choices.unknown = ""
    if many:
        st.selectbox(
            "Unknown column", ["", *columns], help=explain("unknown attribute"),
            format_func=lambda name: name or "All, with the worst attack on each",
            **bind(choices, "unknown"),
        )  # fmt: skip
    unknown = choices.unknown or None
    draw_chart(
        loss_matrix(comparison, unknown, find_gaps(view, comparison)),
        key=_KEY,
        name="attack-by-release",
        on_select=lambda: focus.open_clicked(_KEY),
    )
    left_out = matrix_rows(comparison, unknown).left_out
    more = f" {numbered(left_out, 'more row')} left out: {EACH_WORST}." if left_out else ""
    strongest = f" {BY_STRONGEST}" if is_by_strongest(comparison) else ""
    st.caption(f"{literal(marks_sentence(scoring))}{strongest}{more}")
