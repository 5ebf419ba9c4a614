"""Other names of columns, for people and in releases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from types import MappingProxyType
from typing import TypeVar, get_args

import pandas as pd

from alc_core.errors import ColumnError, InputError
from alc_core.tables.formats.recognise import EXTENSIONS, PACKED
from alc_core.tables.formats.source import Purpose
from alc_core.tables.kinds import infer_kind, infer_kinds
from alc_core.tables.one_hot import certain_sources
from alc_core.tables.recode import Recoded, read_source, recoded, require_source
from alc_core.tables.table import Table
from alc_core.tables.truth import truth_sources
from alc_core.tables.values.no_value import says_no_value
from alc_core.tables.values.texts import canonical_labels, coded_texts

_HEADS = frozenset({"column", "variable", "name", "code", "field"})
_CODE_HEADS, _LABEL_HEADS = {"code", "value"}, {"label", "description", "meaning", "title"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """Names of columns and values by their codes."""

    columns: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    # By column's code and value's code
    labels: Mapping[str, Mapping[str, str]] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def codes(self) -> dict[str, str]:
        """The codes of columns by their names."""
        return {name: code for code, name in self.columns.items()}

    def __bool__(self) -> bool:
        return bool(self.columns or self.labels)

    def of(self, original: Table) -> Names:
        """Return distinct names an original's columns can have."""
        columns = {c: n for c, n in self.columns.items() if c in original.columns and n and n != c}
        taken = Counter(columns.get(column, column) for column in original.columns)
        columns = {c: n if taken[n] == 1 else f"{n} ({c})" for c, n in columns.items()}
        values = {c: dict(v) for c, v in self.labels.items() if c in original.columns}
        return Names(columns=columns, labels=values)

    def with_column(self, code: str, name: str) -> Names:
        """Return names with a column's changed; empty restores its code."""
        return replace(self, columns={**self.columns, code: name})


def with_names(table: Table, names: Names) -> Table:
    """Return a table with names for codes; its fingerprint stays.

    Examples
    --------
    >>> import pandas as pd, alc_core as alc
    >>> table = alc.table_from_frame(pd.DataFrame({"MAR": [1, 2], "AGEP": [30, 40]}), name="a")
    >>> named = with_names(table, Names(columns={"MAR": "status"}, labels={"MAR": {"1": "single"}}))
    >>> named.columns, list(named.frame["status"].astype(str)), named.codes
    (('status', 'AGEP'), ['single', '2'], {'status': 'MAR'})
    """
    new = {c: n for c, n in names.columns.items() if c in table.columns and n and n != c}
    final = Counter(new.get(column, column) for column in table.columns)
    if twice := [name for name, times in final.items() if times > 1]:
        raise ColumnError(f"Two columns of '{table.name}' would be called '{twice[0]}'.")
    frame, guesses = table.frame, dict(table.guesses)
    for column in (c for c in names.labels if c in table.columns and names.labels[c]):
        called = _called(frame[column], names.labels[column])
        if called is not None:
            frame = frame.assign(**{column: called})
            guesses[column] = infer_kinds(frame[[column]])[column]
    return replace(
        table,
        frame=frame.rename(columns=new),
        guesses={new.get(column, column): guess for column, guess in guesses.items()},
        maybe_thousands={new.get(c, c): each for c, each in table.maybe_thousands.items()},
        codes={name: code for code, name in new.items()},
        value_codes={
            new.get(c, c): {name: code for code, name in values.items()}
            for c, values in names.labels.items()
            if c in table.columns
        },
    )


def column_named(text: str, columns: Collection[str], codes: Mapping[str, str]) -> str:
    """Return a column's name from its name or code.

    `codes` are by name; other texts stay.

    Raises
    ------
    ColumnError
        If it is one column's name and another's code.

    Examples
    --------
    >>> [column_named(text, ["age", "sex"], {"age": "K07"}) for text in ("K07", "age", "job")]
    ['age', 'age', 'job']
    """
    coded = next((name for name, code in codes.items() if code == text), None)
    if coded is None:
        return text
    if text in columns:
        raise ColumnError(
            f"'{text}' is the code of column '{coded}' and the name of '{codes[text]}'. Say "
            f"'{coded}' or '{codes[text]}'."
        )
    return coded


def names_of(table: Table) -> Names:
    """Return a table's given names of columns and values."""
    return Names(
        columns={code: name for name, code in table.codes.items()},
        labels={
            table.codes.get(column, column): {code: name for name, code in values.items()}
            for column, values in table.value_codes.items()
        },
    )


def _called(series: pd.Series, names: Mapping[str, str]) -> pd.Series | None:
    """Return values by name; None without names."""
    labels = canonical_labels(series)
    found = labels.map(names)
    if not found.notna().any():
        return None
    plain = found.where(found.notna(), labels).astype(object)
    return coded_texts(pd.DataFrame({"": plain.where(series.notna(), None)}))[""]


