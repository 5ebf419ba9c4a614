"""Parts of a report that stand around one figure: all attacks, trade-offs, releases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from alc_core.assessment.words import loss_text
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
from alc_core.figures.attacks import loss_scatter, loss_scatter_alt
from alc_core.figures.comparison import loss_distributions, loss_distributions_alt
from alc_core.figures.risk_utility import risk_utility_alt, risk_utility_map
from alc_core.figures.trade_offs.flag_heat_map import flag_heat_map, flag_heat_map_alt
from alc_core.phrasing import count, percent
from alc_core.report.html.charts import ChartBook
from alc_core.scoring.parameters import ScoringParameters
from alc_core.utility.in_campaign_file import stored_utilities
from alc_core.utility.utility import Utility
from alc_core.utility.utility_text import reading_lines

_CHANGING_SHOWN = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A chart in the document.

    Attributes
    ----------
    key : str
        Of the chart.
    alt : str
        What it shows.
    height : int
        In pixels.
    """

    key: str
    alt: str
    height: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangingLine:
    """An attack that is flagged under some parameters only."""

    number: int
    what: str
    known: str
    now: str
    lowest: str
    highest: str
    flagged: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TradeOffPart:
    """Whether the verdict hangs on the parameters.

    Attributes
    ----------
    answers : tuple of tuple of str
        Question, answer in short, answer with its numbers.
    picture : Picture or None
        The heat map; None without a result.
    changing : tuple of ChangingLine
        Attacks flagged under some parameters only, those that change most first.
    more : int
        How many besides.
    """

    answers: tuple[tuple[str, str, str], ...]
    picture: Picture | None
    changing: tuple[ChangingLine, ...]
    more: int


@dataclass(frozen=True, slots=True, kw_only=True)
class UtilityLine:
    """What a release is still good for, for show; empty where it was not measured."""

    release: str
    columns: str
    pairs: str
    accuracy: str
    original: str
    majority: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparePart:
    """The releases of a campaign side by side.

    Attributes
    ----------
    title : str
        Which is safer.
    sentences : tuple of str
        Each release against the one with the worst attack, and what remains.
    reading : tuple of str
        How the words are meant.
    pictures : tuple of Picture
        Distributions and, with utility, the map of risk and utility.
    utility : tuple of UtilityLine
        By release.
    utility_reading : tuple of str
        How those numbers are to be read.
    """

    title: str
    sentences: tuple[str, ...]
    reading: tuple[str, ...]
    pictures: tuple[Picture, ...]
    utility: tuple[UtilityLine, ...]
    utility_reading: tuple[str, ...]


def scatter_part(overview: CampaignOverview, book: ChartBook) -> Picture | None:
    """Return the figure of all attacks; None where it would show fewer than two."""
    if int(overview.results["alc"].notna().sum()) < 2:
        return None
    figure = loss_scatter(overview.results, overview.scoring)
    alt = loss_scatter_alt(overview.results, overview.scoring)
    return Picture(key="attacks", alt=alt, height=book.add("attacks", figure))


def trade_off_part(view: CampaignView, scoring: ScoringParameters, book: ChartBook) -> TradeOffPart:
    """Return whether the verdict hangs on alpha and R_min, with the heat map."""
    grid = flag_grid(view, scoring=scoring)
    cells = len(grid.alphas) * len(grid.r_mins)
    changing = changing_attacks(grid, view.overview(scoring).results)
    picture = None
    if grid.finished:
        height = book.add("trade-offs", flag_heat_map(grid, run=view.settings.scoring))
        picture = Picture(key="trade-offs", alt=flag_heat_map_alt(grid), height=height)
    return TradeOffPart(
        answers=tuple(
            (answer.question, str(answer.dependence), answer.text)
            for answer in sensitivity_answers(grid)
        ),
        picture=picture,
        changing=tuple(
            ChangingLine(
                number=int(row["number"]),
                what=f"{row['unknown']} from {row['release']}",
                known=str(row["known"]),
                now=loss_text(row["alc"]),
                lowest=loss_text(row["lowest"]),
                highest=loss_text(row["highest"]),
                flagged=f"{count(int(row['flagged']))} of {count(cells)}",
            )
            for row in changing.head(_CHANGING_SHOWN).to_dict("records")
        ),
        more=max(len(changing) - _CHANGING_SHOWN, 0),
    )


def compare_part(
    view: CampaignView, scoring: ScoringParameters, book: ChartBook
) -> ComparePart | None:
    """Return the releases side by side; None where there is one only and no utility of it."""
    comparison = compare_releases(view, scoring)
    found = stored_utilities(view.store)
    utilities = tuple(found.values())
    several = len(comparison.releases) > 1
    if not several and not utilities:
        return None
    changes = compare_all(comparison, riskiest(comparison))
    return ComparePart(
        title=comparison_title(comparison, changes) if several else "",
        sentences=(
            *(change_sentence(change) for change in changes),
            remaining_sentence(comparison),
            *filter(None, [people_sentence(comparison)]),
        ),
        reading=(APART, CLIPPED) if several else (),
        pictures=_compare_pictures(comparison, found, book),
        utility=tuple(map(_utility_line, utilities)),
        utility_reading=_reading(utilities) if utilities else (),
    )


def _compare_pictures(
    comparison: Comparison, utilities: Mapping[str, Utility], book: ChartBook
) -> tuple[Picture, ...]:
    found = []
    if len(comparison.releases) > 1:
        height = book.add("releases", loss_distributions(comparison))
        found.append(Picture(key="releases", alt=loss_distributions_alt(comparison), height=height))
    if any(each.pair_distance is not None for each in utilities.values()):
        height = book.add("utility", risk_utility_map(comparison, utilities))
        alt = risk_utility_alt(comparison, utilities)
        found.append(Picture(key="utility", alt=alt, height=height))
    return tuple(found)


def _utility_line(utility: Utility) -> UtilityLine:
    return UtilityLine(
        release=utility.release,
        columns=_distance(utility.column_distance),
        pairs=_distance(utility.pair_distance),
        accuracy=_share(utility.accuracy),
        original=_share(utility.original_accuracy),
        majority=_share(utility.majority_accuracy),
    )


def _reading(utilities: Sequence[Utility]) -> tuple[str, ...]:
    notes = (f"Note on {each.release}: {note}" for each in utilities for note in each.notes)
    return (*reading_lines(utilities), *notes)


def _distance(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _share(value: float | None) -> str:
    return "" if value is None else percent(value)
