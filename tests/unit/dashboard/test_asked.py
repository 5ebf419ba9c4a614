import pytest

from alc_core.dashboard.choices.run_choices import AskedChoice, ConditionChoice


@pytest.mark.parametrize(
    ("choice", "text"),
    [
        ({}, ""),
        ({"column": "a"}, ""),
        ({"column": "a", "values": ["x"]}, "a = x"),
        ({"column": "a", "values": ["x", "y"]}, "a in x|y"),
        ({"column": "a", "how": "at least"}, ""),
        ({"column": "a", "how": "at least", "low": " 3 "}, "a >= 3"),
        ({"column": "a", "how": "at most", "high": "3"}, "a <= 3"),
        ({"column": "a", "how": "between", "low": "3"}, ""),
        ({"column": "a", "how": "between", "low": "3", "high": "4"}, "a in 3..4"),
        ({"column": "a", "how": "top", "share": 1.0}, "a >= quantile 0.99"),
    ],
)
def test_a_condition_is_put_together(choice, text):
    assert ConditionChoice(**choice).text == text


@pytest.mark.parametrize(
    ("choice", "text"),
    [
        ({"columns": ["a"]}, ""),
        ({"columns": ["a", "b"]}, "a & b"),
        ({"kind": "person"}, "count per p"),
        ({"kind": "person", "of_person": "mean"}, ""),
        ({"kind": "person", "of_person": "mean", "column": "a"}, "mean a per p"),
        ({"kind": "person", "of_person": "last", "column": "a", "by": "b"}, "last a by b per p"),
        ({"kind": "person", "of_person": "ever"}, ""),
        (
            {
                "kind": "person", "of_person": "ever",
                "condition": ConditionChoice(column="a", values=["x"]),
            },
            "ever a = x per p",
        ),
    ],
)  # fmt: skip
def test_a_question_is_put_together(choice, text):
    assert AskedChoice(**choice).text("p") == text


def test_records_of_a_person_need_the_person_column():
    assert AskedChoice(kind="person").text(None) == ""
