"""What a campaign found: one row per attack, worst first, and a summary in a sentence."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO

import numpy as np
import pandas as pd

from alc_core.campaign.model import KnownSetKind, PlannedAttack
from alc_core.campaign.rescore.outcome_codes import OUTCOMES, TOO_FEW_TARGETS
from alc_core.campaign.rescore.rescoring import BestPoints, Rescored
from alc_core.errors import InputError
from alc_core.phrasing import count, listed, numbered, percent
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import Verdict
from alc_core.spreadsheet import spreadsheet_safe

FINISHED, FAILED, NOT_YET_RUN = "finished", "failed", "not yet run"
"""Values of the column `status`."""

_PARAMETERS = (
    "alpha",
    "r_min",
    "confidence",
    "max_interval_width",
    "at_risk",
    "serious",
    "loss",
)
"""Columns that say how all attacks were scored."""

_NO_FAILURES: Mapping[int, str] = MappingProxyType({})
_NO_TIMES: Mapping[int, float] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignSummary:
    """What came out of a campaign, in counts.

    Attributes
    ----------
    counts : mapping of str to int
        Finished attacks by verdict, and those with too few targets.
    planned, finished, failed : int
        Attacks; the finished ones include those with too few targets.
    worst : PlannedAttack or None
        The one with the highest ALC, or in an overview the one that stands worst; None where no
        attack has an ALC.
    worst_alc : float or None
        Its ALC.
    worst_verdict : str or None
        Its verdict, or in an overview where it stands.
    """

    counts: Mapping[str, int]
    planned: int
    finished: int
    failed: int
    worst: PlannedAttack | None
    worst_alc: float | None
    worst_verdict: str | None

    @property
    def flagged(self) -> int:
        """Attacks at risk or worse."""
        return self.counts[Verdict.AT_RISK] + self.counts[Verdict.SERIOUS]

    @property
    def undecided(self) -> int:
        """Attacks whose interval straddles a risk limit."""
        return self.counts[Verdict.UNDECIDED]

    @property
    def too_few_targets(self) -> int:
        """Finished attacks without a significant threshold."""
        return self.counts[TOO_FEW_TARGETS]

    @property
    def to_run(self) -> int:
        """Attacks neither finished nor failed."""
        return self.planned - self.finished - self.failed


def findings_frame(
    attacks: Sequence[PlannedAttack],
    rescored: Rescored,
    *,
    failures: Mapping[int, str] = _NO_FAILURES,
    seconds: Mapping[int, float] = _NO_TIMES,
    cautioned: Collection[int] = (),
) -> pd.DataFrame:
    """Lay out a campaign as a table, one row per planned attack.

    Parameters
    ----------
    attacks : sequence of PlannedAttack
        All of the campaign.
    rescored : Rescored
        The finished ones.
    failures : mapping of int to str, optional
        Why attacks failed, by number.
    seconds : mapping of int to float, optional
        How long attacks took, by number.
    cautioned : collection of int, optional
        Numbers of attacks whose harmless verdict asks for a second look.

    Returns
    -------
    DataFrame of shape (n_attacks, n_columns)
        Worst first: attacks by falling ALC, those with too few targets, failed ones, those not yet
        run; below them in the same order attacks with one fact less, which count in no verdict.
        Numbers are unrounded, and missing where there are none; then `reason` says why.
        Every row carries the parameters that it was scored with.

    Raises
    ------
    InputError
        If a finished attack is not among the planned ones.
    """
    _check_planned(attacks, rescored)
    planned, results = _planned_columns(attacks), _result_columns(rescored)
    frame = planned.join(results, on="number")
    finished = frame["number"].isin(rescored.numbers)
    failed = frame["number"].isin(list(failures)) & ~finished
    status = np.select([finished, failed], [FINISHED, FAILED], NOT_YET_RUN)
    frame["look_twice"] = frame["number"].isin(list(cautioned))
    frame.insert(1, "status", pd.array(status.tolist(), dtype="str"))
    frame["seconds"] = frame["number"].map(dict(seconds)).astype("float64")
    reasons = frame["number"].map(dict(failures)).astype("str").where(failed)
    few = frame["verdict"] == TOO_FEW_TARGETS
    frame["reason"] = reasons.mask(few, _too_few_text(rescored.scoring))
    for name in _PARAMETERS:
        value = getattr(rescored.scoring, name)
        frame[name] = pd.Series(value, index=frame.index, dtype=_dtype_of(value))
    added = frame["known_set"] == KnownSetKind.ONE_LESS
    rank = np.select([frame["alc"].notna(), few, failed], [0, 1, 2], 3) + 4 * added
    order = np.lexsort((frame["number"], -frame["alc"].fillna(0.0), rank))
    return frame.iloc[order].reset_index(drop=True)[_column_order(frame)]


def findings_csv(frame: pd.DataFrame) -> str:
    """Return :func:`findings_frame`'s table as CSV.

    Text that a spreadsheet would take for a formula is preceded by an apostrophe.
    """
    safe = frame.copy()
    for column in safe.columns:
        if isinstance(safe[column].dtype, pd.StringDtype):
            safe[column] = safe[column].map(spreadsheet_safe, na_action="ignore")
    return safe.to_csv(index=False, lineterminator="\n")


def write_findings_parquet(frame: pd.DataFrame, target: Path | BinaryIO) -> None:
    """Write :func:`findings_frame`'s table as Parquet into a file, replacing what is there."""
    frame.to_parquet(target, index=False)


