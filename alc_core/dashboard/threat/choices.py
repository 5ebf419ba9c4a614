"""What the user chose on the page on relative threat, and what was measured in this session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from alc_core.dashboard.choices.one_attack import OneAttack, attackable_columns
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.work.beside_attacks import with_kept
from alc_core.group_posterior.released import READABLE
from alc_core.group_posterior.sampler import Posterior
from alc_core.group_posterior.settings import PARAMETERS, SWAP, SamplerSettings
from alc_core.releases.release import Release
from alc_core.scenario.scenario import Scenario
from alc_core.studies.relative_threat.measuring import PreparedThreat
from alc_core.studies.relative_threat.result import (
    KEPT_THREATS,
    ThreatResult,
    ThreatSummary,
    summarize_threat,
)

_DEFAULTS = {parameter.name: parameter.default for parameter in PARAMETERS}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Measured:
    """A measured threat with all that a question about a person, or more steps, need."""

    prepared: PreparedThreat
    posterior: Posterior
    result: ThreatResult
    summary: ThreatSummary

    def about(self, victim: Mapping[str, str]) -> ThreatResult:
        """Return the result with what is concluded about a person."""
        chances = self.prepared.chances(self.posterior, victim)
        return replace(self.result, victim=chances, victim_known=dict(victim))


@dataclass(slots=True, kw_only=True, eq=False)
class ThreatChoices:
    """Choices as the widgets hold them; they may not fit together yet."""

    columns: OneAttack = field(default_factory=OneAttack)  # The unknown column and the known ones
    release: str = ""  # Name of the release
    iterations: int = int(_DEFAULTS["iterations"])  # As in :class:`SamplerSettings`
    burn_in: float = float(_DEFAULTS["burn_in"])
    chains: int = int(_DEFAULTS["chains"])
    kept: int = int(_DEFAULTS["kept"])
    proposal: str = SWAP
    tries: int = int(_DEFAULTS["tries"])
    prior: float = float(_DEFAULTS["prior"])
    stop_early: bool = bool(_DEFAULTS["stop_early"])
    measured: Measured | None = None  # The last one of this session
    toy: ThreatResult | None = None  # The paper's example
    level: float = 2.0  # The cut-off of the relative threat level
    victim: dict[str, str] = field(default_factory=dict)  # What is known of a person, by column
    done: bool = False  # Whether the page is to be drawn again with what was found
    toy_done: bool = False
    message: str = ""  # What went wrong in keeping a result

    def adapt(self, state: AppState, releases: Mapping[str, Release]) -> dict[str, list[str]]:
        """Keep what the tables allow, and suggest columns where nothing is left."""
        original = state.original_table()
        if self.release not in releases:
            self.release = next(iter(releases), "")
        attackable = attackable_columns(original)
        if self.release:
            told = {c: set(releases[self.release].columns_beside(c)) for c in attackable}
            attackable = {
                column: kept
                for column, others in attackable.items()
                if (kept := [c for c in others if c in told[column]])
            }
        self.columns.adapt(attackable, original, state.column_roles(), start=state.start)
        return attackable

    def scenario(self) -> Scenario:
        """Return what is known and what is wanted."""
        unknown, known = self.columns.columns()
        return Scenario(known, unknown)

    def settings(self, state: AppState) -> SamplerSettings:
        """Return how the sampler runs."""
        given = {name: getattr(self, name) for name in _DEFAULTS}
        return SamplerSettings(**given, seed=state.run_choices.seed)

    def take(self, found: Measured) -> None:
        """Take over what was measured."""
        self.measured, self.done, self.message, self.victim = found, True, "", {}

    def take_toy(self, found: ThreatResult) -> None:
        """Take over the paper's example."""
        self.toy, self.toy_done = found, True


def measured_of(prepared: PreparedThreat, posterior: Posterior, fingerprint: str) -> Measured:
    """Return a measured threat from what the chains drew."""
    result = prepared.measured(posterior)
    return Measured(
        prepared=prepared,
        posterior=posterior,
        result=result,
        summary=summarize_threat(result, fingerprint),
    )


def grouped_releases(state: AppState) -> dict[str, Release]:
    """Return the releases that the sampler can read: rows and groups."""
    return {
        name: release for name, release in state.releases().items() if isinstance(release, READABLE)
    }


def known_threats(state: AppState, choices: ThreatChoices) -> dict[str, ThreatSummary]:
    """Return the threat of this session and those of the campaign's file."""
    found = [] if choices.measured is None else [choices.measured.summary]
    own = {KEPT_THREATS.key(each): each for each in found}
    return with_kept(state, choices, own, KEPT_THREATS)
