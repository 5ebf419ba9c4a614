"""Which releases ask for a model, too: rows that were made up, and nothing but best row match."""

import numpy as np
import pytest

import alc_core as alc
from alc_core.candidates.lines import asks_for_model, model_advice
from alc_core.tables.checks.checker import check_tables

ALONE = ["best row match"]


def told(original, released):
    tables = alc.table_from_frame(original, name="o"), [alc.table_from_frame(released, name="r")]
    return [finding for finding in check_tables(*tables) if finding.table == "r"]


@pytest.fixture
def frame(people):
    return people(600)


def test_strangers_and_shuffled_swapped_rows_ask_for_it(frame, people):
    swapped = alc.swap_columns(frame, 0.8, seed=1).sample(frac=1, random_state=1)
    # Drawn column by column: rows of nobody.
    rng = np.random.default_rng(1)
    nobody = frame.apply(lambda column: rng.permutation(column.to_numpy()))
    for released in (swapped, nobody):
        assert asks_for_model("rows", ALONE, told(frame, released))


def test_copied_rows_and_rows_in_their_order_do_not(frame):
    copied = frame.copy()
    copied.loc[:200, "job"] = "c"
    ordered = frame.copy()
    for column in ordered:  # of every value but each third
        moved = np.arange(len(frame)) % 3 > 0
        ordered.loc[moved, column] = np.roll(frame.loc[moved, column].to_numpy(), 5)
    for released in (frame, frame.sample(frac=1, random_state=1), copied, ordered):
        assert not asks_for_model("rows", ALONE, told(frame, released))


def test_other_attacks_and_other_types_of_release_do_not():
    assert not asks_for_model("groups", ALONE, [])
    assert not asks_for_model("rows", [*ALONE, "model"], [])
    assert not asks_for_model("rows", ["naive bayes"], [])
    assert not asks_for_model("rows", [], [])


def test_the_advice_names_releases_where_it_is_not_about_all():
    assert model_advice().startswith("No model was tried: one learns")
    assert "was tried on A and B: one" in model_advice(["A", "B"])
