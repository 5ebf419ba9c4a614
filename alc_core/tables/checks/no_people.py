"""Recognizing tables whose rows are not people."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.tables.checks.finding import Finding, Severity
from alc_core.tables.checks.profile import ColumnProfile, Profiles
from alc_core.tables.labels.count_marks import count_marks, mark_bounds
from alc_core.tables.same_rows import repeated_in
from alc_core.tables.table import ColumnKind, Table
from alc_core.tables.thousands import in_thousands
from alc_core.tables.values.texts import bare_text, canonical_labels

_SAME_GROUPS = 0.9  # Share of groups in both tables
_ROWS_PER_GROUP = 1.5  # Rows of a group on average

_COUNT_WORD = (
    r"n|counts?|cnt|freqs?|frequency|frequencies|num|number|cases|obs|observations|size|total"
    r"|anzahl|haeufigkeit|häufigkeit|faelle|fälle|nombre|effectifs?|frequence|fréquence"
    r"|numero|número|recuento|conteo|frecuencia|casos"
)
_BESIDE_IT = (
    r"noisy|noised|private|dp|published|released|rounded|perturbed|estimated|weighted"
    r"|of|de|the|people|persons?|individuals?|records|rows|cells?|personen|personnes|personas"
)
_TOTAL_WORD = (
    r"total|totals|totale?n?|totaal|totalt|sum|all|overall|margin|both|combined|gesamt|insgesamt"
    r"|summe|zusammen|alle|beide|ensemble|tous|toutes|suma|somme|todos|todas|tutti|tutte|razem"
)
_OF_ALL = (
    r"ages?|sexes|genders|persons|people|population|groups|categories|values|general|général"
    r"|altersgruppen|geschlechter|personen|sexos|sexes|âges|edades"
)
_TOTAL = re.compile(rf"(?:(?:grand|row|column)[ -]?)?(?:{_TOTAL_WORD})(?:[ _](?:{_OF_ALL}))?")
_SUM = r"total|sum|summe|gesamt|insgesamt|zusammen|ensemble|combined"
_SUBTOTAL = re.compile(rf"(?:sub-?)?(?:{_SUM})\b.*|.*\W(?:{_SUM})")
_PEOPLE_PER_ROW = 1.5  # People per cell, on average
_REPEATED = 0.01  # Share of repeated combinations
_READABLE = 0.5  # Share of cells with a number or mark
_ALIKE = 0.5  # Overlap with the original's distribution or labels
_THE_SAME = 0.6  # Overlap with the original's counts
_NEARLY_ALL = 0.9  # Share of distinct counts, or of rows that add up
_ROWS_TO_TELL_NUMBERS = 100  # Rows whose numbers may distinguish them
_MOST_LABELS = 200  # Labels that may name columns
_FEWEST_CELLS = 2  # Columns of a cross table
_FEWEST_CROSSED = 4  # Cells of a full table
_CROSSED = 0.8  # Their share of all combinations


def check_anatomy(
    original: Table, releases: Mapping[int, Table], profiles: Profiles
) -> Iterator[tuple[int, tuple[Finding, ...]]]:
    """Find two tables that share only a group number.

    Each has other columns of the original.
    """
    for first, second in itertools.combinations(releases, 2):
        group = joining_group(original, releases[first], releases[second], profiles)
        if group is None:
            continue
        for number, beside in ((first, second), (second, first)):
            table, other = releases[number], releases[beside]
            has, other_has = (
                tuple(c for c in each.columns if c in original.columns) for each in (table, other)
            )
            part = Finding.of(
                Severity.ERROR, "anatomy-pair", table.name, other=other.name, has=has,
                other_has=other_has, group=group, groups=len(profiles.of(table, group).labels),
            )  # fmt: skip
            yield number, (part,)


def joining_group(original: Table, first: Table, second: Table, profiles: Profiles) -> str | None:
    """Return the column joining two tables by groups, if nothing else is shared."""
    common = [column for column in first.columns if column in second.columns]
    if len(common) != 1 or common[0] in original.columns:
        return None
    known = set(original.columns)
    if not (known & set(first.columns) and known & set(second.columns)):
        return None
    groups = [profiles.of(table, common[0]).labels for table in (first, second)]
    if any(not len(each) or each.sum() < _ROWS_PER_GROUP * len(each) for each in groups):
        return None
    shared = float(np.mean(groups[0].index.isin(groups[1].index)))
    return common[0] if shared >= _SAME_GROUPS else None


def check_cells(original: Table, release: Table, profiles: Profiles) -> Iterator[Finding]:
    """Find whether rows are cells of a table of counts."""
    if not len(release):
        return
    if cells := _cross_columns(original, release, profiles):
        yield Finding.of(Severity.ERROR, "cross-table", release.name, cells=tuple(cells))
        return
    for column in release.columns:
        if column in original.columns:
            continue
        numbers = _numbers_of_people(release, column, profiles)
        if numbers is None:
            continue
        if found := _counts(original, release, column, numbers, profiles):
            yield found
            return


def names_count(column: str) -> bool:
    """Return whether a column's name means counts.

    Examples
    --------
    >>> [names_count(name) for name in ("n", "Freq", "number_of_people", "n_children", "weight")]
    [True, True, True, False, False]
    """
    words = [word for word in re.split(r"[\W\d_]+", column.casefold()) if word]
    if not all(re.fullmatch(f"{_COUNT_WORD}|{_BESIDE_IT}", word) for word in words):
        return False
    return any(re.fullmatch(_COUNT_WORD, word) for word in words)


def is_total(name: str) -> bool:
    """Return whether a name means totals."""
    return bool(_TOTAL.fullmatch(name.strip().casefold()))


def has_total(name: str) -> bool:
    """Return whether a name begins or ends like a total.

    >>> [has_total(name) for name in ("Total north", "Nord zusammen", "All saints", "Totalled")]
    [True, True, False, False]
    """
    return bool(_SUBTOTAL.fullmatch(name.strip().casefold()))


def _numbers_of_people(
    release: Table, column: str, profiles: Profiles
) -> NDArray[np.float64] | None:
    """Return possible counts, with marks as numbers.

    Whole and at least 0, unless the name allows noise.
    """
    profile = profiles.of(release, column)
    if profile.kind is ColumnKind.DATETIME:
        return None
    if column in release.maybe_thousands:
        numbers = people = in_thousands(release, column)
    elif not len(profile.head) or float(_readable(profile.head).mean()) < _READABLE:
        return None
    else:
        numbers = people = profile.numbers
        if profile.is_stored_as_text and not np.isfinite(numbers).all():
            people = _said(profile)
    present = numbers[np.isfinite(numbers)]
    if len(present) < _READABLE * len(numbers):
        marks = profile.series[np.isnan(numbers)].nunique()
        enough = len(present) if names_count(column) else len(np.unique(present)) // _FEWEST_CELLS
        if np.isnan(people).any() or not marks or enough < marks:
            return None
    people = np.where(np.isfinite(people), people, 0.0)
    noisy = bool((present < 0).any() or (present != np.floor(present)).any())
    if noisy:
        return people if names_count(column) else None
    consecutive = len(np.unique(present)) == len(present) == int(np.ptp(present)) + 1
    return None if consecutive else people


def _readable(head: pd.Series) -> NDArray[np.bool_]:
    numbers = pd.to_numeric(head, errors="coerce").notna().to_numpy()
    marks = [mark_bounds(str(label)) is not None for label in head]
    return np.asarray(numbers | np.array(marks, dtype=bool), dtype=bool)


def _said(profile: ColumnProfile) -> NDArray[np.float64]:
    """Return numbers, and the middle of marks; NaN for other texts."""
    numbers, (low, high) = profile.numbers, count_marks(profile.series)
    return np.where(np.isfinite(numbers), numbers, (low + np.where(np.isinf(high), low, high)) / 2)


def _counts(
    original: Table,
    release: Table,
    column: str,
    numbers: NDArray[np.float64],
    profiles: Profiles,
) -> Finding | None:
    named, several = names_count(column), numbers.sum() >= _PEOPLE_PER_ROW * len(release)
    key = [
        name
        for name in release.columns
        if name != column
        and (name in original.columns or not pd.api.types.is_float_dtype(release.frame[name].dtype))
    ]
    shared = [name for name in key if name in original.columns]
    if not shared or repeated_in(release, key) > _REPEATED:
        return None
    crossed = numbers.max() > 1 and _are_crossed(original, release, shared, profiles)
    if not crossed and (not (named or several) or _tell_rows_apart(numbers)):
        return None
    comparable = [name for name in shared if _is_comparable(original, release, name, profiles)]
    cells = _but_totals(original, release, comparable, profiles)
    several = several and bool(cells.any())
    frame, people = release.frame[cells], numbers[cells]
    if named:
        alike = several and _alike(original, frame, comparable, people) >= _ALIKE
        if not alike:
            return Finding.of(Severity.QUESTION, "maybe-counts", release.name, counts=column)
    elif comparable != key or _same(original, frame, key, people) < _THE_SAME:
        if not crossed:
            return None
        return Finding.of(Severity.QUESTION, "maybe-counts", release.name, counts=column)
    return Finding.of(
        Severity.ERROR, "table-of-counts", release.name, counts=column, key=tuple(key),
        rows=len(release), people=int(numbers.sum()),
    )  # fmt: skip


def _tell_rows_apart(numbers: NDArray[np.float64]) -> bool:
    present = numbers[numbers > 0]
    many = len(present) >= _ROWS_TO_TELL_NUMBERS
    return many and len(np.unique(present)) >= _NEARLY_ALL * len(present)


def _are_crossed(
    original: Table, release: Table, columns: Sequence[str], profiles: Profiles
) -> bool:
    """Return whether rows are nearly all combinations of values."""
    combinations = math.prod(
        max(
            len(profiles.of(release, name).labels),
            len(profiles.of(original, name).labels)
            if _is_comparable(original, release, name, profiles)
            else 0,
        )
        for name in columns
    )
    full = len(release) >= max(_FEWEST_CROSSED, _CROSSED * combinations)
    return full and repeated_in(release, columns) <= _REPEATED


def _but_totals(
    original: Table, release: Table, columns: Sequence[str], profiles: Profiles
) -> NDArray[np.bool_]:
    inner = np.ones(len(release), dtype=bool)
    for column in columns:
        labels = profiles.of(release, column).labels.index
        own = profiles.of(original, column)
        totals = [label for label in labels if is_total(str(label))]
        totals = [label for label in totals if label not in own.labels.index]
        if totals:
            inner &= ~canonical_labels(release.frame[column]).isin(totals).to_numpy()
        if own.n_present == len(original):
            inner &= ~profiles.of(release, column).missing
    return inner


def _is_comparable(original: Table, release: Table, column: str, profiles: Profiles) -> bool:
    released = profiles.of(release, column).labels
    known = released[released.index.isin(profiles.of(original, column).labels.index)]
    return bool(len(released)) and float(known.sum()) >= _ALIKE * float(released.sum())


def _cells(frame: pd.DataFrame, columns: Sequence[str], people: NDArray[np.float64]) -> pd.Series:
    labels = {name: canonical_labels(frame[name]).fillna("") for name in columns}
    return pd.Series(people).groupby([part.to_numpy() for part in labels.values()]).sum()


def _both(
    original: Table, cells: pd.DataFrame, columns: Sequence[str], numbers: NDArray[np.float64]
) -> pd.DataFrame:
    """Return people in each combination, true and as counted."""
    truth = _cells(original.frame, columns, np.ones(len(original)))
    said = _cells(cells, columns, numbers)
    return pd.DataFrame({"truth": truth, "said": said}).fillna(0.0)


def _alike(
    original: Table, cells: pd.DataFrame, columns: Sequence[str], numbers: NDArray[np.float64]
) -> float:
    if not columns or not numbers.sum():
        return 0.0
    both = _both(original, cells, columns, numbers)
    return float((both / both.sum()).min(axis=1).sum())


def _same(
    original: Table, cells: pd.DataFrame, columns: Sequence[str], numbers: NDArray[np.float64]
) -> float:
    both = _both(original, cells, columns, numbers)
    both = both[both["said"] > 0]
    most = float(both.max(axis=1).sum())
    return float(both.min(axis=1).sum()) / most if most else 0.0


def _cross_columns(original: Table, release: Table, profiles: Profiles) -> list[str]:
    extra = {
        name: bare_text(name)
        for name in release.columns
        if name not in original.columns and _may_hold_counts(profiles.of(release, name))
    }
    if len(extra) < _FEWEST_CELLS:
        return []
    cells: list[str] = []
    for column in original.columns:
        if original.kind(column) is ColumnKind.CATEGORICAL and column not in release.columns:
            labels = [*map(bare_text, profiles.of(original, column).labels.index[:_MOST_LABELS])]
            named = [name for name, bare in extra.items() if bare and bare in labels]
            if len(named) >= max(_FEWEST_CELLS, _ALIKE * len([*filter(None, labels)])):
                cells = max(cells, named, key=len)
    said = {name: _numbers_or_marks(profiles.of(release, name)) for name in cells or extra}
    if not cells:
        cells = _summed_up({name: each for name, each in said.items() if _are_counts(each)})
    return cells if any(np.nanmax(said[name], initial=0.0) > 1 for name in cells) else []


def _may_hold_counts(profile: ColumnProfile) -> bool:
    if not profile.is_stored_as_text:
        return profile.is_stored_as_number
    return len(profile.head) > 0 and bool(_readable(profile.head).all())


def _numbers_or_marks(profile: ColumnProfile) -> NDArray[np.float64]:
    """Return numbers, NaN for marks; all NaN with other texts."""
    numbers = profile.numbers
    if profile.is_stored_as_number:
        return np.where(np.isfinite(numbers), numbers, 0.0)
    return numbers if np.isfinite(_said(profile)).all() else np.full(len(numbers), np.nan)


def _summed_up(columns: Mapping[str, NDArray[np.float64]]) -> list[str]:
    """Return columns summed up by a column of totals."""
    totals = [name for name in columns if is_total(name)]
    cells = [name for name in columns if name not in totals]
    if len(totals) != 1 or len(cells) < _FEWEST_CELLS:
        return []
    total, sums = columns[totals[0]], np.sum([columns[name] for name in cells], axis=0)
    known = np.isfinite(total + sums)
    close = np.abs(total - sums)[known] <= 0.01 * np.maximum(total[known], 1.0)
    return cells if known.any() and float(close.mean()) >= _NEARLY_ALL else []


def _are_counts(numbers: NDArray[np.float64]) -> bool:
    present = numbers[np.isfinite(numbers)]
    return bool(len(present) and (present >= 0).all() and (present == np.floor(present)).all())
