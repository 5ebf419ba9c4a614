import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from filelock import FileLock, Timeout

from alc_core.campaign.file.file_errors import CampaignFileError
from alc_core.campaign.run.start import run_lock
from alc_core.errors import InputError

HOLDER = """
import sys
from alc_core.campaign.run.start import run_lock
with run_lock(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "review.alc"


@pytest.fixture
def holder(path):
    command = [sys.executable, "-c", HOLDER, path]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_one_run_at_a_time_in_one_process(path):
    message = "'.*review.alc' is running elsewhere. Wait"
    with run_lock(path):
        with pytest.raises(InputError, match=message), run_lock(str(path)):
            pass
        with run_lock(path.with_name("other.alc")):
            pass
    with run_lock(path):
        pass
    assert list(path.parent.iterdir()) == []


def test_one_run_at_a_time_through_a_link(path):
    path.touch()
    link = path.with_name("link")
    link.symlink_to(path)
    with (
        run_lock(path),
        pytest.raises(InputError, match="'.*link' is running"),
        run_lock(link),
    ):
        pass


def test_it_is_let_go_of_after_an_error(path):
    with pytest.raises(ZeroDivisionError), run_lock(path):
        raise ZeroDivisionError
    with run_lock(path):
        pass


def test_another_process_is_refused_until_it_ends(path, holder):
    for _ in range(3):  # who is refused does not free the lock
        with pytest.raises(CampaignFileError, match="is running elsewhere"), run_lock(path):
            pass
    with run_lock(path.with_name("other.alc")):
        pass
    assert path.with_name("review.alc-run").exists()
    holder.stdin.write("\n")
    holder.stdin.flush()
    holder.wait(30)
    assert list(path.parent.iterdir()) == []
    with run_lock(path):
        pass


def test_a_killed_process_holds_nothing(path, holder):
    holder.kill()
    holder.wait(30)
    assert path.with_name("review.alc-run").exists()
    with run_lock(path):
        pass
    assert list(path.parent.iterdir()) == []


def test_a_folder_that_is_not_there(path):
    with (
        pytest.raises(CampaignFileError, match="review.alc' cannot be written: folder"),
        run_lock(path.parent / "nowhere" / path.name),
    ):
        pass
    with run_lock(path):
        pass


def test_a_folder_that_cannot_be_written(without_privileges):
    path = without_privileges / "review.alc"
    without_privileges.chmod(0o500)
    with (
        pytest.raises(CampaignFileError, match="review.alc-run' cannot be used: Permission denied"),
        run_lock(path),
    ):
        pass


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="a folder that makes no files")
def test_a_folder_that_makes_no_files():
    message = "'/proc/review.alc-run' cannot be used: No such file or directory"
    with pytest.raises(CampaignFileError, match=message), run_lock("/proc/review.alc"):
        pass


def test_a_lock_file_that_appears_late(path, monkeypatch):
    """The file cannot be made for as long as filelock waits, and can be made then."""
    acquire, waits = FileLock.acquire, []

    def time_out_first(lock, **options):
        waits.append(path.with_name("review.alc-run").exists())
        if len(waits) == 1:
            raise Timeout(lock.lock_file)
        return acquire(lock, **options)

    monkeypatch.setattr(FileLock, "acquire", time_out_first)
    with run_lock(path):
        assert waits == [False, True]
    assert list(path.parent.iterdir()) == []


def test_many_threads_take_turns(path):
    inside, most, entered = 0, 0, 0
    guard = threading.Lock()

    def work():
        nonlocal inside, most, entered
        for _ in range(50):
            try:
                with run_lock(path):
                    with guard:
                        inside += 1
                        entered += 1
                        most = max(most, inside)
                    with guard:
                        inside -= 1
            except InputError:
                pass

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1
    assert entered > 0


@pytest.mark.skipif(os.name != "posix", reason="elsewhere an open file cannot be removed")
def test_processes_that_come_and_go_never_overlap(path):
    script = """
import os, sys
from alc_core.campaign.run.start import run_lock
from alc_core.errors import InputError
for _ in range(100):
    try:
        with run_lock(sys.argv[1]):
            os.close(os.open(sys.argv[1] + ".inside", os.O_CREAT | os.O_EXCL))
            os.unlink(sys.argv[1] + ".inside")
    except InputError:
        pass
"""
    runs = [subprocess.Popen([sys.executable, "-c", script, path]) for _ in range(3)]
    assert [run.wait(120) for run in runs] == [0, 0, 0]
