"""The head of result pages: release, attack, what if, changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from alc_core.campaign.findings.view import CampaignView
from alc_core.dashboard.markdown import Markdown, literal
from alc_core.dashboard.parts.attack_table import as_chips, draw_attacks
from alc_core.dashboard.parts.campaign_file import draw_opened
from alc_core.dashboard.parts.panels import draw_task, watch
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.campaign_state import CampaignEnd, CampaignResult
from alc_core.dashboard.state.jobs import Job
from alc_core.dashboard.state.session import Page, bind, bind_value, clicked_point, go_to
from alc_core.errors import InputError
from alc_core.glossary import explain
from alc_core.phrasing import count, decimal, listed, numbered, percent
from alc_core.review.campaign_words import flips_sentence, what_if_text
from alc_core.scoring.parameters import ALPHA, AT_RISK, CONTROL, SERIOUS, ScoringParameters
from alc_core.scoring.verdict import OUTCOMES

_ALL = "All releases"
_WIDTH = 280


@dataclass(slots=True, kw_only=True, eq=False)
class Focus:
    """What a review looks at, for all result pages."""

    of: CampaignView | None = None  # The campaign
    release: str = ""  # The one release; empty for all
    attack: int | None = None  # Last opened attack
    opening: bool = False  # Whether its page is to be shown now

    def open(self, number: int) -> None:
        """Open an attack's page next, whatever the release."""
        self.attack, self.opening = number, True
        if self.of is not None and self.of.attack(number).release != self.release:
            self.release = ""

    def open_clicked(self, chart: str) -> None:
        """Open the attack clicked in a chart."""
        if (number := clicked_point(chart)) is not None:
            self.open(number)

    def look_at_clicked(self, chart: str, releases: Sequence[str]) -> None:
        """Look at the release clicked in a chart."""
        if (place := clicked_point(chart)) is not None:
            self.release = releases[place]


SETTLING = "intervals"


@dataclass(slots=True, kw_only=True, eq=False)
class Settling:
    """Parameters and number of attacks of the last redrawn intervals."""

    begun: tuple[ScoringParameters, int] | None = None


def settle(state: AppState, view: CampaignView, scoring: ScoringParameters) -> None:
    """Redraw intervals in the background, if parameters need others."""
    settling, missing = state.screen(Settling, view), view.unsettled(scoring)
    asked = scoring, len(missing)
    if missing and settling.begun != asked:
        settling.begun = asked
        state.tasks.start(
            SETTLING,
            "Exact intervals",
            lambda reporter: view.settle(scoring, reporter=reporter),
            take=lambda _: None,
            instead=True,
        )
    with st.container():  # Keeps its place when it ends
        draw_task(state, SETTLING)


def focus_of(state: AppState, campaign: CampaignResult) -> Focus:
    """Return a campaign's focus."""
    focus = state.screen(Focus, campaign.view)
    focus.of = campaign.view
    return focus


def focused_view(state: AppState, campaign: CampaignResult) -> CampaignView:
    """Return the view of the release in focus, or of all."""
    return campaign.view.only(focus_of(state, campaign).release or None)


def follow_opening(focus: Focus) -> None:
    """Show the page of a clicked attack."""
    if focus.opening:
        focus.opening = False
        go_to(Page.ONE_ATTACK)


def draw_title(title: Markdown, state: AppState, *, releases: bool = True) -> DeltaGenerator:
    """Draw a page's title with any choice of release; return the place beside."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.title(title, width="stretch")
        campaign = state.campaign
        if releases and campaign is not None and len(campaign.view.attacked_releases) > 1:
            st.selectbox(
                "Release",
                ["", *campaign.view.attacked_releases],
                format_func=lambda name: name or _ALL,
                width=_WIDTH,
                **bind(focus_of(state, campaign), "release"),
            )
        return st.container(width="content")


def draw_header(
    title: Markdown,
    state: AppState,
    campaign: CampaignResult,
    *,
    releases: bool = True,
    what_if: bool = True,
) -> ScoringParameters | None:
    """Draw a page's title, choice of release and, if asked, parameters."""
    view = campaign.view
    view.refresh()
    other = draw_title(title, state, releases=releases)
    draw_freshness(state, campaign)
    draw_opened(state)
    scoring = chosen_scoring(state, view.settings.scoring)
    if scoring is not None and (changed := what_if_text(scoring, view.settings.scoring)):
        st.caption(literal(f"What if: {changed}."))
        settle(state, view, scoring)
    # Always the same button: another would close what is open
    if what_if:
        with other.popover(
            "What if?", icon=":material/tune:",
            help="Score the results with other parameters.",
        ):  # fmt: skip
            draw_what_if(state, campaign, scoring)
    return scoring


