"""Best row match against a plain implementation of its definition."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.attacks.best_row_match import BestRowMatch
from alc_core.baselines.families import NaiveBayes
from alc_core.errors import InputError
from tests.toys.attacked import predicted, prepared


def mixed_frame(n, seed, *, missing=0.1):
    """Categories, small integers that tie exactly, real numbers, missing values everywhere."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "job": rng.choice(list("abcde"), n),
            "sex": rng.choice(["m", "f"], n),
            "age": rng.integers(18, 60, n).astype(float),
            "hours": rng.integers(0, 40, n).astype(float),
            "income": np.round(rng.lognormal(8, 1, n), 2),
            "health": rng.choice(list("uvwxyz"), n),
        }
    )
    for column in frame:
        frame.loc[rng.random(n) < missing, column] = None
    return frame


CONTINUOUS = ("age", "hours", "income")
KINDS = {
    **dict.fromkeys(CONTINUOUS, "continuous"),
    **dict.fromkeys(("job", "sex", "health"), "categorical"),
}


def with_codes(frame):
    """The frame with a text in place of some incomes."""
    return frame.assign(income=frame["income"].astype(object).mask(frame.index % 4 == 0, "N"))


def is_missing(value):
    return value is None or value != value


def ranges_of(frames):
    ranges = {}
    for column in CONTINUOUS:
        values = [
            Fraction(value)
            for frame in frames
            if column in frame
            for value in frame[column]
            if not is_missing(value) and value != "N"
        ]
        ranges[column] = max(values) - min(values)
    return ranges


def brute_force(original, releases, known, unknown, rows):
    """For some rows the definition in exact fractions: nearest rows, their mode, its share."""
    ranges = ranges_of([original, *releases])
    tables = [
        frame.to_dict("records")
        for frame in releases
        if unknown in frame and any(column in frame for column in known)
    ]
    targets = original.to_dict("records")
    return [nearest(targets[row], tables, ranges, known, unknown) for row in rows]


def nearest(target, tables, ranges, known, unknown):
    best, matches = None, []
    for table in tables:
        for other in table:
            total = Fraction(0)
            for column in known:
                if column not in other:
                    total += 1
                    continue
                a, b = target[column], other[column]
                if is_missing(a) or is_missing(b):
                    total += is_missing(a) != is_missing(b)
                elif "N" in (a, b):
                    total += a != b
                elif column in CONTINUOUS:
                    total += abs(Fraction(a) - Fraction(b)) / ranges[column]
                else:
                    total += a != b
            distance = total / len(known)
            if best is None or distance < best:
                best, matches = distance, []
            if distance == best:
                matches.append("~missing" if is_missing(other[unknown]) else other[unknown])
    counts = pd.Series(matches).value_counts()
    modal = min(counts[counts == counts.max()].index)
    return modal, float((1 - best) * Fraction(int(counts.max()), len(matches)))


def predictions(original, releases, known, unknown, threads=2):
    made = prepared(original, releases, known, unknown, kinds=KINDS)
    found = predicted(made, BestRowMatch(threads=threads))
    labels = [*made.view.unknown.labels, "~missing"]
    return [labels[value] for value in found.values], found.scores


