"""A campaign's verdict as a chip, tiles of counts and a bar for each release."""

from __future__ import annotations

import html
from collections.abc import Mapping

import streamlit as st

from alc_core.assessment.words import loss_text
from alc_core.campaign.findings.decisions import Decision, progress_sentence
from alc_core.campaign.findings.overview import (
    MIXED_EVIDENCE,
    STANDINGS,
    CampaignOverview,
    ReleaseStanding,
    advice,
    cautions_sentence,
    overview_title,
    undecided_kinds,
    what_if_text,
)
from alc_core.campaign.findings.summary import headline
from alc_core.campaign.rescore.outcome_codes import TOO_FEW_TARGETS
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.chips import COLOURS, ICONS, QUIET, chip, draw_chip, sentence_case
from alc_core.phrasing import count
from alc_core.scoring.verdict import Verdict

_RELEASES_SHOWN = 8
_MEANINGS: dict[str, str] = {
    Verdict.SERIOUS: "most is learned",
    Verdict.AT_RISK: "to be examined",
    Verdict.UNDECIDED: "treat as the worse",
    MIXED_EVIDENCE: "verdict alone harmless",
    Verdict.SAFE: "below the limit",
    Verdict.NO_LOSS: "no gain over a guess",
    TOO_FEW_TARGETS: "nothing can be said",
}
_ALWAYS = (Verdict.SERIOUS, Verdict.AT_RISK, Verdict.UNDECIDED, Verdict.SAFE, Verdict.NO_LOSS)


def draw_campaign_verdict(
    overview: CampaignOverview, run: CampaignOverview, made: Mapping[int, Decision] | None = None
) -> None:
    """Draw the verdict of a campaign: in words, as counts, and for each release."""
    with st.container(border=True):
        title = overview_title(overview)
        if changed := what_if_text(overview.scoring, run.scoring):
            title = f"What if ({changed}): {title}"
        draw_chip(_colour_of(overview), title)
        if changed:
            itself = chip(_colour_of(run), overview_title(run), size=0.85)
            st.html(f'<span style="font-weight:600">The run itself:</span> {itself}')
        sentences = [
            headline(overview.summary),
            cautions_sentence(overview.counts),
            advice(overview),
            "" if made is None else progress_sentence(overview, made),
        ]
        st.markdown(literal(" ".join(filter(None, sentences))))
        st.html(_tiles(overview))
        if len(overview.releases) > 1:
            st.html(_releases(overview.releases))


def _colour_of(overview: CampaignOverview) -> str:
    """Return the standing whose colour the title has: harmless only when nothing is missing."""
    standing = overview.standing or TOO_FEW_TARGETS
    harmless = standing in (Verdict.SAFE, Verdict.NO_LOSS)
    return TOO_FEW_TARGETS if harmless and overview.summary.to_run else standing


def _tiles(overview: CampaignOverview) -> str:
    kinds = undecided_kinds(overview)
    undecided = ", ".join(
        kind if len(kinds) == 1 else f"{count(number)} {kind}" for kind, number in kinds.items()
    )
    meanings = dict(_MEANINGS)
    if undecided:
        meanings[Verdict.UNDECIDED] = undecided
    tiles = [
        _tile(
            COLOURS[each], ICONS[each], overview.counts[each], sentence_case(each), meanings[each]
        )
        for each in STANDINGS
        if overview.counts[each] or each in _ALWAYS
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


def _releases(releases: tuple[ReleaseStanding, ...]) -> str:
    rows = "".join(_release(release) for release in releases[:_RELEASES_SHOWN])
    more = len(releases) - _RELEASES_SHOWN
    rest = f"<div>{more} more releases are in the table below.</div>" if more > 0 else ""
    return (
        '<div style="font-weight:600;margin:.2rem 0 .4rem">By release</div>'
        f'<div style="display:grid;gap:.6rem">{rows}{rest}</div>'
    )


def _release(release: ReleaseStanding) -> str:
    loss = release.worst_alc
    worst = "" if loss is None else f"highest ALC {loss_text(loss)}; "
    if loss is not None and loss <= 0:
        worst = ""
    return (
        '<div style="display:flex;flex-wrap:wrap;align-items:center;gap:.3rem .7rem">'
        f"{chip(release.standing, sentence_case(release.standing), size=0.85)}"
        f'<span style="font-weight:600">{html.escape(release.release)}</span>'
        f'<span style="flex:1 1 12rem;font-size:.9rem">{worst}{_counted(release.counts)}</span>'
        f'<div aria-hidden="true" style="flex:1 0 100%;display:flex;height:.55rem;gap:2px">'
        f"{_bar(release.counts)}</div></div>"
    )


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count(counts[each])} {each}" for each in STANDINGS if counts[each])


def _bar(counts: Mapping[str, int]) -> str:
    return "".join(
        f'<div style="flex:{counts[each]} 1 0;min-width:3px;background:{COLOURS[each]};'
        f'border-radius:2px;opacity:{0.5 if each == Verdict.NO_LOSS else 1}"></div>'
        for each in STANDINGS
        if counts[each]
    )
