"""Header rows of a file, and rows that are not records.

By text: units, labels or question texts are words in columns of numbers, and share no values.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from alc_core.phrasing import count, listed, numbered
from alc_core.tables.formats.columns import MISSING_TOKENS
from alc_core.tables.formats.source import Options, Source
from alc_core.tables.values.no_value import says_no_value

FIRST, LAST = 300, 50  # Rows examined at start and end
ALL = "none"  # Leaves no row out
_MOST_ABOVE, _MOST_BELOW = 20, 4
_FEWEST = 5
_NUMERIC = 0.95
_FEW_VALUES, _ROWS_PER_VALUE = 20, 10
_SHARED_COLUMNS = 3
_FULL = 0.8
_MANY_COLUMNS = 3

_LETTER = r"(?!(?<=[\d.])[eE][-+]?\d)[^\W\d_]"  # But for the E of 1.5E-3
# A cell without words, or that begins with a number, such as "12 kg"
_FIGURE = re.compile(rf"(?!.*{_LETTER}).*\d.*\Z", re.DOTALL)
_MEASURE = re.compile(r"[\W_]*\d")
_IMPORT_ID = re.compile(r"\s*\{\s*[\"']ImportId[\"']\s*:")
_SOURCE = re.compile(
    r"\W*(?:sources?|notes?|footnotes?|remarks?|legend|copyright|quellen?|anmerkungen?|hinweise?"
    r"|fu(?:ß|ss)noten?|stand|notas?|fuentes?|fontes?|remarques?|légende|bron|noot|opmerking"
    r"|fonti|źródło|kilde|källa|lähde)\b|\s*(?:©|\*|[\[(]?\d[\])]\s|[¹²³])",
    re.IGNORECASE,
)
_TOTAL = re.compile(
    r"(?:(?:grand |sub)?totale?s?|sum|summe|gesamt(?:summe)?|insgesamt|zusammen|ensemble|somme"
    r"|totaal|suma|razem|ogółem|summa|yhteensä|i alt|mean|average|median|min(?:imum)?|max(?:imum)?"
    r"|mittel(?:wert)?|durchschnitt|moyenne|médiane|promedio|media(?:na)?|média|gemiddelde|średnia"
    r"|medel(?:värde)?|std\.?(?: ?dev\.?)?|sd|n|count|anzahl)\W*\Z",
    re.IGNORECASE,
)
_BRACKETS = "[("
_PLACE = re.compile(r"[(\[]?(\d{1,4})[)\].]?\Z")
_ROWS = re.compile(r"\s*(-?\d+)(?:\s*-\s*(\d+))?\s*\Z")

Row = Sequence[str]
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """A file's column names, and rows that are not records."""

    names: tuple[str, ...]
    header: tuple[int, ...]  # Rows with names, from 0
    # Rows below the header that are left out, from 0; -1 is the last
    left_out: frozenset[int] = frozenset()
    # Header and left-out rows below, which joined files repeat
    again: tuple[Row, ...] = ()
    notes: tuple[str, ...] = ()
    # Left-out rows that may be records, from 1
    doubtful: tuple[int, ...] = ()

    def records(self, first: Sequence[T], last: Sequence[T] | None) -> tuple[list[T], list[T]]:
        """Return records at both ends, as given to `lines_around`."""
        end = self.header[-1] + 1
        places = range(len(first))
        beyond = len(first) if last is None else 0
        kept = [
            each
            for place, each in zip(places, first, strict=True)
            if place >= end and place not in self.left_out and place - beyond not in self.left_out
        ]
        last = last or ()
        back = range(-len(last), 0)
        return kept, [e for place, e in zip(back, last, strict=True) if place not in self.left_out]


def ends_of(rows: Sequence[T]) -> tuple[Sequence[T], Sequence[T] | None]:
    """Return rows at both ends, for `lines_around`."""
    return (rows, None) if len(rows) <= FIRST + LAST else (rows[:FIRST], rows[-LAST:])


def row_numbers(source: Source, text: str) -> tuple[int, ...]:
    """Return rows in a text such as "2,4-6,-1", from 1."""
    found: list[int] = []
    for part in text.split(",") if text.strip().casefold() != ALL else ():
        match = _ROWS.match(part)
        low, high = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not low or high < low or high - low > FIRST:
            raise source.error(
                f"cannot be read with the rows '{text}'",
                "Count from 1, with blank rows, such as 2 or 2-3; -1 is the last.",
            )
        found += range(low, high + 1)
    return tuple(found)


