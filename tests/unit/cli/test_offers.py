"""What findings offer to answer them: each is taken, the finding is gone, and a run goes through.

Whoever adds a finding with an offer adds a pair of tables that has it to `PLAIN`.
"""

import json
import re
import shlex
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from alc_core.phrasing import in_list
from tests.unit.cli.conftest import ended

N = 600
# Original and release, and what an attacker knows and wants to learn
Tables = tuple[pd.DataFrame, pd.DataFrame, str, str]


def people() -> pd.DataFrame:
    draw = np.random.default_rng(3)
    return pd.DataFrame(
        {
            "age": draw.integers(18, 90, N),
            "town": draw.choice(["Ulm", "Bonn", "Jena", "Kiel"], N),
            "pay": draw.integers(1, 16, N) * 1000,
            "job": draw.choice(["nurse", "smith", "clerk"], N, p=[0.4, 0.3, 0.3]),
        }
    )


def shuffled(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.sample(frac=1, random_state=1)


def column_under_another_name() -> Tables:
    return people(), shuffled(people()).rename(columns={"age": "ages"}), "age,town", "job"


def amounts_taken_as_categories() -> Tables:
    noise = np.random.default_rng(4).normal(0, 90, N).round(1)
    return people(), shuffled(people().assign(pay=people()["pay"] + noise)), "pay,town", "job"


def column_under_another_name_and_amounts() -> Tables:
    original, release, _, _ = amounts_taken_as_categories()
    return original, release.rename(columns={"age": "ages"}), "age,pay", "job"


def numbers_that_are_codes() -> Tables:
    places = np.random.default_rng(5).integers(10_000, 99_999, 40)
    original = people().assign(place=np.random.default_rng(6).choice(places, N))
    draw = np.random.default_rng(7)  # Rows of nobody, so that none says how it is coded
    release = original.apply(lambda column: draw.permutation(column.to_numpy()))
    return original, release.assign(place=release["place"] // 10), "place,age", "job"


def labels_exchanged() -> Tables:
    back = {"nurse": "smith", "smith": "clerk", "clerk": "nurse"}
    release = shuffled(people())
    return people(), release.assign(job=release["job"].map(back)), "age,pay,town", "job"


def numbers_in_another_unit() -> Tables:
    release = shuffled(people())
    return people(), release.assign(age=release["age"] + 5), "age,pay,town", "job"


def ages_in_bands() -> Tables:
    release = shuffled(people())
    low = release["age"] // 10 * 10
    bands = low.astype(str) + "-" + (low + 9).astype(str)
    return people(), release.drop(columns="age").assign(age_group=bands), "age,town", "job"


def word_that_may_be_no_value() -> Tables:
    grade = np.random.default_rng(9).choice([*map(str, range(1, 13)), "K"], N)
    original = people().assign(grade=grade)
    return original, shuffled(original), "age,town", "grade"


# By the code of the finding that offers something
PLAIN: list[tuple[str, Callable[[], Tables]]] = [
    ("missing-column", column_under_another_name),
    ("unknown-labels", amounts_taken_as_categories),
    ("missing-column", column_under_another_name_and_amounts),
    ("scale-changed", numbers_that_are_codes),
    ("other-coding", labels_exchanged),
    ("other-coding", numbers_in_another_unit),
    ("missing-column", ages_in_bands),
    ("no-value", word_that_may_be_no_value),
]


HOSTILE = {
    "age": "Age, in years",
    "town": 'The "home" town',
    "pay": "Pay in 1=net, it's",
    "job": "Job in 2020, 9=none",
    "grade": 'Grade in "9=K", it\'s',
}


def hostile(make: Callable[[], Tables]) -> Callable[[], Tables]:
    """Return tables with names that an option or a shell could read otherwise."""

    def made() -> Tables:
        *frames, known, unknown = make()
        original, release = (frame.rename(columns=HOSTILE) for frame in frames)
        names = ",".join(in_list(HOSTILE[each]) for each in known.split(","))
        return original, release, names, in_list(HOSTILE[unknown])

    return made


HARDEST = (column_under_another_name, amounts_taken_as_categories, word_that_may_be_no_value)
TABLES = [*PLAIN, *((code, hostile(make)) for code, make in PLAIN if make in HARDEST)]


@pytest.fixture
def given(tmp_path, request, capsys):
    """The options of a pair of tables, and the findings of the check with more options."""
    original, release, known, unknown = request.param()
    for name, table in (("original", original), ("release", release)):
        table.to_csv(tmp_path / f"{name}.csv", index=False)
    options = [
        "--original", tmp_path / "original.csv", "--release", tmp_path / "release.csv",
        "--known", known, "--unknown", unknown,
    ]  # fmt: skip

    def found(*more):
        capsys.readouterr()
        ended("check", *options, *more, "--json", "-")
        return json.loads(capsys.readouterr().out)["findings"]

    return options, found


def assess(options, *more):
    accuracy = ("--targets", 100, "--max-interval-width", 0.3, "--quiet")
    return ended("assess", *options, *more, *accuracy)


@pytest.mark.parametrize(
    ("given", "code"),
    [(make, code) for code, make in TABLES],
    indirect=["given"],
    ids=[f"{make.__name__}-{number}" for number, (_, make) in enumerate(TABLES)],
)
def test_every_offer_mends_what_was_found(given, code):
    options, found = given
    findings = found()
    asked = [each for each in findings if each["offers"] and each["code"] == code]
    assert asked
    others = [
        option
        for each in findings
        if each not in asked and each["offers"]
        for option in (f"--{each['offers'][0]['option']}", each["offers"][0]["value"])
    ]
    for each in asked:
        for offer in each["offers"]:
            taken = (f"--{offer['option']}", offer["value"])
            left = {(one["code"], one["column"]) for one in found(*taken)}
            assert (each["code"], each["column"]) not in left
            assert not any(one["blocking"] for one in found(*taken, *others))
            assert assess(options, *taken, *others) == 0


RENAMED = {
    "town": {"Ulm": "T1", "Bonn": "T2", "Jena": "T3", "Kiel": "T4"},
    "job": {"nurse": "5", "smith": "7", "clerk": "9"},
}


def renamed(*columns: str) -> Callable[[], Tables]:
    def make() -> Tables:
        release = shuffled(people())
        for column in columns:
            release[column] = release[column].map(RENAMED[column])
        return people(), release, "age,town", "job"

    return make


def words_for_numbers() -> Tables:
    ages = np.where(people()["age"] < 50, "young", "old")
    mixed = people().assign(age=np.random.default_rng(8).permutation(ages))
    return people(), mixed.drop(columns=["pay"]), "age,town", "job"


@pytest.mark.parametrize(
    "given",
    [renamed("town"), renamed("job"), renamed("town", "job"), words_for_numbers],
    indirect=True,
    ids=["known", "unknown", "both", "numbers"],
)
def test_labels_that_nobody_explained_are_saved_to_be_filled_in(given, tmp_path):
    options, found = given
    asked = {each["column"] for each in found() if each["blocking"]}
    file = tmp_path / "labels.json"
    ended("check", *options, "--save-sets", file)
    saved = json.loads(file.read_text())
    assert set(saved) == asked
    assert {text for labels in saved.values() for text in labels.values()} == {""}
    before = [(each["code"], each["column"]) for each in found()]
    same = [(each["code"], each["column"]) for each in found("--sets", file)]
    assert same == before, "what is not filled in says nothing"
    back = {new: old for names in RENAMED.values() for old, new in names.items()}
    meant = {**back, "young": "..49", "old": "50.."}
    filled = {column: {label: meant[label] for label in labels} for column, labels in saved.items()}
    file.write_text(json.dumps(filled))
    assert not [each for each in found("--sets", file) if each["blocking"]]
    assert assess(options, "--sets", file) == 0


@pytest.mark.parametrize("column", ["Job, -1 none", 'Job in "2020"', "9=none, it's in 1", "job"])
@pytest.mark.parametrize("values", [("refused",), ("98. DK", "n/a")])
def test_what_the_check_advises_works_when_it_is_pasted(column, values, tmp_path, capsys):
    draw = np.random.default_rng(1)
    jobs = draw.choice(["nurse", "smith", "clerk", *values], N)
    frame = people().drop(columns="job").assign(**{column: jobs})
    for name, table in (("original", frame), ("release", shuffled(frame))):
        table.to_csv(tmp_path / f"{name}.csv", index=False)
    tables = ["--original", tmp_path / "original.csv", "--release", tmp_path / "release.csv"]
    ended("check", *tables)
    said = capsys.readouterr().out
    assert "--unknown " in said
    for advice in re.findall(r"(--(?:unknown|missing) .*)", said):
        words = shlex.shlex(advice, posix=True)
        words.whitespace_split, words.commenters = True, ""
        option = [next(words), next(words).rstrip(".,")]
        for command in ("check", "plan"):
            ended(command, *tables, "--known", "age,town", *option)
            assert "Error" not in capsys.readouterr().err, option


def test_the_answers_are_printed_as_options(tmp_path, capsys):
    original, release, *_ = amounts_taken_as_categories()
    for name, table in (("original", original), ("release", release)):
        table.to_csv(tmp_path / f"{name}.csv", index=False)
    ended("check", "--original", tmp_path / "original.csv", "--release", tmp_path / "release.csv")
    assert re.search(r"Use: --continuous pay\b", capsys.readouterr().out)
