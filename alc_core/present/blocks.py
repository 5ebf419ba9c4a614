"""The blocks a result is shown as.

All texts are plain: renderers escape them.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self, TypeAlias

Cells: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """Says what the blocks after it are about."""

    text: str
    main: bool = False  # Whether it is right below a page's title


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph; a quiet one explains the block above."""

    text: str
    quiet: bool = False
    strong: bool = False
    help: str = ""  # Details on hovering


@dataclass(frozen=True, slots=True)
class Code:
    """Lines to paste elsewhere."""

    text: str
    language: str = ""


class Tone(enum.StrEnum):
    """How much a note asks for attention."""

    FOUND = "found"
    WELL = "well"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Remark:
    """The main result, or a warning about it."""

    text: str
    tone: Tone = Tone.FOUND
    lead: str = ""  # What it begins with, stressed


@dataclass(frozen=True, slots=True)
class Chip:
    """A verdict in its standing's look."""

    standing: str
    text: str


@dataclass(frozen=True, slots=True)
class Facts:
    """Texts, each with a label."""

    facts: tuple[tuple[str, str], ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class Items:
    """Sentences as a list."""

    texts: tuple[str, ...]
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class Metric:
    """A number with title and meaning."""

    title: str
    value: str
    help: str = ""


@dataclass(frozen=True, slots=True)
class Metrics:
    """Numbers side by side."""

    metrics: tuple[Metric, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table of texts; rows are as long as the header."""

    header: Cells
    rows: tuple[Cells, ...]
    alt: str  # Alternative text
    title: str = ""
    help: str = ""  # What its columns mean
    left: bool = False  # Whether cells are words, aligned left

    @classmethod
    def of(
        cls, rows: Sequence[Mapping[str, str]], *, alt: str, title: str = "", words: str = ""
    ) -> Self:
        """Make a table of rows by column, in the first row's order."""
        header = tuple(rows[0]) if rows else ()
        cells = tuple(tuple(row[name] for name in header) for row in rows)
        return cls(header=header, rows=cells, alt=alt, title=title, help=words)


@dataclass(frozen=True, slots=True, eq=False)
class Figure:
    """A figure that is drawn when it is shown."""

    name: str  # Of its file, and key among a result's figures
    draw: Callable[[], Any]  # Returns the Plotly figure
    alt: str = ""  # Alternative text; empty if the figure has its own
    picks: str = ""  # The choice that clicks on marks set, to the mark's number
    plain: bool = False  # Whether a page offers no download


@dataclass(frozen=True, slots=True)
class Beside:
    """Blocks in columns if there is room; else stacked."""

    columns: tuple[tuple[Block, ...], ...]


@dataclass(frozen=True, slots=True)
class Fold:
    """Blocks behind a title."""

    title: str
    blocks: tuple[Block, ...]
    icon: str = ""  # Of Material, on pages alone


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """A choice of what the next blocks show; on pages only."""

    name: str
    title: str
    value: str
    options: Mapping[str, str]  # Choices with labels
    help: str = ""
    few: bool = False  # Whether all options are in sight


@dataclass(frozen=True, slots=True, kw_only=True)
class Slide:
    """A control that chooses a number, likewise."""

    name: str
    title: str
    value: float
    low: float
    high: float
    step: float
    help: str = ""


class Place(enum.StrEnum):
    """Where a way leads."""

    DATA = "data"
    CAMPAIGN = "campaign"
    ATTACK = "attack"


@dataclass(frozen=True, slots=True)
class Way:
    """A link to another page, such as an attack; on pages only."""

    place: Place
    title: str
    number: int | None = None  # Of the attack
    lead: str = ""  # What is said before it


@dataclass(frozen=True, slots=True)
class Ask:
    """A button that changes a study's parameters; on pages only."""

    title: str
    values: Mapping[str, object]  # Parameters and their values
    help: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Saved:
    """A file to save, made on request."""

    title: str
    file: str
    make: Callable[[], str]
    help: str = ""


Block: TypeAlias = (
    Heading | Text | Code | Remark | Chip | Facts | Items | Metrics | Grid | Figure | Beside | Fold
    | Control | Slide | Way | Ask | Saved
)  # fmt: skip
