"""Facts go by code; sentences of earlier versions are read once. See also test_reworded.py."""

import pytest

from alc_core.note import CUT, Note, keeps_rows, notes_of_any_version


@pytest.mark.parametrize(
    ("said", "code", "column", "most"),
    [
        ("71 % of the rows also occur in the original, with the same", "copied-rows", "", True),
        ("The release has exactly the original's rows in all 4", "identical-release", "", True),
        ("1\u202f100 rows (18 %) are rows of the original as they are", "copied-rows", "", False),
        ("under 0.1 % of the rows have an identifier that is also in the original:", "", "", False),
        ("Found, which undoes all anonymization.", "row-number", "x: 'y'", False),
    ],
)
def test_words_of_earlier_versions(said, code, column, most):
    place = f", column '{column}'" if column else ""
    (note,) = notes_of_any_version([f"Warning: 'a, b: c'{place}: {said}"])
    assert (note.code, note.column if code else "") == (code, column)
    assert keeps_rows(note.code, note.numbers) is most


def test_a_note_comes_back_from_plain_values_as_it_was():
    note = Note(text="So.", code="copied-rows", table="r", numbers=(("share", 0.25),))
    plain = {"text": "So.", "code": "copied-rows", "table": "r", "numbers": [["share", 0.25]]}
    assert notes_of_any_version([plain, "Other."]) == [note, Note(text="Other.")]


def test_a_column_that_an_earlier_version_cut_into_ranges():
    (note,) = notes_of_any_version(["'age' is a number or date, cut into 20 equal ranges: so."])
    assert (note.code, note.column) == (CUT, "age")
