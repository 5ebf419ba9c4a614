"""What a release holds, in a sentence for each part."""

from __future__ import annotations

import numpy as np

from alc_core.phrasing import count, listed, quoted
from alc_core.releases.count_tables import CountTable
from alc_core.releases.counts import Counts
from alc_core.releases.group_layout import Grouping
from alc_core.releases.groups import Groups
from alc_core.releases.release import Release


def described(release: Release) -> tuple[str, ...]:
    """Say what a release of groups or counts holds; nothing of other types.

    Examples
    --------
    >>> import pandas as pd, alc_core as alc
    >>> people = alc.table_from_frame(pd.DataFrame({"sex": ["f", "m"], "job": ["a", "b"]}))
    >>> cells = pd.DataFrame({"sex": ["f", "m"], "job": ["a", "b"], "count": [3, -1]})
    >>> from alc_core.releases.counts import Counts
    >>> table = alc.table_from_frame(cells, name="cells.csv")
    >>> described(Counts.of_tables([table], name="cells", original=people))
    ("'cells.csv' counts 2 people by sex and job: 2 cells, 1 of them below 0.",)
    """
    if isinstance(release, Counts):
        return tuple(map(_counts, release.cells))
    if isinstance(release, Groups):
        return (_groups(release),)
    return ()


def _counts(cells: CountTable) -> str:
    negative = int((cells.people < 0).sum())
    noise = f", {count(negative)} of them below 0" if negative else ""
    return (
        f"'{cells.table.name}' counts {count(round(float(cells.people.sum())))} people by "
        f"{listed(list(cells.table.columns))}: {count(len(cells.people))} cells{noise}."
    )


def _groups(release: Groups) -> str:
    layout = release.layout
    rows = release.tables[layout.rows]
    sizes = Grouping.of(release.tables, layout).people(layout.rows)[:-1]
    sizes = sizes[sizes > 0]
    low, high = (int(sizes.min()), int(sizes.max())) if len(sizes) else (0, 0)
    people = f"{low}" if low == high else f"{low} to {high}"
    start = (
        f"{count(len(rows))} people in {count(len(sizes))} groups of {people}, numbered by"
        f" '{layout.group}'"
    )
    if not layout.values:
        return f"{start}. The column attacked is taken as shuffled inside the groups."
    beside = [c for n in layout.values for c in release.tables[n].columns]
    told = [c for c in beside if c not in (layout.group, *layout.counts)]
    return f"{start}. Only of the group is told: {quoted(told)}."


def cells_preview(cells: CountTable, rows: int) -> dict[str, list[object]]:
    """Return the first cells of a table of counts, as they were read, by column."""
    head = cells.table.frame.head(rows)
    shown: dict[str, list[object]] = {column: head[column].tolist() for column in head.columns}
    return {**shown, "people": np.asarray(cells.people[:rows]).tolist()}
