"""A campaign as a document."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import cache
from importlib import resources
from typing import Any

import pandas as pd
from jinja2 import Environment, PackageLoader, StrictUndefined

from alc_core.attacks.registry import attack_type
from alc_core.campaign.findings.decisions import (
    CHOICE_MEANINGS,
    asking_attacks,
    choice_label,
    decision_label,
)
from alc_core.campaign.findings.overview import CampaignOverview, bounds_text
from alc_core.campaign.findings.subsets import through_text
from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.decision import release_decisions
from alc_core.candidates.line import publishing_of
from alc_core.explain.context import ContextNumber, attack_contexts, context_facts
from alc_core.explain.drivers import (
    attack_losses,
    attack_pairs,
    contribution_sentence,
    contributions,
)
from alc_core.figures.comparison import EACH_WORST
from alc_core.figures.looks import ATTACK, BASELINE, LOOKS, counted, marks_sentence
from alc_core.glossary import GLOSSARY, explain
from alc_core.phrasing import (
    cell_text,
    count,
    day_words,
    listed,
    loss_text,
    percent,
    printable,
    sentence_case,
)
from alc_core.report.html.attacks import (
    MOST_CARDS,
    Line,
    attack_cards,
    attack_lines,
    decision_part,
    measure_parts,
    place_html,
    scale_place,
)
from alc_core.report.html.charts import ChartBook
from alc_core.report.html.releases import (
    attack_matrix,
    drawn,
    drawn_sections,
    front_legend,
    front_size,
    nothing_measured,
    release_parts,
    scatter_picture,
    scope_sentence,
    worst_figure,
)
from alc_core.report.html.scenario import (
    THINNED_OUT,
    added_later,
    campaign_command,
    campaign_tables,
    report_command,
    scenario_facts,
)
from alc_core.report.options import ReportOptions
from alc_core.report.sections import Depth, Section
from alc_core.report.standards import standards
from alc_core.review.attack_words import exposed_text
from alc_core.review.campaign import verdict_blocks
from alc_core.review.campaign_words import (
    chance_sentence,
    flips_sentence,
    left_out_sentence,
    strangers_sentence,
    untried_sentence,
    what_if_text,
)
from alc_core.review.compared import coverage_blocks
from alc_core.review.decision_words import opening_sentence, together_sentence
from alc_core.runtime.progress import Reporter
from alc_core.scenario.relations import relation_sentence
from alc_core.scoring.parameters import parameters_text
from alc_core.version import software_versions

# Fonts of the reader's machine
FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", sans-serif'
_MEANINGS_SHOWN = 40  # Most cards that explain their familiar numbers
_DRIVES = "Without one known column at a time."
_DETERMINED = "Protect such columns together."
_WORST = 4  # Attacks on a release's page
_RUNNING = 110  # Characters of the running title


def report_html(
    view: CampaignView,
    options: ReportOptions | None = None,
    *,
    reporter: Reporter | None = None,
) -> str:
    """Return a report as one HTML document without requests.

    Parameters
    ----------
    view : CampaignView
        The campaign.
    options : ReportOptions, optional
        What the report holds; by default everything, scored as the campaign is.
    reporter : Reporter, optional
        Is told of progress.

    Examples
    --------
    >>> with CampaignView("review.alc") as view:
    ...     print(report_html(view, ReportOptions(depth="short"))[:15])
    <!doctype html>
    """
    options = options or ReportOptions(scoring=view.settings.scoring)
    reporter = reporter or Reporter()
    view.settle(options.scoring, reporter=reporter)
    reporter.report("Scoring all attacks")
    overview = view.overview(options.scoring)
    lines = attack_lines(view, overview, {attack.number: attack for attack in view.attacks})
    book = ChartBook()
    content = _common(view, options, overview, lines, book)
    if options.depth is Depth.FULL:
        content |= _full(view, options, overview, content, book, reporter)
    reporter.report("Building the report", 1, 1)
    # Five megabytes, only needed for charts
    content["charts"] = book.to_json() if book.charts else ""
    content["plotly"] = _plotly() if book.charts else ""
    return _environment().get_template("report.html.j2").render(content)


def release_page(
    view: CampaignView, release: str, options: ReportOptions, *, reporter: Reporter | None = None
) -> str:
    """Return a release's page, with fixed sections."""
    one = replace(options, depth=Depth.SHORT, sections=(Section.DECISION,))
    return report_html(view.only(release), one, reporter=reporter)