def lines_around(
    source: Source, first: Sequence[Row], last: Sequence[Row] | None, options: Options
) -> Around:
    """Find or take the header, and rows that are not records.

    `first` and `last` are rows at both ends; no `last` if `first` has all.
    """
    header = _given_header(source, first, options.header_row)
    notes: tuple[str, ...] = ()
    if header is None:
        header = _header(first, last or ())
        top = next((place for place, row in enumerate(first) if _filled(row)), 0)
        if above := range(top, header[0]):
            notes = (f"Left out above the header: {rows_listed(place + 1 for place in above)}.",)
    if len(header) > 1:
        notes = (
            *notes,
            f"Column names are joined from {rows_listed(h + 1 for h in header)}.",
        )
    names = _names([first[place] for place in header])
    end = header[-1] + 1
    after = list(first[end:]) if last is None else list(last)
    if options.skip_rows is not None:
        left_out = _given_rows(source, options.skip_rows, len(first), len(after))
        told = f"Left out: {rows_listed(row_numbers(source, options.skip_rows))}."
        return Around(
            names=names,
            header=header,
            left_out=left_out,
            again=tuple(first[place] for place in (*header, *left_out) if place >= 0),
            notes=(*notes, *[told] * bool(left_out)),
        )
    body = [*first[end + _MOST_BELOW :], *(last or ())]
    columns = _Columns(body)
    below, sure_below = _below(first, end, columns)
    footer, sure_footer = _footer(after[below if last is None else 0 :], columns)
    left_below, left_end = range(end + 1, end + 1 + below), range(-footer, 0)
    for rows, where in ((left_below, "below the header"), (left_end, "below the table")):
        notes = (*notes, *[f"Left out {where}: {rows_listed(rows)}."] * bool(rows))
    return Around(
        names=names,
        header=header,
        left_out=frozenset((*range(end, end + below), *left_end)),
        again=tuple(first[place] for place in (*header, *range(end, end + below))),
        notes=notes,
        doubtful=() if sure_below and sure_footer else (*left_below, *left_end),
    )


def rows_listed(rows: Iterable[int]) -> str:
    """Name rows from 1; -1 is the last.

    >>> rows_listed([2]), rows_listed([2, 3, -2, -1])
    ('row 2', 'rows 2 and 3 and the last 2 rows')
    """
    numbers = list(rows)
    above = [str(number) for number in numbers if number > 0]
    below = sorted(-number for number in numbers if number < 0)
    parts = [f"{'row' if len(above) == 1 else 'rows'} {listed(above, most=6)}"] if above else []
    if below == [*range(1, len(below) + 1)]:
        last = "the last row" if len(below) == 1 else f"the last {count(len(below))} rows"
        parts += [last] if below else []
    else:
        parts.append(f"rows {listed(list(map(str, below)), most=6)} from the end")
    return " and ".join(parts)


def row_can_repeat(row: Row) -> bool:
    """Return whether a repeated header would be recognized: several words."""
    return _filled(row) > 1 and are_names(row)


def repeats_note(number: int) -> str:
    """Say that repeated headers were left out."""
    return f"Left out: {numbered(number, 'row')} repeating the column names."


def _given_header(source: Source, first: Sequence[Row], text: str | None) -> tuple[int, ...] | None:
    if text is None:
        return None
    places = tuple(number - 1 for number in row_numbers(source, text))
    if not places or places[0] < 0 or places[-1] >= len(first) or not _filled(first[places[-1]]):
        raise source.error(
            f"has no column names in row '{text}'", f"Choose one of the first {FIRST} rows."
        )
    return places


def _given_rows(source: Source, text: str, n_first: int, n_last: int) -> frozenset[int]:
    numbers = row_numbers(source, text)
    if numbers and not -max(n_last, 1) <= min(numbers) <= max(numbers) <= n_first:
        raise source.error(
            f"cannot be read without the rows '{text}'",
            f"Only the first {count(n_first)} and last {count(n_last)} rows can be excluded.",
        )
    return frozenset(number - 1 if number > 0 else number for number in numbers)


