"""A list of attacks from a file: known columns for each unknown one."""

from __future__ import annotations

import csv
import io
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from alc_core.errors import ColumnError, InputError
from alc_core.runtime.files import check_file
from alc_core.tables.names import column_named
from alc_core.tables.table import Table, missing_column_message

_DELIMITERS = ",;\t"
_Job = list[tuple[int, str]]  # Line and name of the unknown column, then of known ones


def read_job_list(
    path: str | Path, original: Table, *, content: bytes | None = None
) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Read sets of known columns by unknown column.

    Parameters
    ----------
    path : str or Path
        CSV: each line has an unknown column, then known ones; a first line "unknown,known" is a
        head. Or ".toml": each key is an unknown column, its value a list of sets, such as ``income
        = [["age", "sex"], ["job"]]``.
    original : Table
    content : bytes, optional
        The file's; by default it is read.

    Returns
    -------
    dict of str to tuple of tuple of str
        As `job_list` of :class:`PlanSettings`.

    Raises
    ------
    ColumnError
        If the original lacks a column; names file, line and column.
    InputError
        If the file cannot be read, or a line has no known column.

    Examples
    --------
    >>> from pathlib import Path
    >>> import alc_core as alc
    >>> _ = Path("jobs.csv").write_text("religious,age,educ")
    >>> read_job_list("jobs.csv", alc.load_demo("fair").original)
    {'religious': (('age', 'educ'),)}
    """
    place = Path(path)
    if content is None:
        check_file(place)
    try:
        text = (place.read_bytes() if content is None else content).decode("utf-8-sig")
    except OSError:
        raise InputError(f"'{path}' cannot be read. Check its name and folder.") from None
    except UnicodeDecodeError:
        raise InputError(f"'{place.name}' is not UTF-8 text. Save it as UTF-8.") from None
    found: dict[str, dict[tuple[str, ...], None]] = {}
    for said in (_toml if place.suffix.lower() == ".toml" else _csv)(text, place.name):
        job = [
            (line, column_named(column, original.columns, original.codes)) for line, column in said
        ]
        for line, column in job:
            if column not in original.columns:
                raise ColumnError(
                    f"'{place.name}', line {line}: {missing_column_message(original, column)}"
                )
        unknown, *known = (column for _, column in job)
        if not known or len({*known, unknown}) < len(job):
            what = "names a column twice" if known else "names no known column"
            raise InputError(
                f"'{place.name}', line {job[0][0]} {what}. Name two or more columns, each once."
            )
        found.setdefault(unknown, {})[tuple(known)] = None
    if not found:
        raise InputError(
            f"'{place.name}' names no attack. Write one per line, such as: income,age,sex"
        )
    return {unknown: tuple(sets) for unknown, sets in found.items()}


def _csv(text: str, name: str) -> Iterator[_Job]:
    first = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text), delimiter=max(_DELIMITERS, key=first.count), strict=True)
    try:
        head = True
        for cells in reader:
            job = [(reader.line_num, cell.strip()) for cell in cells if cell.strip()]
            if job and not (head and [each.lower() for _, each in job[:2]] == ["unknown", "known"]):
                yield job
            head &= not job
    except csv.Error as error:
        raise InputError(f"'{name}', line {reader.line_num}: {error}. Fix this line.") from None


def _toml(text: str, name: str) -> Iterator[_Job]:
    try:
        jobs: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"'{name}' is not a TOML file: {error}.") from None
    for unknown, sets in jobs.items():
        for known in sets if isinstance(sets, list) else [None]:
            if not isinstance(known, list) or not all(isinstance(each, str) for each in known):
                raise InputError(
                    f"'{name}', line {_line_of(text, unknown)}: '{unknown}' is not a list of "
                    f'column sets. Write: {unknown} = [["age", "sex"]]'
                )
            yield [(_line_of(text, column), column) for column in (unknown, *known)]


def _line_of(text: str, name: str) -> int:
    found = re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)
    return text.count("\n", 0, found.start()) + 1 if found else 1
