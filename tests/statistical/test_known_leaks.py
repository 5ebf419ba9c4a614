"""A slice of the score card of the known leaks: leaks found, twins not, people counted."""

import pytest

import alc_core as alc
from alc_core.assessment.run import assess_attacks
from alc_core.baselines.families import NaiveBayes
from alc_core.scoring.verdict import FLAGGED
from benchmarks.leaks import leak_cases
from benchmarks.people import made_up_people

SIZE = 1200
LEAKS = {"verbatim": (0.5, 0.1), "columns": (0.5,), "overfit": (10,), "swapped": (0.1,)}
ATTACKS = ("best row match", "record linkage")


@pytest.fixture(scope="module")
def judged():
    """Every case, with the results of both attacks on it."""
    table = made_up_people(4 * SIZE + 2000, seed=11)
    found = []
    for case in leak_cases(table, unknowns=["condition"], size=SIZE, seed=11, leaks=LEAKS):
        scenario = alc.Scenario(case.known, case.unknown)
        given, released = (
            alc.table_from_frame(each, name=name)
            for each, name in ((case.original, "people"), (case.release, "release"))
        )
        asked = alc.check_tables(given, [released], known=case.known, unknown=case.unknown)
        results = assess_attacks(
            given, released, scenario, ATTACKS, families=(NaiveBayes(),), seed=1,
            accept=[finding.code for finding in asked if finding.blocking],
        )  # fmt: skip
        found.append((case, results))
    return found


def test_leaks_are_flagged_and_twins_are_not(judged):
    for case, results in judged:
        flagged = any(result.verdict in FLAGGED or result.exposes_many for result in results)
        assert flagged != case.harmless, (case.leak, case.level)


def test_people_exposed_are_as_many_as_in_truth(judged):
    covered = []
    for case, results in judged:
        low, high = max(results, key=lambda result: result.exposed).exposed_interval
        covered.append(max(low, 0) <= case.truth.exposed <= max(high, 0))
    # Of ten, each right for 95%, fewer than eight are a rare accident.
    assert sum(covered) >= 8


def test_an_attack_by_the_columns_that_were_left_finds_what_a_distance_does_not(judged):
    ((case, results),) = [each for each in judged if each[0].leak == "columns" and
                          not each[0].harmless]  # fmt: skip
    nearest, linked = (result.exposed for result in results)
    assert linked > 0.9 * case.truth.exposed
    assert linked > nearest
