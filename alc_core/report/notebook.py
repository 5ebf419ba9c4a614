"""Results in a notebook: text, figure, and HTML without scripts."""

from __future__ import annotations

from functools import singledispatch
from html import escape
from typing import TYPE_CHECKING

import pandas as pd

from alc_core.assessment.result import Assessment
from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.gate import FoundRelease, Gate
from alc_core.candidates.line import CandidateLine
from alc_core.candidates.lines import candidate_lines
from alc_core.compare.campaigns import CampaignChanges
from alc_core.present.blocks import Block, Chip, Grid, Text
from alc_core.present.renderers import WIDTH, blocks_html, terminal_text
from alc_core.report.text import summary_text
from alc_core.review.attack import attack_blocks
from alc_core.review.attack_words import reading_text
from alc_core.review.campaign import campaign_blocks, stopped_blocks
from alc_core.review.campaign_words import headline
from alc_core.review.release import releases_grid
from alc_core.review.release_words import learned_sentence
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.readings import READINGS, Interval
from alc_core.tables.checks.finding import Finding, Severity

if TYPE_CHECKING:
    import plotly.graph_objects as go

_SHOWN = 20
_WIDTH, _HEIGHT, _LEFT = 320, 14, -1.0


@singledispatch
def summary(found: object) -> str:
    """Return what was found, as lines to read."""
    raise TypeError(f"{type(found).__name__} has no summary.")


@singledispatch
def plot(found: object) -> go.Figure:
    """Return what was found as a figure."""
    raise TypeError(f"{type(found).__name__} has no figure.")


@singledispatch
def html(found: object) -> str:
    """Return what was found as HTML."""
    raise TypeError(f"{type(found).__name__} has no HTML.")


@summary.register
def _(found: Assessment) -> str:
    return summary_text(found)


@plot.register(Assessment)
def _(found: Assessment) -> go.Figure:
    from alc_core.figures.one_attack import loss_scale_figure

    return loss_scale_figure(found)


@html.register
def _(found: Assessment) -> str:
    from alc_core.figures.looks import LOOKS

    def chip(verdict: Chip) -> str:
        look = f"background:{LOOKS[verdict.standing].colour};color:#fff;padding:.1em .5em"
        return f'<p><strong style="{look}">{escape(verdict.text)}</strong></p>'

    *told, numbers = attack_blocks(found)
    more = f"<details><summary>All numbers</summary>{_drawn(numbers)}</details>"
    said = blocks_html(told, picture=lambda _: "", chip=chip)
    return f"<div>{said}{_readings(found)}{more}</div>"


@summary.register
def _(found: CampaignView) -> str:
    return terminal_text(campaign_blocks(found, found.settings.scoring, shown=_SHOWN), width=WIDTH)


@plot.register(CampaignView)
def _(found: CampaignView) -> go.Figure:
    from alc_core.figures.attacks import loss_scatter

    scoring = found.settings.scoring
    return loss_scatter(found.overview(scoring).results, scoring)


@html.register
def _(found: CampaignView) -> str:
    scoring = found.settings.scoring
    lines = candidate_lines(found, scoring, {})
    said = Text(headline(found.overview(scoring)))
    blocks = (*stopped_blocks(lines), said, releases_grid(lines, stopped_said=True))
    worst = (
        f"<p><strong>{escape(line.release)}: its worst attack</strong></p>"
        f"{_readings(found.assessment(line.worst.attack.number))}"
        for line in lines
        if line.worst
    )
    return f"<div>{_drawn(*blocks)}{''.join(worst)}</div>"


@html.register
def _(found: CandidateLine) -> str:
    return _drawn(releases_grid([found]))


@html.register
def _(found: Finding) -> str:
    answer = f" (accept: {found.answers[0]})" if found.severity is Severity.QUESTION else ""
    head = f"{found.severity.capitalize()}: {found.place}"
    said = f"{found.message} {found.action}{answer}"
    return f"<div><p><strong>{escape(head)}</strong></p><p>{escape(said)}</p></div>"


@html.register
def _(found: Gate) -> str:
    rows = tuple((line.release, line.outcome, line.why) for line in found.releases)
    return _drawn(Grid(header=("Release", "Gate", "Why"), rows=rows, alt="", left=True))


@html.register
def _(found: CampaignChanges) -> str:
    return f"<div>{_drawn(*found.blocks())}</div>"


def _drawn(*blocks: Block) -> str:
    return blocks_html(blocks, picture=lambda _: "")


def releases(view: CampaignView, scoring: ScoringParameters) -> pd.DataFrame:
    """Return a row of findings per release."""
    lines = candidate_lines(view, scoring, {})
    rows = [
        (
            line.release, line.title, line.words, learned_sentence(view, line, scoring),
            *((worst.alc, worst.low, worst.high, worst.attack.number) if worst else (None,) * 4),
            FoundRelease.of(line).people_exposed,
            *((max(most.exposed_low, 0.0), max(most.exposed_high, 0.0)) if most else (None,) * 2),
        )
        for line in lines
        for worst, most in [(line.worst, line.most)]
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=list(_RELEASE_COLUMNS)).astype(_RELEASE_COLUMNS)


_RELEASE_COLUMNS = {
    "release": "str", "title": "str", "publishing": "str", "sentence": "str",
    "decisive_alc": "float64", "decisive_low": "float64", "decisive_high": "float64",
    "attack": "Int64", "people_exposed": "Int64", "exposed_low": "float64",
    "exposed_high": "float64",
}  # fmt: skip


def _readings(found: Assessment) -> str:
    return "".join(
        f"<div>{_scale(found.loss_of(name), found.interval_of(name), found.scoring)} "
        f"{escape(reading_text(found, name))}</div>"
        for name in READINGS
    )


def _scale(loss: float, interval: Interval, scoring: ScoringParameters) -> str:
    """Draw an ALC, its interval and the limits on a line from -1 to 1."""
    low, at, high = (
        round((min(max(value, _LEFT), 1.0) - _LEFT) / (1.0 - _LEFT) * _WIDTH)
        for value in (interval[0], loss, interval[1])
    )
    limits = "".join(
        f'<line x1="{x}" x2="{x}" y1="0" y2="{_HEIGHT}" stroke="#888" stroke-dasharray="2 2"/>'
        for limit in (0.0, scoring.at_risk, scoring.serious)
        for x in [round((limit - _LEFT) / (1.0 - _LEFT) * _WIDTH)]
    )
    middle = _HEIGHT // 2
    return (
        f'<svg width="{_WIDTH}" height="{_HEIGHT}" role="img" style="background:#f2f2f2">{limits}'
        f'<line x1="{low}" x2="{high}" y1="{middle}" y2="{middle}" stroke="#333" stroke-width="3"/>'
        f'<circle cx="{at}" cy="{middle}" r="5" fill="#333"/></svg>'
    )
