"""The fuzzer for campaign files sees what it is there for."""

import functools
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from alc_core.campaign.file import database
from tests.toys.campaigns import run_quickly


@pytest.fixture(scope="module")
def fuzz():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(Path(__file__).parents[4] / "benchmarks")
        module = importlib.import_module("fuzz_campaigns")
        patch.setattr(module, "sound_files", functools.cache(module.sound_files))
        yield module


def test_a_change_that_nobody_notices_is_found(fuzz, monkeypatch, capsys):
    monkeypatch.setattr(database, "found_damage", lambda _: ())
    assert fuzz.main(["--replay", "24", "--seed", "3"]) == 1
    assert "CHANGED at dashboard" in capsys.readouterr().out


def test_the_same_change_is_told_by_the_product(fuzz, capsys):
    assert fuzz.main(["--replay", "24", "--seed", "3"]) == 0
    assert "damage told" in capsys.readouterr().out


LATE = """
import sys
from pathlib import Path
from alc_core.campaign.file.examine import examine
before = set(sys.modules)
examine(Path(sys.argv[1]))
print(*(set(sys.modules) - before))
"""


def test_nothing_is_left_to_import_while_a_file_is_read(people, tmp_path):
    run_quickly(people(), {"r": people()}, tmp_path / "c.alc").close()
    told = subprocess.run(
        [sys.executable, "-c", LATE, tmp_path / "c.alc"],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    assert not told.stdout.split()
