import dataclasses
import json
import math
import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import zlib

import msgspec
import numpy as np
import pytest
from msgspec import structs

import alc_core as alc
from alc_core.baselines.families import NaiveBayes
from alc_core.campaign.columns import Columns, ResultRow
from alc_core.campaign.file import database
from alc_core.campaign.file.examine import examine
from alc_core.campaign.file.file_errors import CampaignFileError
from alc_core.campaign.file.seals import Damage, seal_all
from alc_core.campaign.file.store import CampaignCounts, CampaignStore
from alc_core.campaign.model import CampaignSettings, KnownSetKind, PlannedAttack
from alc_core.errors import CampaignMismatchError, InputError
from alc_core.measures.full_recall import NO_RECALL
from alc_core.measures.measure import Measured
from alc_core.measures.registry import measured_sentence
from alc_core.note import as_notes
from tests.toys.campaigns import run_quickly
from tests.toys.paired import table_of

LOOP = alc.LoopParameters(resamples=100, min_targets=600, folds=3)
SCENARIO = alc.Scenario(["age", "city", "hours"], "job")
CHEAP = (NaiveBayes(),)


@pytest.fixture(scope="module")
def base(people):
    release = alc.swap_columns(people(), 0.2, seed=1)
    return alc.assess(people(), release, SCENARIO, loop=LOOP, seed=3, families=CHEAP)


@pytest.fixture(scope="module")
def settings(base):
    return CampaignSettings(
        seed=base.seed,
        scoring=base.scoring,
        loop=base.loop,
        original=base.original,
        releases={"v1": base.release},
        kinds={"age": "categorical", "city": "categorical", "hours": "continuous"},
        versions=base.versions,
    )


@pytest.fixture
def path(tmp_path):
    return tmp_path / "review.alc"


@pytest.fixture
def store(path, settings):
    with CampaignStore.create(path, settings, planned(6), notes=["One", "Ünd two"]) as store:
        yield store


def planned(count, *, first=0):
    return [attack_on(SCENARIO, number, bins=2 + number) for number in range(first, first + count)]


def attack_on(scenario, number, **changes):
    return PlannedAttack(
        number=number,
        scenario=dataclasses.replace(scenario, **changes),
        release="v1",
        attack="best row match",
        kind=KnownSetKind.NAMED,
        reason="The user named them.",
    )


def result_of(base, attack):
    """A result with curves of its own."""
    keep = len(base.outcomes.attack) - attack.number % 5
    joint = base.outcomes.joint.copy()
    joint[:, 0] = np.minimum(joint[:, 0], keep - 1)
    curve = base.outcomes.attack
    shorter = dataclasses.replace(
        curve,
        thresholds=np.append(curve.thresholds[: keep - 1], curve.thresholds[-1]),
        predictions=np.append(curve.predictions[: keep - 1], curve.predictions[-1]),
        true_predictions=np.append(curve.true_predictions[: keep - 1], curve.true_predictions[-1]),
    )
    outcomes = dataclasses.replace(base.outcomes, attack=shorter, joint=joint)
    return structs.replace(base, scenario=attack.scenario, outcomes=outcomes)


def fill(store, base, numbers):
    attacks = store.attacks
    results = {number: result_of(base, attacks[number]) for number in numbers}
    for number in numbers:
        store.add_results({number: results[number]}, seconds={number: number / 2})
    return results


