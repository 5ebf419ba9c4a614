"""Known rows of a person as a bag, as their order is chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from alc_core.arrays import FloatArray
from alc_core.linked.events import events_of
from alc_core.scenario.targets import KnownValues
from alc_core.tables.codes.encode import CategoricalCodes, ContinuousScale

_MOST_VALUES = 100  # Most frequent values of a column


def with_bags(known: KnownValues) -> KnownValues:
    """Return known rows as counts of values, and means of numbers.

    A single known row stays unchanged.
    """
    slots: dict[tuple[str, str], list[str]] = {}
    for name, event in events_of(known.specs).items():
        slots.setdefault((event.child, event.column), []).append(name)
    bags = {of: names for of, names in slots.items() if len(names) > 1}
    if not bags:
        return known
    made: dict[str, FloatArray] = {}
    for (child, column), names in bags.items():
        is_category = isinstance(known.specs[names[0]], CategoricalCodes)
        counted = _counts(known, names) if is_category else _mean(known, names)
        made |= {f"{child}: {column} {what}": values for what, values in counted}
    left = [name for name in known.specs if not any(name in names for names in bags.values())]
    scales = {
        name: ContinuousScale(
            name=name, minimum=float(np.nanmin(values, initial=0)),
            maximum=float(np.nanmax(values, initial=0)),
        )
        for name, values in made.items()
    }  # fmt: skip
    return replace(
        known,
        specs={**{name: known.specs[name] for name in left}, **scales},
        columns={**{name: known.columns[name] for name in left}, **made},
    )


def _counts(known: KnownValues, names: Sequence[str]) -> Iterator[tuple[str, FloatArray]]:
    """Yield the number of known rows with each frequent value, and with any."""
    labels: dict[str, int] = {}
    codes = []
    for name in names:
        spec = known.specs[name]
        of = [labels.setdefault(each, len(labels)) for each in getattr(spec, "labels", ())]
        codes.append(np.append(np.array(of, dtype=np.int64), -1)[known.columns[name]])
    own = np.stack(codes)
    times = np.bincount(own[own >= 0], minlength=len(labels))
    for code in np.argsort(-times, kind="stable")[:_MOST_VALUES]:
        if times[code]:
            yield f"value {code}", (own == code).sum(axis=0).astype(np.float64)
    yield "known", (own >= 0).sum(axis=0).astype(np.float64)


def _mean(known: KnownValues, names: Sequence[str]) -> Iterator[tuple[str, FloatArray]]:
    own = np.stack([np.asarray(known.columns[name], np.float64) for name in names])
    number = (~np.isnan(own)).sum(axis=0)
    total = np.nansum(own, axis=0)
    yield "mean", np.divide(total, number, out=np.full(len(total), np.nan), where=number > 0)
    yield "known", number.astype(np.float64)
