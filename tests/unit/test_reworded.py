"""Verdicts, advice and order follow from facts: they are the same whatever the product's words."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.toys.reworded import facts_of, run

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def as_it_is(tmp_path_factory):
    path = tmp_path_factory.mktemp("words") / "as_it_is.alc"
    run(path)
    return path, json.loads(json.dumps(facts_of(path)))


def test_the_campaign_has_something_to_say(as_it_is):
    facts = as_it_is[1]["facts"]
    codes = {code for notes in facts["notes"] for code, *_ in notes}
    assert codes >= {"row-order", "copied-rows", "identical-release"}
    columns = list(zip(*facts["lines"], strict=True))
    assert set(columns[3]) == set(columns[4]) == {True, False}
    assert len(set(columns[1])) >= 2
    assert len(set(facts["results"]["standing"])) >= 2


def test_other_words_give_the_same_facts(as_it_is, tmp_path):
    path, expected = as_it_is
    command = [sys.executable, "-m", "tests.toys.reworded", "1", path, tmp_path / "new.alc"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    read, made = json.loads(found.stdout)
    assert read["facts"] == made["facts"] == expected["facts"]
    # Hardly a sentence is the same: some are nothing but names and numbers.
    assert len(set(made["words"]) & set(expected["words"])) <= len(set(expected["words"])) / 5
