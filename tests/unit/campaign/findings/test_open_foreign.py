import contextlib
import json
import math
import os
import resource
import sqlite3
import zlib
from contextlib import closing

import msgspec
import pytest

import alc_core as alc
from alc_core.campaign.columns import ResultRow
from alc_core.campaign.file.annotations import MeasuredLater, keep_measured
from alc_core.campaign.file.database import saved_campaign
from alc_core.campaign.file.file_errors import CampaignFileError
from alc_core.campaign.file.seals import damage_words, seal_all
from alc_core.campaign.findings.decisions import Choice, decide, decisions
from alc_core.campaign.findings.open_foreign import open_foreign
from alc_core.campaign.findings.view import CampaignView
from alc_core.measures.measure import Measured
from alc_core.measures.registry import measures
from tests.toys.campaigns import run_quickly


@pytest.fixture(scope="module")
def saved(people, tmp_path_factory):
    """The bytes of a campaign of one attack, with a decision."""
    frame = people(900)
    path = tmp_path_factory.mktemp("checked") / "campaign.alc"
    with run_quickly(
        frame, {"copy": frame.copy()}, path, loop=alc.LoopParameters(folds=2, resamples=200)
    ) as store:
        decide(
            store, 0, Choice.REDUCE, note="drop the column", standing="serious", alc=0.9,
            scoring=store.settings.scoring,
        )  # fmt: skip
        name, measure = next(iter(measures().items()))
        least = Measured(value=0.0, low=0.0, high=0.0)
        numbers = {each.name: least for each in measure.numbers}
        keep_measured(store, MeasuredLater(number=0, measure=name, numbers=numbers))
    return saved_campaign(path)


def test_a_saved_campaign_opens_with_its_decisions(saved, tmp_path):
    with open_foreign(saved, tmp_path / "mine.alc", name="theirs.alc") as store:
        assert store.counts().finished == 1
        assert decisions(store)[0].note == "drop the column"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "'theirs.csv' is empty"),
        (b"age,city\n1,2\n", "'theirs.csv' is not a review file.*Data page"),
        (b"PK\x03\x04zip", "'theirs.csv' is not a review file"),
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


def changed(saved: bytes, statement: str, path, *values, sealed: bool = False) -> bytes:
    path.write_bytes(saved)
    connection = sqlite3.connect(path)
    connection.execute(statement, values)
    if sealed:
        seal_all(connection)
    connection.commit()
    connection.close()
    return path.read_bytes()


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("PRAGMA user_version = 999", "'theirs.alc' .*(newer|format)"),
        ("PRAGMA application_id = 1", "'theirs.alc'"),
        ("DROP TABLE failure", "'theirs.alc' "),
    ],
)
def test_what_is_wrong_inside_is_told(saved, statement, words, tmp_path):
    data = changed(saved, statement, tmp_path / "made.alc")
    with pytest.raises(CampaignFileError, match=words):
        open_foreign(data, tmp_path / "mine.alc", name="theirs.alc")


