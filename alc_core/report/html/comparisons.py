"""What a report compares: all attacks, other parameters, the releases; each with its figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from alc_core.campaign.findings.overview import CampaignOverview
from alc_core.campaign.findings.sensitivity import changing_attacks, flag_grid
from alc_core.campaign.findings.sensitivity_words import sensitivity_answers
from alc_core.campaign.findings.view import CampaignView
from alc_core.compare.comparison import Comparison, compare_all, riskiest
from alc_core.compare.layout import compare_releases
from alc_core.compare.sentences import (
    APART,
    CLIPPED,
    change_sentence,
    comparison_title,
    people_sentence,
    remaining_sentence,
)
from alc_core.compare.strongest import BY_STRONGEST, comparable, is_by_strongest
from alc_core.figures.attacks import loss_scatter, loss_scatter_alt
from alc_core.figures.comparison import loss_distributions, loss_distributions_alt
from alc_core.figures.risk_utility import risk_utility_alt, risk_utility_map
from alc_core.figures.trade_offs.flag_heat_map import flag_heat_map, flag_heat_map_alt
from alc_core.figures.utility.model_losses import model_losses_alt, model_losses_figure
from alc_core.figures.utility.pair_differences import pair_heat_map, pair_heat_map_alt
from alc_core.report.html.charts import ChartBook, Picture
from alc_core.scoring.parameters import ScoringParameters
from alc_core.utility.in_campaign_file import stored_utilities
from alc_core.utility.utility import Utility
from alc_core.utility.utility_text import losses_sentence, pairs_sentence, reading_lines

_CHANGING_SHOWN = 25
_MOST_COLUMNS = 25
_HEAT_MAP, _CELL = 170, 20


def scatter_picture(overview: CampaignOverview, book: ChartBook) -> Picture | None:
    """Return the figure of all attacks; None where it would show fewer than two."""
    if int(overview.results["decisive_alc"].notna().sum()) < 2:
        return None
    shown = overview.results, overview.scoring
    return book.add("attacks", loss_scatter(*shown), loss_scatter_alt(*shown))


def trade_off_part(
    view: CampaignView, scoring: ScoringParameters, book: ChartBook
) -> dict[str, Any]:
    """Return whether the verdict depends on alpha and R_min."""
    grid = flag_grid(view, scoring=scoring)
    changing = changing_attacks(grid, view.overview(scoring).results)
    figure = flag_heat_map(grid, run=view.settings.scoring) if grid.finished else None
    return {
        "answers": sensitivity_answers(grid),
        "picture": figure and book.add("trade-offs", figure, flag_heat_map_alt(grid)),
        "changing": changing.head(_CHANGING_SHOWN).to_dict("records"),
        "cells": len(grid.alphas) * len(grid.r_mins),
        "more": max(len(changing) - _CHANGING_SHOWN, 0),
    }


def compare_part(
    view: CampaignView, scoring: ScoringParameters, book: ChartBook
) -> dict[str, Any] | None:
    """Return the releases side by side; None where there is one only and no utility of it."""
    comparison = comparable(compare_releases(view, scoring))
    utilities = stored_utilities(view.store)
    several = len(comparison.releases) > 1
    if not several and not utilities:
        return None
    changes = compare_all(comparison, riskiest(comparison))
    measured = tuple(utilities.values())
    notes = [f"Note on {each.release}: {note}" for each in measured for note in each.notes]
    sentences = [remaining_sentence(comparison), people_sentence(comparison)]
    if is_by_strongest(comparison):
        sentences = [BY_STRONGEST, *sentences]
    return {
        "title": comparison_title(comparison, changes) if several else "",
        "sentences": [*map(change_sentence, changes), *filter(None, sentences)],
        "reading": (APART, CLIPPED) if several else (),
        "pictures": _pictures(comparison, utilities, book),
        "utilities": measured,
        "utility_reading": [*reading_lines(measured), *notes] if measured else [],
        "utility_lost": [_lost(each, place, book) for place, each in enumerate(measured)],
    }


def _lost(utility: Utility, place: int, book: ChartBook) -> tuple[str, list[Picture | str]]:
    """Return a release's name, and its figures; a sentence where there is nothing to draw."""
    shown: list[Picture | str] = [pairs_sentence(utility), losses_sentence(utility)]
    if utility.pairs:
        figure = pair_heat_map(utility, most=_MOST_COLUMNS)
        alt = pair_heat_map_alt(utility, most=_MOST_COLUMNS)
        layout = {"height": _HEAT_MAP + _CELL * min(len(utility.columns), _MOST_COLUMNS)}
        shown[0] = book.add(f"utility-pairs-{place}", figure, alt, layout=layout)
    if utility.targets:
        figure, alt = model_losses_figure(utility), model_losses_alt(utility)
        shown[1] = book.add(f"utility-models-{place}", figure, alt)
    return utility.release, shown


def _pictures(
    comparison: Comparison, utilities: Mapping[str, Utility], book: ChartBook
) -> list[Picture]:
    found = []
    if len(comparison.releases) > 1:
        figure = loss_distributions(comparison)
        found.append(book.add("releases", figure, loss_distributions_alt(comparison)))
    if any(each.pair_distance is not None for each in utilities.values()):
        figure = risk_utility_map(comparison, utilities)
        found.append(book.add("utility", figure, risk_utility_alt(comparison, utilities)))
    return found
