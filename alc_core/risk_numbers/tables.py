"""Risk numbers as tables: the original and releases side by side, and protected columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pandas as pd

from alc_core.phrasing import count, percent
from alc_core.risk_numbers.class_sizes import ClassSizes, least_size
from alc_core.risk_numbers.population import PopulationEstimate
from alc_core.risk_numbers.result import RiskNumbers

NONE = "\N{EM DASH}"
"""In place of a number that means nothing there."""

ORIGINAL = "Original"


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberLine:
    """One risk number, of the original and of releases."""

    title: str  # Its name
    # Of the original, then of each release; :data:`NONE` where it means nothing
    shown: tuple[str, ...]


def number_lines(results: Sequence[RiskNumbers]) -> tuple[NumberLine, ...]:
    """Return the risk numbers of several releases that were measured with the same settings."""
    first = results[0]
    threshold = first.settings.threshold
    least = least_size(threshold)
    lines = [
        _line("Rows in classes", results, lambda sizes: count(sizes.total)),
        _line("Smallest class (k)", results, lambda sizes: count(sizes.smallest)),
        _line("Unique: alone in a class", results, lambda sizes: percent(sizes.unique)),
        *(_line(f"In classes below {size}", results, _share_below(size)) for size in (3, 5, 10)),
        _line(
            f"Above the threshold {threshold:g} (classes below {least})", results,
            _share_below(least),
        ),
        _line("Prosecutor risk, highest", results, lambda sizes: percent(sizes.highest_risk)),
        _line("Prosecutor risk, mean (marketer risk)", results,
              lambda sizes: percent(sizes.mean_risk)),
        *_sample_lines(results, least),
        *_population_lines(results),
    ]  # fmt: skip
    return tuple(line for line in lines if set(line.shown) != {NONE})


def numbers_frame(results: Sequence[RiskNumbers]) -> pd.DataFrame:
    """Return :func:`number_lines` as a table with a column for the original and each release."""
    lines = number_lines(results)
    names = [ORIGINAL, *(found.label for found in results)]
    columns = {
        (name if names.count(name) == 1 else f"{name} ({place})"): [
            line.shown[place] for line in lines
        ]
        for place, name in enumerate(names)
    }
    return pd.DataFrame({"Number": [line.title for line in lines], **columns})


def protected_frame(found: RiskNumbers) -> pd.DataFrame:
    """Return ℓ-diversity and t-closeness of the protected columns as a table."""
    return pd.DataFrame(
        {
            "Protected": [each.column for each in found.diversity],
            "Distinct ℓ": [str(each.distinct) for each in found.diversity],
            "Entropy ℓ": [f"{each.entropy:.2f}" for each in found.diversity],
            "One value": [percent(each.one_value) for each in found.diversity],
            "t": [
                f"{each.closeness:.2f}{' (ordered)' if each.ordered else ''}"
                for each in found.diversity
            ],
        }
    )


PROTECTED_WORDS = (
    "Distinct ℓ and entropy ℓ: of the class with the least. One value: share of the rows whose "
    "class has a single value of the column. t: of the class farthest from the whole table, by "
    "equal distances, or by ranks where ordered."
)
"""What the columns of :func:`protected_frame` say."""


def _share_below(size: int) -> Callable[[ClassSizes], str]:
    return lambda sizes: percent(sizes.below(size))


def _line(
    title: str, results: Sequence[RiskNumbers], shown: Callable[[ClassSizes], str]
) -> NumberLine:
    sizes = [results[0].original, *(found.released for found in results)]
    return NumberLine(title=title, shown=tuple(_shown(each, shown) for each in sizes))


def _sample_lines(results: Sequence[RiskNumbers], least: int) -> list[NumberLine]:
    """Return the risks of releases that are samples of the original."""
    asked: dict[str, Callable[[ClassSizes], str]] = {
        "Journalist risk, highest": lambda sizes: percent(sizes.highest_risk),
        "Journalist risk, mean (marketer risk of a sample)": lambda sizes: percent(sizes.mean_risk),
        f"Journalist risk above the threshold (below {least} people)": _share_below(least),
    }
    return [
        NumberLine(title=title, shown=(NONE, *(_shown(f.in_original, show) for f in results)))
        for title, show in asked.items()
    ]


def _population_lines(results: Sequence[RiskNumbers]) -> list[NumberLine]:
    first = results[0]
    estimates = [
        first.in_population(first.original),
        *(found.in_population(found.released) for found in results),
    ]
    asked: dict[str, Callable[[PopulationEstimate], float | None]] = {
        "Estimated: unique in the population": lambda found: found.unique,
        "Estimated: a match with a unique row is right": lambda found: found.right_match,
    }
    return [
        NumberLine(title=title, shown=tuple(_estimated(each, pick) for each in estimates))
        for title, pick in asked.items()
    ]


def _shown(sizes: ClassSizes | None, shown: Callable[[ClassSizes], str]) -> str:
    return NONE if sizes is None or not sizes.total else shown(sizes)


def _estimated(
    found: PopulationEstimate | None, pick: Callable[[PopulationEstimate], float | None]
) -> str:
    share = None if found is None else pick(found)
    return NONE if share is None else percent(share)
