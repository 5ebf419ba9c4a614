"""The scan of best row match: seconds, linearity, memory and exactness.

``python benchmarks/scan.py`` makes a release of 1 000 000 rows with 6 categorical and 4 continuous
known columns and attacks 1 000 targets, compiled and cached, on all processors. It uses nothing
but the attack protocol: ``BestRowMatch().prepare(view, rng)`` and the predictor that this returns.

- *Time* is the median of several calls of the predictor; preparing is given apart.
- *Linearity* is the time for half the rows or targets against the whole.
- *Memory* is the peak of a process of its own above what it held before preparing, relative to the
  encoded release (int32 codes and float64 values of known and unknown columns).
- *Labels for several values*: the same with all known columns generalized, every code or a tenth of
  every scale a label, and with a tenth of the cells of all columns suppressed.
- *Exactness*: every value and score of a sample of targets against distances to all rows computed
  with numpy in double precision.
- *Bandwidth*: how fast as many threads read a large array. A scan that fetched every cell of every
  row for every target from memory, 4 bytes each, could not be faster than that.

Measured: 0.25 s by the clock (aim: 2 s), 0.43 s of processor, and once 0.26 s to prepare. With
generalized values in all known columns 0.67 s, with a tenth of all cells suppressed 0.96 s. Peak
memory above the encoded release (57 MiB) is 71 MiB, of which 34 MiB are the sorted copy. Rows
doubled three times take 1.4, 1.7 and 1.8 times the time.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numba import njit

from alc_core.attacks.best_row_match import BestRowMatch
from alc_core.attacks.protocol import Predictions
from alc_core.releases.microdata import ReleasedRows, RowsView
from alc_core.scenario.targets import KnownValues
from alc_core.tables.codes.encode import CategoricalCodes, ColumnSpec, ContinuousScale
from alc_core.tables.codes.sets import IntervalSets, LabelSets, SetColumn

LABELS = (2, 5, 7, 16, 42, 100)
UNKNOWN = CategoricalCodes(name="unknown", labels=tuple(f"{code:02d}" for code in range(15)))
MISSING = 0.02
TIE = 1e-9
MEBIBYTE = 2**20
Made = tuple[RowsView, KnownValues]


def make(rows: int, targets: int, *, seed: int = 0) -> Made:
    """Make a release, and targets like its rows with a fifth of the values from other rows."""
    rng = np.random.default_rng(seed)
    specs: dict[str, ColumnSpec] = {}
    columns: dict[str, np.ndarray] = {}
    for size in LABELS:
        name = f"categorical {size}"
        labels = tuple(f"{code:03d}" for code in range(size))
        specs[name] = CategoricalCodes(name=name, labels=labels)
        popularity = 1 / np.arange(1, size + 1)
        codes = rng.choice(size, rows, p=popularity / popularity.sum())
        columns[name] = np.where(rng.random(rows) < MISSING, size, codes).astype(np.int32)
    for name, values in {
        "age": np.clip(rng.normal(45, 18, rows), 0, 99).round(),
        "hours": np.clip(rng.normal(38, 12, rows), 0, 98).round(),
        "income": rng.lognormal(10, 0.8, rows).round(2),
        "weight": rng.normal(70, 15, rows),
    }.items():
        specs[name] = ContinuousScale(name=name, minimum=values.min(), maximum=values.max())
        columns[name] = np.where(rng.random(rows) < MISSING, np.nan, values)
    unknown = rng.integers(0, len(UNKNOWN.labels), rows).astype(np.int32)
    known = KnownValues(specs=specs, columns=columns, n_rows=rows)
    release = ReleasedRows(name="release", known=known, unknown=unknown)
    taken = rng.choice(rows, targets, replace=targets > rows)
    changed = {
        name: np.where(
            rng.random(targets) < 0.2, values[rng.integers(0, rows, targets)], values[taken]
        )
        for name, values in columns.items()
    }
    view = RowsView(tables=(release,), known=specs, unknown=UNKNOWN)
    return view, KnownValues(specs=specs, columns=changed, n_rows=targets)


def generalized(made: Made, *, suppressed: float = 0.0) -> Made:
    """Return the same with labels for several values: coarse ones everywhere, or some "*"."""
    view, targets = made
    table = view.tables[0]
    rng = np.random.default_rng(2)
    sets = {
        name: _set_column(spec, table.known.columns[name], suppressed, rng)
        for name, spec in view.known.items()
    }
    known = KnownValues(specs=view.known, columns={}, n_rows=len(table), set_columns=sets)
    release = ReleasedRows(name=table.name, known=known, unknown=table.unknown)
    return RowsView(tables=(release,), known=view.known, unknown=view.unknown), targets


def _set_column(
    spec: ColumnSpec, values: np.ndarray, suppressed: float, rng: np.random.Generator
) -> SetColumn:
    labels: tuple[str, ...] = ("*",)
    if suppressed:
        codes = np.where(rng.random(len(values)) < suppressed, 0, 1)
    elif isinstance(spec, CategoricalCodes):
        labels = tuple(f"{code}" for code in range(-(-spec.size // 2)))
        codes = values // 2
    else:
        labels = tuple(f"{code}" for code in range(10))
        codes = np.clip((np.nan_to_num(values) - spec.minimum) / spec.range * 10, 0, 9)
    if isinstance(spec, CategoricalCodes):
        covered = np.ones((1, spec.size), dtype=bool)
        if not suppressed:
            covered = np.arange(spec.size) // 2 == np.arange(len(labels))[:, None]
        single = np.where(codes < len(labels), -1, values).astype(np.int32)
        covers: LabelSets | IntervalSets = LabelSets(covered=covered)
    else:
        edges = np.linspace(spec.minimum, spec.maximum, len(labels) + 1)
        any_value = np.full(len(labels), bool(suppressed))
        covers = IntervalSets(low=edges[:-1], high=edges[1:], any=any_value, range=spec.range)
        single = np.where(codes < len(labels), np.nan, values)
    return SetColumn(labels=labels, codes=codes.astype(np.int32), sets=covers, single=single)


def head(made: Made, rows: int, targets: int) -> Made:
    """Return the first rows and targets, as arrays of their own."""
    view, known = made
    table = view.tables[0]
    some = np.arange(rows)
    release = ReleasedRows(
        name=table.name, known=table.known.take(some), unknown=table.unknown[some]
    )
    smaller = RowsView(tables=(release,), known=view.known, unknown=view.unknown)
    return smaller, known.take(np.arange(targets))


def seconds_of(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def time_scan(made: Made, repeats: int) -> tuple[float, float, float, float]:
    """Return the seconds of preparing, and median, least and processor seconds of predicting."""
    view, targets = made
    start = time.perf_counter()
    predict = BestRowMatch().prepare(view, np.random.default_rng(0))
    prepared = time.perf_counter() - start
    worked = time.process_time()
    seconds = [seconds_of(lambda: predict(targets)) for _ in range(repeats)]
    worked = (time.process_time() - worked) / repeats
    return prepared, float(np.median(seconds)), min(seconds), worked


def brute_force(view: RowsView, targets: KnownValues, target: int) -> tuple[int, float]:
    """Return the modal value and score of one target from its distances to all rows."""
    table = view.tables[0]
    distance = np.zeros(len(table))
    for name, spec in view.known.items():
        values, value = table.known.columns[name], targets.columns[name][target]
        if isinstance(spec, CategoricalCodes):
            distance += values != value
        else:
            apart = np.abs(values - value) / spec.range
            both = np.isnan(values) & np.isnan(value)
            distance += np.where(both, 0.0, np.where(np.isnan(apart), 1.0, apart))
    nearest = distance.min()
    matching = table.unknown[distance <= nearest + TIE]
    counts = np.bincount(matching, minlength=view.unknown.size)
    score = (1 - nearest / len(view.known)) * counts.max() / counts.sum()
    return int(counts.argmax()), float(score)


def check_exactness(made: Made, sample: int) -> None:
    view, targets = made
    rows = np.random.default_rng(1).choice(len(targets), min(sample, len(targets)), replace=False)
    known = targets.take(rows)
    found: Predictions = BestRowMatch().prepare(view, np.random.default_rng(0))(known)
    expected = [brute_force(view, known, target) for target in range(len(known))]
    same = np.array([value for value, _ in expected]) == np.asarray(found.values)
    apart = np.abs(np.array([score for _, score in expected]) - found.scores)
    print(
        f"Exactness: {same.sum()} of {len(same)} values equal brute force, scores apart by at most"
        f" {apart.max():.1e}"
    )
    if not same.all() or apart.max() > TIE:
        sys.exit("The scan differs from brute force.")


@njit(nogil=True, fastmath=True)
def _total(values):  # type: ignore[no-untyped-def]
    total = np.float32(0)
    for position in range(len(values)):
        total += values[position]
    return total


def bandwidth(threads: int) -> float:
    """Return the bytes that the threads together read per second."""
    values = np.ones(128 * MEBIBYTE, dtype=np.float32)
    parts = np.array_split(values, threads)
    _total(values[:8])
    with ThreadPoolExecutor(threads) as pool:
        best = min(seconds_of(lambda: list(pool.map(_total, parts))) for _ in range(7))
    return values.nbytes / best


def encoded_bytes(view: RowsView) -> int:
    table = view.tables[0]
    return table.unknown.nbytes + sum(values.nbytes for values in table.known.columns.values())


def status(field: str) -> int:
    """Return a field of this process's memory in bytes (Linux)."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) * 1024
    raise OSError(f"/proc/self/status has no {field}.")


