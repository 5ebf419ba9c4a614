"""What is said of groups that do not fit together."""

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.releases.group_layout import joined_table
from alc_core.releases.groups import Groups
from alc_core.tables.checks.finding import Severity

N = 60
GROUP = np.repeat(np.arange(N // 3), 3)


@pytest.fixture
def frame(people):
    return people(N).drop(columns="hours")


@pytest.fixture
def original(frame):
    return alc.table_from_frame(frame, name="people.csv")


def parts(frame, *, qi=None, sensitive=None):
    """Both parts, after a change."""
    first = frame[["age", "city"]].assign(group_id=GROUP)
    second = frame[["job"]].assign(group_id=GROUP).sort_values(["group_id", "job"])
    return [
        alc.table_from_frame(qi(first) if qi else first, name="qi.csv"),
        alc.table_from_frame(sensitive(second) if sensitive else second, name="s.csv"),
    ]


def findings_of(original, tables, **scenario):
    release = Groups.of_tables(tables, name="r", original=original)
    return release.checker(original).findings(**scenario)


def errors(found):
    return [finding for finding in found if finding.severity is Severity.ERROR]


SCENARIO = {"known": ["age", "city"], "unknown": "job"}


def test_a_pair_that_fits_has_no_errors(original, frame):
    assert not errors(findings_of(original, parts(frame)))
    assert not errors(findings_of(original, parts(frame), **SCENARIO))


def test_a_group_with_too_few_values(original, frame):
    tables = parts(frame, sensitive=lambda part: part.iloc[1:])
    (error,) = errors(findings_of(original, tables, **SCENARIO))
    assert (error.code, error.table, error.column) == ("group-sizes", "s.csv", "group_id")
    assert error.message == "Group '0' has 3 rows in 'qi.csv', but 2 values here (1 such group)."
    assert error.action.startswith("Each group needs")


def test_counts_that_do_not_match_the_rows(original, frame):
    def counted(part):
        part = part.value_counts().rename("count").reset_index()
        part.loc[0, "count"] += 1
        return part

    (error,) = errors(findings_of(original, parts(frame, sensitive=counted)))
    assert error.code == "group-sizes"
    assert "has 3 rows in 'qi.csv', but 4 values here" in error.message


def test_a_count_that_is_no_number_of_people(original, frame):
    def counted(part):
        part = part.value_counts().rename("count").reset_index().astype({"count": object})
        part.loc[2, "count"] = "many"
        return part

    found = errors(findings_of(original, parts(frame, sensitive=counted)))
    assert (found[0].code, found[0].column) == ("count-is-no-number", "count")
    assert "'many' is not a whole number of people (row 3 of" in found[0].message


@pytest.mark.parametrize(("part", "lacking"), [("sensitive", "s.csv"), ("qi", "qi.csv")])
def test_groups_that_are_in_one_part_only(original, frame, part, lacking):
    tables = parts(frame, **{part: lambda table: table[table["group_id"] > 1]})
    (error,) = errors(findings_of(original, tables))
    assert (error.code, error.table) == ("group-in-one-part", lacking)
    assert error.message.startswith("Missing here: 2 groups of ")
    assert "'0' and '1'" in error.message


def test_rows_without_a_group(original, frame):
    def without(part):
        return part.assign(group_id=part["group_id"].astype(object).where(part.index > 1))

    found = errors(findings_of(original, parts(frame, qi=without)))
    assert found[0].code == "row-without-group"
    assert found[0].message == "2 of 60 rows have no group."


def test_groups_without_the_unknown_column(original, frame):
    (error,) = errors(findings_of(original, parts(frame)[:1], **SCENARIO))
    assert (error.code, error.column) == ("groups-without-unknown", "job")
    assert "Add them" in error.action


def test_known_columns_that_the_rows_do_not_have(original, frame):
    tables = parts(frame, qi=lambda part: part.drop(columns="city"))
    known = {"known": ["city"], "unknown": "job"}
    (error,) = errors(findings_of(original, tables, **known))
    assert error.code == "no-common-columns"
    assert "'job'" in error.message


def test_values_that_the_original_lacks_are_a_question(original, frame):
    def renamed(part):
        return part.assign(job="J_" + part["job"])

    found = findings_of(original, parts(frame, sensitive=renamed), **SCENARIO)
    (question,) = [f for f in found if f.severity is Severity.QUESTION]
    assert (question.code, question.column) == ("unknown-labels", "job")


def test_groups_of_one_person_are_told(original, frame):
    def alone(part):
        return part.assign(group_id=part["group_id"].where(part.index > 0, 99))

    found = findings_of(original, parts(frame, qi=alone, sensitive=alone))
    (warning,) = [f for f in found if f.code == "single-person-group"]
    assert warning.message.startswith("1 of 21 groups")


def test_an_unshuffled_single_table_is_told(frame):
    frame = frame.assign(sex=np.where(frame["age"] % 2, "f", "m"))
    original = alc.table_from_frame(frame, name="people.csv")
    table = alc.table_from_frame(
        frame.assign(group_id=GROUP).sample(frac=1, random_state=1), name="release.csv"
    )
    assert "identical-release" in [found.code for found in findings_of(original, [table])]


def test_the_joined_table_has_each_groups_values(frame, original):
    tables = parts(frame)
    release = Groups.of_tables(tables, name="r", original=original)
    joined = joined_table(tables, release.layout).frame
    pd.testing.assert_frame_equal(joined[["age", "city"]], tables[0].frame[["age", "city"]])
    for number, jobs in joined["job"].groupby(GROUP):
        assert sorted(jobs) == sorted(frame["job"][number == GROUP])
