"""A campaign's findings: one row per attack, worst first."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd

from alc_core.campaign.columns import MeasuredNumbers
from alc_core.campaign.findings.overview import STANDINGS
from alc_core.campaign.findings.subsets import FinishedStandings, standings, subset_pairs
from alc_core.campaign.model import KnownSetKind, PlannedAttack, own_conditions
from alc_core.campaign.rescore.rescoring import Rescored
from alc_core.measures.measure import MeasureNumber
from alc_core.measures.registry import measures
from alc_core.phrasing import texts_beside
from alc_core.releases.release import USUAL_KIND
from alc_core.scenario.relations import Relation
from alc_core.scoring.parameters import SCORING_PARAMETERS
from alc_core.scoring.readings import READINGS
from alc_core.scoring.verdict import OUTCOMES, Verdict

# Numbers of the measures beside ALC, by attack
MeasuredAttacks = Mapping[int, MeasuredNumbers]


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureColumn:
    """A measure's number as a column of the findings table."""

    name: str  # Interval bounds are columns with _low and _high added
    measure: str  # Name of the measure
    number: MeasureNumber
    leading: bool  # Whether it is the measure's first number, shown if there is room for one

    @property
    def title(self) -> str:
        """Heading for people."""
        return self.number.title


def measure_columns(
    frame: pd.DataFrame, *, like_alc: bool | None = None
) -> tuple[MeasureColumn, ...]:
    """Return a findings table's columns of registered measures.

    With `like_alc`, only those on ALC's scale, or only the others.
    """
    return tuple(
        column
        for column in _registered()
        if column.name in frame.columns
        and like_alc in (None, measures()[column.measure].numbers[0].like_alc)
    )


def measured_frame(measured: MeasuredAttacks) -> pd.DataFrame:
    """Lay out all measures' numbers, one row per attack."""
    found = {name for numbers in measured.values() for name in numbers}
    data: dict[str, Sequence[float | None]] = {}
    for column in _registered():
        if column.measure not in found:
            continue
        numbers = [of.get(column.measure, {}).get(column.number.name) for of in measured.values()]
        data[column.name] = [None if each is None else each.value for each in numbers]
        if column.number.has_interval:
            data[f"{column.name}_low"] = [None if each is None else each.low for each in numbers]
            data[f"{column.name}_high"] = [None if each is None else each.high for each in numbers]
    return pd.DataFrame(data, index=list(measured), dtype="float64")


def _registered() -> list[MeasureColumn]:
    return [
        MeasureColumn(
            name=f"{measure.name.replace(' ', '_')}_{number.name}",
            measure=measure.name,
            number=number,
            leading=number == measure.numbers[0],
        )
        for measure in measures().values()
        for number in measure.numbers
    ]


# For an attack inconclusive despite both readings
UNMATCHED = "inconclusive: known columns could not be matched"
# For a skipped attack
SETTLED = "skipped: the release was settled"
# Values of the column `status`
FINISHED, FAILED, NOT_YET_RUN, SKIPPED = "finished", "failed", "not yet run", "skipped"
# What was asked and found
SHORT = (
    "number", "release", "unknown", "known", "attack", "status", "standing", "standing_alc",
    "standing_low", "standing_high", "exposed", "exposed_low", "exposed_high",
)  # fmt: skip
# How all attacks were scored
_PARAMETERS = tuple(parameter.name for parameter in SCORING_PARAMETERS)


_NOTHING: Mapping[Any, Any] = MappingProxyType({})


