"""What learning attacks are about, explained to somebody who decides about a release."""

from __future__ import annotations

import math
from collections.abc import Sequence

from alc_core.phrasing import count, decimal, listed, numbered, percent, quoted
from alc_core.studies.learning.result import (
    Accuracy,
    GroupPoint,
    LearningStudy,
    NoisePoint,
    Predictor,
    Spread,
    believed,
    believed_share,
    everybody,
)

# How the predictors predict
PREDICTOR_MEANINGS: dict[Predictor, str] = {
    "permutation": "takes the value that its last guess gives to the person, the values of a group "
    "being dealt out to all its people together",
    "group": "lets what was learned of the population choose among the values of the person's "
    "group",
    "open": "uses what was learned of the population alone, as if the person were in no group",
}
_SETTLED = 0.01  # Accuracy that may still change in the last tenth of the rounds
_SIGMAS = 2.0  # Standard errors from which a difference counts


def run_sentence(study: LearningStudy) -> str:
    """Say what was run: columns, people, draws of noise, groups, rounds."""
    settings = study.settings
    known, held_out = quoted(settings.known, most=6), ""
    if study.held_out:
        where = ", drawn at random from the original, were held out of them"
        if study.own_holdout:
            where = " of a table of other people are not"
        held_out = f", and {count(study.held_out)}{where}"
    parts = [
        f"Unknown: '{settings.unknown}' ({numbered(study.values, 'value')}). Known: {known}. "
        f"{count(study.members)} rows of '{study.original}' are in counts and groups{held_out}."
    ]
    if study.noise is not None:
        parts.append(
            f"Counts: {numbered(len(study.noise.points), 'value')} of ε, "
            f"{numbered(settings.repetitions, 'draw')} of the noise each."
        )
    if study.groups is not None and study.groups.points:
        parts.append(
            f"Groups: {numbered(settings.chains, 'chain')} of {count(settings.rounds)} rounds for "
            "each ℓ."
        )
    return " ".join([*parts, f"Seed {settings.seed}."])


def noise_sentence(study: LearningStudy) -> str:
    """Say what the attack on noisy counts learns of people in them, and of people who are not."""
    point = reference_point(study)
    if point is None:
        return "No counts were studied."
    members = everybody(point.members)
    text = (
        f"From counts published with ε = {decimal(point.epsilon)}, an attacker who knows "
        f"{numbered(len(study.settings.known), 'column')} names the right value of "
        f"'{study.settings.unknown}' for {_spread_text(members)} of the people in the counts; "
        f"always naming the most frequent value is right for {percent(study.commonest)}."
    )
    parts = [text, _holdout_sentence(study, point.members, point.holdout)]
    return " ".join([*filter(None, parts), _noise_cost(study)])


def belief_sentence(study: LearningStudy) -> str:
    """Say the same of the people of whom the attacker is sure."""
    point = reference_point(study)
    if point is None:
        return "No counts were studied."
    threshold = percent(study.settings.belief)
    start = f"At ε = {decimal(point.epsilon)} the attacker is more than {threshold} sure"
    members, share = believed(point.members, study.members), believed_share(point.members).mean
    if share == 0:
        return f"{start} of nobody: what the counts teach points at no one that clearly."
    if members is None:
        return (
            f"{start} of about {count(max(round(share * study.members), 1))} of "
            f"{count(study.members)} people in the counts: too few to say how often it is right."
        )
    text = f"{start} of {percent(share)} of the people in the counts, and is then right for "
    text += f"{_spread_text(members)}."
    held_out = believed(point.holdout, study.held_out) if point.holdout else None
    if held_out is not None:
        text += (
            f" Of the people who are not in them it is as sure of "
            f"{percent(believed_share(point.holdout).mean)}, and right for "
            f"{_spread_text(held_out)}: who resembles many others can be guessed from what is "
            "published about all, and leaving one's own data out does not help against that."
        )
    return f"{text} {_overconfidence(study, point)}".strip()


def groups_sentence(study: LearningStudy, merged: int) -> str:
    """Say what the deFinetti attack learns from tight groups (1), or from merged ones."""
    points = study.group_points(merged)
    if not points:
        return f"No groups were made. {impossible_sentence(study)}".strip()
    point = min(points, key=lambda point: abs(point.level - 4))
    best = point.best
    accuracy = point.spread(best).mean
    kind = "Tight groups" if merged == 1 else f"Groups made of {merged} tight ones"
    text = (
        f"{kind} with ℓ = {point.level} promise that a guess is right in 1 of "
        f"{point.level} cases ({percent(1 / point.level)}); the deFinetti attack is right for "
        f"{percent(accuracy)} with its best predictor ({best}). "
    )
    return " ".join(filter(None, [text + _against_noiseless(study, points),
                                  impossible_sentence(study)]))  # fmt: skip


