"""The Findings page."""

from __future__ import annotations

import html
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
import streamlit as st

from alc_core.campaign.file.annotations import keep_right_original
from alc_core.campaign.findings.decisions import (
    Choice,
    Decision,
    choice_label,
    decisions,
    with_decisions,
)
from alc_core.campaign.findings.overview import STANDINGS, CampaignOverview
from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.coverage import UNLIKE, tried_columns, unlike_coverage
from alc_core.candidates.decision import (
    RELEASE_CHOICE_STANDINGS,
    ReleaseDecision,
    release_choices,
    release_decisions,
    settled,
)
from alc_core.candidates.line import CandidateLine
from alc_core.candidates.lines import candidate_lines
from alc_core.compare.comparison import (
    BY_STRONGEST,
    comparable,
    compare_releases,
    find_gaps,
    is_by_strongest,
    only_attacks,
)
from alc_core.dashboard.markdown import literal, told_apart
from alc_core.dashboard.parts.attack_table import (
    draw_attacks,
    draw_failures,
    table_caption,
    table_of,
)
from alc_core.dashboard.parts.campaign_file import draw_save
from alc_core.dashboard.parts.charts import draw_chart
from alc_core.dashboard.parts.drivers import draw_campaign_drivers
from alc_core.dashboard.parts.header import (
    Focus,
    draw_flips_table,
    draw_header,
    draw_what_if,
    focus_of,
    focused_view,
    follow_opening,
)
from alc_core.dashboard.parts.panels import (
    chip,
    draw_model_button,
    draw_no_results,
    draw_task,
    fact_chips,
    people_bars,
    plain_chip,
)
from alc_core.dashboard.parts.shelf import draw_on_shelf
from alc_core.dashboard.parts.widgets import draw_download
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.campaign_state import CampaignResult
from alc_core.dashboard.state.files import campaign_file_stem
from alc_core.dashboard.state.session import Page, bind, draw_link, selected_row
from alc_core.dashboard.work import evidence
from alc_core.figures.comparison import EACH_WORST, MOST_APART, loss_matrix, matrix_rows
from alc_core.figures.looks import LOOKS, counted
from alc_core.glossary import explain
from alc_core.phrasing import count, listed, numbered, sentence_case
from alc_core.review.campaign_words import (
    candidates_title,
    chance_sentence,
    left_out_sentence,
    not_attacked_sentences,
    what_if_text,
)
from alc_core.review.decision_words import advice_words, opening_sentence, release_choice_label
from alc_core.review.release_words import told_sentences, utility_sentence
from alc_core.review.rows_words import not_clear_sentence
from alc_core.scoring.parameters import ScoringParameters
from alc_core.spreadsheet import csv_text, findings_workbook
from alc_core.studies.utility.result import differing_sentence, stored_utilities
from alc_core.studies.utility.risk_map import UtilityMeasure, risk_utility_map

TITLE = "Findings"


def draw_findings_page(state: AppState) -> None:
    """Draw a campaign's findings on all releases, or the one in focus."""
    campaign = state.campaign
    if campaign is None:
        st.title(TITLE)
        draw_no_results()
        return
    focus = focus_of(state, campaign)
    follow_opening(focus)
    scoring = draw_header(TITLE, state, campaign, what_if=False)
    if scoring is None:
        draw_what_if(state, campaign, scoring)
        return
    view = focused_view(state, campaign)
    everything, keeping = st.container(), st.container()
    # Downloads first: new numbers must not come with old files
    with keeping:
        draw_failures(view)
        draw_flips_table(view, scoring)
        _draw_more(state, campaign, view, scoring)
    with everything:
        _draw_releases(state, campaign, view, scoring)
        evidence.gather_evidence(state)
        with st.container():  # Keeps its place when it ends
            draw_task(state, evidence.EVIDENCE_TASK)
        draw_risk_and_use(state, campaign.view, scoring, focus)
        draw_all_attacks(state, view, scoring, focus)


