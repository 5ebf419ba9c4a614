"""Whether the verdict depends on alpha or R_min."""

from __future__ import annotations

import enum
import itertools
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from alc_core.arrays import BoolArray, FloatArray, IntArray
from alc_core.campaign.columns import Columns
from alc_core.campaign.findings.overview import told_losses
from alc_core.campaign.findings.view import CampaignView, Recent
from alc_core.campaign.rescore.multiplicity import controlled
from alc_core.campaign.rescore.rescoring import Rescored, judged, rescore
from alc_core.phrasing import count, decimal, listed, loss_text, numbered, percent, sentence_case
from alc_core.scoring.calculator import calculate
from alc_core.scoring.parameters import PARAMETER_TITLES, ScoringParameters
from alc_core.scoring.verdict import OUTCOMES, UNTESTED, StandingCodes, Verdict, code_of

# The range of the dashboard's sliders
ALPHAS = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0)
R_MINS = (1e-6, 1e-5, 5e-5, 1e-4, 5e-4, 1e-3, 1e-2)
_KEPT = 128

# Kinds of verdicts, "did not converge" with inconclusive; 3 at risk, 4 serious
NOT_TESTED, HARMLESS, INCONCLUSIVE = 0, 1, 2
_KINDS: StandingCodes = np.empty(len(OUTCOMES), dtype=np.int8)
for _kind, _verdicts in enumerate(
    (UNTESTED, (Verdict.NO_LOSS, Verdict.BELOW_LIMIT),
     (Verdict.INCONCLUSIVE, Verdict.NOT_CONVERGED), (Verdict.AT_RISK,), (Verdict.SERIOUS,))
):  # fmt: skip
    for _verdict in _verdicts:
        _KINDS[code_of(_verdict)] = _kind


class GridCells:
    """Cached cells of one campaign's grids.

    A moved limit rescores nothing; a moved alpha or R_min one column or row.
    """

    def __init__(self) -> None:
        self._columns: Columns | None = None
        self._cells = Recent(_KEPT)

    def cell(self, columns: Columns, scoring: ScoringParameters, run: Rescored) -> Rescored:
        """Return both readings of every attack."""
        if columns is not self._columns:
            self._columns, self._cells = columns, Recent(_KEPT)
        key = replace(scoring, at_risk=run.scoring.at_risk, serious=run.scoring.serious)
        return self._cells.get(key, lambda: rescore(columns, key, run_scoring=run.scoring, run=run))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FlagGrid:
    """Finished attacks over a grid of alpha and R_min.

    An attack is *flagged* if its own ALC, without interval or :mod:`subsets`, reaches `at_risk`,
    unless nothing was left to learn.
    """

    alphas: tuple[float, ...]  # Ascending; the chosen values are among them
    r_mins: tuple[float, ...]
    scoring: ScoringParameters  # As chosen; limits and confidence hold for all cells
    numbers: IntArray  # The finished attacks
    releases: IntArray  # Index of each attack's release
    alc: FloatArray  # The more severe reading of each attack
    levels: StandingCodes  # By ALC alone: 0 below the limits, 1 at risk, 2 serious
    outcome: StandingCodes  # Verdicts with intervals, as codes of :data:`OUTCOMES`

    @property
    def finished(self) -> int:
        """Attacks in the grid."""
        return len(self.numbers)

    @property
    def chosen(self) -> tuple[int, int]:
        """Place of the chosen alpha and R_min."""
        return self.place(self.scoring)

    def place(self, scoring: ScoringParameters) -> tuple[int, int]:
        """Return the indices of the chosen alpha and R_min, or of the run's."""
        return self.alphas.index(scoring.alpha), self.r_mins.index(scoring.r_min)

    @property
    def flagged(self) -> IntArray:
        """Attacks at risk or serious, of shape (n_alphas, n_r_mins)."""
        return np.asarray((self.levels > 0).sum(axis=-1))

    @property
    def kinds(self) -> StandingCodes:
        """Kinds of verdicts with intervals, in the shape of `outcome`.

        0 not testable, 1 no loss or below limit, 2 inconclusive, 3 at risk, 4 serious.
        """
        return _KINDS[self.outcome]

    @property
    def changing(self) -> BoolArray:
        """Whether each attack's level changes, of shape (n_attacks,)."""
        return np.asarray((self.levels != self.levels[0, 0]).any(axis=(0, 1)))


