"""How often a column that is coded otherwise is found, and how often one is suspected in vain.

``python benchmarks/codings.py [TABLE ...]`` takes tables of people (any file that is read); without
one it takes the demo. Of each table, rows of 80% of the people are a release, of which a share of
the cells is exchanged, and one column is coded otherwise: labels in another order, exchanged in a
ring or in part, numbers shifted, scaled, reversed, on another line, as logarithms, as codes. Of
wide tables, some columns are. Beside that, harmless releases of the same table.

It prints what is found by kind and share of changed cells, and all that is found in vain. Exit code
1 where less than 95% is found or anything is found in vain. Misses that no data can tell are
counted apart, by one rule: one value has more than 90% of the column's rows.

``--harmless N`` lets the whole check look at so many harmless releases instead, and prints every
question and error: rows swapped, strangers, independent columns, values drawn from similar rows or
by trees in turn, noise, ranks swapped, labels exchanged at random, suppressed cells and columns,
rounded and microaggregated numbers, bands. ``--releases ORIGINAL RELEASE ...`` does so for files.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
from perturbed import TreeModel, averaged, ranks_swapped, with_noise
from verdicts import two_halves

import alc_core as alc
from alc_core.releases.samples.demo import load_demo
from alc_core.releases.samples.perturbed import swap_columns
from alc_core.tables.checks.coding import check_codings
from alc_core.tables.checks.finding import Finding, Severity
from alc_core.tables.codings import likely_codings
from alc_core.tables.recode import Recoded, decoded
from alc_core.tables.table import ColumnKind, Table

ROWS, SHARE = 3_000, 0.8
CHANGED = (0.0, 0.1, 0.2)
LEAST_FOUND = 0.95
_FEWEST_MOVED = 0.1  # Share of rows whose value a coding must change to be one
_MOST_CODED = 8  # Columns of a table that are coded otherwise
_NEARLY_CONSTANT = 0.9


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


def harmless(table: Table, seed: int) -> Iterator[tuple[str, pd.DataFrame, Table]]:
    """Yield releases that are coded as the original, with the original that they are beside."""
    frame, rng = table.frame, np.random.default_rng(seed)
    first, second = two_halves(frame, len(frame), rng)
    own = alc.table_from_frame(first, name="original")
    yield "strangers", second, own
    for share in (0.2, 0.5, 0.8):
        yield f"{share:.0%} swapped", swap_columns(frame, share, seed=seed), table
    yield "independent", swap_columns(frame, 1.0, seed=seed), table
    yield "similar rows", _from_similar(second, rng), own
    yield "trees", TreeModel(first, leaf=5).synthesis(rng), own
    yield "bootstrap", second.sample(frac=1.0, replace=True, random_state=seed), own
    few = [c for c in frame.columns if frame[c].nunique() <= 60]
    yield "labels at random", frame.assign(**{c: _exchanged(frame[c], rng) for c in few}), table
    gone = rng.choice(frame.columns, 2, replace=False)
    yield "suppressed", frame.astype(object).mask(rng.random(frame.shape) < 0.05, "*"), table
    yield "cells left empty", frame.mask(rng.random(frame.shape) < 0.05), table
    yield "columns left out", swap_columns(frame.drop(columns=gone), 0.1, seed=seed), table
    numbers = [
        c for c in frame.columns
        if table.kind(c) is ColumnKind.CONTINUOUS and pd.api.types.is_numeric_dtype(frame[c].dtype)
    ]  # fmt: skip
    for name, moved in (
        ("noise", lambda v: with_noise(v, 0.1, rng)),
        ("shifted down by rounding", lambda v: np.floor(v / 5) * 5),
        ("rounded", lambda v: (v / _unit(v)).round() * _unit(v)),
        ("microaggregated", lambda v: averaged(v, 5, rng)),
        ("ranks swapped", lambda v: ranks_swapped(v, 0.05, rng)),
        ("top-coded", lambda v: v.clip(upper=v.quantile(0.95))),
        ("bands", lambda v: _bands(v)),
        ("poor synthesis", lambda v: rng.normal(v.mean() + 0.3 * v.std(), v.std(), len(v))),
    ):
        yield name, frame.assign(**{c: moved(frame[c]) for c in numbers}), table


def _exchanged(values: pd.Series, rng: np.random.Generator) -> pd.Series:
    """Return labels of which a third is drawn from others at random, as PRAM does."""
    drawn = rng.choice(values.dropna().unique(), len(values))
    return values.where((rng.random(len(values)) < 0.67) | values.isna(), drawn)


def _unit(values: pd.Series) -> float:
    return float(10.0 ** np.floor(np.log10(max(values.std(), 1e-9))))


def _bands(values: pd.Series) -> pd.Series:
    edges = np.unique(np.quantile(values.dropna(), np.linspace(0, 1, 6)).round())
    edges = np.array([np.floor(values.min()), *edges[1:-1], np.floor(values.max()) + 1])
    return pd.cut(values, np.unique(edges), right=False).astype(str)


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


def main() -> int:
    """Print what is asked for; return 1 where too little is found, or anything in vain."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tables", nargs="*", help="tables of people; else the demo")
    parser.add_argument("--harmless", type=int, metavar="N", help="check so many releases")
    parser.add_argument("--releases", action="store_true", help="files: an original and releases")
    options = parser.parse_args()
    if options.releases:
        original, *releases = map(alc.read_table, options.tables)
        return _print_questions((each.name, original, each) for each in releases)
    files = options.tables
    tables = [_sampled(alc.read_table(f)) for f in files] or [_sampled(load_demo("fair").original)]
    if options.harmless:
        return _print_questions(itertools.islice(_pairs(tables), options.harmless))
    return _print_found(tables)