def _draw_releases(
    state: AppState, campaign: CampaignResult, view: CampaignView, scoring: ScoringParameters
) -> None:
    focus, run = focus_of(state, campaign), view.settings.scoring
    if not view.store.read_only and state.campaign_tables() is not None:
        keep_right_original(view.store, state.answers.right_originals)
    every = candidate_lines(campaign.view, scoring, stored_utilities(view.store))
    lines = [line for line in every if focus.release in ("", line.release)]
    decided, changed = release_decisions(view.store), what_if_text(scoring, run)
    title = f"{candidates_title(lines)} under {changed}" if changed else candidates_title(lines)
    made = ""
    if not changed and settled(lines, decided):  # advice has been followed
        made = opening_sentence([line.release for line in lines], decided)
    tried, columns = tried_columns(campaign.view), view.settings.original.columns
    with st.container(border=True, key="lines"):
        st.markdown(f"## {literal(f'Decision: {made}' if made else title)}")
        if made:
            st.markdown(literal(title))
        for place, line in enumerate(lines):
            with st.container(horizontal=True, vertical_alignment="center", wrap=False):
                # In full for one release, else on hovering
                sentence = told_sentences(campaign.view, line, scoring)
                coverage = f"{count(tried[line.release])} of {numbered(columns, 'column')}"
                row = _row(
                    line, sentence, decided.get(line.release), coverage, brief=len(lines) > 1
                )
                st.html(row, width="stretch")
                worst = None if line.worst is None else line.worst.attack.number
                if line.worst is not None and line.worst.attack not in campaign.view.judged:
                    worst = campaign.view.only(line.release).overview(scoring).worst
                if worst is not None:
                    st.button(
                        told_apart("Worst attack", line.release),
                        key=f"worst_{place}", width="content",
                        help="The worst verdict, then most people exposed.",
                        on_click=focus.open, args=(worst,),
                    )  # fmt: skip
    if left_out := left_out_sentence(view):
        st.caption(f":material/timer: {literal(left_out)}")
    unlike = None if focus.release else unlike_coverage(campaign.view, scoring)
    if unlike is not None:
        st.caption(literal(" ".join([*not_attacked_sentences(lines), UNLIKE])))
        st.dataframe(unlike, width="content")
    with st.container(horizontal=True, vertical_alignment="center"):
        _draw_chosen(state, campaign, view, scoring)
        draw_model_button(state, lines)
        draw_link(Page.DECISION, "Decide", ":material/gavel:")


def _draw_chosen(
    state: AppState, campaign: CampaignResult, view: CampaignView, scoring: ScoringParameters
) -> None:
    every = campaign.view.judged
    if state.choices.mode != "one" or len(every) < 2:
        return
    one = state.chosen().one
    own = [
        attack.number
        for attack in every
        if attack.scenario.wanted == one.unknown and set(attack.scenario.known) == set(one.known)
    ]
    if len(own) == 1 and own[0] in view.overview(scoring).results["number"].tolist():
        focus = focus_of(state, campaign)
        st.button("Open the attack you chose", on_click=focus.open, args=(own[0],))


def _draw_more(
    state: AppState, campaign: CampaignResult, view: CampaignView, scoring: ScoringParameters
) -> None:
    with st.expander("More", icon=":material/more_horiz:"):
        draw_campaign_downloads(campaign, scoring)
        draw_on_shelf(state, campaign)
        with st.popover("What if?", icon=":material/tune:"):
            draw_what_if(state, campaign, scoring)
        if chance := chance_sentence(view.overview(scoring)):
            st.caption(literal(chance))
        draw_campaign_drivers(state, view, scoring)


_SMALL = "font-size:.85rem;line-height:1.3"


def _row(
    line: CandidateLine,
    sentence: str,
    decision: ReleaseDecision | None,
    coverage: str,
    *,
    brief: bool,
) -> str:
    decided, told = "", not_clear_sentence(line) if brief else sentence
    use = "" if brief else utility_sentence(line, briefly=True)
    if decision is not None and decision.choice is not None:
        colour = LOOKS[RELEASE_CHOICE_STANDINGS[decision.choice]].colour
        label = f"Decided: {release_choice_label(decision.choice)}"
        decided = plain_chip(label, colour, size=0.75)
    return (
        '<div style="display:flex;flex-wrap:wrap;align-items:flex-start;gap:.35rem 1.6rem">'
        f'<div style="flex:4 1 22rem;min-width:0" title="{html.escape(sentence)}">'
        '<div style="display:flex;flex-wrap:wrap;align-items:center;gap:.2rem .7rem">'
        f"{chip(line.shown_standing, line.title, size=0.85)}"
        f'<span style="font-weight:650">{html.escape(line.release)}</span>'
        f"<span>{html.escape(sentence_case(advice_words(line, decision)))}</span>{decided}</div>"
        f'<div style="margin-top:.25rem">{html.escape(told)}</div>'
        f'<div style="{_SMALL};margin:.15rem 0">{html.escape(use)}</div>{fact_chips(line)}</div>'
        f"{people_bars(line)}{_attacks(line, coverage)}</div>"
    )