def _common(
    view: CampaignView,
    options: ReportOptions,
    overview: CampaignOverview,
    lines: tuple[Line, ...],
    book: ChartBook,
) -> dict[str, Any]:
    settings, scoring = view.settings, options.scoring
    flips = view.flips(scoring)
    asking = set(asking_attacks(overview))
    flagged = tuple(line for line in lines if line["number"] in asking)
    original, day = settings.original.name, day_words(options.details.date)
    decision = decision_part(view, scoring, lines)
    empty = () if options.sections or decision["lines"] else (Section.DECISIONS,)
    shown = tuple(section for section in options.shown if section not in empty)
    known = {line["number"]: line["known"] for line in lines}
    parts, made = release_parts(view, scoring), release_decisions(view.store)
    releases = [part["line"] for part in parts]
    caveats = together_sentence(made), untried_sentence(releases), strangers_sentence(releases)
    title, scope = f"Privacy review of {original}", scope_sentence(view)
    worst: dict[str, Line] = {}  # Each deciding subset attack once
    if view.release:
        title += f": release {view.release}"
        for line in lines:
            worst.setdefault(f"{line['unknown']}, knowing {line['enough']}", line)
    opening, left_out = (
        opening_sentence([e.release for e in releases], made),
        left_out_sentence(view),
    )
    texts = [*filter(None, (scope, left_out, *caveats))]
    points, fits = front_size(parts, [*worst][:_WORST], opening=opening, texts=texts)
    return {
        "title": title,
        "running": css_text(printable(title)[:_RUNNING]),
        "running_day": css_text(day),
        "opening": opening,
        "caveats": [*filter(None, caveats)],
        "settings": settings,
        "tables": campaign_tables(settings),
        "depth": options.depth,
        "sections": {},
        "unmeasured": {},
        "shown": shown,
        "details": options.details,
        "marks": marks_sentence(scoring),
        "scale": tuple(map(scale_place, (0.0, scoring.at_risk, scoring.serious))),
        "scoring": scoring,
        "parameters": parameters_text(scoring),
        "overview": overview,
        "left_out": left_out,
        "scope": scope,
        "release_parts": parts,
        "releases": len(publishing_of(releases)),
        "front_points": points,
        "front_fits": fits,
        "front_legend": front_legend(parts),
        "worst": [(line, said) for said, line in worst.items()][:_WORST],
        "of_one": drawn(worst_figure(view, parts, scoring), book) if view.release else "",
        "matrix": attack_matrix(view, scoring, known),
        "coverage": drawn(coverage_blocks(view, releases, scoring), book),
        "verdict": drawn(verdict_blocks(overview, view.overview(settings.scoring), flips), book),
        "chance": chance_sentence(overview),
        "what_if": what_if_text(scoring, settings.scoring),
        "flips": flips_sentence(flips),
        "decision": decision,
        "lines": lines,
        "thinned_out": THINNED_OUT
        if any(attack.scenario.down_sample for attack in view.judged)
        else "",
        "several_attacks": len({attack.attack for attack in view.judged}) > 1,
        "flagged": flagged,
        "standards": standards(view, scoring, options.details),
        "created": view.store.created,
        "report_versions": software_versions(),
        "campaign_command": campaign_command(view.store, options.campaign_file),
        "report_command": report_command(view.store, options),
    }


