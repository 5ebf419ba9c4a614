"""Releases that repeat people's texts, by the command line."""

import io
import json

import pandas as pd
import pytest

from tests.toys.notes import notes, replaying, table

SIZE = 600


@pytest.fixture(scope="module")
def files(written):
    own = notes(SIZE, 1)
    return written(
        table(own, 1).frame,
        leak=table(replaying(own, notes(SIZE, 2), 0.2, 3), 4).frame,
        twin=table(notes(SIZE, 5), 6).frame,
        nameless=table(notes(SIZE, 7, names=False), 8).frame,
    )


def campaign(files, out, *names, accept=()):
    tables = [each for name in names for each in ("--release", f"{name}={files / name}.csv")]
    return (
        "campaign", "--original", files / "original.csv", *tables, "--out", out, "--unknown",
        "rent", "--known-sets", 0, "--known", "age,town", "--no-all-others", "--targets", 300,
        "--jobs", 1, "--quiet", *accept,
    )  # fmt: skip


def test_the_check_asks_and_lists_what_returns_on_request_only(files, run):
    tables = ("check", "--original", files / "original.csv", "--release", files / "leak.csv")
    done = run(*tables)
    assert done.code == 1
    assert done.asks
    assert "replayed-texts" in done.err
    listed = run(*tables, "--texts", "-")
    found = pd.read_csv(io.StringIO(listed.out))
    assert found.columns.tolist() == ["release", "row", "column", "kind", "piece"]
    assert not any(piece in done.out + done.err for piece in found["piece"].astype(str))
    told = pd.read_csv(files / "leak.csv")["notes"]
    numbers = found[found["kind"] == "number"]
    assert len(numbers) > 80
    for row, piece in zip(numbers["row"], numbers["piece"], strict=True):
        assert str(piece) in told[row - 1]
    accepted = run(*tables, "--accept", "replayed-texts")
    assert (accepted.code, accepted.asks) == (1, False)


def test_the_gate_stops_it_and_passes_its_twins(files, run):
    accept = ("--accept", "replayed-texts")
    out = files / "texts.alc"
    assert run(*campaign(files, out, "leak", "twin", "nameless", accept=accept)).code == 0
    done = run("gate", out, "--json", "-")
    found = {line["release"]: line for line in json.loads(done.out)["releases"]}
    assert done.code == 1
    assert [each["cause"] for each in found["leak"]["grounds"]] == ["contains people's texts"]
    assert found["twin"]["outcome"] == found["nameless"]["outcome"] == "passed"
    shown = run("findings", out)
    assert "Contains people's texts" in shown.out
    assert "Rewrite or remove these texts." in " ".join(shown.out.split())


def test_a_release_that_waits_for_an_answer_is_stopped_as_well(files, run):
    out = files / "waiting.alc"
    assert run(*campaign(files, out, "leak", "twin")).code == 3
    done = run("gate", out)
    assert done.code == 1
    assert "leak: stopped (contains people's texts" in done.out
    assert "twin: passed" in done.out


def test_assess_ends_with_1(files, run):
    attack = (
        "assess", "--original", files / "original.csv", "--known", "age,town", "--unknown", "rent",
        "--targets", 300, "--quiet", "--fail-on", "at-risk", "--accept", "replayed-texts",
    )  # fmt: skip
    done = run(*attack, "--release", files / "leak.csv")
    assert done.code == 1
    assert "contains people's texts" in done.err
    assert "Contains people's texts." in done.out
    assert run(*attack, "--release", files / "twin.csv").code == 0
