import json

import pandas as pd
import pytest

import alc_core as alc
from alc_core.errors import InputError
from alc_core.tables.apart.labels import read_plain_sets
from alc_core.tables.labels.language import (
    parse_plain_sets,
    plain_sets,
    sets_text,
    told_sets,
    with_plain_sets,
)


@pytest.fixture
def original():
    return alc.table_from_frame(pd.DataFrame({"age": [*range(18, 78)] * 2}), name="people")


@pytest.fixture
def release():
    return alc.table_from_frame(pd.DataFrame({"age": ["18-47", "48+"] * 30}), name="release")


def test_what_is_saved_is_read_again(original, release):
    saved = parse_plain_sets(sets_text(plain_sets(original, release)).encode(), name="x.json")
    assert saved == {"age": {"18-47": "18..47", "48+": "48.."}}
    assert told_sets(original, with_plain_sets(original, release, saved)) == {}


def test_labels_that_cover_nothing_are_not_saved(original):
    ages = ["18-47", "48+", "900-950"] * 20
    release = alc.table_from_frame(pd.DataFrame({"age": ages}), name="release")
    saved = plain_sets(original, release)
    assert "900-950" not in saved["age"]
    with_plain_sets(original, release, saved)


def test_a_label_can_stand_for_itself(original, release):
    told = {"age": {"48+": None}}
    assert told_sets(original, with_plain_sets(original, release, told)) == told


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"{", "'x.json' is not JSON. Save it on the Data page or by 'alc check --save-sets'"),
        (b"[" * 100_000, "is not JSON"),
        (b"\xff\xfe\xfa", "is not JSON"),
        (b"[]", "does not say by column and label"),
        (json.dumps({"age": "20..39"}).encode(), "does not say by column and label"),
    ],
)
def test_what_is_no_table_of_labels_is_refused(data, message):
    with pytest.raises(InputError, match=message):
        parse_plain_sets(data, name="x.json")


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="cannot be read: No such file"):
        read_plain_sets(tmp_path / "x.json")
