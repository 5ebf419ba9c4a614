"""An attack with and without keeping dependent rows together: what they do to the baseline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from alc_core.assessment.loop import RunSettings
from alc_core.assessment.prepare import ScenarioData
from alc_core.assessment.result import Assessment
from alc_core.assessment.run import Run
from alc_core.campaign.file.annotations import KeptResults
from alc_core.explain.trace import attack_of
from alc_core.measures.measure import Measured
from alc_core.releases.release import Release
from alc_core.runtime.progress import Reporter
from alc_core.scoring.verdict import Verdict
from alc_core.tables.households import household_of
from alc_core.tables.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class OneWay:
    """What an attack found one way."""

    alc: Measured  # The reading that decides
    verdict: Verdict
    guess: float  # Share of all targets whom the baseline guesses right

    @classmethod
    def of(cls, run: Assessment) -> OneWay:
        """Take from a result what is compared."""
        return cls(
            alc=Measured(run.decisive_alc, *run.decisive_interval),
            verdict=run.verdict,
            guess=float(run.outcomes.baseline.true_predictions[-1] / run.attempts),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BothWays:
    """The same attack with dependent rows on one side of every split, and on both."""

    number: int  # Of the attack in its campaign
    unknown: str
    together: OneWay
    apart: OneWay


@dataclass(frozen=True, slots=True, kw_only=True)
class DependenceResult:
    """Attacks on one release both ways."""

    release: str
    fingerprint: str  # Of the original
    columns: tuple[str, ...]  # Rows that agree in all of them belong together
    # Rows that belong with another one, of how many
    rows: int
    of: int
    attacks: tuple[BothWays, ...]


KEPT_DEPENDENCE = KeptResults("dependence", DependenceResult)


def both_ways(
    number: int,
    run: Assessment,
    original: Table,
    release: Release,
    columns: Sequence[str],
    *,
    reporter: Reporter | None = None,
) -> BothWays:
    """Run an attack the other way than it was: with its dependent rows together, or apart.

    Rows that agree in all `columns` belong together, where the run had no household.

    References
    ----------
    Francis and Wagner (2025), section 3.7 and figure 3.
    """
    scenario = run.scenario
    were_together = scenario.household is not None
    other = replace(scenario, household=None if were_together else household_of(columns))
    settings = RunSettings.again(run, measures=())
    data = ScenarioData.of(original, release, other)
    again = Run.on(data, other, settings).attack(attack_of(run), reporter=reporter)
    together, apart = (run, again) if were_together else (again, run)
    return BothWays(
        number=number, unknown=scenario.wanted,
        together=OneWay.of(together), apart=OneWay.of(apart),
    )  # fmt: skip
