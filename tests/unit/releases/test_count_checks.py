"""What is said of counts that are no counts, or of others."""

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.errors import InputError
from alc_core.releases.counts import Counts, people_counted
from alc_core.tables.checks.finding import Severity


@pytest.fixture
def frame(people):
    return people(400)


@pytest.fixture
def original(frame):
    return alc.table_from_frame(frame, name="people.csv")


@pytest.fixture
def cells(frame):
    return frame.value_counts(["city", "job"]).rename("count").reset_index()


def release_of(original, *frames, name="counts.csv"):
    tables = [alc.table_from_frame(frame, name=name) for frame in frames]
    return Counts.of_tables(tables, name="counts", original=original)


def findings_of(original, *frames, **scenario):
    return release_of(original, *frames).checker(original).findings(**scenario)


def found(findings, code):
    return next(finding for finding in findings if finding.code == code)


SCENARIO = {"known": ["city"], "unknown": "job"}


def test_counts_of_the_people_have_nothing_to_fix(original, cells):
    for scenario in ({}, SCENARIO):
        findings = findings_of(original, cells, **scenario)
        assert {finding.severity for finding in findings} <= {Severity.INFO}


def test_noise_is_told(original, cells):
    cells["count"] = cells["count"] - 25.5
    noisy = found(findings_of(original, cells), "noisy-counts")
    assert "are below 0 and some counts are fractions" in noisy.message
    warning = found(findings_of(original, cells), "other-number-of-people")
    assert "but 400 in the original" in warning.message
    assert warning.severity is Severity.WARNING


def test_sums_and_means_are_asked_about_where_they_are_read_as_counts(original, cells):
    cells["count"] = cells["count"] * 1_780.5
    asked = found(findings_of(original, cells), "other-number-of-people")
    assert asked.severity is Severity.QUESTION
    assert "No attack tests sums or means." in asked.action


def test_a_count_that_is_no_number(original, cells):
    cells = cells.astype({"count": object})
    cells.loc[1, "count"] = "few"
    error = found(findings_of(original, cells, **SCENARIO), "count-is-no-number")
    assert error.severity is Severity.ERROR
    assert (error.table, error.column) == ("counts.csv", "count")
    assert error.message == "'few' is not a number of people."


@pytest.mark.parametrize("mark", ["*", "<5", "< 5", "1-4", "fewer than 5"])
def test_suppressed_cells_count_as_some(original, cells, mark):
    cells = cells.astype({"count": object})
    cells.loc[1, "count"] = mark
    release = release_of(original, cells)
    (table,) = release.cells
    assert 0 < table.people[1] < 10
    assert not table.unreadable
    read = found(release.checker(original).findings(), "counts-read")
    assert read.facts["ranged"] == 1


@pytest.mark.parametrize(
    ("written", "counted", "separator"),
    [
        (["1,234", "987", "12,345"], [1234, 987, 12345], "Commas"),
        (["-1,234", "*", "1,234,567"], [-1234, 0, 1234567], "Commas"),
        (["1.230", "*", "12.345"], [1230, 0, 12345], "Points"),
        (["1\u202f234", "987", "12\u00a0345"], [1234, 987, 12345], "Spaces"),
        (["1,234", "0,512", "12,345"], [1.234, 0.512, 12.345], None),
        (["1,234", "2,5", "3"], [1.234, 2.5, 3], None),
        (["1.234", "*", "12.3"], [1.234, 0, 12.3], None),
        (["1.234", "*", "12"], [1.234, 0, 12], None),
    ],
)
def test_separated_thousands_are_no_fractions(original, written, counted, separator):
    cells = pd.DataFrame({"city": ["Ulm", "Bonn", "Jena"], "job": ["clerk"] * 3, "count": written})
    release = release_of(original, cells)
    people, marked = release.cells[0].people, np.array(written) == "*"
    assert people[~marked].tolist() == np.array(counted)[~marked].tolist()
    assert (people[marked] > 0).all()
    said = [f.message for f in release.checker(original).findings() if f.code == "counts-read"]
    assert any(" separate thousands." in each for each in said) is (separator is not None)
    assert separator is None or f"{separator} in the counts separate thousands." in said[0]


def test_counts_of_values_that_the_original_lacks_are_a_question(original, cells):
    renamed = cells.assign(job="J_" + cells["job"])
    question = found(findings_of(original, renamed, **SCENARIO), "unknown-labels")
    assert (question.severity, question.column) == (Severity.QUESTION, "job")


def test_nothing_crosses_the_unknown_with_a_known_column(original, cells):
    error = found(findings_of(original, cells, known=["age"], unknown="job"), "no-common-columns")
    assert (error.severity, error.table) == (Severity.ERROR, "counts.csv")
    error = found(findings_of(original, cells, known=["city"], unknown="hours"), "missing-column")
    assert error.severity is Severity.ERROR


def test_how_a_file_was_read_is_told(original):
    crossed = pd.DataFrame(
        {"city": ["Ulm", "Bonn", "Total"], "region": ["a", "b", ""], "nurse": [1, 2, 3],
         "clerk": [4, 5, 9], "Other": [1, 1, 2], "Total": [6, 8, 14]}
    )  # fmt: skip
    read = found(findings_of(original, crossed), "counts-read").message
    assert "Its columns 'nurse' and 'clerk' are counts by 'job'." in read
    assert "The totals in 'Total' are left out." in read
    assert "'Other' is not a value of 'job' in the original and is left out." in read
    assert "Counts are summed over 'region', which the original lacks." in read
    assert "Left out: 2 cells of totals." in read


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f: f.drop(columns="count"), "'counts.csv' has no column"),
        (
            lambda f: f.assign(count=f["count"].map(lambda n: f"about {n}")),
            "Column 'count' of 'counts.csv' has '",
        ),
        (
            lambda f: f.rename(columns={"count": "x"}).assign(y=1.5),
            "several columns of counts: 'x' and 'y'. Call one 'count'",
        ),
        (lambda f: f.drop(columns="city"), "crosses no two columns of the original. It has only"),
        (lambda f: f.assign(city="Total"), "'counts.csv' has only totals"),
    ],
)
def test_tables_that_are_no_counts_are_refused(original, cells, change, message):
    with pytest.raises(InputError, match=message):
        release_of(original, change(cells))


def test_labels_that_the_original_has_are_no_totals():
    people = alc.table_from_frame(
        pd.DataFrame({"city": ["All", "Ulm"], "job": ["a", "b"]}), name="people.csv"
    )
    cells = pd.DataFrame({"city": ["All", "Total"], "job": ["a", "a"], "count": [3, 4]})
    (table,) = release_of(people, cells).cells
    assert table.people.tolist() == [3.0]


def test_people_counted_are_as_many_as_counted(original, cells):
    (table,) = release_of(original, cells).cells
    rows = people_counted(table)
    again = rows.frame.value_counts(["city", "job"]).sort_index()
    expected = cells.set_index(["city", "job"])["count"].sort_index()
    assert again.to_dict() == expected.to_dict()


def test_cells_of_few_people_are_checked_in_proportion(original, frame):
    cells = frame.value_counts(["age", "city", "job"]).rename("count").reset_index()
    cells["count"] = [400_000, *[9] * (len(cells) - 1)]
    share = 20_000 / cells["count"].sum()
    rows = people_counted(release_of(original, cells).cells[0]).frame
    few = len(rows) - len(rows.merge(cells.iloc[:1]))
    assert few == pytest.approx(9 * (len(cells) - 1) * share, abs=1)
