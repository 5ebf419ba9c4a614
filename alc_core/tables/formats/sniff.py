"""Finding the delimiter of a text file, and recognising text that is not a table."""

from __future__ import annotations

import csv
import re

from alc_core.tables.formats.encoding import not_a_table
from alc_core.tables.formats.source import Source

DELIMITERS = (",", ";", "\t", "|")

_NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar", " ": "space"}
_SAMPLE_BYTES = 256 * 1024
_SAMPLE_RECORDS = 200
_CONSISTENT = 0.9
_PROSE_WORDS = 4.0
_LETTERS = re.compile(r"[^\W\d_]{2,}")


def delimiter_name(delimiter: str) -> str:
    """Return what people call a delimiter."""
    return _NAMES.get(delimiter, f"'{delimiter}'")


def find_delimiter(source: Source, text: bytes, *, given: str | None) -> str:
    """Find the delimiter, or check the given one."""
    lines = _sample(text)
    fits = {mark: _fit(lines, mark) for mark in DELIMITERS}
    best = max(DELIMITERS, key=lambda mark: fits[mark] if fits[mark][0] else (False, 0.0, 0))
    if given is not None:
        _check_given(source, lines, given, best if fits[best][0] else None, fits[best][2])
        return given
    if source.extension in (".tsv", ".tab") and fits["\t"][0]:
        return "\t"
    if fits[best][0]:
        return best
    return _doubtful(source, lines, fits)


def _sample(text: bytes) -> list[str]:
    head = text[:_SAMPLE_BYTES].decode("utf-8", errors="ignore")
    lines = head.splitlines(keepends=True)
    if len(text) > _SAMPLE_BYTES and len(lines) > 1:
        lines.pop()
    return lines


def _fit(lines: list[str], delimiter: str) -> tuple[bool, float, int]:
    """Say whether a delimiter gives two or more columns in nearly all rows, and how well."""
    counts = []
    try:
        for record in csv.reader(lines, delimiter=delimiter):
            if record:
                counts.append(len(record))
            if len(counts) > _SAMPLE_RECORDS:
                break
    except csv.Error:
        pass
    if not counts or counts[0] < 2:
        return False, 0.0, 1
    rows = counts[1:] or counts
    share = sum(count == counts[0] for count in rows) / len(rows)
    return share >= _CONSISTENT, float(counts[0]), counts[0]


def _check_given(
    source: Source, lines: list[str], given: str, better: str | None, n_columns: int
) -> None:
    if len(given) != 1 or given in '"\r\n\0' or not given.isascii():
        raise source.error(
            f"cannot be split by the delimiter {given!r}",
            "Choose one character, such as ',', ';' or a tab.",
        )
    header_fields = _fit(lines, given)[2]
    if header_fields == 1 and better is not None and better != given:
        raise source.error(
            f"has a single column when split by {delimiter_name(given)}, but"
            f" {n_columns} columns when split by {delimiter_name(better)}",
            f"Choose {delimiter_name(better)} as the delimiter, or none.",
        )


def _doubtful(source: Source, lines: list[str], fits: dict[str, tuple[bool, float, int]]) -> str:
    """Decide where no delimiter fits nearly all rows: uneven rows, one column, or not a table."""
    written = [line.strip() for line in lines if line.strip()]
    several = [mark for mark in DELIMITERS if fits[mark][2] > 1]
    words = [len(line.split()) for line in written]
    wordy = bool(words) and sum(words) / len(words) >= _PROSE_WORDS
    most = max(several, key=lambda mark: fits[mark][2], default=",")
    if wordy and _is_prose(written) and fits[most][2] < max(words):
        raise not_a_table(source, "running text without columns")
    if several:
        return most
    if len(set(words)) == 1 and words[0] > 1 and len(words) > 1:
        raise source.error(
            f"seems to have {words[0]} columns separated by spaces",
            "Save it with commas between the columns, or choose ' ' as the delimiter.",
        )
    return ","


def _is_prose(lines: list[str]) -> bool:
    sample = lines[:_SAMPLE_RECORDS]
    worded = sum(len(_LETTERS.findall(line)) >= 3 for line in sample)
    return worded >= 0.5 * len(sample)
