"""The audit log: what was done stays in it, and a line that is gone shows."""

import errno
import itertools
import json
import os
import socket
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest

from alc_core.errors import InputError
from alc_core.team import audit
from alc_core.team.audit import AuditLog, MinuteCount, verify


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "audit.jsonl"
    return path, AuditLog(path)


def test_lines_follow_from_each_other_over_a_new_start(log):
    path, first = log
    first.record("login", "ada@example.org")
    first.record("upload", "ada@example.org", name="Zoë.csv", bytes=3)
    AuditLog(path).record("removal", "ada@example.org")
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert [line["what"] for line in lines] == ["login", "upload", "removal"]
    assert lines[1]["name"] == "Zoë.csv"
    assert verify([path]) == (3, 1, lines[-1]["hash"])
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x85", "\x0b", "\x1c", "\n", "\r"])
def test_a_name_that_ends_lines_elsewhere_ends_none_here(log, mark):
    path, first = log
    first.record("shelf put", "ada@example.org", team=f"Health{mark}Care")
    AuditLog(path).record("login", "ada@example.org")
    assert verify([path])[0] == 2


@pytest.mark.parametrize("gone", range(3))
def test_a_line_that_is_removed_changed_or_put_in_shows(log, gone):
    path, written = log
    for who in "abcd":
        written.record("login", who)
    lines = path.read_text().splitlines()
    changes = (
        lines[:gone] + lines[gone + 1 :],
        [line.replace('"what": "login"', '"what": "logout"') if i == gone else line
         for i, line in enumerate(lines)],
        lines[: gone + 1] + lines[gone:],
    )  # fmt: skip
    for changed in changes:
        path.write_text("".join(f"{line}\n" for line in changed))
        with pytest.raises(InputError, match="line"):
            verify([path])


def test_a_full_file_is_set_aside_and_the_chain_goes_on(log, monkeypatch, tmp_path):
    path, written = log
    ticks, start = itertools.count(), datetime(2026, 1, 1, tzinfo=UTC)
    # A clock by which many are set aside within a millisecond
    clock = SimpleNamespace(now=lambda _: start + timedelta(microseconds=next(ticks)))
    monkeypatch.setattr(audit, "datetime", clock)
    monkeypatch.setattr(audit, "MOST_BYTES", 1000)
    for number in range(120):
        written.record("login", str(number))
    files = [*sorted(tmp_path.glob("audit-*.jsonl")), path]
    assert len(files) > 1
    assert max(each.stat().st_size for each in files) <= 1000
    assert verify(files)[0] == 120
    path.unlink()  # as right after it was set aside
    AuditLog(path).record("login", "120")
    with pytest.raises(InputError):
        verify(files[1:])


def failing(number):
    def fail(*args, **kwargs):
        raise OSError(number, os.strerror(number))

    return fail