def assert_same_curves(one, other):
    assert one.numbers.tolist() == other.numbers.tolist()
    assert one.cap == other.cap
    for name in ("attempts", "recall_scale", "gain", "known", "known_right", "scale"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name
        assert getattr(one, name).dtype == getattr(other, name).dtype, name
    for reading in ("own", "among_rest", "exposed"):
        for name in ("low", "high"):
            mine, theirs = (getattr(getattr(table, reading), name) for table in (one, other))
            assert np.array_equal(mine, theirs), (reading, name)
            assert mine.dtype == theirs.dtype == "float64"
    for side in ("attack", "baseline", "rest"):
        for name in ("predictions", "true_predictions", "starts"):
            mine, theirs = (getattr(getattr(table, side), name) for table in (one, other))
            assert np.array_equal(mine, theirs), (side, name)
            assert mine.dtype == theirs.dtype == ("int64" if name == "starts" else "int32")
            assert mine.flags.writeable
            assert mine.flags.c_contiguous


def all_text(path):
    """Every byte that lies in the campaign's files, what is compressed also unpacked."""
    found = b"".join(file.read_bytes() for file in path.parent.iterdir())
    connection = sqlite3.connect(path)
    for (content,) in connection.execute("SELECT record FROM result"):
        found += zlib.decompress(content)
    connection.close()
    return found


def test_what_was_put_in_comes_out(path, store, settings):
    store.close()
    with CampaignStore.open(str(path)) as again:
        assert again.settings == settings
        assert again.attacks == tuple(planned(6))
        assert again.notes == ("One", "Ünd two")
        assert again.created == store.created
        assert again.created.endswith("+00:00")
        assert again.counts() == CampaignCounts(planned=6, finished=0, failed=0)
        assert again.missing() == again.attacks
        assert again.path == path


def test_results_come_back_as_they_were(path, store, base):
    results = fill(store, base, [3, 0, 5])
    store.close()
    with CampaignStore.open(path) as again:
        for number, result in results.items():
            back = again.assessment(number)
            assert back == result
            assert back.to_dict() == result.to_dict()
            assert back.to_json() == result.to_json()
            assert back.rescore(alpha=1.0).to_json() == result.rescore(alpha=1.0).to_json()
        assert again.seconds() == {0: 0.0, 3: 1.5, 5: 2.5}
        assert [attack.number for attack in again.missing()] == [1, 2, 4]


MEASURED = {
    "gain": {"shares": Measured(0.25, 0.1, 0.4), "guesses": Measured(float("nan"))},
    "area": {"roc": Measured(0.7, None, None)},
}


def test_numbers_of_other_measures_come_back_in_their_order(path, store, base):
    plain, measured = result_of(base, planned(1)[0]), result_of(base, planned(2)[1])
    plain = structs.replace(plain, measured={})
    measured = structs.replace(measured, measured=MEASURED)
    store.add_results({0: plain}, seconds={0: 1})
    last = store.columns().last
    assert store.columns().measured == ({},)
    store.add_results({1: measured}, seconds={1: 1})
    store.close()
    with CampaignStore.open(path) as again:
        assert repr(again.columns().measured) == repr(({}, MEASURED))
        assert repr(again.columns(after=last).measured) == repr((MEASURED,))
        assert again.columns(after=again.columns().last).measured == ()
        assert again.assessment(0) == plain
        assert again.assessment(1).to_json() == measured.to_json()
        assert_same_curves(again.columns(), table_of({0: plain, 1: measured}))


def test_what_follows_from_a_record_is_not_in_it(path, store, base):
    fill(store, base, [0])
    ((content,),) = store._select("SELECT record FROM result")
    record = json.loads(zlib.decompress(content))
    derived = {"alc", "alc_interval", "alc_rest", "alc_rest_interval", "decisive", "verdict"}
    assert not derived & record.keys()


def test_stored_interval_is_kept_and_not_drawn_anew(store, base):
    fill(store, base, [0])
    assert "_bootstrap" not in store.assessment(0).__dict__
    back = store.assessment(0)
    again = result_of(base, planned(1)[0])
    assert back.alc_interval == again.alc_interval
    assert back.alc_rest_interval == again.alc_rest_interval
    assert (back.decisive, back.verdict) == (again.decisive, again.verdict)
    assert "_bootstrap" not in back.__dict__


def test_a_result_without_a_run_is_refused(store):
    with pytest.raises(InputError, match="Attack 2 has no result in '.*review.alc'. Run it first"):
        store.assessment(2)


def test_results_are_idempotent_and_never_change(store, base):
    fill(store, base, [1, 2])
    before = store.columns()
    again = structs.replace(result_of(base, planned(6)[1]), notes=as_notes(["another"]))
    store.add_results({1: again}, seconds={1: 99})
    assert store.assessment(1).notes == base.notes
    assert store.seconds()[1] == 0.5
    assert_same_curves(store.columns(), before)
    assert len(store.columns(after=before.last)) == 0


def test_failure_then_success_and_not_the_other_way_round(store, base):
    store.add_failure(1, "Too few rows.", seconds=1)
    store.add_failure(1, "Too few “rows” of 'v\udce9.csv'.", seconds=2)
    store.add_failure(4, "Memory.", seconds=3)
    assert store.failures() == {1: "Too few “rows” of 'v\udce9.csv'.", 4: "Memory."}
    assert store.counts() == CampaignCounts(planned=6, finished=0, failed=2)
    assert store.seconds() == {1: 2.0, 4: 3.0}
    assert [attack.number for attack in store.missing()] == [0, 2, 3, 5]
    assert len(store.missing(retry_failed=True)) == 6
    fill(store, base, [1])
    assert store.failures() == {4: "Memory."}
    store.add_failure(1, "Late.", seconds=1)
    assert store.failures() == {4: "Memory."}
    assert store.counts() == CampaignCounts(planned=6, finished=1, failed=1)
    assert len(store.missing(retry_failed=True)) == 5


def test_batch_is_all_or_nothing(store, base):
    results = {a.number: result_of(base, a) for a in store.attacks}
    with pytest.raises(KeyError):
        store.add_results(results, seconds={0: 1.0})
    assert store.counts().finished == 0
    store.add_results(results, seconds=dict.fromkeys(results, 1.0))
    assert store.counts().finished == 6
    assert_same_curves(store.columns(), table_of(results))


def test_results_of_something_else_are_refused(store, base, settings):
    first, second = store.attacks[:2]
    with pytest.raises(CampaignMismatchError, match="result for attack 0 is of another scenario"):
        store.add_results({0: result_of(base, second)}, seconds={0: 1})
    with pytest.raises(CampaignMismatchError, match=f"attack 'x' instead of '{base.attack_name}'"):
        store.add_results(
            {0: structs.replace(result_of(base, first), attack_name="x")}, seconds={0: 1}
        )
    changed = dataclasses.replace(base.release[0], fingerprint="ab" * 32)
    other = structs.replace(result_of(base, first), release=(changed,))
    with pytest.raises(CampaignMismatchError, match="release 'v1': the table '.*' has other con"):
        store.add_results({0: other}, seconds={0: 1})
    with pytest.raises(CampaignMismatchError, match="seed is 4 instead of 3"):
        store.add_results({0: structs.replace(result_of(base, first), seed=4)}, seconds={0: 1})
    with pytest.raises(InputError, match="Attack 77 is not planned in .* Plan it"):
        store.add_results({77: base}, seconds={77: 1})
    with pytest.raises(InputError, match="Attack 77 is not planned"):
        store.add_failure(77, "No.", seconds=1)
    assert store.counts().finished == 0


def test_curves_equal_those_made_without_a_file(store, base):
    results = fill(store, base, [4, 0, 3])
    assert_same_curves(store.columns(), table_of(results))
    table = store.columns()
    starts = table.attack.starts
    assert np.diff(starts).tolist() == [len(results[n].outcomes.attack) for n in (4, 0, 3)]
    assert np.array_equal(
        table.attack.predictions[starts[2] :], results[3].outcomes.attack.predictions
    )


def test_only_what_is_new_and_appended_it_is_all(store, base):
    table = store.columns()
    assert (len(table), table.last) == (0, 0)
    assert_same_curves(table, table_of({}))
    for numbers in ([5], [], [1, 0]):
        fill(store, base, numbers)
        new = store.columns(after=table.last)
        assert new.numbers.tolist() == numbers
        table = Columns.concat([table, new])
        assert table.last == store.columns().last
    assert_same_curves(table, store.columns())
    assert store.columns(after=table.last).last == table.last


def test_extending_numbers_on_and_adds_nothing_twice(path, store, settings):
    assert store.extend(planned(6)) == 0
    new = [dataclasses.replace(a, number=0) for a in planned(8)[4:]]
    assert store.extend([*new, new[-1]]) == 2
    assert store.attacks == tuple(planned(8))
    assert store.extend([dataclasses.replace(new[0], attack="another")]) == 1
    assert store.attacks[8].attack == "another"
    with CampaignStore.open(path) as other:
        other.extend([attack_on(SCENARIO, 0, down_sample=False)])
    assert [attack.number for attack in store.missing()] == list(range(10))
    with pytest.raises(InputError, match=r"on release 'v9', not among v1"):
        store.extend([dataclasses.replace(new[0], release="v9")])


def test_attacks_that_came_after_results_are_known(path, store, base):
    store.extend(planned(7))
    assert store.added_later() == frozenset(), "nothing was measured yet"
    fill(store, base, [0])
    store.extend(planned(8))
    assert store.added_later() == {7}
    with CampaignStore.open(path) as again:
        again.extend(planned(8))
        assert again.added_later() == {7}


@pytest.mark.parametrize(
    ("attacks", "message"),
    [
        ([planned(1)[0]] * 2, "Two planned attacks have the number 0"),
        (
            [planned(1)[0], dataclasses.replace(planned(1)[0], number=1, reason="x")],
            "Planned attacks 0 and 1 are the same",
        ),
    ],
)
def test_ambiguous_plans_are_refused(path, settings, attacks, message):
    with pytest.raises(InputError, match=message):
        CampaignStore.create(path, settings, attacks)
    assert list(path.parent.iterdir()) == []


def test_odd_names_survive(path, settings, base):
    odd = ["o\"k'; DROP TABLE attack;--", "naïve “Größe”", "\udce9\udcff", "a\x00b\n", "", "🙂"]
    scenario = alc.Scenario(
        odd[:-1], odd[-1], targets=alc.Targets(where={odd[2]: ("x'y", '"', "\ud800")})
    )
    named = dataclasses.replace(settings, releases={odd[2]: base.release}, kinds={odd[0]: "c"})
    attack = dataclasses.replace(attack_on(scenario, 0), release=odd[2], reason=odd[0])
    with CampaignStore.create(path, named, [attack], notes=odd) as store:
        store.add_results({0: structs.replace(base, scenario=scenario)}, seconds={0: 1})
        assert store.extend([attack]) == 0
    with CampaignStore.open(path) as again:
        assert again.attacks == (attack,)
        assert again.notes == tuple(odd)
        assert again.settings == named
        assert again.assessment(0).scenario == scenario


@pytest.mark.parametrize("name", ["ä ö?.alc", "a#b%20'.db", "mode=ro&x"])
def test_odd_file_names(tmp_path, settings, name):
    CampaignStore.create(tmp_path / name, settings, planned(1)).close()
    with CampaignStore.open(tmp_path / name) as store:
        assert store.counts().planned == 1
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_the_same_data_and_settings_go_on(store, settings):
    assert store.check_same(settings) == ()
    renamed = dataclasses.replace(settings.original, name="moved.csv")
    assert store.check_same(dataclasses.replace(settings, original=renamed)) == ()
    newer = {**settings.versions, "numpy": "9.9"}
    (note,) = store.check_same(dataclasses.replace(settings, versions=newer))
    assert note.startswith(f"Started with numpy {settings.versions['numpy']}, continued")
    assert "continued with 9.9" in note


def table_with(table, **changes):
    return dataclasses.replace(table, **changes)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda s: {"original": table_with(s.original, fingerprint="1a2b" * 16, name="o.csv")},
            r"the original: the table 'o.csv' has other content \(1a2b1a2b1a2b… "
            r"instead of [0-9a-f]{12}…\)",
        ),
        (
            lambda s: {
                "releases": {"v1": (table_with(s.releases["v1"][0], fingerprint="ff", name="b"),)}
            },
            r"release 'v1': the table 'b' has other content \(ff… instead",
        ),
        (
            lambda s: {"original": table_with(s.original, rows=7)},
            "has 7 rows and 4 columns instead of 1500 and 4",
        ),
        (
            lambda s: {
                "releases": {
                    "v1": (table_with(s.releases["v1"][0], same_columns={"{work}": "job"}),)
                }
            },
            r"release 'v1': the column '\{work\}' of the table 'release 1' is treated as the "
            r"original's 'job' instead of a column of its own",
        ),
        (lambda s: {"releases": {}}, "release 'v1' is missing"),
        (
            lambda s: {"releases": {**s.releases, "v2": s.releases["v1"]}},
            "release 'v2' is not part of it",
        ),
        (
            lambda s: {"releases": {"v1": s.releases["v1"] * 2}},
            "release 'v1' has 2 tables instead of 1",
        ),
        (
            lambda s: {"told_sets": {"r": ({"age": {"young": "..30", "old": None}},)}},
            "label 'young' of column 'age' in release 'r' covers '..30' instead of what is "
            "recognised; label 'old' of column 'age' in release 'r' covers itself instead of",
        ),
        (
            lambda s: {"kinds": {**s.kinds, "age": "continuous"}},
            "column 'age' is treated as continuous instead of categorical",
        ),
        (lambda s: {"seed": 8}, "seed is 8 instead of 3"),
        (
            lambda s: {"loop": dataclasses.replace(s.loop, batch=5)},
            "parameter batch is 5 instead of 1000",
        ),
        (
            lambda s: {"scoring": dataclasses.replace(s.scoring, alpha=1.0)},
            "parameter alpha is 1.0 instead of 3.0",
        ),
    ],
)
def test_other_data_or_settings_are_refused_by_name(store, settings, change, message):
    given = dataclasses.replace(settings, **change(settings))
    with pytest.raises(CampaignMismatchError, match=message) as caught:
        store.check_same(given)
    assert "review.alc' has other data or settings" in str(caught.value)
    assert "Use the same, or another file." in str(caught.value)
    assert "\n" not in str(caught.value)


