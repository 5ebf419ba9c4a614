"""Check a foreign campaign file completely before trusting it."""

from __future__ import annotations

import json
import math
from contextlib import closing
from pathlib import Path

import msgspec
import numpy as np
import scipy.special  # noqa: F401 - takes a while, which no file is to wait for
from numpy.typing import NDArray

from alc_core.assessment.result import UNKEPT, Assessment
from alc_core.campaign.columns import GAIN, MeasuredNumbers, ResultRow
from alc_core.campaign.file.database import READ_ONLY, connect
from alc_core.campaign.file.file_errors import content_errors, damaged, file_errors
from alc_core.campaign.file.mismatch import result_differences
from alc_core.campaign.file.store import CampaignReader
from alc_core.campaign.model import PlannedAttack
from alc_core.linked.events import events_of
from alc_core.measures.registry import measures
from alc_core.plain_values import to_plain
from alc_core.scenario.derived import base_columns
from alc_core.tables.table import ColumnKind

# What a result holds besides its counts and numbers
_IN_WORDS = {*Assessment.__struct_fields__} - {"outcomes", "measured", *UNKEPT}


def examine(path: str | Path) -> tuple[str, ...]:
    """Read all of a campaign's file once.

    For a separate process, which decompression bombs and endless work end.
    """
    place = Path(path)
    with file_errors(place), closing(connect(place, options=READ_ONLY)) as connection:
        if connection.execute("PRAGMA quick_check(1)").fetchall() != [("ok",)]:
            raise damaged(place, "a part of it")
    with CampaignReader(place, read_only=True) as reader:
        planned = _examined_plan(reader)
        columns = reader.columns()
        with content_errors(place, "the reason of a failure"):
            failures = reader.failures()
            if not failures.keys() <= planned.keys() - set(columns.numbers.tolist()):
                raise ValueError
            _refuse_unwritable(list(failures.values()))
        with content_errors(place, "the shared resamples"):
            drawn = {each.shape[1] for each in columns.shared if each is not None}
            if len(drawn) > 1 or 0 in drawn:
                raise ValueError
        with content_errors(place, "the numbers of a measure"):
            for found in columns.measured:
                _refuse_out_of_bounds(found)
        for number in columns.numbers.tolist():
            with content_errors(place, f"the result of attack {number}"):
                result = reader.assessment(number)
                if result_differences(result, planned[number], reader.settings):
                    raise ValueError
                _refuse_impossible(result)
                _refuse_other_row(reader.row(number), result, cap=columns.cap)
                _refuse_unwritable(to_plain([getattr(result, name) for name in _IN_WORDS]))
        for kind in reader.annotated():
            with content_errors(place, f"an annotation of kind '{kind}'"):
                _refuse_unwritable(reader.annotations(kind))
        return tuple(each.words for each in reader.damage)


def _examined_plan(reader: CampaignReader) -> dict[int, PlannedAttack]:
    """Return planned attacks by number, after reading everything but results."""
    place = reader.path
    with content_errors(place, "its settings"):
        _refuse_unwritable([to_plain(reader.settings), reader.notes])
        if not set(reader.settings.kinds.values()) <= set(ColumnKind):
            raise ValueError
    with content_errors(place, "how long attacks took"):
        if not all(0 <= seconds < math.inf for seconds in reader.seconds().values()):
            raise ValueError
    planned = {attack.number: attack for attack in reader.attacks}
    for attack in planned.values():
        with content_errors(place, "a planned attack"):
            kinds = reader.settings.kinds
            columns = base_columns(attack.scenario.columns, kinds)
            if attack.number < 0 or not columns - {*events_of(columns)} <= kinds.keys():
                raise ValueError
            _refuse_unwritable(to_plain(attack))
    return planned


def _refuse_unwritable(plain: object) -> None:
    """Refuse NaN, infinite numbers and text that cannot be encoded."""
    text = json.dumps(plain, ensure_ascii=False, allow_nan=False)
    text.encode()
    json.loads(text, parse_int=_refuse_huge)


def _refuse_huge(digits: str) -> None:
    if math.isinf(float(digits)):
        raise ValueError


def _refuse_out_of_bounds(found: MeasuredNumbers) -> None:
    for measure in measures().values():
        for number in measure.numbers:
            if (measured := found.get(measure.name, {}).get(number.name)) is None:
                continue
            low, high = number.bounds
            given = (measured.value, measured.low, measured.high)
            if any(
                each < low or each > high or math.isinf(each) for each in given if each is not None
            ):
                raise ValueError


def _refuse_other_row(row: ResultRow, result: Assessment, *, cap: float) -> None:
    """Refuse a row that does not follow from its result."""
    made = ResultRow.of(result, cap=cap)
    near = {name: _numbers(getattr(made, name)) for name in _NEARLY}
    rounded = {name: getattr(row, name) for name in (*_NEARLY, "shared")}
    same = msgspec.structs.replace(made, **rounded) == row and all(
        np.allclose(_numbers(getattr(row, name)), value) for name, value in near.items()
    )
    if not same:
        raise ValueError


# Numbers that another machine may round otherwise
_NEARLY = ("own", "among_rest", "exposed", "gain", "scale")


def _numbers(value: bytes | tuple[float, float] | float) -> NDArray[np.float64]:
    return np.frombuffer(value, dtype=GAIN) if isinstance(value, bytes) else np.asarray(value)


def _refuse_impossible(result: Assessment) -> None:
    """Refuse counts that no run can have."""
    people = result.candidates if result.people is None else result.people
    counts = (result.abstentions, result.without_value, *result.models.values())
    outcomes = result.outcomes
    curves = (outcomes.attack, outcomes.baseline)
    if not (
        min(counts) >= 0
        and np.isfinite(outcomes.weights).all()
        and all(np.isfinite(curve.thresholds).all() for curve in curves)
        and all(len(curve.thresholds) == len(curve.predictions) for curve in curves)
        and result.abstentions <= result.attempts <= result.candidates <= people
        and people + result.without_value <= result.population <= result.original.rows
    ):
        raise ValueError