def measure_memory(rows: int, targets: int) -> None:
    """Print the peak of preparing and predicting as JSON; runs in a process of its own."""
    made = make(rows, targets)
    warm, known = head(made, 1000, 16)
    BestRowMatch().prepare(warm, np.random.default_rng(0))(known)
    gc.collect()
    try:
        Path("/proc/self/clear_refs").write_text("5")
        before, field = status("VmRSS"), "VmHWM"
    except OSError:
        # The peak of making the release counts as held before, which may hide some of the scan's.
        before, field = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, "ru_maxrss"
    predict = BestRowMatch().prepare(made[0], np.random.default_rng(0))
    held = status("VmRSS") - before if field == "VmHWM" else 0
    predict(made[1])
    after = (
        status(field)
        if field == "VmHWM"
        else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    )
    report = {"extra": after - before, "held": held, "encoded": encoded_bytes(made[0])}
    print(json.dumps({**report, "measured_by": field}))


def print_memory(rows: int, targets: int) -> None:
    again = [sys.executable, __file__, "--memory", "--rows", str(rows), "--targets", str(targets)]
    done = subprocess.run(again, check=True, capture_output=True, text=True)
    found = json.loads(done.stdout.splitlines()[-1])
    print(
        f"Memory ({found['measured_by']}): {found['extra'] / MEBIBYTE:.1f} MiB at the peak above"
        f" the encoded release of {found['encoded'] / MEBIBYTE:.1f} MiB:"
        f" {found['extra'] / found['encoded']:.2f} of it"
        f" ({found['held'] / MEBIBYTE:.1f} MiB held after preparing)"
    )