def test_many_differences_are_counted(store, settings):
    kinds = {f"c{i}": "date" for i in range(9)}
    with pytest.raises(CampaignMismatchError, match="'c1' is treated as date .*; and 7 more. Use"):
        store.check_same(dataclasses.replace(settings, kinds=kinds))


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_only_the_owner_can_read_it_from_the_first_byte(path, settings, base, monkeypatch):
    seen = set()
    write_first = database._write_first

    def spy(connection, fill):
        write_first(connection, fill)
        seen.update((f.suffix, stat.S_IMODE(f.stat().st_mode)) for f in path.parent.iterdir())

    monkeypatch.setattr(database, "_write_first", spy)
    before = os.umask(0)
    try:
        with CampaignStore.create(path, settings, planned(1)) as store:
            fill(store, base, [0])
            files = {f.name: stat.S_IMODE(f.stat().st_mode) for f in path.parent.iterdir()}
    finally:
        os.umask(before)
    assert {mode for _, mode in seen} == {0o600}
    assert files == dict.fromkeys(["review.alc", "review.alc-shm", "review.alc-wal"], 0o600)


def test_closing_leaves_one_complete_file(path, store, base):
    results = fill(store, base, [0, 1])
    store.close()
    store.close()
    assert [file.name for file in path.parent.iterdir()] == ["review.alc"]
    copy = path.with_name("copy.alc")
    shutil.copy(path, copy)
    with CampaignStore.open(copy) as again:
        assert again.assessment(1) == results[1]


