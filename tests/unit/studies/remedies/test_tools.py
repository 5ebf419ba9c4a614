"""Changes in the words of other tools: run, or parsed, where the tool is."""

import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest

from alc_core.releases.microdata import Microdata
from alc_core.studies.remedies.changes import (
    DropColumn,
    MergeRare,
    SwapColumn,
    UseLevel,
    changed_release,
)
from alc_core.studies.remedies.proposing import coarser
from alc_core.studies.remedies.tools import TOOLS, in_tools
from alc_core.tables.read import table_from_frame

N = 600
JOBS = ["clerk"] * 300 + ['a "cook"'] * 280 + ["judge"] * 12 + ["it's"] * 8
LEVELS = (("office", ("clerk", "judge")), ("other", ('a "cook"', "it's")))


@pytest.fixture
def original():
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "age": rng.integers(17, 90, size=N),
            "height in cm": rng.normal(170, 9, size=N).round(1),
            "job": rng.permutation(JOBS),
            "since": pd.Timestamp("2001-01-01") + pd.to_timedelta(rng.integers(0, 6000, N), "D"),
        }
    )
    return table_from_frame(frame, name="people")


@pytest.fixture
def changes(original):
    release = Microdata(tables=(original,), name="out")
    return [
        DropColumn(column="job"),
        *(coarser(original, release, "age")),
        *(coarser(original, release, "height in cm")),
        MergeRare(column="job", below=0.05, rare=("judge", "it's"), kept=2, label="other"),
        UseLevel(column="job", level=1, labels=LEVELS),
        SwapColumn(column="job", share=0.3),
    ]


def test_a_line_of_pandas_makes_the_release_that_was_tried(original, changes):
    sets = {label: frozenset(values) for label, values in LEVELS}
    release = Microdata(tables=(original.with_value_sets("job", sets),), name="out")
    for change in changes:
        (tried,) = changed_release(original, release, (change,)).tables
        names = {"pd": pd, "release": original.frame.astype({"job": object})}
        exec(in_tools(change)["pandas"], names)
        made = names["release"]
        assert list(made.columns) == list(tried.columns)
        if isinstance(change, SwapColumn):  # at random
            assert sorted(made["job"]) == sorted(JOBS)
            assert 0 < (made["job"] != original.frame["job"].astype(object)).mean() < 0.3
        elif not isinstance(change, DropColumn):
            column = change.column
            assert made[column].astype(str).tolist() == tried.frame[column].astype(str).tolist()


@pytest.mark.skipif(not shutil.which("Rscript"), reason="needs R (r-base-core)")
def test_lines_of_sdcmicro_are_r_and_cut_as_was_tried(original, changes, tmp_path):
    script, ages = tmp_path / "lines.R", tmp_path / "ages.csv"
    original.frame[["age"]].to_csv(ages, index=False)
    lines = "\n".join(in_tools(change)["sdcMicro"] for change in changes)
    own = (
        "globalRecode <- function(sdc, column, breaks, labels) { if (column == 'age')"
        " print(table(cut(sdc$age, breaks, labels))); sdc }\n"
        "removeDirectID <- groupAndRename <- pram <- function(sdc, ...) sdc\n"
        f"sdc <- read.csv('{ages}')\n"
    )
    script.write_text(own + lines, "utf-8")
    done = subprocess.run(["Rscript", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    first = next(change for change in changes if change.column == "age")
    tried = pd.cut(original.frame["age"], [*first.bounds[:-1], np.inf], right=False)
    counts = tried.value_counts(sort=False).tolist()
    assert list(map(int, done.stdout.splitlines()[2].split())) == counts


def test_each_tool_has_words_of_its_own(original):
    level = in_tools(UseLevel(column="job", level=2, labels=LEVELS))
    assert tuple(level) == TOOLS
    assert level["ARX"] == "Set minimum and maximum generalization of 'job' to 2."
    assert level["sdcMicro"].splitlines()[0] == (
        'sdc <- groupAndRename(sdc, var = "job", before = c("clerk", "judge"), after = "office")'
    )
    assert "ARX" not in in_tools(SwapColumn(column="job", share=0.3))
    release = Microdata(tables=(original,), name="out")
    assert not in_tools(coarser(original, release, "since")[0])
