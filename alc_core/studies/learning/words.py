"""Results of learning attacks in words."""

from __future__ import annotations

import math

from alc_core.phrasing import count, decimal, listed, numbered, percent, quoted
from alc_core.studies.learning.result import (
    GroupPoint,
    LearningStudy,
    NoisePoint,
    Predictor,
    Spread,
    believed,
    believed_share,
    everybody,
)

PREDICTOR_MEANINGS: dict[Predictor, str] = {
    "permutation": "takes its last guess for the person",
    "group": "takes the likeliest value of the group",
    "open": "ignores groups",
}
_SETTLED = 0.01  # Change of accuracy in the last tenth of the rounds
_SIGMAS = 2.0  # Standard errors of a clear difference
_NOTHING = "No counts were studied."


def run_sentence(study: LearningStudy) -> str:
    """Say what was run."""
    settings, held_out = study.settings, ""
    if study.held_out:
        whose = "of another table" if study.own_holdout else "drawn at random"
        held_out = f", {count(study.held_out)} {whose} are held out"
    parts = [
        f"Unknown: '{settings.unknown}' ({numbered(study.values, 'value')}). Known: "
        f"{quoted(settings.known, most=6)}. Counts and groups: {count(study.members)} rows of "
        f"'{study.original}'{held_out}."
    ]
    if study.noise is not None:
        parts.append(
            f"Counts: {numbered(len(study.noise.points), 'value')} of ε, "
            f"{numbered(settings.repetitions, 'draw')} of noise."
        )
    if study.groups is not None and study.groups.points:
        parts.append(
            f"Groups: {numbered(settings.chains, 'chain')} of {count(settings.rounds)} rounds."
        )
    return " ".join([*parts, f"Seed {settings.seed}."])


def noise_sentence(study: LearningStudy) -> str:
    """Say what noisy counts reveal about people in them, and others."""
    point = reference_point(study)
    if point is None:
        return _NOTHING
    members = everybody(point.members)
    text = (
        f"From counts with ε = {decimal(point.epsilon)}, the attacker infers "
        f"'{study.settings.unknown}' for {_spread_text(members)} of their people; most frequent "
        f"value: {percent(study.commonest)}."
    )
    return f"{text} {_holdout_sentence(study, members, point)} {_noise_cost(study)}"


def belief_sentence(study: LearningStudy) -> str:
    """Say the same about people the attacker is certain of."""
    point = reference_point(study)
    if point is None:
        return _NOTHING
    threshold = percent(study.settings.belief)
    start = f"At ε = {decimal(point.epsilon)}, the attacker is over {threshold} certain about"
    members, share = believed(point.members, study.members), believed_share(point.members).mean
    if share == 0:
        return f"{start} nobody."
    if members is None:
        few = count(max(round(share * study.members), 1))
        return f"{start} {few} of {count(study.members)} people in the counts: too few to judge."
    text = f"{start} {percent(share)} of people in the counts; {_spread_text(members)} are correct."
    held_out = believed(point.holdout, study.held_out) if point.holdout else None
    if held_out is not None:
        share = believed_share(point.holdout).mean
        text += f" About others: {percent(share)}, {_spread_text(held_out)} correct."
    noisiest = study.noise_points[0]
    there, share = believed(noisiest.members, study.members), believed_share(noisiest.members).mean
    if there and there.mean < members.mean and share > believed_share(point.members).mean:
        text += (
            f" At ε = {decimal(noisiest.epsilon)}, of {percent(share)} only {percent(there.mean)} "
            "are correct."
        )
    return text