def summarize(
    attacks: Sequence[PlannedAttack],
    rescored: Rescored,
    *,
    failures: Mapping[int, str] = _NO_FAILURES,
) -> CampaignSummary:
    """Count what a campaign found.

    Parameters
    ----------
    attacks, rescored, failures
        As in :func:`findings_frame`.

    Returns
    -------
    CampaignSummary
        The worst attack is the first row of that table.
    """
    _check_planned(attacks, rescored)
    finished = set(rescored.numbers.tolist())
    usable = np.flatnonzero(rescored.usable)
    worst: PlannedAttack | None = None
    loss: float | None = None
    verdict: str | None = None
    if len(usable):
        order = np.lexsort((rescored.numbers[usable], -rescored.alc[usable]))
        first = usable[order[0]]
        number = int(rescored.numbers[first])
        worst = next(attack for attack in attacks if attack.number == number)
        loss, verdict = float(rescored.alc[first]), OUTCOMES[rescored.outcome[first]]
    return CampaignSummary(
        counts=rescored.counts,
        planned=len(attacks),
        finished=len(finished),
        failed=sum(a.number in failures and a.number not in finished for a in attacks),
        worst=worst,
        worst_alc=loss,
        worst_verdict=verdict,
    )


def headline(summary: CampaignSummary) -> str:
    """Say in plain words what a campaign found, and what is still missing."""
    decided = summary.finished - summary.too_few_targets
    if summary.worst is None:
        sentences = ["No attack has a result yet."]
    elif not summary.flagged and decided == 1:
        sentences = ["The one attack with a result is not flagged."]
    elif not summary.flagged:
        sentences = [f"None of {numbered(decided, 'attack')} is flagged."]
    else:
        verdicts = [v for v in (Verdict.SERIOUS, Verdict.AT_RISK) if summary.counts[v]]
        kinds = listed([f"{count(summary.counts[v])} {v}" for v in verdicts])
        are = "is" if summary.flagged == 1 else "are"
        sentences = [
            f"{count(summary.flagged)} of {numbered(decided, 'attack')} {are} flagged: {kinds}."
        ]
    if summary.undecided:
        are = "is" if summary.undecided == 1 else "are"
        worse = summary.worst_verdict == Verdict.AT_RISK
        sentences.append(
            f"{count(summary.undecided)} {are} undecided{' and may be worse' if worse else ''}."
        )
    sentences += filter(None, [_worst_sentence(summary), _rest_sentence(summary)])
    return " ".join(sentences)


