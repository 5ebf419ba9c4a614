"""What a result is shown as, wherever it is shown: text, numbers, tables, figures, controls.

All texts are plain: whatever draws them sees to it that nothing in them is obeyed.
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
    """A paragraph; a quiet one says how to read what stands above it."""

    text: str
    quiet: bool = False
    strong: bool = False
    help: str = ""  # More, where a pointer can ask for it


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
    """What a reader must not miss: the main result, or why not to rely on it."""

    text: str
    tone: Tone = Tone.FOUND
    lead: str = ""  # What it begins with, stressed


@dataclass(frozen=True, slots=True)
class Chip:
    """A verdict, drawn in the look of a standing."""

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
    """A number with its title and what it means."""

    title: str
    value: str
    help: str = ""


@dataclass(frozen=True, slots=True)
class Metrics:
    """Numbers side by side."""

    metrics: tuple[Metric, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table of texts; its rows are as long as its header."""

    header: Cells
    rows: tuple[Cells, ...]
    alt: str  # What it shows, for those who do not see it
    title: str = ""
    help: str = ""  # What its columns mean
    left: bool = False  # Whether its cells are words, which begin on the left

    @classmethod
    def of(
        cls, rows: Sequence[Mapping[str, str]], *, alt: str, title: str = "", words: str = ""
    ) -> Self:
        """Make a table of rows by column; the first says which columns there are."""
        header = tuple(rows[0]) if rows else ()
        cells = tuple(tuple(row[name] for name in header) for row in rows)
        return cls(header=header, rows=cells, alt=alt, title=title, help=words)


@dataclass(frozen=True, slots=True, eq=False)
class Figure:
    """A figure that is drawn when it is shown."""

    name: str  # Of its file when it is saved, and its key among the figures of a result
    draw: Callable[[], Any]  # Returns the Plotly figure
    alt: str = ""  # What it shows; empty where the figure says so itself
    picks: str = ""  # The choice that a click on a mark sets, to the mark's own number
    plain: bool = False  # Whether a page offers no way to save it


@dataclass(frozen=True, slots=True)
class Beside:
    """Blocks in columns where there is room; else one below the other."""

    columns: tuple[tuple[Block, ...], ...]


@dataclass(frozen=True, slots=True)
class Fold:
    """Blocks behind a title, for those who want to know more."""

    title: str
    blocks: tuple[Block, ...]
    icon: str = ""  # Of Material, on pages alone


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """A control that chooses what the blocks after it show; drawn on pages alone."""

    name: str
    title: str
    value: str
    options: Mapping[str, str]  # What can be chosen, and what each is called
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
    """A way to another page, such as to an attack of the campaign; drawn on pages alone."""

    place: Place
    title: str
    number: int | None = None  # Of the attack
    lead: str = ""  # What is said before it


@dataclass(frozen=True, slots=True)
class Ask:
    """A button that changes what a study is asked for; drawn on pages alone."""

    title: str
    values: Mapping[str, object]  # Parameters and their values
    help: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Saved:
    """A file that can be saved; it is made when it is asked for."""

    title: str
    file: str
    make: Callable[[], str]
    help: str = ""


Block: TypeAlias = (
    Heading | Text | Code | Remark | Chip | Facts | Items | Metrics | Grid | Figure | Beside | Fold
    | Control | Slide | Way | Ask | Saved
)  # fmt: skip