def _attacks(line: CandidateLine, coverage: str) -> str:
    """Return attacks with a result as a bar by verdict."""
    parts = "".join(
        f'<div title="{html.escape(LOOKS[standing].word)}" style="flex:{number} 1 auto;'
        f"padding:0 .2rem;background:{LOOKS[standing].colour};color:#fff;border-radius:3px;"
        f'white-space:nowrap;text-align:center;font-size:.75rem;line-height:1.25rem">'
        f"{LOOKS[standing].icon}\u2009{count(number)}</div>"
        for standing, number in counted(line.counts)
    )
    planned = line.planned + line.left_out
    more = f" of {count(planned)}" if line.finished < planned else ""
    return (
        f'<div style="flex:1 1 8rem;{_SMALL}" title="{coverage}">'
        f"{count(line.finished)}{more} attack{'' if planned == 1 else 's'}"
        f'<div style="display:flex;flex-wrap:wrap;gap:2px">{parts}</div></div>'
    )


def draw_campaign_downloads(campaign: CampaignResult, scoring: ScoringParameters) -> None:
    """Draw downloads of all attacks under a scoring, and of the campaign's file."""
    view = campaign.view
    with st.spinner("Scoring all attacks"):
        made, chosen = decisions(view.store), release_choices(view.store)
        frame = with_decisions(view.frame(scoring), made, chosen)
    what = "findings" if scoring == view.settings.scoring else "findings what-if"
    stem = campaign_file_stem(view.settings.original.name, what)
    waiting = bool(view.unsettled(scoring))  # a file has exact intervals
    with st.container(horizontal=True):
        draw_download(
            "All attacks (CSV)",
            lambda: csv_text(frame),
            f"{stem}.csv",
            disabled=waiting,
            key="campaign_csv",
            help="Unfiltered and unrounded. Contains no rows.",
        )
        draw_download(
            "All attacks (Excel)",
            lambda: findings_workbook(frame),
            f"{stem}.xlsx",
            disabled=waiting,
            key="campaign_excel",
        )
        draw_download(
            "All attacks (Parquet)",
            lambda: frame.to_parquet(index=False),
            f"{stem}.parquet",
            disabled=waiting,
            key="campaign_parquet",
        )
        draw_save(campaign)


_HEIGHT = 340


@dataclass(slots=True, kw_only=True, eq=False)
class MapChoices:
    """What the map of risk and usefulness shows."""

    utility: UtilityMeasure = "relations"


_MAP = "risk_and_use"
# Name and short meaning by measure of usefulness
_MEASURES: Mapping[UtilityMeasure, tuple[str, str]] = {
    "relations": (
        "Relations",
        "0%: columns are independent. 100%: they are related as in the original.",
    ),
    "accuracy": (
        "Models",
        "Short line: the most frequent value. Over 100% suggests copied records.",
    ),
}


def draw_risk_and_use(
    state: AppState, view: CampaignView, scoring: ScoringParameters, focus: Focus
) -> None:
    """Draw releases by usefulness and risk, to choose one."""
    utilities = stored_utilities(view.store)
    modelled = any(each.targets for each in utilities.values())
    related = any(each.relations_kept is not None for each in utilities.values())
    if not (modelled or related):
        return
    choices, comparison = state.screen(MapChoices), comparable(compare_releases(view, scoring))
    if not (modelled and related):
        choices.utility = "accuracy" if modelled else "relations"
    several = len(view.attacked_releases) > 1
    figure = risk_utility_map(
        comparison, utilities, utility=choices.utility, height=_HEIGHT,
        lines=candidate_lines(view, scoring, {}), selected=focus.release,
    )  # fmt: skip
    draw_chart(
        figure, key=_MAP, name="risk-utility-map",
        on_select=(lambda: focus.look_at_clicked(_MAP, comparison.releases)) if several else None,
    )  # fmt: skip
    if differing := differing_sentence(list(utilities.values())):
        st.warning(literal(differing), icon=":material/warning:")
    missing = [name for name in comparison.releases if name not in utilities]
    said = f"Not measured: {listed(missing)}." if missing else ""
    with st.container(horizontal=True, vertical_alignment="center"):
        if modelled and related:
            st.segmented_control(
                "Usefulness by", list(_MEASURES), format_func=lambda name: _MEASURES[name][0],
                required=True, label_visibility="collapsed", **bind(choices, "utility"),
            )  # fmt: skip
        words = f"{explain('usefulness')} {_MEASURES[choices.utility][1]}"
        st.caption(literal(said or "Usefulness"), help=words, width="content")
        draw_link(Page.STATISTICS, "What changed", ":material/insights:", part="utility")