def _full(
    view: CampaignView,
    options: ReportOptions,
    overview: CampaignOverview,
    common: Mapping[str, Any],
    book: ChartBook,
    reporter: Reporter,
) -> dict[str, Any]:
    shown, lines, flagged = common["shown"], common["lines"], common["flagged"]
    wanted = (flagged or lines[:1])[:MOST_CARDS] if Section.FLAGGED in shown else ()
    measured = measure_parts(view, overview, book) if Section.MEASURES in shown else ()
    sections, unmeasured = drawn_sections(view, overview, book, shown, reporter), nothing_measured()
    empty = [each for each in unmeasured if not sections.get(each)]
    if not measured:
        empty.append(Section.MEASURES)
    numbers = {line["number"] for line in wanted}
    facts = _facts(view, options, numbers)
    meanings = len(wanted) <= _MEANINGS_SHOWN
    cards = attack_cards(
        view, options.scoring, wanted, book, facts=facts, meanings=meanings, reporter=reporter
    )
    return {
        "scatter": scatter_picture(overview, book) if Section.ATTACKS in shown else None,
        "measured": measured,
        "sections": sections,
        "unmeasured": unmeasured,
        "shown": tuple(each for each in shown if options.sections or each not in empty),
        "cards": cards,
        "lines": tuple({**line, "card": line["number"] in numbers} for line in lines),
        "meanings": {}
        if meanings
        else {fact.term: fact.meaning for of in facts.values() for fact in reversed(of)},
        "without_card": max(len(flagged) - MOST_CARDS, 0),
        "scenario": scenario_facts(view, options.scoring),
        "added_later": added_later(view),
        "attack_types": dict.fromkeys(attack_type(each.attack) for each in view.attacks),
    }


def _facts(
    view: CampaignView, options: ReportOptions, numbers: Collection[int]
) -> Mapping[int, tuple[ContextNumber, ...]]:
    losses = attack_losses(view.rescored(options.scoring))
    found = {
        number: list(context_facts(context, options.scoring, loss=losses[number].alc))
        for number, context in attack_contexts(view.store).items()
        if number in numbers
    }
    for number in numbers:
        if (relation := view.relation(number)) is not None:
            text = relation_sentence(relation, view.attack(number).scenario.unknown)
            found.setdefault(number, []).append(ContextNumber("One relation", text, _DETERMINED))
    pairs = attack_pairs(view.attacks, losses)
    for number in {pair.with_it for pair in pairs} & set(numbers):
        text = contribution_sentence(contributions(number, pairs, losses))
        found.setdefault(number, []).append(ContextNumber("Which facts matter", text, _DRIVES))
    return {number: tuple(facts) for number, facts in found.items()}


def css_text(text: str) -> str:
    r"""Return a text as a CSS string that nothing in it can end.

    >>> print(css_text('a "b'))
    "a\20 \22 b"
    """
    escaped = (c if c.isascii() and c.isalnum() else f"\\{ord(c):x} " for c in text)
    return f'"{"".join(escaped)}"'


@cache
def _plotly() -> str:
    from plotly.offline import get_plotlyjs

    return str(get_plotlyjs())


def _if_known(shown: Callable[[Any], str]) -> Callable[[Any], str]:
    return lambda value: "" if pd.isna(value) else shown(value)


@cache
def _environment() -> Environment:
    templates = resources.files("alc_core.report.html").joinpath("templates")
    environment = Environment(
        loader=PackageLoader("alc_core.report.html", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "blocks": lambda blocks: drawn(blocks, ChartBook()),
        "count": count,
        "day": day_words,
        "listed": listed,
        "percent": _if_known(percent),
        "loss": _if_known(loss_text),
        "cell": _if_known(cell_text),
        "sentence_case": sentence_case,
    }
    environment.globals |= {
        "font": FONT,
        "attack_colour": ATTACK,
        "guess_colour": BASELINE,
        "style": " ".join((templates / "report.css").read_text("utf-8").split()),
        "script": (templates / "report.js").read_text("utf-8"),
        "section_titles": {section: section.heading for section in Section},
        "glossary": GLOSSARY,
        "meaning_of_choices": [
            (choice_label(each), text) for each, text in CHOICE_MEANINGS.items()
        ],
        "most_cards": MOST_CARDS,
        "each_worst": EACH_WORST,
        "looks": LOOKS,
        "counted": counted,
        "bounds_text": bounds_text,
        "two_readings": explain("ALC, hard to guess"),
        "decision_label": decision_label,
        "exposed_text": exposed_text,
        "place": place_html,
        "through_text": through_text,
    }
    return environment