def _filled(row: Row) -> int:
    return sum(bool(cell.strip()) for cell in row)


class _Columns:
    def __init__(self, rows: Sequence[Row]) -> None:
        self.filled = sorted(filter(None, map(_filled, rows)))
        self.usual = self.filled[len(self.filled) // 2] if self.filled else 0
        rows = [row for row in rows if 2 * _filled(row) > self.usual]
        self.n_rows = len(rows)
        self.numeric: dict[int, re.Pattern[str]] = {}
        self.values: dict[int, set[str]] = {}  # Shared by several rows, or besides numbers
        self.bracketed: set[int] = set()  # Those with numbers in brackets
        self.used: set[int] = set()
        self.names: set[int] = set()  # Columns unique in each record
        for place in range(max(map(len, rows), default=0)):
            cells = [row[place].strip() for row in rows if len(row) > place]
            cells = [cell for cell in cells if cell and not _is_missing(cell)]
            if not cells:
                continue
            self.used.add(place)
            distinct = set(cells)
            if any(cell[0] in _BRACKETS for cell in distinct):
                self.bracketed.add(place)
            number = next((each for each in (_FIGURE, _MEASURE) if _fits(each, cells)), None)
            if number is not None and len(cells) >= _FEWEST:
                self.numeric[place] = number
                self.values[place] = {cell for cell in distinct if not number.match(cell)}
            elif len(distinct) <= min(_FEW_VALUES, len(cells) / _ROWS_PER_VALUE):
                self.values[place] = distinct
            elif len(distinct) == len(cells):
                self.names.add(place)

    def lacks(self, row: Row) -> bool:
        """Return whether a row has no value like the records', missing aside."""
        words = unlike = filled = 0
        if self._has_places(row):
            return True
        for place, cell in enumerate(map(str.strip, row)):
            filled += bool(cell)
            if not cell or place not in self.values or _is_missing(cell):
                continue
            number = self.numeric.get(place)
            is_scale = place not in self.bracketed and cell[0] in _BRACKETS
            is_number = number is not None and number.match(cell) is not None and not is_scale
            if cell in self.values[place] or is_number:
                return False
            words += number is not None
            unlike += 1
        return (words > 0 and (unlike > 1 or filled == 1)) or unlike >= _SHARED_COLUMNS

    def _has_places(self, row: Row) -> bool:
        cells = [cell.strip() for cell in row]
        numbers = [found and int(found[1]) for found in map(_PLACE.match, cells)]
        return numbers == [*range(1, len(cells) + 1)] and any(
            place not in self.numeric and cells[place] not in found
            for place, found in self.values.items()
        )


def _fits(pattern: re.Pattern[str], cells: Sequence[str]) -> bool:
    return sum(pattern.match(cell) is not None for cell in cells) >= _NUMERIC * len(cells)


def _is_missing(cell: str) -> bool:
    return cell in MISSING_TOKENS or says_no_value(cell)


def _header(first: Sequence[Row], last: Sequence[Row]) -> tuple[int, ...]:
    """Return the rows with names: the first, unless a title or with gaps."""
    top = next((place for place, row in enumerate(first) if _filled(row)), 0)
    empty = next((place for place, row in enumerate(first) if row), top)
    if empty < top and not are_names(first[top]):
        return (empty,)
    columns = _Columns([*first[top + 1 :], *last])
    named = {place for place, cell in enumerate(first[top]) if cell.strip()}
    gaps = columns.used - named - {0}
    if not gaps and not _repeats(first[top]):
        return (top,)
    following = next((p for p in range(top + 1, len(first)) if _filled(first[p])), None)
    if following is None:
        return (top,)
    below = _Columns([*first[following + 1 :], *last])
    if following == top + 1 and _is_second(first[top], first[following], gaps, below):
        return top, following
    full = max(2, _FULL * len(columns.used))
    if len(gaps) < 2 and not (len(columns.used) == 2 and len(named) == 1):
        return (top,)
    for place in range(following, min(top + 1 + _MOST_ABOVE, len(first))):
        row = first[place]
        if _filled(row) < full or not are_names(row):
            continue
        below = _Columns([*first[place + 1 :], *last])
        apart = not _filled(first[place - 1])
        alone = all(_filled(each) <= 1 for each in first[top:place])
        if not (below.lacks(row) or apart or (alone and len(below.used) >= _MANY_COLUMNS)):
            return (top,)
        if _filled(first[place - 1]) > 1 and _repeats(row):
            return place - 1, place
        return (place,)
    return (top,)


def _is_second(upper: Row, lower: Row, gaps: set[int], columns: _Columns) -> bool:
    filled = {place for place, cell in enumerate(lower) if cell.strip()}
    if _filled(upper) < 2 or not gaps <= filled or _repeats(_names([upper, lower])):
        return False
    groups = gaps | {place - 1 for place in gaps}
    is_fewest = bool(columns.filled) and len(filled) < columns.filled[0]
    words = any(place in columns.numeric and are_names([lower[place]]) for place in filled)
    return (filled <= groups and is_fewest) or (
        (columns.lacks(lower) and are_names(lower))
        or (_repeats(upper) and words and are_names(lower, 0.5))
    )


def _repeats(row: Row) -> bool:
    words = [cell.strip() for cell in row if cell.strip()]
    return len({*words}) < len(words)


def are_names(row: Row, least: float = _FULL) -> bool:
    """Return whether at least this share of cells are words."""
    cells = [cell.strip() for cell in row if cell.strip()]
    return sum(_FIGURE.match(cell) is None for cell in cells) >= least * len(cells)


def _names(rows: Sequence[Row]) -> tuple[str, ...]:
    """Return column names; of several rows the lowest, with its group if ambiguous."""
    width = max(map(len, rows))
    *groups, own = ([*(cell.strip() for cell in row), *[""] * (width - len(row))] for row in rows)
    for group in reversed(groups):
        spread, before = [], ""
        for cell in group:
            before = cell or before
            spread.append(before)
        names = [name or cell for name, cell in zip(own, group, strict=True)]
        times = Counter(names)
        own = [
            f"{over} {name}" if times[name] > 1 and name and over != name else name
            for name, over in zip(names, spread, strict=True)
        ]
    return tuple(own)


def _below(first: Sequence[Row], end: int, columns: _Columns) -> tuple[int, bool]:
    """Return rows below the header that are not records, and certainty."""
    rows = first[end : end + _MOST_BELOW]
    for place in reversed(range(len(rows))):
        marks = sum(_IMPORT_ID.match(cell) is not None for cell in rows[place])
        if marks > 1 and 2 * marks > _filled(rows[place]):
            return place + 1, True
    if columns.n_rows < _FEWEST:
        return 0, True
    found = 0
    for place, row in enumerate(rows, 1):
        if _filled(row) and not columns.lacks(row):
            break
        found = place if _filled(row) else found
    return found, found == 0


def _footer(rows: Sequence[Row], columns: _Columns) -> tuple[int, bool]:
    """Return the number of final notes, and certainty.

    A note has one cell. Totals are below names or numbers of records, not below categories.
    """
    rows = rows[-LAST:]
    alone = next((n for n, row in enumerate(reversed(rows)) if _filled(row) > 1), len(rows))
    block = rows[len(rows) - alone :]
    is_apart = columns.filled.count(1) <= sum(_filled(row) == 1 for row in block)
    is_wide = is_apart and columns.usual >= _MANY_COLUMNS
    found, sure, certain = 0, True, False
    for back, row in enumerate(reversed(rows), 1):
        cells = [(place, cell.strip()) for place, cell in enumerate(row) if cell.strip()]
        if not cells:
            continue
        place, cell = cells[0]
        if 2 * len(cells) > columns.usual or _FIGURE.match(cell) or _is_missing(cell):
            break
        after_blank = is_apart and back < len(rows) and not _filled(rows[-back - 1])
        above_notes = is_wide and certain and len(cells) == 1
        is_long = is_wide and len(cells) == 1 and len(cell.split()) > 1
        certain = bool(_SOURCE.match(cell)) or after_blank or above_notes or is_long
        is_total = _TOTAL.match(cell) is not None and (
            place in columns.numeric or place in columns.names
        )
        if cell in columns.values.get(place, ()) or not (certain or is_total or columns.lacks(row)):
            break
        found, sure = back, sure and certain
    return found, sure
