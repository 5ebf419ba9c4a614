"""Record every number of fixed runs, and compare the records of two versions of the package.

    python benchmarks/same_numbers.py record before.json --checkout ../older-checkout
    python benchmarks/same_numbers.py record after.json --adult adult.csv --adult-release ctgan.csv
    python benchmarks/same_numbers.py compare before.json after.json

Only the command line is used, so that the record of an older version can be made by this script.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

SCENARIOS = {
    "fair": ("age,yrs_married,children,educ,occupation,occupation_husb", "religious"),
    "randhie": ("lncoins,idp,lpi,fmde,physlm,disea,mdvis", "self_rated_health"),
}
ADULT = "age,workclass,education,marital_status,race,sex,hours_per_week"
KEY = ("release", "unknown", "known", "attack")
IGNORED = {"seconds", "versions", "worker", "created", "finished"}


def run(checkout: Path, *arguments: str, expected: tuple[int, ...] = (0,)) -> str:
    """Run the command of a checkout; return what it printed."""
    done = subprocess.run(
        [sys.executable, "-m", "alc_core", *arguments],
        cwd=checkout, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode not in expected:
        raise SystemExit(f"alc {' '.join(arguments)}\n{done.stderr}")
    return done.stdout


def assessed(checkout: Path, original: str, release: str, known: str, unknown: str) -> Any:
    return json.loads(
        run(
            checkout, "assess", "--quiet", "--original", original, "--release", release,
            "--known", known, "--unknown", unknown, "--seed", "1", "--json", "-",
        )
    )  # fmt: skip


def found(checkout: Path, folder: Path, original: str, releases: list[str]) -> list[Any]:
    file, table = folder / "campaign.alc", folder / "findings.csv"
    file.unlink(missing_ok=True)
    given = [word for release in releases for word in ("--release", release)]
    run(
        checkout, "campaign", "--quiet", "--original", original, *given, "--out", str(file),
        "--seed", "1",
    )  # fmt: skip
    run(checkout, "findings", str(file), "--csv", str(table))
    rows = list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8"))))
    return sorted(rows, key=lambda row: [row.get(name, "") for name in KEY])


def record(arguments: argparse.Namespace) -> None:
    checkout, numbers = arguments.checkout.resolve(), {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run(checkout, "demo", str(folder))
        fair = str(folder / "fair.csv")
        for path in sorted(folder.glob("*_swapped_*.csv")):
            data = path.name.split("_")[0]
            original = str(folder / f"{data}.csv")
            numbers[f"assess {path.stem}"] = assessed(
                checkout, original, str(path), *SCENARIOS[data]
            )
        releases = [f"{p.stem}={p}" for p in sorted(folder.glob("fair_swapped_*.csv"))]
        numbers["campaign fair"] = found(checkout, folder, fair, releases)
        if arguments.adult:
            adult = str(arguments.adult.resolve())
            release = str(arguments.adult_release.resolve())
            for unknown in ("occupation", "age", "marital_status"):
                known = ",".join(c for c in (*ADULT.split(","), "income") if c != unknown)
                numbers[f"assess adult {unknown}"] = assessed(
                    checkout, adult, release, known, unknown
                )
            numbers["campaign adult"] = found(checkout, folder, adult, [f"ctgan={release}"])
    arguments.file.write_text(json.dumps(numbers, indent=1), encoding="utf-8")
    print(f"{len(numbers)} runs recorded in {arguments.file}")


def differences(before: Any, after: Any, path: str) -> Iterator[str]:
    """Yield where two records differ; what only one of them has is named once."""
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in before:
            if key in IGNORED:
                continue
            if key in after:
                yield from differences(before[key], after[key], f"{path}/{key}")
            else:
                yield f"{path}/{key} is gone"
        yield from (f"{path}/{key} is new" for key in after if key not in before)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for place, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from differences(old, new, f"{path}/{place}")
    elif before != after:
        yield f"{path}: {before!r} -> {after!r}"


def numbers_in(value: Any) -> int:
    if isinstance(value, Mapping):
        return sum(map(numbers_in, value.values()))
    return sum(map(numbers_in, value)) if isinstance(value, list) else 1


def compare(arguments: argparse.Namespace) -> None:
    before, after = (json.loads(f.read_text(encoding="utf-8")) for f in arguments.files)
    for name in before:
        lines = list(differences(before[name], after.get(name), ""))
        print(f"{name}: {numbers_in(before[name])} values, {len(lines)} differences")
        for line in lines[: arguments.shown]:
            print(f"  {line[:300]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    recording = commands.add_parser("record")
    recording.add_argument("file", type=Path)
    recording.add_argument("--checkout", type=Path, default=Path(__file__).parents[1])
    recording.add_argument("--adult", type=Path)
    recording.add_argument("--adult-release", type=Path)
    recording.set_defaults(do=record)
    comparing = commands.add_parser("compare")
    comparing.add_argument("files", type=Path, nargs=2)
    comparing.add_argument("--shown", type=int, default=20)
    comparing.set_defaults(do=compare)
    arguments = parser.parse_args()
    arguments.do(arguments)


if __name__ == "__main__":
    main()
