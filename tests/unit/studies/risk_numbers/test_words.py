"""What is said of risk numbers, and of ALC beside them."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from alc_core.figures.template import alt_of
from alc_core.phrasing import quoted
from alc_core.plain_values import from_plain, to_plain
from alc_core.present.renderers import terminal_text
from alc_core.studies.risk_numbers.figures import class_size_histogram
from alc_core.studies.risk_numbers.result import RiskNumbers, RowsAre
from alc_core.studies.risk_numbers.study import (
    AlcBeside,
    RiskNumbersStudy,
    alc_sentence,
    disagreement,
)
from alc_core.studies.risk_numbers.words import (
    NONE,
    basis_sentence,
    notes,
    numbers_table,
    risk_sentence,
)
from alc_core.studies.study import Viewpoint, result_blocks
from tests.toys import five_candidates as five
from tests.unit.studies.risk_numbers.test_classes import PEOPLE, decades, measured

STUDY = RiskNumbersStudy()
ALIKE = pd.DataFrame({"town": ["a"] * 20 + ["b"] * 20, "job": ["x"] * 20 + ["y", "z"] * 10})
SERIOUS = AlcBeside(
    number=3, unknown="job", wanted="job", standing="serious", alc=0.9, knows_no_more=True
)
SAFE = replace(SERIOUS, standing="below limit", alc=0.1)


def test_the_main_result_is_a_sentence():
    assert risk_sentence(measured(PEOPLE, decades())) == (
        "33% of released rows are unique (k = 1); 100% are in classes below 11 (risk above "
        "0.09). In the original, 100% of people are unique."
    )
    assert risk_sentence(measured(ALIKE, ALIKE, ("town",), threshold=0.2)) == (
        "Every released row equals at least 19 others (k = 20); 0% are in classes below 5 (risk "
        "above 0.2). In the original, 0% of people are unique."
    )
    assert "changed or are synthetic. The release has no classes" in risk_sentence(
        measured(PEOPLE, PEOPLE, rows_are=RowsAre.CHANGED)
    )
    assert "All known columns are suppressed" in risk_sentence(
        measured(PEOPLE, PEOPLE.assign(age="*", sex="*"))
    )


def test_a_release_of_more_rows_than_the_population_is_no_sample_of_it():
    twice, asked = pd.concat([ALIKE, ALIKE]), {"population": 41, "rows_are": RowsAre.PEOPLE}
    found = measured(ALIKE, twice, ("town",), **asked)
    (estimated,) = (row for row in numbers_table([found]).rows if "Estimated" in row[0])
    assert estimated[1:] == ("0%", NONE)
    assert STUDY.plain(found)["released"]["population"] is None


def test_numbers_that_mean_nothing_are_not_shown():
    results = [measured(PEOPLE, decades()), measured(PEOPLE, PEOPLE, rows_are=RowsAre.CHANGED)]
    table = numbers_table(results)
    assert table.header == ("Number", "Original", "v (1)", "v (2)")
    assert {row[3] for row in table.rows} == {NONE}
    assert not any("Journalist" in row[0] or "Estimated" in row[0] for row in table.rows)
    sample = measured(PEOPLE, decades().iloc[:6], population=500)
    titles = [row[0] for row in numbers_table([sample]).rows]
    assert "Journalist risk, highest" in titles
    assert "Estimated: unique in the population" in titles


def test_one_value_in_large_classes_explains_why_alc_is_worse_than_k():
    found = measured(ALIKE, ALIKE, ("town",), protected=("job",))
    assert disagreement(found, SERIOUS) == (
        "No class is smaller than 11, but the attack infers 'job': 50% of rows are in classes "
        "with a single value (ℓ = 1)."
    )
    assert disagreement(found, SAFE) == ""
    mixed = ALIKE.assign(job=["x", "x", "x", "y"] * 5 + ["y", "y", "y", "x"] * 5)
    assert "classes differ in its values" in disagreement(
        measured(mixed, mixed, ("town",), protected=("job",)), SERIOUS
    )


def test_small_classes_without_loss_are_explained():
    found = measured(PEOPLE, decades(), protected=("job",))
    assert "in classes below 11, which reveal" in disagreement(found, SAFE)
    assert disagreement(found, SERIOUS) == ""
    changed = measured(PEOPLE, PEOPLE, rows_are=RowsAre.CHANGED)
    assert "no row leads to them" in disagreement(changed, SAFE)
    assert disagreement(changed, SERIOUS) == ""


def test_the_alc_says_whether_the_attack_knows_more():
    assert alc_sentence(SERIOUS) == (
        "The worst attack that knows no more than these columns infers 'job': serious "
        "loss of anonymity, ALC 0.90."
    )
    assert alc_sentence(replace(SAFE, standing="no loss", alc=-2.0)).endswith(
        "no loss of anonymity."
    )
    assert "infers 'job class': " in alc_sentence(replace(SERIOUS, wanted="job class"))
    assert "uses additional columns" in alc_sentence(replace(SERIOUS, knows_no_more=False))


@pytest.mark.parametrize(
    ("release", "settings", "words"),
    [
        (PEOPLE, {}, "no class exceeds its people in the original"),
        (PEOPLE.assign(sex="x"), {"known": ("sex",)}, "synthetic, say so"),
        (PEOPLE.drop(columns="sex"), {}, "lacks 'sex'"),
        (PEOPLE.assign(age="*"), {}, "12 rows have suppressed columns"),
        (PEOPLE.assign(sex="*", age="*"), {}, "all suppressed"),
        (PEOPLE.assign(age=PEOPLE["age"] // 10 * 10), {}, "more frequent than in the original"),
        (PEOPLE, {"population": 1_000}, "random sample of 1,000"),
        (PEOPLE, {"person": "job"}, "People are counted by 'job'"),
        (PEOPLE.drop(columns="job"), {"person": "job"}, "rows are counted"),
        (decades(), {"known": ("age", "sex")}, "probably refers to 'age'"),
        (PEOPLE.assign(job=None), {"protected": ("job",), "known": ("age",)}, "can be people"),
    ],
)
def test_what_a_reader_must_know_is_said(release, settings, words):
    found = measured(PEOPLE, release, **{"known": ("age", "sex"), **settings})
    assert words in " ".join(notes(found))


@pytest.mark.parametrize("said", [RowsAre.PEOPLE, RowsAre.CHANGED])
def test_what_the_user_said_of_rows_is_not_repeated(said):
    assert notes(measured(PEOPLE, PEOPLE, ("age",), rows_are=said)) == ()


def test_classes_with_more_rows_than_fit_are_not_denied():
    found = measured(PEOPLE, PEOPLE, ("age", "sex"))
    nearly = replace(found, fit=replace(found.fit, known=0.97, single=0.97))
    assert basis_sentence(nearly) == (
        "Rows can be people: no class exceeds its people in the original, for all but 3% of rows."
    )


def test_changed_protected_values_are_said():
    rng = np.random.default_rng(0)
    original = pd.DataFrame({"town": rng.choice(list("ab"), 400), "pay": rng.integers(0, 50, 400)})
    release = original.assign(pay=original["pay"] + rng.integers(1, 9, 400))
    found = measured(original, release, ("town",), protected=("pay",))
    assert found.rows_are is RowsAre.PEOPLE
    assert "more frequent than in the original" in " ".join(notes(found))


def test_a_result_is_kept_as_plain_values_and_holds_none_of_people():
    found = measured(PEOPLE, decades(), protected=("job",), population=900)
    assert from_plain(to_plain(found), RiskNumbers) == found
    plain = STUDY.plain(found)
    assert plain["released"]["histogram"]["1"] == 4
    assert plain["original"]["population"]["population"] == 900
    assert plain["in_original"] is None
    assert "20-29" not in str(plain)


def test_text_lists_the_columns_and_every_release():
    found = [measured(PEOPLE, decades(), protected=("job",))]
    text = terminal_text(result_blocks(STUDY, found, Viewpoint()))
    assert "Classes by 'age' and 'sex'. Protected: 'job'." in text
    assert "Smallest class (k)" in text
    assert "Entropy ℓ" in text


def test_the_figure_has_bars_for_original_and_release():
    found = measured(PEOPLE, decades())
    figure = class_size_histogram(found)
    assert [(bar.name, sum(bar.x)) for bar in figure.data] == [
        ("Original", pytest.approx(1.0)), ("Release", pytest.approx(1.0)),
    ]  # fmt: skip
    assert alt_of(class_size_histogram(found)) == (
        "Share of rows by the size of their class. Original: 1: 100%. Release: 1: 33%, 2: 67%."
    )
    changed = measured(PEOPLE, PEOPLE, rows_are=RowsAre.CHANGED)
    assert [bar.name for bar in class_size_histogram(changed).data] == ["Original"]


def test_rounded_ages_are_not_called_people_as_they_are():
    # Rounded without saying so: 20 for 20 to 29. Nobody is so often 20, 30 or 40.
    found = measured(PEOPLE, PEOPLE.assign(age=PEOPLE["age"] // 10 * 10))
    assert found.rows_are is RowsAre.CHANGED
    plain = replace(found, fit=replace(found.fit, coarser=("age",)))
    others = quoted([column for column in found.known if column != "age"])
    for each, columns in ((found, quoted(found.known)), (plain, others)):
        assert f" of {columns} more frequent than in" in basis_sentence(each)


def test_what_is_said_of_rows_that_are_no_classes_is_what_was_counted():
    people = five.original(2_000)
    known = ("AGEP", "SEX", "MSP", "EDU", "INDP_CAT", "PINCP")
    said = {
        name: risk_sentence(measured(people, frame, known))
        for name, frame in five.candidates(people).items()
    }
    assert said["C"].startswith("No more rows than by chance are identical")
    assert said["A"].startswith("Rows were changed"), "it has the original's incomes"
    for name in ("B", "E"):
        assert " of 2,000 rows agree with the original" in said[name], name
        assert " (by chance: " in said[name], name
    assert not any("Rows were changed" in said[name] for name in "BCE")
