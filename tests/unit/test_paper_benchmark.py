"""The benchmark that repeats the paper counts by the authors' rules, and compares fairly."""

import importlib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import alc_core as alc


@pytest.fixture
def paper(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "benchmarks")
    return importlib.import_module("paper")


def stored(**values):
    usual = {
        "approach": "ours", "swapped": "weak", "dataset": "t", "secret_column": "a",
        "known_columns": '["b"]', "paired": True, "alc": 0.0, "base_prec": 0.5, "base_recall": 1.0,
        "base_prc": 0.5, "base_n": 100, "attack_prec": 0.5, "attack_recall": 1.0,
        "attack_prc": 0.5, "attack_n": 100,
    }  # fmt: skip
    return usual | values


@pytest.fixture
def folder(tmp_path):
    """Four attacks: at risk and serious where the others say safe, and the other way round."""
    rows = []
    for column, alc_, full, prior in (
        ("a", 0.6, (0.1, 0.2), 0.3), ("b", 0.8, (0.4,), 0.1), ("c", 0.1, (0.55, -3.0), 0.76),
        ("d", 0.2, (0.2,), None),
    ):  # fmt: skip
        own = {"secret_column": column}
        rows.append(stored(**own, paired=False, alc=alc_, attack_recall=0.25, attack_n=100))
        rows += [stored(**own, alc=each) for each in full]
        if prior is not None:
            rows.append(stored(**own, approach="prior", alc=prior))
            rows.append(stored(**own, approach="prior", alc=0.9, attack_recall=0.5))
    rows.append(stored(swapped="strong", paired=False, alc=0.9))
    pd.DataFrame(rows).to_parquet(tmp_path / "results.parquet")
    return tmp_path


def test_table_2_counts_unpaired_rows_against_rows_of_recall_1(paper, folder):
    attacks = paper.stored_attacks(folder, "weak")
    assert attacks["targets"].tolist() == [400] * 4
    assert attacks["no_recall"].tolist() == [0.2, 0.4, 0.55, 0.2]
    assert paper.table_2(attacks, "no_recall") == ([25.0, 25.0, 25.0, 0.0], 4)
    assert paper.table_2(attacks, "prior") == (pytest.approx([100 / 3, 100 / 3, 0, 100 / 3]), 3)


def test_the_authors_prc_is_the_best_of_few_narrow_thresholds(paper):
    scores = np.repeat([0.9, 0.5, 0.1], [200, 300, 500])
    right = np.concatenate([np.arange(200) < 190, np.arange(300) < 150, np.arange(500) < 100])
    middle = [sum(alc.wilson_interval(*each)) / 2 for each in ((190, 200), (440, 1000))]
    best, everybody, made = paper.authors_prc(scores, right, np.array([333, 667, 1000]))
    assert (best, everybody) == pytest.approx((alc.prc(middle[0], 0.2), middle[1]))
    assert made.tolist() == [200, 500, 1000]
    # The best threshold is not looked at, or its interval is too wide: all predictions count.
    assert paper.authors_prc(scores, right, np.array([1000]))[0] == pytest.approx(middle[1])
    few = np.concatenate([np.arange(0, 200, 10), np.arange(200, 1000)])
    best, everybody, _ = paper.authors_prc(scores[few], right[few], np.array([20, 820]))
    assert best == everybody


def test_figure_3_is_the_gain_over_no_replica(paper):
    rows = [
        {"model_params": "m", "dataset": "t", "column": c, "replicates": n, "prec_avg": p + n / 100}
        for c, p in (("a", 0.1), ("b", 0.5), ("c", 0.2)) for n in (0, 1, 2, 5, 10)
    ]  # fmt: skip
    errors = paper.dependence_errors(pd.DataFrame(rows))
    assert errors.groupby("model_params").median().loc["m"].tolist() == pytest.approx(
        [0.01, 0.02, 0.05, 0.10]
    )


def test_a_stopped_run_goes_on_with_what_is_missing(paper, tmp_path):
    file, ran = tmp_path / "found.csv", []

    def run(number, fails):
        if fails:
            raise KeyboardInterrupt
        ran.append(number)
        return [{"draw": number, "alc": number / 10}]

    with pytest.raises(KeyboardInterrupt):
        paper.run_missing(file, "draw", {0: (0, False), 1: (1, True), 2: (2, False)}, run, 1)
    paper.run_missing(file, "draw", {n: (n, False) for n in range(3)}, run, 1)
    assert sorted(ran) == pd.read_csv(file)["draw"].sort_values().tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({}, None),
        ({"base_all_stored": 0.3, "frequent": 0.5}, "most frequent value"),
        ({"by_baseline": -0.4, "base_prc": 0.7}, "better baseline"),
        ({"by_attack": 0.4}, "best point"),
        ({"base_prc": 0.9, "base_prc_stored": 0.9}, "count many times"),
        ({"targets": 140}, "140 people"),
        ({"secret_column_stored": "a__discretized", "base_all": 0.2}, "equally many people"),
    ],
)
def test_why_two_numbers_differ(paper, changes, word):
    same = {
        "base_all_stored": 0.5, "frequent": 0.5, "by_attack": 0.0, "by_baseline": 0.0,
        "base_prc": 0.5, "base_prc_stored": 0.5, "targets": 400,
        "secret_column_stored": "a", "base_all": 0.5,
    }  # fmt: skip
    found = paper.reasons(pd.Series(same | changes))
    assert len(found) == (word is not None)
    assert all(word in each for each in found)