def convergence_sentence(study: LearningStudy, merged: int) -> str:
    """Say whether the chains had settled when they were stopped."""
    points = study.group_points(merged)
    if not points:
        return "No groups were made, so nothing was learned from them."
    moving = [str(point.level) for point in points if still_moving(point)]
    last = max(point.trace.change[-1] for point in points)
    change = f"from one round to the next what it learned still changes by up to {last:.3f} (L1)"
    rounds = count(study.settings.rounds)
    if not moving:
        return (
            f"After {rounds} rounds the attack has settled: over the last tenth of them its mean "
            f"accuracy moves by less than {_SETTLED * 100:.0f} point for every ℓ, and {change}."
        )
    return (
        f"After {rounds} rounds the attack is still moving for ℓ = {listed(moving)}, and "
        f"{change}. More rounds may find more: read those accuracies as a lower bound."
    )


def impossible_sentence(study: LearningStudy) -> str:
    """Say which diversities the data cannot have, and why; or nothing."""
    impossible = {} if study.groups is None else study.groups.impossible
    if not impossible:
        return ""
    levels = listed([str(level) for level in sorted(impossible)])
    return f"Not possible here: ℓ = {levels}. {impossible[min(impossible)]}"


def merged_words(merged: int) -> str:
    """Say which groups are meant, in a few words.

    Examples
    --------
    >>> merged_words(1), merged_words(2)
    ('tight groups', 'two groups merged into one')
    """
    number = {2: "two", 3: "three", 4: "four", 5: "five"}
    return "tight groups" if merged == 1 else f"{number[merged]} groups merged into one"


def reference_point(study: LearningStudy) -> NoisePoint | None:
    """Return the ε that sentences speak of: the one nearest to 1."""
    return min(study.noise_points, key=lambda point: abs(math.log(point.epsilon)), default=None)


def still_moving(point: GroupPoint) -> bool:
    """Return whether the accuracy still changes: last tenth of the rounds against that before."""
    accuracy = point.trace.accuracy
    tenth = max(len(accuracy) // 10, 1)
    if len(accuracy) < 2 * tenth:
        return True
    last, before = accuracy[-tenth:], accuracy[-2 * tenth : -tenth]
    return abs(sum(last) - sum(before)) / tenth >= _SETTLED


def _holdout_sentence(
    study: LearningStudy, members: Sequence[Accuracy], holdout: Sequence[Accuracy]
) -> str:
    if not holdout:
        return "Nobody was held out to compare with."
    inside, outside = everybody(members).mean, everybody(holdout).mean
    if inside - outside > _noise_of(inside, study.members, study.held_out):
        return (
            f"Of people who are not in the counts it is right for {percent(outside)}, less often: "
            "part of what it knows it has learned about these very people."
        )
    return (
        f"Of people who are not in the counts it is right just as often ({percent(outside)}): what "
        "it has learned is about the population, and not about these people."
    )


def _noise_cost(study: LearningStudy) -> str:
    """Say from which ε the noise hinders the attacker."""
    exact, chance = study.noiseless_members.everybody, study.commonest
    start = f"Exact counts would make it {percent(exact)}"
    if exact - chance <= _noise_of(exact, study.members):
        return f"{start}: these columns tell next to nothing about the unknown one."
    enough = [
        point.epsilon
        for point in study.noise_points
        if everybody(point.members).mean >= exact - 0.1 * (exact - chance)
    ]
    if not enough:
        return f"{start}; the noise of every ε that was tried takes much of that away."
    return (
        f"{start}; from ε = {decimal(min(enough))} on, the attacker keeps at least nine tenths of "
        "what that gains over the most frequent value."
    )


def _overconfidence(study: LearningStudy, point: NoisePoint) -> str:
    """Say that noise makes the attacker sure of what it cannot know, where it does."""
    noisiest = study.noise_points[0]
    share = believed_share(noisiest.members).mean
    there, here = (believed(each.members, study.members) for each in (noisiest, point))
    if there is None or here is None or there.mean >= here.mean:
        return ""
    if share <= believed_share(point.members).mean:
        return ""
    return (
        f"At ε = {decimal(noisiest.epsilon)} it is that sure of {percent(share)}, but right for "
        f"only {percent(there.mean)}: much noise makes it sure of what it cannot know."
    )


def _against_noiseless(study: LearningStudy, points: Sequence[GroupPoint]) -> str:
    """Say for which ℓ groups give away more than the population does."""
    exact = study.noiseless_members.everybody
    margin = _noise_of(exact, study.members)
    more = [str(p.level) for p in points if p.spread(p.best).mean > exact + margin]
    exact_words = f"a classifier from exact counts of all people ({percent(exact)})"
    if not more:
        return (
            f"For no ℓ that was tried it does better than {exact_words}: what it learns is about "
            "the population."
        )
    beyond = (
        f"For ℓ = {listed(more)} it does better than {exact_words}: the groups themselves "
        "give people away, beyond what is true of the population."
    )
    if len(more) < len(points):
        return f"{beyond} For the others it does not."
    return beyond


def _spread_text(spread: Spread) -> str:
    low, high = percent(spread.lowest), percent(spread.highest)
    mean = percent(spread.mean)
    return mean if low == high == mean else f"{mean} ({low} to {high})"


def _noise_of(share: float, *sizes: int) -> float:
    """Return what chance alone makes of a share, or of the difference of two."""
    return _SIGMAS * math.sqrt(share * (1 - share) * sum(1 / size for size in sizes))
