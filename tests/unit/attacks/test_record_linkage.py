"""Record linkage against a plain implementation, and where a distance over all columns fails."""

import functools
import math

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.assessment.prepare import ScenarioData, prepare_scenario
from alc_core.attacks import linkage_records, record_linkage
from alc_core.attacks.linkage_columns import WIDTHS, LinkedColumn
from alc_core.attacks.record_linkage import RecordLinkage, _Records
from alc_core.attacks.released_columns import ReleasedColumns
from alc_core.attacks.typical_rows import log_typicality
from alc_core.releases.registry import as_release
from alc_core.tables.value_sets import ANY
from benchmarks.people import made_up_people

KNOWN = ("age", "sex", "job", "income")


def predicted(original, release, scenario):
    """The codes' chances for every target, with the prepared scenario."""
    table = alc.table_from_frame(original, name="original")
    data = ScenarioData.of(table, as_release(release, table), scenario)
    prepared = prepare_scenario(data, scenario, folds=10, seed=0)
    predict = RecordLinkage().prepare(prepared.view, np.random.default_rng(0))
    return prepared, predict(prepared.targets.known)


def voted(original, release, scenario):
    """The codes' shares of the votes for every target, before what is usual for anyone."""
    prepared, _ = predicted(original, release, scenario)
    (rows,) = ReleasedColumns.groups(prepared.view.tables)
    unknown, known = prepared.view.unknown, prepared.targets.known
    records = _Records.of(rows, unknown.size, np.random.default_rng(0))
    return prepared, records.votes(known, records.learned(known), unknown).shares


@functools.cache
def near(told, own, other):
    """What a record's number says of people near it, by the definition, in steps of ranks."""
    ranks = np.linspace(0, 1, 2_001)[1:] - 1 / 4_000
    told = np.array(told)
    values = np.sort(told)[np.minimum((ranks * len(told)).astype(int), len(told) - 1)]
    found = []
    for width in WIDTHS:
        away = (ranks[:, None] - ranks[values == own][None]) / width
        moved = np.exp(-(away**2) / 2).mean(axis=1)  # normal; its factor cancels out below
        found.append(moved[values == other].sum() / moved.sum() / (told == other).mean())
    return np.mean(found)


def plain_share(release, person, value):
    """The share of the votes for a value, by the definition, one record after the other."""
    votes = {}
    for record in release.to_dict("records"):
        total = 1.0
        for column in KNOWN:
            number = column in ("age", "income")
            own, told = person[column], release.loc[release[column] != "*", column]
            if number:  # of so few rows the nearest value counts
                own = min(told, key=lambda other: (abs(other - own), other))
            if record[column] == "*":  # suppressed, says nothing
                continue
            says = 0.3
            if number:
                says += 0.2 * near(tuple(told.astype(float)), own, record[column])
            if record[column] == own:
                says += (0.5 if number else 0.7) / (told == own).mean()
            total *= says
        votes[record["condition"]] = votes.get(record["condition"], 0.0) + total
    return votes.get(value, 0.0) / sum(votes.values())


@pytest.mark.parametrize("suppressed", [[], ["job", "income"]])
def test_votes_are_those_of_the_definition(suppressed, monkeypatch):
    monkeypatch.setattr(record_linkage, "log_typicality", lambda columns, _: 0 * columns[0][0])
    people, others = made_up_people(45, seed=1), made_up_people(50, seed=2)
    release = pd.concat([people.head(20), others], ignore_index=True)  # too few to learn from
    for place, column in enumerate(suppressed):
        release[column] = release[column].astype(object).mask(release.index % 3 == place, "*")
    columns = [*KNOWN, "condition"]
    scenario = alc.Scenario(KNOWN, "condition", targets="all")
    prepared, found = voted(people[columns], release[columns], scenario)
    labels = prepared.view.unknown.labels
    for row in (0, 19, 32):
        expected = [plain_share(release, people.iloc[row], label) for label in labels]
        assert found[row, : len(labels)] == pytest.approx(expected, abs=2e-3)
    assert found.sum(axis=1) == pytest.approx(1)


def test_votes_and_what_is_usual_are_weighed_by_bayes_rule():
    """Too few rows for trees: the values' shares are what is usual for anyone."""
    people = made_up_people(90, seed=1)[["sex", "job", "condition"]]
    release = alc.swap_columns(people, 0.3, seed=1)
    scenario = alc.Scenario(["sex", "job"], "condition", targets="all")
    prepared, votes = voted(people, release, scenario)
    found = predicted(people, release, scenario)[1].probabilities
    labels = prepared.view.unknown.labels
    usual = np.array([(release["condition"] == each).mean() for each in labels])
    # The chance m that a person's value was moved is all that is open, the same for all values
    votes, found = votes[:, : len(labels)], found[:, : len(labels)]
    moved = ((votes - found) * (votes - usual)).sum(axis=1) / ((votes - usual) ** 2).sum(axis=1)
    assert (moved.min(), moved.max()) == pytest.approx((0.5, 0.5), abs=0.45)
    expected = votes + moved[:, None] * (usual - votes)
    np.testing.assert_allclose(found, expected, atol=0.02)  # trees know no value of one row


