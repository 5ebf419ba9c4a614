"""Large tables are looked at by other processes, and found to be the same."""

from concurrent.futures import BrokenExecutor

import pytest

import alc_core as alc
from alc_core.campaign.file.annotations import kept_facts
from alc_core.campaign.plan.planner import plan_campaign
from alc_core.campaign.run import check
from alc_core.campaign.run.check import TablesCheck, all_findings, checked
from alc_core.errors import PreflightError
from alc_core.releases.registry import as_releases, release_facts
from alc_core.runtime.machine import limit_threads
from alc_core.tables.checks import checker
from alc_core.tables.checks.own import OWN_TOGETHER
from tests.toys.campaigns import run_quickly
from tests.unit.tables.test_own_together import ORIGINAL, apart


@pytest.fixture(scope="module")
def tables(people):
    original = alc.table_from_frame(people(400), name="people")
    mixed = alc.swap_columns(people(400), 0.5, seed=1)
    return original, as_releases({"copy": people(400), "mixed": mixed})


def found(tables):
    original, releases = tables
    looked = TablesCheck(original, releases)
    findings = looked.tables(person=None, household=None)
    return findings, [looked.facts(release.name) for release in releases]


def test_what_other_processes_see_is_what_is_seen_here(tables, monkeypatch):
    here = found(tables)
    monkeypatch.setattr(check, "LARGE", 0)
    with limit_threads(1):
        assert found(tables) == here
    with limit_threads(2):
        with monkeypatch.context() as elsewhere:
            for place, name in ((check, "release_facts"), (checker, "check_copies")):
                elsewhere.setattr(place, name, lambda *_: pytest.fail("it was looked at here"))
            assert found(tables) == here
        monkeypatch.setattr(check, "in_processes", _broken)
        assert found(tables) == here
    assert here[1] == [release_facts(tables[0], release) for release in tables[1]]


def _broken(*_, **__):
    raise BrokenExecutor


OWN = ("age", "district", "hours", "job")


def asked(releases, **settings):
    """Return what is asked of a plan about columns of people's own, and the plan's findings."""
    tables = {name: alc.table_from_frame(frame, name=name) for name, frame in releases.items()}
    plan = plan_campaign(ORIGINAL, tables, unknown=["job", "condition"], **settings)
    found = TablesCheck(ORIGINAL, as_releases(tables)).attacks(plan.attacks)
    own = [each for each in all_findings(found) if each.code == OWN_TOGETHER]
    return [each for each in own if each.blocking], own, (plan.attacks, found)


def test_a_plan_without_the_attack_is_stopped_and_says_what_to_add():
    questions, _, found = asked({"own": apart(*OWN)})
    (question,) = set(questions)
    assert {*question.offers[0].value.split(",")} == {*OWN}
    with pytest.raises(PreflightError, match="single out"):
        checked(*found, accept=(), tell=None)
    assert checked(*found, accept=["own-together"], tell=None).notes


def test_the_attack_answers_for_all_of_its_release_and_no_other():
    releases = {"own": apart(*OWN), "other": apart("born", "income")}
    questions, own, _ = asked(releases, named=[OWN])
    assert {each.table for each in questions} <= {"other"}
    assert {each.table for each in own if not each.blocking} == {"own"}


def test_columns_that_no_attack_is_about_ask_nothing():
    questions, own, _ = asked({"own": apart("born", "income")})
    assert not questions
    assert not own


def test_a_run_looks_for_nothing_that_a_page_found(tables, tmp_path, monkeypatch):
    original, releases = tables
    plan = plan_campaign(
        original, releases, unknown=["job"], named=[["age", "hours"]], known_sets=0,
        all_others=False, targets=alc.Targets(count=200),
    )  # fmt: skip
    looked = TablesCheck(original, releases)
    told = all_findings(looked.attacks(plan.attacks))
    facts = [looked.facts(release.name) for release in releases]
    for name in ("findings_of", "release_facts"):
        monkeypatch.setattr(check, name, lambda *_, **__: pytest.fail("it was looked for again"))
    heard = []
    with run_quickly(
        original, releases, tmp_path / "a.alc", targets=200, check=looked, tell=heard.append
    ) as store:
        assert store.counts().finished == len(plan)
        assert list(kept_facts(store).values()) == facts
    assert heard == [told]
