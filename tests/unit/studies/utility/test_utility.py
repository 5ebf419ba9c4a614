import json

import numpy as np
import pandas as pd
import psutil
import pytest

import alc_core as alc
from alc_core.errors import CancelledError, ColumnError, InputError, ParameterError
from alc_core.plain_values import from_plain, to_plain
from alc_core.releases.registry import as_release
from alc_core.runtime.machine import limit_threads
from alc_core.studies.utility import measuring
from alc_core.studies.utility.coding import code_tables
from alc_core.studies.utility.measuring import measure_utility, total_variation
from alc_core.studies.utility.result import Utility, differing_sentence, own_record_notes
from alc_core.tables.checks.facts import file_facts
from alc_core.tables.read import table_from_frame
from tests.toys.shown import shown


@pytest.fixture(autouse=True)
def _few_rows(monkeypatch):
    """Small models of a few hundred rows tell what is asked here."""
    monkeypatch.setattr(measuring, "available_threads", lambda: 1)
    monkeypatch.setattr(measuring, "TREES", 20)
    monkeypatch.setattr(measuring, "MAX_TRAIN", 600)
    monkeypatch.setattr(measuring, "MAX_TEST", 300)


def labels(n, seed=0):
    """Two columns where one follows from the other, and a third on its own."""
    rng = np.random.default_rng(seed)
    first = rng.integers(4, size=n)
    return pd.DataFrame(
        {
            "a": [f"a{value}" for value in first],
            "b": [f"b{value % 2}" for value in first],
            "c": rng.choice(["x", "y"], n),
        }
    )


def measured(original, release, **options):
    name = options.pop("name", None)
    release = as_release(release).renamed(name) if name else release
    return measure_utility(original, release, **{"targets": [], **options})


def test_total_variation_is_half_the_sum_of_absolute_differences():
    first, second = np.array([0, 0, 0, 1]), np.array([0, 1, 2, 2])
    assert total_variation(first, second, size=3) == pytest.approx((0.5 + 0 + 0.5) / 2)
    assert total_variation(first, first[::-1], size=3) == 0
    assert total_variation(np.array([0]), np.array([1]), size=2) == 1


def test_total_variation_of_many_codes_is_the_same_without_laying_them_out():
    rng = np.random.default_rng(0)
    first, second = rng.integers(50, size=400), rng.integers(60, size=300)
    plain = total_variation(first, second, size=60)
    assert total_variation(first * 100_000, second * 100_000, size=6_000_000) == pytest.approx(
        plain
    )


def test_marginals_are_those_of_a_plain_count():
    original, release = labels(500), labels(400, seed=1)
    release["b"] = release["b"].to_numpy()[::-1]
    found = measured(original, release)

    def distance(columns):
        shares = [f.groupby(columns).size() / len(f) for f in (original, release)]
        one, other = shares[0].align(shares[1], fill_value=0.0)
        return float((one - other).abs().sum() / 2)

    assert found.columns == pytest.approx({name: distance([name]) for name in "abc"})
    expected = {pair: distance(list(pair)) for pair in (("a", "b"), ("a", "c"), ("b", "c"))}
    assert {(one, other): value for one, other, value in found.pairs} == pytest.approx(expected)
    assert found.pair_distance == pytest.approx(np.mean(list(expected.values())))


def test_the_original_itself_has_no_distance_and_chance_has_some():
    found = measured(labels(500), labels(500))
    assert (found.column_distance, found.pair_distance) == (0, 0)
    assert 0 < found.column_chance < found.pair_chance < 0.1


def test_shuffled_columns_keep_their_own_marginals_and_lose_those_of_pairs():
    frame = labels(1000)
    found = measured(frame, alc.swap_columns(frame, 1.0, seed=3))
    assert found.column_distance == 0
    assert {(one, other): d for one, other, d in found.pairs}["a", "b"] > 0.4
    assert found.column_frame()["column"].tolist()[-1] == "c"


def test_missing_values_are_a_value_and_new_values_count():
    original = pd.DataFrame({"a": ["x", "y", None, "x"] * 30, "b": ["u", "v"] * 60})
    release = original.assign(a=["x", "y", "new", "x"] * 30)
    assert measured(original, release).columns["a"] == pytest.approx(0.25)
    assert measured(original, original).columns["a"] == 0


