"""What a reader of a release's utility must know besides the numbers."""

from __future__ import annotations

from collections.abc import Sequence

from alc_core.phrasing import count, listed, percent
from alc_core.tables.table import Table
from alc_core.utility.coding import Coded
from alc_core.utility.learning import LearnedTarget

_STRANGE = 0.5
_NAMED = 5


def column_notes(coded: Coded) -> list[str]:
    """Say what is missing from the release, and which columns hold values new to the original."""
    held = [column for column in coded.columns if coded.holder(column) is not None]
    missing = [column for column in coded.columns if column not in held]
    notes = []
    if missing:
        notes.append(
            f"The release does not have {names(missing)}. The distances are of the columns that it "
            "has. Models trained on it do without these columns; the original's own model uses "
            "them."
        )
    if len(coded.released) > 1:
        notes.append(
            "The release has several tables: each column, pair of columns and predicted column "
            "is taken from the one with the most columns that holds it; pairs that no table has "
            "together are not compared."
        )
    notes += [
        f"{percent(share)} of the values of '{column}' in the release never occur like this in "
        "the original. If they are renamed or stand for ranges or groups, the release may be more "
        "useful than these numbers say: values count as equal only if they are written alike."
        for column, share in coded.strange.items()
        if share >= _STRANGE
    ]
    return notes


def sample_notes(tables: Sequence[Table], *, max_rows: int) -> list[str]:
    """Say which tables are represented by some of their rows."""
    return [
        f"'{table.name}' has {count(len(table))} rows; its marginals are those of "
        f"{count(max_rows)} rows chosen at random."
        for table in tables
        if len(table) > max_rows
    ]


def left_out_notes(targets: Sequence[str]) -> list[str]:
    """Say which columns cannot be predicted."""
    return [
        f"'{target}' is an identifier or is ignored, so it is not predicted." for target in targets
    ]


def own_record_notes(learned: Sequence[LearnedTarget]) -> list[str]:
    """Say where a model trained on the release is clearly better than the original's own."""
    better = [each.target for each in learned if each.interval[0] > each.original_accuracy]
    if not better:
        return []
    return [
        f"Models trained on the release predict {names(better)} better than the original's own "
        "model. That is a sign that the release holds records of the very people that are "
        "predicted, not that it is more useful than the original."
    ]


def names(columns: Sequence[str]) -> str:
    """List the first few columns, and how many more there are."""
    shown = [f"'{column}'" for column in columns[:_NAMED]]
    more = len(columns) - len(shown)
    return listed([*shown, f"{count(more)} more"] if more else shown)
