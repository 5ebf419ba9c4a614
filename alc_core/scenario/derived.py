"""Derived columns, defined by their names: joint columns, conditions, sums per person.

A name that is not a column is read as one of these:

- ``job & income``: several columns jointly; correct if all are.
- ``diagnosis in C50|C51``, ``age in 20..25``, ``income >= 50000``, ``income >= quantile 0.99``:
  membership in a set or a range (yes or no).
- ``count per patient``, ``mean cost per patient``, ``last status by date per patient``,
  ``ever diagnosis = C50 per patient``: a summary of a person's records.
- ``length of notes``: the characters of a text, or missing.
- ``days from admitted to discharged``: between two dates.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.arrays import BoolArray, FloatArray
from alc_core.errors import ColumnError, InputError
from alc_core.phrasing import quoted
from alc_core.plain_values import read_only
from alc_core.scenario.no_value import recognised_markers
from alc_core.scenario.scenario import NO, SIGNS, YES, Scenario
from alc_core.tables.codes.columns import encode_continuous, scale_of
from alc_core.tables.labels.find import column_domain, column_sets
from alc_core.tables.labels.intervals import Days, days_between, read_interval
from alc_core.tables.names import column_named
from alc_core.tables.table import TOGETHER, ColumnKind, Derived, Table
from alc_core.tables.value_sets import Domain, ValueSet
from alc_core.tables.values.dates import format_of
from alc_core.tables.values.no_value import spelled_otherwise
from alc_core.tables.values.texts import canonical_labels

RANGES = 20  # Ranges of a number in joint columns
_PER = re.compile(r"(?P<how>count|ever|last|mean)\b\s*(?P<what>.*?)\s*\bper (?P<person>.+)")
_LENGTH = "length of "
_QUANTILE = re.compile(r"quantile\s+(\S+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Expression:
    how: str  # "column", "together", "condition", "length", "days", or a summary of records
    text: str  # As written
    of: tuple[_Expression, ...] = ()  # Operands
    sign: str = ""  # Of a condition
    value: str = ""
    person: str = ""  # Column that identifies a person
    by: str = ""  # Column that orders records

    @property
    def columns(self) -> Iterator[str]:
        """The table's columns it uses."""
        if self.how == "column":
            yield self.text
        for each in self.of:
            yield from each.columns
        yield from filter(None, (self.person, self.by))

    @property
    def texts(self) -> Iterator[str]:
        for each in self.of:
            yield from (*each.columns,) if self.how == "length" else each.texts

    @property
    def people(self) -> Iterator[str]:
        yield from filter(None, (self.person, *(p for each in self.of for p in each.people)))


def base_columns(names: Iterable[str], columns: Collection[str]) -> set[str]:
    """Return columns, with derived ones replaced by their sources.

    Examples
    --------
    >>> sorted(base_columns(["age", "job & income >= 10"], ["age", "job", "income"]))
    ['age', 'income', 'job']
    """
    read = {name: _read(name, columns) for name in names}
    return {c for name, found in read.items() for c in (found.columns if found else (name,))}


def with_names_for_codes(text: str, original: Table) -> str:
    """Return an expression with names instead of codes.

    Examples
    --------
    >>> import pandas as pd, alc_core as alc
    >>> from alc_core.tables.names import Names, with_names
    >>> table = alc.table_from_frame(pd.DataFrame({"MAR": [1, 2], "AGEP": [30, 40]}), name="a")
    >>> named = with_names(table, Names(columns={"MAR": "status"}))
    >>> with_names_for_codes("MAR", named), with_names_for_codes("AGEP & MAR in 1|2", named)
    ('status', 'AGEP & status in 1|2')
    """
    columns, codes = original.columns, original.codes
    if not codes:
        return text
    named = partial(column_named, columns=columns, codes=codes)
    found = None if text in columns else _read(text, {*columns, *codes.values()})
    if found is None or not {*found.columns}.intersection(codes.values()):
        return named(text)
    return _written(found, named)


