"""All that a campaign's file from elsewhere holds, read before it is trusted."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from contextlib import closing
from dataclasses import fields
from pathlib import Path

import numpy as np
import statsmodels.stats.proportion  # noqa: F401 - takes seconds, which no file is to wait for

from alc_core.assessment.result import Assessment
from alc_core.campaign.file.curve_table import CurveTable
from alc_core.campaign.file.database import READ_ONLY, connect
from alc_core.campaign.file.file_errors import content_errors, damaged, file_errors
from alc_core.campaign.file.mismatch import result_differences
from alc_core.campaign.file.store import CampaignReader
from alc_core.campaign.model import PlannedAttack
from alc_core.measures.measure import Measured
from alc_core.measures.registry import measures
from alc_core.plain_values import to_plain
from alc_core.scenario.derived import base_columns
from alc_core.scoring.outcomes import Rest
from alc_core.scoring.parameters import ScoringParameters
from alc_core.tables.table import ColumnKind

# What a result holds besides its counts and numbers
_IN_WORDS = {each.name for each in fields(Assessment)} - {"outcomes", "measured", "shared"}


def examine(path: str | Path) -> tuple[str, ...]:
    """Read all of a campaign's file once, and leave it as it is.

    Made to run in a process of its own: what is packed to burst, or takes for ever, ends that.
    """
    place = Path(path)
    with file_errors(place), closing(connect(place, options=READ_ONLY)) as connection:
        if connection.execute("PRAGMA quick_check(1)").fetchall() != [("ok",)]:
            raise damaged(place, "a part of it")
    with CampaignReader(place, read_only=True) as reader:
        planned = _examined_plan(reader)
        curves = reader.curves()
        if len(curves) != reader.counts().finished:
            raise damaged(place, "a result without all its parts")
        with content_errors(place, "the reason of a failure"):
            failures = reader.failures()
            if not failures.keys() <= planned.keys() - set(curves.numbers.tolist()):
                raise ValueError
            _refuse_unwritable(list(failures.values()))
        with content_errors(place, "the shared resamples"):
            drawn = {drawn.shape[1] for drawn in reader.resamples().values()}
            if len(drawn) > 1 or 0 in drawn:
                raise ValueError
        with content_errors(place, "the numbers of a measure"):
            for found in reader.measured().values():
                _refuse_out_of_bounds(found)
        for at, number in enumerate(curves.numbers.tolist()):
            with content_errors(place, f"the result of attack {number}"):
                result = reader.assessment(number)
                if result_differences(result, planned[number], reader.settings):
                    raise ValueError
                _refuse_impossible(result)
                _refuse_other_counts(curves, at, result, reader.settings.scoring)
                _refuse_unwritable(to_plain([getattr(result, name) for name in _IN_WORDS]))
        for kind in reader.annotated():
            with content_errors(place, f"an annotation of kind '{kind}'"):
                _refuse_unwritable(reader.annotations(kind))
        return tuple(each.words for each in reader.damage)


def _examined_plan(reader: CampaignReader) -> dict[int, PlannedAttack]:
    """Return the planned attacks by number, after a look at all that is known before a result."""
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
            if attack.number < 0 or not columns <= kinds.keys():
                raise ValueError
            _refuse_unwritable(to_plain(attack))
    return planned


def _refuse_unwritable(plain: object) -> None:
    """Refuse numbers that are none or beyond all floats, and text that no encoding can hold."""
    text = json.dumps(plain, ensure_ascii=False, allow_nan=False)
    text.encode()
    json.loads(text, parse_int=_refuse_huge)


def _refuse_huge(digits: str) -> None:
    if math.isinf(float(digits)):
        raise ValueError


def _refuse_out_of_bounds(found: Mapping[str, Mapping[str, Measured]]) -> None:
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


def _refuse_other_counts(
    curves: CurveTable, at: int, result: Assessment, scoring: ScoringParameters
) -> None:
    """Refuse what follows from a result and stands beside it, where it does not follow."""
    rest = Rest.of(result.outcomes, scoring.precision_cap)
    points = slice(*curves.rest.starts[at : at + 2])
    same = (
        (curves.attempts[at], curves.known[at], curves.known_right[at])
        == (result.attempts, rest.known, rest.known_right)
        and curves.unmatched[at] == bool(result.unmatched)
        and curves.unconverged[at] != result.converged
        and curves.recall_scale[at] == result.outcomes.attack.recall_scale
        and np.array_equal(curves.rest.predictions[points], rest.attack.predictions)
        and np.array_equal(curves.rest.true_predictions[points], rest.attack.true_predictions)
        and np.allclose(curves.gain[points], rest.gain)
        and math.isclose(curves.scale[at], result.people_a_gain)
    )
    if not same:
        raise ValueError


def _refuse_impossible(result: Assessment) -> None:
    """Refuse counts of people and models that no run can have."""
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
