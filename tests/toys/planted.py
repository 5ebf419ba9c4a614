"""Releases that leak just what is asked of a known half of the people, and twins that do not."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from alc_core import Assessment, Verdict

KNOWN = ("age", "zip", "block")
SETS = ("C50|C51|C52", "A1|B2|B3")
NEAR = 2_000
FLAGGED = (Verdict.AT_RISK, Verdict.SERIOUS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """An original, two releases, and what is asked of them."""

    original: pd.DataFrame
    leak: pd.DataFrame
    twin: pd.DataFrame
    guessed: dict[str, float]  # What is asked, and how often the best guess is right
    person: str | None = None

    @property
    def exposed(self) -> dict[str, float]:
        """Of how many people the leak tells what no guess knows."""
        rows = self.original if self.person is None else self.original[self.person].unique()
        return {asked: len(rows) / 2 * (1 - right) for asked, right in self.guessed.items()}

    def holds_of(self, unknown: str, release: str, found: Assessment) -> bool:
        """Whether a result says of a leak that it is serious and how many it exposes."""
        low, high = found.exposed_interval
        if release == "twin":
            return found.verdict not in FLAGGED and low < 0.02 * found.people
        return found.verdict is Verdict.SERIOUS and low <= self.exposed[unknown] <= high


def facts(rng, people):
    return {
        "age": rng.integers(18, 90, people),
        "zip": rng.integers(100, 200, people).astype(str),
        "block": rng.integers(0, 100, people),
    }


def in_rows(people=600, seed=0):
    """Told are job and branch, which set a diagnosis is of, a range, and an amount nearly."""
    rng = np.random.default_rng(seed)

    def drawn():
        return pd.DataFrame(
            {
                **facts(rng, people),
                "job": rng.choice([*"abc"], people),
                "branch": rng.choice([*"xyz"], people),
                "diagnosis": rng.choice("|".join(SETS).split("|"), people),
                "debt": rng.integers(0, 100_000, people),
                "income": rng.integers(0, 100_000, people),
            }
        )

    original, half = drawn(), people // 2
    own = original[:half].copy()
    for column, group in (
        ("diagnosis", own["diagnosis"].isin(SETS[0].split("|"))),
        ("debt", own["debt"] >= 50_000),
    ):
        for rows in (group, ~group):
            own.loc[rows, column] = rng.permutation(own.loc[rows, column])
    own["income"] = (own["income"] + rng.integers(-NEAR // 2, NEAR // 2, half)).clip(lower=0)
    ill = original["diagnosis"].isin(SETS[0].split("|")).mean()
    owing = (original["debt"] >= 50_000).mean()
    guessed = {
        "job & branch": 1 / 9, f"diagnosis in {SETS[0]}": max(ill, 1 - ill),
        "debt >= 50000": max(owing, 1 - owing), "income": 2 * NEAR / 100_000,
    }  # fmt: skip
    return Planted(
        original=original, leak=_mixed(rng, own, drawn()[half:]), twin=_mixed(rng, drawn()),
        guessed=guessed,
    )  # fmt: skip


def in_records(people=400, seed=0):
    """Told is what all records of a person come to; each person has one to four."""
    rng = np.random.default_rng(seed)

    def drawn():
        who = np.repeat(np.arange(people), rng.integers(1, 5, people))
        visit, ill = rng.permutation(len(who)), (rng.random(people) < 0.7)[who]
        return pd.DataFrame(
            {
                "patient": who,
                **{name: values[who] for name, values in facts(rng, people).items()},
                "date": pd.Timestamp("2024-01-01") + pd.to_timedelta(visit, unit="h"),
                "diagnosis": rng.choice([*"ABCD"], len(who)),
                "cost": 1_000 * rng.integers(0, 5, people)[who] + rng.integers(0, 900, len(who)),
            }
        ).assign(diagnosis=lambda frame: frame["diagnosis"].where(ill, "B"))

    original, other, half = drawn(), drawn(), people // 2
    ever = original["diagnosis"].eq("A").groupby(original["patient"]).any().mean()
    last = original.sort_values("date").groupby("patient")["diagnosis"].last()
    guessed = {
        "count per patient": 1 / 4,
        "ever diagnosis = A per patient": max(ever, 1 - ever),
        "last diagnosis by date per patient": last.value_counts(normalize=True).max(),
        "mean cost per patient": 1 / 10,
    }
    own, others = (frame["patient"] < half for frame in (original, other))
    return Planted(
        original=original, leak=_mixed(rng, original[own], other[~others]),
        twin=_mixed(rng, drawn()), guessed=guessed, person="patient",
    )  # fmt: skip


def _mixed(rng, *parts):
    """Rows in random order, under pseudonyms."""
    frame = pd.concat(parts).sample(frac=1, random_state=rng).reset_index(drop=True)
    if "patient" in frame:
        frame["patient"] = 10_000 + rng.permutation(frame["patient"].max() + 1)[frame["patient"]]
    return frame
