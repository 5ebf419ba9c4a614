"""Comparisons with a holdout that nothing was measured for, and people who can be compared."""

from alc_core.measures.measure import Measured
from alc_core.studies.holdout.result import (
    Closest,
    Distances,
    HoldoutAttack,
    HoldoutResult,
    Resemblance,
    Surest,
)
from alc_core.studies.members import Guesses


def guesses(right, people=1000, predicted=None):
    return Guesses(people=people, predicted=people if predicted is None else predicted, right=right)


def made_attack(members=600, others=300, *, unknown="job", known=("age", "city"), **changes):
    """An attack that is right for so many of 1 000 members, and of 1 000 others."""
    surest = Surest(
        share=0.1, members=guesses(90, predicted=100), others=guesses(40, predicted=100)
    )
    return HoldoutAttack(**{
        "known": known, "unknown": unknown, "attack": "best row match",
        "members": guesses(members), "others": guesses(others), "surest": (surest,), **changes,
    })  # fmt: skip


def made_closest(share=0.6, half=0.02, **changes):
    members = Distances(people=100, equal=10, low=0.0, median=0.1, cumulative=(0.1, 0.5, 1.0))
    others = Distances(people=100, equal=0, low=0.05, median=0.2, cumulative=(0.0, 0.4, 1.0))
    return Closest(**{
        "columns": ("age", "job"), "grid": (0.0, 0.1, 0.5), "members": members, "others": others,
        "share": Measured(share, share - half, share + half), "share_of_copy": 1.0,
        "rows": 1000, "effective_rows": 700.0, **changes,
    })  # fmt: skip


def made_holdout(release="weak", *, original="", attacks=None, **changes):
    return HoldoutResult(**{
        "release": release, "fingerprint": original, "holdout": "others.csv",
        "holdout_fingerprint": "h",
        "resemblance": Resemblance(
            people=1000, copies=0, copies_expected=0.0, dropped=0, auc=Measured(0.5, 0.48, 0.52),
            different={"age": 0.02},
        ),
        "closest": made_closest(), "attacks": (made_attack(),) if attacks is None else attacks,
        "seed": 0, **changes,
    })  # fmt: skip