def flag_grid(
    view: CampaignView,
    *,
    scoring: ScoringParameters | None = None,
    cells: GridCells | None = None,
) -> FlagGrid:
    """Score finished attacks over a grid of alpha and R_min."""
    run_scoring = view.settings.scoring
    chosen = run_scoring if scoring is None else scoring
    run, columns = view.run_and_columns(chosen)
    kept = GridCells() if cells is None else cells
    rows = tuple(sorted({*ALPHAS, chosen.alpha, run_scoring.alpha}))
    r_mins = tuple(sorted({*R_MINS, chosen.r_min, run_scoring.r_min}))
    shape = (len(rows), len(r_mins), len(columns))
    alc, outcome = np.empty(shape), np.empty(shape, dtype=np.int8)
    for i, alpha in enumerate(rows):
        for j, r_min in enumerate(r_mins):
            each = replace(chosen, alpha=alpha, r_min=r_min)
            cell = kept.cell(columns, each, run)
            alc[i, j] = np.maximum(cell.own.alc, cell.among_rest.alc)
            found, by_rest = judged(cell, columns, each)
            told = replace(cell, scoring=each, outcome=found, by_rest=by_rest)
            outcome[i, j] = controlled(told, columns).outcome
    release_of = {attack.number: attack.release for attack in view.judged}
    counted = np.isin(columns.numbers, list(release_of))
    numbers = columns.numbers[counted]
    alc, outcome = alc[..., counted], outcome[..., counted]
    alc[outcome == code_of(Verdict.NOT_TESTABLE)] = 0.0
    levels = np.searchsorted([chosen.at_risk, chosen.serious], alc, side="right")
    return FlagGrid(
        alphas=rows,
        r_mins=r_mins,
        scoring=chosen,
        numbers=numbers,
        releases=pd.factorize(np.array([release_of[n] for n in numbers.tolist()], dtype=object))[0],
        alc=alc,
        levels=levels.astype(np.int8),
        outcome=outcome,
    )


def changing_attacks(grid: FlagGrid, results: pd.DataFrame) -> pd.DataFrame:
    """List attacks that cross a limit on a grid."""
    changing = np.flatnonzero(grid.changing)
    flat = len(grid.alphas) * len(grid.r_mins), len(changing)
    losses = grid.alc[..., changing].reshape(flat)
    flagged = (grid.levels[..., changing] > 0).reshape(flat)
    lowest, highest = losses.min(axis=0), losses.max(axis=0)
    frame = pd.DataFrame(
        {
            "number": grid.numbers[changing],
            "lowest": lowest,
            "highest": highest,
            "flagged": flagged.sum(axis=0),
        }
    )
    shown = results.set_index("number")[["standing", "decisive_alc", "release", "unknown", "known"]]
    joined = frame.join(shown, on="number")
    order = np.lexsort((joined["number"], -(highest - lowest)))
    columns = ["number", "standing", "decisive_alc", "lowest", "highest", "flagged"]
    return joined.iloc[order].reset_index(drop=True)[[*columns, "release", "unknown", "known"]]


_STRONG = 0.5  # PRC from which an attack counts as strong
# Recall below which alpha and R_min matter (paper, section 4.2)
_FEW = 0.01


def prc_sentence(results: pd.DataFrame) -> str:
    """Say how strong the attacks are by their PRC."""
    shown = results[results["decisive_alc"].notna()]
    if not len(shown):
        return ""
    strong = int((shown["deciding_prc"] >= _STRONG).sum())
    first = shown.iloc[int(np.argmax(shown["deciding_prc"]))]
    reach = "reaches" if strong == 1 else "reach"
    return (
        f"{count(strong)} of {numbered(len(shown), 'attack')} {reach} PRC {_STRONG:g}. The "
        f"strongest, on '{first['unknown']}' from '{first['release']}', has PRC "
        f"{first['deciding_prc']:.2f}: {percent(first['deciding_measured_precision'])} correct, "
        f"for {percent(first['deciding_recall'])} of people."
    )