def _written(found: _Expression, named: Callable[[str], str]) -> str:
    if found.how == "column":
        return named(found.text)
    parts = [_written(each, named) for each in found.of]
    if found.how == "together":
        return TOGETHER.join(parts)
    if found.how == "length":
        return f"{_LENGTH}{parts[0]}"
    if found.how == "days":
        return Days(*parts).name
    if found.how == "condition":
        return f"{parts[0]} {found.sign} {found.value}"
    by = f"by {named(found.by)}" if found.by else ""
    return " ".join(filter(None, (found.how, *parts, by, f"per {named(found.person)}")))


def with_derived(original: Table, table: Table, names: Iterable[str]) -> Table:
    """Return an original or released table with derived columns.

    A released table gets those it has all columns for; other names are ignored.
    """
    own = [column for column in original.columns if column not in original.derived]
    for name in dict.fromkeys(names):
        found = None if name in table.columns else _read(name, own)
        if found is None or not {*found.columns} <= {*table.columns}:
            continue
        if table is original:
            _refuse_unusable(original, found)
        value_sets = dict(table.value_sets)
        if table is not original and found.how == "together":
            (values, sets), kind = _with_sets(found, table, original), ColumnKind.CATEGORICAL
            value_sets |= {name: sets} if sets else {}
        else:
            values, kind = _values(found, table, original)
        if table is original and found.how == "condition" and values.nunique() < 2:
            raise InputError(
                f"'{name}' is the same for everyone in '{original.name}'. Check its condition."
            )
        told = Derived(
            parts=frozenset(found.columns).difference(found.people),
            together=tuple(each.text for each in found.of) if found.how == "together" else (),
            people=frozenset(found.people),
        )
        is_same = table is original
        table = replace(
            _with_column(table, name, values, kind, told), value_sets=read_only(value_sets)
        )
        original = table if is_same else original
    return table


def with_condition(original: Table, name: str, meets: BoolArray) -> Table:
    """Return the original with a yes/no column of a condition."""
    values = pd.Series(np.where(meets, YES, NO), dtype=object)
    told = Derived(parts=frozenset())
    return _with_column(original, name, values, ColumnKind.CATEGORICAL, told)


def _with_column(
    table: Table, name: str, values: pd.Series, kind: ColumnKind, told: Derived
) -> Table:
    found = table.with_worked_out(name, values.set_axis(table.frame.index), kind)
    return replace(found, derived=read_only({**table.derived, name: told}))


def check_derived(original: Table, scenario: Scenario) -> None:
    """Refuse known parts of the unknown column, and other people's records."""
    unknown = original.base([scenario.unknown])
    for column in scenario.known:
        if both := sorted(original.base([column]) & unknown):
            raise ColumnError(
                f"'{column}' (known) and '{scenario.unknown}' (unknown) both use column "
                f"'{both[0]}'. Remove '{column}'."
            )
    for column in scenario.selection.where:
        if both := sorted(original.base([column]) & unknown):
            raise ColumnError(
                f"Do not select by '{column}': like the unknown '{scenario.unknown}', it uses "
                f"column '{both[0]}'."
            )
    for column in (*scenario.columns, *scenario.selection.where):
        derived = original.derived.get(column)
        if derived is not None and derived.people - {scenario.person}:
            (other, *_) = sorted(derived.people - {scenario.person})
            raise ColumnError(
                f"'{column}' combines the records of each '{other}'. Set '{other}' as the person "
                "column."
            )


def _read(text: str, columns: Collection[str]) -> _Expression | None:
    """Return the expression of a name; None if it is not one."""
    pieces = text.split(TOGETHER)
    parts = _together(pieces, columns) or ()
    if len(parts) < 2:
        return parts[0] if parts else None
    return _Expression(how="together", text=text, of=tuple(parts))


def _together(pieces: Sequence[str], columns: Collection[str]) -> list[_Expression] | None:
    """Parse parts joined by the separator, which column names may contain."""
    for size in range(1, len(pieces) + 1):
        text = TOGETHER.join(pieces[:size]).strip()
        first = _simple(text, columns) or _read_per(text, columns) or _read_condition(text, columns)
        rest = _together(pieces[size:], columns) if pieces[size:] else []
        if first is not None and rest is not None:
            return [first, *rest]
    return None


def _column(text: str, columns: Collection[str]) -> _Expression | None:
    return _Expression(how="column", text=text) if text in columns else None


