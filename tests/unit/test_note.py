from alc_core.note import Note
from alc_core.plain_values import from_plain


def test_a_note_comes_back_from_plain_values_as_it_was():
    note = Note(text="So.", code="copied-rows", table="r", numbers=(("share", 0.25),))
    plain = {"text": "So.", "code": "copied-rows", "table": "r", "numbers": [["share", 0.25]]}
    assert from_plain(plain, Note) == note
