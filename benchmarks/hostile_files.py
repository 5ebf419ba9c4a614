"""Hostile inputs given to real commands: files, what is not a file, databases, bombs, campaigns.

``python benchmarks/hostile_files.py --cases 600 --seed 1`` runs ``alc check`` on a table and one
hostile input after another, and ``alc findings`` and ``alc report`` on hostile campaigns, each in a
process of its own. ``--first N`` begins with case N, so that 600 can run in slices;
``--kind databases`` runs one kind alone. It counts what no input may cause:

- *TRACEBACK*: an exception that is not one line, or exit code 4;
- *SLOW*: more than 20 s of processor time, or ``--wall`` seconds, after which it is ended;
- *LARGE*: more than 1 GiB beyond what the process took before;
- *LONG*: an error of more than 300 characters, or with control characters.

One of these makes the exit code 1. The same seed and number give the same input.

Measured: see docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import collections
import gc
import gzip
import os
import resource
import socket
import sqlite3
import sys
import tempfile
import time
import zipfile
from contextlib import closing
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

import campaign_files  # noqa: E402
import campaign_mutations  # noqa: E402
import duckdb  # noqa: E402
import file_mutations  # noqa: E402
import pyarrow as pa  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402
from fuzz_files import is_one_line  # noqa: E402

from alc_core.cli import main as alc  # noqa: E402
from alc_core.phrasing import LONGEST_ERROR  # noqa: E402
from alc_core.tables.read import load_formats  # noqa: E402
from tests.toys.files import every_format  # noqa: E402
from tests.toys.hostile import WILD_NAMES  # noqa: E402

SECONDS, BYTES = 20, 2**30
COUNT = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT"
LETTERS = "(VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10))"
QUERIES = (
    f"{COUNT} x FROM n",
    f"{COUNT} sum(x) AS x FROM n",
    f"{COUNT} x AS a, x + 1 AS b, 'text ' || x AS c FROM n ORDER BY 2 DESC",
    "SELECT 1 AS x FROM " + ", ".join(f"{LETTERS} AS t{n}" for n in range(12)),
    "SELECT count(*) AS x FROM " + ", ".join(f"{LETTERS} AS t{n}" for n in range(12)),
)
OF_SQLITE = (
    "SELECT zeroblob(900000000) AS x",
    "SELECT hex(zeroblob(400000)) AS x FROM " + ", ".join(f"{LETTERS} AS t{n}" for n in range(5)),
    f"{COUNT} printf('%.900000c', 'x') AS x FROM n",
)


def damaged(rng, folder):
    """Return the arguments for a damaged table."""
    name, data = file_mutations.mutated(rng, TABLES)
    path = folder / f"hostile{Path(name).suffix}"
    path.write_bytes(data)
    return ["check", "--original", path, "--release", folder / "sound.csv"]


def not_files(rng, folder):
    """Return the arguments for a pipe, socket, device, file of the kernel, or a wild name."""
    pipe, end = folder / "pipe.csv", folder / "socket.csv"
    os.mkfifo(pipe)
    with closing(socket.socket(socket.AF_UNIX)) as given:
        given.bind(str(end))
    places = (
        pipe, end, "/dev/zero", "/dev/urandom", "/dev/tty", "/proc/kmsg", "/proc/self/mem",
        "/proc/kcore", "/sys/kernel/notes", folder, *WILD_NAMES,
    )  # fmt: skip
    place, sound = places[rng.integers(len(places))], folder / "sound.csv"
    commands = (
        ["check", "--original", place, "--release", sound],
        ["check", "--original", sound, "--release", f"a={place}"],
        ["check", "--original", sound, "--release", sound, "--names", place],
        ["check", "--original", sound, "--release", sound, "--sets", place],
        ["findings", place],
        ["report", place, "--html", folder / "out.html"],
        ["gate", place, "--data", place],
        ["audit", place],
    )
    return commands[rng.integers(len(commands))]


def databases(rng, folder):
    """Return the arguments for a database whose view has no end, or cells no measure."""
    path, is_sqlite = folder / "hostile.db", bool(rng.random() < 0.6)
    queries = QUERIES + (OF_SQLITE if is_sqlite else ())
    query = queries[rng.integers(len(queries))]
    with closing((sqlite3 if is_sqlite else duckdb).connect(str(path))) as base:
        for number in range(rng.choice([0, 0, 0, 1_000 if is_sqlite else 20])):
            base.execute(f"CREATE TABLE t{number} (x INTEGER)")
        base.execute(f"CREATE VIEW people AS {query}")
        base.commit()
    return ["check", "--original", f"{path}::people", "--release", folder / "sound.csv"]


def bombs(rng, folder):
    """Return the arguments for a small file of a huge table."""
    n, path = int(10 ** rng.uniform(6, 8)), folder / "hostile.gz"
    kind = rng.integers(4)
    if kind == 0:
        path = path.with_suffix(".parquet")
        values = pa.array(np.zeros(2**20, dtype=np.int64))
        with pq.ParquetWriter(path, pa.schema([("x", pa.int64())])) as out:
            for _ in range(max(n // 2**20, 1)):
                out.write_table(pa.table({"x": values}))
    elif kind == 1:
        path.write_bytes(gzip.compress(b"a,b\n" + b"1,2\n" * n, 1))
    elif kind == 2:  # R's compact 1:n
        path = path.with_suffix(".rds")
        path.write_bytes(gzip.compress(b"X\n\0\0\0\3" + os.urandom(8) + b"\0\0\0\xee" * 1000))
    else:
        path = path.with_suffix(".xlsx")
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
            sheets = "".join(
                f'<sheet name="s{each}" sheetId="{each}" r:id="r{each}"/>' for each in range(5_000)
            )
            book.writestr("[Content_Types].xml", "<Types/>")
            book.writestr("xl/workbook.xml", f"<workbook><sheets>{sheets}</sheets></workbook>")
            book.writestr("xl/worksheets/sheet1.xml", b"<row/>" * min(n, 10**7))
    return ["check", "--original", path, "--release", folder / "sound.csv"]


def campaigns(rng, folder):
    """Return the arguments for a damaged or crafted campaign."""
    path = folder / "hostile.alc"
    path.write_bytes(campaign_mutations.mutated(rng, REVIEWS).data)
    if rng.random() < 0.5:
        return ["findings", path]
    return ["report", path, "--html", folder / "out.html", "--quiet"]


KINDS = {each.__name__: each for each in (damaged, not_files, databases, bombs, campaigns)}
TABLES: dict[str, bytes] = {}
REVIEWS: dict[str, bytes] = {}


def faults(arguments, folder, wall):
    """Run a command in a fork; return what it did wrong, its seconds and MiB."""
    said = folder / "said"
    resident = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    before = resident * resource.getpagesize() // 1024
    started, child = time.monotonic(), os.fork()
    if not child:
        code = 4
        try:
            place = os.open(said, os.O_WRONLY | os.O_CREAT, 0o600)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.dup2(place, 2)
            os.setpgid(0, 0)
            alc([str(each) for each in arguments])
        except SystemExit as end:
            code = end.code or 0
        finally:
            sys.stderr.flush()
            os._exit(code)
    while not (ended := os.wait4(child, os.WNOHANG))[0]:
        if time.monotonic() > started + wall:
            os.killpg(child, 9)
        time.sleep(0.02)
    _, status, usage = ended
    seconds, mib = usage.ru_utime + usage.ru_stime, (usage.ru_maxrss - before) / 1024
    text = said.read_text(errors="replace")
    code = os.waitstatus_to_exitcode(status)
    found = ["TRACEBACK"] if "Traceback" in text or code == 4 else []
    found += ["SLOW"] if seconds > SECONDS or code == -9 else []
    found += ["LARGE"] if mib * 2**20 > BYTES else []
    errors = [each for each in text.splitlines() if each.startswith("Error: ")]
    if any(len(each) > LONGEST_ERROR or not is_one_line(each) for each in errors):
        found.append("LONG")
    return found, seconds, mib, text.strip().splitlines()[-1:] if found else []


def run(arguments) -> int:
    TABLES.update(every_format())
    kinds = [arguments.kind] if arguments.kind else list(KINDS)
    if "campaigns" in kinds:
        REVIEWS.update(
            {"review.alc": Path(arguments.review).read_bytes()}
            if arguments.review
            else campaign_files.sound_files()
        )
    load_formats()
    gc.freeze()
    counts, slowest, largest = collections.Counter(), 0.0, 0.0
    for number in range(arguments.first, arguments.first + arguments.cases):
        kind, rng = kinds[number % len(kinds)], np.random.default_rng([arguments.seed, number])
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "sound.csv").write_text("x,job\n" + "1,a\n2,b\n" * 30)
            found, seconds, mib, last = faults(KINDS[kind](rng, folder), folder, arguments.wall)
        counts.update([kind, *found])
        slowest, largest = max(slowest, seconds), max(largest, mib)
        if found or arguments.verbose:
            print(f"{number} {kind} {found} {seconds:.1f} s {mib:.0f} MiB {last}", flush=True)
    print(f"{dict(counts)}, at most {slowest:.1f} s and {largest:.0f} MiB")
    return int(any(counts[each] for each in ("TRACEBACK", "SLOW", "LARGE", "LONG")))


def main(given: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cases", type=int, default=600)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=list(KINDS))
    parser.add_argument("--review", help="a sound campaign, in place of those made here")
    parser.add_argument("--wall", type=float, default=60, help="seconds until a command is ended")
    parser.add_argument("--verbose", action="store_true")
    return run(parser.parse_args(given))


if __name__ == "__main__":
    sys.exit(main())