def groups_sentence(study: LearningStudy, merged: int) -> str:
    """Say what the deFinetti attack learns from tight (1) or merged groups."""
    points = study.group_points(merged)
    if not points:
        return f"No groups were made. {impossible_sentence(study)}".strip()
    point = min(points, key=lambda point: abs(point.level - 4))
    exact = study.noiseless_members.everybody
    margin = _noise_of(exact, study.members)
    more = [str(p.level) for p in points if p.spread(p.best).mean > exact + margin]
    beyond = (
        f"For ℓ = {listed(more)}, it beats exact counts ({percent(exact)}): groups expose people."
        if more
        else f"It never beats exact counts ({percent(exact)})."
    )
    text = (
        f"{merged_words(merged).capitalize()} with ℓ = {point.level} promise "
        f"{percent(1 / point.level)} at most; the deFinetti attack reaches "
        f"{percent(point.spread(point.best).mean)} ({point.best}). {beyond}"
    )
    return f"{text} {impossible_sentence(study)}".strip()


def convergence_sentence(study: LearningStudy, merged: int) -> str:
    """Say whether the chains had settled."""
    points = study.group_points(merged)
    if not points:
        return "No groups were made."
    moving = [str(point.level) for point in points if still_moving(point)]
    last = max(point.trace.change[-1] for point in points)
    start = f"After {count(study.settings.rounds)} rounds, the attack"
    if not moving:
        return f"{start} has settled (last change up to {last:.3f} in L1)."
    return (
        f"{start} still changes for ℓ = {listed(moving)} (by up to {last:.3f} in L1). Run more "
        "rounds."
    )


def impossible_sentence(study: LearningStudy) -> str:
    """Say which diversities the data cannot have, and why."""
    impossible = {} if study.groups is None else study.groups.impossible
    if not impossible:
        return ""
    levels = listed([str(level) for level in sorted(impossible)])
    return f"Not possible here: ℓ = {levels}. {impossible[min(impossible)]}"


def merged_words(merged: int) -> str:
    """Name groups.

    Examples
    --------
    >>> merged_words(1), merged_words(2)
    ('tight groups', 'two groups merged into one')
    """
    number = {2: "two", 3: "three", 4: "four", 5: "five"}
    return "tight groups" if merged == 1 else f"{number[merged]} groups merged into one"


def reference_point(study: LearningStudy) -> NoisePoint | None:
    """Return the point nearest to ε = 1, for sentences."""
    return min(study.noise_points, key=lambda point: abs(math.log(point.epsilon)), default=None)


def still_moving(point: GroupPoint) -> bool:
    """Return whether accuracy differs between the last two tenths."""
    accuracy = point.trace.accuracy
    tenth = max(len(accuracy) // 10, 1)
    if len(accuracy) < 2 * tenth:
        return True
    last, before = accuracy[-tenth:], accuracy[-2 * tenth : -tenth]
    return abs(sum(last) - sum(before)) / tenth >= _SETTLED


def _holdout_sentence(study: LearningStudy, members: Spread, point: NoisePoint) -> str:
    if not point.holdout:
        return "Nobody was held out."
    outside = everybody(point.holdout).mean
    if members.mean - outside > _noise_of(members.mean, study.members, study.held_out):
        return f"About others, only {percent(outside)}: the counts expose their people."
    return f"About others, as often ({percent(outside)}): it learns about the population."


def _noise_cost(study: LearningStudy) -> str:
    exact, chance = study.noiseless_members.everybody, study.commonest
    start = f"Exact counts give {percent(exact)}"
    if exact - chance <= _noise_of(exact, study.members):
        return f"{start}: the known columns reveal little."
    enough = [
        point.epsilon
        for point in study.noise_points
        if everybody(point.members).mean >= exact - 0.1 * (exact - chance)
    ]
    if not enough:
        return f"{start}; every ε tried removes much of this."
    return f"{start}; ε = {decimal(min(enough))} or more keeps 90% of the gain."


def _spread_text(spread: Spread) -> str:
    low, high = percent(spread.lowest), percent(spread.highest)
    mean = percent(spread.mean)
    return mean if low == high == mean else f"{mean} ({low} to {high})"


def _noise_of(share: float, *sizes: int) -> float:
    return _SIGMAS * math.sqrt(share * (1 - share) * sum(1 / size for size in sizes))