def findings_frame(
    attacks: Sequence[PlannedAttack],
    rescored: Rescored,
    *,
    stands: FinishedStandings | None = None,
    failures: Mapping[int, str] = _NOTHING,
    skipped: Collection[int] = (),
    seconds: Mapping[int, float] = _NOTHING,
    measured: MeasuredAttacks = _NOTHING,
    release_kinds: Mapping[str, str] = _NOTHING,
    relations: Mapping[int, Relation | None] = _NOTHING,
    codes: Mapping[str, str] = _NOTHING,
) -> pd.DataFrame:
    """Lay out a campaign as a table, one row per planned attack.

    `codes` are of columns with names for people.
    """
    if stands is None:
        stands = standings(rescored, subset_pairs(attacks))
    planned, results = _planned_columns(attacks, release_kinds, codes), _result_columns(rescored)
    planned = planned.join(_relation_columns([relations.get(a.number) for a in attacks]))
    results = pd.DataFrame(stands.columns(attacks), index=stands.numbers).join(results)
    frame = planned.join(results, on="number").join(measured_frame(measured), on="number")
    finished = frame["number"].isin(rescored.numbers)
    failed = frame["number"].isin(list(failures)) & ~finished
    left_out = frame["number"].isin(list(skipped)) & ~finished & ~failed
    status = np.select([finished, failed, left_out], [FINISHED, FAILED, SKIPPED], NOT_YET_RUN)
    frame.insert(1, "status", pd.array(status.tolist(), dtype="str"))
    people = dict(zip(rescored.numbers.tolist(), rescored.people.tolist(), strict=True))
    frame["people"] = frame["number"].map(people).astype("Int64")
    frame["seconds"] = frame["number"].map(dict(seconds)).astype("float64")
    reason = frame["number"].map(dict(failures)).astype("str").where(failed)
    cleared = (frame["verdict"] == Verdict.INCONCLUSIVE) & (
        frame["decisive_high"] < rescored.scoring.at_risk
    )
    reason = reason.mask(left_out, SETTLED)
    frame["reason"] = reason.mask(cleared.fillna(value=False), UNMATCHED)
    for name in _PARAMETERS:
        value = getattr(rescored.scoring, name)
        frame[name] = pd.Series(
            value, index=frame.index, dtype="str" if isinstance(value, str) else "float64"
        )
    return worst_first(frame).reset_index(drop=True)[_column_order(frame)]


def columns_legend() -> dict[str, str]:
    """Return the meaning of each column, registered measures included.

    >>> columns_legend()["baseline_rest_recall"][:21]
    'Baseline, same recall'
    """
    texts = texts_beside(__file__)
    legend = dict(texts["first"])
    for side, words in texts["sides"].items():
        legend |= {f"{side}_{name}": f"{words}: {what}" for name, what in texts["points"].items()}
    legend |= {each.name: f"{each.title}: {each.help}" for each in SCORING_PARAMETERS}
    for column in _registered():
        title = measures()[column.measure].title
        legend[column.name] = f"{title}, {column.title}: {column.number.help}"
        if column.number.has_interval:
            legend[f"{column.name}_low"] = "Lower end of its interval."
            legend[f"{column.name}_high"] = "Upper end of its interval."
    return legend


def worst_first(findings: pd.DataFrame) -> pd.DataFrame:
    """Order attacks by standing, then falling ALC, then subset attacks last.

    Then those failed, not yet run, and skipped. Attacks with one fact fewer follow, in the same
    order.
    """
    added = findings["known_set"] == KnownSetKind.ONE_LESS
    status = findings["status"].map([FINISHED, FAILED, NOT_YET_RUN, SKIPPED].index)
    standing = findings["standing"].map({each: place for place, each in enumerate(STANDINGS)})
    keys = (
        findings["number"], findings["through"].notna(), -findings["standing_alc"].fillna(0.0),
        standing.fillna(0).astype(int), status, added,
    )  # fmt: skip
    return findings.iloc[np.lexsort(keys)]


