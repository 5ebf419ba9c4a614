"""A file of format 1, written by the code as it stood then: see tests/data/README.md."""

import dataclasses
import json
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.baselines.families import NaiveBayes
from alc_core.campaign.file.annotations import PRESETS, accepted_codes
from alc_core.campaign.file.schema import FORMAT_VERSION
from alc_core.campaign.findings.decisions import Choice, decisions, with_decisions
from alc_core.errors import InputError
from alc_core.explain.context import attack_contexts
from alc_core.report.options import Details, kept_details
from alc_core.studies.utility.result import stored_utilities

DATA = Path(__file__).parents[3] / "data"
WRITTEN = DATA / "campaign_format_1.alc"


@pytest.fixture
def path(tmp_path):
    return Path(shutil.copy(WRITTEN, tmp_path / "review.alc"))


@pytest.fixture
def written():
    return WRITTEN.read_bytes()


def test_all_that_a_review_added_is_there(path):
    with alc.CampaignStore.open(path) as store:
        assert accepted_codes(store) == ("recoded-labels", "sorted-rows", "unknown-labels")
        made = decisions(store)
        assert [(n, d.choice, d.note, d.standing) for n, d in made.items()] == [
            (0, Choice.REDUCE, "Drop “hours”.", "undecided"),
            (1, Choice.ACCEPTED, "", "no loss"),
            (2, None, "Ask Ümit.", "serious"),
            (3, Choice.REDUCE, "No.", "safe"),
        ]
        assert made[0].alc == 0.7350527353627642
        assert all(d.scoring == store.settings.scoring for d in made.values())
        health, tax = PRESETS.read(store).values()
        assert (health.name, health.rationale) == ("Health data", "Public release.")
        assert health.scoring == alc.ScoringParameters(alpha=2.5, at_risk=0.4)
        assert tax.scoring == alc.ScoringParameters(loss="absolute")
        assert kept_details(store) == Details(
            assessor="Ümit", purpose="Open data", date="2026-01-31", description="Swapped.",
            assumptions="Neighbours.",
        )  # fmt: skip
        utilities = stored_utilities(store)
        assert list(utilities) == ["weak", "strong"]
        assert utilities["strong"].lacking == ("hours", "home")
        contexts = attack_contexts(store)
        assert [context.has_marks for context in contexts.values()] == [True, False]
        assert contexts[0].familiar.people == 600
        assert contexts[0].original.targets == 400


def test_results_are_the_counts_that_were_recorded_read_as_today(path):
    """What was counted stays; what follows from it is today's: choice, cap and both readings."""
    with alc.CampaignStore.open(path) as store:
        assert list(store.failures()) == [5]
        assert store.failures()[5].startswith("'campaign_format_1_strong.csv': No release with")
        view = alc.CampaignView(store)
        run = store.settings.scoring
        for name, scoring in (("", run), ("_alpha_1_5", dataclasses.replace(run, alpha=1.5))):
            recorded = pd.read_csv(DATA / f"campaign_format_1_findings{name}.csv")
            frame = with_decisions(view.frame(scoring), decisions(store))
            recorded["decision"] = recorded["decision"].replace(
                {"accepted": "accepted risk", "mitigate": "to be reduced", "block": "to be reduced"}
            )
            found = frame.set_index("number").loc[recorded["number"]].reset_index()
            for column in ("status", "release", "known", "unknown", "decision", "decision_note"):
                assert found[column].fillna("").tolist() == recorded[column].fillna("").tolist()
            for column in ("attempts", "seconds", "alpha", "r_min", "at_risk"):
                np.testing.assert_allclose(
                    found[column].to_numpy(float, na_value=np.nan), recorded[column], rtol=1e-12
                )
            for number in store.curves().numbers.tolist():
                single = store.assessment(number).rescore(**scoring.to_dict())
                row = found.set_index("number").loc[number]
                assert row["alc"] == single.alc
                assert row["alc_rest"] == single.alc_rest
        recorded = json.loads((DATA / "campaign_format_1_attack_0.json").read_text())
        found = json.loads(store.assessment(0).to_json())
        recorded["halting"].pop("explanation")  # words may become plainer
        found["halting"].pop("explanation")
        for table in (found["original"], *found["release"]):
            assert table.pop("same_columns") == {}, "nothing was said of columns"
            assert table.pop("date_readings") == {}
        (note,) = found["notes"]
        assert [note["text"]] == recorded["notes"]
        assert (note["code"], note["table"]) == ("copied-rows", "campaign_format_1_weak.csv")
        judged = {"notes", "alc", "alc_interval", "verdict", "undecided_between", "parameters"}
        judged |= {"attack", "baseline", "baseline_at_attack_recall"}
        kept = recorded.keys() - judged
        assert len(kept) > 10
        assert {key: found[key] for key in kept} == {key: recorded[key] for key in kept}
        assert found["parameters"] | recorded["parameters"] == found["parameters"]


