import numpy as np
import pandas as pd
import pytest

from alc_core.errors import ColumnError, InputError
from alc_core.plain_values import from_plain
from alc_core.releases.answers import asked_tables
from alc_core.scenario.no_value import check_missing, settled, without_value
from alc_core.scenario.scenario import Scenario, Targets
from alc_core.scenario.targets import People, plan_targets, training_rows
from alc_core.tables.codes.encode import encode
from alc_core.tables.read import table_from_frame


def table(n=400, **columns):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "person": np.arange(n) // 2,
            "job": rng.choice(["clerk", "nurse", "smith"], n),
        }
    )
    frame.loc[:59, "job"] = "?"
    frame.loc[60:79, "job"] = None
    return table_from_frame(frame.assign(**columns), name="people.csv")


def planned(original, scenario, **options):
    data = encode(original, [], columns=scenario.columns)
    unknown = data.as_unknown(data.original, scenario.unknown, scenario.bins)
    lacking = data.lacks_value(scenario.unknown, scenario.markers)
    plan = plan_targets(
        People.of(original, scenario),
        scenario,
        unknown,
        folds=5,
        rng=np.random.default_rng(0),
        lacking=lacking,
        **options,
    )
    return plan, lacking


class TestSettled:
    def test_what_is_recognised_is_named(self):
        assert settled(Scenario(["age"], "job"), table()).selection.missing == {"job": ("?",)}

    def test_what_is_declared_stands_alone(self):
        targets = Targets(missing={"job": ["smith", " clerk", "smith"], "age": ["99"]})
        found = settled(Scenario(["age"], "job", targets=targets), table())
        assert found.selection.missing == {"job": ("clerk", "smith")}
        only_empty = Targets(missing={"job": []})
        found = settled(Scenario(["age"], "job", targets=only_empty), table())
        assert found.selection.missing == {"job": ()}
        assert settled(found, table()) == found

    def test_markers_that_a_worked_out_column_would_not_know_are_refused(self):
        name = "job in nurse|smith"
        original, _ = asked_tables(table(), (), [name])
        declared = Targets(missing={"job": ["?", "clerk"]})
        with pytest.raises(InputError, match=r"worked out from 'job'.*only '\?' would be excluded"):
            settled(Scenario(["age"], name, targets=declared), original)
        same = Scenario(["age"], name, targets=Targets(missing={"job": ["?"]}))
        assert settled(same, original).selection.missing == {name: ()}

    def test_where_everybody_has_a_value_nobody_is_left_out(self):
        original = table(job=["clerk", "nurse"] * 200)
        assert settled(Scenario(["age"], "job"), original).selection.missing is None
        everybody = Scenario(["age"], "job", targets=Targets(missing=None))
        assert settled(everybody, table()) is everybody

    def test_counts_and_words(self):
        found = without_value(table(), "job", {})
        assert (found.rows, found.share, found.counts) == (80, 0.2, {"?": 60})
        assert found.words == "'?' (60) and empty cells (20), 20% of the rows"
        assert without_value(table(), "job", None).rows == 0

    def test_a_text_among_numbers_is_counted_as_what_it_is(self):
        original = table(age=[*map(str, range(18, 90)), *["?"] * 328]).with_kinds(
            {"age": "continuous"}
        )
        found = without_value(original, "age", {})
        assert (found.rows, found.counts, found.absent) == (328, {"?": 328}, ())

    def test_declared_values_must_occur(self):
        check_missing(table(), {"job": ["?", "nurse"], "age": ["18.0"]})
        with pytest.raises(
            InputError,
            match=("'job' of 'people.csv' has no 'nurze' to treat as missing. Check its spelling"),
        ):
            check_missing(table(), {"job": ["?", "nurze"]})
        with pytest.raises(ColumnError, match="'jop' is not in 'people.csv'.*mean 'job'"):
            check_missing(table(), {"jop": ["?"]})


