"""``alc check`` of columns that are worked out from others."""

import pytest


@pytest.fixture(scope="module")
def files(written, people):
    return written(people(400), weak=0.05)


@pytest.fixture
def check(run, files):
    def command(*arguments):
        tables = ["--original", files / "original.csv", "--release", files / "weak.csv"]
        return run("check", *tables, "--quiet", *arguments)

    return command


@pytest.mark.parametrize(
    "asked",
    [
        ("--unknown", "age >= 40"),
        ("--unknown", "city in Ulm|Bonn"),
        ("--unknown", "city & job"),
        ("--known", "age >= 40", "--unknown", "job"),
        ("--unknown", "job", "--missing", "city in Ulm|Bonn=no"),
    ],
)
def test_columns_that_are_worked_out_are_there(check, asked):
    _, out, err = check(*asked)
    assert "missing-column" not in out + err
    assert "weak.csv: 400 rows, 4 columns" in out, "as in the file"


@pytest.mark.parametrize("name", ["jobs", "pay >= 40"])
def test_columns_that_no_column_leads_to_are_missed(check, name):
    code, out, _ = check("--unknown", name)
    assert code == 1
    assert "missing-column" in out