def test_closing_beside_a_reader_leaves_a_complete_file(path, store, base):
    with CampaignStore.open(path) as reader:
        fill(store, base, [0, 1])
        store.close()
        copy = path.with_name("copy.alc")
        shutil.copy(path, copy)
        assert reader.counts().finished == 2
    with CampaignStore.open(copy) as again:
        assert again.counts().finished == 2


def test_after_closing_it_says_so(store):
    store.close()
    with pytest.raises(CampaignFileError, match="review.alc' is closed. Open it again"):
        store.counts()


def test_reading_does_not_change_the_file(path, store, base):
    fill(store, base, [0])
    store.close()
    before = path.read_bytes()
    with CampaignStore.open(path) as again:
        again.columns()
        again.assessment(0)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [None, b"", b"age,job\n1,nurse\n"])
def test_whatever_is_there_is_not_written_over(path, store, settings, content):
    place = path if content is None else path.with_name("other")
    if content is not None:
        place.write_bytes(content)
    with pytest.raises(InputError, match=f"'{place}' already exists. Continue it"):
        CampaignStore.create(place, settings, planned(1))
    if content is not None:
        assert place.read_bytes() == content
    assert store.counts().planned == 6


def test_a_folder_that_is_not_there(path, settings):
    with pytest.raises(CampaignFileError, match="folder '.*nowhere' does not exist. Create it"):
        CampaignStore.create(path.parent / "nowhere" / "x", settings, [])
    long = path.with_name("x" * 300)
    with pytest.raises(CampaignFileError, match="cannot be used: File name too long"):
        CampaignStore.create(long, settings, [])


