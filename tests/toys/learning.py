"""A study of learning attacks made up of nothing but its numbers."""

from alc_core.studies.learning.result import (
    Accuracy,
    GroupPoint,
    GroupStudy,
    LearningStudy,
    NoisePoint,
    NoiseStudy,
    StudySettings,
    Trace,
)


def accuracy(everybody, believed=0.9, share=0.1):
    return Accuracy(everybody=everybody, believed=believed, believed_share=share)


def noise_point(epsilon, members, holdout=(0.5,), **believed):
    return NoisePoint(
        epsilon=epsilon,
        members=tuple(accuracy(each, **believed) for each in members),
        holdout=tuple(accuracy(each, **believed) for each in holdout),
    )


def group_point(level, merged=1, *, permutation=0.7, group=0.6, open_=0.4, settles=True):
    rounds = tuple(range(1, 41))
    path = [permutation if settles else permutation * each / 40 for each in rounds]
    return GroupPoint(
        level=level, merged=merged, groups=1000 // (level * merged), permutation=(permutation,),
        group=(group,), open=(open_,),
        trace=Trace(rounds=rounds, change=tuple(1 / each for each in rounds),
                    accuracy=tuple(path)),
    )  # fmt: skip


def made_study(**changes):
    """A study with an attack at 50%, a most frequent value of 20% and ℓ = 2 and 4."""
    values = {
        "original": "people.csv", "fingerprint": "f",
        "settings": StudySettings(unknown="job", known=("age", "sex"), rounds=40),
        "members": 8000, "held_out": 2000, "own_holdout": False, "values": 6, "commonest": 0.2,
        "noiseless_members": accuracy(0.52), "noiseless_holdout": accuracy(0.51),
        "noise": NoiseStudy(
            points=(noise_point(0.1, (0.3, 0.4)), noise_point(1.0, (0.5, 0.52))),
            tables=2, cells=60,
        ),
        "groups": GroupStudy(
            points=(group_point(2), group_point(4, permutation=0.5, group=0.45),
                    group_point(2, 2, permutation=0.55), group_point(4, 2, permutation=0.4)),
            impossible={},
        ),
        "notes": (),
    }  # fmt: skip
    return LearningStudy(**{**values, **changes})
