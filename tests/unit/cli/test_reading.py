"""How files are read, by options for all tables or for one."""

import numpy as np
import pandas as pd
import pytest

from tests.unit.cli.conftest import ended


def people(seed):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": rng.integers(18, 90, 400),
            "job": rng.choice(["clerk", "smith", "nurse"], 400),
            "pay": rng.integers(900, 5000, 400),
        }
    )


def lines(seed, sep=","):
    return people(seed).to_csv(index=False, sep=sep)


def with_line(text):
    header, _, rest = lines(2).partition("\n")
    return f"{header}\n{text}\n{rest}"


@pytest.fixture
def check(tmp_path):
    def command(release, *options, original=None):
        (tmp_path / "a.csv").write_text(original or lines(1))
        (tmp_path / "b.csv").write_text(release)
        files = ("--original", tmp_path / "a.csv", "--release", tmp_path / "b.csv")
        return ended("check", *files, *options, "--quiet")

    return command


@pytest.mark.parametrize(
    ("release", "answer"),
    [
        (with_line("years,,EUR"), ("--skip-rows", "b.csv=2")),
        (with_line("years,text,EUR"), ("--skip-rows", "2,-1")),
        (with_line("How old?,Your job,Your pay"), ("--accept", "rows-left-out")),
        (with_line("years,,EUR") + "Source: x\n", ("--skip-rows", "b.csv=2,-1")),
        (lines(2, "^"), ("--delimiter", "b.csv=^")),
        (lines(2, "~"), ("--delimiter", "b.csv=~")),
    ],
)
def test_what_is_asked_ends_with_its_answer(check, release, answer):
    assert check(release) == 1
    assert check(release, *answer) == 0


def test_an_option_for_one_table_leaves_the_others_alone(check):
    release = lines(2, "^")
    assert check(release, "--delimiter", "c.csv=^") == 1
    assert check(release, "--delimiter", "^", "--delimiter", "a.csv=,") == 0
    assert check(f"Title one\nTitle two\n{lines(2)}", "--header-row", "b.csv=3") == 0
    assert check(lines(2), "--header-row", "b.csv=0") == 2


@pytest.mark.parametrize("above", ["A survey\n\n", "A survey of people\n", ""])
@pytest.mark.parametrize("below", ["\nSource: an office\n", "Exported on a Monday\n", ""])
def test_titles_and_notes_need_no_answer(check, above, below):
    assert check(f"{above}{lines(2)}{below}") == 0
