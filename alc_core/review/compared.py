"""Releases compared, and sensitivity of verdicts, as blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from alc_core.campaign.findings.overview import CampaignOverview
from alc_core.campaign.findings.sensitivity import changing_attacks, flag_grid, sensitivity_answers
from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.coverage import UNLIKE, unlike_coverage
from alc_core.candidates.line import CandidateLine
from alc_core.candidates.lines import candidate_lines
from alc_core.compare.comparison import (
    BY_STRONGEST,
    comparable,
    compare_all,
    compare_releases,
    is_by_strongest,
    riskiest,
)
from alc_core.compare.sentences import (
    APART,
    CLIPPED,
    change_sentence,
    comparison_title,
    own_attacks_sentence,
    people_sentence,
    remaining_sentence,
)
from alc_core.figures.comparison import loss_distributions
from alc_core.figures.trade_offs import flag_heat_map
from alc_core.phrasing import count, loss_text, sentence_case
from alc_core.present.blocks import Block, Figure, Grid, Heading, Items, Remark, Text
from alc_core.review.campaign_words import not_attacked_sentences
from alc_core.scoring.parameters import ScoringParameters
from alc_core.studies.study import Viewpoint
from alc_core.studies.utility.result import stored_utilities
from alc_core.studies.utility.risk_map import risk_utility_map
from alc_core.studies.utility.study import UtilityStudy

_CHANGING_SHOWN = 25


def coverage_blocks(
    view: CampaignView, lines: Sequence[CandidateLine], scoring: ScoringParameters
) -> Iterator[Block]:
    """Yield attacks by release, unless all releases were tried alike."""
    yield from map(Text, not_attacked_sentences(lines))
    counts = unlike_coverage(view, scoring)
    if counts is not None:
        yield Text(UNLIKE)
        rows = [
            (str(column), *(count(each) if each else "\N{EN DASH}" for each in numbers))
            for column, numbers in zip(counts.index, counts.to_numpy().tolist(), strict=True)
        ]
        header = ("Column", *map(str, counts.columns))
        yield Grid(header=header, rows=tuple(rows), alt="Attacks by column and release.")


def compared_blocks(view: CampaignView, overview: CampaignOverview) -> Iterator[Block]:
    """Yield releases' risk and usefulness."""
    comparison = comparable(compare_releases(view, overview.scoring))
    measured, several = stored_utilities(view.store), len(comparison.releases) > 1
    if not several and not measured:
        yield Text("One release, without measured usefulness.")
        return
    changes = compare_all(comparison, riskiest(comparison))
    if several:
        yield Remark("", lead=f"{comparison_title(comparison, changes)}.")
    sentences = [
        BY_STRONGEST if is_by_strongest(comparison) else "",
        remaining_sentence(comparison),
        own_attacks_sentence(comparison) if several else "",
        people_sentence(comparison),
    ]
    yield Items((*map(change_sentence, changes), *filter(None, sentences)))
    if several:
        yield from (Text(APART, quiet=True), Text(CLIPPED, quiet=True))
        yield Figure("releases", lambda: loss_distributions(comparison))
    if any(each.relations_kept is not None for each in measured.values()):
        lines = candidate_lines(view, overview.scoring, {})
        yield Figure("utility", lambda: risk_utility_map(comparison, measured, lines=lines))
    if not measured:
        yield Text("Usefulness was not measured.", quiet=True)
        return
    study, look = UtilityStudy(), Viewpoint(short=True)
    yield Heading("Usefulness of the releases")
    yield from study.side_by_side([*measured.values()])
    for each in measured.values():
        yield Heading(f"Usefulness of {each.release}")
        yield from study.blocks(each, look)


def trade_off_blocks(view: CampaignView, overview: CampaignOverview) -> Iterator[Block]:
    """Yield whether verdicts depend on alpha and R_min, and which."""
    grid = flag_grid(view, scoring=overview.scoring)
    for answer in sensitivity_answers(grid):
        said = f"{sentence_case(answer.dependence)}. {answer.text}"
        yield Remark(said, lead=f"Does the verdict depend on {answer.of}?")
    if not grid.finished:
        yield Text("No attack has a result yet.")
        return
    yield Figure("trade-offs", lambda: flag_heat_map(grid, run=view.settings.scoring))
    changing = changing_attacks(grid, overview.results)
    if not len(changing):
        return
    cells = count(len(grid.alphas) * len(grid.r_mins))
    rows = [
        (
            f"{row['number']}: {row['unknown']} from {row['release']}",
            row["known"],
            *(loss_text(row[name]) for name in ("decisive_alc", "lowest", "highest")),
            f"{count(row['flagged'])} of {cells}",
        )
        for row in changing.head(_CHANGING_SHOWN).to_dict("records")
    ]
    yield Heading("Attacks that change with the parameters")
    yield Grid(
        header=("Attack", "Knowing", "ALC here", "Lowest", "Highest", "Reaches the limit in"),
        rows=tuple(rows), alt="Attacks whose verdict changes with alpha and R_min.",
    )  # fmt: skip
    if more := len(changing) - len(rows):
        yield Text(f"And {more} more.", quiet=True)
    yield Text("Combinations of alpha and R_min.", quiet=True)