def predictions(keep, share):
    """Who is told rightly, by votes alone and with what is usual, of the surest 300 people."""
    people, others = made_up_people(3_000, seed=2), made_up_people(6_000, seed=9)[3_000:]
    release = pd.concat([people.head(keep), others.iloc[: 3_000 - keep]], ignore_index=True)
    release = alc.swap_columns(release, share, seed=1).sample(frac=1, random_state=1)
    scenario = alc.Scenario([c for c in people if c != "condition"], "condition", targets="all")
    prepared, found = predicted(people, release, scenario)
    _, votes = voted(people, release, scenario)
    truth, told = prepared.targets.unknown, votes.argmax(axis=1)
    surest, alone = np.argsort(-found.scores)[:300], np.argsort(-votes.max(axis=1))[:300]
    return (
        np.mean(told[alone] == truth[alone]), np.mean(found.values[surest] == truth[surest])
    )  # fmt: skip


def test_what_is_usual_helps_where_values_moved_and_does_not_hide_copies():
    alone, both = predictions(3_000, 0.5)
    assert both > alone + 0.05
    alone, both = predictions(300, 0.0)  # A tenth of the rows is verbatim, all others strangers'
    assert min(alone, both) > 0.95


def test_typical_rows_are_as_common_as_they_are():
    rng = np.random.default_rng(0)
    one, other = rng.integers(0, 5, 4_000), rng.integers(0, 7, 4_000)
    assert np.abs(log_typicality([[one], [other]], rng)).max() < 0.3
    found = log_typicality([[one], [one + 1], [other]], rng)
    assert found == pytest.approx(np.full(4_000, math.log(0.9 * 5 + 0.1)), abs=0.15)


def test_labels_count_by_what_they_cover():
    people = pd.DataFrame({"age": np.arange(20, 60), "job": ["a", "b"] * 20})
    release = pd.DataFrame({"age": ["20-29", "20-59"] * 20, "job": ["a", "b"] * 20})
    scenario = alc.Scenario(["age"], "job", targets="all")
    shares = voted(people, release, scenario)[1]
    assert shares[:10, 0] == pytest.approx(shares[0, 0])
    # A wide label covers everybody and says nothing; a narrow one says more of whom it covers
    assert shares[0, 0] > 0.55
    assert (shares[10:, 1] > 0.7).all()


def test_numbers_that_moved_a_little_find_their_people():
    people = made_up_people(1_500, seed=3)[["age", "hours", "income", "job", "condition"]]
    rng = np.random.default_rng(0)
    release = people.copy()
    for column in ("age", "hours", "income"):
        release[column] += rng.normal(0, 0.05 * people[column].std(), len(people))
    scenario = alc.Scenario(["age", "hours", "income", "job"], "condition", targets="all")
    prepared, found = predicted(people, release.sample(frac=1, random_state=0), scenario)
    surest = np.argsort(-found.scores)[:500]
    assert np.mean((found.values == prepared.targets.unknown)[surest]) > 0.9


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
    records = _Records.of(rows, prepared.view.unknown.size, np.random.default_rng(0))
    found = records.learned(prepared.targets.known)
    return {
        column.name: 1 - shares[0]
        for column, shares in zip(records.columns, found.weights, strict=True)
    }


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
    (rows,) = ReleasedColumns.groups(prepared.view.tables)
    records = _Records.of(rows, prepared.view.unknown.size, np.random.default_rng(0))
    known = prepared.targets.known
    found = records.votes(known, records.learned(known), prepared.view.unknown).shares.argmax(
        axis=1
    )
    assert np.array_equal(found[20:23], prepared.targets.unknown[20:23])


def test_of_few_people_nothing_is_learned():
    people = made_up_people(49, seed=3)
    assert {round(share, 9) for share in learned(people, people).values()} == {0.3, 0.5}


def test_missing_values_and_columns_that_are_absent_say_nothing():
    people = made_up_people(300, seed=5)
    people.loc[:40, ["age", "job"]] = None
    release = people.drop(columns="children").sample(frac=1, random_state=0)
    scenario = alc.Scenario([c for c in people if c != "condition"], "condition", targets="all")
    prepared, found = predicted(people, release, scenario)
    assert np.isfinite(found.scores).all()
    assert np.mean(found.values == prepared.targets.unknown) > 0.98


