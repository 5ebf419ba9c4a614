"""Ugly files, as a user meets them: one line that says what is wrong, and never a traceback."""

import gzip
import re
import zipfile

import numpy as np
import openpyxl
import pandas as pd
import pytest

from alc_core.cli import main

FEW_TARGETS = ("--targets", "200", "--max-interval-width", "0.2")


def write(folder, name, content):
    path = folder / name
    if isinstance(content, pd.DataFrame):
        content.to_csv(path, index=False)
    elif isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content, encoding="utf-8")
    return path


def run(capsys, original, release, known="age,city,hours", unknown="job"):
    with pytest.raises(SystemExit) as ended:
        main(
            ["assess", "--quiet", "--verbose", "--original", str(original), "--release",
             str(release), "--known", known, "--unknown", unknown, *FEW_TARGETS]
        )  # fmt: skip
    captured = capsys.readouterr()
    return ended.value.code, captured.out, captured.err


def bomb(folder):
    path = folder / "bomb.zip"
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("bomb.csv", "w", force_zip64=True) as member,
    ):
        for _ in range(300):
            member.write(b"0" * 1_000_000)
    return path


def workbook_with_formulas(folder):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["age", "city", "hours", "job"])
    for row in range(60):
        sheet.append([20 + row % 40, "Ulm", f"=A{row + 2}*2", "clerk"])
    path = folder / "formulas.xlsx"
    book.save(path)
    return path


FILES = {
    "empty": (lambda f, p: write(f, "x.csv", b""), "x.csv.*empty"),
    "header only": (lambda f, p: write(f, "x.csv", "age,city,hours,job\n"), "x.csv.*row"),
    "one row": (lambda f, p: write(f, "x.csv", "age,city,hours,job\n1,Ulm,3,x\n"), "x.csv.*1 row"),
    "duplicate names": (
        lambda f, p: write(f, "x.csv", "age,city,age,job\n1,a,2,b\n3,c,4,d\n"),
        "x.csv.*'age'",
    ),
    "not there": (lambda f, p: f / "nowhere.csv", "nowhere.csv"),
    "a directory": (lambda f, p: f.joinpath("d").mkdir() or f / "d", "No file"),
    "picture": (lambda f, p: write(f, "x.csv", b"\x89PNG\r\n\x1a\n" + bytes(500)), "x.csv"),
    "prose": (lambda f, p: write(f, "x.csv", "Dear all\nplease find\nnothing here\n"), "x.csv"),
    "web page": (lambda f, p: write(f, "x.csv", "<!DOCTYPE html><html><body></body></html>"), "x"),
    "ragged": (lambda f, p: write(f, "x.csv", "a,b\n1,2\n3,4,5\n6,7\n"), "x.csv.*line 3"),
    "10 000 columns": (
        lambda f, p: write(f, "x.csv", ",".join(f"c{i}" for i in range(10_000)) + "\n1\n"),
        "x.csv.*10.?000 columns",
    ),
    "zip bomb": (lambda f, p: bomb(f), "bomb.zip"),
    "broken gzip": (lambda f, p: write(f, "x.csv.gz", gzip.compress(b"a,b\n1,2\n")[:12]), "x.csv"),
    "formulas without values": (lambda f, p: workbook_with_formulas(f), "formulas.xlsx.*formula"),
    "all missing": (
        lambda f, p: write(f, "x.csv", p().assign(job=None)),
        "x.csv', column 'job'",
    ),
    "constant unknown": (
        lambda f, p: write(f, "x.csv", p().assign(job="clerk")),
        "x.csv', column 'job'.*All values are the same",
    ),
    "all-distinct unknown": (
        lambda f, p: write(f, "x.csv", p(400).assign(job=[f"job{i}" for i in range(400)])),
        "x.csv', column 'job'.*distinct",
    ),
    "too few rows": (lambda f, p: write(f, "x.csv", p(20)), "x.csv.*rows"),
    "no common column": (
        lambda f, p: write(f, "x.csv", p().rename(columns=lambda c: f"other_{c}")),
        "column|Column",
    ),
}


@pytest.mark.parametrize("case", FILES)
def test_unusable_original(case, tmp_path, capsys, people):
    make, message = FILES[case]
    code, out, err = run(capsys, make(tmp_path, people), write(tmp_path, "r.csv", people()))
    assert code == 2, out + err
    assert out == ""
    error, *use = err.strip().splitlines()
    assert all(line.startswith("Use: --same ") for line in use), err
    assert re.search(message, error), err


@pytest.mark.parametrize(
    ("change", "note"),
    [
        (lambda p: p.assign(hours=p["hours"].map(lambda h: f"{h // 10:.0f}0-{h // 10:.0f}9")),
         "match all they cover: in hours"),
        (lambda p: p.assign(city="*"), "match all they cover: in city"),
    ],
)  # fmt: skip
def test_generalized_release(change, note, tmp_path, capsys, people):
    original = write(tmp_path, "o.csv", people())
    code, out, err = run(capsys, original, write(tmp_path, "r.csv", change(people())))
    assert code == 0, out + err
    assert note in " ".join((out + err).split())
    assert "No loss" not in out


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda p: p.drop(columns="job"), "r.csv.*'job'"),
        (lambda p: p[["job"]], "known"),
        (lambda p: p.assign(age=p["age"] * 365 + 9000), "r.csv', column 'age'"),
    ],
)  # fmt: skip
def test_unusable_release(change, message, tmp_path, capsys, people):
    original = write(tmp_path, "o.csv", people())
    code, out, err = run(capsys, original, write(tmp_path, "r.csv", change(people())))
    assert code == 2, out + err
    error, *use = err.strip().splitlines()
    assert all(line.startswith("Use: --same ") for line in use), err
    assert re.search(message, error), err


@pytest.mark.parametrize(
    "change",
    [
        lambda p: p.assign(age=p["age"].astype(str).where(p["age"] % 7 > 0, "")),
        lambda p: p.assign(hours=p["hours"].where(p["hours"] < 45, np.inf)),
        lambda p: p.assign(**{f"extra{i}": i for i in range(60)}),
        lambda p: p.assign(job=p["job"].where(p["age"] > 30)),
        lambda p: p.sort_values("job"),
    ],
)
def test_awkward_releases_run(change, tmp_path, capsys, people):
    original = write(tmp_path, "o.csv", people(400))
    code, out, err = run(capsys, original, write(tmp_path, "r.csv", change(people(400))))
    assert code == 0, err
    assert "Verdict: " in out


@pytest.mark.parametrize(
    ("encoding", "separator", "decimal"),
    [("cp1252", ";", ","), ("utf-16", "\t", "."), ("utf-8-sig", "|", ".")],
)
def test_delimiters_encodings_and_decimal_commas_are_found_out(
    encoding, separator, decimal, tmp_path, capsys, people
):
    path = tmp_path / "o.csv"
    people(400).to_csv(path, index=False, sep=separator, decimal=decimal, encoding=encoding)
    code, _, err = run(capsys, path, write(tmp_path, "r.csv", people(400)))
    assert code == 0, err
