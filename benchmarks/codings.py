"""How often a column that is coded otherwise is found, and how often one is suspected in vain.

``python benchmarks/codings.py TABLE...`` takes tables of people (any file that is read); without
one it makes a table up. Of each table, rows of 80 % of the people are a release, of which a share
of the cells is drawn anew, and one column is coded otherwise: labels in another order, exchanged in
a ring or in part, numbers shifted, scaled, reversed, on another line, as logarithms, as codes.
Beside that stand harmless releases of the same table: rows swapped, strangers, independent columns,
values drawn from similar rows, noise, ranks swapped, rounded and microaggregated numbers.

It prints what is found by kind and share of changed cells, and all that is found in vain. Exit code
1 where less than 95 % is found or anything is found in vain.
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from collections.abc import Iterator

import numpy as np
import pandas as pd

import alc_core as alc
from alc_core.releases.samples.demo import load_demo
from alc_core.tables.codings import likely_codings
from alc_core.tables.recode import decoded
from alc_core.tables.table import ColumnKind, Table

ROWS, SHARE = 3_000, 0.8
CHANGED = (0.0, 0.1, 0.2)
LEAST_FOUND = 0.95
_FEWEST_MOVED = 0.1  # Share of rows whose value a coding must change to be one


def changed(frame: pd.DataFrame, share: float, rng: np.random.Generator) -> pd.DataFrame:
    """Return rows of which a share of the cells is drawn anew from their column."""
    found = {}
    for name in frame.columns:
        values = frame[name].to_numpy(copy=True)
        cells = rng.random(len(values)) < share
        values[cells] = rng.permutation(values)[cells]
        found[name] = values
    return pd.DataFrame(found)


def codings(table: Table, column: str, rng: np.random.Generator) -> Iterator[tuple[str, pd.Series]]:
    """Yield what a column may be coded as, with the name of the kind."""
    own = table.frame[column]
    labels = own.dropna().unique()
    if len(labels) <= 60:
        labels = np.sort(labels.astype(object))
        yield "permuted", own.map(dict(zip(labels, rng.permutation(labels), strict=True)))
        yield "ring", own.map(dict(zip(labels, np.roll(labels, 1), strict=True)))
        if len(labels) > 2:
            often = own.value_counts().index[:2]
            pair = dict(zip(often, often[::-1], strict=True))
            yield "two exchanged", own.map(lambda v: pair.get(v, v))
    if table.kind(column) is ColumnKind.CONTINUOUS and pd.api.types.is_numeric_dtype(own.dtype):
        spread = float(own.std())
        yield "shift", own + max(1.0, round(0.3 * spread))
        yield "factor", own * 1.08
        yield "currency", (own * 0.87).round(2)
        yield "reversed", own.max() + own.min() - own
        yield "line", own * 1.8 + 32
        yield "codes", own.rank(method="dense")
        if own.min() > 0:
            yield "logarithm", np.log(own)


def harmless(table: Table, rng: np.random.Generator) -> Iterator[tuple[str, pd.DataFrame, Table]]:
    """Yield releases that are coded as the original, with the original that they are beside."""
    frame = table.frame
    half = rng.permutation(len(frame))
    first, second = (frame.iloc[np.sort(part)].reset_index(drop=True) for part in np.split(
        half[: len(half) // 2 * 2], 2))  # fmt: skip
    own = alc.table_from_frame(first, name="original")
    yield "strangers", second, own
    for share in (0.2, 0.5, 0.8):
        yield f"{share:.0%} swapped", changed(frame, share, rng), table
    yield "independent", frame.apply(lambda c: rng.permutation(c.to_numpy())), table
    yield "similar rows", _from_similar(second, rng), own
    numbers = [
        c for c in frame.columns
        if table.kind(c) is ColumnKind.CONTINUOUS and pd.api.types.is_numeric_dtype(frame[c].dtype)
    ]  # fmt: skip
    for name, moved in (
        ("noise", lambda v: v + rng.normal(0, 0.1 * v.std(), len(v))),
        ("shifted down by rounding", lambda v: np.floor(v / 5) * 5),
        ("microaggregated", lambda v: _in_groups(v, 5)),
        ("ranks swapped", lambda v: _ranks_swapped(v, 0.05, rng)),
        ("poor synthesis", lambda v: rng.normal(v.mean() + 0.3 * v.std(), v.std(), len(v))),
    ):
        yield name, frame.assign(**{c: moved(frame[c]) for c in numbers}), table


def _from_similar(frame: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Return rows whose second half of columns comes of another row alike in one column."""
    by = frame.nunique().sort_values().index[len(frame.columns) // 2]
    groups = pd.factorize(frame[by])[0]
    order = np.lexsort([rng.random(len(frame)), groups])
    other = np.lexsort([rng.random(len(frame)), groups])
    found = frame.copy()
    for name in frame.columns[::2]:
        found.iloc[order, frame.columns.get_loc(name)] = frame[name].to_numpy()[other]
    return found


def _in_groups(values: pd.Series, size: int) -> pd.Series:
    return values.groupby(values.rank(method="first") // size).transform("mean")


def _ranks_swapped(values: pd.Series, share: float, rng: np.random.Generator) -> pd.Series:
    ordered = np.sort(values.to_numpy())
    ranks = values.rank(method="first").to_numpy() - 1
    moved = np.clip(ranks + rng.normal(0, share * len(values), len(values)), 0, len(values) - 1)
    return pd.Series(ordered[moved.astype(int)], index=values.index)


def main(files: list[str]) -> int:
    """Print both tables; return 1 where too little is found, or anything in vain."""
    tables = [alc.read_table(file) for file in files] or [load_demo("fair").original]
    found: dict[tuple[str, float], list[bool]] = defaultdict(list)
    missed, vain, clean = [], [], 0
    seconds = []
    for table in tables:
        frame = table.frame.sample(min(ROWS, len(table)), random_state=1).reset_index(drop=True)
        table = alc.table_from_frame(frame, name=table.name)
        columns = list(table.own_compared)
        rng = np.random.default_rng(5)
        for share in CHANGED:
            rows = frame.sample(frac=SHARE, random_state=2).reset_index(drop=True)
            plain = changed(rows, share, rng)
            for column in columns:
                for kind, values in codings(alc.table_from_frame(plain, name="p"), column, rng):
                    moved = values.astype(object).ne(plain[column].astype(object)) & values.notna()
                    if moved.mean() < _FEWEST_MOVED:
                        continue
                    release = alc.table_from_frame(plain.assign(**{column: values}), name="r")
                    coding = likely_codings(table, release, columns).get(column)
                    right = coding is not None and _right(
                        coding.source, release, table, column, plain[column]
                    )
                    found[kind, share].append(right)
                    if not right:
                        told = "nothing" if coding is None else coding.source.text[:60]
                        missed.append(f"{table.name} {column} {kind} {share:.0%}: {told}")
        for name, frame_of, original in harmless(table, rng):
            start = time.perf_counter()
            release = alc.table_from_frame(frame_of, name="r")
            shared = [c for c in original.own_compared if c in release.columns]
            codes = likely_codings(original, release, shared)
            seconds.append(time.perf_counter() - start)
            clean += 1
            vain += [f"{table.name} {name}: {c} as {k.source.text[:60]}" for c, k in codes.items()]
    for (kind, share), times in sorted(found.items()):
        print(f"{kind:16} {share:4.0%} changed: {np.mean(times):4.0%} of {len(times)}")
    every = [right for times in found.values() for right in times]
    print(f"found {np.mean(every):.1%} of {len(every)}; in vain {len(vain)} of {clean} releases; "
          f"{np.median(seconds):.2f} s a harmless release")  # fmt: skip
    print(*missed, *vain, sep="\n")
    return int(np.mean(every) < LEAST_FOUND or bool(vain))


def _right(source, release: Table, table: Table, column: str, plain: pd.Series) -> bool:
    """Return whether what is read is what was there before, in nearly all rows."""
    read = decoded(source, release.frame, table, column)
    numbers = pd.api.types.is_numeric_dtype(plain.dtype)
    if numbers:
        read = pd.to_numeric(read, errors="coerce")
        near = np.abs(read - plain) <= 0.05 * max(float(plain.std()), 1e-9)
        return bool(near[plain.notna()].mean() > 0.8)
    return bool((read.astype(str) == plain.astype(str))[plain.notna()].mean() > 0.8)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