def few_people_sentence(results: pd.DataFrame) -> str:
    """Say for how many attacks, answering for few, alpha and R_min matter."""
    shown = results[results["decisive_alc"].notna()]
    if not len(shown):
        return ""
    lowest = shown[["deciding_recall", "compared_recall"]].min(axis=1)
    few, recall = int((lowest < _FEW).sum()), percent(float(lowest.min()))
    if not few:
        return (
            f"All {numbered(len(shown), 'attack')} and baselines are at their best on at "
            f"least {percent(_FEW)} of people (lowest {recall})."
        )
    return (
        f"In {count(few)} of {numbered(len(shown), 'attack')}, attack or baseline is at its best "
        f"on under {percent(_FEW)} of people, down to {recall}."
    )


def limit_sentence(results: pd.DataFrame, scoring: ScoringParameters) -> str:
    """Say how many attacks are above the limits, and which is next."""
    losses = told_losses(results).dropna().to_numpy()
    if not len(losses):
        return ""
    above, serious = int((losses >= scoring.at_risk).sum()), int((losses >= scoring.serious).sum())
    lie = "lies" if above == 1 else "lie"
    nearest = float(losses[np.argmin(np.abs(losses - scoring.at_risk))])
    return (
        f"{count(above)} of {numbered(len(losses), 'attack')} {lie} at ALC {scoring.at_risk:g} or "
        f"above, {count(serious)} at {scoring.serious:g} or above. Closest to "
        f"{scoring.at_risk:g}: {loss_text(nearest)}."
    )


def needed_sentence(results: pd.DataFrame, number: int | None, scoring: ScoringParameters) -> str:
    """Say one attack's precision, and the precision that reaches the limit."""
    row = _row(results, number)
    if row is None:
        return ""
    found = calculate(
        row["deciding_precision"],
        row["deciding_recall"],
        baseline_precision=row["compared_precision"],
        baseline_recall=row["compared_recall"],
        scoring=scoring,
    )
    who = (
        f"The ringed attack answers for {percent(row['deciding_recall'])} of people, "
        f"{percent(row['deciding_precision'])} correctly"
    )
    if np.isnan(found.needed_precision):
        return f"{who}, and cannot reach ALC {scoring.at_risk:g} with its baseline."
    return f"{who}. ALC {scoring.at_risk:g} would take {percent(found.needed_precision)}."


def _row(results: pd.DataFrame, number: int | None) -> dict[str, Any] | None:
    found = results[(results["number"] == number) & results["decisive_alc"].notna()]
    return None if not len(found) else {str(k): v for k, v in found.iloc[0].to_dict().items()}


# The worst attack's description, by kind of verdict
_WORST = (
    "below the limits",
    "below the limits",
    str(Verdict.INCONCLUSIVE),
    str(Verdict.AT_RISK),
    str(Verdict.SERIOUS),
)