def test_an_empty_cell_beside_labels_for_several_values_says_nothing():
    people = pd.DataFrame({"town": ["Ulm", "Bonn", "Jena", "Jena"] * 5, "job": ["a", "b"] * 10})
    people["sex"] = ["m", "f"] * 10
    towns = ["north", "Jena", None, "*"] * 5
    release = alc.table_from_frame(people.assign(town=towns), name="r").with_value_sets(
        "town", {"north": {"Ulm", "Bonn"}, "*": ANY}
    )
    table = alc.table_from_frame(people, name="original")
    scenario = alc.Scenario(["town", "sex"], "job", targets="all")
    data = ScenarioData.of(table, as_release(release, table), scenario)
    (rows,) = ReleasedColumns.groups(prepare_scenario(data, scenario).view.tables)
    places = LinkedColumn.of(rows, "town").places
    assert places[2] == places[3] > max(places[0], places[1])


@pytest.mark.parametrize("codes_of_a_place", [4, 1])
def test_alike_people_and_records_are_weighed_once_with_the_same_result(
    codes_of_a_place, monkeypatch
):
    """Few known columns, many, and one that everybody has alone: as each pair by itself.

    Also where every column of many values is read by its places, and its codes besides.
    """
    monkeypatch.setattr(linkage_records, "_MANY", codes_of_a_place)
    people = made_up_people(150, seed=3)
    people = pd.concat([people, people.head(50)], ignore_index=True).assign(
        number=np.arange(200) % 195
    )
    release = alc.swap_columns(people, 0.2, seed=1)
    many = pd.DataFrame(np.random.default_rng(1).random((200, 160))).add_prefix("x")
    everything = people.join(many), release.join(alc.swap_columns(many, 0.8, seed=2))
    for known in (
        ["age"], ["age", "district", "number"], [c for c in people if c != "condition"], [*many],
    ):  # fmt: skip
        people, release = everything
        scenario = alc.Scenario(known, "condition", targets="all")
        data = ScenarioData.of(
            alc.table_from_frame(people, name="original"), as_release(release), scenario
        )
        prepared = prepare_scenario(data, scenario, folds=10, seed=0)
        (rows,) = ReleasedColumns.groups(prepared.view.tables)
        unknown = prepared.view.unknown
        records = _Records.of(rows, unknown.size, np.random.default_rng(0))
        assert (len(records.known.fine.columns) > 0) is (codes_of_a_place == 1)
        targets = prepared.targets.known
        weights = records.learned(targets)
        found = records.votes(targets, weights, unknown).shares
        logs = np.tile(records.known.weights, (len(targets), 1))
        for column, shares in zip(records.columns, weights.weights, strict=True):
            own = column.people(targets)
            equal = np.log(shares @ own.equal)
            apart = np.log(np.tensordot(shares, own.parts, axes=1))[own.rows][:, column.places]
            agrees = (own.codes[:, None] == column.codes) & (own.codes[:, None] >= 0)
            logs += np.where(agrees, equal[:, None], apart)
        votes = np.exp(logs - logs.max(axis=1, keepdims=True))
        votes /= votes.sum(axis=1, keepdims=True)
        expected = votes @ np.eye(unknown.size)[records.unknown]
        np.testing.assert_allclose(found, expected, atol=1e-12)


def test_shares_are_learned_alike_by_codes_and_by_places_with_codes_besides(monkeypatch):
    people = made_up_people(300, seed=3).assign(number=lambda frame: np.arange(len(frame)) % 280)
    release = alc.swap_columns(people, 0.2, seed=1)
    known = ["age", "district", "sex", "number"]
    learned = []
    for codes_of_a_place in (4, 1):
        monkeypatch.setattr(linkage_records, "_MANY", codes_of_a_place)
        original = alc.table_from_frame(people, name="original")
        scenario = alc.Scenario(known, "condition", targets="all")
        data = ScenarioData.of(original, as_release(release), scenario)
        prepared = prepare_scenario(data, scenario, folds=10, seed=0)
        (rows,) = ReleasedColumns.groups(prepared.view.tables)
        records = _Records.of(rows, prepared.view.unknown.size, np.random.default_rng(0))
        found = records.learned(prepared.targets.known)
        by_name = zip((column.name for column in records.columns), found.weights, strict=True)
        learned.append((len(records.known.fine.columns), found.chance, sorted(by_name)))
    (none, chance, shares), (two, as_likely, as_shared) = learned
    assert (none, two) == (0, 2)
    assert as_likely == pytest.approx(chance)
    for (name, one), (same, other) in zip(shares, as_shared, strict=True):
        assert name == same
        np.testing.assert_allclose(one, other, atol=1e-9)