def _planned_columns(
    attacks: Sequence[PlannedAttack], release_kinds: Mapping[str, str], codes: Mapping[str, str]
) -> pd.DataFrame:
    kinds = [release_kinds.get(a.release, USUAL_KIND) for a in attacks]
    unknown = [codes.get(a.scenario.unknown, a.scenario.unknown) for a in attacks]
    known = [", ".join(codes.get(c, c) for c in a.scenario.known) for a in attacks]
    own = own_conditions(attacks)
    told = [", ".join(filter(None, (*a.scenario.known, own[a.number]))) for a in attacks]
    return pd.DataFrame(
        {
            "number": pd.array([a.number for a in attacks], dtype="int64"),
            "release": pd.array([a.release for a in attacks], dtype="str"),
            "release_type": pd.array(kinds, dtype="str"),
            "attack": pd.array([a.attack for a in attacks], dtype="str"),
            "unknown": pd.array([a.scenario.wanted for a in attacks], dtype="str"),
            "known": pd.array(told, dtype="str"),
            "n_known": pd.array([len(a.scenario.known) for a in attacks], dtype="int64"),
            "known_set": pd.array([str(a.kind) for a in attacks], dtype="str"),
            "known_reason": pd.array([a.reason for a in attacks], dtype="str"),
            "unknown_code": pd.array(unknown, dtype="str"),
            "known_codes": pd.array(known, dtype="str"),
        }
    )


def _relation_columns(found: Sequence[Relation | None]) -> pd.DataFrame:
    there = [(e and str(e.code), e and ", ".join(e.columns), e and e.share) for e in found]
    frame = pd.DataFrame(there, columns=["relation", "relation_columns", "relation_share"])
    return frame.astype({"relation": "str", "relation_columns": "str", "relation_share": "float64"})


_DECIMALS = 6  # Of people exposed
_EXPOSED = {
    "exposed": "told_exposed", "exposed_low": "exposed_low", "exposed_high": "exposed_high",
    "exposed_surely": "exposed_surely",
}  # fmt: skip


def _result_columns(rescored: Rescored) -> pd.DataFrame:
    readings = {
        "decisive_": rescored.decisive,
        "alc_": rescored.own,
        "alc_rest_": rescored.among_rest,
    }
    columns: dict[str, object] = {
        "verdict": pd.array([OUTCOMES[code] for code in rescored.outcome.tolist()], dtype="str"),
        "decisive": pd.array(
            [READINGS[place] for place in rescored.by_rest.astype(int)], dtype="str"
        ),
    }
    for name, reading in readings.items():
        value = "decisive_alc" if name == "decisive_" else name.removesuffix("_")
        columns |= {value: reading.alc, f"{name}low": reading.low, f"{name}high": reading.high}
    columns |= {
        "rest_share": rescored.rest_share,
        **{
            name: np.maximum(getattr(rescored, of), 0.0).round(_DECIMALS)
            for name, of in _EXPOSED.items()
        },
        "interval_exact": pd.array(rescored.exact, dtype="boolean"),
        "attempts": pd.array(rescored.attempts, dtype="Int64"),
    }
    for name, side in (
        ("attack", rescored.attack),
        ("baseline", rescored.baseline),
        ("attack_rest", rescored.attack_rest),
        ("baseline_rest", rescored.baseline_rest),
    ):
        for point in texts_beside(__file__)["points"]:
            values = getattr(side, point)
            if values.dtype.kind == "i":
                values = pd.array(values, dtype="Int64")
            columns[f"{name}_{point}"] = values
    pairs = {
        "deciding": (rescored.attack_rest, rescored.attack),
        "compared": (rescored.baseline_rest, rescored.baseline),
    }
    for role, points in pairs.items():
        for name in ("precision", "measured_precision", "recall", "prc"):
            sides = (getattr(side, name) for side in points)
            columns[f"{role}_{name}"] = np.where(rescored.by_rest, *sides)
    return pd.DataFrame(columns, index=rescored.numbers)


def _column_order(frame: pd.DataFrame) -> list[str]:
    """Order columns as in the legend; points and measures before the last."""
    named = list(texts_beside(__file__)["first"])
    first = named[: named.index("known_codes") + 1]
    last = ["attempts", "seconds", *_PARAMETERS, "reason"]
    return [*first, *(c for c in frame.columns if c not in {*first, *last}), *last]
