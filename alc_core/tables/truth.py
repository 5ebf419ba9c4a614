"""True and False, written as 1 and 0 or T and F."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from alc_core.plain_values import read_only
from alc_core.tables.recode import Recoded, read_source
from alc_core.tables.table import Table
from alc_core.tables.values.texts import label_counts

_HEAD = 1_000
# Ways to write true and false, in lower case
_WAYS = (
    {"true": True, "false": False},
    {"t": True, "f": False},
    {"1": True, "0": False},
)


def truth_sources(original: Table, release: Table, pairs: Mapping[str, str]) -> dict[str, Recoded]:
    """Return columns that write True and False differently, by original column.

    `pairs`: released name by original column.

    Examples
    --------
    >>> import pandas as pd, alc_core as alc
    >>> original = alc.table_from_frame(pd.DataFrame({"ill": [True, False]}), name="a")
    >>> release = alc.table_from_frame(pd.DataFrame({"ill": [0, 1]}), name="b")
    >>> truth_sources(original, release, {"ill": "ill"})["ill"].text
    'ill {"0": "False", "1": "True"}'
    """
    found = {}
    for of, column in pairs.items():
        own, released = _written(original.frame[of]), _written(release.frame[column])
        if own is None or released is None or own[0] is released[0]:
            continue
        by_value = {own[0][label.lower()]: label for label in own[1]}
        labels = {label: by_value.get(released[0][label.lower()], "") for label in released[1]}
        if all(labels.values()):
            source = Recoded(columns=(column,), form="labels", labels=read_only(labels))
            found[of] = source
    return found


def is_truth(text: str) -> bool:
    """Return whether a source reads differently written True and False.

    >>> is_truth('ill {"0": "False", "1": "True"}'), is_truth('ill {"0": "1", "1": "0"}')
    (True, False)
    """
    column = text.partition(" {")[0]
    source = read_source(text, [column])
    if source is None or source.form != "labels":
        return False
    ways = [_way([*labels]) for labels in (source.labels.keys(), source.labels.values())]
    released, own = ways
    return (
        released is not None
        and own is not None
        and own is not released
        and all(own[new.lower()] == released[old.lower()] for old, new in source.labels.items())
    )


def _written(series: pd.Series) -> tuple[Mapping[str, bool], list[str]] | None:
    """Return how a column writes true and false, and its labels, if it does."""
    if _way(_labels(series.iloc[:_HEAD])) is None:
        return None
    labels = _labels(series)
    way = _way(labels)
    return None if way is None else (way, labels)


def _labels(series: pd.Series) -> list[str]:
    return sorted(map(str, label_counts(series).index))


def _way(labels: list[str]) -> Mapping[str, bool] | None:
    lower = {label.lower() for label in labels}
    return next((way for way in _WAYS if lower and lower <= way.keys()), None)
