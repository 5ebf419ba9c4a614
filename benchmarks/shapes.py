"""Columns that a release has in another shape: how many are found or asked about.

``python benchmarks/shapes.py [TABLE ...]`` plants columns of yes and no, bands, and numbers
worked out of others in releases of made-up people and of these tables, with up to 20% of the
cells changed, and prints by kind how many of them the check puts together or asks about. Beside
them, releases that lack a column and have others of another meaning: there, each question is false.
"""

from __future__ import annotations

import argparse
import itertools
import re
from collections import defaultdict
from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd

from alc_core.releases.samples.perturbed import swap_columns
from alc_core.tables.checks.columns import check_shapes
from alc_core.tables.checks.finding import Severity
from alc_core.tables.checks.profile import Profiles
from alc_core.tables.names import with_same_columns
from alc_core.tables.read import read_table, table_from_frame

ROWS, CHANGED = 5_000, (0.0, 0.1, 0.2)
ONE_HOT: dict[str, Callable[[str, str], str]] = {
    "sex_male": "{}_{}".format,
    "sexmale": "{}{}".format,
    "sex.male": "{}.{}".format,
    "C(sex)[T.male]": "C({})[T.{}]".format,
    "sex=male": "{}={}".format,
    "clean_names": lambda c, v: re.sub(r"\W+", "_", f"{c}_{v}").strip("_").lower(),
}
BAND_NAMES = ("{}_group", "{}_band", "{}Cat", "{}5", "{}_klasse")
Bands = Callable[[pd.Series, np.ndarray], pd.Series]


def people(rng: np.random.Generator, rows: int = ROWS) -> pd.DataFrame:
    """Return made-up people."""
    born = pd.Timestamp("1934-01-01") + pd.to_timedelta(rng.integers(0, 25_500, rows), unit="D")
    height = rng.normal(171, 9, rows).round()
    return pd.DataFrame(
        {
            "age": rng.integers(18, 91, rows),
            "born": born.strftime("%Y-%m-%d"),
            "height": height,
            "weight": (height - 100 + rng.normal(0, 11, rows)).clip(38).round(1),
            "income": rng.lognormal(7.6, 0.5, rows).round(),
            "rent": rng.lognormal(6.5, 0.3, rows).round(),
            "sex": rng.choice(["female", "male"], rows),
            "region": rng.choice(["North", "South", "East", "West"], rows, p=[0.4, 0.3, 0.2, 0.1]),
            "marital": rng.choice(["Never-married", "Married", "Widowed"], rows, p=[0.4, 0.5, 0.1]),
            "icd": rng.choice([f"{a}{n}" for a in "CIJ" for n in range(10, 40)], rows),
            "job": rng.choice([f"job {letter}" for letter in "ABCDEFGHIJ"], rows),
        }
    )


def changed(frame: pd.DataFrame, share: float, rng: np.random.Generator) -> pd.DataFrame:
    """Return the rows in another order, with so many cells exchanged for those of others."""
    rows = frame.iloc[rng.permutation(len(frame))]
    return swap_columns(rows, share, seed=int(rng.integers(2**31)))


def ranges(values: pd.Series, edges: np.ndarray) -> pd.Series:
    """Return "18-29" and the like."""
    low = np.searchsorted(edges, values, side="right") - 1
    names = [f"{a:g}-{b - 1:g}" for a, b in itertools.pairwise(edges)]
    return pd.Series(np.asarray(names, dtype=object)[low.clip(0, len(names) - 1)])


def brackets(values: pd.Series, edges: np.ndarray) -> pd.Series:
    """Return what pandas and R call intervals."""
    return pd.cut(values, edges, right=False).astype(str)


def open_ends(values: pd.Series, edges: np.ndarray) -> pd.Series:
    """Return the same with "under 30" and "80+"."""
    found = ranges(values, edges)
    first, last = f"{edges[0]:g}-{edges[1] - 1:g}", f"{edges[-2]:g}-{edges[-1] - 1:g}"
    return found.replace({first: f"under {edges[1]:g}", last: f"{edges[-2]:g}+"})


def starts(values: pd.Series, edges: np.ndarray) -> pd.Series:
    """Return where each band begins."""
    return pd.Series(edges[np.searchsorted(edges, values, side="right") - 1])


def codes(values: pd.Series, edges: np.ndarray) -> pd.Series:
    """Return 1, 2, 3."""
    return pd.Series(np.searchsorted(edges, values, side="right"))


BANDS: tuple[Bands, ...] = (ranges, brackets, open_ends, starts, codes)
Planted = tuple[str, list[str], pd.DataFrame]  # Kind, columns gone, columns in their place