def test_numbers_are_cut_by_the_original_and_what_lies_outside_or_is_missing_has_its_own_place():
    original = pd.DataFrame({"n": np.arange(100.0) + 0.5, "b": ["u", "v"] * 50})
    release = original.copy()
    release["n"] = [*(np.arange(70) + 0.5), *[1000.0] * 10, *[-5.0] * 10, *[np.nan] * 10]
    for binning in ("quantile", "equal width"):
        found = measured(original, release, bins=4, binning=binning)
        # The bins of 25 rows each are left with 25, 25, 20 and 0; 30 rows are in none of them.
        assert found.columns["n"] == pytest.approx(0.3)


def test_repeated_numbers_make_fewer_bins_and_none_is_split():
    original = pd.DataFrame(
        {"n": [0.0] * 900 + list(np.linspace(1, 50, 100)), "b": ["u", "v"] * 500}
    )
    coded = code_tables(
        table_from_frame(original, name="o"), [table_from_frame(original, name="r")], bins=20
    )
    assert len(set(coded.original["n"][:900])) == 1
    assert len(set(coded.original["n"])) < 5
    assert measured(original, original).columns["n"] == 0


def test_a_frequent_number_is_compared_by_itself():
    rng = np.random.default_rng(0)
    amounts = rng.integers(1, 90_000, 1000)
    mostly, rarely = (np.where(np.arange(1000) < share, 0, amounts) for share in (920, 270))
    utility = measured(pd.DataFrame({"gain": mostly}), pd.DataFrame({"gain": rarely}))
    assert utility.column_distance == pytest.approx(0.65, abs=0.05)


def test_generalized_labels_count_as_a_value_that_they_cover_and_any_value_as_missing():
    rng = np.random.default_rng(0)
    original = pd.DataFrame({
        "age": rng.integers(18, 80, 5000), "job": rng.choice(["nurse", "judge"], 5000), "b": 1,
    })  # fmt: skip
    release = original.assign(
        age=[f"{10 * (age // 10)}-{10 * (age // 10) + 9}" for age in original["age"]], job="*"
    )
    found = measured(original, release)
    assert found.columns["age"] < 0.05
    assert found.columns["job"] == 1
    assert found.notes == ("Generalized labels count as a random value they cover: 'age'.",)
    assert measured(original, release).columns == found.columns
    assert measured(original, release, seed=1).columns["age"] != found.columns["age"]


def test_values_that_the_original_never_has_are_told():
    original = pd.DataFrame({"job": ["nurse", "judge"] * 150, "b": ["u", "v", None] * 100})
    found = measured(original, original.assign(job=["K1", "K2"] * 150))
    assert found.columns["job"] == 1
    assert found.notes == (
        "100% of the values of 'job' are new. If renamed, usefulness is higher.",
    )


def test_texts_among_the_originals_numbers_are_values():
    pay = [str(number) for number in range(100)] + ["N"] * 50
    kinds = {"pay": "continuous"}
    original = table_from_frame(pd.DataFrame({"pay": pay}), name="original").with_kinds(kinds)
    release = table_from_frame(
        pd.DataFrame({"pay": [*pay[:100], *["N"] * 20, "Z"]}), name="release"
    )
    found = code_tables(original, [release])
    assert found.strange["pay"] == pytest.approx(1 / 121)
    place = found.original["pay"][-1]
    assert (found.original["pay"] == place).sum() == 50
    assert (found.released[0]["pay"] == place).sum() == 20


def test_a_release_that_lacks_columns_is_measured_on_what_it_has():
    frame = labels(300)
    found = measured(frame, frame[["a", "c"]], targets=["a", "b"])
    assert found.apart == 0, "what is lacking is not in two tables"
    assert (found.lacking, found.unpaired, set(found.columns)) == (("b",), 2, {"a", "c"})
    assert [target.target for target in found.targets] == ["a"]
    assert (found.targets[0].columns, found.targets[0].original_columns) == (1, 2)
    assert any("not in the release): 'b'" in note for note in found.notes)
    assert any("'b' is not predicted: not in the release" in note for note in found.notes)


def test_of_several_tables_each_column_and_pair_comes_from_the_widest():
    frame = labels(300)
    narrow = pd.DataFrame({"c": ["x"] * 50, "a": ["a0"] * 50})
    found = measured(frame, [narrow, frame[["a", "b"]], frame[["b", "c", "a"]]])
    assert found.column_distance == 0
    assert found.unpaired == 0
    apart = measured(frame, [frame[["a", "b"]], frame[["c"]]])
    assert [pair[:2] for pair in apart.pairs] == [("a", "b")]
    assert apart.unpaired == apart.apart == 2
    assert any("from the widest table" in note for note in apart.notes)


