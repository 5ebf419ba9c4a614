"""Rows of a person that an attacker knows in part."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.arrays import IntArray
from alc_core.linked.view import Child
from alc_core.plain_values import read_only
from alc_core.tables.table import ColumnKind, Derived, KindGuess, Table
from alc_core.tables.values.texts import label_codes

MOST_EVENTS = 4  # Known rows of one child table
ROW_OF = "row of its person"  # Column of released rows: their person's row in the entity view
_EVENT = re.compile(rf"(?P<child>.+) (?P<number>[1-{MOST_EVENTS}]): (?P<column>.+)")


class Event(NamedTuple):
    """A column of a known row, such as the second known visit's ward.

    Examples
    --------
    >>> Event.read("visits 2: ward")
    Event(child='visits', number=2, column='ward')
    >>> str(Event("visits", 2, "ward"))
    'visits 2: ward'
    """

    child: str
    number: int
    column: str

    def __str__(self) -> str:
        return f"{self.child} {self.number}: {self.column}"

    @classmethod
    def read(cls, name: str) -> Self | None:
        """Return a column name's event, if any."""
        found = _EVENT.fullmatch(name)
        return found and cls(found["child"], int(found["number"]), found["column"])


def events_of(names: Iterable[str]) -> dict[str, Event]:
    """Return the columns of known rows."""
    return {name: event for name in names if (event := Event.read(name)) is not None}


def knowable_events(events: Mapping[str, Event]) -> dict[str, Event]:
    """Return the columns that others may know of any row."""
    any_row = {(e.child, e.column) for e in events.values() if e.number == MOST_EVENTS}
    return {name: event for name, event in events.items() if event[::2] in any_row}


def with_known_events(
    view: Table, child: Child, name: str, columns: Sequence[str], *, others: Sequence[str] = (),
    rarest: bool = False, seed: int = 0,
) -> Table:  # fmt: skip
    """Return an original's entity view with up to four known rows a person.

    Drawn at random, or the rarest; the first has other columns, too, to be inferred.
    """
    rng = np.random.default_rng(seed)
    order: list[NDArray[np.generic]] = [rng.random(len(child.table))]
    if rarest:
        order.append(_times(child.table, columns))
    rows = np.lexsort((*order, child.person))
    person = child.person[rows]
    first = np.flatnonzero(np.diff(person, prepend=-1))
    sizes = np.diff(np.append(first, len(person)))
    place = np.arange(len(rows)) - np.repeat(first, sizes)
    made: dict[str, pd.Series] = {}
    guesses: dict[str, KindGuess] = {}
    for number in range(1, MOST_EVENTS + 1):
        chosen = place == number - 1
        for column in (*columns, *(others if number == 1 else ())):
            event = str(Event(name, number, column))
            values = child.table.frame[column].iloc[rows[chosen]].set_axis(person[chosen])
            made[event] = values.reindex(view.frame.index)
            guesses[event] = KindGuess(child.original.kind(column), "of a known row")
    return replace(
        view,
        frame=pd.concat([view.frame, pd.DataFrame(made)], axis=1),
        guesses=read_only({**view.guesses, **guesses}),
        derived=read_only({**view.derived, **{e: Derived(parts=frozenset({e})) for e in made}}),
    )


def released_events(
    child: Child, name: str, columns: Sequence[str], *, others: Sequence[str] = ()
) -> Table:
    """Return a release's rows as candidates for each known row."""
    own = child.table.frame
    events = [Event(name, n, c) for n in range(1, MOST_EVENTS + 1) for c in columns]
    events += [Event(name, 1, c) for c in others]
    frame = pd.DataFrame({str(e): own[e.column] for e in events}).assign(**{ROW_OF: child.person})
    guesses = {str(e): KindGuess(child.original.kind(e.column), "of a row") for e in events}
    return Table(
        name=child.table.name,
        frame=frame,
        guesses=read_only({**guesses, ROW_OF: KindGuess(ColumnKind.IGNORE, "names the person")}),
        value_sets=read_only(
            {str(e): child.table.value_sets[e.column] for e in events
             if e.column in child.table.value_sets}
        ),
        fingerprint=child.table.fingerprint,
    )  # fmt: skip


def people_of(rows: Table) -> IntArray:
    """Return the person's row of each released row."""
    return rows.frame[ROW_OF].to_numpy(dtype=np.int64)


def _times(table: Table, columns: Sequence[str]) -> NDArray[np.int64]:
    key = np.zeros(len(table), dtype=np.int64)
    for column in columns:
        codes, labels = label_codes(table.frame[column])
        key = key * (len(labels) + 1) + codes + 1
        key = np.unique(key, return_inverse=True)[1].astype(np.int64)
    return np.bincount(key)[key]
