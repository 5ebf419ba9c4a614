"""Blocks as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from alc_core.phrasing import printable
from alc_core.present.blocks import (
    Beside,
    Block,
    Details,
    Heading,
    Items,
    Metrics,
    Note,
    Table,
    Text,
)


def terminal_text(blocks: Iterable[Block]) -> str:
    r"""Return blocks as lines; figures and controls have no place in a terminal.

    Examples
    --------
    >>> numbers = Table(header=("Release", "k"), rows=(("a", "3"), ("b\x1b[2J", "12")), alt="")
    >>> print(terminal_text([Heading("Classes"), numbers, Text("The smaller, the riskier.")]))
    Classes
    Release    k
    a          3
    b\x1b[2J  12
    The smaller, the riskier.
    """
    return "\n".join(_lines(blocks))


def _lines(blocks: Iterable[Block]) -> Iterator[str]:  # noqa: C901 - a case for each block
    for number, block in enumerate(blocks):
        match block:
            case Heading(text):
                yield from ([""] if number else [])
                yield printable(text)
            case Text(text):
                yield printable(text)
            case Note(text, _, lead):
                yield printable(" ".join(filter(None, (lead, text))))
            case Items(texts):
                yield from map(printable, texts)
            case Metrics(metrics):
                yield from columns([(each.title, each.value) for each in metrics])
            case Table(header=header, rows=rows, title=title):
                yield from ([printable(title)] if title else [])
                yield from columns([header, *rows])
            case Beside(parts):
                for part in parts:
                    yield from _lines(part)
            case Details(title, inner):
                yield printable(title)
                yield from _lines(inner)


def columns(rows: list[tuple[str, ...]], *, numbers: bool = True) -> Iterator[str]:
    """Yield rows in columns of one width each; after the first they hold numbers, or words."""
    shown = [tuple(map(printable, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    aligned = str.rjust if numbers else str.ljust
    for first, *others in shown:
        cells = [first.ljust(widths[0]), *map(aligned, others, widths[1:])]
        yield "  ".join(cells).rstrip()
