"""Reading apart: the same tables as here, and one clear line whatever happens to the process."""

import contextlib
import ctypes
import logging
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from alc_core.errors import ParameterError, TableReadError
from alc_core.tables import read as here
from alc_core.tables.apart import process
from alc_core.tables.apart import read as apart
from alc_core.tables.apart.read import ReaderFailedError, ReadingLimits, read_table
from tests.toys.files import every_format

FILES = every_format()
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="needs a fork")


@pytest.fixture
def crowded():
    """A second thread, so that the process must not be forked."""
    over = threading.Event()
    thread = threading.Thread(target=over.wait)
    thread.start()
    yield
    over.set()
    thread.join()


def assert_same(one, other):
    assert (one.name, one.notes, one.fingerprint) == (other.name, other.notes, other.fingerprint)
    assert dict(one.guesses) == dict(other.guesses)
    assert type(one.frame.index) is type(other.frame.index)
    pd.testing.assert_frame_equal(
        one.frame, other.frame, check_exact=True, check_column_type="exact", check_flags=True
    )
    for column in one.columns:
        left, right = one.frame[column], other.frame[column]
        assert left.dtype == right.dtype
        assert str(left.dtype) == str(right.dtype)
        if left.dtype.kind == "f":
            width = f"u{left.dtype.itemsize}"
            assert (left.to_numpy().view(width) == right.to_numpy().view(width)).all()
        if left.dtype == object:
            assert list(map(type, left)) == list(map(type, right))
        if isinstance(left.dtype, pd.CategoricalDtype):
            assert left.cat.categories.dtype == right.cat.categories.dtype
            assert (left.cat.codes == right.cat.codes).all()
        else:
            assert right.to_numpy().flags.writeable == left.to_numpy().flags.writeable


@pytest.mark.parametrize("name", FILES)
def test_every_format_comes_out_as_it_does_here(name, tmp_path):
    expected = here.read_table(FILES[name], name=name)
    assert_same(read_table(FILES[name], name=name), expected)
    (tmp_path / name).write_bytes(FILES[name])
    assert_same(read_table(tmp_path / name), here.read_table(tmp_path / name))


@pytest.mark.parametrize("name", FILES)
def test_a_process_of_its_own_gives_the_same_where_threads_forbid_a_fork(name, crowded):
    assert_same(read_table(FILES[name], name=name), here.read_table(FILES[name], name=name))


def test_columns_of_every_kind_that_a_frame_may_hold():
    from alc_core.tables.apart.wire import described, restored

    columns = [
        pd.Series([1.5, np.nan, np.inf], dtype="float32"),
        pd.Series([1, 2, 3], dtype="float16"),
        pd.Series(pd.to_datetime(["2020-01-01", None, "1677-09-22"])),
        pd.Series(pd.to_datetime(["2020-01-01", None])).dt.tz_localize("Europe/Berlin"),
        pd.Series(pd.to_timedelta([1, None], "s")),
        pd.Series(["a", None, "ö"], dtype=pd.StringDtype("python", na_value=np.nan)),
        pd.Series(["a", None, "ö"], dtype="str"),
        pd.Series([None, np.nan, "x", True, False, 7, 10**30, 2.5, pd.NaT], dtype=object),
        pd.Series(pd.Categorical(["b", None, "a"], categories=["b", "a"], ordered=True)),
        pd.Series([], dtype="int64"),
    ]
    for column in columns:
        description, arrays = described(column)
        waiting = iter(arrays)

        def take(size, waiting=waiting):
            array = next(waiting)
            assert len(array) == size
            return pa.table({"": array}).column(0)

        other = restored(description, len(column), take)
        pd.testing.assert_series_equal(other, column, check_exact=True)
    with pytest.raises(TypeError, match="no way to hand over"):
        described(pd.Series([{1}, 2]))


def hurt(monkeypatch, what):
    """Let the reader do something bad. Only a fork of this process sees it, whatever runs here."""
    monkeypatch.setattr(here, "read_table", what)
    monkeypatch.setattr(apart, "start", process.Forked)


def crash(*args, **kwargs):
    ctypes.string_at(0)


def killed(*args, **kwargs):
    os.kill(os.getpid(), signal.SIGKILL)


def alarmed(*args, **kwargs):
    os.kill(os.getpid(), signal.SIGALRM)


def hang(*args, **kwargs):
    time.sleep(60)


def spin(*args, **kwargs):
    while True:
        pass


def patient(*args, **kwargs):
    time.sleep(2)
    return here.table_from_frame(pd.DataFrame({"a": [1]}), name="x")


def fault(*args, **kwargs):
    raise IndexError("Jane Doe is out of bounds")


def hungry(*args, **kwargs):
    return np.ones(2**29)


