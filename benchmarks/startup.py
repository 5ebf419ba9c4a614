"""Processor time and imports of starting the command, against another checkout.

    python benchmarks/startup.py --checkout ../older-checkout

Both checkouts take turns in the same run, so that ratios hold on a busy machine. Times are user
plus system seconds of a process, the least of several.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
IMPORTED = re.compile(r"import time:\s+\d+ \|\s+(\d+) \| (\s*)(\S+)")


def environment(checkout: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(checkout)}


def processor_seconds(checkout: Path, arguments: Sequence[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "alc_core", *arguments],
        env=environment(checkout), cwd=checkout, capture_output=True, check=True,
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def imports(checkout: Path, arguments: Sequence[str]) -> dict[str, float]:
    """Seconds of each imported module with all that it imports."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "alc_core", *arguments],
        env=environment(checkout), cwd=checkout, capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = IMPORTED.findall(done.stderr)
    return {name: int(micros) / 1e6 for micros, _, name in found}


def dearest(found: dict[str, float], count: int) -> str:
    """The packages that take longest, each with what it imports."""
    packages = {name: seconds for name, seconds in found.items() if "." not in name}
    first = sorted(packages, key=packages.__getitem__, reverse=True)[:count]
    return ", ".join(f"{name} {packages[name]:.3f}" for name in first)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checkout", type=Path, help="another version of the package")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--dearest", type=int, default=6, help="how many packages to list")
    given = parser.parse_args()
    checkouts = {"this checkout": HERE}
    if given.checkout:
        checkouts["the other"] = given.checkout.resolve()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, "-m", "alc_core", "demo", folder],
            env=environment(HERE), cwd=HERE, capture_output=True, check=True,
        )  # fmt: skip
        assess = [
            "assess", "--original", f"{folder}/fair.csv", "--release",
            f"{folder}/fair_swapped_20.csv", "--known", "age,yrs_married,children", "--unknown",
            "religious", "--targets", "600", "--quiet",
        ]  # fmt: skip
        for name, arguments in (
            ("--help", ["--help"]), ("--version", ["--version"]),
            ("assess --help", ["assess", "--help"]), ("assess", assess),
        ):  # fmt: skip
            times: dict[str, list[float]] = {label: [] for label in checkouts}
            for _ in range(given.repeats):
                for label, checkout in checkouts.items():
                    times[label].append(processor_seconds(checkout, arguments))
            print(f"alc {name}")
            for label, checkout in checkouts.items():
                found = imports(checkout, arguments)
                print(f"  {label}: {min(times[label]):.3f} s, {len(found)} modules")
                print(f"    {dearest(found, given.dearest)}")
            if given.checkout:
                here, other = (min(seconds) for seconds in times.values())
                print(f"  ratio of times: {here / other:.2f}")


if __name__ == "__main__":
    main()
