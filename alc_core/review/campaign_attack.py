"""One attack of a campaign as blocks, for page and report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from alc_core.assessment.result import Assessment
from alc_core.campaign.findings.overview import CampaignOverview
from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.lines import candidate_lines, title_on_release
from alc_core.explain.context import ContextNumber
from alc_core.figures.one_attack import (
    loss_scale_figure,
    people_bars_figure,
    precision_recall_figure,
    right_people_figure,
)
from alc_core.glossary import explain
from alc_core.note import WEAK_GUESS
from alc_core.phrasing import count, listed, loss_text, named_facts, there
from alc_core.present import blocks as show
from alc_core.review.attack import models_words, sides_grid, stopped_blocks
from alc_core.review.attack_words import (
    counted_sentence,
    deciding_sentence,
    exposed_sentence,
    plain_sentence,
    short_sentence,
    targets_sentence,
    verdict_explanation,
)
from alc_core.review.release_words import line_exposed_words, lucky_sentence, through_sentence
from alc_core.scenario.relations import relation_sentence
from alc_core.scoring.curves import PrecisionRecallCurve
from alc_core.scoring.readings import READING_TITLES
from alc_core.scoring.verdict import perhaps, standing_words

SCALE, CURVES = "loss-scale", "precision-recall"


def fewer_facts_blocks(
    view: CampaignView, overview: CampaignOverview, number: int
) -> Iterator[show.Block]:
    """Yield the subset attack that decides, if any."""
    row = overview.row(number)
    if row["through"] is None:
        return
    through = view.attack(row["through"])
    alc, low, high = (row[f"standing_{each}"] for each in ("alc", "low", "high"))
    more = perhaps(row["standing"], alc, low, high, overview.scoring)
    yield show.Chip(row["standing"], standing_words(row["standing"], more))
    facts = named_facts(there(through.scenario.known, view.absent(through.release)))
    yield show.Text(through_sentence(row, facts))
    if through in view.judged:
        words = f"Open attack {count(through.number)} with fewer facts"
        yield show.Way(show.Place.ATTACK, words, through.number)


def found_blocks(view: CampaignView, number: int, assessment: Assessment) -> Iterator[show.Block]:
    """Yield what an attack learns about whom, and its verdict's meaning."""
    attack = view.attack(number)
    yield from stopped_blocks(assessment)
    yield show.Chip(assessment.verdict, title_on_release(view, attack, assessment))
    yield show.Heading(short_sentence(assessment), main=True)
    yield show.Text(
        f"From {attack.release}.",
        quiet=True,
        help=f"Attack {number}, {attack.attack}. Known: {listed(attack.scenario.known)}. "
        f"{attack.reason}",
    )
    right = show.Figure("right", partial(right_people_figure, assessment), plain=True)
    people = show.Figure("people", partial(people_bars_figure, assessment), plain=True)
    words = f"{explain('people exposed')} {counted_sentence(assessment)}"
    exposed = show.Text(exposed_sentence(assessment), strong=True, help=words)
    yield show.Beside(((right,), (people, exposed)))
    if (relation := view.relation(number)) is not None:
        yield show.Remark(relation_sentence(relation, attack.scenario.unknown))
    for note in assessment.notes:
        if note.code == WEAK_GUESS:
            yield show.Remark(note.text, show.Tone.WARNING)
    if lucky := lucky_sentence(view, number, assessment):
        yield show.Text(lucky)
    yield from _exposing_more(view, number, assessment)
    yield _scale(assessment)
    yield show.Text(verdict_explanation(assessment), help=deciding_sentence(assessment))


def _exposing_more(view: CampaignView, number: int, assessment: Assessment) -> Iterator[show.Block]:
    attack = view.attack(number)
    (line,) = candidate_lines(view.only(attack.release), assessment.scoring, {})
    told, most = line.people_exposed, line.most.attack if line.most else attack
    decides = line.worst is not None and line.worst.attack is attack
    if decides and told is not None and told.number and most is not attack and most in view.judged:
        words = f"By another attack: {line_exposed_words(line)}"
        yield show.Way(show.Place.ATTACK, words, most.number)


def evidence_blocks(assessment: Assessment) -> Iterator[show.Block]:
    """Yield the numbers and curves behind a verdict."""
    yield show.Text(f"{plain_sentence(assessment)} {deciding_sentence(assessment)}")
    yield show.Metrics(
        tuple(
            show.Metric(title, loss_text(assessment.loss_of(name)), explain(title))
            for name, title in READING_TITLES.items()
        )
    )
    yield sides_grid(assessment)
    yield show.Figure(CURVES, partial(precision_recall_figure, assessment))
    rest = " Open marks: people hard to guess." if assessment.points.known else ""
    yield show.Text(
        f"Above the baseline, the release reveals something.{rest}",
        quiet=True,
        help=(
            "Right: more people. Higher: more often correct. Large marks: best points. Faint: "
            "few predictions."
        ),
    )


def card_blocks(
    view: CampaignView,
    number: int,
    assessment: Assessment,
    *,
    fewer: str,
    numbers: Sequence[ContextNumber],
    meanings: bool,
    curves: tuple[PrecisionRecallCurve, PrecisionRecallCurve],
) -> Iterator[show.Block]:
    """Yield an attack's card: sentences, loss, both sides, settings.

    `fewer` names the deciding subset attack; `numbers` are beside ALC, with `meanings` if true;
    `curves` may be thinned.
    """
    yield show.Text(plain_sentence(assessment))
    more = lucky_sentence(view, number, assessment), deciding_sentence(assessment)
    yield show.Remark(" ".join(filter(None, more)), lead=exposed_sentence(assessment))
    if fewer:
        yield show.Text(fewer, strong=True)
    yield _scale(assessment)
    drawn = show.Figure(CURVES, partial(precision_recall_figure, assessment, curves))
    yield show.Beside(((sides_grid(assessment),), (drawn,)))
    beside = (
        (each.term, f"{each.value.removesuffix('.')}. {each.meaning}" if meanings else each.value)
        for each in numbers
    )
    run = (
        ("Why these facts", view.attack(number).reason),
        ("People", targets_sentence(assessment)),
        ("Baseline models", models_words(assessment)),
    )
    yield show.Facts((*beside, *run))


def _scale(assessment: Assessment) -> show.Figure:
    return show.Figure(SCALE, partial(loss_scale_figure, assessment), plain=True)
