"""Numbers and lists in sentences."""

from __future__ import annotations

import csv
import re
import tomllib
from collections.abc import Collection, Iterable, Sequence
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any
from unicodedata import category

# Characters that steer a terminal or cannot be encoded
_UNSHOWN = frozenset(("Cc", "Cs", "Zl", "Zp"))
_BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")  # turn text around


@cache
def texts_beside(module: str) -> dict[str, Any]:
    """Return the words in a file beside a module; do not change them."""
    return tomllib.loads(Path(module).with_suffix(".toml").read_text(encoding="utf-8"))


def percent(share: float) -> str:
    """Return a percentage: whole from 10%, else one decimal, never a false 0 or 100.

    >>> percent(0.4127), percent(0.0312), percent(0.0002), percent(0.9996), percent(1.0)
    ('41%', '3.1%', 'under 0.1%', 'over 99.9%', '100%')
    """
    if share in (0.0, 1.0):
        return f"{abs(share):.0%}"  # Of -0 as well
    if share < 0.001:
        return "under 0.1%"
    if share > 0.999:
        return "over 99.9%"
    decimals = 0 if 0.0995 <= share < 0.995 else 1
    return f"{100 * share:.{decimals}f}".removesuffix(".0") + "%"


def by_chance(share: float) -> str:
    """Return a share by chance, never 0.

    >>> by_chance(0.0), by_chance(0.03)
    ('under 0.1%', '3%')
    """
    return percent(share or _UNSEEN)


_UNSEEN = 0.0001


def count(number: int) -> str:
    """Return a whole number with commas between thousands."""
    return f"{number:,}"


def sentence_case(words: str) -> str:
    """Return words with a capital at the beginning.

    >>> sentence_case("at risk")
    'At risk'
    """
    return f"{words[:1].upper()}{words[1:]}"


def day_words(day: str) -> str:
    """Return an ISO date in words; an empty text stays.

    >>> day_words("2026-11-07")
    '7 November 2026'
    """
    said = date.fromisoformat(day) if day else None
    return f"{said.day} {said:%B %Y}" if said else ""


def numbered(number: int, what: str) -> str:
    """Return a number of things.

    >>> numbered(1, "attack"), numbered(20, "attack")
    ('1 attack', '20 attacks')
    """
    return f"{count(number)} {what}{'' if number == 1 else 's'}"


def alc_number(alc: float, *, decimals: int = 2) -> str:
    """Return an ALC as a number, clipped far below 0.

    >>> alc_number(0.126), alc_number(0.126, decimals=4)
    ('0.13', '0.1260')
    >>> alc_number(-412.3) == alc_number(-1.01)
    True
    >>> alc_number(0.7496), alc_number(0.75)  # Never up to a quarter, where the usual limits are
    ('0.74', '0.75')
    """
    if alc < -1:
        return "below \u22121"
    shown = round(alc, decimals)
    if alc < shown and shown % 0.25 == 0:
        shown -= 10.0**-decimals
    return f"{shown:.{decimals}f}".replace("-", "\u2212")


def loss_text(loss: float) -> str:
    """Return an ALC with two decimals, or "no loss"."""
    return "no loss" if loss <= 0 else alc_number(loss)


def cell_text(loss: float) -> str:
    """Return an ALC for a small cell: 0 without loss, never a false 0."""
    return "0" if loss <= 0 else alc_number(loss).replace("0.00", "<0.01")


def decimal(number: float) -> str:
    """Return a parameter with its digits, without exponent.

    >>> decimal(3.0), decimal(0.0001), decimal(5e-6)
    ('3', '0.0001', '0.000005')
    """
    return f"{number:.12f}".rstrip("0").rstrip(".")


def listed(words: Sequence[str], *, last: str = "and", most: int | None = None) -> str:
    """Join words as in a sentence, the first of many.

    >>> listed(["age", "education", "sex"]), listed(["age", "education", "sex"], most=1)
    ('age, education and sex', 'age and 2 more')
    """
    if most is not None and len(words) > most:
        words = [*words[:most], f"{count(len(words) - most)} more"]
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


MOST_FACTS = 3  # Facts that are named one by one; more are counted
_LONGEST_LABEL = 40


