"""Sources of the original's columns in a released file.

A source is written as text in options, campaign files and on the Data page:

=================================  =================================================
``pay_class``                      the column as it is
``income / 1.08``, ``age - 5``     its numbers after steps, one by one from the left
``scale * -1 + 6``, ``born - 47``  likewise; of dates the steps are days
``log income``                     the numbers of which the column holds the logarithms
``sex {"1": "2", "2": "1"}``       its labels put in the place of others
``age codes``                      the original's values by their place in order, from 1
``income ranks``                   the original's values of equal rank
``one of {"sex_m": "m"}``          the label of the column that is 1; "" of none of them
``age as age on 2024-06-30``       the dates of birth of ages, or ages for dates of birth
=================================  =================================================
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
import pandas as pd

from alc_core.arrays import BoolArray, FloatArray, RowArray
from alc_core.errors import ColumnError, InputError
from alc_core.plain_values import read_only
from alc_core.tables.table import ColumnKind, Table, missing_column_message
from alc_core.tables.value_sets import Interval
from alc_core.tables.values.dates import datetime_values, iso_day
from alc_core.tables.values.generalized import (
    ABOVE,
    ABOVE_OPEN,
    AND_OVER,
    AND_UNDER,
    BELOW,
    BELOW_OPEN,
)
from alc_core.tables.values.texts import (
    canonical_labels,
    label_codes,
    numeric_values,
    parse_numbers,
)

Form = Literal["plain", "steps", "log", "labels", "codes", "ranks", "one of", "age"]
Step = tuple[str, float]  # One of + - * /, and a number

_STEP = re.compile(
    r"\s*([-+*/])\s*(-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?)", re.IGNORECASE
)
_BY_ORDER = re.compile(r"(codes|ranks)(?: from ([0-9]+)| (down))?\Z")
ONE_OF = "one of {"  # Start of a source that is one of several columns
_AGE = re.compile(r" as age on ([0-9]{4}-[0-9]{2}-[0-9]{2})\Z")
_RANGE = re.compile(r"[\[(]?\s*[0-9]+[^0-9]{1,9}[0-9]+\D*")
_TRUE = frozenset({"1", "true", "t", "yes", "y"})
YES_AND_NO = _TRUE | {"0", "false", "f", "no", "n"}
_LEAST, _LEAD = 0.5, 0.2  # The column meant has this much, and this much more
_DAYS = 86_400
YEAR = 365.2425  # Days


@dataclass(frozen=True, slots=True, kw_only=True)
class Recoded:
    """A source of an original column in a released file."""

    columns: tuple[str, ...]  # Of the file
    form: Form = "plain"
    steps: tuple[Step, ...] = ()
    # Original label by released label, or by column with 1
    labels: Mapping[str, str] = field(default_factory=lambda: read_only({}))
    first: int = 1  # Least code
    down: bool = False  # Whether the greatest rank is the least value
    day: str = ""  # On which somebody has the age

    @property
    def text(self) -> str:
        """The source as it is written."""
        (first, *_) = self.columns
        match self.form:
            case "plain":
                return first
            case "steps" | "log":
                steps = "".join(f" {sign} {_number(number)}" for sign, number in self.steps)
                return f"{'log ' if self.form == 'log' else ''}{first}{steps}"
            case "labels":
                return f"{first} {_json(self.labels)}"
            case "codes":
                return f"{first} codes" + (f" from {self.first}" if self.first != 1 else "")
            case "ranks":
                return f"{first} ranks{' down' if self.down else ''}"
            case "one of":
                return f"one of {_json(self.labels)}"
            case "age":
                return f"{first} as age on {self.day}"

    @property
    def words(self) -> str:
        """The source as a sentence names it."""
        if self.form != "one of":
            return self.text
        first, last = self.columns[0], self.columns[-1]
        return first if first == last else f"{first} to {last}"

    def renamed(self, names: Mapping[str, str]) -> Recoded:
        """Return the same with renamed columns."""
        labels = self.labels
        if self.form == "one of":
            labels = {names.get(column, column): label for column, label in labels.items()}
        columns = tuple(names.get(column, column) for column in self.columns)
        return replace(self, columns=columns, labels=read_only(labels))


def read_source(text: str, columns: Collection[str]) -> Recoded | None:
    """Read a source in a file's columns, if it has them.

    Examples
    --------
    >>> read_source("pay / 1.08", ["pay"]).steps, read_source("a - b", ["a - b"]).form
    ((('/', 1.08),), 'plain')
    """
    if text in columns:
        return Recoded(columns=(text,))
    if text.startswith(ONE_OF) and (labels := _labels(text.removeprefix("one of "))):
        parts = tuple(column for column in labels if column)
        return (
            Recoded(columns=parts, form="one of", labels=read_only(labels))
            if parts and {*parts} <= {*columns}
            else None
        )
    for column in sorted(columns, key=len, reverse=True):
        if text.startswith(f"log {column}"):
            steps = _steps(text.removeprefix(f"log {column}"))
            if steps is not None:
                return Recoded(columns=(column,), form="log", steps=steps)
        if text.startswith(column) and (found := _read_how(column, text.removeprefix(column))):
            return found
    return None


def _read_how(column: str, how: str) -> Recoded | None:
    if steps := _steps(how):
        return Recoded(columns=(column,), form="steps", steps=steps)
    if how[:1] != " ":
        return None
    if (age := _AGE.match(how)) and (day := _day(age.group(1))):
        return Recoded(columns=(column,), form="age", day=day)
    if labels := _labels(how.strip()):
        return Recoded(columns=(column,), form="labels", labels=read_only(labels))
    if match := _BY_ORDER.match(how.strip()):
        form, first, down = match.groups()
        if form == "codes" and not down:
            return Recoded(columns=(column,), form="codes", first=int(first or 1))
        if form == "ranks" and not first:
            return Recoded(columns=(column,), form="ranks", down=bool(down))
    return None


def _day(text: str) -> str:
    try:
        return dt.date.fromisoformat(text).isoformat()
    except ValueError:
        return ""


def _steps(text: str) -> tuple[Step, ...] | None:
    found: list[Step] = []
    while text.strip():
        match = _STEP.match(text)
        if match is None:
            return None
        number = float(match.group(2))
        if match.group(1) == "/" and number == 0:
            return None
        found.append((match.group(1), number))
        text = text[match.end() :]
    return tuple(found)


def _labels(text: str) -> dict[str, str] | None:
    if text[:1] != "{":
        return None
    try:
        labels = json.loads(text)
    except ValueError:
        return None
    plain = isinstance(labels, dict) and all(isinstance(v, str) for v in labels.values())
    return labels if plain else None


def _json(labels: Mapping[str, str]) -> str:
    return json.dumps(dict(labels), ensure_ascii=False)


def _number(number: float) -> str:
    return f"{number:.12g}"


def decoded(source: Recoded, frame: pd.DataFrame, original: Table, of: str) -> pd.Series:
    """Return released values as values of the original's column.

    Raises
    ------
    InputError
        If values cannot be so coded.
    """
    (first, *_) = source.columns
    series = frame[first]
    match source.form:
        case "plain":
            return series
        case "steps" | "log":
            return _stepped(source, series, original, of)
        case "labels":
            return _relabelled(source, series, original.frame[of])
        case "codes" | "ranks":
            return _by_order(source, series, original, of)
        case "one of":
            return _one_of(source, frame)
        case "age":
            return _aged(source, series, original, of)


def _relabelled(source: Recoded, series: pd.Series, own: pd.Series) -> pd.Series:
    labels = canonical_labels(series).map(
        lambda label: source.labels.get(label, label), na_action="ignore"
    )
    if not pd.api.types.is_numeric_dtype(own.dtype) or pd.api.types.is_bool_dtype(own.dtype):
        return labels
    numbers = pd.Series(numeric_values(labels), index=series.index)
    return numbers if numbers.notna().sum() == labels.notna().sum() else labels


def _stepped(source: Recoded, series: pd.Series, original: Table, of: str) -> pd.Series:
    dates = original.kind(of) is ColumnKind.DATETIME
    numbers = datetime_values(series) if dates else numeric_values(series)
    if not np.isfinite(numbers).any() and series.notna().any():
        raise InputError(
            f"Column '{source.columns[0]}' has no numbers or dates for '{source.text}'. Use "
            "another expression."
        )
    numbers = read_numbers(source, numbers, numbers)
    if dates:
        moments = np.round(numbers * _DAYS).astype("float64")
        return pd.Series(
            np.where(np.isfinite(moments), moments, np.iinfo(np.int64).min)
            .astype(np.int64)
            .view("M8[s]"),
            index=series.index,
        )
    return pd.Series(_as_before(numbers, numeric_values(original.frame[of])), index=series.index)


def read_numbers(source: Recoded, numbers: FloatArray, values: FloatArray) -> FloatArray:
    """Return numbers after steps, or sorted values by codes."""
    if source.form == "codes":
        places = numbers - source.first
        fits = np.isfinite(places) & (places >= 0) & (places < len(values))
        return np.where(fits, values[np.where(fits, places, 0).astype(np.intp)], np.nan)
    if source.form == "log":
        with np.errstate(over="ignore"):
            numbers = np.exp(numbers)
    for sign, number in source.steps:
        numbers = _STEPS[sign](numbers, number)
    return numbers


_STEPS = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide}


def _as_before(numbers: FloatArray, own: FloatArray) -> FloatArray:
    """Round to the original's decimals: equal numbers must be equal."""
    present = own[np.isfinite(own)]
    for decimals in range(7):
        if np.array_equal(np.round(present, decimals), present):
            return np.round(numbers, decimals)
    return numbers


