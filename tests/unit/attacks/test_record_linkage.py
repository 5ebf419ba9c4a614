"""Record linkage against a plain implementation, and where a distance over all columns fails."""

import math

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.assessment.prepare import ScenarioData, prepare_scenario
from alc_core.attacks.record_linkage import RecordLinkage, _Records
from alc_core.attacks.released_columns import ReleasedColumns
from alc_core.releases.registry import as_release
from alc_core.releases.samples.people import made_up_people

KNOWN = ("age", "sex", "job", "income")


def predicted(original, release, scenario):
    """The codes' chances for every target, with the prepared scenario."""
    table = alc.table_from_frame(original, name="original")
    data = ScenarioData.of(table, as_release(release), scenario)
    prepared = prepare_scenario(data, scenario, folds=10, seed=0)
    predict = RecordLinkage().prepare(prepared.view, np.random.default_rng(0))
    return prepared, predict(prepared.targets.known)


def plain_share(release, person, value):
    """The share of the votes for a value, by the definition, one record after the other."""
    votes = {}
    for record in release.to_dict("records"):
        total = 0.0
        for column in KNOWN:
            own, told = person[column], release.loc[release[column] != "*", column]
            if column in ("age", "income"):  # of so few rows the nearest value counts
                own = min(told, key=lambda other: (abs(other - own), other))
            if record[column] == "*":  # suppressed, says nothing
                continue
            share = (told == own).mean()
            total += math.log((0.7 + 0.3 * share) / share if record[column] == own else 0.3)
        votes[record["condition"]] = votes.get(record["condition"], 0.0) + math.exp(total)
    return votes.get(value, 0.0) / sum(votes.values())


@pytest.mark.parametrize("suppressed", [[], ["job", "income"]])
def test_votes_are_those_of_the_definition(suppressed):
    people, others = made_up_people(45, seed=1), made_up_people(50, seed=2)
    release = pd.concat([people.head(20), others], ignore_index=True)  # too few to learn from
    for place, column in enumerate(suppressed):
        release[column] = release[column].astype(object).mask(release.index % 3 == place, "*")
    columns = [*KNOWN, "condition"]
    scenario = alc.Scenario(KNOWN, "condition", targets="all")
    prepared, found = predicted(people[columns], release[columns], scenario)
    labels = prepared.view.unknown.labels
    for row in range(0, 45, 7):
        person = people.iloc[row]
        for code, label in enumerate(labels):
            expected = plain_share(release, person, label)
            assert found.probabilities[row, code] == pytest.approx(expected, abs=1e-9)
    assert found.probabilities.sum(axis=1) == pytest.approx(1)


def replaced(people, strangers, kept):
    """Records that tell in the columns kept of the people, and are strangers in all others."""
    release = strangers.copy()
    release[[*kept, "condition"]] = people[[*kept, "condition"]]
    return release.sample(frac=1, random_state=0)


@pytest.mark.parametrize(
    ("kept", "least"),
    [(("age", "hours", "income", "district"), 0.95), (("age", "hours", "income"), 0.8)],
)
def test_it_finds_records_of_which_most_columns_are_a_stranger_s(kept, least):
    people, strangers = made_up_people(800, seed=3), made_up_people(800, seed=4)
    scenario = alc.Scenario([c for c in people if c != "condition"], "condition", targets="all")
    prepared, found = predicted(people, replaced(people, strangers, kept), scenario)
    assert np.mean(found.values == prepared.targets.unknown) > least
    nearest = alc.BestRowMatch().prepare(prepared.view, np.random.default_rng(0))
    by_distance = nearest(prepared.targets.known)
    assert np.mean(by_distance.values == prepared.targets.unknown) < 0.5


def learned(people, release):
    """What the attack learns of how often each known column was changed."""
    scenario = alc.Scenario([c for c in people if c != "condition"], "condition", targets="all")
    data = ScenarioData.of(
        alc.table_from_frame(people, name="original"), as_release(release), scenario
    )
    prepared = prepare_scenario(data, scenario, folds=10, seed=0)
    (rows,) = ReleasedColumns.groups(prepared.view.tables)
    records = _Records.of(rows, np.random.default_rng(0))
    found = records.learned(records.of_people(prepared.targets.known))
    return dict(zip(rows.known.specs, found, strict=True))


def test_it_learns_how_many_values_of_each_column_were_changed():
    people, strangers = made_up_people(800, seed=3), made_up_people(800, seed=4)
    kept = ("age", "hours", "income", "district")
    found = learned(people, replaced(people, strangers, kept))
    assert max(found[column] for column in kept) < 0.05
    assert min(value for column, value in found.items() if column not in kept) > 0.8
    swapped = learned(people, alc.swap_columns(people, 0.4, seed=1))
    assert list(swapped.values()) == pytest.approx([0.4] * len(swapped), abs=0.1)


def test_suppressed_cells_are_no_changes():
    people = made_up_people(500, seed=3)
    release = people.astype(object)
    hidden = np.random.default_rng(0).random(release.shape) < 0.3
    hidden[:, release.columns.get_loc("condition")] = False
    assert max(learned(people, release.mask(hidden, "*")).values()) < 0.1


def test_people_of_small_batches_are_learned_from_together():
    people = made_up_people(120, seed=3)
    release = alc.swap_columns(people, 0.6, seed=1)
    scenario = alc.Scenario([c for c in people if c != "condition"], "condition", targets="all")
    prepared, _ = predicted(people, release, scenario)
    by_batch, at_once = (
        RecordLinkage().prepare(prepared.view, np.random.default_rng(0)) for _ in range(2)
    )
    known = prepared.targets.known
    batches = [by_batch(known.take(np.arange(start, start + 30))) for start in (0, 30, 60)]
    expected = at_once(known.take(np.arange(60)))
    assert np.array_equal(batches[1].probabilities, expected.probabilities[30:])
    assert not np.allclose(batches[0].probabilities, expected.probabilities[:30])
    # From then on it is settled
    later = at_once(known.take(np.arange(60, 90)))
    assert np.array_equal(batches[2].probabilities, later.probabilities)


def test_texts_among_numbers_agree_with_each_other_and_with_no_empty_cell():
    frame = pd.DataFrame(
        {
            "income": [*map(str, range(20)), "N", "N", "M", None],
            "job": [*["clerk"] * 20, "nurse", "nurse", "smith", "cook"],
        }
    )
    table = alc.table_from_frame(frame, name="original").with_kinds({"income": "continuous"})
    scenario = alc.Scenario(["income"], "job", targets="all")
    prepared = prepare_scenario(ScenarioData.of(table, as_release(frame), scenario), scenario)
    found = RecordLinkage().prepare(prepared.view, np.random.default_rng(0))(prepared.targets.known)
    assert np.array_equal(found.values[20:23], prepared.targets.unknown[20:23])


def test_of_few_people_nothing_is_learned():
    people = made_up_people(49, seed=3)
    assert set(learned(people, people).values()) == {0.3}


def test_missing_values_and_columns_that_are_absent_say_nothing():
    people = made_up_people(300, seed=5)
    people.loc[:40, ["age", "job"]] = None
    release = people.drop(columns="children").sample(frac=1, random_state=0)
    scenario = alc.Scenario([c for c in people if c != "condition"], "condition", targets="all")
    prepared, found = predicted(people, release, scenario)
    assert np.isfinite(found.scores).all()
    assert np.mean(found.values == prepared.targets.unknown) > 0.98
