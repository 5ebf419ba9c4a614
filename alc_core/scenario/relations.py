"""Columns that determine another, or one value nearly everyone has."""

from __future__ import annotations

import enum
import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.arrays import spread_out
from alc_core.phrasing import listed, percent
from alc_core.scenario.derived import with_derived
from alc_core.scenario.scenario import Scenario
from alc_core.scenario.targets import People
from alc_core.tables.codes.encode import encode
from alc_core.tables.households import Codes, joined
from alc_core.tables.table import Table
from alc_core.tables.values.texts import label_codes

# Least share of people determined; the baseline then knows them as well
DETERMINES = 0.95
# Least share of the most frequent value's errors corrected
_LEAST_GAIN = 0.5
_QUANTILES = 100
_ROWS = 10_000
_PAIRED = 8  # The most predictive columns, examined in pairs


class RelationCode(enum.StrEnum):
    """Number of columns that determine the unknown one."""

    ONE_WAY = "one-way"  # None: nearly everyone has one value
    TWO_WAY = "two-way"  # One or two


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """What determines the unknown column, whatever is released."""

    code: RelationCode
    columns: tuple[str, ...]  # None if nearly everyone has one value
    share: float  # Share of people with the value of others like them


def find_relations(
    original: Table, scenarios: Iterable[Scenario]
) -> dict[str, tuple[Relation, ...]]:
    """Find what determines scenarios' unknown columns, the simplest first.

    The first scenario sets bins and missing values. One or two known columns may determine; own
    rows do not count, so unique columns determine nothing. Numeric columns count by values or
    hundredths. Long tables are sampled.
    """
    scenarios = list(scenarios)
    rows = _one_of_each_unit(original, scenarios)
    ways: dict[str, list[Codes]] = {}
    known: dict[str, dict[str, None]] = {}
    first: dict[str, Scenario] = {}
    for scenario in scenarios:
        first.setdefault(scenario.unknown, scenario)
        known.setdefault(scenario.unknown, {}).update(dict.fromkeys(scenario.known))
    original = with_derived(original, original, [*first, *itertools.chain(*known.values())])
    for column in dict.fromkeys(itertools.chain(*known.values())):
        ways[column] = list(_ways(original, column, rows))
    return {
        unknown: _relations(original, scenario, rows, {c: ways[c] for c in known[unknown]})
        for unknown, scenario in first.items()
    }


def _one_of_each_unit(original: Table, scenarios: Sequence[Scenario]) -> NDArray[np.intp]:
    """Return one row per person or household, which others repeat."""
    whose = next((each for each in scenarios if each.person or each.household), None)
    if whose is None:
        return spread_out(len(original), _ROWS)
    _, first = np.unique(People.of(original, whose).units, return_index=True)
    return np.sort(first)[spread_out(len(first), _ROWS)]


def _relations(
    original: Table, scenario: Scenario, rows: NDArray[np.intp], ways: Mapping[str, list[Codes]]
) -> tuple[Relation, ...]:
    data = encode(original, (), columns=[scenario.unknown])
    there = ~data.lacks_value(scenario.unknown, scenario.markers)[rows]
    asked = scenario.unknown, scenario.bins, scenario.markers
    wanted = data.as_unknown(data.original, *asked)[rows][there].astype(np.int64)
    if not len(wanted):
        return ()
    usual = _told(np.zeros_like(wanted), wanted)
    if usual >= DETERMINES:
        return (Relation(code=RelationCode.ONE_WAY, columns=(), share=usual),)
    least = max(DETERMINES, usual + _LEAST_GAIN * (1 - usual))
    found: dict[tuple[str, ...], float] = {
        (column,): max(_told(codes[there], wanted) for codes in each)
        for column, each in ways.items()
    }
    rest = sorted((c for c in ways if found[c,] < least), key=lambda c: -found[c,])[:_PAIRED]
    others = [column for column in ways if column in rest]
    for pair in itertools.combinations(others, 2):
        both = itertools.starmap(joined, itertools.product(*(ways[column] for column in pair)))
        found[pair] = max(_told(codes[there], wanted) for codes in both)
    clear = [each for each, share in found.items() if share >= least]
    clear.sort(key=lambda each: (len(each), -found[each]))
    return tuple(
        Relation(code=RelationCode.TWO_WAY, columns=each, share=found[each]) for each in clear
    )


def relation_among(relations: Sequence[Relation], known: Collection[str]) -> Relation | None:
    """Return the simplest relation among known columns."""
    return next((each for each in relations if set(each.columns) <= set(known)), None)


def _ways(original: Table, column: str, rows: NDArray[np.intp]) -> Iterator[Codes]:
    """Yield a column's codes, and a numeric one's hundredths."""
    series = original.frame[column].iloc[rows]
    codes = label_codes(series)[0].astype(np.int64) + 1
    yield codes
    if original.kind(column).is_numeric and codes.max() > _QUANTILES:
        data = encode(original, (), columns=[column]).original.columns[column]
        ranks = pd.Series(np.asarray(data, np.float64)[rows]).rank(pct=True, method="min")
        yield np.ceil(ranks.fillna(0).to_numpy() * _QUANTILES).astype(np.int64)


def _told(groups: Codes, wanted: Codes) -> float:
    """Return the share of rows with the most frequent value of others in their group."""
    size = int(wanted.max()) + 1
    group = pd.factorize(groups)[0]
    cells, place, counts = np.unique(group * size + wanted, return_inverse=True, return_counts=True)
    order = np.lexsort((-counts, cells // size))
    of = (cells // size)[order]
    first = np.flatnonzero(np.r_[True, of[1:] != of[:-1]])
    most = counts[order][first]
    second = np.zeros_like(most)
    more = np.r_[of, -1][first + 1] == of[first]
    second[more] = counts[order][first[more] + 1]
    # Correct if its value leads without the row
    rival = np.where(counts == most[cells // size], second[cells // size], most[cells // size])
    return float((counts - 1 > rival)[place].mean())


def relation_sentence(relation: Relation, unknown: str) -> str:
    """Say what determines an unknown column, and the consequence.

    Examples
    --------
    >>> both = Relation(code=RelationCode.TWO_WAY, columns=("zip",), share=0.98)
    >>> relation_sentence(both, "town").partition(" for")[0]
    '“town” follows from “zip”'
    """
    if relation.code is RelationCode.ONE_WAY:
        return (
            f"{percent(relation.share)} of people have the same “{unknown}”, which anyone can "
            "guess."
        )
    columns = listed([f"“{column}”" for column in relation.columns])
    return (
        f"“{unknown}” follows from {columns} for {percent(relation.share)} of people, without the "
        "release."
    )
