"""One row a release: verdict, what its worst attack learns, who is exposed, how its attacks end."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence

import streamlit as st

from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.decision import (
    RELEASE_CHOICE_STANDINGS,
    ReleaseDecision,
    release_choice_label,
)
from alc_core.candidates.lines import (
    CandidateLine,
    candidates_title,
)
from alc_core.dashboard.markdown import literal, told_apart
from alc_core.dashboard.parts.focus import Focus
from alc_core.dashboard.parts.panels import chip, plain_chip
from alc_core.dashboard.parts.verdicts import exposed_bar, release_sentence
from alc_core.figures.looks import GUIDE, LOOKS, counted
from alc_core.phrasing import count, sentence_case
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import Verdict
from alc_core.tables.checks.facts import FactKind, Weight, fact_chip, fact_meaning

_SMALL = "font-size:.85rem;line-height:1.3"
_FACT_LOOKS = {
    Weight.ALARM: f"background:{LOOKS[Verdict.SERIOUS].colour};color:#fff",
    Weight.ASK: f"background:{LOOKS[Verdict.AT_RISK].colour};color:#fff",
    Weight.CALM: f"box-shadow:inset 0 0 0 1px {GUIDE}",
}


def draw_lines(
    view: CampaignView,
    lines: Sequence[CandidateLine],
    scoring: ScoringParameters,
    made: Mapping[str, ReleaseDecision],
    focus: Focus,
    *,
    changed: str = "",
) -> None:
    """Draw the headline and a row for each release; `changed` says under which parameters."""
    under = f" under {changed}" if changed else ""
    with st.container(border=True, key="lines"):
        st.markdown(f"#### {literal(candidates_title(lines) + under)}")
        for place, line in enumerate(lines):
            with st.container(horizontal=True, vertical_alignment="center", wrap=False):
                sentence = release_sentence(view, line, scoring)
                st.html(_row(line, sentence, made.get(line.release)), width="stretch")
                worst = _opens(view, line, scoring)
                if worst is not None:
                    st.button(
                        told_apart("Worst attack", line.release),
                        key=f"worst_{place}", width="content",
                        on_click=focus.open, args=(worst,),
                    )  # fmt: skip


def _opens(view: CampaignView, line: CandidateLine, scoring: ScoringParameters) -> int | None:
    """Return the attack to open of a release: that which it stands on, if it counts by itself."""
    if line.worst is None:
        return None
    attack = line.worst.attack
    return (
        attack.number if attack in view.judged else view.only(line.release).overview(scoring).worst
    )


def _row(line: CandidateLine, sentence: str, decision: ReleaseDecision | None) -> str:
    decided = ""
    if decision is not None and decision.choice is not None:
        colour = LOOKS[RELEASE_CHOICE_STANDINGS[decision.choice]].colour
        label = f"Decided: {release_choice_label(decision.choice)}"
        decided = plain_chip(label, colour, size=0.75)
    return (
        '<div style="display:flex;flex-wrap:wrap;align-items:flex-start;gap:.35rem 1.6rem">'
        '<div style="flex:4 1 22rem;min-width:0">'
        '<div style="display:flex;flex-wrap:wrap;align-items:center;gap:.2rem .7rem">'
        f"{chip(line.shown_standing, line.title, size=0.85)}"
        f'<span style="font-weight:650">{html.escape(line.release)}</span>'
        f"<span>{html.escape(sentence_case(line.words))}</span>{decided}</div>"
        f'<div style="margin-top:.25rem">{html.escape(sentence)}</div></div>'
        f"{exposed_bar(line)}{_attacks(line)}{_facts(line)}</div>"
    )


def _facts(line: CandidateLine) -> str:
    """Draw what the check counted and asks for a look, or was asked for and answered."""
    chips = "".join(
        f'<span title="{html.escape(fact_meaning(fact))}" style="border-radius:1em;'
        f'padding:.1em .7em;{_FACT_LOOKS[fact.weight]}">{html.escape(fact_chip(fact))}</span>'
        for file in line.facts
        for fact in file.facts
        if (
            not line.exposes  # which only the right original can show
            if fact.kind is FactKind.ORIGINAL
            else fact.weight is not Weight.CALM
        )
    )
    return (
        f'<div style="flex:1 0 100%;display:flex;flex-wrap:wrap;gap:.3rem;{_SMALL}">{chips}</div>'
        if chips
        else ""
    )


def _attacks(line: CandidateLine) -> str:
    """Draw the attacks with a result as a bar of a part for each verdict."""
    parts = "".join(
        f'<div title="{html.escape(LOOKS[standing].word)}" style="flex:{number} 1 0;'
        f"min-width:1.6rem;background:{LOOKS[standing].colour};color:#fff;border-radius:3px;"
        f'text-align:center;font-size:.75rem;line-height:1.25rem">'
        f"{LOOKS[standing].icon}\u2009{count(number)}</div>"
        for standing, number in counted(line.counts)
    )
    more = f" of {count(line.planned)}" if line.finished < line.planned else ""
    return (
        f'<div style="flex:1 1 8rem;{_SMALL}">'
        f"{count(line.finished)}{more} attack{'' if line.planned == 1 else 's'}"
        f'<div style="display:flex;gap:2px">{parts}</div></div>'
    )