def make_database(path):
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE result (number INTEGER)")
    connection.close()


def make_newer(path, settings):
    CampaignStore.create(path, settings, []).close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 9")
    connection.close()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path, settings: None, "'.*review.alc' does not exist. Check the path"),
        (lambda path, settings: path.mkdir(), "'.*review.alc' is not a file"),
        (lambda path, settings: path.touch(), "'.*review.alc' is empty or"),
        (
            lambda path, settings: path.write_text("age,job\n" * 1000),
            "'.*review.alc' is not a review file",
        ),
        (lambda path, settings: make_database(path), "from another program"),
        (make_newer, "has format 9, not 8. Open it with"),
    ],
)
def test_what_is_no_campaign_is_refused(path, settings, make, message):
    make(path, settings)
    with pytest.raises(CampaignFileError, match=message) as caught:
        CampaignStore.open(path)
    assert "\n" not in str(caught.value)


def test_damage_is_told_and_never_read_as_a_result(path, settings, base):
    with CampaignStore.create(path, settings, planned(6)) as store:
        fill(store, base, range(6))
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(CampaignFileError, match="review.alc' is damaged"):
        CampaignStore.open(path)
    for start in range(4096, len(whole), 4096):
        path.write_bytes(whole[:start] + b"\xff" * 4096 + whole[start + 4096 :])
        try:
            with CampaignStore.open(path) as store:
                curves, attacks, damage = store.columns(), store.attacks, store.damage
                results = {each: store.assessment(each) for each in curves.numbers.tolist()}
        except CampaignFileError:
            continue
        path.write_bytes(whole)
        with CampaignStore.open(path) as store:
            assert results == {number: store.assessment(number) for number in results}
            assert damage or (attacks == store.attacks and len(results) == 6)