def test_intervals_of_its_results_are_approximate_under_any_scoring(path):
    with alc.CampaignStore.open(path) as store:
        curves = store.curves()
        for reading in (curves.own, curves.among_rest):
            assert np.isnan(reading.low).all()
            assert np.isnan(reading.high).all()
        view = alc.CampaignView(store)
        run = store.settings.scoring
        for scoring in (run, dataclasses.replace(run, alpha=1.5)):
            rescored = view.rescored(scoring)
            assert not rescored.exact.any()
            for each in (rescored.own, rescored.among_rest):
                assert np.isfinite(each.low).all()
                assert ((each.low < each.alc) & (each.alc < each.high)).all()
            frame = view.frame(scoring)
            assert frame["interval_exact"].dropna().unique().tolist() == [False]
            assert not view.overview(scoring).interval_exact
        # A single result draws its resamples again, so that its own interval is exact.
        single = store.assessment(0)
        assert single.alc_interval[0] < single.alc < single.alc_interval[1]


def test_it_goes_on_with_the_same_data_and_nothing_old_changes(path):
    original, weak, strong = (
        alc.read_table(DATA / f"campaign_format_1_{name}.csv")
        for name in ("people", "weak", "strong")
    )

    def identities():
        with closing(sqlite3.connect(path)) as connection:
            return dict(connection.execute("SELECT number, identity FROM attack"))

    before = identities()
    with alc.CampaignStore.open(path) as store:
        curves = store.curves()
        results = {number: store.assessment(number) for number in curves.numbers.tolist()}
        loop = store.settings.loop
    releases = {"weak": weak, "strong": strong}
    plan = alc.plan_campaign(
        original, releases, unknown=["city"], named=[["age", "hours"], ["age"]], known_sets=0,
        all_others=False, targets=alc.Targets(count=400), household="home", seed=5,
    )  # fmt: skip
    with alc.run_campaign(
        original, releases, path, plan=plan, families=(NaiveBayes(),), loop=loop, jobs=1,
        accept=["unknown-labels"],
    ) as store:  # fmt: skip
        counts = store.counts()
        assert (counts.planned, counts.finished, counts.failed) == (9, 8, 1)
        for number, result in results.items():
            assert store.assessment(number).to_json() == result.to_json()
        new = store.curves()
        assert new.numbers.tolist()[: len(curves)] == curves.numbers.tolist()
        assert np.array_equal(new.attempts[: len(curves)], curves.attempts)
        added = [False] * len(curves) + [True] * 2
        for name in ("own", "among_rest"):
            assert np.isfinite(getattr(new, name).low).tolist() == added
        rescored = alc.CampaignView(store).rescored(store.settings.scoring)
        assert rescored.exact.tolist() == added
        for number in new.numbers.tolist()[len(curves) :]:
            single, row = store.assessment(number), rescored.numbers.tolist().index(number)
            assert (rescored.own.low[row], rescored.own.high[row]) == single.alc_interval
            found = (rescored.among_rest.low[row], rescored.among_rest.high[row])
            assert found == single.alc_rest_interval
        points = len(curves.attack.predictions)
        assert np.array_equal(new.attack.predictions[:points], curves.attack.predictions)
        assert len(decisions(store)) == 4
    after = identities()
    assert len(after) == 9
    assert {number: after[number] for number in before} == before


