import enum
import json
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
import pytest
from numpy.typing import NDArray

from alc_core.plain_values import from_plain, to_plain


class Colour(enum.StrEnum):
    RED = "red"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    counts: NDArray[np.int32]
    colour: Colour | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    parts: tuple[Part, ...]
    shares: dict[int, float]
    where: MappingProxyType = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Positive:
    number: int

    def __post_init__(self):
        if self.number < 1:
            raise ValueError("Not positive.")


def test_all_that_results_are_made_of_survives_json():
    part = Part(counts=np.array([3, 1], dtype=np.int32), colour=Colour.RED)
    whole = Whole(parts=(part,), shares={7: np.float64(0.1)}, where=MappingProxyType({"a": ("b",)}))
    plain = to_plain(whole)
    assert json.loads(json.dumps(plain)) == {
        "parts": [{"counts": [3, 1], "colour": "red"}],
        "shares": {"7": 0.1},
        "where": {"a": ["b"]},
    }
    back = from_plain(json.loads(json.dumps(plain["parts"])), tuple[Part, ...])
    assert back[0].counts.tolist() == [3, 1]
    assert back[0].counts.dtype == np.int32
    assert back[0].colour is Colour.RED
    assert from_plain({"7": 1}, dict[int, float]) == {7: 1.0}


@pytest.mark.parametrize("text", ["\udce9\udcff", "a\x00b\n", "", "🙂"])
def test_odd_names_survive(text):
    assert from_plain(json.loads(json.dumps(to_plain({text: (text,)}))), dict[str, list[str]]) == {
        text: [text]
    }


def test_what_is_there_already_stays_and_unknown_fields_are_left_out():
    part = Part(counts=np.array([1], dtype=np.int32))
    assert from_plain({"parts": [part], "shares": {}, "of tomorrow": 1}, Whole).parts[0] is part


@pytest.mark.parametrize(
    ("data", "kind", "message"),
    [
        ({"counts": [1], "colour": "blue"}, Part, r"Invalid enum value 'blue' - at `\$.colour`"),
        ({"colour": "red"}, Part, "missing required field `counts`"),
        ({"counts": ["x"]}, Part, "invalid literal"),
        ({"number": "1"}, Positive, r"Expected `int`, got `str` - at `\$.number`"),
        ({"number": 0}, Positive, "Not positive"),
        ([], Positive, "Expected `object`, got `array`"),
    ],
)
def test_what_does_not_fit_is_a_value_error_that_says_where(data, kind, message):
    with pytest.raises(ValueError, match=message):
        from_plain(data, kind)