@pytest.mark.parametrize(
    ("statement", "left_out"),
    [
        ("UPDATE result SET row = x'00' WHERE sequence = 1", "the result of attack"),
        ("UPDATE annotation SET content = '{}' WHERE kind = 'decision'", "decision '"),
        ("UPDATE result SET record = x'00' WHERE number = 0", "the result of attack 0"),
        ("UPDATE attack SET plan = '{}' WHERE number = 0", "the plan of attack 0"),
        ("UPDATE result SET seconds = seconds + 1", "the result of attack"),
        ("DELETE FROM annotation", "decision '"),
        ("DELETE FROM seal WHERE kind = 'result'", "the number of its records"),
        ("UPDATE seal SET checksum = 1 WHERE kind = 'whole'", "the number of its records"),
    ],
)
def test_what_is_damaged_is_left_out_and_named(saved, statement, left_out, tmp_path):
    data = changed(saved, statement, tmp_path / "made.alc")
    with open_foreign(data, tmp_path / "mine.alc", name="theirs.alc") as store:
        assert any(left_out in each.words for each in store.damage)
        assert "cannot be read" in damage_words(store.damage)
        view = CampaignView(store)
        frame = view.frame(store.settings.scoring)
        assert (frame["status"] == "finished").sum() == store.counts().finished
        with pytest.raises(CampaignFileError, match="is damaged"):
            store.annotate("decision", "0", None)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE result SET row = x'00'",
        "UPDATE result SET record = x'00'",
        "UPDATE result SET row = x'90'",
        "UPDATE annotation SET content = '{}'",
        "UPDATE annotation SET content = replace(hex(zeroblob(50000)), '00', '[')",
        "UPDATE result SET seconds = -1",
        "UPDATE meta SET value = '{}' WHERE key = 'settings'",
        "UPDATE meta SET value = replace(value, '\"alpha\":3', '\"alpha\":-3')",
        "UPDATE attack SET plan = replace(plan, 'best row', 'best raw')",
        "UPDATE attack SET plan = CAST(plan AS BLOB)",
        "INSERT INTO failure VALUES (0, '\"No.\"', 1.0)",
        "UPDATE annotation SET key = '99' WHERE kind = 'decision'",
        "UPDATE annotation SET kind = 'added later', key = 'x', content = 'true' "
        "WHERE kind = 'decision'",
        "UPDATE annotation SET kind = 'skipped', key = '99', content = 'true' "
        "WHERE kind = 'decision'",
        "UPDATE annotation SET kind = 'another', content = '[' WHERE kind = 'decision'",
        r"""UPDATE annotation SET kind = 'another', content = '{"label":"\ud800"}'
        WHERE kind = 'decision'""",
        f"UPDATE annotation SET kind = 'another', content = '{10**400}' WHERE kind = 'decision'",
        "UPDATE meta SET value = replace(value, 'categorical', 'odd') WHERE key = 'settings'",
        r"""UPDATE attack SET plan = replace(plan, '"reason":"', '"reason":"\ud800')""",
    ],
)
def test_what_no_campaign_holds_is_refused_though_it_is_sealed(saved, statement, tmp_path):
    data = changed(saved, statement, tmp_path / "made.alc", sealed=True)
    with pytest.raises(CampaignFileError, match="'theirs.alc'") as caught:
        open_foreign(data, tmp_path / "mine.alc", name="theirs.alc")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "change",
    [
        lambda row: {"attempts": 2**62},
        lambda row: {"attempts": row.attempts + 1},
        lambda row: {"recall_scale": 2 * row.recall_scale},
        lambda row: {"recall_scale": math.nan},
        lambda row: {"people": 0},
        lambda row: {"complete": not row.complete},
        lambda row: {"unmatched": True},
        lambda row: {"unconverged": True},
        lambda row: {"own": row.own[::-1]},
        lambda row: {"own": (5.0, 6.0)},
        lambda row: {"among_rest": (-math.inf, 0.5)},
        lambda row: {"exposed": (row.exposed[0] - 1, row.exposed[1])},
        lambda row: {"attack": (row.attack[0], b"")},
        lambda row: {"baseline": row.attack},
        lambda row: {"known": -1},
        lambda row: {"known_right": row.known + 1},
        lambda row: {"scale": 2 * row.scale},
        lambda row: {"gain": bytes(8)},
        lambda row: {"gain": bytes(len(row.gain))},
        lambda row: {"measured": {"rapid": {"rapid": [0.5, 0.4, 0.6]}}},
        lambda row: {"shared": (b"\0\0", *row.shared[1:])},
        lambda row: {"shared": (bytes(8), bytes(8), bytes(4))},
        lambda row: {"shared": (b"", b"", b"")},
    ],
)
def test_a_row_that_does_not_follow_from_its_result_is_refused(saved, change, tmp_path):
    (tmp_path / "read.alc").write_bytes(saved)
    with closing(sqlite3.connect(tmp_path / "read.alc")) as connection:
        ((packed,),) = connection.execute("SELECT row FROM result WHERE number = 0")
    row = msgspec.msgpack.decode(packed, type=ResultRow)
    packed = msgspec.msgpack.encode(msgspec.structs.replace(row, **change(row)))
    statement = "UPDATE result SET row = ? WHERE number = 0"
    data = changed(saved, statement, tmp_path / "made.alc", packed, sealed=True)
    with pytest.raises(CampaignFileError, match="'theirs.alc'") as caught:
        open_foreign(data, tmp_path / "mine.alc", name="theirs.alc")
    assert "\n" not in str(caught.value)


ENDLESS = "WITH RECURSIVE each (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM each)"
BRACKETS = b"[" + b"[]," * 20_000_000 + b"[]]"


def twice_as_many_thresholds(outcomes):
    outcomes["baseline"]["thresholds"] *= 2
    return outcomes


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("abstentions", -1), ("population", 2**62), ("people", 1), ("without_value", -3),
        ("models", {"x": -5}), ("candidates", 0), ("down_sampled_share", math.inf),
        ("outcomes", twice_as_many_thresholds),
    ],
)  # fmt: skip
def test_a_result_that_no_run_has_is_refused(saved, name, value, tmp_path):
    (tmp_path / "read.alc").write_bytes(saved)
    with closing(sqlite3.connect(tmp_path / "read.alc")) as connection:
        ((content,),) = connection.execute("SELECT record FROM result WHERE number = 0")
    written = json.loads(zlib.decompress(content))
    written[name] = value(written[name]) if callable(value) else value
    packed = zlib.compress(json.dumps(written).encode())
    statement = "UPDATE result SET record = ? WHERE number = 0"
    data = changed(saved, statement, tmp_path / "made.alc", packed, sealed=True)
    with pytest.raises(CampaignFileError, match="the result of attack 0 cannot be read"):
        open_foreign(data, tmp_path / "mine.alc", name="theirs.alc")


@pytest.mark.parametrize(
    ("statement", "values"),
    [
        (f"CREATE VIEW other AS {ENDLESS} SELECT count(*) FROM each", ()),
        ("ALTER TABLE failure ADD big TEXT GENERATED ALWAYS AS (hex(zeroblob(400000000)))", ()),
        ("ALTER TABLE failure ADD big TEXT DEFAULT (hex(zeroblob(400000000)))", ()),
        ("UPDATE result SET record = ?", [zlib.compress(BRACKETS, 1)]),
        ("UPDATE result SET record = ?", [zlib.compress(bytes(2**28), 1)]),
        ("UPDATE meta SET value = ? WHERE key = 'notes'", ["[" * 100_000]),
        ("UPDATE annotation SET content = ?", [f'"{"x" * 2**24}"']),
    ],
    ids=["view", "column", "default", "brackets", "zeros", "deep", "long"],
)  # fmt: skip
def test_what_would_take_the_server_takes_a_process_of_its_own(saved, statement, values, tmp_path):
    data = changed(saved, statement, tmp_path / "made.alc", *values, sealed=True)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(CampaignFileError, match="'theirs.alc'") as caught:
        open_foreign(data, tmp_path / "mine.alc", name="theirs.alc")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < before + 100_000
    assert "\n" not in str(caught.value)
    with contextlib.suppress(ChildProcessError):
        assert os.waitpid(-1, os.WNOHANG) == (0, 0), "a process was left behind"
