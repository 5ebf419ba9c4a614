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


def wrapped(text: str) -> str:
    """Return a name for hover texts: escaped, in lines, cut where it is long."""
    lines = textwrap.wrap(text, _LINE, max_lines=_LINES, placeholder=" …") or [""]
    return "<br>".join(plain(line) for line in lines)
