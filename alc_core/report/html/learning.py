"""Studies of learning attacks that a campaign's file keeps, as a part of the report."""

from __future__ import annotations

from dataclasses import dataclass

from alc_core.campaign.findings.view import CampaignView
from alc_core.figures.learning import groups_alt, groups_figure, noise_alt, noise_figure
from alc_core.report.html.charts import ChartBook, Picture
from alc_core.studies.learning.example import example_sentence
from alc_core.studies.learning.kept import KEPT_EXAMPLES, KEPT_STUDIES
from alc_core.studies.learning.result import LearningStudy
from alc_core.studies.learning.words import (
    belief_sentence,
    convergence_sentence,
    groups_sentence,
    noise_sentence,
    run_sentence,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningPart:
    """What was studied of one unknown column."""

    unknown: str  # The column
    run: str  # What was run
    shown: tuple[tuple[Picture, tuple[str, ...]], ...]  # Each figure with what it shows
    example: str  # What the worked example found; empty where it was not run


def learning_parts(view: CampaignView, book: ChartBook) -> tuple[LearningPart, ...]:
    """Return the studies and worked examples of a campaign, by unknown column."""
    studies, examples = KEPT_STUDIES.read(view.store), KEPT_EXAMPLES.read(view.store)
    parts = []
    for number, unknown in enumerate(sorted({*studies, *examples})):
        study, example = studies.get(unknown), examples.get(unknown)
        parts.append(
            LearningPart(
                unknown=unknown,
                run="" if study is None else " ".join([run_sentence(study), *study.notes]),
                shown=() if study is None else _shown(study, number, book),
                example="" if example is None else example_sentence(example),
            )
        )
    return tuple(parts)


def _shown(
    study: LearningStudy, number: int, book: ChartBook
) -> tuple[tuple[Picture, tuple[str, ...]], ...]:
    found = []
    if study.noise is not None:
        picture = book.add(f"learning-{number}-noise", noise_figure(study), noise_alt(study))
        found.append((picture, (noise_sentence(study), belief_sentence(study))))
    for merged in study.merged:
        picture = book.add(
            f"learning-{number}-groups-{merged}",
            groups_figure(study, merged),
            groups_alt(study, merged),
        )
        sentences = groups_sentence(study, merged), convergence_sentence(study, merged)
        found.append((picture, sentences))
    return tuple(found)