def planted(frame: pd.DataFrame) -> Iterator[Planted]:
    """Yield what is planted in releases of a table."""
    numbers = [
        c for c in frame if pd.api.types.is_numeric_dtype(frame[c]) and frame[c].nunique() > 25
    ]
    yield from one_hot(frame)
    yield from bands(frame, numbers[:8])
    yield from formulas(frame, numbers[:8])
    if "born" in frame:
        yield from of_dates(frame)


def one_hot(frame: pd.DataFrame) -> Iterator[Planted]:
    """Yield columns of yes and no, of every other column without the first."""
    texts = [c for c in frame if not pd.api.types.is_numeric_dtype(frame[c])]
    for number, column in enumerate(c for c in texts if 2 <= frame[c].nunique() <= 60):
        for place, (style, name) in enumerate(ONE_HOT.items()):
            labels = sorted(map(str, frame[column].unique()))[(number + place) % 2 :]
            flags = {name(column, v): (frame[column].astype(str) == v).astype(int) for v in labels}
            if len(flags) == len(labels) and not {*flags} & {*frame}:
                yield f"one-hot {style}", [column], pd.DataFrame(flags)


def bands(frame: pd.DataFrame, numbers: list[str]) -> Iterator[Planted]:
    """Yield numbers in ranges, written in several ways."""
    for column in numbers:
        values = frame[column]
        edges = np.unique(np.quantile(values, np.linspace(0, 1, 7)).round())
        if len(edges) < 4:
            continue
        edges[0], edges[-1] = np.floor(values.min()), np.floor(values.max()) + 1
        for name, band in zip(BAND_NAMES, BANDS, strict=True):
            made = {name.format(column): band(values, edges)}
            if not {*made} & {*frame}:
                yield f"bands {band.__name__}", [column], pd.DataFrame(made)


def formulas(frame: pd.DataFrame, numbers: list[str]) -> Iterator[Planted]:
    """Yield numbers worked out of one or two."""
    for column in numbers:
        values = frame[column]
        if (values > 0).all():
            yield "log", [column], pd.DataFrame({f"log_{column}": np.log(values)})
        score = (values - values.mean()) / values.std()
        yield "standardised", [column], pd.DataFrame({f"z{column}": score.round(3)})
    for one, other in itertools.pairwise(numbers):
        made = {"sum": frame[one] + frame[other], "gap": frame[one] - frame[other]}
        if (frame[[one, other]] > 0).all(axis=None):
            made["ratio"] = frame[one] / frame[other]
        for name, values in made.items():
            yield f"worked out {name}", [one, other], pd.DataFrame({name: values})


