"""RAPID and measures on ALC's scale: where they disagree with ALC."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from alc_core.campaign.findings.findings_table import MeasureColumn, measure_columns
from alc_core.campaign.findings.overview import CampaignOverview, told_losses
from alc_core.measures.rapid import RapidMeasure
from alc_core.phrasing import alc_number, count, numbered, percent

# Pairs of classes (below the first limit, above it, above the second) by ALC and the other measure
# on different sides of the first limit: rows of table 2
DISAGREEMENTS = ((1, 0), (2, 0), (0, 1), (0, 2))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Disagreement:
    """Numbers of attacks by two measures' classes.

    Attributes
    ----------
    counts : ndarray of int of shape (3, 3)
        Attacks by class: ALC's in rows, the other's in columns.

    References
    ----------
    Francis and Wagner (2025), table 2.
    """

    counts: NDArray[np.int64]

    @classmethod
    def of(
        cls, ours: ArrayLike, other: ArrayLike, *, at_risk: float = 0.5, serious: float = 0.75
    ) -> Self:
        """Count attacks with both numbers, NaN if missing, on one scale.

        Examples
        --------
        >>> Disagreement.of([0.6, 0.8, 0.1, 0.2], [0.2, 0.7, 0.9, 0.0]).counts.tolist()
        [[1, 0, 1], [1, 0, 0], [0, 1, 0]]
        """
        pair = np.array([ours, other], dtype=np.float64)
        pair = pair[:, ~np.isnan(pair).any(axis=0)]
        rows, columns = np.searchsorted([at_risk, serious], pair, side="right")
        counts = np.bincount(3 * rows + columns, minlength=9)
        return cls(counts=counts.reshape(3, 3).astype(np.int64))

    @property
    def attacks(self) -> int:
        """Attacks that have both."""
        return int(self.counts.sum())

    def share(self, ours: int, other: int) -> float:
        """Return the share of attacks in two classes."""
        return float(self.counts[ours, other]) / max(self.attacks, 1)

    @property
    def missed(self) -> int:
        """Attacks that reach the first limit only by ALC."""
        return int(self.counts[1:, 0].sum())

    @property
    def only_other(self) -> int:
        """Attacks that reach the first limit only by the other measure."""
        return int(self.counts[0, 1:].sum())


def columns_like_alc(results: pd.DataFrame) -> list[MeasureColumn]:
    """Return the columns of other measures on the scale of ALC."""
    return [each for each in measure_columns(results, like_alc=True) if each.leading]


def disagreement_of(overview: CampaignOverview, column: MeasureColumn) -> Disagreement:
    """Count a campaign's attacks by class of ALC and another measure."""
    return Disagreement.of(
        told_losses(overview.results), overview.results[column.name],
        at_risk=overview.scoring.at_risk, serious=overview.scoring.serious,
    )  # fmt: skip


def disagreement_rows(overview: CampaignOverview) -> list[dict[str, str]]:
    """Return table 2 of the paper for a campaign."""
    columns = columns_like_alc(overview.results)
    found = {column.title: disagreement_of(overview, column) for column in columns}
    first, second = (f"{each:g}" for each in (overview.scoring.at_risk, overview.scoring.serious))
    classes = (f"Below {first}", f"{first} to {second}", f"{second} or more")
    return [
        {"ALC": classes[ours], "Other measure": classes[other]}
        | {
            title: f"{percent(each.share(ours, other))} ({count(int(each.counts[ours, other]))} of "
            f"{count(each.attacks)})"
            for title, each in found.items()
        }
        for ours, other in DISAGREEMENTS
    ]


def disagreement_sentence(overview: CampaignOverview, column: MeasureColumn) -> str:
    """Say how often only one reaches the limit.

    By numbers alone, whatever the intervals.
    """
    found, limit = disagreement_of(overview, column), f"{overview.scoring.at_risk:g}"
    if not found.attacks:
        return ""
    return (
        f"{count(found.missed)} of {numbered(found.attacks, 'attack')} "
        f"({percent(found.missed / found.attacks)}) reach {limit} only with ALC, "
        f"{count(found.only_other)} ({percent(found.only_other / found.attacks)}) only with "
        f"“{column.title}”."
    )