def test_a_model_learns_from_a_good_release_and_nothing_from_a_shuffled_one():
    frame = labels(1500)
    fresh = labels(1500, seed=9)
    (good,) = measured(frame, fresh, targets=["b"]).targets
    assert (good.release_accuracy, good.original_accuracy) == (1.0, 1.0)
    assert good.majority_accuracy < 0.65
    assert (good.train_rows, good.test_rows) == (600, 300)
    found = measured(frame, alc.swap_columns(fresh, 1.0, seed=2), targets=["b"])
    assert abs(found.accuracy - 0.5) < 0.12
    assert found.accuracy_ratio == pytest.approx(found.accuracy)
    assert found.original_accuracy == good.original_accuracy


def test_the_column_that_was_shuffled_loses_most_and_the_changed_one_comes_first():
    frame = labels(1500).assign(d=lambda f: f["a"], e=lambda f: f["a"])
    fresh = labels(1500, seed=9).assign(d=lambda f: f["a"], e=lambda f: f["a"])
    release = fresh.assign(d=np.random.default_rng(0).permutation(fresh["d"]))
    release["c"] = np.where(np.arange(1500) % 2, release["c"], "x")
    found = measured(frame, release, targets=["a", "b", "d"])
    worst = found.worst_targets[0]
    assert worst.target == "d"
    assert worst.loss == worst.original_accuracy - worst.release_accuracy > 0.6
    assert [each.loss for each in found.worst_targets[1:]] == pytest.approx([0, 0], abs=0.05)
    assert found.column_frame("distance")["column"].tolist()[0] == "c"
    assert found.column_frame()["column"].tolist()[0] == "d"
    assert found.worst_pairs[0][2] == max(each for *_, each in found.pairs)


def test_both_models_have_as_many_rows_and_renamed_labels_are_never_right():
    frame = labels(900)
    small = labels(100, seed=5).replace({"b0": "renamed 0", "b1": "renamed 1"})
    found = measured(frame, small, targets=["b"])
    assert found.targets[0].train_rows == 100
    assert found.accuracy == 0
    assert any("'b' are new" in note for note in found.notes)


def test_held_out_people_are_the_same_for_every_release():
    frame = labels(900)
    found = [measured(frame, labels(900, seed=seed), targets=["c"]) for seed in (1, 2)]
    assert found[0].majority_accuracy == found[1].majority_accuracy
    assert found[0].original_accuracy == found[1].original_accuracy


def test_a_release_of_the_test_peoples_own_records_is_found_out():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"n": rng.normal(size=900), "m": rng.normal(size=900),
                          "t": rng.choice(["p", "q"], 900)})  # fmt: skip
    found = measured(pd.concat([frame]), frame, targets=["t"])
    assert found.accuracy > found.original_accuracy
    assert any("may contain the test people" in note for note in found.notes)
    fresh = frame.assign(n=rng.normal(size=900), m=rng.normal(size=900))
    fresh = fresh.sample(frac=1, random_state=1)  # In another order, too
    (learned,) = found.targets
    strangers = [file_facts(alc.table_from_frame(frame), alc.table_from_frame(fresh))]
    assert own_record_notes([learned], strangers) == [], "better, but not by their records"


def test_targets_are_categorical_columns_up_to_a_limit_that_is_told(monkeypatch):
    frame = labels(300).assign(n=np.linspace(0, 1, 300))
    assert [t.target for t in measure_utility(frame, frame).targets] == ["a", "b", "c"]
    among = measure_utility(frame, frame, among=["n", "c"])
    assert [t.target for t in among.targets] == ["c"]
    monkeypatch.setattr(measuring, "MOST_TARGETS", 2)
    found = measure_utility(frame, frame)
    assert [t.target for t in found.targets] == ["a", "b"]
    assert any("without 'c'" in note for note in found.notes)


def test_too_few_rows_and_wrong_columns_are_said():
    frame = labels(30)
    found = measured(frame, frame, targets=["a"])
    assert not found.targets
    assert found.accuracy is None
    assert any("too few values" in note for note in found.notes)
    with pytest.raises(ColumnError, match="Column 'z' is not in 'original'"):
        measured(frame, frame, targets=["z"])
    with pytest.raises(InputError, match="no column with 'original'"):
        measured(frame, pd.DataFrame({"z": ["1", "2"]}))
    with pytest.raises(InputError, match="has no rows"):
        measured(frame, frame.iloc[:0])
    with pytest.raises(ParameterError, match="bins must be a whole number of at least 2, not 1"):
        measured(frame, frame, bins=1)