@dataclass(slots=True, kw_only=True, eq=False)
class AttackFilter:
    """Which attacks are shown; empty lets all through."""

    # Standings, unknown columns, releases, attacks, decisions
    standings: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    releases: list[str] = field(default_factory=list)
    attacks: list[str] = field(default_factory=list)
    decisions: list[str] = field(default_factory=list)
    text: str = ""  # Part of a column's or release's name

    def clear(self) -> None:
        """Let all attacks through."""
        self.standings, self.unknown, self.releases = [], [], []
        self.attacks, self.decisions, self.text = [], [], ""

    def fit(self, view: CampaignView) -> None:
        """Forget columns, releases and attacks not in a view."""
        attacks = view.attacks
        unknown = {attack.scenario.wanted for attack in attacks}
        releases, names = {a.release for a in attacks}, {a.attack for a in attacks}
        self.unknown = [each for each in self.unknown if each in unknown]
        self.releases = [each for each in self.releases if each in releases]
        self.attacks = [each for each in self.attacks if each in names]

    def apply(self, results: pd.DataFrame, made: Mapping[int, Decision]) -> pd.DataFrame:
        """Return matching attacks, in order."""
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
            help=explain("unknown column"), **bind(chosen, "unknown"),
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


def draw_all_attacks(
    state: AppState, view: CampaignView, scoring: ScoringParameters, focus: Focus
) -> None:
    """Draw attacks as matrix and table, to open one."""
    chosen, overview = state.screen(AttackFilter, focus.of), view.overview(scoring)
    if not len(overview.results):
        return
    made = decisions(view.store)
    chosen.fit(view)
    shown = chosen.apply(overview.results, made)
    numbers: list[int] = shown["number"].tolist()
    if len(shown) and len(overview.results) > 1:
        part = len(shown) < len(overview.results)
        draw_matrix(state, view, scoring, focus, shown=numbers if part else None)
    if len(overview.results) > 1:
        with st.popover("Filter", icon=":material/filter_alt:"):
            draw_filter(chosen, view, overview, made)
    if not len(shown):
        st.info("No attack matches the filters.", icon=":material/filter_alt:")
        st.button("Show all attacks", on_click=chosen.clear)
        return

    def open_row() -> None:
        if (number := selected_row("findings_table", numbers)) is not None:
            focus.open(number)

    # No selection: a click on any row opens it
    none: dict[str, list[int]] = {"rows": [], "columns": [], "cells": []}
    st.session_state["findings_table"] = {"selection": none}
    draw_attacks(
        table_of(shown, overview, made),
        key="findings_table",
        scoring=overview.scoring,
        on_select=open_row,
        alt="All attacks, worst first.",
    )
    if said := table_caption(shown, overview):
        st.caption(said)


_KEY = "findings_matrix"


@dataclass(slots=True, kw_only=True, eq=False)
class MatrixChoices:
    """The unknown column shown of a long matrix; empty for all."""

    unknown: str = ""


def draw_matrix(
    state: AppState,
    view: CampaignView,
    scoring: ScoringParameters,
    focus: Focus,
    *,
    shown: Collection[int] | None = None,
) -> None:
    """Draw attacks by release, with a choice of unknown column if many."""
    every = compare_releases(view, scoring)
    comparison = comparable(every if shown is None else only_attacks(every, shown))
    choices = state.screen(MatrixChoices)
    columns = sorted(set(comparison.unknown))
    many = len(comparison) > MOST_APART
    if not many or choices.unknown not in columns:
        choices.unknown = ""
    if many:
        st.selectbox(
            "Unknown column", ["", *columns], help=explain("unknown column"),
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
    if strongest or more:
        st.caption(literal(f"{strongest}{more}".strip()))