class Dependence(enum.StrEnum):
    """How far a verdict depends on a parameter."""

    NONE = "no"
    SINGLE = "only for single attacks"
    RELEASE = "yes"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Whether the verdict depends on something."""

    of: str  # Words for what it depends on
    dependence: Dependence  # The answer in short
    text: str  # The answer in sentences


def sensitivity_sentence(grid: FlagGrid) -> str:
    """Say whether the verdict depends on alpha and R_min."""
    if not grid.finished:
        return "No attack has a result yet."
    answer = both_answer(grid)
    return (
        f"Does the verdict depend on alpha and R_min? {sentence_case(answer.dependence)}. "
        f"{answer.text}"
    )


def sensitivity_answers(grid: FlagGrid) -> tuple[Answer, ...]:
    """Answer for alpha, for R_min and for both; empty without a result."""
    if not grid.finished:
        return ()
    return (_answer_of(grid, "alpha"), _answer_of(grid, "r_min"), both_answer(grid))


def both_answer(grid: FlagGrid) -> Answer:
    """Say what happens on a grid with attacks."""
    everywhere = (
        f"alpha from {grid.alphas[0]:g} to {grid.alphas[-1]:g} with R_min from "
        f"{decimal(grid.r_mins[0])} to {decimal(grid.r_mins[-1])}"
    )
    kinds = grid.kinds.reshape(-1, grid.finished)
    dependence = _dependence(grid.levels.reshape(-1, grid.finished), kinds, grid.releases)
    if dependence is Dependence.NONE:
        text = f"For {everywhere}, {_flagged(grid, grid.flagged)}, always the same."
    elif dependence is Dependence.SINGLE or not np.ptp(_worst_kinds(kinds)):
        worst = _WORST[int(kinds.max())]
        text = f"For {everywhere}, the worst attack is {worst} throughout"
        text += f"{_of_releases(kinds, grid.releases)}. {_numbers(grid)}"
    else:
        worst_kinds = np.unique(_worst_kinds(kinds))[::-1].tolist()
        now = max(int(grid.kinds[grid.chosen].max()), HARMLESS)
        others = listed([_WORST[kind] for kind in worst_kinds if kind != now], last="or")
        text = (
            f"The worst attack is {_WORST[now]}; for other {everywhere} it can be {others}. "
            f"{_numbers(grid)}"
        )
    highest = grid.alc.max(axis=-1)
    low, high = loss_text(float(highest.min())), loss_text(float(highest.max()))
    between = f"is {low} throughout" if low == high else f"lies between {low} and {high}"
    text += f" The highest ALC {between}.{_uncertain(grid)}{_with_intervals(kinds)}"
    return Answer(of="both together", dependence=dependence, text=text)


def flagged_range(grid: FlagGrid) -> str:
    """Say how many attacks reach the first limit on the grid."""
    if np.ptp(grid.flagged):
        return f"{_flagged(grid, grid.flagged)}, depending on alpha and R_min."
    return f"{sentence_case(_flagged(grid, grid.flagged))} for every alpha and R_min."


def flagged_sentence(grid: FlagGrid) -> str:
    """Say how many attacks are flagged as chosen, and how many inconclusive."""
    if not grid.finished:
        return ""
    at = grid.chosen
    flagged = int(grid.flagged[at])
    inconclusive = grid.outcome[at] == code_of(Verdict.INCONCLUSIVE)
    above = int((inconclusive & (grid.levels[at] > 0)).sum())
    below = int(inconclusive.sum()) - above
    sentence = (
        f"At your parameters, {count(flagged)} of {count(grid.finished)} attacks reach ALC "
        f"{grid.scoring.at_risk:g}."
    )
    if not above and not below:
        return sentence
    both = [(above, "of these"), (below, "of the others")]
    parts = listed([f"{count(number)} {which}" for number, which in both if number])
    are = "is" if above + below == 1 else "are"
    return f"{sentence} {sentence_case(parts)} {are} inconclusive."


def _answer_of(grid: FlagGrid, parameter: str) -> Answer:
    row, column = grid.chosen
    if parameter == "alpha":
        values, at, levels, kinds = grid.alphas, row, grid.levels[:, column], grid.kinds[:, column]
        kept = f"R_min kept at {decimal(grid.scoring.r_min)}"
    else:
        values, at, levels, kinds = grid.r_mins, column, grid.levels[row], grid.kinds[row]
        kept = f"alpha kept at {grid.scoring.alpha:g}"
    word = PARAMETER_TITLES[parameter]
    dependence = _dependence(levels, kinds, grid.releases)
    flagged = (levels > 0).sum(axis=-1)
    around = f"With {kept} and {word} from {decimal(values[0])} to {decimal(values[-1])}"
    if dependence is Dependence.NONE:
        text = f"{around}, {_flagged(grid, flagged)}, always the same."
    else:
        worst = (
            f"the worst attack stays {_WORST[int(kinds.max())]}{_of_releases(kinds, grid.releases)}"
            if not np.ptp(_worst_kinds(kinds))
            else f"the worst attack is {_worst_by_range(kinds, values)}"
        )
        own = f", {count(int(flagged[at]))} at your {word} of {decimal(values[at])}"
        numbers = (
            f"{sentence_case(_flagged(grid, flagged))}{own if np.ptp(flagged) else ' everywhere'}."
        )
        text = (
            f"{around}, {worst}. {numbers} "
            f"{_same_range(levels, kinds, values, at, word)}{_with_intervals(kinds)}"
        )
    return Answer(of=word, dependence=dependence, text=text)


def _dependence(levels: StandingCodes, kinds: StandingCodes, releases: IntArray) -> Dependence:
    """Return how levels and verdicts of shape (n_values, n_attacks) differ."""
    if (levels == levels[0]).all() and (kinds == kinds[0]).all():
        return Dependence.NONE
    return Dependence.RELEASE if _changed_releases(kinds, releases) else Dependence.SINGLE


def _worst_kinds(kinds: StandingCodes) -> StandingCodes:
    """Return the worst kind for each value.

    What is not testable does not count against a release.
    """
    return np.asarray(np.maximum(kinds, HARMLESS).max(axis=-1))


def _changed_releases(kinds: StandingCodes, releases: IntArray) -> int:
    each = (_worst_kinds(kinds[:, releases == release]) for release in np.unique(releases))
    return sum(bool(np.ptp(worst)) for worst in each)


def _of_releases(kinds: StandingCodes, releases: IntArray) -> str:
    """Say for how many releases the worst attack changes, but not overall."""
    changed = _changed_releases(kinds, releases)
    return f", but it varies for {numbered(changed, 'release')}" if changed else ""


def _with_intervals(kinds: StandingCodes) -> str:
    """Say how many verdicts, `kinds` of (n_cells, n_attacks), change with intervals."""
    changed = int((kinds != kinds[0]).any(axis=0).sum())
    parts = [
        f"{_between((kinds == kind).sum(axis=-1))} {words}"
        for kind, words in ((INCONCLUSIVE, "inconclusive"), (NOT_TESTED, "with nothing to test"))
        if (kinds == kind).any()
    ]
    if not changed or not parts:
        return ""
    verdicts = "1 verdict changes" if changed == 1 else f"{count(changed)} verdicts change"
    return f" With intervals, {verdicts} ({listed(parts)})."


def _between(numbers: IntArray) -> str:
    low, high = int(numbers.min()), int(numbers.max())
    return count(low) if low == high else f"{count(low)} to {count(high)}"


def _flagged(grid: FlagGrid, numbers: IntArray) -> str:
    """Say how many attacks, or from how many to how many, reach the first limit."""
    least, most = int(numbers.min()), int(numbers.max())
    limit, total = f"ALC {grid.scoring.at_risk:g}", count(grid.finished)
    if least < most:
        return f"Between {count(least)} and {count(most)} of {total} attacks reach {limit}"
    if most:
        return f"{count(most)} of {total} attacks {'reaches' if most == 1 else 'reach'} {limit}"
    none = "the one attack does not reach" if grid.finished == 1 else f"none of {total} reaches"
    return f"{none} {limit}"


def _numbers(grid: FlagGrid) -> str:
    always = int((grid.levels > 0).all(axis=(0, 1)).sum())
    start = sentence_case(_flagged(grid, grid.flagged))
    if (grid.flagged == always).all():
        changing = ", though some change to or from serious" * bool(grid.changing.any())
        return f"{start} everywhere{changing}."
    never = int((grid.levels == 0).all(axis=(0, 1)).sum())
    return f"{start}: {count(always)} always, {count(never)} never."


def _uncertain(grid: FlagGrid) -> str:
    """Say how many changing attacks are too close to a limit anyway."""
    inconclusive = grid.outcome[grid.chosen] == code_of(Verdict.INCONCLUSIVE)
    changing = int(grid.changing.sum())
    both = int((inconclusive & grid.changing).sum())
    if not both:
        return ""
    are = "is" if both == 1 else "are"
    which = f"{count(both)} of the {count(changing)} attacks that change {are}"
    if changing == 1:
        which = "The one attack that changes is"
    return f" {which} inconclusive at your parameters anyway."


def _worst_by_range(kinds: StandingCodes, values: tuple[float, ...]) -> str:
    """Say what the worst attack is, by ranges of values."""
    worst = np.maximum(kinds, HARMLESS).max(axis=-1)
    starts = [0, *(np.flatnonzero(np.diff(worst)) + 1).tolist(), len(worst)]
    parts = []
    for first, after in itertools.pairwise(starts):
        low, high = values[first], values[after - 1]
        where = decimal(low) if low == high else f"{decimal(low)} to {decimal(high)}"
        parts.append(f"{_WORST[int(worst[first])]} ({where})")
    return listed(parts)


def _same_range(
    levels: StandingCodes, kinds: StandingCodes, values: tuple[float, ...], at: int, word: str
) -> str:
    """Say over which values around the chosen one nothing changes."""
    same = ((levels == levels[at]) & (kinds == kinds[at])).all(axis=-1)
    others = np.flatnonzero(~same)
    first = max((place + 1 for place in others if place < at), default=0)
    last = min((place - 1 for place in others if place > at), default=len(values) - 1)
    if first == last:
        return "One step either way changes at least one verdict."
    return f"No attack changes for {word} from {decimal(values[first])} to {decimal(values[last])}."