def _sampled(table: Table) -> Table:
    frame = table.frame.sample(min(ROWS, len(table)), random_state=1).reset_index(drop=True)
    return alc.table_from_frame(frame, name=table.name)


def _pairs(tables: Sequence[Table]) -> Iterator[tuple[str, Table, Table]]:
    """Yield harmless releases without end, of all tables in turn."""
    for seed in itertools.count():
        for table in tables:
            for name, frame, original in harmless(table, seed):
                release = alc.table_from_frame(frame.reset_index(drop=True), name="release")
                yield f"{table.name} {name}", original, release


def questions(original: Table, release: Table) -> list[Finding]:
    """Return what the check asks, or calls an error."""
    asked = (Severity.QUESTION, Severity.ERROR)
    return [f for f in alc.check_tables(original, [release]) if f.severity in asked]


def _print_questions(pairs: Iterator[tuple[str, Table, Table]]) -> int:
    codes: Counter[str] = Counter()
    count, asked = 0, 0
    for name, original, release in pairs:
        found = questions(original, release)
        count, asked = count + 1, asked + bool(found)
        codes.update(f.code for f in found)
        for each in found:
            print(f"{name}: {each.severity} {each.code} {each.column}: {each.message[:160]}")
    print(f"{asked} of {count} releases with a question or an error; {dict(codes)}")
    return int(asked > 0)


def _print_found(tables: Sequence[Table]) -> int:
    found: dict[tuple[str, float], list[bool]] = defaultdict(list)
    missed, untold, vain, clean = [], [], [], 0
    seconds = []
    for table in tables:
        columns = list(table.own_compared)
        coded = columns[:: -(-len(columns) // _MOST_CODED)]
        rng = np.random.default_rng(5)
        for share in CHANGED:
            rows = table.frame.sample(frac=SHARE, random_state=2)
            plain = swap_columns(rows, share, seed=5)
            before = alc.table_from_frame(plain, name="p")
            planted = [(c, *each) for c in coded for each in codings(before, c, rng)]
            for column, kind, values in planted:
                moved = values.astype(object).ne(plain[column].astype(object)) & values.notna()
                if moved.mean() < _FEWEST_MOVED:
                    continue
                release = alc.table_from_frame(plain.assign(**{column: values}), name="r")
                coding = likely_codings(table, release, columns).get(column)
                right = coding is not None and _right(
                    coding.source, release, table, column, plain[column]
                )
                told = "nothing" if coding is None else coding.source.text[:60]
                line = f"{table.name} {column} {kind} {share:.0%}: {told}"
                often = plain[column].value_counts(normalize=True).iloc[0]
                if not right and often > _NEARLY_CONSTANT:
                    untold.append(f"{line} ({often:.0%} have one value)")
                    continue
                found[kind, share].append(right)
                if not right:
                    missed.append(line)
        for name, frame_of, original in harmless(table, 5):
            release = alc.table_from_frame(frame_of.reset_index(drop=True), name="r")
            start = time.perf_counter()
            asked = tuple(check_codings(original, release))
            seconds.append(time.perf_counter() - start)
            clean += 1
            vain += [f"{table.name} {name}: {each.column} as {each.message}" for each in asked]
    for (kind, share), times in sorted(found.items()):
        print(f"{kind:16} {share:4.0%} changed: {np.mean(times):4.0%} of {len(times)}")
    every = [right for times in found.values() for right in times]
    print(f"found {np.mean(every):.1%} of {len(every)}, {len(untold)} more that no data tell; "
          f"in vain {len(vain)} of {clean} releases; "
          f"{np.median(seconds):.2f} s a harmless release")  # fmt: skip
    for title, lines in (("missed", missed), ("no data tell", untold), ("in vain", vain)):
        print(f"{title}: {len(lines)}", *lines, sep="\n  ")
    return int(np.mean(every) < LEAST_FOUND or bool(vain))


def _right(source: Recoded, release: Table, table: Table, column: str, plain: pd.Series) -> bool:
    """Return whether what is read is what was there before, in nearly all rows."""
    read = decoded(source, release.frame, table, column)
    kinds = pd.api.types
    if kinds.is_numeric_dtype(plain.dtype) and not kinds.is_bool_dtype(plain.dtype):
        read = pd.to_numeric(read, errors="coerce")
        near = np.abs(read - plain) <= 0.05 * max(float(plain.std()), 1e-9)
        return bool(near[plain.notna()].mean() > 0.8)
    return bool((read.astype(str) == plain.astype(str))[plain.notna()].mean() > 0.8)


if __name__ == "__main__":
    sys.exit(main())