def by_halves(place, data):
    return WRITE(place, data[: len(data) // 2])


WRITE = os.write
NO_ROOM, READ_ONLY, BROKEN = (failing(n) for n in (errno.ENOSPC, errno.EROFS, errno.EIO))


@pytest.mark.parametrize(
    ("call", "fault"),
    [
        ("write", NO_ROOM), ("write", by_halves), ("fsync", NO_ROOM), ("fsync", BROKEN),
        ("open", READ_ONLY), ("open", NO_ROOM), ("rename", READ_ONLY),
    ],
)  # fmt: skip
def test_what_cannot_be_written_is_not_there_by_halves(log, monkeypatch, call, fault):
    path, written = log
    written.record("login", "ada")
    before = path.read_bytes()
    owner = type(path) if call == "rename" else os
    monkeypatch.setattr(audit, "MOST_BYTES", len(before) if call == "rename" else 2**20)
    monkeypatch.setattr(owner, call, fault)
    with pytest.raises(InputError, match="cannot be written"):
        written.record("upload", "ada")
    monkeypatch.undo()
    assert path.read_bytes() == before
    written.record("upload", "ada")
    assert verify([path])[0] == 2


def test_a_line_that_the_machine_did_not_finish_is_not_a_line(log):
    path, written = log
    written.record("login", "ada")
    with path.open("ab") as file:
        file.write(b'{"at": "2026-11-2')
    AuditLog(path).record("login", "ada")
    assert verify([path])[0] == 2


def test_a_place_that_cannot_be_written_is_said_at_the_start(tmp_path):
    with pytest.raises(InputError, match="cannot be written"):
        AuditLog(tmp_path / "nowhere" / "audit.jsonl")


@pytest.fixture
def journal(tmp_path, monkeypatch):
    place = tmp_path / "socket"
    monkeypatch.setattr(audit, "_JOURNAL", place)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ours:
        ours.bind(str(place))
        ours.settimeout(10)
        yield lambda: dict(
            line.split("=", 1) for line in ours.recv(2**16).decode().strip().split("\n")
        )


def test_the_journal_has_the_last_hash_of_a_file(journal, tmp_path):
    path = tmp_path / "audit.jsonl"
    AuditLog(path).record("login", "ada")
    told = journal()
    assert told["SYSLOG_IDENTIFIER"] == "alc-audit"
    assert told["MESSAGE"] == f"{path}: the last hash is {verify([path])[2]}"


def test_the_journal_can_be_the_log(journal, monkeypatch, tmp_path):
    written = AuditLog(None)
    assert json.loads(journal()["MESSAGE"])["what"] == "start"
    written.record("login", "ada", name="two\nlines")
    line = json.loads(journal()["MESSAGE"])
    assert (line["who"], line["name"]) == ("ada", "two\nlines")
    monkeypatch.setattr(audit, "_JOURNAL", tmp_path / "none")
    with pytest.raises(InputError, match="The systemd journal cannot be written"):
        written.record("upload", "ada")


def test_a_journal_of_two_starts_is_two_chains(journal, tmp_path):
    lines = []
    for _ in range(2):
        written = AuditLog(None)
        written.record("login", "ada")
        lines += [journal()["MESSAGE"], journal()["MESSAGE"]]
    path = tmp_path / "exported.jsonl"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    assert verify([path]) == (4, 2, json.loads(lines[-1])["hash"])
    for removed in (0, 2):  # A chain without its start
        path.write_text("\n".join(lines[:removed] + lines[removed + 1 :]) + "\n", "utf-8")
        with pytest.raises(InputError, match=f"line {removed + 1}: changed here or earlier"):
            verify([path])


def test_an_empty_log_is_told_as_empty(tmp_path):
    path = tmp_path / "audit.jsonl"
    path.touch()
    with pytest.raises(InputError, match="The audit log is empty"):
        verify([path])


def test_a_kind_is_told_once_a_minute_with_its_number(monkeypatch):
    clock = SimpleNamespace(monotonic=lambda: now)
    monkeypatch.setattr(audit, "time", clock)
    tally, now = MinuteCount(), 0.0
    assert [tally.told("a"), tally.told("a"), tally.told("a"), tally.told("b")] == [1, 0, 0, 1]
    now = 60.0
    assert [tally.told("a"), tally.told("a")] == [3, 0]


@pytest.mark.parametrize(
    ("old", "new"),
    [('{"at"', '{"who": "eve", "at"'), ('": ', '":'), ("login", "\\u006cogin")],
    ids=["a second value of a name", "other spaces", "escaped letters"],
)
def test_a_line_that_is_written_otherwise_is_changed(tmp_path, old, new):
    path = tmp_path / "audit.jsonl"
    AuditLog(path).record("login", "ada@example.org")
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(InputError, match="line 1: changed"):
        verify([path])


def test_only_the_journal_begins_a_chain_again(tmp_path):
    path, other = tmp_path / "audit.jsonl", tmp_path / "other.jsonl"
    AuditLog(path).record("login", "ada@example.org")
    AuditLog(other).record("start")
    path.write_text(path.read_text() + other.read_text())
    with pytest.raises(InputError, match="line 2: changed"):
        verify([path])


def test_names_of_half_characters_are_written(tmp_path):
    path = tmp_path / "audit.jsonl"
    AuditLog(path).record("upload", name="\udcff.csv")
    assert verify([path])[:2] == (1, 1)


def test_two_servers_do_not_write_one_log(tmp_path):
    path = tmp_path / "audit.jsonl"
    code = f"from alc_core.team.audit import *\nAuditLog(Path({str(path)!r}))\n"
    code += "print(1, flush=True)\ninput()"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout.readline()
        with pytest.raises(InputError, match="Another server writes"):
            AuditLog(path)
        other.communicate(b"\n")
    AuditLog(path).record("login")


def test_refusals_not_told_yet_are_told_once():
    counted = MinuteCount()
    assert [counted.told("a") for _ in range(3)] == [1, 0, 0]
    assert counted.untold() == {"a": 2}
    assert counted.untold() == {}
