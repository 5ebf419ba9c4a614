"""Campaigns of made-up outcomes, as large and as nasty as a test wants them."""

import numpy as np
import pytest

from alc_core.assessment.halting import HaltingReason
from alc_core.assessment.result import Assessment, TableSummary
from alc_core.campaign.file.store import CampaignStore
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.model import CampaignSettings, KnownSetKind, PlannedAttack
from alc_core.note import as_notes
from alc_core.report.options import ReportDetails, ReportOptions
from alc_core.scenario.scenario import Scenario
from alc_core.scoring.outcomes import Outcomes
from alc_core.scoring.parameters import LoopParameters, ScoringParameters

VERSIONS = {"anonymity-loss": "1.0.0", "python": "3.11"}
LOOP = LoopParameters(resamples=100)
SCORING = ScoringParameters()


def table(name):
    return TableSummary(name=name, rows=5000, columns=12, fingerprint=name.encode().hex().zfill(64))


def outcomes(strength, rng, thresholds=300):
    """Paired predictions; `strength` is about the precision of the attack, 0.3 the baseline's."""
    n = 1200 if strength > 0.3 else 4000  # that nothing is found takes more people to tell
    score = rng.random(n).round(3)
    return Outcomes.from_predictions(
        score, rng.random(n) < strength, rng.random(n).round(3), rng.random(n) < 0.3,
        max_thresholds=thresholds,
    )  # fmt: skip


@pytest.fixture
def made_up(tmp_path):
    """Makes a campaign: one attack per strength and release."""
    stores = []

    def make(
        strengths, *, releases=("weak.csv",), original="people.csv", prefix="col", known=3,
        notes=(), name="campaign.alc", finished=None, by=("best row match",), unknown="",
        **scenario,
    ):  # fmt: skip
        rng = np.random.default_rng(7)
        settings = CampaignSettings(
            seed=3, scoring=SCORING, loop=LOOP, original=table(original),
            releases={each: (table(each),) for each in releases},
            kinds={f"{prefix}{i}": "categorical" for i in range(12)}, versions=VERSIONS,
        )  # fmt: skip
        attacks = [
            PlannedAttack(
                number=place * len(releases) + at,
                scenario=Scenario(
                    [f"{prefix}{i}" for i in range(1, known + 1)],
                    unknown or f"{prefix}{place + known + 1}", **scenario,
                ),
                release=release, attack=by[place % len(by)], kind=KnownSetKind.NAMED,
                reason="Named by you.",
            )
            for place, _ in enumerate(strengths) for at, release in enumerate(releases)
        ]  # fmt: skip
        store = CampaignStore.create(tmp_path / name, settings, attacks)
        stores.append(store)
        for attack in attacks[:finished]:
            strength = strengths[attack.number // len(releases)]
            result = Assessment(
                scenario=attack.scenario, attack_name=attack.attack,
                outcomes=outcomes(strength, rng), scoring=SCORING, loop=LOOP, seed=3,
                halting=next(iter(HaltingReason)),
                models={"naive Bayes": 1200}, original=settings.original,
                release=settings.releases[attack.release],
                population=5000, people=5000, candidates=5000,
                abstentions=0, down_sampled_share=None, notes=as_notes(notes), versions=VERSIONS,
            )  # fmt: skip
            store.add_results({attack.number: result}, seconds={attack.number: 0.1})
        return CampaignView(store)

    yield make
    for store in stores:
        store.close()


@pytest.fixture
def options():
    def make(view, **changes):
        given = {
            "scoring": view.settings.scoring,
            "details": ReportDetails(date="2026-01-31"),
            "campaign_file": "review.alc",
            **changes,
        }
        return ReportOptions(**given)

    return make
