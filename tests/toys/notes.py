"""Made-up people with notes, and releases in which pieces of these return, or do not."""

import numpy as np
import pandas as pd

import alc_core as alc

_FIRST = "Ada Bo Cleo Dan Eva Finn Gus Hal Ida Jon Kim Leo Mia Ned Ola Pia Ron Sue Tom Una"
_LAST = "Ash Birk Cole Dale Elm Fern Grove Hill Marsh Oak"
_ENDS = "by ford ham ley man sen ton wood worth er"
_SAID = (
    "client called about the heating and said that rent was late since work stopped in winter asks "
    "for help with forms lives alone likes dogs moved here from south wants training next month"
)


def _bodies(rng, size):
    return [" ".join(rng.choice(_SAID.split(), rng.integers(6, 24))) for _ in range(size)]


def notes(size, seed, *, names=True):
    """Return texts, with a person's name and number or without."""
    rng = np.random.default_rng(seed)
    first, last, end = (rng.choice(each.split(), size) for each in (_FIRST, _LAST, _ENDS))
    people = [
        f"{first[n]} {last[n]}{end[n]} (No. {number})"
        for n, number in enumerate(rng.integers(10**7, 10**8, size))
    ]
    said = _bodies(rng, size)
    return [f"{who}: {text}" for who, text in zip(people, said, strict=True)] if names else said


def table(texts, seed, name="release", **columns):
    """Return a table of people with notes; their other columns are drawn."""
    rng = np.random.default_rng([seed, 1])
    size = len(texts)
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 90, size),
            "town": rng.choice([f"T{n}" for n in range(12)], size),
            "rent": rng.choice(["low", "middle", "high"], size),
            "notes": texts,
            **columns,
        }
    )
    return alc.table_from_frame(frame, name=name)


def replaying(texts, others, share, seed):
    """Return other people's texts, a share of which mention one of these people."""
    rng = np.random.default_rng([seed, 2])
    who = [text.partition(":")[0] for text in texts]
    told = list(others)
    for place in rng.permutation(len(told))[: round(share * len(told))]:
        told[place] = (
            f"met with {who[rng.integers(len(who))]} and {notes(1, place, names=False)[0]}"
        )
    return told
