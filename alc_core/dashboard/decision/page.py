"""The Decision page: releases, signature, report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial

import streamlit as st

from alc_core.campaign.findings.decisions import asking_attacks, decisions
from alc_core.campaign.findings.overview import CampaignOverview
from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.decision import (
    PUBLISHED,
    ReleaseChoice,
    ReleaseDecision,
    decide_release,
    open_attacks,
    release_decisions,
    suggested_choice,
)
from alc_core.candidates.line import CandidateLine
from alc_core.candidates.lines import candidate_lines
from alc_core.dashboard.decision.report import ReportScreen, declare, draw_report, report_screen
from alc_core.dashboard.markdown import literal, told_apart
from alc_core.dashboard.parts.header import Focus, draw_header, focus_of, follow_opening
from alc_core.dashboard.parts.panels import (
    draw_chip,
    draw_model_button,
    draw_no_results,
    draw_task,
    fact_chips,
    people_bars,
)
from alc_core.dashboard.parts.shelf import draw_on_shelf
from alc_core.dashboard.remedies import draw_what_to_change
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import bind, refusal_told
from alc_core.dashboard.state.team import person, record
from alc_core.dashboard.work.campaign_runs import can_go_on
from alc_core.dashboard.work.evidence import EVIDENCE_TASK
from alc_core.phrasing import numbered
from alc_core.plain_values import MOST_CHARACTERS
from alc_core.review.campaign_words import (
    left_out_sentence,
    not_attacked_sentences,
    untried_sentence,
)
from alc_core.review.decision_words import (
    advice_words,
    attacks_sentence,
    choice_words,
    more_useful_sentence,
    moved_sentence,
    objections,
    release_choice_label,
    suggested_conditions,
    together_sentence,
)
from alc_core.review.release_words import line_sentence, told_sentences, utility_sentence
from alc_core.review.rows_words import not_clear_sentence
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import Publishing
from alc_core.studies.utility.result import stored_utilities

TITLE = "Decision"
CONDITIONS_EXAMPLE = "For example: under contract only; no linking."
_DAY = 160  # Pixels of the date
_CHOICES = (
    ReleaseChoice.PUBLISH, ReleaseChoice.CONDITIONS, ReleaseChoice.CHANGE, ReleaseChoice.NOT,
)  # fmt: skip


@dataclass(slots=True, kw_only=True, eq=False)
class ReleaseForm:
    """Entries on one release; see :class:`ReleaseDecision`."""

    choice: ReleaseChoice | None = None
    reasons: str = ""
    conditions: str = ""


@dataclass(slots=True, kw_only=True, eq=False)
class DecisionScreen:
    """Open releases of a campaign, and conditions entered, kept if another choice is made."""

    open: set[str] = field(default_factory=set)
    conditions: dict[str, str] = field(default_factory=dict)
    followed: str = ""  # The release under review when one opened by itself


def draw_decision_page(state: AppState) -> None:
    """Draw the page on publishing."""
    campaign = state.campaign
    if campaign is None or not campaign.view.judged:
        st.title(TITLE)
        draw_no_results()
        return
    focus = focus_of(state, campaign)
    follow_opening(focus)
    scoring = draw_header(TITLE, state, campaign, releases=False)
    view = campaign.view
    if scoring is None or view.unsettled(scoring):  # nothing is decided on approximate intervals
        return
    lines = candidate_lines(view, scoring, stored_utilities(view.store))
    report = report_screen(state, view)
    with st.container(key="decision"):
        deciding, reporting = st.columns([3, 2], gap="medium")
    with deciding:
        if state.campaign_run is not None:
            st.info("Attacks are running. Decide afterwards.")
        releases = Releases(
            state=state, focus=focus, view=view, lines=lines, scoring=scoring, signed=report
        )
        releases.draw()
        _draw_signature(report, view)
        draw_on_shelf(state, campaign)
        if can_go_on(state):
            draw_model_button(state, lines)
        elif state.campaign_run is None and (untried := untried_sentence(lines)):
            st.caption(f":material/lightbulb: {literal(untried)}")
        draw_task(state, EVIDENCE_TASK)
    with reporting:
        draw_report(state, campaign, report, scoring)


def _draw_signature(screen: ReportScreen, view: CampaignView) -> None:
    declares, reads = partial(declare, screen, view), view.store.read_only
    sign = partial(declares, signs=True)
    with st.container(border=True, key="signature"):
        st.text_input(
            "Intended use", max_chars=400, disabled=reads, **bind(screen, "purpose", declares),
            placeholder="For example: open data, research under contract",
        )  # fmt: skip
        with st.container(horizontal=True):
            st.text_input(
                "Decided by", max_chars=200, disabled=reads or bool(person()),
                **bind(screen, "assessor", sign),
            )  # fmt: skip
            st.date_input(
                "Date", format="YYYY-MM-DD", width=_DAY, disabled=reads, **bind(screen, "day", sign)
            )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Releases:
    """A campaign's releases, each decided by one click."""

    state: AppState
    focus: Focus
    view: CampaignView
    lines: Sequence[CandidateLine]
    scoring: ScoringParameters
    signed: ReportScreen

    def draw(self) -> None:
        """Draw the attacks' findings beside the choice, by release."""
        made = release_decisions(self.view.store)
        if self.state.campaign_run is None:
            self._draw_suggested(made)
            if left_out := left_out_sentence(self.view):
                st.caption(f":material/timer: {literal(left_out)}")
            if advice := more_useful_sentence(self.lines):
                st.caption(f":material/lightbulb: {literal(advice)}")
        screen = self.state.screen(DecisionScreen, self.view)
        if screen.followed != self.focus.release:
            screen.followed, screen.open = self.focus.release, {self.focus.release}
        for place, line in enumerate(self.lines):
            form = ReleaseForm()
            if (of := made.get(line.release)) is not None:
                form = ReleaseForm(choice=of.choice, reasons=of.reasons, conditions=of.conditions)
            with st.container(border=True, key=f"release_{place}", gap="xsmall"):
                self._draw_row(line, form, screen, of)
                opened = line.release in screen.open
                if opened or form.choice is not None:
                    self._draw_reasons(line, form)
                self._draw_doubts(line, form, made)
                if opened:
                    self._draw_open(line, made)
        if together := together_sentence(made):
            st.caption(f":material/warning: {literal(together)}")
        self._draw_not_chosen(made)

    def _draw_row(
        self,
        line: CandidateLine,
        form: ReleaseForm,
        screen: DecisionScreen,
        decision: ReleaseDecision | None,
    ) -> None:
        name, opened = literal(line.release), line.release in screen.open
        advice = advice_words(line, decision)
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            draw_chip(line.shown_standing, line.title, size=0.9, width="content")
            said = f"**{name}**: {literal(advice)}" if advice else f"**{name}**"
            st.markdown(said, width="stretch")
        with st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False):
            if line.worst is not None:
                st.html(people_bars(line))
            st.button(
                told_apart("Less" if opened else "More", f"on {line.release}"),
                icon=f":material/expand_{'less' if opened else 'more'}:",
                type="tertiary", key=f"open_{line.release}",
                on_click=screen.open.symmetric_difference_update, args=({line.release},),
            )  # fmt: skip
        if opened or len(self.lines) == 1:
            st.markdown(literal(told_sentences(self.view, line, self.scoring)))
            if line.publishing is not Publishing.CHANGE and (use := utility_sentence(line)):
                st.caption(literal(use))
        elif warning := not_clear_sentence(line):
            st.markdown(literal(warning))
        if chips := fact_chips(line):
            st.html(chips)
        shown = [*_CHOICES] if form.choice in (None, *_CHOICES) else list(ReleaseChoice)
        st.pills(
            f"Decision about {name}", shown, format_func=release_choice_label,
            label_visibility="collapsed", width="content", required=True,
            disabled=self.view.store.read_only,
            **bind(form, "choice", partial(self._choose, line, form), scope=f"on {line.release}"),
        )  # fmt: skip

    def _draw_reasons(self, line: CandidateLine, form: ReleaseForm) -> None:
        st.text_area(
            f"Reasons for {literal(line.release)}", max_chars=MOST_CHARACTERS,
            height="content", disabled=self.view.store.read_only,
            placeholder="Do not name people.",
            **bind(form, "reasons", partial(self._keep, line, form), scope=f"on {line.release}"),
        )  # fmt: skip

    def _draw_doubts(
        self, line: CandidateLine, form: ReleaseForm, made: Mapping[str, ReleaseDecision]
    ) -> None:
        if form.choice is ReleaseChoice.CONDITIONS:
            st.text_area(
                f"Conditions for {literal(line.release)}", max_chars=MOST_CHARACTERS,
                height="content", placeholder=CONDITIONS_EXAMPLE,
                disabled=self.view.store.read_only,
                **bind(
                    form, "conditions", partial(self._keep, line, form), scope=f"on {line.release}"
                ),
            )  # fmt: skip
            if not form.conditions:
                st.caption(":material/warning: No conditions entered.")
        of_attacks = decisions(self.view.store)
        said = objections(line, self._overview(line), of_attacks, form.choice)
        if said and not form.reasons:
            said = "No reason entered.", *said
        for words in said:
            st.caption(f":material/warning: {literal(words)}")
        decision = made.get(line.release)
        if decision is not None and (moved := moved_sentence(decision, line)):
            then = f"Decided when it was “{decision.standing or 'without a result'}”."
            st.caption(f":material/history: {literal(then)} {literal(moved)}")

    def _draw_open(self, line: CandidateLine, made: Mapping[str, ReleaseDecision]) -> None:
        st.markdown(literal(" ".join([line_sentence(line), *not_attacked_sentences([line])])))
        overview, of_attacks = self._overview(line), decisions(self.view.store)
        if progress := attacks_sentence(overview, of_attacks, made):
            waiting = open_attacks(overview, of_attacks, made)
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(literal(progress), width="stretch")
                if waiting:
                    st.button(
                        "Next attack to examine", key=f"next_on_{line.release}",
                        icon=":material/gavel:", on_click=self.focus.open, args=(waiting[0],),
                    )  # fmt: skip
        if asking_attacks(overview):
            st.markdown("**What to change**")
            draw_what_to_change(self.state, self.view, line.release)

    def _waiting(self, made: Mapping[str, ReleaseDecision]) -> list[CandidateLine]:
        if self.view.store.read_only:
            return []
        decided = {name for name, decision in made.items() if decision.choice is not None}
        return [line for line in self.lines if line.release not in decided]

    def _decide(self, lines: Sequence[CandidateLine], choice: ReleaseChoice) -> None:
        made = release_decisions(self.view.store)
        for line in lines:
            reasons = made[line.release].reasons if line.release in made else ""
            self._keep(line, ReleaseForm(choice=choice, reasons=reasons))

    def _draw_suggested(self, made: Mapping[str, ReleaseDecision]) -> None:
        """Draw buttons for what is suggested: to refuse, and to send back."""
        waiting = self._waiting(made)
        with st.container(horizontal=True):
            for choice, icon in (
                (ReleaseChoice.NOT, ":material/block:"),
                (ReleaseChoice.CHANGE, ":material/refresh:"),
            ):
                if lines := [line for line in waiting if suggested_choice(line) is choice]:
                    words = choice_words(choice, [line.release for line in lines])
                    st.button(
                        literal(words), icon=icon,
                        on_click=self._decide, args=(lines, choice),
                    )  # fmt: skip

    def _draw_not_chosen(self, made: Mapping[str, ReleaseDecision]) -> None:
        """Draw the button that leaves all others, if some are published."""
        waiting = self._waiting(made)
        published = sum(each.choice in PUBLISHED for each in made.values())
        if waiting and published:
            st.button(
                f"Not chosen: {numbered(len(waiting), 'other release')}",
                icon=":material/done_all:",
                on_click=self._decide, args=(waiting, ReleaseChoice.NOT_CHOSEN),
            )  # fmt: skip

    def _overview(self, line: CandidateLine) -> CampaignOverview:
        return self.view.only(line.release).overview(self.scoring)

    def _choose(self, line: CandidateLine, form: ReleaseForm) -> None:
        """Keep a choice; conditions start with the check's."""
        if form.choice is ReleaseChoice.CONDITIONS and not form.conditions:
            before = self.state.screen(DecisionScreen, self.view).conditions
            form.conditions = before.get(line.release) or suggested_conditions(line)
        self._keep(line, form)

    def _keep(self, line: CandidateLine, form: ReleaseForm) -> None:
        conditional = form.choice is ReleaseChoice.CONDITIONS
        if conditional:
            self.state.screen(DecisionScreen, self.view).conditions[line.release] = form.conditions
        # Logged-in people sign now, whatever the declared day
        day = date.today().isoformat() if person() else self.signed.details.date
        with refusal_told():
            self.view.store.check_writable()
            chosen = None if form.choice is None else form.choice.value
            record("decision", release=line.release, choice=chosen, standing=line.standing)
            decide_release(
                self.view.store, line, form.choice, scoring=self.scoring,
                reasons=form.reasons, conditions=form.conditions if conditional else "",
                name=self.signed.details.assessor, day=day,
            )  # fmt: skip
