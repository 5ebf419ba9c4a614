from __future__ import annotations

import sqlite3

import pytest

import alc_core as alc
from alc_core.baselines.families import NaiveBayes
from alc_core.campaign.file.database import saved_campaign
from alc_core.campaign.file.file_errors import CampaignFileError
from alc_core.campaign.findings.decisions import Choice, decide, decisions
from alc_core.campaign.findings.open_foreign import open_foreign


@pytest.fixture(scope="module")
def saved(people, tmp_path_factory):
    """The bytes of a campaign of one attack, with a decision."""
    frame = people(900)
    plan = alc.plan_campaign(
        frame, {"copy": frame.copy()}, unknown=["job"], known_sets=0, named=[["age", "hours"]],
        all_others=False, targets=alc.Targets(count=600),
    )  # fmt: skip
    path = tmp_path_factory.mktemp("checked") / "campaign.alc"
    with alc.run_campaign(
        frame, {"copy": frame.copy()}, path, plan=plan, families=(NaiveBayes(),), jobs=1,
        loop=alc.LoopParameters(folds=2, resamples=200),
    ) as store:  # fmt: skip
        decide(
            store, 0, Choice.REDUCE, note="drop the column", standing="serious", alc=0.9,
            scoring=store.settings.scoring,
        )  # fmt: skip
    return saved_campaign(path)


def test_a_saved_campaign_opens_with_its_decisions(saved, tmp_path):
    with open_foreign(saved, tmp_path / "mine.alc", name="theirs.alc") as store:
        assert store.counts().finished == 1
        assert decisions(store)[0].note == "drop the column"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "'theirs.csv' is empty"),
        (b"age,city\n1,2\n", "'theirs.csv' is not a campaign file.*Data page"),
        (b"PK\x03\x04zip", "'theirs.csv' is not a campaign file"),
    ],
)
def test_other_files_are_refused_in_plain_words(data, words, tmp_path):
    path = tmp_path / "mine.alc"
    with pytest.raises(CampaignFileError, match=words):
        open_foreign(data, path, name="theirs.csv")
    assert not path.exists()


@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
def test_a_truncated_file_is_told_by_its_own_name(saved, share, tmp_path):
    with pytest.raises(CampaignFileError, match=r"'theirs\.alc' is incomplete") as caught:
        open_foreign(saved[: int(len(saved) * share)], tmp_path / "mine.alc", name="theirs.alc")
    assert str(tmp_path) not in str(caught.value)


def changed(saved: bytes, statement: str, path) -> bytes:
    path.write_bytes(saved)
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()
    return path.read_bytes()


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("PRAGMA user_version = 999", "'theirs.alc' .*(newer|format)"),
        ("PRAGMA application_id = 1", "'theirs.alc' is not a campaign"),
        ("UPDATE curve SET attack_predictions = x'00'", "'theirs.alc' is damaged"),
        ("UPDATE annotation SET content = '{}'", "'theirs.alc' is damaged"),
        ("DROP TABLE failure", "'theirs.alc' "),
    ],
)
def test_what_is_wrong_inside_is_told(saved, statement, words, tmp_path):
    data = changed(saved, statement, tmp_path / "made.alc")
    with pytest.raises(CampaignFileError, match=words):
        open_foreign(data, tmp_path / "mine.alc", name="theirs.alc")
