"""Risk numbers as tables: the original and releases side by side, and protected columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from alc_core.phrasing import count, percent
from alc_core.present.blocks import Cells, Table
from alc_core.risk_numbers.class_sizes import ClassSizes, least_size
from alc_core.risk_numbers.population import PopulationEstimate
from alc_core.risk_numbers.result import RiskNumbers

NONE = "\N{EM DASH}"
"""In place of a number that means nothing there."""

ORIGINAL = "Original"


def numbers_table(results: Sequence[RiskNumbers]) -> Table:
    """Return the risk numbers of releases that were asked for alike, beside the original's."""
    threshold = results[0].settings.threshold
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
    names = [ORIGINAL, *(found.label for found in results)]
    told_apart = (
        name if names.count(name) == 1 else f"{name} ({place})" for place, name in enumerate(names)
    )
    return Table(
        header=("Number", *told_apart),
        rows=tuple(line for line in lines if set(line[1:]) != {NONE}),
        title="Risk numbers",
        alt="Risk numbers of the original and of each release.",
    )


def protected_table(found: RiskNumbers) -> Table:
    """Return ℓ-diversity and t-closeness of the protected columns as a table."""
    return Table(
        header=("Protected", "Distinct ℓ", "Entropy ℓ", "One value", "t"),
        rows=tuple(
            (
                each.column,
                str(each.distinct),
                f"{each.entropy:.2f}",
                percent(each.one_value),
                f"{each.closeness:.2f}{' (ordered)' if each.ordered else ''}",
            )
            for each in found.diversity
        ),
        title="What classes tell of protected columns",
        help=PROTECTED_WORDS,
        alt="ℓ-diversity and t-closeness of each protected column.",
    )


PROTECTED_WORDS = (
    "Distinct ℓ and entropy ℓ: of the class with the least. One value: share of the rows whose "
    "class has a single value of the column. t: of the class farthest from the whole table, by "
    "equal distances, or by ranks where ordered."
)


def _share_below(size: int) -> Callable[[ClassSizes], str]:
    return lambda sizes: percent(sizes.below(size))


def _line(title: str, results: Sequence[RiskNumbers], shown: Callable[[ClassSizes], str]) -> Cells:
    sizes = [results[0].original, *(found.released for found in results)]
    return (title, *(_shown(each, shown) for each in sizes))


def _sample_lines(results: Sequence[RiskNumbers], least: int) -> list[Cells]:
    """Return the risks of releases that are samples of the original."""
    asked: dict[str, Callable[[ClassSizes], str]] = {
        "Journalist risk, highest": lambda sizes: percent(sizes.highest_risk),
        "Journalist risk, mean (marketer risk of a sample)": lambda sizes: percent(sizes.mean_risk),
        f"Journalist risk above the threshold (below {least} people)": _share_below(least),
    }
    return [
        (title, NONE, *(_shown(found.in_original, show) for found in results))
        for title, show in asked.items()
    ]


def _population_lines(results: Sequence[RiskNumbers]) -> list[Cells]:
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
        (title, *(_estimated(each, pick) for each in estimates)) for title, pick in asked.items()
    ]


def _shown(sizes: ClassSizes | None, shown: Callable[[ClassSizes], str]) -> str:
    return NONE if sizes is None or not sizes.total else shown(sizes)


def _estimated(
    found: PopulationEstimate | None, pick: Callable[[PopulationEstimate], float | None]
) -> str:
    share = None if found is None else pick(found)
    return NONE if share is None else percent(share)
