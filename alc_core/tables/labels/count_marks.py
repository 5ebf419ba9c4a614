"""Counts published as marks, such as <10, 1-4, .. or c."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

from alc_core.arrays import FloatArray
from alc_core.tables.labels.notation import is_suppressed_word, read_interval
from alc_core.tables.value_sets import Domain
from alc_core.tables.values.no_value import says_no_value
from alc_core.tables.values.texts import canonical_labels, numeric_values

NONE = ("-", "--", "\u2013", "\u2014", "\u2212")  # Nobody, where no zero is written
_NUMBERS = Domain(pd.Series([0.0, 1.0]), numeric=True)
_NAMED = re.compile(r"(?:n|count|cases|anzahl|freq)\s*(?=[<>=\u2264\u2265])", re.IGNORECASE)
_UNSURE = re.compile(r"\(\s*([0-9]+)\s*\)|([0-9]+)\s*[*\u2020\u2021]+")
_SIGN = 2  # Most characters of an unknown mark
_DAGGERS = "*\u2020\u2021"
_PAIRS = ("()", "[]", "{}")
_HIDDEN = frozenset(
    (
        "***", "n.p.", "n.d.", "sup", "supp", "conf", "conf.", "low", "low count", "small",
        "small number", "too small", "not shown", "not published", "too few", "secret",
        "vertraulich", "tajne", "poufne", "gizli", "reservado",
    )
)  # fmt: skip


def mark_bounds(mark: str) -> tuple[float, float] | None:
    """Return the least and most people a mark allows, if it is one.

    Examples
    --------
    >>> [mark_bounds(mark) for mark in ("<10", "1-4", "n \u2264 3", "(5)", "..", "-", "few")]
    [(0.0, 9.0), (1.0, 4.0), (0.0, 3.0), (5.0, 5.0), (0.0, inf), (0.0, 0.0), None]
    """
    plain = " ".join(mark.split())
    if plain in NONE:
        return 0.0, 0.0
    if unsure := _UNSURE.fullmatch(plain):
        number = float(unsure[1] or unsure[2])
        return number, number
    bare = _NAMED.sub("", plain.rstrip(_DAGGERS) or plain).strip()
    if bare[:1] + bare[-1:] in _PAIRS and not re.search(r"[0-9]\s*[,;]", bare):
        bare = _NAMED.sub("", bare[1:-1].strip())
    if bare.casefold() in _HIDDEN or is_suppressed_word(bare) or says_no_value(plain):
        return 0.0, np.inf
    found = read_interval(bare, _NUMBERS)
    if found is None:
        is_sign = len(bare) <= _SIGN and not any(map(str.isdigit, bare))
        return (0.0, np.inf) if is_sign else None
    low, high = found.closed_bounds
    least, most = max(0.0, float(np.ceil(low))), float(np.floor(high))
    return (least, most) if least <= most else None


def count_marks(series: pd.Series) -> tuple[FloatArray, FloatArray]:
    """Return least and most people of cells without a number; NaN for others.

    Empty cells mean zero, like dashes.
    """
    labels = canonical_labels(series).where(~np.isfinite(numeric_values(series)), "0")
    bounds = {mark: mark_bounds(mark) for mark in labels.dropna().unique() if mark != "0"}
    allowed = {mark: found or (np.nan, np.nan) for mark, found in bounds.items()}
    ends = [labels.map({mark: each[end] for mark, each in allowed.items()}) for end in (0, 1)]
    empty = labels.isna().to_numpy()
    low, high = (np.where(empty, 0.0, each.astype(np.float64).to_numpy()) for each in ends)
    return low, high
