"""Running commands in this process."""

import json
from typing import NamedTuple

import pandas as pd
import pytest

from alc_core import swap_columns
from alc_core.cli import main
from alc_core.studies.holdout import data
from alc_core.studies.utility import measuring
from tests.conftest import reading_of_room

_reading = reading_of_room()


@pytest.fixture(autouse=True)
def _few_trees(monkeypatch):
    """Measure utility and holdouts with small models, here: unit/studies tests the usual ones."""
    monkeypatch.setattr(measuring, "TREES", 10)
    monkeypatch.setattr(measuring, "available_threads", lambda: 1)
    monkeypatch.setattr(data, "_TREES", 10)


class Done(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def asks(self):
        """Whether a check has a question or an error; what stops a release ends it with 1, too."""
        return "to fix or answer" in self.err


def ended(*arguments):
    """Run a command; return its exit code."""
    with pytest.raises(SystemExit) as end:
        main([str(argument) for argument in arguments])
    return end.value.code


@pytest.fixture
def run(capsys):
    """Runs a command; returns its exit code, what it wrote, and what it said beside."""

    def command(*arguments):
        return Done(ended(*arguments), *capsys.readouterr())

    return command


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Writes an original and others: tables, or shares of its values to swap between people."""

    def write(frame, **others):
        folder = tmp_path_factory.mktemp("files")
        for name, other in {"original": frame, **others}.items():
            table = other if isinstance(other, pd.DataFrame) else swap_columns(frame, other, seed=1)
            table.to_csv(folder / f"{name}.csv", index=False)
        return folder

    return write


def results(text):
    """What a command wrote as JSON, a result each."""
    return json.loads(text)["results"]
