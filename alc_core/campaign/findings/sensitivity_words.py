"""Whether the verdict depends on alpha or R_min, in words."""

from __future__ import annotations

import enum
import itertools
from dataclasses import dataclass

import numpy as np

from alc_core.arrays import IntArray
from alc_core.assessment.words import loss_text
from alc_core.campaign.findings.sensitivity import HARMLESS, NOTHING_LEFT, UNDECIDED, FlagGrid
from alc_core.phrasing import count, decimal, listed, sentence_case
from alc_core.scoring.parameters import PARAMETER_TITLES
from alc_core.scoring.verdict import StandingCodes, Verdict, code_of

_WORST = (
    "below the limits",
    "below the limits",
    str(Verdict.UNDECIDED),
    str(Verdict.AT_RISK),
    str(Verdict.SERIOUS),
)
"""What the worst attack is, by the kind of its verdict."""


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
    text: str  # The answer with its numbers, in sentences


def sensitivity_sentence(grid: FlagGrid) -> str:
    """Say in one paragraph whether the verdict depends on alpha and R_min."""
    if not grid.finished:
        return "No attack has a result yet, so there is no verdict that could depend on anything."
    answer = both_answer(grid)
    return (
        f"Does the verdict depend on alpha and R_min? {sentence_case(answer.dependence)}. "
        f"{answer.text}"
    )


def sensitivity_answers(grid: FlagGrid) -> tuple[Answer, ...]:
    """Answer for alpha alone, for R_min alone and for both; empty without a result."""
    if not grid.finished:
        return ()
    return (_answer_of(grid, "alpha"), _answer_of(grid, "r_min"), both_answer(grid))


def both_answer(grid: FlagGrid) -> Answer:
    """Say what happens anywhere on a grid that has attacks."""
    everywhere = (
        f"alpha from {grid.alphas[0]:g} to {grid.alphas[-1]:g} with R_min from "
        f"{decimal(grid.r_mins[0])} to {decimal(grid.r_mins[-1])}"
    )
    kinds = grid.kinds.reshape(-1, grid.finished)
    dependence = _dependence(grid.levels.reshape(-1, grid.finished), kinds)
    fewest, most = int(grid.flagged.min()), int(grid.flagged.max())
    if dependence is Dependence.NONE:
        text = f"For {everywhere}, {_flagged(grid, fewest)}, always the same."
    elif dependence is Dependence.SINGLE:
        worst = _WORST[int(kinds.max())]
        text = f"For {everywhere}, the worst attack is {worst} throughout. {_numbers(grid)}"
    else:
        worst_kinds = np.unique(np.maximum(kinds, HARMLESS).max(axis=-1))[::-1].tolist()
        now = max(int(grid.kinds[grid.chosen].max()), HARMLESS)
        others = listed([_WORST[kind] for kind in worst_kinds if kind != now], last="or")
        text = (
            f"At your parameters the worst attack is {_WORST[now]}; for other {everywhere} it can "
            f"be {others}. {_numbers(grid)}"
        )
    highest = grid.alc.max(axis=-1)
    low, high = loss_text(float(highest.min())), loss_text(float(highest.max()))
    between = f"is {low} throughout" if low == high else f"lies between {low} and {high}"
    text += f" The highest ALC {between}.{_uncertain(grid, most)}{_with_intervals(kinds)}"
    return Answer(of="both together", dependence=dependence, text=text)


def flagged_range(grid: FlagGrid) -> str:
    """Say in a short sentence how many attacks reach the first limit anywhere on the grid."""
    fewest, most = int(grid.flagged.min()), int(grid.flagged.max())
    if fewest == most:
        return f"{sentence_case(_flagged(grid, most))} for every alpha and R_min."
    return f"{_flagged(grid, most, least=fewest)}, depending on alpha and R_min."


def flagged_sentence(grid: FlagGrid) -> str:
    """Say how many attacks are flagged as chosen, and how many of these are undecided."""
    if not grid.finished:
        return ""
    at = grid.chosen
    flagged = int(grid.flagged[at])
    undecided = grid.outcome[at] == code_of(Verdict.UNDECIDED)
    above = int((undecided & (grid.levels[at] > 0)).sum())
    below = int(undecided.sum()) - above
    sentence = (
        f"At your parameters the ALC of {count(flagged)} of {count(grid.finished)} attacks is at "
        f"or above {grid.scoring.at_risk:g}."
    )
    if not above and not below:
        return sentence
    both = [(above, "of these"), (below, "of the others")]
    parts = listed([f"{count(number)} {which}" for number, which in both if number])
    are = "is" if above + below == 1 else "are"
    return (
        f"{sentence} By the interval of its ALC, {parts} {are} undecided; the Findings page counts "
        "undecided attacks separately."
    )


