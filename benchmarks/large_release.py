"""A release of 10 000 000 rows in Parquet: seconds and peak memory of one assessment.

``python benchmarks/large_release.py`` makes an original of 100 000 rows and a release of ten
million, with text of few and of 5 000 values, whole numbers, fractions and missing values. A
process of its own then reads both, checks them and assesses one scenario, so that the peak is not
that of making the files. Exit code 3 if the peak exceeds the limit. Fewer rows are quicker::

    python benchmarks/large_release.py --rows 1000000 --identifier
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LIMIT_GIB = 8.0
TOO_MUCH = 3
CHUNK = 500_000
JOBS = 5_000
KNOWN = ("sex", "region", "education", "job", "age", "income", "visits")
UNKNOWN = "diagnosis"


def write_people(path: Path, rows: int, *, seed: int, identifier: bool) -> None:
    """Write people to a Parquet file, a chunk at a time."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(seed)
    jobs = np.array([f"occupation {number:04d}" for number in range(JOBS)], dtype=object)
    popularity = 1 / np.arange(1, JOBS + 1) ** 0.7
    writer = None

    def some(values: np.ndarray, missing: float) -> pa.Array:
        return pa.array(values, mask=rng.random(len(values)) < missing)

    for start in range(0, rows, CHUNK):
        n = min(CHUNK, rows - start)
        age = np.clip(rng.normal(45, 20, n), 0, 99).astype(np.int64)
        education = rng.integers(0, 8, n)
        noise = rng.random(n) < 0.4
        diagnosis = np.where(noise, rng.integers(0, 30, n), (age // 10 + 2 * education) % 30)
        columns = {
            "sex": some(np.array(["female", "male"], dtype=object)[rng.integers(0, 2, n)], 0.01),
            "region": some(_named("region", 16)[rng.integers(0, 16, n)], 0.0),
            "education": some(_named("school type", 8)[education], 0.05),
            "job": some(jobs[rng.choice(JOBS, n, p=popularity / popularity.sum())], 0.03),
            "marital": some(_named("status", 5)[rng.integers(0, 5, n)], 0.0),
            "diagnosis": some(_named("diagnosis", 30)[diagnosis], 0.02),
            "age": pa.array(age),
            "income": some(np.round(rng.lognormal(10, 0.8, n) + 500 * age, 2), 0.05),
            "weight": some(rng.normal(70, 15, n), 0.1),
            "visits": some(rng.poisson(3, n), 0.02),
        }
        if identifier:
            keys = np.arange(start, start + n) * 7919 + seed
            columns = {"person_id": pa.array([f"P{key:012d}" for key in keys]), **columns}
        table = pa.table(columns)
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    if writer is not None:
        writer.close()


def _named(what: str, count: int) -> np.ndarray:  # noqa: F821
    import numpy as np

    return np.array([f"{what} {number}" for number in range(count)], dtype=object)


@contextmanager
def stage(name: str) -> Iterator[None]:
    """Print the seconds of a stage, those of the processor, and the peak so far."""
    start, busy = time.perf_counter(), time.process_time()
    yield
    seconds, busy = time.perf_counter() - start, time.process_time() - busy
    peak = f"peak so far {peak_gib():5.2f} GiB"
    print(f"{name:24s} {seconds:7.1f} s, processor {busy:7.1f} s   {peak}", flush=True)


def peak_gib() -> float:
    """Return the largest resident size of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def measure(folder: Path, *, until: str) -> None:
    """Read, check, encode and assess the two files."""
    with stage("import"):
        import alc_core as alc
        from alc_core.tables.codes.encode import encode
    scenario = alc.Scenario(list(KNOWN), UNKNOWN)
    with stage("read original"):
        original = alc.read_table(folder / "original.parquet")
    with stage("read release"):
        release = alc.read_table(folder / "release.parquet")
    with stage("check all columns"):
        findings = alc.check_tables(original, [release])
    for finding in findings:
        print(f"  {finding.severity.value}: {finding.code} {finding.column or ''}")
    with stage("encode all columns"):
        encode(original, [release])
    if until == "assess":
        with stage("assess"):
            result = alc.assess(original, release, scenario, seed=0)
        print(f"  ALC {result.alc:.3f}, {result.verdict}, {result.attempts:,} targets")
    sys.exit(TOO_MUCH if peak_gib() > LIMIT_GIB else 0)


def main() -> None:
    """Make the files, then measure, each in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--original-rows", type=int, default=100_000)
    parser.add_argument("--identifier", action="store_true", help="with a text column of keys")
    parser.add_argument("--until", choices=("encode", "assess"), default="assess")
    parser.add_argument("--step", choices=("make", "measure"), help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step == "make":
        for name, rows, seed in (
            ("original", options.original_rows, 1),
            ("release", options.rows, 2),
        ):
            path = options.folder / f"{name}.parquet"
            write_people(path, rows, seed=seed, identifier=options.identifier)
            print(f"{path.name}: {rows:,} rows, {path.stat().st_size / 2**20:,.0f} MiB")
    elif options.step == "measure":
        measure(options.folder, until=options.until)
    else:
        with tempfile.TemporaryDirectory() as folder:
            again = [sys.executable, __file__, *sys.argv[1:], "--folder", folder]
            subprocess.run([*again, "--step", "make"], check=True)
            done = subprocess.run([*again, "--step", "measure"], check=False)
        if done.returncode in (0, TOO_MUCH):
            verdict = "exceeds" if done.returncode else "is within"
            print(f"The peak {verdict} the limit of {LIMIT_GIB:.0f} GiB.")
        sys.exit(done.returncode)


if __name__ == "__main__":
    main()