_ALIKE = ((0.7, "similarly"), (0.3, "partly the same"), (-1.0, "very differently"))
_FEW = 0.2


def rapid_column(overview: CampaignOverview) -> MeasureColumn | None:
    """Return RAPID's column of the findings, if any attack has it."""
    columns = (each for each in measure_columns(overview.results) if each.leading)
    return next((each for each in columns if each.measure == RapidMeasure.name), None)


def disagreements(overview: CampaignOverview) -> tuple[str, ...]:
    """Say how far RAPID and ALC agree on attacks, and where not.

    They disagree if RAPID is in the campaign's upper half and ALC below its limit, or the reverse.
    The clearest attack of each kind is named.
    """
    column = rapid_column(overview)
    if column is None:
        return ()
    both = overview.results.assign(decisive_alc=told_losses(overview.results))
    both = both.dropna(subset=[column.name, "decisive_alc"])
    if len(both) < 3:
        return ()
    rapid, alc = both[column.name], both["decisive_alc"]
    high = (rapid > rapid.median()).to_numpy(dtype=bool)
    above = (alc >= overview.scoring.at_risk).to_numpy(dtype=bool)
    words = [_alike(rapid, alc)]
    known, leaks = both.loc[high & ~above], both.loc[above & ~high]
    limit = f"{overview.scoring.at_risk:g}"
    if len(known):
        first = known.iloc[int(known[column.name].to_numpy().argmax())]
        words.append(
            f"RAPID is in the upper half but ALC below {limit} in "
            f"{numbered(len(known), 'attack')}. {_facts(first, column, len(known))} "
            f"{_why_no_loss(first)}"
        )
    if len(leaks):
        first = leaks.iloc[int(leaks["decisive_alc"].to_numpy().argmax())]
        words.append(
            f"ALC reaches {limit} but RAPID is in the lower half in "
            f"{numbered(len(leaks), 'attack')}. {_facts(first, column, len(leaks))} "
            f"{_why_not_rapid(first)}"
        )
    if len(words) == 1:
        words.append("They never disagree.")
    return tuple(words)


def _alike(rapid: pd.Series, alc: pd.Series) -> str:
    number = len(rapid)
    if rapid.nunique() < 2 or alc.nunique() < 2:
        return f"RAPID or ALC is the same in all {count(number)} attacks."
    agreement = float(rapid.rank().corr(alc.rank()))
    words = next(words for least, words in _ALIKE if agreement >= least)
    shown = f"{agreement:.2f}".replace("-", "\N{MINUS SIGN}")
    return f"RAPID and ALC rank {count(number)} attacks {words} (rank correlation {shown})."


def _facts(row: pd.Series, column: MeasureColumn, number: int) -> str:
    which = "It is" if number == 1 else "The clearest is"
    return (
        f"{which} attack {row['number']}, '{row['unknown']}' on '{row['release']}': RAPID "
        f"{percent(float(row[column.name]))}, ALC {alc_number(float(row['decisive_alc']))}."
    )


def _precisions(row: pd.Series) -> tuple[float, float]:
    return float(row["deciding_measured_precision"]), float(row["compared_measured_precision"])


def _why_no_loss(row: pd.Series) -> str:
    attack, baseline = _precisions(row)
    facts = f"{percent(attack)} of its predictions are correct (baseline {percent(baseline)}):"
    if baseline >= attack / 2:
        return f"{facts} the best guess does at least half as well."
    return f"{facts} the release adds less than the limit."


def _why_not_rapid(row: pd.Series) -> str:
    attack, baseline = _precisions(row)
    recall = float(row["deciding_recall"])
    facts = (
        f"It answers for {percent(recall)} of people: {percent(attack)} correct "
        f"(baseline {percent(baseline)})."
    )
    return facts if recall < _FEW else f"{facts} RAPID ignores uncertain predictions."