def codebook(rows: Iterable[Sequence[object]], *, name: str) -> Names:
    """Return a codebook's names: column and label, or column, code and label.

    A row without code names its column, or a missing value such as ".". A row without column
    continues the one above. If the first row names the columns, others may stand beside them.
    """
    columns: dict[str, str] = {}
    values: dict[str, dict[str, str]] = {}
    column = ""
    for cells in _named_cells(rows):
        if len(cells) not in (2, 3):
            raise InputError(
                f"The codebook '{name}' has {len(cells)} columns. It needs two (column, label) or "
                "three (column, code, label)."
            )
        column, label = cells[0] or column, cells[-1]
        if not column or not label:
            continue
        if len(cells) == 3 and cells[1]:
            values.setdefault(column, {})[cells[1]] = label
        elif len(cells) == 2 or not (column in columns or says_no_value(label)):
            columns[column] = label
    if not columns and not values:
        raise InputError(f"The codebook '{name}' names no column and no value.")
    for column, labels in values.items():
        if twice := [label for label, times in Counter(labels.values()).items() if times > 1]:
            raise InputError(f"The codebook '{name}' repeats a name of '{column}': '{twice[0]}'.")
    return Names(columns=columns, labels=values)


def _named_cells(rows: Iterable[Sequence[object]]) -> Iterator[list[str]]:
    """Yield each row's cells; if a head names them: column, code if any, and label."""
    places: list[int] = []
    for number, row in enumerate(rows):
        cells = [_plain(cell) for cell in row]
        head = [cell.lower() for cell in cells]
        if number == 0 and head[0] in _HEADS:
            code, label = (
                [place for place, name in enumerate(head) if place and name in names][:1]
                for names in (_CODE_HEADS, _LABEL_HEADS)
            )
            places = [0, *code, *label] if label else []
            continue
        yield [cells[place] for place in places] or cells


def _plain(cell: object) -> str:
    if cell is None or cell != cell:
        return ""
    return str(int(cell) if isinstance(cell, float) and cell.is_integer() else cell).strip()


def plain_names(files: Sequence[str]) -> list[str]:
    """Return file names without endings, unless ambiguous.

    A table in a file has its own name, except that of an object with both.

    Examples
    --------
    >>> plain_names(["a.pq", "b.sav", "b.csv.gz", "v1.2", "c.xlsx::May", "d.rds::release"])
    ['a', 'b.sav', 'b.csv.gz', 'v1.2', 'May', 'd']
    """
    stems = [*map(_stem, files)]
    times = Counter(stems)
    return [s if times[s] == 1 else f for s, f in zip(stems, files, strict=True)]


def _stem(file: str) -> str:
    book, _, table = file.rpartition("::")
    path = PurePath(book if book and table in get_args(Purpose) else table)
    for endings in (PACKED, EXTENSIONS):
        if path.suffix.lower() in endings and path.stem:
            path = PurePath(path.stem)
    return str(path)


Value = TypeVar("Value")

# From a source in a released file (:mod:`alc_core.tables.recode`) to the original's column
SameColumns = Mapping[str, str]


def with_same_columns(original: Table, release: Table, same: SameColumns) -> Table:
    """Return a released table with the original's column names.

    Parameters
    ----------
    original : Table
        Real people.
    release : Table
        Its fingerprint stays.
    same : mapping of str to str
        From a source in the release, a name perhaps with a coding (:mod:`alc_core.tables.recode`),
        to the original's column. A name to itself: a column of its own, or unchanged values.
        One-hot columns (:mod:`alc_core.tables.one_hot`) and True and False
        (:mod:`alc_core.tables.truth`) are decoded automatically.

    Returns
    -------
    Table
        ``same_columns`` has the sources.

    Raises
    ------
    ColumnError
        If a table lacks a named column.
    InputError
        If the name is taken, or two sources are one column.

    Examples
    --------
    >>> import pandas as pd, alc_core as alc
    >>> original = alc.table_from_frame(pd.DataFrame({"age": [1, 2], "job": ["a", "b"]}), name="a")
    >>> release = alc.table_from_frame(pd.DataFrame({"age": [6, 7], "work": ["b", "a"]}), name="b")
    >>> found = alc.with_same_columns(original, release, {"work": "job", "age - 5": "age"})
    >>> found.columns, found.frame["age"].tolist()
    (('age', 'job'), [1.0, 2.0])
    """
    sources = _sources(original, release, {t: of for t, of in same.items() if t != of})
    truth = _truth(original, release, sources)
    own = {t for t, of in same.items() if t == of and (of not in original.columns or of in truth)}
    sources |= {of: source for of, source in truth.items() if of not in own}
    sources |= certain_sources(
        original,
        release,
        apart={*own, *release.same_columns, *(c for s in sources.values() for c in s.columns)},
        known=sources,
    )
    if not sources and own <= release.same_columns.keys():
        return release
    frame = recoded(original, release, sources) if sources else release.frame
    plain = {s.columns[0]: of for of, s in sources.items() if s.form == "plain"}
    gone = {column for source in sources.values() for column in source.columns} - plain.keys()

    def renamed(values: Mapping[str, Value]) -> dict[str, Value]:
        return {plain.get(name, name): each for name, each in values.items() if name not in gone}

    fresh = {of: infer_kind(frame[of]) for of, s in sources.items() if s.form != "plain"}
    notes = [f"Column '{s.words}' is read as the original's '{of}'." for of, s in sources.items()]
    return replace(
        release,
        frame=frame,
        guesses=MappingProxyType({**renamed(release.guesses), **fresh}),
        overrides=MappingProxyType(renamed(release.overrides)),
        value_sets=MappingProxyType(renamed(release.value_sets)),
        date_readings=MappingProxyType(renamed(release.date_readings)),
        maybe_thousands=MappingProxyType(renamed(release.maybe_thousands)),
        same_columns=MappingProxyType({**_told(release, sources), **{name: name for name in own}}),
        notes=(*release.notes, *notes),
    )


