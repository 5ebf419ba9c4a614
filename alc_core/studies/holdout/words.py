"""What was found with a holdout, in words for people who decide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from alc_core.measures.measure import Measured
from alc_core.phrasing import count, numbered, percent
from alc_core.studies.holdout.result import (
    Closest,
    Guesses,
    HoldoutAttack,
    HoldoutResult,
    shown_risk,
)

FEW = 100
"""Fewer people than this show only very large differences."""

_SURE = 0.95
_NAMED = 4
_LITTLE = 0.1

EXPLANATION = (
    "A **holdout** is a table of people of the same population who are in neither the original nor "
    "the release. What an attack guesses of them it has from the population, not from their own "
    "records. So the same attack runs on people of the original (**members**) and on the holdout "
    "(**others**).",
    "**Residual risk** is how much more often members are guessed, of what could be more: "
    "(members \N{MINUS SIGN} others) / (1 \N{MINUS SIGN} others). 0: being in the release makes no "
    "difference; 1: members are always guessed. Below 0 it is shown as 0. Giomi and others (2022), "
    "as in the tool anonymeter.",
    "**Distance to the closest record**: a release that remembers its members is nearer to them "
    "than to others. The **holdout share** is the share of released rows that are nearer to a "
    "member; 50 % is no sign of remembering. It is about whole records: a release can pass and "
    "still give away single values.",
    "ALC compares with what a model learns from *other* people's original data; residual risk with "
    "what the same attack gets of people outside. Read them side by side.",
)

DISTANCE_LIMITS = (
    "It is about whole records. It does not show what can be inferred about single values: a "
    "release can pass it and leak."
)


def few_people(people: int) -> str:
    """Say so where a holdout is small; empty where it is not."""
    if people >= FEW:
        return ""
    return (
        f"The holdout has {count(people)} people. With fewer than {FEW} only very large "
        "differences can be seen."
    )


def ranged(share: Measured) -> str:
    """Say a share with its interval.

    Examples
    --------
    >>> ranged(Measured(0.5, 0.45, 0.55))
    '50 % (45 % to 55 %)'
    """
    if share.low is None or share.high is None:
        return percent(share.value)
    return f"{percent(share.value)} ({percent(share.low)} to {percent(share.high)})"


def risk_words(risk: Measured) -> str:
    """Say a residual risk with its interval, cut to 0 to 1.

    Examples
    --------
    >>> risk_words(Measured(-0.05, -0.1, 0.02))
    '0.00 (0.00 to 0.02)'
    """
    shown = shown_risk(risk)
    return f"{shown.value:.2f} ({shown.low:.2f} to {shown.high:.2f})"


def leaks(risk: Measured) -> bool:
    """Return whether members are guessed more often beyond chance."""
    return risk.low is not None and risk.low > 0


def nothing_left(others: Guesses) -> bool:
    """Return whether others are guessed so often that members cannot be guessed much more."""
    return others.success.value >= _SURE


def attack_sentence(found: HoldoutAttack) -> str:
    """Say whether an attack is right more often on members."""
    members, others = found.members.success, found.others.success
    rates = f"right for {ranged(members)} of members and {ranged(others)} of others"
    if nothing_left(found.others):
        meaning = "others are guessed almost always: little is left that a record could add"
    elif leaks(found.risk):
        little = " a little" if found.risk.value < _LITTLE else ""
        meaning = f"being in the release costs members{little}"
    elif found.risk.high is not None and found.risk.high < 0:
        meaning = "others more often, by chance or because the holdout differs from the original"
    else:
        meaning = "no difference that can be measured"
    return (
        f"'{found.unknown}' ({found.attack}): {rates}; {meaning}. Residual risk "
        f"{risk_words(found.risk)}."
    )


def overall_sentence(found: HoldoutResult) -> str:
    """Say what all attacks on a release found."""
    if not found.attacks:
        return ""
    leaking = [attack for attack in found.attacks if leaks(attack.risk)]
    number = len(found.attacks)
    if not leaking:
        what = "The attack guesses" if number == 1 else f"None of {count(number)} attacks guesses"
        end = " no more often" if number == 1 else " more often"
        return f"{what} members{end} than others, beyond chance."
    worst = max(leaking, key=lambda attack: attack.risk.value)
    if number == 1:
        return (
            f"Members are guessed more often than others: residual risk {risk_words(worst.risk)}."
        )
    return (
        f"{count(len(leaking))} of {count(number)} attacks guess members more often than others. "
        f"Most: '{worst.unknown}', residual risk {risk_words(worst.risk)}. By chance alone it "
        "would be about 1 of 40."
    )


def closest_sentence(found: Closest) -> str:
    """Say what distances to the closest record show."""
    share = found.share
    low = share.value if share.low is None else share.low
    high = share.value if share.high is None else share.high
    if low > 0.5:
        meaning = "the release remembers people"
    elif high < 0.5:
        meaning = "nearer to others, by chance or because the holdout differs from the original"
    else:
        meaning = "no sign that the release remembers people"
    return (
        f"{ranged(share)} of {count(found.rows)} released rows are nearer to a member than to "
        f"anybody of the holdout: {meaning}.{_of_copy(found)}"
    )


def _of_copy(found: Closest) -> str:
    """Say what a copy of the original would give, where that is far from all."""
    if found.share_of_copy > _SURE:
        return ""
    return (
        f" As the holdout is smaller than the original, a copy of it would give only about "
        f"{percent(found.share_of_copy)}."
    )


def equal_sentence(found: Closest) -> str:
    """Say how many people stand in the release as they are."""
    members, others = found.members, found.others
    return (
        f"{percent(members.equal / members.people)} of members and "
        f"{percent(others.equal / others.people)} of others have a released row like them in all "
        f"{count(len(found.columns))} columns. Median distance {members.median:.3f} and "
        f"{others.median:.3f}, 5 % quantile {members.low:.3f} and {others.low:.3f}."
    )


def attack_row(attack: HoldoutAttack, beside: Mapping[str, str]) -> dict[str, str]:
    """Return an attack as the row of a table, with what stands beside its residual risk."""
    return {
        "Unknown": attack.unknown,
        "Residual risk": risk_words(attack.risk),
        **beside,
        "Members": ranged(attack.members.success),
        "Others": ranged(attack.others.success),
        "Known": _named(attack.known),
        "Attack": attack.attack,
    }


def _named(columns: Sequence[str]) -> str:
    """Name columns, of many the first."""
    if len(columns) <= _NAMED:
        return ", ".join(columns)
    return f"{', '.join(columns[: _NAMED - 1])} and {count(len(columns) - _NAMED + 1)} more"


def surest_rows(found: HoldoutAttack) -> list[dict[str, str]]:
    """Return the surest predictions as the rows of a table."""
    return [
        {
            "Surest predictions": percent(part.share),
            "Members predicted": percent(part.members.recall),
            "Others predicted": percent(part.others.recall),
            "Precision, members": ranged(part.members.precision),
            "Precision, others": ranged(part.others.precision),
            "Residual risk": risk_words(part.risk),
        }
        for part in found.surest
    ]


def release_row(found: HoldoutResult) -> dict[str, str]:
    """Return a release as the row of a table."""
    leaking = [attack for attack in found.attacks if leaks(attack.risk)]
    worst = max(found.attacks, key=lambda attack: attack.risk.value, default=None)
    return {
        "Release": found.release,
        "Highest residual risk": "" if worst is None else risk_words(worst.risk),
        "Holdout share": "" if found.closest is None else ranged(found.closest.share),
        "Members guessed more in": ""
        if worst is None
        else f"{count(len(leaking))} of {numbered(len(found.attacks), 'attack')}",
    }
