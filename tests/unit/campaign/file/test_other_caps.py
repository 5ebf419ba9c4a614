"""Counts among the rest in the file: for another most precision that counts, and in format 3."""

import sqlite3
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from alc_core.campaign.file.file_errors import CampaignFileError
from alc_core.campaign.file.schema import FORMAT_VERSION
from alc_core.campaign.file.store import CampaignStore
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.model import CampaignSettings, KnownSetKind, PlannedAttack
from alc_core.campaign.rescore.rescoring import rescore
from alc_core.scenario.scenario import Scenario
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.readings import READINGS
from alc_core.scoring.verdict import OUTCOMES
from tests.toys.judged import assessment_of
from tests.toys.paired import table_of
from tests.toys.plain_readings import simulated

RUN = ScoringParameters()
WIDER = ScoringParameters(max_interval_width=0.3, at_risk=0.3, serious=0.4)
READ = {"alc": "own", "alc_rest": "among_rest"}


def planned(number: int) -> PlannedAttack:
    return PlannedAttack(
        number=number, scenario=Scenario(("age",), f"c{number}"), release="v1",
        attack="best row match", kind=KnownSetKind.NAMED, reason="",
    )  # fmt: skip


@pytest.fixture(scope="module")
def results():
    """Attacks on people whom a guess knows more or less of."""
    found = {}
    for number, known in enumerate((0.0, 0.3, 0.7, 0.99)):
        weights = np.where(np.arange(400) % 5, 1.0, 1.0 + number)
        outcomes = simulated(400, seed=number, known=known, weights=weights)
        shared = {name: np.linspace(0, 0.5, 7, dtype=np.float32) for name in READINGS}
        found[number] = assessment_of(
            outcomes, scenario=planned(number).scenario, people=9000, shared=shared
        )
    return found


@pytest.fixture
def store(results, tmp_path):
    one = results[0]
    settings = CampaignSettings(
        seed=one.seed, scoring=RUN, loop=one.loop, original=one.original,
        releases={"v1": one.release}, kinds={}, versions=one.versions,
    )  # fmt: skip
    with CampaignStore.create(tmp_path / "c.alc", settings, [planned(n) for n in range(5)]) as made:
        made.add_results(results, seconds=dict.fromkeys(results, 1.0))
        yield made