CASES = {
    "mixed": lambda: (mixed_frame(60, 1), [mixed_frame(130, 2)]),
    "without missing values": lambda: (
        mixed_frame(60, 3, missing=0),
        [mixed_frame(130, 4, missing=0)],
    ),
    "mostly missing": lambda: (mixed_frame(50, 5, missing=0.6), [mixed_frame(90, 6, missing=0.6)]),
    "tables with different columns": lambda: (
        mixed_frame(60, 7),
        [
            mixed_frame(80, 8).drop(columns=["job", "income"]),
            mixed_frame(70, 9).drop(columns=["age"]),
            mixed_frame(60, 10).drop(columns=["health"]),
            mixed_frame(50, 11)[["health", "sex"]],
        ],
    ),
    "tables that share no known column": lambda: (
        mixed_frame(40, 12),
        [mixed_frame(40, 13)[["health"]], mixed_frame(40, 14)[["health", "hours"]]],
    ),
    "codes among numbers": lambda: (
        with_codes(mixed_frame(60, 16)),
        [with_codes(mixed_frame(130, 17)), mixed_frame(40, 18)],
    ),
    "equal rows": lambda: (mixed_frame(40, 15), [mixed_frame(40, 15)]),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(
    "known",
    [
        ("job", "sex", "age", "hours", "income"),
        ("age", "hours"),
        ("sex", "job"),
        ("sex", "hours"),
    ],
)
def test_equals_brute_force(case, known):
    original, releases = CASES[case]()
    if not any(column in frame for frame in releases for column in known):
        with pytest.raises(InputError, match="with a known column"):
            predictions(original, releases, known, "health")
        return
    values, scores = predictions(original, releases, known, "health")
    rows = range(len(original))
    expected = brute_force(original, releases, known, "health", rows)
    for row, (value, score) in zip(rows, expected, strict=True):
        assert values[row] == value, row
        assert scores[row] == pytest.approx(score, abs=1e-12), row


def test_more_rows_than_a_block_and_any_number_of_threads():
    original, release = mixed_frame(30, 20), mixed_frame(5000, 21)
    known = ("job", "age", "income")
    values, scores = predictions(original, [release], known, "health", threads=1)
    again, same = predictions(original, [release], known, "health", threads=3)
    assert values == again
    assert np.array_equal(scores, same)
    for row, (value, score) in enumerate(
        brute_force(original, [release], known, "health", range(6))
    ):
        assert values[row] == value
        assert scores[row] == pytest.approx(score, abs=1e-12)


def test_rows_at_equal_distance_by_different_columns_tie():
    # 0.1 + 0.2 + 0.3 in any order of the columns: floating point alone would tell them apart.
    original = pd.DataFrame({"a": [0.0, 1.0], "b": [0.0, 1.0], "c": [0.0, 1.0], "s": ["x", "y"]})
    release = pd.DataFrame(
        {"a": [0.1, 0.3, 0.2], "b": [0.2, 0.1, 0.3], "c": [0.3, 0.2, 0.1], "s": ["x", "y", "y"]}
    )
    kinds = dict.fromkeys("abc", "continuous")
    made = prepared(original, release, ["a", "b", "c"], "s", kinds=kinds)
    found = predicted(made, "best row match")
    assert made.view.unknown.labels[found.values[0]] == "y"
    assert found.scores[0] == pytest.approx(0.8 * 2 / 3)


def test_continuous_unknown_is_predicted_by_bins_of_the_original_whatever_is_released():
    original = pd.DataFrame({"k": ["a", "b"] * 20, "u": np.linspace(0, 20, 40)})
    release = pd.DataFrame({"k": ["a", "b"] * 20, "u": [-300.0, 900.0] * 20})
    view = prepared(original, release, ["k"], "u", kinds={"u": "continuous"}).view
    assert view.unknown.size == 21
    assert view.unknown.labels[0] == "[0, 1)"
    assert view.unknown.labels[19] == "[19, 20]"
    assert set(view.tables[0].unknown) == {0, 19}


def test_rare_values_can_count_by_their_rarity():
    # Who has the rare value is near one row with it and two without; the others near three without.
    rng, n = np.random.default_rng(0), 1500
    ill = np.where(rng.random(n) < 0.05, "yes", "no")
    frame = pd.DataFrame({"place": np.arange(n) % 50, "year": np.arange(n) // 50, "ill": ill})
    others = frame.assign(ill="no")
    release = pd.concat([frame, others, others], ignore_index=True)
    scenario = alc.Scenario(["place", "year"], "ill", targets=alc.Targets(count="all"))
    loop, right = alc.LoopParameters(folds=2, resamples=100), []
    for attack in (BestRowMatch(), BestRowMatch(by_rarity=True)):
        result = alc.assess(
            frame, release, scenario, attack=attack, families=[NaiveBayes()], loop=loop, seed=1
        )
        right.append(result.outcomes.attack.true_predictions[-1] / result.attempts)
    assert right[0] < 0.8
    assert right[1] == 1