def version_of(path):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("PRAGMA user_version").fetchone()[0]


def all_of(store):
    """Everything that can be read from a campaign's file, for comparison."""
    curves = store.curves()
    numbers = curves.numbers.tolist()
    return (
        [store.assessment(number).to_json() for number in numbers],
        curves.attempts.tolist(),
        np.isfinite(curves.own.low).tolist(),
        curves.attack.predictions.tolist(),
        curves.rest.true_predictions.tolist(),
        curves.gain.tolist(),
        store.measured(),
        store.failures(),
        store.seconds(),
        [store.annotations(kind) for kind in ("run", "decision", "preset", "report", "utility")],
        attack_contexts(store).keys(),
    )


def test_reading_leaves_it_as_it_is(path):
    before = path.read_bytes()
    with alc.CampaignStore.open(path) as store:
        all_of(store)
    assert path.read_bytes() == before
    assert version_of(path) == 1


def test_it_is_read_where_nothing_can_be_written(written, without_privileges):
    place = without_privileges / "review.alc"
    place.write_bytes(written)
    with alc.CampaignStore.open(place) as store:
        expected = all_of(store)
    place.chmod(0o400)
    without_privileges.chmod(0o500)
    with alc.CampaignStore.open(place) as store:
        assert all_of(store) == expected
        with pytest.raises(InputError, match="cannot be written"):
            PRESETS.remove(store, "Tax")
        assert all_of(store) == expected


def test_the_first_write_upgrades_it_and_disturbs_no_reader(path):
    with alc.CampaignStore.open(path) as reader, alc.CampaignStore.open(path) as writer:
        expected = all_of(reader)
        PRESETS.remove(writer, "no such preset")
        assert version_of(path) == FORMAT_VERSION
        assert all_of(reader) == expected
        assert all_of(writer) == expected
        PRESETS.remove(reader, "Tax")
        assert list(PRESETS.read(writer)) == ["Health data"]
    with closing(sqlite3.connect(path)) as connection:
        columns = [row[1] for row in connection.execute("PRAGMA table_info(result)")]
        assert not {"alc", "low", "high"} & set(columns)
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


OTHER_PROCESS = """
import sys
import alc_core as alc
with alc.CampaignStore.open(sys.argv[1]) as store:
    for line in sys.stdin:
        print(len(store.curves()), store.assessment(0).alc_interval, flush=True)
"""


def test_a_reader_in_another_process_goes_on_while_it_is_upgraded(path):
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", OTHER_PROCESS, path]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as reader:

        def ask():
            reader.stdin.write("\n")
            reader.stdin.flush()
            return reader.stdout.readline()

        before = ask()
        assert before.startswith("6 (")
        with alc.CampaignStore.open(path) as store:
            PRESETS.remove(store, "Tax")
        assert ask() == before
        reader.stdin.close()
        assert reader.wait(30) == 0


def test_a_write_that_fails_upgrades_nothing(path):
    with alc.CampaignStore.open(path) as store:
        expected = all_of(store)
        with pytest.raises(ZeroDivisionError), store._writing():
            raise ZeroDivisionError
        assert version_of(path) == 1
        assert all_of(store) == expected
        PRESETS.remove(store, "no such preset")
        assert all_of(store) == expected
    assert version_of(path) == FORMAT_VERSION


def test_a_file_of_before_annotations_is_read_and_gets_its_place_with_the_first(path):
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE annotation")
        connection.commit()
    with alc.CampaignStore.open(path) as store:
        assert store.annotations("preset") == {}
        assert store.assessment(0).attempts == 400
        store.annotate("preset", "b", {"alpha": 2})
        store.annotate("preset", "a", [1, 2])
        store.annotate("utility", "a", 0.5)
        assert store.annotations("preset") == {"a": [1, 2], "b": {"alpha": 2}}
        store.annotate("preset", "a", None)
        assert list(store.annotations("preset")) == ["b"]