@LINUX
@pytest.mark.parametrize(
    ("what", "cause", "message"),
    [
        (crash, "crash", r"^'x\.sav' is damaged: its reader crashed\. Export it"),
        (killed, "crash", r"^The system stopped reading 'x\.sav', probably out of memory"),
        (alarmed, "time", r"^'x\.sav' was not read within 1 seconds"),
        (hang, "time", r"^'x\.sav' was not read within 1 seconds.* raise ALC_READ_SEC"),
        (spin, "time", r"^'x\.sav' was not read within 1 seconds"),
        (fault, "fault", r"^'x\.sav' is damaged, or cannot be read \(IndexError\)\. Exp"),
        (hungry, "memory", r"^'x\.sav' takes more than the limit of 1\.0 GiB of memory to read"),
    ],
)
def test_whatever_happens_to_the_reader_is_one_line(what, cause, message, monkeypatch, caplog):
    hurt(monkeypatch, what)
    limits = ReadingLimits(seconds=1 if cause == "time" else 60, memory_bytes=2**30)
    with caplog.at_level(logging.DEBUG), pytest.raises(ReaderFailedError, match=message) as found:
        read_table(b"$FL2", name="x.sav", limits=limits)
    assert found.value.cause == cause
    assert "\n" not in str(found.value)
    assert "Jane" not in caplog.text + str(found.value)
    assert isinstance(found.value, TableReadError)
    with contextlib.suppress(ChildProcessError):
        assert os.waitpid(-1, os.WNOHANG) == (0, 0), "a process was left behind"


@LINUX
def test_a_busy_machine_refuses_no_honest_file(monkeypatch):
    hurt(monkeypatch, patient)
    assert len(read_table(b"$FL2", name="x.sav", limits=ReadingLimits(seconds=1))) == 1


CRASHING = """
import ctypes, threading
from alc_core.errors import TableReadError
from alc_core.tables.apart import process
from alc_core.tables.apart.read import ReadingLimits
from alc_core.tables.apart.read import read_table
threading.Thread(target=threading.Event().wait, daemon=True).start()
process._START = process._START.replace(
    "main()", "from alc_core.tables import read; import ctypes, time;"
    " read.read_table = lambda *a, **k: {what}; main()")
for _ in range(2):
    try:
        read_table(b"a,b", name="x.csv", limits=ReadingLimits(seconds={seconds}))
    except TableReadError as error:
        print(error.cause, error)
"""


@pytest.mark.parametrize(
    ("what", "seconds", "cause"),
    [("ctypes.string_at(0)", "120", "crash"), ("time.sleep(600)", "1", "time")],
)
def test_a_process_that_cannot_be_forked_survives_as_well(what, seconds, cause):
    run = subprocess.run(
        [sys.executable, "-c", CRASHING.replace("{what}", what).replace("{seconds}", seconds)],
        capture_output=True, text=True, timeout=300, check=True,
    )  # fmt: skip
    first, second = run.stdout.splitlines()
    assert first.startswith(f"{cause} 'x.csv' ")
    assert second == first
    assert not run.stderr


@LINUX
def test_a_warm_process_is_kept_and_replaced_when_it_is_gone(crowded):
    read_table(b"a,b\n1,2\n", name="x.csv")
    (host,) = process._idle
    read_table(b"a,b\n1,2\n", name="x.csv")
    assert process._idle == [host]
    host.kill()
    while host.alive:
        time.sleep(0.01)
    assert len(read_table(b"a,b\n1,2\n", name="x.csv")) == 1
    assert process._idle != [host]


def test_a_file_that_cannot_be_used_is_refused_in_the_same_words(tmp_path, crowded):
    for source in ("nowhere.csv", str(tmp_path), b"", b"%PDF", "https://example.org/x.csv"):
        with pytest.raises(TableReadError) as expected:
            here.read_table(source)
        with pytest.raises(TableReadError) as found:
            read_table(source)
        assert str(found.value) == str(expected.value)
        assert type(found.value) is TableReadError


def test_without_limits_the_file_is_read_here(monkeypatch):
    monkeypatch.setattr(apart, "start", None)
    assert len(read_table(b"a,b\n1,2\n", name="x.csv", limits=None)) == 1