def _by_order(source: Recoded, series: pd.Series, original: Table, of: str) -> pd.Series:
    """Return the original's values by place or rank."""
    own = original.frame[of]
    dates = original.kind(of) is ColumnKind.DATETIME
    numbers = datetime_values(own) if dates else numeric_values(own)
    released = numeric_values(series)
    present = np.sort(numbers[np.isfinite(numbers)])
    if not len(present):
        raise InputError(
            f"The original's column '{of}' has no numbers or dates, so '{source.text}' cannot be "
            "its ranks. Write labels."
        )
    if source.form == "codes":
        found = read_numbers(source, released, np.unique(present))
    else:
        found = of_equal_rank(released, present, among=released, down=source.down)
    if not dates:
        return pd.Series(found, index=series.index)
    days = pd.to_datetime(pd.Series(found, index=series.index), unit="D", errors="coerce")
    return days.astype("M8[s]")


def of_equal_rank(
    numbers: FloatArray, ordered: FloatArray, *, among: FloatArray, down: bool
) -> FloatArray:
    """Return an ordered array's numbers of equal ranks."""
    present = np.sort(among[np.isfinite(among)])
    if not len(present):
        return np.full(len(numbers), np.nan)
    below, up_to = (np.searchsorted(present, numbers, side=side) for side in ("left", "right"))
    rank = (below + up_to) / 2 / len(present)  # of ties the middle one
    places = (1 - rank if down else rank) * len(ordered)
    found = ordered[np.clip(places, 0, len(ordered) - 1).astype(np.intp)]
    return np.where(np.isfinite(numbers), found, np.nan)


