"""The shelf: what is kept, by whom, and for how long; what of it nobody can reach."""

import datetime as dt
import json
import os
import stat
from pathlib import Path

import pytest

from alc_core.errors import InputError
from alc_core.team import shelf as shelves
from alc_core.team.shelf import Decided, Held, Shelf

PUT = Decided(about="v1", choice="publish", words=("Small.",))
NOT = Decided(about="v1", choice="do not publish")


@pytest.fixture
def shelf(tmp_path):
    return Shelf(tmp_path / "shelf", days=30)


@pytest.fixture
def held(shelf):
    held = shelf.put("people.csv", owner="ada@example.org", team="Health")
    held.keep(b"one", new=held.new([PUT], "ada@example.org"), standings={"v1": "below limit"})
    yield held
    held.close()


def test_a_file_is_listed_with_what_was_found_and_read_as_it_was_put(shelf, held):
    (entry,) = shelf.entries()
    assert (entry.name, entry.owner, entry.team) == ("people.csv", "ada@example.org", "Health")
    assert entry.standings == {"v1": "below limit"}
    assert shelf.read(entry.id) == b"one"
    day = dt.datetime.now(dt.UTC).date() + dt.timedelta(days=30)
    assert dt.date.fromisoformat(entry.until) == shelf.until() == day


def test_a_changed_decision_keeps_the_old_one(shelf, held):
    assert held.new([PUT], "bob@example.org") == ()
    held.keep(b"two", new=held.new([NOT], "bob@example.org"), standings={"v1": "serious"})
    assert [each.about for each in held.new([], "cyd@example.org")] == ["v1"]
    held.keep(b"three", new=held.new([], "cyd@example.org"), standings={"v1": "serious"})
    (entry,) = shelf.entries()
    assert [(each.choice, each.who) for each in entry.history] == [
        ("publish", "ada@example.org"),
        ("do not publish", "bob@example.org"),
        (None, "cyd@example.org"),
    ]
    assert all(each.at for each in entry.history)
    assert entry.decided["v1"].choice is None
    assert held.new([], "cyd@example.org") == ()


def test_one_person_at_a_time_changes_a_file(shelf, held):
    with pytest.raises(InputError):
        shelf.hold(held.id)
    assert shelf.read(held.id) == b"one"
    held.close()
    shelf.hold(held.id).remove()
    assert shelf.entries() == []
    with pytest.raises(InputError):
        shelf.hold(held.id)
    assert not list(shelf._folder.iterdir())


def test_what_was_begun_and_not_kept_is_not_listed_but_removed_in_time(shelf, monkeypatch):
    shelf.put("people.csv", owner="ada@example.org").close()
    assert shelf.entries() == []
    assert not shelf.overdue()
    later = dt.datetime.now(dt.UTC) + dt.timedelta(days=30)
    monkeypatch.setattr(shelves, "_now", lambda: later)
    assert list(shelf.overdue().values()) == ["people.csv"]


@pytest.mark.parametrize("written", [0, 1])
def test_a_write_that_fails_leaves_what_was_there(shelf, held, monkeypatch, written):
    sync, places = os.fsync, []

    def full(place):
        places.append(place)
        if len(places) > written:
            raise OSError(28, "No space left on device")
        sync(place)

    with monkeypatch.context() as patched:
        patched.setattr(shelves.os, "fsync", full)
        with pytest.raises(InputError, match="No space left"):
            held.keep(b"two", new=[NOT], standings={"v1": "serious"})
    assert shelf.read(held.id) == b"one"
    assert held.entry.standings == {"v1": "below limit"}
    assert not list(shelf._folder.glob("*.new"))


@pytest.mark.parametrize("moved", [0, 1])
def test_a_crash_between_two_renames_leaves_file_and_index_of_one_time(
    shelf, held, monkeypatch, moved
):
    move, places = Path.replace, []

    def crash(place, target):
        places.append(place)
        if len(places) > moved:
            raise KeyboardInterrupt
        return move(place, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", crash)
        with pytest.raises(KeyboardInterrupt):
            held.keep(b"two", new=[NOT], standings={"v1": "serious"})
    again = Shelf(shelf._folder, days=30)
    assert again.read(held.id) == b"one"
    assert again.entry(held.id).standings == {"v1": "below limit"}
    held.keep(b"three", new=[], standings={"v1": "serious"})
    assert again.read(held.id) == b"three"
    assert len(list(shelf._folder.glob("*.alc*"))) == 1


@pytest.mark.parametrize("key", ["", "..", "../../etc/passwd", "a" * 31, "A" * 32, "a" * 32 + "\n"])
def test_no_path_leads_out_of_the_folder(shelf, key):
    for reach in (shelf.read, shelf.entry, shelf.hold):
        with pytest.raises(InputError):
            reach(key)


def test_names_are_ids_and_files_are_their_owners_alone(shelf):
    name = "../../<b>people</b>.csv"
    held = shelf.put(name, owner="ada@example.org", team="/etc")
    held.keep(b"one", new=[], standings={"v1": None})
    held.close()
    assert {path.name.partition(".")[0] for path in shelf._folder.iterdir()} == {held.id}
    assert shelf.entries()[0].name == name
    modes = {stat.S_IMODE(p.stat().st_mode) for p in shelf._folder.iterdir()}
    assert modes == {0o600}
    assert stat.S_IMODE(shelf._folder.stat().st_mode) == 0o700


def test_a_damaged_index_hides_no_other_file_and_goes_when_its_days_are_over(
    shelf, held, monkeypatch
):
    damaged = "a" * 32
    for kind, text in (("json", json.dumps({"id": 1})), ("alc", "rest"), ("alc.new", "half")):
        (shelf._folder / f"{damaged}.{kind}").write_text(text)
    assert [entry.id for entry in shelf.entries()] == [held.id]
    with pytest.raises(InputError, match="damaged"):
        shelf.hold(damaged)
    assert not shelf.overdue()
    later = dt.datetime.now(dt.UTC) + dt.timedelta(days=30)
    monkeypatch.setattr(shelves, "_now", lambda: later)
    assert shelf.overdue() == {held.id: "people.csv", damaged: ""}
    Held(shelf, damaged).remove()
    assert not list(shelf._folder.glob(f"{damaged}*"))


def test_a_folder_that_cannot_be_used_is_said(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=r"server\.shelf"):
        Shelf(tmp_path / "file", days=1)
