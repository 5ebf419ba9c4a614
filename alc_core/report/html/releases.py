"""A report's first page: decisions, attacks and studies by release."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from markupsafe import Markup, escape

from alc_core.campaign.findings.decisions import decisions
from alc_core.campaign.findings.overview import STANDINGS, CampaignOverview
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.model import CampaignSettings, PlannedAttack
from alc_core.candidates.decision import RELEASE_CHOICE_STANDINGS, release_decisions
from alc_core.candidates.line import Reason
from alc_core.candidates.lines import candidate_lines, chosen_releases, release_order
from alc_core.compare.comparison import NO_RESULT, Comparison, comparable, compare_releases
from alc_core.figures.attacks import loss_scatter
from alc_core.figures.comparison import matrix_rows, worst_of
from alc_core.figures.looks import LOOKS
from alc_core.figures.one_attack import right_people_figure
from alc_core.phrasing import count, listed, there
from alc_core.present.blocks import Block, Chip, Figure, Remark
from alc_core.present.renderers import blocks_html
from alc_core.report.html.charts import ChartBook
from alc_core.report.html.scenario import data_blocks, notes_blocks
from alc_core.report.sections import Section
from alc_core.review.compared import compared_blocks, trade_off_blocks
from alc_core.review.decision_words import (
    advice_words,
    conditions_words,
    decision_reason,
    objections,
    release_choice_label,
    release_decision_sentence,
)
from alc_core.review.release import release_blocks
from alc_core.review.release_words import line_sentence, utility_sentence
from alc_core.runtime.progress import Reporter
from alc_core.scenario.derived import base_columns
from alc_core.scoring.parameters import ScoringParameters
from alc_core.studies.registry import with_parts
from alc_core.studies.study import CampaignStanding, Viewpoint, result_blocks
from alc_core.studies.utility.result import stored_utilities

_APART, _MATRIX_ROWS, _NAMED = 6, 12, 15


def release_parts(view: CampaignView, scoring: ScoringParameters) -> list[dict[str, Any]]:
    """Return each release's findings, decision (`made`) and reason."""
    made, attacks = release_decisions(view.store), decisions(view.store)
    parts = []
    for line in candidate_lines(view, scoring, stored_utilities(view.store)):
        decision = made.get(line.release)
        choice = None if decision is None else decision.choice
        overview = view.only(line.release).overview(scoring)
        parts.append(
            {
                "line": line,
                "standing": line.shown_standing,
                "advice": advice_words(line, decision),
                "blocks": [*release_blocks(view, line, scoring)],
                "found": line_sentence(line),
                "use": utility_sentence(line),
                "made": decision,
                "label": release_choice_label(choice) if choice else "",
                "label_standing": RELEASE_CHOICE_STANDINGS[choice] if choice else "",
                "said": release_decision_sentence(decision, line) if decision else "",
                "objections": objections(line, overview, attacks, choice),
                "why": decision_reason(line, made),
                "conditions": conditions_words(decision) if decision else "",
            }
        )
    return parts


def worst_figure(
    view: CampaignView, parts: Sequence[Mapping[str, Any]], scoring: ScoringParameters
) -> tuple[Figure, ...]:
    """Return the figure of correct answers of the only release's worst attack."""
    (worst,) = [part["line"].worst for part in parts]
    if worst is None:
        return ()
    shown = view.assessment(worst.attack.number, scoring)
    return (Figure("people", lambda: right_people_figure(shown)),)


_SIZES = (9.6, 9.2, 8.8, 8.4, 8.0, 7.6)  # Font sizes of the first page, in points
_TWO_PAGES = 8.8  # If it takes more than a page
_HEIGHT, _LINE = 735, 1.3  # Height of a page in points; of a line in font sizes
_CHARACTERS, _IN_TITLE = 890, 49  # Of one point in a line, and in the title
_IN_A_ROW = 600  # Characters in a table's widest column
_FIXED, _TITLE = 90, 18  # Points of signature and margins, and of a title line
_LEAST, _EACH = 8, 3  # Lines besides the texts, and per release
_MARGINS = 7  # Of a paragraph
_PICTURE = 250  # Height of a picture, and of a table's head