def _truth(original: Table, release: Table, sources: Mapping[str, Recoded]) -> dict[str, Recoded]:
    plain = {of: source.columns[0] for of, source in sources.items() if source.form == "plain"}
    used = {column for source in sources.values() for column in source.columns}
    settled = {*release.same_columns.values(), *sources, *used}
    shared = {c: c for c in original.columns if c in release.columns and c not in settled}
    return truth_sources(original, release, plain | shared)


def _sources(original: Table, release: Table, same: SameColumns) -> dict[str, Recoded]:
    sources: dict[str, Recoded] = {}
    users: dict[str, str] = {}
    for text, of in same.items():
        source = require_source(text, release)
        original.require(of)
        if of in sources:
            raise InputError(
                f"'{sources[of].text}' and '{text}' of '{release.name}' cannot both be the "
                f"original's '{of}'. Name one."
            )
        for column in source.columns:
            others = [each for each in sources.values() if column in each.columns]
            if others and {each.form for each in (source, *others)} != {"labels"}:
                raise InputError(
                    f"'{users[column]}' and '{text}' both use the column '{column}' of "
                    f"'{release.name}'. Name one."
                )
            users[column] = text
        sources[of] = source
    for of, source in sources.items():
        if of in release.columns and of not in users:
            raise InputError(
                f"'{source.text}' of '{release.name}' cannot be the original's '{of}', which the "
                f"release has. Leave it, or say what its '{of}' is."
            )
    return sources


def _told(release: Table, sources: Mapping[str, Recoded]) -> dict[str, str]:
    """Return the file's source of each column after further changes."""
    before = {of: text for text, of in release.same_columns.items()}
    told = dict(release.same_columns)
    for of, source in sources.items():
        text, read = source.text, [column for column in source.columns if column in before]
        if read and source.form != "plain":
            raise InputError(
                f"'{read[0]}' of '{release.name}' is '{before[read[0]]}' of its file, which "
                f"'{text}' cannot use. Give both at once."
            )
        told[before.get(text, text)] = of
    return {text: of for text, of in told.items() if text != of}


def name_and_column(text: str, columns: Collection[str]) -> tuple[str, str]:
    """Split at the equals sign before an original column.

    Raises
    ------
    InputError
        If it or a side is missing.
    """
    parts = text.split("=")
    splits = [("=".join(parts[:k]), "=".join(parts[k:])) for k in range(1, len(parts))]
    found = [(name.strip(), of.strip()) for name, of in splits]
    if not found or not all(found[0]):
        raise InputError(f"--same takes NAME=COLUMN, such as pay_class=income, not '{text}'.")
    return next((each for each in found if each[1] in (*columns, each[0])), found[0])


def fitting(original: Table, release: Table, same: SameColumns) -> dict[str, str]:
    """Return settings of a released table that still fit."""
    read = {text: read_source(text, release.columns) for text in same}
    used = {
        text: source.columns
        for text, source in read.items()
        if source is not None and (same[text] in original.columns or same[text] == text)
    }
    taken = set(release.columns) - {column for columns in used.values() for column in columns}
    found: dict[str, str] = {}
    for text in used:
        if same[text] not in taken:
            found[text] = same[text]
            taken.add(same[text])
    return found if found.keys() == used.keys() else fitting(original, release, found)
