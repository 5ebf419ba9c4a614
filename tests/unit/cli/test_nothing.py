"""Where nothing can be attacked, one reason is said, with exit code 3."""

import pandas as pd
import pytest


@pytest.fixture
def files(tmp_path, people):
    frame = people(600)
    frame.to_csv(tmp_path / "people.csv", index=False)
    cells = frame.groupby(["city", "job"]).size().rename("n").reset_index()
    cells.to_csv(tmp_path / "cells.csv", index=False)
    pd.crosstab(frame["city"], frame["job"], margins=True).to_csv(tmp_path / "cross.csv")
    return tmp_path


@pytest.mark.parametrize(
    ("release", "what"), [("cells", "table of counts"), ("cross", "cross table")]
)
@pytest.mark.parametrize("command", ["plan", "campaign"])
def test_tables_of_no_people(files, run, command, release, what):
    out = ("--out", files / "c.alc", "--quiet") if command == "campaign" else ()
    tables = ("--original", files / "people.csv", "--release", files / f"{release}.csv")
    code, _, err = run(command, *tables, *out)
    assert code == 3
    assert len(err.strip().splitlines()) == 1
    assert f"This is a {what}" in err
    assert not (files / "c.alc").exists()


def test_one_attack_on_cells_is_refused(files, run):
    code, _, err = run(
        "assess", "--original", files / "people.csv", "--release", files / "cells.csv",
        "--known", "city", "--unknown", "job", "--quiet", "--accept", "table-of-counts",
    )  # fmt: skip
    assert code == 2
    assert "This is a table of counts" in err