class TestPlan:
    def test_who_has_none_is_no_target_but_is_held_out_and_learned_from(self):
        scenario = settled(Scenario(["age"], "job", down_sample=False), table())
        plan, lacking = planned(table(), scenario)
        targets = np.concatenate(plan.targets)
        assert sorted(targets) == np.flatnonzero(~lacking).tolist()
        assert (plan.without_value, plan.population, plan.recall_scale) == (80, 400, 1.0)
        assert sum(map(len, plan.folds)) == 400
        rows = training_rows(plan, 0, at_most=1000, rng=np.random.default_rng(0))
        assert lacking[rows].sum() > 40

    def test_a_person_is_attacked_by_a_record_that_has_a_value(self):
        values = ["?", "clerk"] * 100 + ["?", "?"] * 50 + ["nurse", "smith"] * 50
        original = table(job=values)
        scenario = settled(Scenario(["age"], "job", person="person", down_sample=False), original)
        plan, lacking = planned(original, scenario)
        targets = np.concatenate(plan.targets)
        assert not lacking[targets].any()
        assert (len(targets), plan.without_value, plan.population) == (150, 50, 200)

    def test_down_sampling_looks_at_those_who_are_left(self):
        """Among all, '?' is most frequent; among those with a value it is 'clerk'."""
        original = table(job=["?"] * 250 + ["clerk"] * 120 + ["nurse"] * 30)
        plan, lacking = planned(original, settled(Scenario(["age"], "job"), original))
        assert plan.down_sampled_share == 120 / 150
        assert plan.n_targets == 90  # at most two thirds have the same value
        targets = np.concatenate(plan.targets)
        assert not lacking[targets].any()
        assert (original.frame["job"].to_numpy()[targets] == "nurse").sum() == 30

    def test_few_who_are_left_are_not_thinned_out_to_half(self):
        original = table(job=["?"] * 250 + ["clerk"] * 90 + ["nurse"] * 60)
        plan, _ = planned(original, settled(Scenario(["age"], "job"), original))
        assert (plan.down_sampled_share, plan.n_targets) == (None, 150)

    def test_down_sampling_keeps_as_many_as_a_measure_needs(self):
        original = table(1000, job=["?"] * 250 + ["clerk"] * 590 + ["nurse"] * 160)
        plan, _ = planned(original, settled(Scenario(["age"], "job"), original))
        assert (plan.down_sampled_share, plan.n_targets) == (590 / 750, 400)

    def test_recall_of_the_population_is_that_of_people_with_a_value(self):
        group = np.where(np.arange(400) < 200, "a", "b")
        original = table(group=group)
        targets = Targets(where={"group": ("a",)})
        scenario = settled(Scenario(["age"], "job", targets=targets), original)
        plan, _ = planned(original, scenario)
        assert plan.recall_scale == 120 / 320
        everybody = Targets(where={"group": ("a", "b")})
        plan, _ = planned(original, settled(Scenario(["age"], "job", targets=everybody), original))
        assert plan.recall_scale == 1.0

    def test_nobody_left(self):
        original = table(job=["?", None] * 200)
        with pytest.raises(InputError, match="Nobody has a value of 'job': all have an empty cell"):
            planned(original, settled(Scenario(["age"], "job"), original))
        original = table(group=["a"] * 80 + ["b"] * 320)
        targets = Targets(where={"group": ("a",)})
        with pytest.raises(InputError, match="Nobody selected has a value of 'job'"):
            planned(original, settled(Scenario(["age"], "job", targets=targets), original))

    def test_nothing_to_learn(self):
        original = table(job=["?", "clerk"] * 200)
        with pytest.raises(InputError, match="All people with a value of 'job' .* the same one"):
            planned(original, settled(Scenario(["age"], "job"), original))


class TestPlainValues:
    def test_there_and_back(self):
        for missing in ({}, {"job": ("?", "-9")}, {"job": ()}, None):
            scenario = Scenario(["age"], "job", targets=Targets(missing=missing))
            plain = scenario.to_dict()
            assert from_plain(plain, Scenario) == scenario

    def test_a_single_text_is_one_value(self):
        assert Targets(missing={"job": "unknown"}).missing == {"job": ("unknown",)}