def test_large_tables_are_sampled_and_it_is_said(monkeypatch):
    monkeypatch.setattr(measuring, "MAX_ROWS", 200)
    found = measured(labels(500), labels(100))
    assert [note for note in found.notes if "200 at random" in note]
    assert found.column_distance < 0.15


def test_results_repeat_hold_no_values_and_survive_json():
    frame = labels(500).assign(a=lambda f: "secret " + f["a"])
    options = {"targets": ["b"], "seed": 4, "name": "mine"}
    found = measured(frame, labels(400, seed=2), **options)
    text = json.dumps(to_plain(found))
    assert from_plain(json.loads(text), Utility) == found
    assert measured(frame, labels(400, seed=2), **options) == found
    assert "secret" not in text
    assert found.release == "mine"


def test_it_can_be_stopped_and_tells_how_far_it_is():
    stages = []
    measured(labels(300), labels(300), targets=["b"], progress=stages.append)
    assert {stage.stage for stage in stages} == {
        "Reading columns", "Comparing pairs of columns", "Training models",
    }  # fmt: skip
    assert all(stage.done <= stage.total for stage in stages)
    with pytest.raises(CancelledError):
        measured(labels(300), labels(300), cancel=lambda: True)


def test_processes_that_are_killed_are_replaced_and_change_no_number(monkeypatch):
    own, killed = psutil.Process(), []

    def kill(now):
        if now.stage == "Training models" and now.done and not killed:
            for each in own.children(recursive=True):
                if "resource_tracker" not in " ".join(each.cmdline()):
                    each.kill()
                    killed.append(each)

    monkeypatch.undo()  # the processes would not know of it
    frame, release, targets = labels(500), labels(500, seed=2), [*"abc"]
    with limit_threads(1):
        alone = measured(frame, release, targets=targets)
    with limit_threads(2):
        together = measured(frame, release, targets=targets, progress=kill)
    assert killed
    assert together == alone


def test_the_text_is_a_table_with_what_it_means():
    frame = labels(300)
    found = measured(frame, as_release(labels(300, seed=1)), targets=["b"], name="good")
    other = measured(frame, frame[["a"]], name="narrow")
    text = shown("utility", found, other)
    head, first, second = text.splitlines()[:3]
    assert head.split() == [
        "Release", "1-column", "TVD", "2-column", "TVD", "Relations", "kept", "Accuracy",
        "Trained", "on", "original", "Majority",
    ]  # fmt: skip
    assert first.startswith("good    ")
    assert f"{found.pair_distance:.4f}" in first
    assert second.split() == ["narrow", "0.0000", "-", "0%", "-", "-", "-"]
    assert "random forest of 100 trees" in text
    assert "(not in the release): 'b' and 'c'" in text
    assert "Releases differ in" in differing_sentence([found, other])
    assert not differing_sentence([found])


def related(n, seed):
    rng = np.random.default_rng(seed)
    age, x = rng.integers(20, 80, n), rng.normal(size=n)
    pay = (1000 + 40 * age + 500 * x).round()
    job = np.where(x + rng.normal(size=n) > 0, "cook", "clerk")
    return pd.DataFrame({"age": age, "pay": pay, "job": job, "town": rng.choice([*"abcd"], n)})


@pytest.mark.parametrize("share", [0.0, 0.1, 0.3, 0.5, 1.0])
def test_a_swapped_share_of_two_columns_loses_as_much_of_their_relation(share):
    frame = related(4000, 1)
    found = measured(frame, alc.swap_columns(frame, share, seed=2)).relations_kept
    assert found == pytest.approx((1 - share) ** 2, abs=0.05)


def test_strangers_keep_relations_and_columns_without_any_have_none_to_keep():
    frame = related(4000, 1)
    assert measured(frame, related(4000, 2)).relations_kept > 0.93
    assert measured(frame, alc.swap_columns(frame, 1.0, seed=3)).relations_kept < 0.02
    for seed in range(20):
        apart = alc.swap_columns(related(1000, seed), 1.0, seed=seed)
        assert measured(apart, apart).relations_kept is None