def draw_freshness(state: AppState, campaign: CampaignResult) -> None:
    """Say what changed since the campaign, and what is missing."""
    if changed := state.campaign_outdated():
        st.info(
            literal(f"Out of date: {listed(list(changed))} changed. Run the attacks again."),
            icon=":material/history:",
        )
    counts = campaign.view.counts
    if not counts.missing:
        return
    every = counts.planned + campaign.view.n_left_out
    shown = f"{count(counts.finished)} of {numbered(every, 'attack')} have a result"
    if state.campaign_run is None:
        st.markdown(f"{shown} so far.")
        return

    def draw(_job: Job[CampaignEnd]) -> None:
        new = campaign.view.counts.finished - counts.finished
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"{shown}; {count(new)} more since." if new else f"{shown} so far.")
            if new and st.button("Show them", icon=":material/refresh:"):
                st.rerun()

    watch(state.campaign_job, draw)


_CONTROLS = {
    "none": "None: attacks one by one",
    "family-wise": "Family-wise error",
    "false discovery": "False discovery rate",
}
_CONFIDENCES = (0.8, 0.9, 0.95, 0.99)
_R_MINS = tuple(float(f"{step}e{power}") for power in range(-6, -1) for step in (1, 2, 5))


def chosen_scoring(state: AppState, run: ScoringParameters) -> ScoringParameters | None:
    """Return the sliders' parameters, or say why there are none."""
    try:
        return replace(run, **state.rescoring)
    except InputError as error:
        st.warning(
            f"{literal(error)} Move the sliders or reset them.",
            icon=":material/warning:",
        )
        return None


def draw_what_if(
    state: AppState, campaign: CampaignResult, scoring: ScoringParameters | None
) -> None:
    """Draw the effect of other parameters, and sliders."""
    if scoring is not None:
        draw_flips(campaign.view, scoring)
    draw_sliders(state, campaign.view.settings.scoring)


def draw_sliders(
    state: AppState, scoring: ScoringParameters, *, back: str = "Reset to the run's parameters"
) -> None:
    """Draw sliders that rescore at once, and a reset."""
    usual = scoring.to_dict()
    now = {**usual, **state.rescoring}
    alpha, r_min, confidence = float(now["alpha"]), now["r_min"], now["confidence"]
    limits = float(now["at_risk"]), float(now["serious"])

    def bound(value: object, *names: str) -> dict[str, Any]:
        def take(given: Any) -> None:
            given = given if len(names) > 1 else [given]
            state.rescoring = {**state.rescoring, **dict(zip(names, given, strict=True))}

        return bind_value(f"rescoring_{names[0]}", value, take)

    # Values as defaults: a popover opened after a redraw shows defaults
    st.slider(
        "alpha", min(0.5, scoring.alpha, alpha), max(6.0, scoring.alpha, alpha), alpha,
        step=ALPHA.step, format="%.1f", help=explain("alpha"), **bound(alpha, "alpha"),
    )  # fmt: skip
    st.select_slider(
        "R_min", sorted({*_R_MINS, scoring.r_min, r_min}), r_min, format_func=decimal,
        help=explain("R_min"), **bound(r_min, "r_min"),
    )  # fmt: skip
    st.slider(
        "At-risk and serious limits", float(AT_RISK.low), float(SERIOUS.high),
        limits, step=AT_RISK.step,
        help=explain("at risk", "serious"), **bound(limits, "at_risk", "serious"),
    )  # fmt: skip
    st.select_slider(
        "Confidence", sorted({*_CONFIDENCES, scoring.confidence, confidence}), confidence,
        format_func=percent, help=explain("confidence"), **bound(confidence, "confidence"),
    )  # fmt: skip
    st.selectbox(
        "Multiple-testing correction", CONTROL.choices, CONTROL.choices.index(now["control"]),
        format_func=_CONTROLS.__getitem__,
        help=literal(CONTROL.help), **bound(now["control"], "control"),
    )  # fmt: skip
    st.button(
        literal(back),
        on_click=lambda: setattr(state, "rescoring", {}),
        disabled=now == usual,
        width="stretch",
    )


def draw_flips(view: CampaignView, scoring: ScoringParameters) -> None:
    """Say how many verdicts change against the run's parameters."""
    changed = view.flips(scoring)
    if not len(changed):
        words = "No verdict changes." if scoring != view.settings.scoring else ""
        st.caption(words or "The sliders match the run.")
        return
    st.info(literal(flips_sentence(changed)), icon=":material/swap_horiz:")


def draw_flips_table(view: CampaignView, scoring: ScoringParameters) -> None:
    """List changed verdicts, folded."""
    changed = view.flips(scoring)
    if not len(changed):
        return
    with st.expander("Which attacks change"):
        rows = view.overview(scoring).results.set_index("number").loc[changed.numbers]
        table = rows.assign(
            before=as_chips(pd.Series([OUTCOMES[code] for code in changed.before], rows.index)),
            after=as_chips(pd.Series([OUTCOMES[code] for code in changed.after], rows.index)),
            alc=rows["decisive_alc"].clip(lower=0.0),
        )
        draw_attacks(
            table[["before", "after", "alc", "release", "unknown", "known"]],
            alt="Attacks whose verdict changes.",
        )
