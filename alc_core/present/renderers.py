"""Blocks as terminal text, and as HTML for the report."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from html import escape as escaped

from alc_core.phrasing import printable
from alc_core.present.blocks import (
    Beside,
    Block,
    Cells,
    Chip,
    Code,
    Facts,
    Figure,
    Fold,
    Grid,
    Heading,
    Items,
    Metrics,
    Remark,
    Text,
    Tone,
)

WIDTH = 88  # Of a text in a terminal
escape = partial(escaped, quote=False)  # For text between tags, never attributes


def blocks_html(
    blocks: Iterable[Block],
    picture: Callable[[Figure], str],
    chip: Callable[[Chip], str] = lambda chip: f"<p><strong>{escape(chip.text)}</strong></p>",
) -> str:
    """Return blocks as HTML, figures by `picture`; without controls.

    Examples
    --------
    >>> blocks_html([Text("a < b", quiet=True)], picture=lambda figure: "")
    '<p class="quiet">a &lt; b</p>'
    """
    return "\n".join(_parts(blocks, picture, chip))


def _parts(  # noqa: C901 - a case for each block
    blocks: Iterable[Block], picture: Callable[[Figure], str], chip: Callable[[Chip], str]
) -> Iterator[str]:
    for block in blocks:
        match block:
            case Heading(text):
                yield f"<h3>{escape(text)}</h3>"
            case Text(text, quiet, strong):
                shown = f"<strong>{escape(text)}</strong>" if strong else escape(text)
                yield f"<p{_QUIET if quiet else ''}>{shown}</p>"
            case Code(text):
                yield f"<pre><code>{escape(text)}</code></pre>"
            case Chip():
                yield chip(block)
            case Facts(facts, title):
                yield f"<p><strong>{escape(title)}</strong></p>" if title else ""
                pairs = (f"<dt>{escape(of)}</dt><dd>{escape(said)}</dd>" for of, said in facts)
                yield "<dl>\n{}\n</dl>".format("\n".join(pairs))
            case Remark(text, tone, lead):
                warns = tone in (Tone.WARNING, Tone.ERROR)
                stressed, rest = (text, "") if warns else (lead, text)
                lead = f"<strong>{escape(stressed)}</strong> " if stressed else ""
                yield f"<p>{lead}{escape(rest)}</p>".replace("</strong> </p>", "</strong></p>")
            case Items(texts, quiet):
                items = "".join(f"<li>{escape(each)}</li>\n" for each in texts)
                yield f"<ul{_QUIET if quiet else ''}>\n{items}</ul>" if texts else ""
            case Metrics(metrics):
                rows = tuple((each.title, each.value, each.help) for each in metrics)
                yield _table(("Number", "Value", "What it says"), rows)
            case Grid(header=header, rows=rows, title=title, help=words, left=left):
                yield f"<p><strong>{escape(title)}</strong></p>" if title else ""
                yield _table(header, rows, _LEFT if left else "") if rows else ""
                yield f"<p{_QUIET}>{escape(words)}</p>" if words else ""
            case Figure():
                yield picture(block)
            case Beside(columns):
                parts = ("\n".join(_parts(column, picture, chip)) for column in columns)
                inside = "".join(f"<div>{part}</div>" for part in parts)
                yield f'<div class="beside">{inside}</div>'
            case Fold(title, inner):
                yield f"<p><strong>{escape(title)}</strong></p>"
                yield from _parts(inner, picture, chip)


_QUIET = ' class="quiet"'
_LEFT = ' style="text-align:left"'  # Notebooks align cells to the right


def _table(header: Cells, rows: tuple[Cells, ...], look: str = "") -> str:
    head = "".join(f"<th{look}>{escape(name)}</th>" for name in header)
    body = "\n".join(
        f"<tr>{''.join(f'<td{look}>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows
    )
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"


def terminal_text(blocks: Iterable[Block], *, width: int = 0) -> str:
    r"""Return blocks as lines, without figures and controls.

    With a width, texts are wrapped, and followed by an empty line.

    Examples
    --------
    >>> numbers = Grid(header=("Release", "k"), rows=(("a", "3"), ("b\x1b[2J", "12")), alt="")
    >>> print(terminal_text([Heading("Classes"), numbers, Text("The smaller, the riskier.")]))
    Classes
    Release    k
    a          3
    b\x1b[2J  12
    The smaller, the riskier.
    """
    return "\n".join(_lines(blocks, width)).rstrip("\n")


def _lines(blocks: Iterable[Block], width: int) -> Iterator[str]:  # noqa: C901 - a case for each block
    for number, block in enumerate(blocks):
        match block:
            case Heading(text):
                yield from ([""] if number else [])
                yield printable(text)
            case Text(text):
                yield from (*_wrapped(text, width), *([""] if width else []))
            case Code(text):
                yield from map(printable, text.splitlines())
            case Remark(text, _, lead):
                yield from _wrapped(" ".join(filter(None, (lead, text))), width)
            case Chip(_, text):
                yield from (f"Verdict: {printable(text)}", *([""] if width else []))
            case Facts(facts, title):
                yield from ([printable(title)] if title else [])
                label = min(max((len(of) for of, _ in facts), default=0) + 3, _WIDEST_LABEL)
                for of, said in facts:
                    yield from _wrapped(f"{of + ':':<{label}}{said}", width, indent=label)
            case Items(texts):
                yield from map(printable, texts)
            case Metrics(metrics):
                yield from columns([(each.title, each.value) for each in metrics])
            case Grid(header=header, rows=rows, title=title, left=left):
                yield from ([printable(title)] if title else [])
                yield from (*columns([header, *rows], numbers=not left), *([""] if width else []))
            case Beside(parts):
                for part in parts:
                    yield from _lines(part, width)
            case Fold(title, inner):
                yield printable(title)
                yield from _lines(inner, width)


_WIDEST_LABEL = 30


def _wrapped(text: str, width: int, *, indent: int = 0) -> list[str]:
    shown = printable(text)
    if not width:
        return [shown]
    return textwrap.wrap(shown, width, subsequent_indent=" " * indent, break_on_hyphens=False)


def columns(rows: list[tuple[str, ...]], *, numbers: bool = True) -> Iterator[str]:
    """Yield rows in aligned columns; after the first they hold numbers, or words."""
    shown = [tuple(map(printable, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    aligned = str.rjust if numbers else str.ljust
    for first, *others in shown:
        cells = [first.ljust(widths[0]), *map(aligned, others, widths[1:])]
        yield "  ".join(cells).rstrip()