def of_dates(frame: pd.DataFrame) -> Iterator[Planted]:
    """Yield ages, years and codes of the made-up people."""
    born = pd.to_datetime(frame["born"])
    ages = ((pd.Timestamp("2024-06-30") - born).dt.days // 365.2425).astype(int)
    tens = ages // 10 * 10
    bands = tens.astype(str) + "-" + (tens + 9).astype(str)
    bmi = (frame["weight"] / (frame["height"] / 100) ** 2).round(1)
    alone = {
        "age of a date": ("born", "age_years", ages),
        "age band of a date": ("born", "age_group", bands),
        "year of a date": ("born", "birth_year", born.dt.year),
        "beginning of a code": ("icd", "icd3", frame["icd"].str[:1]),
        "words for groups": (
            "job",
            "sector",
            (frame["job"] < "job D").map({True: "a", False: "b"}),
        ),
        "labels as codes": ("sex", "gender", frame["sex"].map({"female": 2, "male": 1})),
        "another name": ("region", "area", frame["region"]),
    }
    for kind, (column, name, values) in alone.items():
        yield kind, [column], pd.DataFrame({name: values})
    yield "BMI", ["height", "weight"], pd.DataFrame({"bmi": bmi})
    yield "BMI, height kept", ["weight"], pd.DataFrame({"bmi": bmi})
    yield (
        "rent per income",
        ["rent"],
        pd.DataFrame({"share": (frame["rent"] / frame["income"]).round(4)}),
    )


def harmless(
    frame: pd.DataFrame, rng: np.random.Generator
) -> Iterator[tuple[list[str], pd.DataFrame]]:
    """Yield columns that a release lacks, and others of another meaning."""
    rows = len(frame)
    own: dict[str, Callable[[], object]] = {
        "smoker": lambda: rng.choice(["no", "yes"], rows, p=[0.7, 0.3]),
        "consent": lambda: rng.integers(0, 2, rows),
        "wave": lambda: rng.integers(1, 6, rows),
        "score": lambda: rng.normal(50, 10, rows).round(1),
        "visits": lambda: rng.poisson(3, rows),
        "grade": lambda: rng.choice(["A", "B", "C", "D"], rows),
        "months": lambda: rng.integers(1, 120, rows),
        "weight_factor": lambda: rng.lognormal(0, 0.4, rows),
        "interview": lambda: (
            pd.Timestamp("2023-01-01") + pd.to_timedelta(rng.integers(0, 300, rows), unit="D")
        ),
    }
    for column in list(frame)[:12]:
        values = frame[column]
        chosen = rng.choice(list(own), 3, replace=False)
        extra = {name: own[name]() for name in chosen if name not in frame}
        extra[f"{column}_source"] = rng.choice(["register", "asked", "estimated"], rows)
        extra[f"{column}_at_visit"] = rng.integers(1, 30, rows)
        extra |= {f"symptom_{n}": rng.integers(0, 2, rows) for n in "abc"}
        if pd.api.types.is_numeric_dtype(values):  # goes along with it, and is something else
            extra["index"] = (values.rank(pct=True) + rng.normal(0, 0.5, rows)).round(3)
        yield [column], pd.DataFrame(extra)


def asked(original: pd.DataFrame, release: pd.DataFrame, gone: list[str]) -> str:
    """Return what the check does about columns that are gone; empty where it says nothing."""
    table, released = table_from_frame(original, name="o"), table_from_frame(release, name="r")
    if {*gone} & {*with_same_columns(table, released, {}).columns}:
        return "put together"
    for found in check_shapes(table, with_same_columns(table, released, {}), Profiles()):
        if found.severity is not Severity.QUESTION:
            continue
        if found.code == "worked-out-column" or (
            found.code == "missing-column" and found.column in gone
        ):
            return f"asked {[offer.value for offer in found.offers]}"
    return ""


Counted = dict[str, list[bool]]  # By kind whether something was found or asked, of each


def of_planted(frames: dict[str, pd.DataFrame], verbose: bool) -> Counted:
    """Return what is found of what was planted."""
    found: Counted = defaultdict(list)
    for (name, frame), share in itertools.product(frames.items(), CHANGED):
        rng = np.random.default_rng(1)
        for kind, gone, columns in planted(frame):
            release = changed(pd.concat([frame.drop(columns=gone), columns], axis=1), share, rng)
            answer = asked(frame, release, gone)
            found[kind].append(bool(answer))
            if verbose and not answer:
                print(f"not found: {kind} of {gone} in {name}, {share:.0%} changed")
    return found


def of_harmless(
    frames: dict[str, pd.DataFrame], rng: np.random.Generator, verbose: bool
) -> Counted:
    """Return where something is asked of columns of another meaning."""
    false: Counted = defaultdict(list)
    ways = itertools.product(frames.items(), (0.05, 0.2, 1.0), (False, True))
    for (name, frame), share, strangers in ways:
        half = len(frame) // 2
        for gone, extra in harmless(frame, rng):
            rows = pd.concat([frame.drop(columns=gone), extra], axis=1)
            own = frame.iloc[:half] if strangers else frame
            release = changed(rows.iloc[half:] if strangers else rows, share, rng)
            answer = asked(own.reset_index(drop=True), release, gone)
            false["strangers" if strangers else f"{share:.0%} changed"].append(bool(answer))
            if verbose and answer:
                print(f"false question: {gone} in {name}, {share:.0%} changed: {answer}")
    return false


def main() -> None:
    """Print the two tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="*", help="More originals, as files.")
    parser.add_argument("--verbose", action="store_true", help="Also print what was not found.")
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    frames = {"made up": people(rng)}
    for file in options.tables:
        rows = read_table(file).frame
        frames[file] = rows.sample(min(ROWS, len(rows)), random_state=0).reset_index(drop=True)
    frames = {
        name: frame.astype({c: object for c in frame if str(frame[c].dtype) == "category"})
        for name, frame in frames.items()
    }
    found, false = of_planted(frames, options.verbose), of_harmless(frames, rng, options.verbose)
    for title, counted in (("planted", found), ("harmless: false questions", false)):
        print(f"\n| {title} | of | |\n|---|---|---|")
        for kind, answers in sorted(counted.items()):
            print(f"| {kind} | {len(answers)} | {np.mean(answers):.1%} |")
        every = [answer for answers in counted.values() for answer in answers]
        print(f"| all | {len(every)} | {np.mean(every):.1%} |")


if __name__ == "__main__":
    main()