def _simple(text: str, columns: Collection[str]) -> _Expression | None:
    """Return a column, its texts' length or the days between two, if it is one."""
    if text not in columns and (interval := read_interval(text, columns)):
        dates = tuple(_Expression(how="column", text=each) for each in interval)
        return _Expression(how="days", text=text, of=dates)
    of = _column(text.removeprefix(_LENGTH), columns)
    if of is None or text in columns:
        return _column(text, columns)
    return _Expression(how="length", text=text, of=(of,))


def _read_per(text: str, columns: Collection[str]) -> _Expression | None:
    found = _PER.fullmatch(text)
    if found is None or found["person"] not in columns:
        return None
    how, what, by = found["how"], found["what"], ""
    if how == "last" and what not in columns:
        what, _, by = what.rpartition(" by ")
    read = _read_condition if how in ("count", "ever") else _column
    of = read(what, columns)
    if (of is None and (what or how != "count")) or (by and by not in columns):
        return None
    return _Expression(
        how=how, text=text, of=() if of is None else (of,), person=found["person"], by=by
    )


def _read_condition(text: str, columns: Collection[str]) -> _Expression | None:
    for sign in SIGNS.finditer(text):
        left, value = text[: sign.start()].strip(), text[sign.end() :].strip()
        of = _simple(left, columns) or _read_per(left, columns)
        if of is not None and value:
            return _Expression(
                how="condition", text=text, of=(of,), sign=sign[0].strip(), value=value
            )
    return None


def _refuse_unusable(original: Table, found: _Expression) -> None:
    free = {*found.people, *found.texts}
    for column in found.columns:
        kind = original.kind(column)
        usable = kind is ColumnKind.DATETIME if found.how == "days" else kind.is_compared
        if column not in free and not usable:
            raise ColumnError(
                f"'{found.text}' uses column '{column}' of the kind '{kind}'. "
                "Change its kind, or remove it."
            )


def _values(found: _Expression, table: Table, original: Table) -> tuple[pd.Series, ColumnKind]:
    if found.how == "column":
        series = table.frame[found.text].reset_index(drop=True)
        return series, original.kind(found.text)
    if found.how == "together":
        parts = [_labels(each, table, original) for each in found.of]
        return _joined(parts), ColumnKind.CATEGORICAL
    if found.how == "condition":
        return _holds(found, table, original), ColumnKind.CATEGORICAL
    if found.how == "length":
        labels = pd.Series(canonical_labels(table.frame[found.of[0].text])).reset_index(drop=True)
        return labels.str.len().astype(np.float64), ColumnKind.CONTINUOUS
    if found.how == "days":
        first, last = (_numbers(each, table, original) for each in found.of)
        return pd.Series(days_between(first, last)), ColumnKind.CONTINUOUS
    return _of_person(found, table, original)


def _joined(parts: Sequence[pd.Series]) -> pd.Series:
    whole = np.logical_and.reduce([part.notna() for part in parts])
    # A separator inside a part must not split it
    safe = [part.str.replace(TOGETHER, TOGETHER.replace("&", "&&")) for part in parts]
    joined = safe[0].str.cat(pd.concat(safe[1:], axis=1), sep=TOGETHER)
    return joined.where(whole, None)