def front_size(
    parts: Sequence[Mapping[str, Any]],
    rows: Sequence[str] = (),
    *,
    opening: str = "",
    texts: Sequence[str] = (),
) -> tuple[float, bool]:
    """Return the first page's font size, and whether it is a single page.

    Besides releases it has `texts`. A release's page also has table `rows` and a picture.
    """
    told = [
        text
        for part in parts
        for text in (
            part["why"],
            *(each.text for each in part["blocks"]),
            part["conditions"],
        )
        if text
    ]

    def fits(points: float) -> bool:
        lines = sum(-(-len(text) * points // _CHARACTERS) for text in (*told, *texts))
        lines += sum(-(-len(text) * points // _IN_A_ROW) + 1 for text in rows)
        fixed = _FIXED + _MARGINS * len(texts) + (_PICTURE if rows else 0)
        fixed += _TITLE * -(-len(opening) // _IN_TITLE)
        return (_LEAST + _EACH * len(parts) + lines) * points * _LINE + fixed <= _HEIGHT

    found = next(filter(fits, _SIZES), None)
    return (found, True) if found else (_SIZES[-1] if rows else _TWO_PAGES, False)


_BY_TABLES = "shown by the tables themselves"
_BY_ATTACKS = "many people exposed, no attack clearly above the limit"


def front_legend(parts: Sequence[Mapping[str, Any]]) -> list[tuple[str, str, str]]:
    """Return words, standing and meaning of releases' verdicts."""
    found = {}
    for part in parts:
        line, standing = part["line"], part["standing"]
        word, meaning = LOOKS[standing].word, LOOKS[standing].meaning
        if line.undone:
            by_tables = line.reason is not Reason.EXPOSED
            word, meaning = line.title, _BY_TABLES if by_tables else _BY_ATTACKS
        found[word] = (word, standing, meaning)
    return list(found.values())


def scope_sentence(view: CampaignView) -> str:
    """Say on which columns an attack has a result, by release."""
    scopes: dict[str, list[str]] = {}
    for name in chosen_releases(view):
        own = [each for each in view.tested if each.release == name]
        scopes.setdefault(_scope(own, view.settings, view.absent(name)), []).append(name)
    if len(scopes) == 1:
        return next(iter(scopes))
    return " ".join(f"{listed(names)}: {said}" for said, names in scopes.items())


def _scope(
    attacks: Sequence[PlannedAttack], settings: CampaignSettings, absent: Collection[str]
) -> str:
    columns = settings.kinds
    attacked = dict.fromkeys(each.scenario.unknown for each in attacks)
    if not attacked:
        return "No column was tested."
    if columns.keys() <= attacked.keys():
        wanted = dict.fromkeys(each.scenario.wanted for each in attacks)
        also = listed([name for name in wanted if name not in columns])
        also = f", and {also}" if also else ""
        return f"All {count(settings.original.columns)} columns were tested{also}."
    said = f"Tested: {listed(list(attacked))}."
    taken = base_columns(attacked, columns)
    rest = there(columns, {*taken, *absent})
    if not rest:
        return said
    if len(rest) < len(attacked):
        return f"All {'shared ' if absent else ''}columns were tested except {listed(rest)}."
    others = listed(rest) if len(rest) <= _NAMED else f"{count(len(rest))} other columns"
    return f"{said} Not tested: {others}."


def attack_matrix(
    view: CampaignView, scoring: ScoringParameters, known: Mapping[int, str]
) -> dict[str, Any] | None:
    """Return the worst attacks by release and column; None for one release.

    Rows have a title, what is known, and cells: standing and ALC (0 for no loss), None without a
    result.
    """
    comparison = comparable(compare_releases(view, scoring))
    if len(comparison.releases) < 2:
        return None
    places = [comparison.releases.index(name) for name in release_order(view, scoring)]
    found = matrix_rows(comparison, apart=_APART, most=_MATRIX_ROWS)
    several = len(set(comparison.attack)) > 1
    rows = []
    for first, cells, attacks in zip(found.first, found.cells, found.attacks, strict=True):
        if found.grouped:
            what = worst_of(attacks)
        else:
            numbers = comparison.number[first].tolist()
            what = f"knowing {next((known[n] for n in numbers if n in known), '')}"
            what += f", by {comparison.attack[first]}" if several else ""
        shown = [_cell(comparison, int(cells[place]), place) for place in places]
        rows.append((comparison.unknown[first], what, shown))
    releases = [comparison.releases[place] for place in places]
    return {"releases": releases, "rows": rows, "left_out": found.left_out}


def _cell(comparison: Comparison, row: int, place: int) -> tuple[str | None, float | None]:
    code = NO_RESULT if row < 0 else int(comparison.standing[row, place])
    if code == NO_RESULT:
        return None, None
    loss = float(comparison.loss[row, place])
    return STANDINGS[code], None if np.isnan(loss) else loss


def scatter_picture(overview: CampaignOverview, book: ChartBook) -> Markup | None:
    """Return the figure of all attacks; None for fewer than two."""
    if int(overview.results["decisive_alc"].notna().sum()) < 2:
        return None
    return book.add("attacks", loss_scatter(overview.results, overview.scoring))


_SECTIONS: dict[str, tuple[str, Callable[[CampaignView, CampaignOverview], Iterable[Block]]]] = {
    Section.DATA: ("Reading the data", data_blocks),
    Section.TRADE_OFFS: ("Scoring over alpha and R_min", trade_off_blocks),
    Section.RELEASES: ("Comparing releases", compared_blocks),
    Section.NOTES: ("Reading notes", notes_blocks),
}  # Progress text, and maker


def drawn_sections(
    view: CampaignView,
    overview: CampaignOverview,
    book: ChartBook,
    shown: Collection[str],
    reporter: Reporter,
) -> dict[str, Markup]:
    """Return sections' blocks as HTML; empty if none."""
    made: dict[str, list[Block]] = {}
    for name, (stage, blocks_of) in _SECTIONS.items():
        if name in shown:
            reporter.report(stage)
            made[name] = [*blocks_of(view, overview)]
    look = Viewpoint(standing=CampaignStanding(view=view, overview=overview), short=True)
    for study in with_parts():
        if study.kept is not None and study.section in shown:
            results = list(study.kept.read(view.store).values())
            blocks = [*result_blocks(study, results, look)] if results else []
            if blocks and study.section == Section.STUDIES:  # which several share
                blocks.insert(0, Remark(study.sentence, lead=f"{study.title}."))
            made.setdefault(study.section, []).extend(blocks)
    return {name: drawn(blocks, book, name) for name, blocks in made.items()}


def drawn(blocks: Iterable[Block], book: ChartBook, name: str = "front") -> Markup:
    """Return blocks as HTML, with figures in a book."""

    def picture(figure: Figure) -> str:
        key = f"{name}-{len(book.charts)}-{figure.name}"
        return book.add(key, figure.draw(), figure.alt)

    def chip(found: Chip) -> str:
        look, said = LOOKS[found.standing], escape(found.text)
        return f'<p><span class="chip s-{look.style}">{look.icon} {said}</span></p>'

    return Markup(blocks_html(blocks, picture, chip))  # noqa: S704 - every text in it was escaped


def nothing_measured() -> dict[str, str]:
    """Return texts of sections without results."""
    said = dict.fromkeys(_SECTIONS, "")
    said[Section.STUDIES] = "Nothing else was measured."
    for study in with_parts():
        said.setdefault(study.section, study.unmeasured)
    return said
