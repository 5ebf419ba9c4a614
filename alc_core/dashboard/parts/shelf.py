"""The team folder on pages."""

from __future__ import annotations

import datetime as dt
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace

import streamlit as st

from alc_core.campaign.file.database import saved_campaign
from alc_core.campaign.findings.decisions import decisions
from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.decision import release_decisions
from alc_core.candidates.lines import candidate_lines
from alc_core.dashboard.markdown import Markdown, literal, told_apart
from alc_core.dashboard.parts.campaign_file import open_campaign
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.campaign_state import CampaignResult
from alc_core.dashboard.state.session import Page, bind, go_to, refusal_told
from alc_core.dashboard.state.team import TEAM, is_auditor, person, record, refuse_auditors
from alc_core.errors import InputError
from alc_core.phrasing import count, sentence_case
from alc_core.scoring.verdict import standing_words
from alc_core.team.shelf import Decided, Held, Shelf, Shelved

_TEAM_CHARACTERS = 60


@dataclass(slots=True, kw_only=True, eq=False)
class PuttingScreen:
    """The message about a campaign put there."""

    team: str = ""


def draw_shelf(state: AppState) -> None:
    """Draw the team folder, if any, and offer to open."""
    if (shelf := TEAM.shelf) is None:
        return
    entries = shelf.entries()
    if not entries:
        st.caption("The team folder is empty.")
    for entry in entries:
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            st.markdown(_words(entry), width="stretch")
            _draw_open(state, shelf, entry, "Read", changes=False)
            if not is_auditor():
                _draw_open(state, shelf, entry, "Go on", changes=True)
            if entry.owner == person() and not is_auditor():
                st.button(
                    told_apart("Remove", f"{entry.name}, {entry.put}"),
                    icon=":material/delete:", key=f"remove_{entry.id}", type="tertiary",
                    on_click=_remove, args=(state, shelf, entry),
                )  # fmt: skip


def draw_on_shelf(state: AppState, campaign: CampaignResult) -> None:
    """Offer to put a campaign there, or show its decisions' history."""
    shelf = TEAM.shelf
    if shelf is None or not campaign.view.counts.finished:
        return
    if campaign.shelf_id:
        try:
            entry = shelf.entry(campaign.shelf_id)
        except InputError as error:  # removed meanwhile; what is open stays
            st.caption(literal(error))
            return
        st.caption(
            f":material/shelves: {literal(f'In the team folder until {_day(entry.until)}.')}"
        )
        if entry.history:
            with st.expander(f"History of decisions ({count(len(entry.history))})"):
                st.markdown("\n".join([_line(each) for each in entry.history]))
        return
    with st.popover("Share with the team", icon=":material/shelves:"):
        screen = state.screen(PuttingScreen, campaign.view)
        st.markdown(f"Your team can use it until {literal(_day(shelf.until().isoformat()))}.")
        st.text_input("Team", placeholder="Optional", **bind(screen, "team"))
        st.button("Share", type="primary", on_click=_put, args=(state, shelf, campaign, screen))


def keep_on_shelf(state: AppState) -> None:
    """Keep decisions in the team folder's file."""
    campaign, run = state.campaign, state.campaign_run
    if campaign is None or campaign.held is None:
        return
    if run is not None and run.folder is campaign.folder:  # Saved as a whole at its end
        return
    if campaign.held.seen != (now := campaign.content):
        refuse_auditors()
        _keep(campaign, campaign.held)
        campaign.held.seen = now


def _put(state: AppState, shelf: Shelf, campaign: CampaignResult, screen: PuttingScreen) -> None:
    with refusal_told():
        refuse_auditors()
        campaign.view.store.check_writable()
        name, team = campaign.view.settings.original.name, screen.team[:_TEAM_CHARACTERS]
        held = shelf.put(name, owner=person(), team=team)
        try:
            record("shelf put", id=held.id, name=name, team=team)
            _keep(campaign, held)
        except BaseException:
            held.remove()
            raise
        held.seen = campaign.content
        state.campaign = replace(campaign, shelf_id=held.id, held=held)


def _keep(campaign: CampaignResult, held: Held) -> None:
    view = campaign.view
    new = held.new(_decided(view), person())
    for each in new:
        record("shelf decision", id=held.id, about=each.about, choice=each.choice)
    lines = candidate_lines(view, view.settings.scoring, {})
    held.keep(
        saved_campaign(campaign.folder.path), new=new,
        standings={line.release: line.standing and line.shown_standing for line in lines},
    )  # fmt: skip


def _open(state: AppState, shelf: Shelf, entry: Shelved, *, changes: bool) -> None:
    last = state.campaign
    if changes and last is not None and last.held is not None and last.shelf_id == entry.id:
        return
    held = None
    if changes:
        refuse_auditors()
        held = shelf.hold(entry.id)
    try:
        record("shelf open", id=entry.id, name=entry.name, changes=changes)
        open_campaign(state, entry.name, shelf.read(entry.id), read_only=not changes)
        if (opened := state.campaign) is None:
            return
        state.campaign = replace(opened, shelf_id=entry.id, held=held)
        if held is not None:
            held.seen = opened.content
    except BaseException:
        if held is not None:
            held.close()
        raise


def _draw_open(state: AppState, shelf: Shelf, entry: Shelved, label: str, *, changes: bool) -> None:
    if st.button(
        told_apart(label, f"{entry.name}, {entry.put}"),
        key=f"{'change' if changes else 'read'}_{entry.id}",
    ):
        with refusal_told():
            _open(state, shelf, entry, changes=changes)
            go_to(Page.FINDINGS)


def _remove(state: AppState, shelf: Shelf, entry: Shelved) -> None:
    last = state.campaign
    own = last.held if last is not None and last.shelf_id == entry.id else None
    with refusal_told():
        refuse_auditors()
        with closing(shelf.hold(entry.id)) if own is None else nullcontext(own) as held:
            record("shelf removal", id=entry.id, name=entry.name)
            held.remove()
        if last is not None and own is not None:
            state.campaign = replace(last, held=None)


def _decided(view: CampaignView) -> list[Decided]:
    releases = [
        Decided(about=name, choice=each.choice, words=_said(each.reasons, each.conditions))
        for name, each in release_decisions(view.store).items()
    ]
    attacks = [
        Decided(about=number, choice=each.choice, words=_said(each.note))
        for number, each in decisions(view.store).items()
    ]
    return releases + attacks


def _said(*words: str) -> tuple[str, ...]:
    return tuple(filter(None, words))


def _words(entry: Shelved) -> Markdown:
    decided = entry.decided
    lines = []
    for release, standing in entry.standings.items():
        line = f"{release}: {'no result' if standing is None else standing_words(standing)}"
        if release in decided and (choice := decided[release].choice):
            line += f" → {sentence_case(choice)}, {decided[release].who}"
        lines.append(f"- {literal(line)}")
    whose = ", ".join(filter(None, (entry.owner, entry.team)))
    about = f"{whose}, {_day(entry.put[:10])}. Removed on {_day(entry.until)}."
    return "\n".join([f"**{literal(entry.name)}**, {literal(about)}", "", *lines])


def _line(decided: Decided) -> Markdown:
    about = f"attack {decided.about}" if isinstance(decided.about, int) else decided.about
    what = sentence_case(decided.choice or ("words alone" if decided.words else "taken back"))
    said = "".join(f" “{words}”" for words in decided.words)
    return f"- {literal(f'{decided.at[:16]}, {decided.who}: {about}: {what}.{said}')}"


def _day(iso: str) -> str:
    day = dt.date.fromisoformat(iso)
    return f"{day.day} {day:%B %Y}"
