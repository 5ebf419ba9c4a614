"""A process that reads a file can read that file, and nothing else."""

import ctypes.util
import os
import socket
import sys

import pytest

from alc_core.tables.apart import child as reader
from alc_core.tables.apart import process
from alc_core.tables.apart import read as apart
from alc_core.tables.apart.read import Advice, ReadingLimits, read_apart

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="needs a fork")
ADVICE = Advice(slow="Shorten it.", large="Shorten it.", broken="Save it again.")
REFUSED = {
    "files": ("read", "environ", "of parent", "beside", "write", "change", "remove"),
    "network": ("connect", "knock"),
    "processes": ("call", "split", "signal", "mode"),
}


def holds():
    """What this system lets be taken from a process, asked of one that ends."""
    if sys.platform != "linux":
        return ()
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.write(writing, " ".join(reader.shut_in(None)).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as said:
        found = said.read().split()
    os.waitpid(child, 0)
    return tuple(found)


@pytest.fixture(params=[True, False], ids=["forked", "host"])
def nosy(request, monkeypatch, tmp_path):
    """Run the nosy job on a file, in a fork or in a process of its own."""
    monkeypatch.setenv("ALC_TEST_SECRET", "secret")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.txt").write_text("mine")
    (tmp_path / "other.txt").write_text("other")
    monkeypatch.setattr(apart, "start", process.Forked if request.param else started_anew)
    with socket.socket() as server, socket.socket(socket.AF_UNIX) as local:
        server.bind(("127.0.0.1", 0))
        local.bind("server")
        for each in (server, local):
            each.listen()
        found = read_apart(
            "tests.toys.nosy:look", "mine.txt", dict[str, str], name="mine.txt", advice=ADVICE,
            options={"here": str(tmp_path), "port": server.getsockname()[1]},
        )  # fmt: skip
    return found, tmp_path


def started_anew(request, data):
    host = process.Host()
    host.ask(request, data)
    return host


def test_it_reads_its_file_and_reaches_nothing_else(nosy):
    found, folder = nosy
    assert found["secret"] == "unknown"
    assert found["own"] == "done"
    for kept_from in holds():
        refused = REFUSED[kept_from]
        assert {name: found[name] for name in refused} == dict.fromkeys(refused, "PermissionError")
    if "files" in holds():
        assert sorted(path.name for path in folder.iterdir()) == [
            "mine.txt", "other.txt", "server"
        ]  # fmt: skip
        assert (folder / "mine.txt").read_text() == "mine"


@LINUX
def test_all_of_it_holds_where_kernel_and_library_are_there():
    if reader.landlock_version() < 1 or ctypes.util.find_library("seccomp") is None:
        pytest.skip("an older kernel, or no libseccomp")
    assert holds() == ("files", "network", "processes")


@LINUX
def test_a_reader_that_stays_can_neither_take_nor_answer_the_next_request(monkeypatch):
    hosts = []

    def start(request, data):
        hosts.append(process._take())
        hosts[-1].ask(request, data)
        return hosts[-1]

    monkeypatch.setattr(apart, "start", start)
    words = {"name": "x", "advice": ADVICE, "limits": ReadingLimits(seconds=1)}
    assert read_apart("tests.toys.nosy:stay", b"one", str, **words) == "forged"
    assert read_apart("tests.toys.nosy:say", b"two", str, **words) == "two"
    assert hosts[0] is not hosts[1]
    assert not hosts[0].alive
