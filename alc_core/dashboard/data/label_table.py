"""What released labels stand for, as a table, and what people write into it."""

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

TABLE, COLUMN, LABEL, STANDS_FOR = "Table", "Column", "Label", "Stands for"
VALUES, SHARE, HOW, DOUBT = "Values", "Share of rows", "How it was found", "Doubt"

_HOW = {
    HowFound.NOTATION: "how it is written",
    HowFound.SPELLING: "another spelling",
    HowFound.CUT: "the values begin so",
    HowFound.LINKED: "rows that are in both tables",
    HowFound.CODES: "code of an interval",
    HowFound.TOP: "top code",
    HowFound.BOTTOM: "bottom code",
    HowFound.SUPPRESSED: "suppressed cell",
    HowFound.GIVEN: "you said so",
}
_NOT_READ = "could not be read"
_ITSELF = "Stands for itself, as you said."


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelRow:
    """A released label and what it stands for."""

    table: str  # Where it is
    column: str
    label: str
    # What it stands for, as it is written and read; empty for a label that stands for itself
    text: str = ""
    # How many values of the original that is; None where it stands for itself
    n_values: int | None = None
    share: float  # Of the table's rows
    how: str  # How that was found
    doubt: str = ""  # What may be wrong with it
    open: bool = False  # Whether what it stands for is not known, or is no value of the original
    wrong: bool = False  # Whether what the user wrote cannot be read

    @property
    def place(self) -> tuple[str, str, str]:
        """Table, column and label."""
        return self.table, self.column, self.label

    @property
    def explains_itself(self) -> bool:
        """Whether people can read in the label what it stands for."""
        return self.how == _HOW[HowFound.NOTATION]

    @property
    def shown_label(self) -> str:
        """The label, or what an empty cell is called."""
        return "(empty)" if self.label == SUPPRESSED_CELL else self.label


def label_rows(labelled: LabelledTable) -> list[LabelRow]:
    """Return a row per label that stands for several values, or is said to stand for itself.

    Those that need to be said or corrected come first, then column by column the most frequent.
    """
    concerned = {*labelled.sets, *labelled.open, *(wrong.column for wrong in labelled.wrong)}
    concerned |= {column for column in labelled.said if labelled.compares(column)}
    columns = [column for column in labelled.table.columns if column in concerned]
    rows = [row for column in columns for row in _column_rows(labelled, column)]
    return sorted(rows, key=lambda row: not (row.open or row.wrong))


def label_frame(rows: Sequence[LabelRow], *, several: bool) -> pd.DataFrame:
    """Return rows as the table that is edited.

    The table's name is there where there are several, and doubts where there are any.
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
    """Take over what a user writes that a label stands for."""
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
    """Yield the labels of a column: those in force, those that were, and those not read."""
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
    """Return what was said as it was said; what came from a file can be anything."""
    if isinstance(plain, list):
        return " | ".join(map(str, plain))
    return "" if plain is None else plain_text(str(plain))
