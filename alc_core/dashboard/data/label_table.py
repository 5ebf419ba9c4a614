"""Meanings of released labels, as an editable table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import pandas as pd

from alc_core.dashboard.state.said import LabelledTable, Labels
from alc_core.errors import InputError
from alc_core.tables.labels.find import column_domain
from alc_core.tables.labels.language import PlainSet, plain_text, read_set, written_set
from alc_core.tables.value_sets import SUPPRESSED_CELL, HowFound

TABLE, COLUMN, LABEL, STANDS_FOR = "Table", "Column", "Label", "Covers"
VALUES, SHARE, HOW, DOUBT = "Values", "Share of rows", "Source", "Doubt"

_HOW = {
    HowFound.NOTATION: "notation",
    HowFound.SPELLING: "another spelling",
    HowFound.CUT: "start of the values",
    HowFound.LINKED: "rows in both tables",
    HowFound.CODES: "interval code",
    HowFound.TOP: "top code",
    HowFound.BOTTOM: "bottom code",
    HowFound.SUPPRESSED: "suppressed cell",
    HowFound.HIERARCHY: "its hierarchy",
    HowFound.GIVEN: "you",
}
_NOT_READ = "could not be read"
_ITSELF = "Covers only itself."


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelRow:
    """A released label and its meaning."""

    table: str
    column: str
    label: str
    # As written; empty if it covers itself
    text: str = ""
    # Values covered; None if itself
    n_values: int | None = None
    share: float  # Of the table's rows
    how: str  # Source of the meaning
    doubt: str = ""  # Possible problem
    open: bool = False  # Whether the meaning is unknown, or not the original's
    wrong: bool = False  # Whether the user's text is unreadable

    @property
    def place(self) -> tuple[str, str, str]:
        """Table, column and label."""
        return self.table, self.column, self.label

    @property
    def explains_itself(self) -> bool:
        """Whether the label's text shows its meaning."""
        return self.how == _HOW[HowFound.NOTATION]

    @property
    def shown_label(self) -> str:
        """The label, or a name for an empty cell."""
        return "(empty)" if self.label == SUPPRESSED_CELL else self.label


def label_rows(labelled: LabelledTable) -> list[LabelRow]:
    """Return a row per generalized label, or declared value.

    Labels that need input first, then by column and frequency.
    """
    concerned = {*labelled.sets, *labelled.open, *(wrong.column for wrong in labelled.wrong)}
    concerned |= {column for column in labelled.said if labelled.compares(column)}
    columns = [column for column in labelled.table.columns if column in concerned]
    rows = [row for column in columns for row in _column_rows(labelled, column)]
    return sorted(rows, key=lambda row: not (row.open or row.wrong))


def label_frame(rows: Sequence[LabelRow], *, several: bool) -> pd.DataFrame:
    """Return rows as the editable table.

    With tables if several, and any doubts.
    """
    frame = pd.DataFrame(
        {
            TABLE: [row.table for row in rows],
            COLUMN: [row.column for row in rows],
            LABEL: [row.shown_label for row in rows],
            STANDS_FOR: [row.text for row in rows],
            VALUES: pd.array([row.n_values for row in rows], dtype="Int64"),
            SHARE: [row.share for row in rows],
            HOW: [row.how for row in rows],
            DOUBT: [row.doubt for row in rows],
        }
    )
    spare = [*([] if several else [TABLE]), *([] if any(row.doubt for row in rows) else [DOUBT])]
    return frame.drop(columns=spare)


def say_label(labels: Labels, labelled: LabelledTable, column: str, label: str, text: str) -> None:
    """Take the user's meaning of a label."""
    found = labelled.recognised(column)
    known = found.sets.get(label) if found else None
    name, text = labelled.table.name, text.strip()
    if text:
        domain = column_domain(labelled.original, column)
        try:
            recognised = read_set(text, domain, column=column) == known
        except InputError:
            recognised = False
    else:
        recognised = known is None
    if recognised:
        labels.take_back(name, column, label)
    else:
        labels.say(name, column, {label: text or None})


def _column_rows(labelled: LabelledTable, column: str) -> Iterator[LabelRow]:
    """Yield a column's labels: in force, replaced, unreadable."""
    said = labelled.said.get(column, {})
    row = partial(LabelRow, table=labelled.table.name, column=column)
    found, now = labelled.recognised(column), labelled.sets.get(column)
    wrong = {each.label: each.message for each in labelled.wrong if each.column == column}
    domain = column_domain(labelled.original, column)
    before = {each.label: each for each in (found.labels if found else ())}
    in_force = {each.label: each for each in (now.labels if now else ()) if each.rows}
    for label, each in {**before, **in_force}.items():
        if label in wrong:
            continue
        if label not in in_force:
            yield row(label=label, share=each.share, how=_HOW[HowFound.GIVEN], doubt=_ITSELF)
            continue
        yield row(
            label=label, share=each.share, text=written_set(each.covers, domain),
            n_values=each.n_values, how=_HOW[each.found], doubt=each.doubt, open=not each.n_values,
        )  # fmt: skip
    unread = {each.label: each for each in labelled.open.get(column, ())}
    rows = max(1, len(labelled.table))
    shares = {label: each.share for label, each in before.items()}
    shares |= {label: each.rows / rows for label, each in unread.items()}
    for label, message in wrong.items():
        yield row(
            label=label, share=shares.get(label, 0.0), text=_shown(said.get(label)),
            how="not understood", wrong=True, doubt=message,
        )  # fmt: skip
    for label, left in unread.items():
        if label not in wrong and label not in in_force:
            yield row(label=label, share=shares[label], how=_NOT_READ, doubt=left.reason, open=True)


def _shown(plain: PlainSet | None) -> str:
    """Return the user's text; a file may hold anything."""
    if isinstance(plain, list):
        return " | ".join(map(str, plain))
    return "" if plain is None else plain_text(str(plain))