def _one_of(source: Recoded, frame: pd.DataFrame) -> pd.Series:
    """Return each row's label of the column at 1, or clearly highest."""
    columns = [column for column in source.labels if column]
    chosen, clear = one_of_columns([flag_values(frame[column]) for column in columns])
    if (of_none := source.labels.get("")) is None:
        clear &= chosen >= 0
    labels = np.asarray([*(source.labels[c] or None for c in columns), of_none], dtype=object)
    found = labels[chosen]
    found[~clear] = None
    return pd.Series(found, index=frame.index, dtype=object)


def flag_values(series: pd.Series) -> FloatArray:
    """Return each row's yes, from 0 to 1, of numbers or words."""
    if pd.api.types.is_numeric_dtype(series.dtype):
        return numeric_values(series)
    codes, found = label_codes(series)
    numbers = parse_numbers(found)
    for place, label in enumerate(found):
        if (word := label.lower()) in YES_AND_NO:
            numbers[place] = word in _TRUE
    return np.append(numbers, np.nan)[codes]


def one_of_columns(flags: Iterable[FloatArray]) -> tuple[RowArray, BoolArray]:
    """Return each row's column, -1 for none, and clarity."""
    best = second = total = missing = chosen = np.array(0.0)
    for number, values in enumerate(flags):
        present = np.nan_to_num(values, nan=0.0)
        leads = present > best
        second = np.where(leads, best, np.maximum(second, present))
        chosen = np.where(leads, number, chosen)
        best = np.maximum(best, present)
        total, missing = total + present, missing + np.isnan(values)
    one = (best >= _LEAST) & (best - second >= _LEAD)
    none = (total < _LEAST) & (missing == 0)
    return np.where(one, chosen, -1).astype(np.intp), one | none


