"""The releases of a campaign, one line each: verdict, use, decision, and a way to look closer."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence

import streamlit as st

from alc_core.campaign.findings.headline import campaign_headline
from alc_core.campaign.findings.overview import CampaignOverview
from alc_core.candidates.decision import (
    RELEASE_CHOICE_STANDINGS,
    ReleaseDecision,
    release_choice_label,
)
from alc_core.candidates.lines import (
    CandidateLine,
    candidates_title,
    line_sentence,
    utility_sentence,
)
from alc_core.dashboard.markdown import literal, told_apart
from alc_core.dashboard.parts.chips import chip, plain_chip
from alc_core.dashboard.results.focus import Focus
from alc_core.figures.standings import LOOKS, counted
from alc_core.phrasing import sentence_case
from alc_core.scoring.verdict import Verdict


def draw_candidates(
    lines: Sequence[CandidateLine],
    overview: CampaignOverview,
    run: CampaignOverview,
    made: Mapping[str, ReleaseDecision],
    focus: Focus,
) -> None:
    """Draw what the attacks say of publishing each release."""
    found = campaign_headline(overview, run)
    with st.container(border=True):
        changed = f" under {found.what_if}" if found.what_if else ""
        st.markdown(f"#### {literal(candidates_title(lines) + changed)}")
        for place, line in enumerate(lines):
            with st.container(horizontal=True, vertical_alignment="center", wrap=False):
                st.html(_line(line, made.get(line.release)), width="stretch")
                st.button(
                    told_apart("Look closer", f"at {line.release}"),
                    key=f"look_{place}", width="content",
                    on_click=_look, args=(focus, line.release),
                )  # fmt: skip
        if found.chance:
            st.caption("How far chance may flag harmless attacks", help=literal(found.chance))


def _look(focus: Focus, release: str) -> None:
    focus.release = release


def standing_and_word(line: CandidateLine) -> tuple[str, str]:
    """Return the standing that gives a release its colour, and the word on it."""
    standing = line.standing or Verdict.NOTHING_LEFT
    word = LOOKS[standing].word if line.standing else "No result"
    return standing, f"{word} so far" if line.so_far else word


def _line(line: CandidateLine, decision: ReleaseDecision | None) -> str:
    standing, word = standing_and_word(line)
    decided = ""
    if decision is not None and decision.choice is not None:
        colour = LOOKS[RELEASE_CHOICE_STANDINGS[decision.choice]].colour
        label = f"Decided: {release_choice_label(decision.choice)}"
        decided = plain_chip(label, colour, size=0.75)
    use = utility_sentence(line)
    return (
        '<div style="display:flex;flex-wrap:wrap;align-items:center;gap:.2rem .7rem">'
        f"{chip(standing, word, size=0.85)}"
        f'<span style="font-weight:650">{html.escape(line.release)}</span>'
        f"<span>{html.escape(sentence_case(line.words))}</span>{decided}"
        f'<div style="flex:1 0 100%;font-size:.9rem;opacity:.9">'
        f"{html.escape(line_sentence(line))}{' ' + html.escape(use) if use else ''}</div>"
        '<div aria-hidden="true" style="flex:1 0 100%;display:flex;height:.4rem;gap:2px">'
        f"{_bar(line)}</div></div>"
    )


def _bar(line: CandidateLine) -> str:
    return "".join(
        f'<div style="flex:{number} 1 0;min-width:3px;background:{LOOKS[standing].colour};'
        f'border-radius:2px"></div>'
        for standing, number in counted(line.counts)
    )