def test_changed_counts_are_told(path, store, base):
    fill(store, base, [0, 1])
    store.close()
    connection = sqlite3.connect(path)
    connection.execute("UPDATE result SET row = zeroblob(length(row)) WHERE number = 1")
    connection.commit()
    with CampaignStore.open(path) as again:
        assert again.damage == (Damage("result", "1"),)
        assert again.columns().numbers.tolist() == [0]
        with pytest.raises(InputError, match="Attack 1 has no result"):
            again.assessment(1)
        with pytest.raises(CampaignFileError, match="is damaged. To continue"):
            again.add_failure(2, "Late.", seconds=1.0)
    connection.execute("UPDATE meta SET value = '{' WHERE key = 'settings'")
    connection.commit()
    with pytest.raises(CampaignFileError, match="damaged: its settings cannot be read"):
        CampaignStore.open(path)
    connection.close()


def test_a_read_only_folder_can_be_read(without_privileges, settings, base):
    path = without_privileges / "review.alc"
    with CampaignStore.create(path, settings, planned(2)) as store:
        fill(store, base, [0])
    path.chmod(0o400)
    without_privileges.chmod(0o500)
    with CampaignStore.open(path) as store:
        assert len(store.columns()) == 1
        with pytest.raises(CampaignFileError, match="cannot be written. Copy it"):
            store.add_failure(1, "No.", seconds=1)
        with pytest.raises(CampaignFileError, match="cannot be written"):
            fill(store, base, [1])
    with pytest.raises(CampaignFileError, match="other' cannot be used: Permission denied"):
        CampaignStore.create(path.with_name("other"), settings, [])
    path.chmod(0o000)
    with pytest.raises(CampaignFileError, match="cannot be opened. Check permissions"):
        CampaignStore.open(path)
    without_privileges.chmod(0o000)
    with pytest.raises(CampaignFileError, match="cannot be used: Permission denied"):
        CampaignStore.open(path)


def test_a_full_disk_keeps_what_was_finished(path, store, base):
    fill(store, base, [0])
    connection = store._connection
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages + 1}")
    with pytest.raises(CampaignFileError, match="disk is full. Free space, then continue") as error:
        fill(store, base, [1, 2, 3, 4, 5])
    assert "\n" not in str(error.value)
    finished = store.counts().finished
    connection.execute("PRAGMA max_page_count = 100000")
    fill(store, base, [attack.number for attack in store.missing()])
    assert 1 <= finished < 6
    assert store.counts().finished == 6


def test_a_locked_file_is_told(path, store, base, monkeypatch):
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.05)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    with CampaignStore.open(path) as other:
        assert other.counts().planned == 6
        with pytest.raises(CampaignFileError, match=("is locked by another program. Close that")):
            other.add_failure(0, "No.", seconds=1)
        connection.execute("COMMIT")
        other.add_failure(0, "No.", seconds=1)
    connection.close()


def test_threads_read_while_one_writes(path, settings, base):
    attacks = planned(40)
    with CampaignStore.create(path, settings, attacks) as store:
        results = {a.number: result_of(base, a) for a in attacks}
        done, tables, errors = threading.Event(), {}, []

        def read(name, reader):
            try:
                table = reader.columns()
                while True:
                    last_look = done.is_set()
                    table = Columns.concat([table, reader.columns(after=table.last)])
                    counts = reader.counts()
                    assert len(table) <= counts.finished
                    assert len(reader.missing()) <= counts.planned - len(table)
                    if last_look:
                        break
                tables[name] = table
            except BaseException as error:  # noqa: BLE001
                errors.append(error)

        def read_own():
            with CampaignStore.open(path) as own:
                read("own", own)

        threads = [threading.Thread(target=read, args=(n, store)) for n in range(3)]
        threads.append(threading.Thread(target=read_own))
        for thread in threads:
            thread.start()
        for number, result in results.items():
            store.add_results({number: result}, seconds={number: 1})
        done.set()
        for thread in threads:
            thread.join()
        assert errors == []
        assert set(tables) == {0, 1, 2, "own"}
        for table in tables.values():
            assert_same_curves(table, table_of(results))