def _aged(source: Recoded, series: pd.Series, original: Table, of: str) -> pd.Series:
    day = float((dt.date.fromisoformat(source.day) - dt.date(1970, 1, 1)).days)
    if original.kind(of) is not ColumnKind.DATETIME:
        born = datetime_values(series)
        if not np.isfinite(born).any() and series.notna().any():
            raise InputError(
                f"Column '{source.columns[0]}' has no dates for '{source.text}'. Use another "
                "expression."
            )
        return pd.Series(np.floor((day - born) / YEAR), index=series.index)
    codes, labels = label_codes(series)
    days = [_born(read_ages(label), day) or label for label in labels]
    return pd.Series(np.asarray([*days, None], dtype=object)[codes], index=series.index)


def read_ages(label: str) -> Interval | None:
    """Return the whole years of age a label covers, if it is an age.

    Examples
    --------
    >>> [read_ages(text).closed_bounds for text in ("30", "[30, 40)", "under 18", "90+")]
    [(30.0, 30.0), (30.0, 39.0), (-inf, 17.0), (90.0, inf)]
    """
    text = label.strip()
    numbers = [float(number) for number in re.findall(r"[0-9]+", text.removesuffix(".0"))]
    if len(numbers) == 2 and _RANGE.fullmatch(text):
        low, high = numbers[0] + (text[0] == "("), numbers[1] - (text[-1] == ")")
        return Interval(low, high) if low <= high else None
    if len(numbers) != 1:
        return None
    (number,) = numbers
    if np.isfinite(parse_numbers([text])[0]):
        return Interval(number, number)
    for pattern, low, high in (
        (BELOW_OPEN, -np.inf, number - 1),
        (BELOW, -np.inf, number),
        (ABOVE_OPEN, number + 1, np.inf),
        (ABOVE, number, np.inf),
    ):
        if re.match(rf"(?:{pattern})\s*[0-9]+\D*\Z", text, re.IGNORECASE):
            return Interval(low, high)
    if re.match(rf"[0-9]+\D*?(?:{AND_OVER})\D*\Z", text, re.IGNORECASE):
        return Interval(number, np.inf)
    under = re.match(rf"[0-9]+\D*?(?:{AND_UNDER})\D*\Z", text, re.IGNORECASE)
    return Interval(-np.inf, number) if under else None


def _born(ages: Interval | None, day: float) -> str:
    """Return dates of birth of ages, as a range in brackets."""
    if ages is None:
        return ""
    least, most = ages.closed_bounds
    # A person is 30 from the birthday to the day before the next
    first = "" if np.isinf(most) else iso_day(np.floor(day - (np.floor(most) + 1) * YEAR) + 1)
    last = "" if np.isinf(least) else iso_day(np.floor(day - np.ceil(least) * YEAR))
    return f"[{first}; {last}]"


def recoded(original: Table, release: Table, sources: Mapping[str, Recoded]) -> pd.DataFrame:
    """Return released rows with the original's columns for their sources."""
    frame = release.frame
    taken = {column for source in sources.values() for column in source.columns}
    made: dict[str, pd.Series] = {}
    for name in frame.columns:
        for of in (of for of, source in sources.items() if source.columns[0] == name):
            made[of] = decoded(sources[of], frame, original, of)
        if name not in taken:
            made[name] = frame[name]
    return pd.DataFrame(made, index=frame.index)


def source_words(text: str) -> str:
    """Return a source's name in sentences."""
    if not text.startswith(ONE_OF):
        return text
    labels = _labels(text.removeprefix("one of ")) or {}
    columns = tuple(column for column in labels if column)
    return Recoded(columns=columns, form="one of").words if columns else text


def require_source(text: str, release: Table) -> Recoded:
    """Return a text's source in a released table.

    Raises
    ------
    ColumnError
        If a named column is missing.
    """
    source = read_source(text, release.columns)
    if source is None:
        raise ColumnError(missing_column_message(release, text))
    return source
