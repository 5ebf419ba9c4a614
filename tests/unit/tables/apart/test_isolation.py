"""A process that reads a file can read that file, and nothing else."""

import socket

import pytest

from alc_core.tables.apart import process
from alc_core.tables.apart import read as apart
from alc_core.tables.apart.read import read_apart
from tests.toys.nosy import shut_in_elsewhere


@pytest.fixture(params=[True, False], ids=["forked", "host"])
def nosy(request, monkeypatch, tmp_path):
    """Run the nosy job on a file, in a fork or in a process of its own."""
    monkeypatch.setenv("ALC_TEST_SECRET", "secret")
    (tmp_path / "mine.txt").write_text("mine")
    (tmp_path / "other.txt").write_text("other")
    start = process.Forked if request.param else started_anew
    monkeypatch.setattr(apart, "start", start)
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        found = read_apart(
            "tests.toys.nosy:look", str(tmp_path / "mine.txt"), name="mine.txt",
            options={"here": str(tmp_path), "port": server.getsockname()[1]},
        )  # fmt: skip
    return found, request.param, tmp_path


def started_anew(request, data):
    host = process.Host()
    host.ask(request, data)
    return host


def test_it_reads_its_file_and_reaches_nothing_else(nosy):
    found, forked, folder = nosy
    known = shut_in_elsewhere()
    if not forked:
        assert found["secret"] == "unknown"
    if "files" in known:
        refused = ("read", "beside", "write", "change", "remove", "call")
        assert {name: found[name] for name in refused} == dict.fromkeys(refused, "PermissionError")
        assert found["own"] == "done"
        assert sorted(path.name for path in folder.iterdir()) == ["mine.txt", "other.txt"]
        assert (folder / "mine.txt").read_text() == "mine"
    if "network" in known:
        assert found["connect"] != "done"
