"""Record every number of fixed runs, and compare the records of two versions of the package.

    python benchmarks/same_numbers.py inputs FOLDER
    python benchmarks/same_numbers.py record before.json FOLDER --checkout ../older-checkout
    python benchmarks/same_numbers.py record after.json FOLDER
    python benchmarks/same_numbers.py compare before.json after.json

``inputs`` makes the tables that both versions are given: the demo data, and of them a release of
each type. ``record`` runs 65 assessments, three campaigns and every study on them. Only the command
line is used, so that this script can make the record of an older version, too. A record that was
broken off goes on.
"""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click
import pandas as pd

import alc_core as alc

FAIR = ("age", "yrs_married", "children", "educ", "occupation", "occupation_husb")
SECRETS = ("religious", "rate_marriage", "children")
HEALTH = ("lncoins", "idp", "lpi", "fmde", "physlm", "disea", "mdvis")
IGNORED = {"seconds", "versions", "worker", "created", "finished", "path", "model_seconds"}
KEY = ("release", "unknown", "known", "attack")
FEW = ("--targets", "400", "--seed", "1")


def make_inputs(folder: Path) -> None:
    """Write the demo data and releases of every type, made of every fourth person."""
    folder.mkdir(parents=True, exist_ok=True)
    run(Path(__file__).parents[1], "demo", str(folder), "--force")
    everybody = pd.read_csv(folder / "fair.csv")
    people, others = everybody.iloc[::4], everybody.iloc[2::4]
    people.to_csv(folder / "people.csv", index=False)
    others.to_csv(folder / "others.csv", index=False)
    half = [people.iloc[: len(people) // 2], everybody.iloc[1::4].iloc[: len(people) // 2]]
    pd.concat(half).sample(frac=1, random_state=1).to_csv(folder / "copies.csv", index=False)
    recoded = people.sample(frac=1, random_state=2).assign(age=people["age"].map("{:.0f}+".format))
    low = people["age"] // 10 * 10
    recoded["age"] = low.map("{:.0f}".format) + "-" + (low + 9).map("{:.0f}".format)
    recoded.to_csv(folder / "recoded.csv", index=False)
    asked = {"unknown": "religious", "known": ["age", "educ", "occupation"], "seed": 1}
    made = {
        "anatomy": alc.anatomize(people, level=2, **asked),
        "counts": alc.noisy_counts(people, epsilon=1.0, **asked),
        "mondrian": alc.mondrian(people, k=10, **asked),
    }
    for name, release in made.items():
        for place, table in enumerate(release.tables):
            table.frame.to_csv(folder / f"{name}_{place}.csv", index=False)


def run(checkout: Path, *arguments: str, expected: tuple[int, ...] = (0,)) -> str:
    """Run the command of a checkout; return what it printed."""
    done = subprocess.run(
        [sys.executable, "-m", "alc_core", *arguments],
        cwd=checkout,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in expected:
        raise SystemExit(f"alc {' '.join(arguments)}\n{done.stderr}")
    return done.stdout


def assessments(at: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield 65 assessments: demo data, each attack, each type of release, other parameters."""
    plain = [("best row match", ()), ("model", ()), ("naive bayes", ())]
    for share in (5, 20, 80):
        for secret in SECRETS:
            known = ",".join(column for column in FAIR if column != secret)
            for attack, more in plain:
                given = ["--original", f"{at}/fair.csv", "--known", known, "--unknown", secret]
                given += ["--release", f"{at}/fair_swapped_{share}.csv", "--attack", attack, *more]
                yield f"fair {share} {secret} {attack}", given
    for share in (5, 20, 80):
        for known_few in (HEALTH, HEALTH[:3]):
            given = ["--original", f"{at}/randhie.csv", "--known", ",".join(known_few)]
            given += ["--release", f"{at}/randhie_swapped_{share}.csv"]
            yield f"randhie {share} {len(known_few)}", [*given, "--unknown", "self_rated_health"]
    people = ["--original", f"{at}/people.csv", "--known", "age,educ,occupation"]
    people += ["--unknown", "religious"]
    rows = {"copies": [f"{at}/copies.csv"], "recoded": [f"{at}/recoded.csv"]}
    rows["mondrian"] = [f"{at}/mondrian_0.csv"]
    kinds = {"anatomy": "groups", "counts": "counts"}
    others = {name: sorted(map(str, at.glob(f"{name}_*.csv"))) for name in kinds}
    for name, files in {**rows, **others}.items():
        given = [*people, *_tables(name, files)]
        if name in kinds:
            given += ["--release-type", kinds[name]]
        yield f"{name}", given
        yield f"{name} half", [*given, "--alpha", "1.5", "--confidence", "0.9"]
        yield f"{name} all", [*given, "--targets", "all", "--no-down-sample"]
        if name in rows:
            yield f"{name} model", [*given, "--attack", "model"]
            yield f"{name} absolute", [*given, "--loss", "absolute", "--max-interval-width", "0.2"]
    groups = [*_tables("anatomy", others["anatomy"]), "--release-type", "groups"]
    yield "definetti", [*people, *groups, "--attack", "definetti"]
    age = ["--original", f"{at}/people.csv", "--release", f"{at}/recoded.csv"]
    age += ["--known", "educ,occupation,religious", "--unknown", "age"]
    yield "age in ranges", age
    yield "age within five", [*age, "--continuous", "age", "--tolerance", "age=5"]
    for seed in range(2, 10):
        yield f"seed {seed}", [*people, "--release", f"{at}/copies.csv", "--seed", str(seed)]


def _tables(name: str, files: list[str]) -> list[str]:
    return _releases([f"{name}={file}" for file in files] if len(files) > 1 else files)


def _releases(files: list[str]) -> list[str]:
    return [word for file in files for word in ("--release", file)]


def campaigns(at: Path) -> dict[str, list[str]]:
    """Return the arguments of three campaigns: of rows, of all types, of a larger table."""
    fair = [f"{share}={at}/fair_swapped_{share}.csv" for share in (5, 20, 80)]
    rows = ["--original", f"{at}/fair.csv", *_releases(fair), "--unknown", ",".join(SECRETS)]
    mixed = [f"copies={at}/copies.csv", f"recoded={at}/recoded.csv"]
    mixed += [f"anatomy={path}" for path in sorted(at.glob("anatomy_*.csv"))]
    mixed += [f"counts={path}" for path in sorted(at.glob("counts_*.csv"))]
    types = ["--release-type", "anatomy=groups", "--release-type", "counts=counts"]
    of_types = ["--original", f"{at}/people.csv", *_releases(mixed), *types]
    health = ["--original", f"{at}/randhie.csv", "--release", f"{at}/randhie_swapped_5.csv"]
    return {
        "rows": [*rows, "--known-sets", "3"],
        "types": [*of_types, "--unknown", "religious"],
        "health": [*health, "--attack", "model", "--attack", "best row match", "--known-sets", "1"],
    }


def studies(at: Path, campaign: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield every study that the command line has, and what else prints numbers."""
    people = ["--original", f"{at}/people.csv"]
    both = [*people, *_releases([f"copies={at}/copies.csv", f"recoded={at}/recoded.csv"])]
    asked = ["--known", "age,educ,occupation", "--unknown", "religious"]
    anatomy = [*people, *_tables("anatomy", sorted(map(str, at.glob("anatomy_*.csv"))))]
    json_out = ["--json", "-"]
    protected = ["--known", "age,educ,occupation", "--protected", "religious"]
    yield "risk", ["risk", *both, *protected, "--population", "100000", *json_out]
    yield "utility", ["utility", *both, "--seed", "1", *json_out]
    yield "rapid", ["rapid", *both, *asked, "--by", "children", "--seed", "1", *json_out]
    number = ["--release", f"{at}/copies.csv", "--known", "educ", "--unknown", "age"]
    number += ["--continuous", "age", "--seed", "1"]
    yield "rapid of numbers", ["rapid", *people, *number, *json_out]
    few = ["--iterations", "400", "--chains", "2", "--seed", "1"]
    threat = [*anatomy, "--release-type", "groups", *asked, *few]
    yield "threat", ["threat", *threat, "--victim", "age=32", *json_out]
    beside = ["--holdout", f"{at}/others.csv", "--people", "300", "--seed", "1"]
    yield "holdout", ["holdout", *both, *beside, *asked, *json_out]
    yield "check", ["check", *people, "--release", f"{at}/recoded.csv", *json_out]
    yield "check copies", ["check", *people, "--release", f"{at}/copies.csv", *json_out]
    yield (
        "check counts",
        ["check", *people, *_tables("counts", sorted(map(str, at.glob("counts_*")))), *json_out],
    )
    yield "plan", ["plan", *both, "--seed", "1", *json_out]
    tried = ["--trials", "4", "--seconds", "600", *json_out]
    rows = ["--original", f"{at}/fair.csv", "--release", f"{at}/fair_swapped_5.csv"]
    yield "improve", ["improve", str(campaign), *rows, *tried]


def read_table(text: str) -> list[dict[str, str]]:
    rows = list(csv.DictReader(io.StringIO(text)))
    return sorted(rows, key=lambda row: [row.get(name, "") for name in KEY])


@click.group(help=__doc__)
def main() -> None:
    pass


@main.command()
@click.argument("folder", type=click.Path(path_type=Path))
def inputs(folder: Path) -> None:
    make_inputs(folder.resolve())


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("folder", type=click.Path(path_type=Path, exists=True))
@click.option("--checkout", type=click.Path(path_type=Path), default=Path(__file__).parents[1])
def record(file: Path, folder: Path, checkout: Path) -> None:
    at, checkout = folder.resolve(), checkout.resolve()
    numbers = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}

    def keep(name: str, make: Callable[[], Any]) -> None:
        if name not in numbers:
            numbers[name] = make()
            file.write_text(json.dumps(numbers, indent=1), encoding="utf-8")

    def assessed(given: list[str]) -> Any:
        usual = [] if "--targets" in given else ["--targets", "400"]
        usual += [] if "--seed" in given else ["--seed", "1"]
        return json.loads(run(checkout, "assess", "--quiet", *given, *usual, "--json", "-"))

    def attacked(name: str, given: list[str]) -> Any:
        out, table = file.with_name(f"{file.stem}-{name}.alc"), file.with_suffix(f".{name}.csv")
        run(checkout, "campaign", "--quiet", *given, *FEW, "--out", str(out))
        printed = run(checkout, "findings", str(out), "--csv", str(table))
        return {
            "table": read_table(table.read_text(encoding="utf-8")),
            "said": printed.splitlines(),
        }

    for name, given in assessments(at):
        keep(f"assess {name}", partial(assessed, given))
    for name, given in campaigns(at).items():
        keep(f"campaign {name}", partial(attacked, name, given))
    for name, given in studies(at, file.with_name(f"{file.stem}-rows.alc")):
        keep(name, lambda given=given: json.loads(run(checkout, *given, expected=(0, 1))))
    print(f"{len(numbers)} runs recorded in {file}")


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


@main.command()
@click.argument("before", type=click.Path(path_type=Path, exists=True))
@click.argument("after", type=click.Path(path_type=Path, exists=True))
@click.option("--shown", default=20, help="Differences of each run that are shown.")
def compare(before: Path, after: Path, shown: int) -> None:
    old, new = (json.loads(file.read_text(encoding="utf-8")) for file in (before, after))
    lines = {name: list(differences(old[name], new.get(name), "")) for name in old}
    for name, found in lines.items():
        for line in [f"{name}: {len(found)} differences"] * bool(found) + found[:shown]:
            print(line[:300])
    total = sum(map(len, lines.values()))
    print(f"{len(old)} runs, {numbers_in(old)} values, {total} differences")


if __name__ == "__main__":
    main()
