"""The verdict of a campaign or of one release as a chip, with tiles of counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from alc_core.campaign.findings.decisions import Decision, progress_sentence
from alc_core.campaign.findings.headline import campaign_headline
from alc_core.campaign.findings.overview import CampaignOverview, undecided_kinds
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.chips import chip, draw_chip
from alc_core.figures.palette import QUIET
from alc_core.figures.standings import LOOKS
from alc_core.phrasing import count
from alc_core.scoring.verdict import Verdict


def draw_campaign_verdict(
    overview: CampaignOverview, run: CampaignOverview, made: Mapping[int, Decision] | None = None
) -> None:
    """Draw the verdict of the attacks of a campaign or of a release: in words and as counts."""
    found = campaign_headline(overview, run)
    with st.container(border=True):
        title = f"What if ({found.what_if}): {found.title}" if found.what_if else found.title
        draw_chip(found.standing, title)
        if found.what_if:
            itself = chip(found.run_standing, found.run_title, size=0.85)
            st.html(f'<span style="font-weight:600">The run itself:</span> {itself}')
        decided = "" if made is None else progress_sentence(overview, made)
        for paragraph in filter(None, (*found.sentences, decided)):
            st.markdown(literal(paragraph))
        st.html(_tiles(overview, found.counts))
        if found.chance:
            st.caption("How far chance may flag harmless attacks", help=literal(found.chance))


def _tiles(overview: CampaignOverview, counts: Sequence[tuple[str, int]]) -> str:
    kinds = undecided_kinds(overview)
    undecided = ", ".join(
        kind if len(kinds) == 1 else f"{count(number)} {kind}" for kind, number in kinds.items()
    )
    told = {str(Verdict.UNDECIDED): undecided} if undecided else {}
    tiles = [
        _tile(look.colour, look.icon, number, look.word, told.get(standing, look.meaning))
        for standing, number in counts
        for look in [LOOKS[standing]]
    ]
    summary = overview.summary
    if summary.failed:
        tiles.append(_tile(QUIET, "!", summary.failed, "Failed", "reasons below"))
    if summary.to_run:
        tiles.append(_tile(QUIET, "…", summary.to_run, "Not yet run", "not counted"))
    return (
        '<div role="list" aria-label="Attacks by verdict" style="display:flex;flex-wrap:wrap;'
        f'gap:.5rem">{"".join(tiles)}</div>'
    )


def _tile(colour: str, icon: str, number: int, word: str, meaning: str) -> str:
    ground = f"background:{colour};color:#fff" if number else f"border-color:{colour};opacity:.75"
    return (
        f'<div role="listitem" style="flex:1 1 7.5rem;border:1px solid {colour};border-radius:6px;'
        f'padding:.45rem .7rem;{ground}"><div style="font-size:1.5rem;font-weight:650;'
        f'line-height:1.2"><span aria-hidden="true" style="font-size:1.1rem">{icon}</span> '
        f'{count(number)}</div><div style="font-weight:600">{word}</div>'
        f'<div style="font-size:.8rem">{meaning}</div></div>'
    )
