"""Names from the data inside figures, which would take some of them for markup."""

from __future__ import annotations

import html
import textwrap

_LINE = 60
_LINES = 4


def plain(text: str) -> str:
    """Escape what a figure would take for markup; it knows no entity for quotation marks.

    Examples
    --------
    >>> plain('<b>"city"</b>')
    '&lt;b&gt;"city"&lt;/b&gt;'
    """
    return html.escape(text, quote=False)


def short(name: str, length: int) -> str:
    """Return a name for a label: escaped, its end cut where it is long.

    Examples
    --------
    >>> short("marital status", 8)
    'marital…'
    """
    name = " ".join(name.split())
    return plain(name if len(name) <= length else f"{name[: length - 1]}…")


def in_two_lines(name: str, length: int) -> str:
    """Return a name for a label: escaped, in at most two lines, cut where it is longer.

    Names of releases often differ at their ends alone.

    Examples
    --------
    >>> in_two_lines("adult_swapped_80_percent.csv", 16)
    'adult_swapped_80<br>_percent.csv'
    """
    lines = textwrap.wrap(
        " ".join(name.split()), length, max_lines=2, placeholder="…", break_long_words=True
    )
    return "<br>".join(plain(line) for line in lines)


def wrapped(text: str) -> str:
    """Return a name for hover texts: escaped, in lines, cut where it is long."""
    lines = textwrap.wrap(text, _LINE, max_lines=_LINES, placeholder=" …") or [""]
    return "<br>".join(plain(line) for line in lines)