def _worst_sentence(summary: CampaignSummary) -> str:
    worst, loss = summary.worst, summary.worst_alc
    if worst is None or loss is None:
        return ""
    if loss <= 0 and summary.worst_verdict == Verdict.NO_LOSS:
        return "No attack is clearly better than a guess without the person's record."
    known = listed(list(worst.scenario.known))
    told = f"ALC {loss:.2f}" if loss > 0 else "ALC not above 0"
    return (
        f"The worst: someone who knows {known} learns {worst.scenario.unknown} from "
        f"{worst.release} ({told}, {summary.worst_verdict})."
    )


def _rest_sentence(summary: CampaignSummary) -> str:
    counted = [
        (summary.too_few_targets, "had too few targets"),
        (summary.failed, "failed"),
        (summary.to_run, "has not run yet" if summary.to_run == 1 else "have not run yet"),
    ]
    parts = [f"{count(number)} {what}" for number, what in counted if number]
    return f"Not counted: {listed(parts)}." if parts else ""


def _check_planned(attacks: Sequence[PlannedAttack], rescored: Rescored) -> None:
    strangers = np.setdiff1d(rescored.numbers, [attack.number for attack in attacks])
    if len(strangers):
        raise InputError(
            f"Attack {strangers[0]} is finished but is not among the {len(attacks)} planned ones. "
            "Give all attacks of the campaign."
        )


def _too_few_text(scoring: ScoringParameters) -> str:
    return (
        f"No threshold has a {percent(scoring.confidence)} interval of precision at most "
        f"{scoring.max_interval_width:g} wide. Attack more targets, or allow a wider interval."
    )


def _dtype_of(value: float | str) -> str:
    return "str" if isinstance(value, str) else "float64"


def _planned_columns(attacks: Sequence[PlannedAttack]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "number": pd.array([a.number for a in attacks], dtype="int64"),
            "release": pd.array([a.release for a in attacks], dtype="str"),
            "attack": pd.array([a.attack for a in attacks], dtype="str"),
            "unknown": pd.array([a.scenario.unknown for a in attacks], dtype="str"),
            "known": pd.array([", ".join(a.scenario.known) for a in attacks], dtype="str"),
            "n_known": pd.array([len(a.scenario.known) for a in attacks], dtype="int64"),
            "known_set": pd.array([str(a.kind) for a in attacks], dtype="str"),
            "known_reason": pd.array([a.reason for a in attacks], dtype="str"),
        }
    )


def _result_columns(rescored: Rescored) -> pd.DataFrame:
    exact = np.full(len(rescored), rescored.interval_exact)
    columns: dict[str, object] = {
        "verdict": pd.array([OUTCOMES[code] for code in rescored.outcome.tolist()], dtype="str"),
        "alc": rescored.alc,
        "alc_low": rescored.low,
        "alc_high": rescored.high,
        "interval_exact": pd.array(exact, dtype="boolean"),
        "attempts": pd.array(rescored.attempts, dtype="Int64"),
    }
    for name, side in (("attack", rescored.attack), ("baseline", rescored.baseline)):
        for field in fields(BestPoints):
            values = getattr(side, field.name)
            if values.dtype.kind == "i":
                values = pd.array(values, dtype="Int64")
                values[np.isnan(side.prc)] = pd.NA
            columns[f"{name}_{field.name}"] = values
    frame = pd.DataFrame(columns, index=rescored.numbers)
    frame.loc[~rescored.usable, "interval_exact"] = pd.NA
    return frame


def _column_order(frame: pd.DataFrame) -> list[str]:
    first = [
        "number",
        "status",
        "verdict",
        "look_twice",
        "alc",
        "alc_low",
        "alc_high",
        "interval_exact",
    ]
    what = ["release", "attack", "unknown", "known", "n_known", "known_set", "known_reason"]
    last = ["attempts", "seconds", *_PARAMETERS, "reason"]
    measures = [c for c in frame.columns if c not in (*first, *what, *last)]
    return [*first, *what, *measures, *last]
