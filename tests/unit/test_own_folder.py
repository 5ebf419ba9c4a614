"""Folders that do not outlive their process for long."""

import gc
import stat
import subprocess
import sys

import pytest

from alc_core.runtime.machine import OwnFolder

KILLED = """
import os
from alc_core.runtime.machine import OwnFolder
folder = OwnFolder()
(folder.path / "columns").write_text("1")
print(folder.path, flush=True)
os.kill(os.getpid(), 9)
"""


def test_it_goes_when_removed_and_with_its_last_reference(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    folder = OwnFolder()
    assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700
    folder.remove()
    folder.remove()
    assert not folder.path.exists()
    path = OwnFolder().path
    gc.collect()
    assert not path.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_what_a_killed_process_leaves_goes_with_the_next_and_what_lives_stays(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    living = OwnFolder()
    subprocess.run([sys.executable, "-c", KILLED], check=False, capture_output=True)
    assert len(list(tmp_path.glob("*/columns"))) == 1
    other = OwnFolder()
    assert not list(tmp_path.glob("*/columns"))
    assert {living.path, other.path} == set(tmp_path.iterdir())
