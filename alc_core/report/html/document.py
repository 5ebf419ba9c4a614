"""A campaign as a document: gathered, rendered, written."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cache
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from alc_core.campaign.findings.view import CampaignView
from alc_core.explain.context import attack_contexts
from alc_core.explain.drivers import (
    attack_losses,
    attack_pairs,
    contribution_sentence,
    contributions,
)
from alc_core.explain.reviewer_facts import Fact, context_facts
from alc_core.glossary import GLOSSARY
from alc_core.phrasing import count, listed
from alc_core.report.html.attacks import MOST_CARDS, Line, attack_cards, attack_lines
from alc_core.report.html.charts import ChartBook
from alc_core.report.html.content import (
    fact_meanings,
    flagged_lines,
    notes_part,
    scenario_facts,
    table_lines,
)
from alc_core.report.html.decided import decision_part
from alc_core.report.html.options import SECTION_TITLES, Depth, ReportOptions, Section
from alc_core.report.html.pictures import compare_part, scatter_part, trade_off_part
from alc_core.report.html.reproduce import campaign_command, report_command
from alc_core.report.html.standings import all_standings, scale_limits
from alc_core.report.html.texts import DRIVES, LIMITS, ONE_PAGE_LIMITS, REFERENCES, methods
from alc_core.report.html.verdicts import verdict_part
from alc_core.runtime.progress import Reporter
from alc_core.scoring.parameter_words import parameters_text
from alc_core.version import software_versions

FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", sans-serif'
"""Fonts of the machine on which the report is read."""

_WORST_SHOWN = 5
"""Flagged attacks on the one page."""

_MEANINGS_SHOWN = 40
"""Cards up to which each says itself what its familiar numbers mean."""

_TEMPLATES = {Depth.ONE_PAGE: "one_page.html.j2", Depth.FULL: "full.html.j2"}


def report_html(
    view: CampaignView, options: ReportOptions, *, reporter: Reporter | None = None
) -> str:
    """Return a report as one HTML document that makes no request.

    Parameters
    ----------
    view : CampaignView
        The campaign, as of its last refresh.
    options : ReportOptions
        Scoring, depth, sections, declarations.
    reporter : Reporter, optional
        Told of the progress; raises to cancel.

    Returns
    -------
    str
        The same for the same campaign, decisions and options. Holds names of columns and files,
        counts and scores, and what people wrote; of the data no value but those by which people
        were selected.

    Raises
    ------
    CancelledError
        If the caller asks to stop.
    """
    reporter = reporter or Reporter()
    reporter.report("Scoring all attacks")
    book = ChartBook()
    content = {**_frame(view, options), **_common(view, options)}
    if options.depth is Depth.FULL:
        content |= _full(view, options, content["lines"], book, reporter)
    reporter.report("Putting the document together", 1, 1)
    # Without a chart there is no need for the five megabytes that draw them.
    content["charts"] = book.to_json() if book.charts else ""
    content["plotly"] = _plotly() if book.charts else ""
    template = _environment().get_template(_TEMPLATES[options.depth])
    return template.render(content)


def _frame(view: CampaignView, options: ReportOptions) -> dict[str, Any]:
    """Return what both depths are laid out with."""
    settings = view.settings
    return {
        "title": f"Privacy-risk review of {listed(list(settings.releases))}",
        "original": settings.original.name,
        "depth": options.depth,
        "shown": options.shown,
        "section_titles": SECTION_TITLES,
        "details": options.details,
        "standings": all_standings(),
        "scale": scale_limits(options.scoring),
        "scoring": options.scoring,
        "font": FONT,
        "style": _text("report.css"),
        "script": _text("report.js"),
    }


def _common(view: CampaignView, options: ReportOptions) -> dict[str, Any]:
    """Return the parts that both depths have."""
    attacks = {attack.number: attack for attack in view.attacks}
    overview = view.overview(options.scoring)
    lines = attack_lines(overview, attacks)
    flagged = flagged_lines(lines)
    store = view.store
    return {
        "verdict": verdict_part(view, options),
        "decision": decision_part(view, options),
        "lines": lines,
        "flagged": flagged,
        "worst": flagged[:_WORST_SHOWN] or lines[:1],
        "limits_short": ONE_PAGE_LIMITS,
        "exact": overview.interval_exact,
        "parameters": parameters_text(options.scoring),
        "tables": table_lines(view),
        "seed": view.settings.seed,
        "created": store.created,
        "versions": dict(view.settings.versions),
        "report_versions": software_versions(),
        "campaign_command": campaign_command(store, options.campaign_file),
        "report_command": report_command(store, options),
    }


def _full(
    view: CampaignView,
    options: ReportOptions,
    lines: tuple[Line, ...],
    book: ChartBook,
    reporter: Reporter,
) -> dict[str, Any]:
    """Return the parts of the full depth that are shown, and draw its charts."""
    shown = options.shown
    overview, flagged = view.overview(options.scoring), flagged_lines(lines)
    wanted = (flagged or lines[:1])[:MOST_CARDS]
    wanted = wanted if Section.FLAGGED in shown else ()
    content: dict[str, Any] = {}
    if Section.ATTACKS in shown:
        content["scatter"] = scatter_part(overview, book)
    if Section.TRADE_OFFS in shown:
        reporter.report("Scoring over alpha and R_min")
        content["trade_offs"] = trade_off_part(view, options.scoring, book)
    if Section.RELEASES in shown:
        content["compared"] = compare_part(view, options.scoring, book)
    if Section.NOTES in shown:
        reporter.report("Reading notes")
        content["notes"] = notes_part(view, options)
    numbers = {line.number for line in wanted}
    cards = attack_cards(
        view, options.scoring, wanted, book, facts=_facts(view, options, numbers), reporter=reporter
    )
    return content | {
        "cards": cards,
        "lines": tuple(replace(line, card=line.number in numbers) for line in lines),
        "meanings": fact_meanings(cards),
        "meanings_in_cards": len(cards) <= _MEANINGS_SHOWN,
        "without_card": count(max(len(flagged) - MOST_CARDS, 0)),
        "most_cards": count(MOST_CARDS),
        "scenario": scenario_facts(view, options),
        "kinds": dict(view.settings.kinds),
        "loop_parameters": view.settings.loop.to_dict(),
        "methods": methods(view.settings, options.scoring),
        "references": REFERENCES,
        "limits": LIMITS,
        "glossary": GLOSSARY,
    }


def _facts(
    view: CampaignView, options: ReportOptions, numbers: Collection[int]
) -> Mapping[int, tuple[Fact, ...]]:
    """Return what stands beside the ALC of some attacks, by number, as far as it is known."""
    found = {
        number: list(context_facts(context, options.scoring))
        for number, context in attack_contexts(view.store).items()
        if number in numbers
    }
    losses = attack_losses(view.rescored(options.scoring))
    pairs = attack_pairs(view.attacks, losses)
    for number in {pair.with_it for pair in pairs} & set(numbers):
        told = contribution_sentence(contributions(number, pairs, losses))
        found.setdefault(number, []).append(Fact("What drives it", told, DRIVES))
    return {number: tuple(facts) for number, facts in found.items()}


@cache
def _plotly() -> str:
    from plotly.offline import get_plotlyjs

    return str(get_plotlyjs())


def _text(name: str) -> str:
    return (resources.files("alc_core.report.html") / "templates" / name).read_text(
        encoding="utf-8"
    )


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("alc_core.report.html", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