def test_nothing_is_left_on_disk_and_large_tables_come_whole(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    n = 1_200_000
    text = b"a,b\n" + b"".join(b"%d,x%d\n" % (k, k) for k in range(n))
    table = read_table(text, name="long.csv")
    assert len(table) == n
    assert table.frame["a"].iloc[-1] == n - 1
    assert table.frame["b"].iloc[-1] == f"x{n - 1}"
    assert not list(tmp_path.iterdir())


@LINUX
def test_waiting_is_told(monkeypatch):
    hurt(monkeypatch, hang)
    told = []
    with pytest.raises(ReaderFailedError):
        read_table(
            b"a", name="x.csv", limits=ReadingLimits(seconds=2.5), waiting=lambda *t: told.append(t)
        )
    assert {limit for _, limit in told} == {2.5}
    spent = [seconds for seconds, _ in told]
    assert 0 < spent[0] < spent[-1] < 2.5
    assert spent == sorted(spent)


@pytest.mark.parametrize("name", ["big.parquet", "big.csv", "big.xlsx"])
def test_nobody_is_told_to_save_parquet_as_parquet(monkeypatch, name):
    monkeypatch.setattr(apart, "_received", lambda *_: {"memory": True})
    with pytest.raises(ReaderFailedError, match="takes more than the limit") as refused:
        read_table(b"a", name=name)
    assert ("Parquet" in str(refused.value)) == name.endswith("csv")


ADVICE = apart.Advice(slow="Shorten it.", large="Shorten it.", broken="Save it again.")


def test_the_start_of_a_process_is_none_of_the_time_that_its_file_has(monkeypatch, crowded):
    monkeypatch.setattr(process, "_START", f"import time; time.sleep(2.2); {process._START}")
    monkeypatch.setattr(process, "_idle", [])
    words = {"name": "x", "advice": ADVICE, "limits": ReadingLimits(seconds=2)}
    assert apart.read_apart("tests.toys.nosy:say", b"one", str, **words) == "one"
    for host in process._idle:
        process._end(host)


def test_an_answer_is_no_longer_than_any_is_and_of_the_kind_that_is_asked_for():
    words = {"name": "x", "advice": ADVICE}
    with pytest.raises(ReaderFailedError, match="'x' takes more than the limit .* Shorten it"):
        apart.read_apart(
            "tests.toys.nosy:say", b"x" * 1000, str, **words, options={"times": 50_000}
        )
    with pytest.raises(ReaderFailedError, match="'x' is damaged: .* Save it again"):
        apart.read_apart("tests.toys.nosy:say", b"x", list[str], **words)


@pytest.mark.parametrize("limits", [ReadingLimits(), None])
def test_what_is_not_a_file_is_refused_unread(tmp_path, limits):
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "link.csv").symlink_to("/proc/kmsg")
    for path, what in {
        tmp_path / "pipe.csv": "pipe",
        tmp_path / "link.csv": "view of the kernel",
        "/dev/zero": "device",
    }.items():
        with pytest.raises(TableReadError, match=f"is not a file but a {what}"):
            read_table(path, limits=limits)


LIMITED = """
import resource
from alc_core.errors import TableReadError
from alc_core.tables.apart.read import Advice, read_apart
pages = int(open("/proc/self/statm").read().split()[0])
limit = pages * resource.getpagesize() + 2**28
resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
advice = Advice(slow="Shorten it.", large="Shorten it.", broken="Save it again.")
try:
    read_apart("tests.toys.nosy:hungry", b"", int, name="x.csv", advice=advice)
except TableReadError as error:
    print(error)
"""


@LINUX
def test_the_limit_that_the_system_sets_is_told():
    told = subprocess.run(
        [sys.executable, "-c", LIMITED], capture_output=True, text=True, timeout=120, check=True
    ).stdout
    assert re.match(r"'x\.csv' takes more than the 2\d\d\.\d MiB of memory left", told)
    assert "(ulimit -v)" in told


def test_limits_grow_with_the_file_and_can_be_set(monkeypatch):
    usual = ReadingLimits()
    assert usual.seconds_for(0) == usual.seconds_for(2**20) == 20
    assert usual.seconds_for(100 * 2**20) == 1000
    assert usual.memory_for(0) == 2**30
    assert usual.memory_for(10**15) < 10**15
    monkeypatch.setenv("ALC_READ_SECONDS", "7.5")
    monkeypatch.setenv("ALC_READ_GIB", "2")
    assert usual.seconds_for(0) == 7.5
    assert usual.memory_for(0) == 2 * 2**30
    assert ReadingLimits(seconds=1).seconds_for(0) == 1
    monkeypatch.setenv("ALC_READ_SECONDS", "soon")
    with pytest.raises(ParameterError, match="ALC_READ_SECONDS must be a positive number, but is"):
        usual.seconds_for(0)
    with pytest.raises(ParameterError, match="seconds must be a positive number, but is -1"):
        ReadingLimits(seconds=-1)


def test_starting_a_reader_imports_no_model_and_no_page():
    code = (
        "import sys, alc_core.tables.apart.child\n"
        "heavy = {'streamlit', 'plotly', 'sklearn', 'numba', 'scipy', 'statsmodels'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(here.__file__).parents[2])