def print_linearity(made: Made, rows: int, targets: int, repeats: int) -> None:
    sizes = [(rows >> step, targets) for step in (3, 2, 1)] + [(rows, targets)]
    sizes += [(rows, targets >> step) for step in (3, 2, 1)] + [(rows, targets)]
    print("\n     rows  targets   median     least  ns per pair  doubled (least)")
    before, last = 0.0, (0, 0)
    for size in sizes:
        _, median, least, _ = time_scan(head(made, *size), repeats)
        doubled = f"{least / before:.2f}" if size[0] * size[1] == 2 * last[0] * last[1] else ""
        pairs = size[0] * size[1]
        print(
            f"{size[0]:9d} {size[1]:8d} {median:7.3f} s {least:7.3f} s"
            f" {median / pairs * 1e9:9.3f} {doubled:>12s}",
            flush=True,
        )
        before, last = least, size


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--targets", type=int, default=1000)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--sample", type=int, default=50, help="targets checked by brute force")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--memory", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    # Before joblib first asks for the number of processors.
    os.environ["LOKY_MAX_CPU_COUNT"] = str(options.threads)
    if options.memory:
        measure_memory(options.rows, options.targets)
        return
    made = make(options.rows, options.targets)
    print(
        f"{options.targets} targets, {options.rows} rows, {len(made[0].known)} known columns"
        f" ({len(LABELS)} categorical), {options.threads} threads"
    )
    cold, _, first, _ = time_scan(head(made, 1000, 16), 1)
    print(f"First call of this process (loads or compiles the scan): {cold + first:.2f} s")
    check_exactness(made, options.sample)
    prepared, median, least, worked = time_scan(made, options.repeats)
    pairs = options.rows * options.targets
    cells = pairs * len(made[0].known) / median
    read = bandwidth(options.threads)
    print(
        f"Time: {median:.3f} s (median of {options.repeats}; least {least:.3f} s, processor time"
        f" {worked:.3f} s), preparing {prepared:.3f} s; {median / pairs * 1e9:.3f} ns per pair of"
        " row and target"
    )
    print(
        f"Rate: {cells / 1e9:.1f} billion cells a second, at 4 bytes {4 * cells / 1e9:.1f} GB/s;"
        f" {options.threads} threads read memory at {read / 1e9:.1f} GB/s:"
        f" {4 * cells / read:.2f} times"
    )
    for title, share in (("all known columns generalized", 0.0), ("a tenth suppressed", 0.1)):
        _, with_sets, _, _ = time_scan(generalized(made, suppressed=share), options.repeats)
        print(f"With {title}: {with_sets:.3f} s, {with_sets / median:.2f} times")
    print_memory(options.rows, options.targets)
    print_linearity(made, options.rows, options.targets, options.repeats)


if __name__ == "__main__":
    main()
