"""What trying changes found; numbers and names of columns, no rows of people."""

from __future__ import annotations

from dataclasses import dataclass

from alc_core.assessment.result import Assessment
from alc_core.campaign.file.annotations import KeptResults
from alc_core.scoring.verdict import ASKING, Verdict
from alc_core.studies.remedies.changes import ChangeDone


@dataclass(frozen=True, slots=True, kw_only=True)
class Distances:
    """How far a release lies from its original."""

    # Mean total variation distance of the columns that the release has before any change
    columns: float
    pairs: float | None  # The same of each two of these columns; None where there are none

    @property
    def distance(self) -> float:
        """The distance that losses are told by: of pairs, where there are any."""
        return self.columns if self.pairs is None else self.pairs


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The decisive ALC of an attack."""

    alc: float  # It and its interval
    low: float
    high: float
    verdict: Verdict  # What it means

    @classmethod
    def of(cls, assessment: Assessment) -> Reading:
        """Read a result."""
        low, high = assessment.decisive_interval
        return cls(alc=assessment.decisive_alc, low=low, high=high, verdict=assessment.verdict)

    @property
    def is_flagged(self) -> bool:
        """Whether the attack must still be examined."""
        return self.verdict in ASKING


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackAfter:
    """A flagged attack on the changed release."""

    number: int  # Of the attack in the campaign
    unknown: str  # The column that it wants
    before: Reading  # On the release as it is
    # On the changed one; None where there is nothing left to attack, or `problem` says why
    after: Reading | None
    problem: str = ""  # Why the attack could not be run; empty where it could

    @property
    def is_flagged(self) -> bool:
        """Whether it is still flagged; one that could not be run is."""
        return bool(self.problem) or (self.after is not None and self.after.is_flagged)


@dataclass(frozen=True, slots=True, kw_only=True)
class RemedyTrial:
    """Changes that were made together, and what became of the attacks."""

    words: str  # All changes in a few words
    changes: tuple[ChangeDone, ...]  # Each of one column
    # Those that were run again: all, unless some were still flagged and the rest was spared
    attacks: tuple[AttackAfter, ...]
    n_attacks: int  # How many there are
    utility: Distances  # Of the changed release
    loss: float  # How much further it lies from the original than before, from 0 (as before) to 1

    @property
    def complete(self) -> bool:
        """Whether all flagged attacks were run again."""
        return len(self.attacks) == self.n_attacks

    @property
    def n_flagged(self) -> int:
        """How many of those run are still flagged."""
        return sum(attack.is_flagged for attack in self.attacks)

    @property
    def suffices(self) -> bool:
        """Whether no attack is flagged any more."""
        return self.complete and not self.n_flagged

    @property
    def worst(self) -> AttackAfter | None:
        """The attack with the highest ALC afterwards; None where there is nothing to attack."""
        run = [attack for attack in self.attacks if attack.after is not None]
        return max(run, key=lambda attack: attack.after.alc if attack.after else 0.0, default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class RemedyStudy:
    """All changes that were tried on a release."""

    fingerprint: str  # Of the original
    release: str  # Name of the release
    release_fingerprints: tuple[str, ...]  # Of its tables
    at_risk: float  # The limit
    numbers: tuple[int, ...]  # The flagged attacks that were run again, worst first
    n_flagged: int  # Flagged attacks of the release
    before: Distances  # Of the release as it is
    # Those that suffice first, with the least loss of utility first
    trials: tuple[RemedyTrial, ...]
    seed: int  # Of targets, models and swaps
    notes: tuple[str, ...] = ()  # What was left out

    @property
    def sufficient(self) -> tuple[RemedyTrial, ...]:
        """The trials after which no attack is flagged."""
        return tuple(trial for trial in self.trials if trial.suffices)


def in_order(trials: list[RemedyTrial]) -> tuple[RemedyTrial, ...]:
    """Sort trials: those that suffice by their loss of utility, the others by what is left."""

    def rank(trial: RemedyTrial) -> tuple[float, ...]:
        if trial.suffices:
            return 0, trial.loss, len(trial.changes)
        return 1, *progress_of(trial), trial.loss

    return tuple(sorted(trials, key=rank))


def progress_of(trial: RemedyTrial) -> tuple[float, float]:
    """Return how far a trial is from sufficing: share still flagged, then mean ALC of those run."""
    if not trial.attacks:
        return 1.0, 1.0
    losses = [_loss(attack) for attack in trial.attacks]
    return trial.n_flagged / len(trial.attacks), sum(losses) / len(losses)


def _loss(attack: AttackAfter) -> float:
    if attack.problem:
        return max(attack.before.alc, 0.0)
    return 0.0 if attack.after is None else max(attack.after.alc, 0.0)


KEPT_REMEDIES = KeptResults("remedies", RemedyStudy)
