"""What counts as a piece of a text, however it is written."""

import numpy as np
import pandas as pd
import pytest

from alc_core.tables.text_pieces import Piece, find_pieces, spell_pieces


def pieces(text, kind):
    """Return the pieces of a text as written."""
    series = pd.Series([text])
    return [said for _, said in spell_pieces(series, kind, find_pieces(series)[kind].codes)]


def shared(one, other, kind):
    found = [{*find_pieces(pd.Series([text]))[kind].codes.tolist()} for text in (one, other)]
    return bool(found[0] & found[1])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Anna Berger was seen", ["Anna Berger"]),
        ("Игорь Петров и Мария", ["Игорь Петров"]),
        ("Δρ Ελένη Παπά", ["Δρ Ελένη", "Ελένη Παπά"]),
        ("with Anna. Later at home", []),
        ("in Room B12 of Ward", []),
        ("<p>Anna<br>\nBerger</p>", ["Anna Berger"]),
        ("Seán O'Brien", ["Seán O'Brien"]),
    ],
)
def test_two_capitalised_words_in_a_row_are_a_name(text, found):
    assert pieces(text, Piece.NAME) == found


@pytest.mark.parametrize("other", ["Berger, Anna", "anna berger and Anna Berger", "Anna  Berger"])
def test_a_name_is_the_same_in_either_order(other):
    assert shared("seen by Anna Berger", other, Piece.NAME)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("call 030 123 45 67", "phone (030) 123-45-67 at home"),
        ("call 030/1234567", "0 30 1234567"),
        ("ID735684647", "number 735684647."),
        ("rufen Sie ٧٣٥٦٨ an", "call 73568"),
        ("on 2024-03-05 call 030 123 45 67", "call 030 123 45 67"),
        ("IBAN DE89 3704 0044 0532 01", "3704 0044 0532 01"),
    ],
)
def test_numbers_are_the_same_however_their_digits_are_grouped(one, other):
    assert shared(one, other, Piece.NUMBER)


@pytest.mark.parametrize("text", ["room 1234", "in 2024, 12 of 30", "no number"])
def test_fewer_than_five_digits_are_no_number(text):
    assert not len(find_pieces(pd.Series([text]))[Piece.NUMBER].codes)


def test_words_in_a_row_are_found_inside_longer_texts():
    said = "came after a fall at home with pain in the left knee"
    longer = f"<p>Yesterday she {said.upper()},\nand left</p>"
    assert shared(said, longer, Piece.RUN)
    assert not shared(said, "came after a fall at home with fever", Piece.RUN)


def test_a_short_text_is_a_piece_as_a_whole_only():
    assert shared("lives alone in Kent", "Lives alone, in Kent.", Piece.RUN)
    assert not shared("lives alone in Kent", "lives alone in Kent with her sister", Piece.RUN)
    assert not len(find_pieces(pd.Series(["no pain", None, ""]))[Piece.RUN].codes)


def test_each_character_is_a_word_without_spaces():
    assert shared("患者は左膝の痛みを訴えている", "昨日、患者は左膝の痛みを訴えた", Piece.RUN)


def test_a_name_and_a_number_belong_together_in_one_text():
    found = pieces("Anna Berger, born 1 1 1980, ID 73568", Piece.TOGETHER)
    assert {*found} == {"Anna Berger 1 1 1980", "Anna Berger 73568"}
    assert pieces("ask a.berger@mail.example now", Piece.MAIL) == ["a.berger@mail.example"]


def test_pieces_name_their_text_whatever_the_size(monkeypatch):
    monkeypatch.setattr("alc_core.tables.text_pieces._CHUNK", 2)
    texts = pd.Series(
        ["Anna Berger 12345", None, "no", "12345 12345", "Otto Hof"], index=list("abcde")
    )
    found = find_pieces(texts)
    assert found[Piece.NUMBER].rows.tolist() == [0, 3]
    assert found[Piece.NAME].rows.tolist() == [0, 4]
    assert len(np.unique(found[Piece.NUMBER].codes)) == 1


def test_overlapping_runs_are_spelled_as_one_and_never_across_texts():
    texts = pd.Series(["one two three four five six seven eight nine ten", "a b c d e f g h"])
    codes = find_pieces(texts)[Piece.RUN].codes
    assert [said for _, said in spell_pieces(texts, Piece.RUN, codes)] == texts.tolist()
