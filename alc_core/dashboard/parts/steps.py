"""The steps of a review, progress, and what is next."""

from __future__ import annotations

from dataclasses import dataclass

from alc_core.candidates.decision import release_choices, release_decisions, settled
from alc_core.candidates.lines import candidate_lines, chosen_releases
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import Page
from alc_core.phrasing import count, numbered
from alc_core.review.campaign_words import candidates_title


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One of the four steps."""

    page: str  # Its page, and numbered name
    title: str
    done: bool  # Whether nothing is left to do
    words: str  # How far it is


def review_steps(state: AppState) -> tuple[Step, ...]:
    """Return the four steps with progress."""
    finished, campaign = _campaign_words(state)
    decided, decision = _decision_words(state)
    return (
        Step(
            page=Page.DATA, title="1 Data",
            done=state.ready and not state.data_problem, words=_data_words(state),
        ),
        Step(
            page=Page.ATTACK, title="2 Attack", done=finished, words=campaign
        ),
        Step(
            page=Page.FINDINGS, title="3 Findings",
            done=finished, words=_findings_words(state)
        ),
        Step(
            page=Page.DECISION, title="4 Decision", done=decided, words=decision
        ),
    )  # fmt: skip


def next_step(state: AppState) -> tuple[str, str]:
    """Return the next page, and its link's text."""
    if state.campaign_run is not None:
        return Page.ATTACK, "Watch the attacks"
    if state.campaign and state.campaign.view.counts.finished:
        return Page.FINDINGS, "See the findings"
    if state.ready:
        return Page.ATTACK, "Plan the attacks"
    return Page.DATA, "Upload the tables"


def _decision_words(state: AppState) -> tuple[bool, str]:
    """Return whether all releases are decided on, and how many in words."""
    campaign = state.campaign
    if campaign is None or not campaign.view.counts.finished:
        return False, "After the findings"
    store, part_of = campaign.view.store, campaign.view.settings.part_of
    made = release_choices(store)
    every = chosen_releases(campaign.view)
    releases = {part_of.get(name, name) for name in every}
    open_ = {part_of.get(name, name) for name in every if name not in made}
    decided = len(releases) - len(open_)
    if len(releases) == 1:
        return bool(decided), "Decided" if decided else "No decision yet"
    return not open_, f"{count(decided)} of {numbered(len(releases), 'release')}"


def has_begun(state: AppState) -> bool:
    """Return whether there is work to return to."""
    tables = (state.original, state.release, state.linked, state.holdout)
    return any((*tables, state.campaign, state.campaign_run))


def _data_words(state: AppState) -> str:
    if state.original is None:
        opened = state.campaign is not None and state.campaign.inputs is None
        return "Optional for an opened file" if opened else "Upload the original and a release"
    if not state.ready:
        return "Upload a release"
    if state.data_problem:
        return "See the columns"
    releases = [*state.releases()] if state.linked is None else [*state.linked.sides][1:]
    if len(releases) > 1:
        return f"Original and {count(len(releases))} releases"
    return "Original and release"


def _campaign_words(state: AppState) -> tuple[bool, str]:
    """Return whether the last campaign has ended, and its progress in words."""
    if state.campaign_run is not None:
        return False, "Running"
    if state.campaign_failed:
        return False, "Last run not finished"
    if state.campaign is None:
        return False, "Choose and run"
    counts = state.campaign.view.counts
    if counts.missing:
        return False, f"{numbered(counts.missing, 'attack')} missing"
    opened = state.campaign.inputs is None
    return True, "Opened from a file" if opened else "Done"


def _findings_words(state: AppState) -> str:
    if state.campaign_run is not None:
        return "During the run"
    if state.campaign is not None and state.campaign.view.counts.finished:
        view = state.campaign.view
        if state.campaign_outdated():
            return "Out of date"
        lines = candidate_lines(view, view.settings.scoring, {})
        settles = settled(lines, release_decisions(view.store))
        return "Decided" if settles else candidates_title(lines)
    return "After the run"
