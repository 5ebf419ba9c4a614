"""The study of dependent rows: households and copies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from alc_core.assessment.loop import RunSettings
from alc_core.assessment.prepare import ScenarioData
from alc_core.assessment.result import Assessment
from alc_core.assessment.run import Run
from alc_core.campaign.file.annotations import KeptResults
from alc_core.errors import InputError
from alc_core.explain.trace import attack_of
from alc_core.figures import template as draw
from alc_core.figures.looks import ATTACK, BASELINE
from alc_core.measures.measure import Measured
from alc_core.phrasing import alc_number, count, percent, quoted
from alc_core.present import blocks as show
from alc_core.releases.release import Release
from alc_core.runtime.progress import Reporter
from alc_core.scoring.verdict import VERDICT_TITLES, Verdict
from alc_core.studies.study import (
    MOST,
    Asked,
    Given,
    Kind,
    Measuring,
    Need,
    Study,
    StudyData,
    Viewpoint,
)
from alc_core.tables.households import columns_of, household_of, kept_together, likely_dependents

if TYPE_CHECKING:
    import plotly.graph_objects as go

_MATERIAL = 0.1
_NAMED = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class OneWay:
    """What an attack found one way."""

    alc: Measured  # The reading that decides
    verdict: Verdict
    guess: float  # Share of targets the baseline gets right

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
    """The same attack with dependent rows together, and apart."""

    number: int  # Of the attack in its campaign
    unknown: str
    together: OneWay
    apart: OneWay

    @property
    def gap(self) -> float:
        """How much higher ALC is with dependent rows together."""
        return self.together.alc.value - self.apart.alc.value


@dataclass(frozen=True, slots=True, kw_only=True)
class DependenceResult:
    """Attacks on one release both ways."""

    release: str
    fingerprint: str  # Of the original
    columns: tuple[str, ...]  # Rows equal in all of them belong together
    # Rows that belong with another, and all rows
    rows: int
    of: int
    attacks: tuple[BothWays, ...]


KEPT_DEPENDENCE = KeptResults("dependence", DependenceResult)


class DependenceStudy(Study[DependenceResult]):
    """Attacks rerun with dependent rows together, or apart.

    References
    ----------
    Francis and Wagner (2025), section 3.7 and figure 3.
    """

    name = "dependence"
    title = "Dependent people"
    sentence = "Do copies, or people in one household, hide a loss?"
    explanation = "They do if the best guess learns from them."
    methods = "Dependent people"
    icon, button = ":material/family_restroom:", "Run with and without them"
    needs = (Need.ORIGINAL, Need.RELEASE, Need.CAMPAIGN)
    kept = KEPT_DEPENDENCE
    section = "studies"
    costs = "Runs each attack once more."
    example = "--together region,rooms --save"
    parameters = (
        Asked(
            name="together", title="Columns that copies or households share", kind=Kind.COLUMNS,
            help="Unless a household column is set.",
            usual="the household set, or suspected columns",
        ),
        replace(MOST, default=5, step=None),
    )  # fmt: skip

    def suggest(self, data: StudyData, given: Given) -> Given:
        together = given["together"] or _of_campaign(data)
        if not together and (found := likely_dependents(data.original, data.person)):
            together = found.columns
        return {**given, "together": together}

    def check(self, data: StudyData, given: Given) -> None:  # noqa: ARG002
        if not given["together"]:
            raise InputError("No rows look like copies or a household. Name columns they share.")

    def measuring(self, data: StudyData, given: Given) -> Measuring[DependenceResult]:
        campaign, columns = data.campaign, _of_campaign(data) or tuple(given["together"])
        groups = kept_together(data.original, columns)
        rows = int((np.bincount(groups)[groups] > 1).sum())

        def measure(release: Release, reporter: Reporter) -> Iterator[DependenceResult]:
            attacks = tuple(
                _both_ways(number, data, release, columns, reporter.of(f"attack {number}"))
                for number in campaign.worst_first(release.name)[: given["most"]]
            )
            if attacks:
                yield DependenceResult(
                    release=release.name, fingerprint=data.original.fingerprint, columns=columns,
                    rows=rows, of=len(data.original), attacks=attacks,
                )  # fmt: skip

        return measure

    def blocks(self, found: DependenceResult, look: Viewpoint) -> Iterator[show.Block]:  # noqa: ARG002
        worst = max(found.attacks, key=lambda each: abs(each.gap))
        number = len(found.columns)
        columns = quoted(found.columns) if number <= _NAMED else f"{count(number)} columns"
        yield show.Remark(
            f"{count(found.rows)} of {count(found.of)} rows equal another in {columns}. Largest "
            f"difference: attack {worst.number}, ALC {alc_number(worst.together.alc.value)} "
            f"together, {alc_number(worst.apart.alc.value)} apart.",
            show.Tone.WARNING if abs(worst.gap) >= _MATERIAL else show.Tone.WELL,
        )
        yield show.Figure("dependent-rows", lambda: dependence_figure(found))
        yield show.Grid.of(
            [
                {
                    "Attack": f"{each.number}: {each.unknown}",
                    "ALC together": alc_number(each.together.alc.value),
                    "ALC apart": alc_number(each.apart.alc.value),
                    "Verdict together": VERDICT_TITLES[each.together.verdict],
                    "Verdict apart": VERDICT_TITLES[each.apart.verdict],
                    "Best guess together": percent(each.together.guess),
                    "Best guess apart": percent(each.apart.guess),
                }
                for each in found.attacks
            ],
            alt="Each attack both ways.",
        )


def _both_ways(
    number: int, data: StudyData, release: Release, columns: Sequence[str], reporter: Reporter
) -> BothWays:
    """Rerun an attack with its dependent rows together if they were apart, or the reverse."""
    run = data.campaign.view.assessment(number)
    scenario = run.scenario
    were_together = scenario.household is not None
    other = replace(scenario, household=None if were_together else household_of(columns))
    encoded, settings = ScenarioData.of(data.original, release, other), RunSettings.again(run)
    again = Run.on(encoded, other, settings).attack(attack_of(run), reporter=reporter)
    together, apart = map(OneWay.of, (run, again) if were_together else (again, run))
    return BothWays(number=number, unknown=scenario.wanted, together=together, apart=apart)


def _of_campaign(data: StudyData) -> tuple[str, ...]:
    attacks = () if data.standing is None else data.standing.view.attacks
    return columns_of(next((a.scenario.household for a in attacks if a.scenario.household), None))


def dependence_figure(found: DependenceResult) -> go.Figure:
    """Draw each attack both ways."""
    traces = []
    for name, colour, symbol in (
        ("apart", BASELINE, "diamond-open"), ("together", ATTACK, "circle"),
    ):  # fmt: skip
        sides = [getattr(each, name).alc for each in found.attacks]
        values = [draw.on_scale(side.value) for side in sides]
        ends = [
            (draw.on_scale(low), draw.on_scale(high)) for low, high in (s.interval for s in sides)
        ]
        traces.append(
            draw.marks(
                values, list(range(len(values))), f"Dependent people {name}", colour=colour,
                symbol=symbol, size=12, error_x=draw.whiskers(values, ends, colour),
                texts=[f"ALC {alc_number(side.value)}, dependent rows {name}" for side in sides],
                meta={"x": [side.value for side in sides]},
            )
        )  # fmt: skip
    gaps = [each.gap for each in found.attacks]
    return draw.new_figure(
        traces,
        title="ALC together and apart",
        alt=f"ALC of {count(len(gaps))} attacks; kept together it is higher by "
        f"{alc_number(min(gaps))} to {alc_number(max(gaps))}.",
        height=170 + 34 * len(gaps),
        x={
            "range": [draw.on_scale(-1) - 0.03, 1.04],
            "title": "ALC (higher is riskier)",
            **draw.LOSS_TICKS,
        },
        y=draw.rows_axis([draw.short(f"{e.number}: {e.unknown}", 44) for e in found.attacks]),
        **draw.BELOW,
    )