def _with_sets(
    found: _Expression, table: Table, original: Table
) -> tuple[pd.Series, dict[str, ValueSet]]:
    """Return joint values, and the value sets of generalized ones."""
    parts = [_labels(each, table, original) for each in found.of]
    known = column_sets(original, table, [of.text for of in found.of if of.how == "column"])
    if not known:
        return _joined(parts), {}
    before = [_labels(each, original, original) for each in found.of]
    covered: list[dict[str, set[str]]] = [{} for _ in parts]
    for number, of in enumerate(found.of):
        if of.text not in known:
            continue
        domain = column_domain(original, of.text)
        seen = pd.DataFrame({"place": _places(domain), "label": before[number].to_numpy()})
        seen = seen[seen["place"] >= 0].dropna().drop_duplicates()
        for each in known[of.text].labels:
            chosen = domain.chosen(each.covers)[seen["place"]]
            covered[number][each.label] = {*seen["label"][chosen]}
        written = canonical_labels(table.frame[of.text]).reset_index(drop=True).fillna("")
        parts[number] = parts[number].mask(written.isin([*covered[number]]), written)
    values = _joined(parts)
    several = [part.isin([*told]) for part, told in zip(parts, covered, strict=True)]
    asked = pd.concat(parts, axis=1, ignore_index=True)
    asked = asked[np.logical_or.reduce(several) & values.notna()].drop_duplicates()
    whole = pd.concat(before, axis=1, ignore_index=True).dropna().drop_duplicates()
    names = _joined([whole[number] for number in whole]).to_numpy(dtype=object)
    holds = [
        {label: whole[number].isin(told.get(label, {label})) for label in asked[number].unique()}
        for number, told in enumerate(covered)
    ]
    sets: dict[str, ValueSet] = {}
    for row, *labels in asked.itertuples(name=None):
        held = [having[label] for having, label in zip(holds, labels, strict=True)]
        if covers := frozenset(names[np.logical_and.reduce(held)]):
            sets[values[row]] = covers
    return values, sets


def _places(domain: Domain) -> NDArray[np.int64]:
    """Return rows' distinct value numbers; -1 if missing."""
    if domain.numeric:
        place = np.searchsorted(domain.numbers, domain.rows)
        return np.where(place < len(domain.numbers), place, -1)
    return domain.labels.index.get_indexer(pd.Index(canonical_labels(domain.series)))


def _numbers(found: _Expression, table: Table, original: Table) -> FloatArray:
    """Return numbers or days, read like the original's; NaN if missing."""
    before, kind = _values(found, original, original)
    if not kind.is_numeric:
        raise ColumnError(f"'{found.text}' holds categories. Give a set, such as 'a|b'.")
    own = before if table is original else _values(found, table, original)[0]
    (numbers, these), codes = encode_continuous([before, own], kind)
    if found.how == "column" and (markers := tuple(recognised_markers(original, found.text))):
        scale = scale_of(found.text, kind, numbers, [], codes, format_of(before))
        these = np.where(scale.is_marker(these, markers), np.nan, these)
    return these


def _labels(found: _Expression, table: Table, original: Table) -> pd.Series:
    series, kind = _values(found, table, original)
    if kind.is_numeric:
        these = _numbers(found, table, original)
        before = _numbers(found, original, original)
        scale = scale_of(found.text, kind, before, [these], ()).of_values(before, (), RANGES)
        names = np.array([*scale.binned(RANGES).labels, None], dtype=object)
        return pd.Series(names[scale.to_bins(these, RANGES)])
    labels = canonical_labels(series)
    if found.how != "column":
        return labels
    return labels.where(~labels.isin([*recognised_markers(original, found.text)]), None)


def _holds(found: _Expression, table: Table, original: Table) -> pd.Series:
    """Return whether a condition holds; missing without a value.

    A generalized label answers if all it covers agree.
    """
    holds, (of,) = _holds_as_written(found, table, original), found.of
    if table is original or of.how != "column":
        return holds
    sets = column_sets(original, table, [of.text])
    if not sets:
        return holds
    domain = column_domain(original, of.text)
    before = _holds_as_written(found, original, original)
    place = _places(domain)
    places = {
        each: np.unique(place[(place >= 0) & (before == each).to_numpy()]) for each in (YES, NO)
    }
    answers = {}
    for each in sets[of.text].labels:
        covered = domain.chosen(each.covers)
        yes, no = (bool(covered[places[answer]].any()) for answer in (YES, NO))
        answers[each.label] = None if yes == no else YES if yes else NO
    labels = canonical_labels(table.frame[of.text]).reset_index(drop=True).fillna("")
    return holds.mask(labels.isin([*answers]), labels.map(answers))


