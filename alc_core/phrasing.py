"""Numbers and lists as they stand in sentences."""

from __future__ import annotations

import csv
import re
import tomllib
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from unicodedata import category

# Categories of characters that steer a terminal or cannot be encoded
_UNSHOWN = frozenset(("Cc", "Cs", "Zl", "Zp"))


@cache
def texts_beside(module: str) -> dict[str, Any]:
    """Return the words that stand beside a module, in a file of its name; do not change them."""
    return tomllib.loads(Path(module).with_suffix(".toml").read_text(encoding="utf-8"))


def percent(share: float) -> str:
    """Return a share in per cent: whole from 10%, one decimal below, and never a false 0 or 100.

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
    """Return a share that chance gives: that none was seen is no proof of 0.

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


def numbered(number: int, what: str) -> str:
    """Return a number of things.

    >>> numbered(1, "attack"), numbered(20, "attack")
    ('1 attack', '20 attacks')
    """
    return f"{count(number)} {what}{'' if number == 1 else 's'}"


def alc_number(alc: float, *, decimals: int = 2) -> str:
    """Return an ALC as a number to read: it has no lower end, and far below 0 says no more.

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
    """Return an ALC for show: two decimals, and "no loss" where it is not above 0."""
    return "no loss" if loss <= 0 else alc_number(loss)


def cell_text(loss: float) -> str:
    """Return an ALC for a small cell: 0 where there is no loss, and never a false 0."""
    return "0" if loss <= 0 else alc_number(loss).replace("0.00", "<0.01")


def decimal(number: float) -> str:
    """Return a parameter with as many digits as it needs, never with an exponent.

    >>> decimal(3.0), decimal(0.0001), decimal(5e-6)
    ('3', '0.0001', '0.000005')
    """
    return f"{number:.12f}".rstrip("0").rstrip(".")


def listed(words: Sequence[str], *, last: str = "and", most: int | None = None) -> str:
    """Join words as in a sentence, the first of them where there are many.

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
    """Return the beginning of a long name as a label, whole words of it.

    >>> short_name("credit limit"), short_name("late payments in the 24 months before the survey")
    ('credit limit', 'late payments in the 24 months before…')
    """
    if len(name) <= _LONGEST_LABEL:
        return name
    start = name[:_LONGEST_LABEL]
    return f"{start.rpartition(' ')[0].rstrip(' ,;:(-') or start[:-1]}…"


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Return a label of each name, the names themselves where labels would be the same.

    >>> short_names(["age", "sex"])
    {'age': 'age', 'sex': 'sex'}
    """
    labels = {name: short_name(name) for name in names}
    return labels if len({*labels.values()}) == len(labels) else {name: name for name in names}


def facts_words(known: Sequence[str]) -> str:
    """Say what an attacker knows: a few columns by name, of more how many.

    >>> facts_words(["age", "sex"]), facts_words(["age", "sex", "job", "city"])
    ('age and sex', '4 facts')
    """
    if not few_facts(known):
        return numbered(len(known), "fact")
    return listed(list(short_names(known).values()))


def named_facts(known: Sequence[str]) -> str:
    """Name what an attacker knows; of many columns the first and how many more.

    >>> named_facts(["age", "sex", "job", "city"])
    'age, sex, job and 1 more'
    """
    return listed([*short_names(known).values()], most=MOST_FACTS)


def there(columns: Iterable[str], absent: Collection[str]) -> tuple[str, ...]:
    """Return the columns that a release has.

    >>> there(["age", "sex"], absent=["sex"])
    ('age',)
    """
    return tuple(column for column in columns if column not in absent)


def facts_there(known: Sequence[str], absent: Collection[str]) -> str:
    """Say what an attacker knows that a release has, too; of many facts, out of how many.

    >>> facts_there(["age", "sex"], ["sex"]), facts_there(["age", "sex", "job", "city"], ["sex"])
    ('age', '3 of 4 facts')
    """
    has = there(known, absent)
    if few_facts(known) or len(has) == len(known):
        return facts_words(has)
    return f"{count(len(has))} of {numbered(len(known), 'fact')}"


def few_facts(known: Sequence[str]) -> bool:
    """Return whether facts are so few that each is named."""
    return len(known) <= MOST_FACTS


def quoted(names: Sequence[str], *, most: int = 12) -> str:
    """List names in quotation marks, the first of them where there are many.

    >>> quoted(["age", "sex"]), quoted(["age", "sex", "job"], most=1)
    ("'age' and 'sex'", "'age' and 2 more")
    """
    return listed([f"'{name}'" for name in names], most=most)


def encodable(text: str) -> str:
    r"""Return a text with escapes in place of what no encoding holds, such as of file names.

    >>> encodable("k\udcf6ln.csv")
    'k\\udcf6ln.csv'
    """
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def printable(text: str) -> str:
    r"""Return a text with escapes in place of what a terminal would obey or could not show.

    Control characters could move its cursor or colour it; parts of file names that are not UTF-8
    cannot be encoded.

    >>> printable("\x1b[31mred.csv \udcff")
    '\\x1b[31mred.csv \\udcff'
    """
    if text.isprintable():
        return text
    return "".join(
        each.encode("unicode_escape").decode() if category(each) in _UNSHOWN else each
        for each in text
    )


def no_markdown(text: str) -> str:
    r"""Return a text for one line of Markdown, in which no mark does anything.

    >>> print(no_markdown("Drop zip_code\n[old]"))
    Drop zip\_code \[old\]
    """
    marks = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_[]<>#|~&$"})
    return printable(" ".join(text.translate(marks).split()))


def split_names(text: str) -> tuple[str, ...]:
    """Split comma-separated names; a name with a comma is put in double quotes."""
    names = next(csv.reader([text], skipinitialspace=True), [])
    return tuple(name.strip() for name in names if name.strip())


def in_list(name: str) -> str:
    """Return a name as :func:`split_names` reads it.

    >>> ",".join(map(in_list, ["age", 'a "b", c']))
    'age,"a ""b"", c"'
    """
    return _in_quotes(name) if {*name} & {*',"'} else name


def listed_name(text: str) -> str:
    """Return the one name that :func:`in_list` wrote; any other text as it is.

    >>> listed_name('"a, b"'), listed_name("a, b")
    ('a, b', 'a, b')
    """
    names = split_names(text)
    return names[0] if len(names) == 1 and in_list(names[0]) == text else text


_QUOTED = re.compile(r'\s*"((?:[^"]|"")*)"\s*(=)(.*)', re.DOTALL)


def with_values(name: str, values: str) -> str:
    """Return NAME=VALUES as :func:`name_and_values` splits it.

    >>> with_values("sex (1=m)", "9")
    '"sex (1=m)"=9'
    """
    unsafe = "=" in name or name.startswith('"')
    return f"{_in_quotes(name) if unsafe else name}={values}"


def name_and_values(text: str) -> tuple[str, str, str]:
    """Split at the first equals sign that is not within quotes, as :meth:`str.partition` does.

    >>> name_and_values('"sex (1=m)"=9'), name_and_values("sex=9")
    (('sex (1=m)', '=', '9'), ('sex', '=', '9'))
    """
    if (found := _QUOTED.fullmatch(text)) is None:
        return text.partition("=")
    return found[1].replace('""', '"'), found[2], found[3]


def _in_quotes(name: str) -> str:
    return '"{}"'.format(name.replace('"', '""'))