def short_name(name: str) -> str:
    """Return a long name's first words as a label.

    >>> short_name("credit limit"), short_name("late payments in the 24 months before the survey")
    ('credit limit', 'late payments in the 24 months before…')
    """
    if len(name) <= _LONGEST_LABEL:
        return name
    start = name[:_LONGEST_LABEL]
    return f"{start.rpartition(' ')[0].rstrip(' ,;:(-') or start[:-1]}…"


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Return names' labels, or names if labels are equal.

    >>> short_names(["age", "sex"])
    {'age': 'age', 'sex': 'sex'}
    """
    labels = {name: short_name(name) for name in names}
    return labels if len({*labels.values()}) == len(labels) else {name: name for name in names}


def facts_words(known: Sequence[str]) -> str:
    """Name a few known columns, or their number.

    >>> facts_words(["age", "sex"]), facts_words(["age", "sex", "job", "city"])
    ('age and sex', '4 facts')
    """
    if not few_facts(known):
        return numbered(len(known), "fact")
    return listed(list(short_names(known).values()))


def named_facts(known: Sequence[str]) -> str:
    """Name known columns, of many the first and the number of others.

    >>> named_facts(["age", "sex", "job", "city"])
    'age, sex, job and 1 more'
    """
    return listed([*short_names(known).values()], most=MOST_FACTS)


def there(columns: Iterable[str], absent: Collection[str]) -> tuple[str, ...]:
    """Return a release's columns.

    >>> there(["age", "sex"], absent=["sex"])
    ('age',)
    """
    return tuple(column for column in columns if column not in absent)


def facts_there(known: Sequence[str], absent: Collection[str]) -> str:
    """Name known columns in a release; of many, their number.

    >>> facts_there(["age", "sex"], ["sex"]), facts_there(["age", "sex", "job", "city"], ["sex"])
    ('age', '3 of 4 facts')
    """
    has = there(known, absent)
    if few_facts(known) or len(has) == len(known):
        return facts_words(has)
    return f"{count(len(has))} of {numbered(len(known), 'fact')}"


def few_facts(known: Sequence[str]) -> bool:
    """Return whether facts are few enough to be named."""
    return len(known) <= MOST_FACTS


def quoted(names: Sequence[str], *, most: int = 12) -> str:
    """List names in quotation marks, the first of many.

    >>> quoted(["age", "sex"]), quoted(["age", "sex", "job"], most=1)
    ("'age' and 'sex'", "'age' and 2 more")
    """
    return listed([f"'{name}'" for name in names], most=most)


def encodable(text: str) -> str:
    r"""Return a text with escapes for what cannot be encoded.

    >>> encodable("k\udcf6ln.csv")
    'k\\udcf6ln.csv'
    """
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def printable(text: str) -> str:
    r"""Return a text with escapes for what a terminal obeys or cannot show.

    >>> printable("\x1b[31mred.csv \udcff")
    '\\x1b[31mred.csv \\udcff'
    """
    if text.isprintable():
        return text
    return "".join(
        each.encode("unicode_escape").decode()
        if category(each) in _UNSHOWN or each in _BIDI
        else each
        for each in text
    )


LONGEST_ERROR = 300
_LONGEST_PART = 40
_LONG_PART = re.compile(r"'[^']{39,}'|\S{41,}")


def error_line(text: object) -> str:
    """Return an error as one printable line; only long ones lose the middle of names and values.

    >>> error_line(f"'{'x' * 999}' is empty. Use a file with rows.")
    "'xxxxxxxxxxxxxxxxxxx…xxxxxxxxxxxxxxxxxx' is empty. Use a file with rows."
    """
    line = printable(" ".join(str(text).split()))
    if len(line) <= LONGEST_ERROR:
        return line
    return _cut(_LONG_PART.sub(lambda part: _cut(part[0], _LONGEST_PART), line), LONGEST_ERROR)


def _cut(text: str, most: int) -> str:
    end = most // 2
    return text if len(text) <= most else f"{text[: most - end]}…{text[len(text) - end + 1 :]}"


def no_markdown(text: str) -> str:
    r"""Return a text for a line of Markdown, with marks escaped.

    >>> print(no_markdown("Drop zip_code\n[old]"))
    Drop zip\_code \[old\]
    """
    marks = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_[]<>#|~&$"})
    return printable(" ".join(text.translate(marks).split()))


def split_names(text: str) -> tuple[str, ...]:
    """Split comma-separated names; names with commas are in double quotes."""
    names = next(csv.reader([text], skipinitialspace=True), [])
    return tuple(name.strip() for name in names if name.strip())


def in_list(name: str) -> str:
    """Return a name for :func:`split_names`.

    >>> ",".join(map(in_list, ["age", 'a "b", c']))
    'age,"a ""b"", c"'
    """
    return _in_quotes(name) if {*name} & {*',"'} else name


def listed_name(text: str) -> str:
    """Return a name written by :func:`in_list`; other texts unchanged.

    >>> listed_name('"a, b"'), listed_name("a, b")
    ('a, b', 'a, b')
    """
    names = split_names(text)
    return names[0] if len(names) == 1 and in_list(names[0]) == text else text


_QUOTED = re.compile(r'\s*"((?:[^"]|"")*)"\s*(=)(.*)', re.DOTALL)


def with_values(name: str, values: str) -> str:
    """Return NAME=VALUES for :func:`name_and_values`.

    >>> with_values("sex (1=m)", "9")
    '"sex (1=m)"=9'
    """
    unsafe = "=" in name or name.startswith('"')
    return f"{_in_quotes(name) if unsafe else name}={values}"


def name_and_values(text: str) -> tuple[str, str, str]:
    """Split at the first unquoted equals sign, like :meth:`str.partition`.

    >>> name_and_values('"sex (1=m)"=9'), name_and_values("sex=9")
    (('sex (1=m)', '=', '9'), ('sex', '=', '9'))
    """
    if (found := _QUOTED.fullmatch(text)) is None:
        return text.partition("=")
    return found[1].replace('""', '"'), found[2], found[3]


def _in_quotes(name: str) -> str:
    return '"{}"'.format(name.replace('"', '""'))