WRITER = """
import sys
from pathlib import Path
from msgspec import structs
from alc_core import Assessment
from alc_core.campaign.file.seals import Damage, seal_all
from alc_core.campaign.file.store import CampaignStore
base = Assessment.from_json(Path(sys.argv[2]).read_text())
with CampaignStore.open(sys.argv[1]) as store:
    for attack in store.missing():
        result = structs.replace(base, scenario=attack.scenario)
        store.add_results({attack.number: result}, seconds={attack.number: 1})
        print(attack.number, flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
def test_killed_while_writing_loses_nothing_that_was_committed(path, settings, base):
    CampaignStore.create(path, settings, planned(3000)).close()
    text = path.with_name("base.json")
    text.write_text(base.to_json())
    for least in (1, 25):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, path, text], stdout=subprocess.PIPE, text=True
        ) as writer:
            said = [int(writer.stdout.readline()) for _ in range(least)]
            with CampaignStore.open(path) as beside:
                assert beside.counts().finished >= len(said)
            writer.send_signal(signal.SIGKILL)
            said += [int(line) for line in writer.stdout.read().splitlines()]
        with CampaignStore.open(path) as store:
            assert store._select("PRAGMA integrity_check") == [("ok",)]
            finished = store.columns().numbers.tolist()
            assert said[-1] <= finished[-1] <= said[-1] + 1
            assert finished == list(range(len(finished)))
            assert len(store.missing()) == 3000 - len(finished)
            assert store.missing()[0].number == len(finished)
            assert store.assessment(finished[-1]).outcomes == base.outcomes


def test_no_value_of_the_data_is_in_the_file(tmp_path, people):
    frame = people(400)
    frame["job"] = frame["job"] + "-Zyxwarden"
    frame["city"] = frame["city"] + "-Qombatown"
    frame["hours"] = frame["hours"] + 987_654_000
    original = alc.table_from_frame(frame, name="people.csv")
    release = alc.table_from_frame(frame, name="v1.csv")
    result = alc.assess(original, release, SCENARIO, loop=LOOP, seed=3, families=CHEAP)
    settings = CampaignSettings(
        seed=3,
        scoring=result.scoring,
        loop=LOOP,
        original=result.original,
        releases={"v1": result.release},
        kinds={name: str(kind) for name, kind in original.kinds.items()},
        versions=result.versions,
    )
    path = tmp_path / "review.alc"
    with CampaignStore.create(path, settings, [attack_on(result.scenario, 0)]) as store:
        store.add_results({0: result}, seconds={0: 1})
    found = all_text(path)
    assert b"people.csv" in found
    assert b'"known":["age","city","hours"]' in found
    assert b'"joint"' in found
    for value in (b"Zyxwarden", b"Qombatown", b"nurse", b"Jena", b"987654", b"987,654"):
        assert value not in found


def row_in(connection):
    """The row of the first attack."""
    ((packed,),) = connection.execute("SELECT row FROM result WHERE number = 0")
    return msgspec.msgpack.decode(packed, type=ResultRow)


def put_row(connection, row, **changes):
    """Write a row of the first attack as if it had come so."""
    packed = msgspec.msgpack.encode(msgspec.structs.replace(row, **changes))
    connection.execute("UPDATE result SET row = ? WHERE number = 0", (packed,))
    seal_all(connection)


_ENDLESS = (
    "WITH RECURSIVE more(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more) "
    "SELECT count(*) FROM more"
)


@pytest.mark.parametrize(
    "statements",
    [
        ("ALTER TABLE failure RENAME TO kept", f"CREATE VIEW failure AS {_ENDLESS}"),
        ("CREATE TRIGGER more AFTER INSERT ON result BEGIN DELETE FROM result; END",),
        ("ALTER TABLE failure ADD COLUMN more GENERATED ALWAYS AS (hex(zeroblob(400000000)))",),
        ("CREATE VIRTUAL TABLE more USING fts5(text)",),
        ("CREATE TABLE more (text)",),
        ("CREATE INDEX more ON result (seconds + 1)",),
    ],
)
def test_a_file_with_what_no_campaign_has_is_refused(path, store, statements):
    store.close()
    with sqlite3.connect(path) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()
    with pytest.raises(
        CampaignFileError,
        match="is not a valid review file .bad part: '.+'.\\. Ask for a new copy",
    ):
        CampaignStore.open(path)


def test_a_record_that_inflates_beyond_any_is_told(path, store, base, monkeypatch):
    fill(store, base, [0])
    store.close()
    monkeypatch.setattr("alc_core.campaign.file.records._LARGEST", 1_000_000)
    with sqlite3.connect(path) as connection:
        bomb = zlib.compress(b"[" + b"0," * 5_000_000 + b"0]")
        connection.execute("UPDATE result SET record = ?", (bomb,))
        seal_all(connection)
    connection.close()
    with (
        CampaignStore.open(path) as store,
        pytest.raises(CampaignFileError, match="damaged: the result of attack 0"),
    ):
        store.assessment(0)


@pytest.mark.parametrize(
    ("column", "change"),
    [
        (("attack", 0), lambda counts: counts * 0),
        (("attack", 1), lambda counts: counts + 10_000),
        (("baseline", 0), lambda counts: counts[::-1]),
        (("baseline", 1), lambda counts: -counts),
        (("attack", 0), lambda counts: counts + 2_000_000_000),
        (("attack", 1), lambda counts: counts[1:]),
        (("baseline", 0), lambda counts: counts[:0]),
    ],
)
def test_counts_that_no_run_can_have_are_told_though_their_checksum_is_right(
    path, store, base, column, change
):
    fill(store, base, [0])
    store.close()
    side, which = column
    with sqlite3.connect(path) as connection:
        row = row_in(connection)
        counts = list(getattr(row, side))
        counts[which] = change(np.frombuffer(counts[which], dtype="<i4")).astype("<i4").tobytes()
        put_row(connection, row, **{side: tuple(counts)})
    connection.close()
    with (
        CampaignStore.open(path) as store,
        pytest.raises(CampaignFileError, match="damaged: the result"),
    ):
        store.columns()


@pytest.mark.parametrize("name", ["recall_scale", "scale"])
def test_a_scale_without_bounds_is_told(path, store, base, name):
    fill(store, base, [0])
    store.close()
    with sqlite3.connect(path) as connection:
        put_row(connection, row_in(connection), **{name: math.inf})
    connection.close()
    with (
        CampaignStore.open(path) as store,
        pytest.raises(CampaignFileError, match="damaged: the result of attack 0"),
    ):
        store.columns()


@pytest.mark.parametrize("value", [5.0, math.inf, -math.inf])
def test_a_loss_at_recall_1_that_no_run_can_have_is_told(people, tmp_path, value):
    frame, path = people(600), tmp_path / "c.alc"
    run_quickly(frame, {"copy": frame.copy()}, path).close()
    assert examine(path) == ()
    with sqlite3.connect(path) as connection:
        row = row_in(connection)
        numbers = row.measured[NO_RECALL] | {"alc": [value, *row.measured[NO_RECALL]["alc"][1:]]}
        put_row(connection, row, measured=row.measured | {NO_RECALL: numbers})
    connection.close()
    with pytest.raises(CampaignFileError, match="damaged: the numbers of a measure"):
        examine(path)


def test_checksums_without_their_numbers_are_told_as_a_fault_of_the_file(path, store):
    store.close()
    with sqlite3.connect(path) as connection:
        connection.execute("ALTER TABLE seal RENAME TO old")
        connection.execute("CREATE TABLE seal (kind TEXT NOT NULL, key TEXT NOT NULL)")
        connection.execute("DROP TABLE old")
    connection.close()
    with pytest.raises(CampaignFileError):
        examine(path)


def test_a_measure_of_which_a_file_holds_a_part_says_nothing():
    number = Measured(0.5, 0.4, 0.6)
    whole = dict.fromkeys(("alc", "attack", "other", "only"), number)
    assert measured_sentence(NO_RECALL, whole, SCENARIO).endswith("for 50% of people attacked.")
    assert not measured_sentence(NO_RECALL, {"alc": number, "other": number}, SCENARIO)
    with pytest.raises(KeyError):
        measured_sentence("faulty", {"alc": number}, SCENARIO)