def _answer_of(grid: FlagGrid, parameter: str) -> Answer:
    """Answer for one parameter, the other as chosen."""
    row, column = grid.chosen
    if parameter == "alpha":
        values, at, levels, kinds = grid.alphas, row, grid.levels[:, column], grid.kinds[:, column]
        kept = f"R_min kept at {decimal(grid.scoring.r_min)}"
    else:
        values, at, levels, kinds = grid.r_mins, column, grid.levels[row], grid.kinds[row]
        kept = f"alpha kept at {grid.scoring.alpha:g}"
    word = PARAMETER_TITLES[parameter]
    dependence = _dependence(levels, kinds)
    flagged = (levels > 0).sum(axis=-1)
    around = f"With {kept} and {word} from {decimal(values[0])} to {decimal(values[-1])}"
    if dependence is Dependence.NONE:
        text = f"{around}, {_flagged(grid, int(flagged[at]))}, always the same."
    else:
        worst = (
            f"the worst attack stays {_WORST[int(kinds.max())]}"
            if dependence is Dependence.SINGLE
            else f"the worst attack is {_worst_by_range(kinds, values)}"
        )
        fewest, most = int(flagged.min()), int(flagged.max())
        numbers = (
            f"{sentence_case(_flagged(grid, most))} everywhere."
            if fewest == most
            else f"{_flagged(grid, most, least=fewest)}, {count(int(flagged[at]))} at your "
            f"{decimal(values[at])}."
        )
        text = (
            f"{around}, {worst}. {numbers} "
            f"{_same_range(levels, kinds, values, at, word)}{_with_intervals(kinds)}"
        )
    return Answer(of=word, dependence=dependence, text=text)


def _dependence(levels: StandingCodes, kinds: StandingCodes) -> Dependence:
    """Return how far levels and verdicts of shape (n_values, n_attacks) differ between values."""
    if (levels == levels[0]).all() and (kinds == kinds[0]).all():
        return Dependence.NONE
    # Whether anything was left to learn is about single attacks: neither speaks against a release.
    worst = np.maximum(kinds, HARMLESS).max(axis=-1)
    return Dependence.SINGLE if (worst == worst[0]).all() else Dependence.RELEASE


def _with_intervals(kinds: StandingCodes) -> str:
    """Say how many verdicts change where intervals count, too; `kinds` are (n_cells, n_attacks)."""
    changed = int((kinds != kinds[0]).any(axis=0).sum())
    parts = [
        f"{_between((kinds == kind).sum(axis=-1))} {words}"
        for kind, words in ((UNDECIDED, "undecided"), (NOTHING_LEFT, "nothing left to learn"))
        if (kinds == kind).any()
    ]
    if not changed or not parts:
        return ""
    verdicts = "verdict of 1 attack changes"
    if changed > 1:
        verdicts = f"verdicts of {count(changed)} attacks change"
    return f" With intervals, the {verdicts} somewhere: {listed(parts)}."


def _between(numbers: IntArray) -> str:
    low, high = int(numbers.min()), int(numbers.max())
    return count(low) if low == high else f"{count(low)} to {count(high)}"


def _flagged(grid: FlagGrid, number: int, *, least: int | None = None) -> str:
    """Say how many attacks reach the first limit: a number, or between the least and a number."""
    limit, total = f"ALC {grid.scoring.at_risk:g}", count(grid.finished)
    if least is not None:
        return f"Between {count(least)} and {count(number)} of {total} attacks reach {limit}"
    if number:
        return f"{count(number)} of {total} attacks {'reaches' if number == 1 else 'reach'} {limit}"
    none = "the one attack does not reach" if grid.finished == 1 else f"none of {total} reaches"
    return f"{none} {limit}"


def _numbers(grid: FlagGrid) -> str:
    fewest, most = int(grid.flagged.min()), int(grid.flagged.max())
    if fewest == most and grid.always_flagged == most:
        start = sentence_case(_flagged(grid, fewest))
        if not grid.changing.any():
            return f"{start} everywhere."
        return f"{start} everywhere, though some change between at risk and serious."
    return (
        f"{_flagged(grid, most, least=fewest)}: {count(grid.always_flagged)} always, "
        f"{count(grid.never_flagged)} never."
    )


def _uncertain(grid: FlagGrid, most: int) -> str:
    """Say how many of the attacks that change are too close to a limit to be decided anyway."""
    undecided = grid.outcome[grid.chosen] == code_of(Verdict.UNDECIDED)
    changing = int(grid.changing.sum())
    both = int((undecided & grid.changing).sum())
    if not both or not most:
        return ""
    which = "The one attack that changes is" if changing == 1 else ""
    which = which or f"Of the {count(changing)} attacks that change {count(both)} are"
    return (
        f" {which} undecided at your parameters anyway: the interval of ALC lies on both sides of "
        "a limit."
    )


def _worst_by_range(kinds: StandingCodes, values: tuple[float, ...]) -> str:
    """Say what the worst attack is over which values."""
    worst = np.maximum(kinds, HARMLESS).max(axis=-1)
    starts = [0, *(np.flatnonzero(np.diff(worst)) + 1).tolist(), len(worst)]
    parts = []
    for first, after in itertools.pairwise(starts):
        low, high = values[first], values[after - 1]
        where = f"at {decimal(low)}" if low == high else f"from {decimal(low)} to {decimal(high)}"
        parts.append(f"{_WORST[int(worst[first])]} {where}")
    return listed(parts)


def _same_range(
    levels: StandingCodes, kinds: StandingCodes, values: tuple[float, ...], at: int, word: str
) -> str:
    """Say over which values around the chosen one every attack has the same level and verdict."""
    same = ((levels == levels[at]) & (kinds == kinds[at])).all(axis=-1)
    first = at
    while first > 0 and same[first - 1]:
        first -= 1
    last = at
    while last < len(values) - 1 and same[last + 1]:
        last += 1
    if first == last:
        return f"The next {word} tried on either side already changes at least one attack."
    return f"No attack changes for {word} from {decimal(values[first])} to {decimal(values[last])}."