def _holds_as_written(found: _Expression, table: Table, original: Table) -> pd.Series:
    (of,) = found.of
    low, is_range, high = found.value.partition("..")
    if found.sign in ("=", "!=") or (found.sign == "in" and not is_range):
        written = [value.strip() for value in found.value.split("|")]
        if of.how == "column" and {*written} & {*recognised_markers(original, of.text)}:
            own, before = _as_spelled(of.text, table, original)
            wanted = canonical_labels(pd.Series(written, dtype=object)).tolist()
        elif _values(of, original, original)[1].is_numeric:  # Tables may spell numbers differently
            own, before = (pd.Series(_numbers(of, each, original)) for each in (table, original))
            wanted = [_number(value, of, original) for value in written]
        else:
            own, before = (_labels(of, each, original) for each in (table, original))
            wanted = canonical_labels(pd.Series(written, dtype=object)).tolist()
        there = {*before.dropna()}
        if strange := [a for a, each in zip(written, wanted, strict=True) if each not in there]:
            raise InputError(
                f"'{found.text}' names {quoted(sorted(strange))}, which '{of.text}' of "
                f"'{original.name}' never is. Check the spelling."
            )
        holds = own.isin(wanted).to_numpy() != (found.sign == "!=")
        return _told(holds, own.notna().to_numpy())
    numbers = _numbers(of, table, original)
    if found.sign == "in":
        first, last = (_number(each, of, original) for each in (low, high))
        return _told((numbers >= first) & (numbers <= last), np.isfinite(numbers))
    compare = {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal}
    holds = compare[found.sign](numbers, _number(found.value, of, original))
    return _told(holds, np.isfinite(numbers))


def _as_spelled(column: str, table: Table, original: Table) -> tuple[pd.Series, pd.Series]:
    """Return labels as the original spells them, if its markers are values."""
    own, before = (
        canonical_labels(each.frame[column]).reset_index(drop=True) for each in (table, original)
    )
    if table is not original:
        own = own.replace(spelled_otherwise([*before.dropna().unique()], own.dropna().unique()))
    return own, before


def _told(holds: NDArray[np.bool_], present: NDArray[np.bool_]) -> pd.Series:
    return pd.Series(np.where(holds, YES, NO), dtype=object).where(present, None)


def _number(text: str, of: _Expression, original: Table) -> float:
    numbers = _numbers(of, original, original)
    kind = _values(of, original, original)[1]
    if quantile := _QUANTILE.fullmatch(text.strip()):
        share = pd.to_numeric(pd.Series([quantile[1]]), errors="coerce")[0]
        if not 0 <= share <= 1:
            raise InputError(f"A quantile must be between 0 and 1, not '{quantile[1]}'.")
        return float(np.quantile(numbers[np.isfinite(numbers)], share))
    written = pd.Series([text.strip()], dtype=object)
    before = _values(of, original, original)[0]
    found = float(encode_continuous([before, written], kind)[0][1][0])
    if not np.isfinite(found):
        raise InputError(f"'{text.strip()}' is not a number or date for '{of.text}'.")
    return found


def _of_person(found: _Expression, table: Table, original: Table) -> tuple[pd.Series, ColumnKind]:
    labels = canonical_labels(table.frame[found.person]).reset_index(drop=True)
    person = pd.Series(np.where(labels.isna(), np.arange(len(labels)), labels.factorize()[0]))
    person = person.where(labels.notna(), -1 - person)
    if found.how == "count":
        rows = pd.Series(1, index=person.index)
        if found.of:
            rows = (_holds(found.of[0], table, original) == YES).astype(np.int64)
        return rows.groupby(person).transform("sum"), ColumnKind.CONTINUOUS
    (of,) = found.of
    if found.how == "ever":
        holds = _holds(of, table, original)
        ever = (holds == YES).groupby(person).transform("any")
        some = holds.notna().groupby(person).transform("any")
        return _told(ever.to_numpy(), some.to_numpy()), ColumnKind.CATEGORICAL
    if found.how == "mean":
        numbers = pd.Series(_numbers(of, table, original))
        return numbers.groupby(person).transform("mean"), ColumnKind.CONTINUOUS
    values, kind = _values(of, table, original)
    order = np.arange(len(values))
    if found.by:
        by = _Expression(how="column", text=found.by)
        # Undated records come first
        order = np.argsort(np.nan_to_num(_numbers(by, table, original), nan=-np.inf), kind="stable")
    if of.how == "column" and (markers := recognised_markers(original, of.text)):
        values = values.mask(canonical_labels(values).isin(list(markers)))
    last = values.iloc[order].groupby(person.iloc[order]).last()
    return last.reindex(person).reset_index(drop=True), kind