def as_written_by_format_4(path) -> None:
    """Take from a file what format 4 did not have."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript("""
            DROP TABLE seal;
            INSERT INTO measure SELECT sequence, 'anonymity loss', 'unmatched', 1.0, NULL, NULL
                FROM result WHERE unmatched;
            INSERT INTO measure SELECT sequence, 'anonymity loss', 'not converged', 1.0, NULL, NULL
                FROM result WHERE unconverged;
            ALTER TABLE result DROP COLUMN unmatched;
            ALTER TABLE result DROP COLUMN unconverged;
            PRAGMA user_version = 4;
        """)


def as_written_by_format_3(path) -> None:
    """Take from a file what format 3 did not have."""
    as_written_by_format_4(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript("""
            DROP TABLE rest;
            CREATE TABLE old (sequence INTEGER PRIMARY KEY REFERENCES result (sequence),
                              alc BLOB NOT NULL, alc_equal_recall BLOB NOT NULL);
            INSERT INTO old SELECT sequence, alc, alc_rest FROM resample;
            DROP TABLE resample;
            ALTER TABLE old RENAME TO resample;
            UPDATE measure SET name = 'alc_equal_recall' WHERE name = 'alc_rest';
            DELETE FROM measure WHERE name = 'exposed';
            PRAGMA user_version = 3;
        """)


def version_of(path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("PRAGMA user_version").fetchone()[0]


def assert_as_one_by_one(found, results, scoring):
    """Every number that needs no resamples is that of the assessments."""
    assert found.numbers.tolist() == list(results)
    for row, result in enumerate(results.values()):
        single = result.rescore(**scoring.to_dict())
        for name, reading in READ.items():
            assert getattr(found, reading).alc[row] == single.loss_of(name)
        for side in ("attack", "baseline", "attack_rest", "baseline_rest"):
            point, one = getattr(found, side), getattr(single, side)
            for name in ("predictions", "true_predictions", "prc", "recall"):
                assert getattr(point, name)[row] == getattr(one, name)
        assert found.exposed[row] == pytest.approx(single.exposed)
        assert found.rest_share[row] == pytest.approx(single.rest_share)


@pytest.mark.parametrize("scoring", [RUN, WIDER, ScoringParameters(max_interval_width=0.02)])
def test_another_widest_interval_gives_what_each_attack_gives_alone(store, results, scoring):
    curves = store.curves(cap=scoring.precision_cap)
    assert curves.cap == scoring.precision_cap
    expected = table_of(results, cap=scoring.precision_cap)
    for name in ("gain", "known", "known_right"):
        assert np.array_equal(getattr(curves, name), getattr(expected, name))
    assert np.array_equal(curves.rest.predictions, expected.rest.predictions)
    assert np.array_equal(curves.rest.starts, expected.rest.starts)
    assert_as_one_by_one(rescore(curves, scoring, run_scoring=RUN), results, scoring)
    view = CampaignView(store)
    assert view.curves_for(scoring).cap == scoring.precision_cap
    assert_as_one_by_one(view.rescored(scoring), results, scoring)


def test_people_are_others_where_another_share_counts_as_known(store):
    known = [store.curves(cap=cap).known for cap in (0.99, 0.95, 0.85)]
    assert np.all(known[0] <= known[1])
    assert np.all(known[1] <= known[2])
    assert known[0].sum() < known[1].sum() < known[2].sum()


def test_attacks_that_came_since_the_last_refresh_disturb_no_other_widest_interval(store, results):
    view = CampaignView(store)
    one = replace(results[1], scenario=planned(4).scenario)
    store.add_results({4: one}, seconds={4: 1.0})
    assert view.rescored(RUN).numbers.tolist() == [0, 1, 2, 3]
    assert view.rescored(WIDER).numbers.tolist() == [0, 1, 2, 3]
    view.refresh()
    assert view.rescored(WIDER).numbers.tolist() == [0, 1, 2, 3, 4]


def test_a_file_of_format_4_says_of_the_same_attacks_that_they_prove_nothing(store, results):
    more = {
        4: replace(results[0], scenario=planned(4).scenario, unmatched=("age",)),
        5: replace(results[1], scenario=planned(5).scenario, converged=False),
    }
    store.extend([planned(5)])
    store.add_results(more, seconds=dict.fromkeys(more, 1.0))

    def read():
        with CampaignStore.open(store.path) as found:
            curves = found.curves()
            told = [found.assessment(number).to_json() for number in range(6)]
            verdicts = CampaignView(found).frame(RUN)["verdict"].tolist()
            return curves.unmatched.tolist(), curves.unconverged.tolist(), told, verdicts

    before = read()
    assert before[:2] == ([False] * 4 + [True, False], [False] * 5 + [True])
    store.close()
    as_written_by_format_4(store.path)
    assert read() == before
    with CampaignStore.open(store.path) as upgraded:
        upgraded.annotate("note", "a", "b")
    assert version_of(store.path) == FORMAT_VERSION
    assert read() == before


@pytest.fixture
def old(store):
    """The same file as format 3 would have it."""
    store.close()
    as_written_by_format_3(store.path)
    return store.path


@pytest.mark.parametrize("scoring", [RUN, WIDER])
def test_a_file_of_format_3_reads_as_counting_from_the_record_does(old, results, scoring):
    before = old.read_bytes()
    with CampaignStore.open(old) as store:
        curves = store.curves(cap=scoring.precision_cap)
        assert np.isnan(curves.own.low).all()
        assert np.isnan(curves.exposed.high).all()
        found = rescore(curves, scoring, run_scoring=RUN)
        assert_as_one_by_one(found, results, scoring)
        assert not found.exact.any()
        assert np.all((found.exposed_low <= found.exposed) & (found.exposed <= found.exposed_high))
        # The second reading of that time is another one: its resamples do not count.
        assert store.resamples() == {}
        for number, result in results.items():
            assert store.assessment(number).to_json() == result.to_json()
        frame = CampaignView(store).frame(scoring).set_index("number")
        assert [frame.loc[n, "alc_rest"] for n in results] == found.among_rest.alc.tolist()
    assert old.read_bytes() == before
    assert version_of(old) == 3


def test_the_first_write_upgrades_it_and_what_comes_is_exact(old, results):
    with CampaignStore.open(old) as reader, CampaignStore.open(old) as writer:
        before = rescore(reader.curves(), RUN, run_scoring=RUN)
        one = replace(results[2], scenario=planned(4).scenario)
        writer.add_results({4: one}, seconds={4: 1.0})
        assert version_of(old) == FORMAT_VERSION
        assert list(writer.resamples()) == [4]
        for store in (reader, writer):
            after = rescore(store.curves(), RUN, run_scoring=RUN)
            assert after.numbers.tolist() == [0, 1, 2, 3, 4]
            assert after.exact.tolist() == [False] * 4 + [True]
            for name in READ.values():
                for number in ("alc", "low", "high"):
                    now, then = (getattr(getattr(each, name), number) for each in (after, before))
                    assert np.array_equal(now[:4], then)
            assert np.array_equal(after.exposed[:4], before.exposed)
            assert (after.exposed_low[4], after.exposed_high[4]) == one.exposed_interval
            assert OUTCOMES[after.outcome[4]] == one.verdict
    with closing(sqlite3.connect(old)) as connection:
        names = [row[1] for row in connection.execute("PRAGMA table_info(resample)")]
        assert names == ["sequence", "alc", "alc_rest"]
        assert connection.execute("SELECT sequence FROM rest").fetchall() == [(5,)]
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_damaged_counts_among_the_rest_are_told(store):
    with closing(sqlite3.connect(store.path)) as connection, connection:
        connection.execute("UPDATE rest SET gain = zeroblob(length(gain)) WHERE sequence = 2")
    with pytest.raises(CampaignFileError, match="c.alc' is damaged: the curves of attack 1"):
        store.curves()
    # Counted from the record they are whole.
    assert len(store.curves(cap=0.9)) == 4
