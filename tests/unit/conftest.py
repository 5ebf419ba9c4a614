"""Campaigns made up of nothing but their losses."""

from types import SimpleNamespace

import pandas as pd
import pytest

from alc_core import Scenario
from alc_core.campaign.findings.findings_table import FINISHED, worst_first
from alc_core.campaign.model import KnownSetKind, PlannedAttack
from alc_core.compare import comparison
from alc_core.compare.comparison import compare_releases
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import Verdict, decide, verdict_of
from tests.conftest import baselines_of_room

_baselines = baselines_of_room()

SCORING = ScoringParameters()
UNTESTED = {"nothing left": Verdict.NOT_TESTABLE, "too few": Verdict.TOO_FEW}


def view_of(releases, *, exact=True, attempts=2000):
    """A view of scenarios "secret0", ...: per release a loss, with half an interval, or None.

    A loss may be a number, (number, half width), None (planned, not finished) or
    ("nothing left", number); a scenario that ends early is not planned on the release. All releases
    but the first are attacked on `attempts` people.
    """
    attacks, rows = [], []
    for release, losses in releases.items():
        for scenario, given in enumerate(losses):
            number = len(attacks)
            attacks.append(
                PlannedAttack(
                    number=number, scenario=Scenario(["age", "sex"], f"secret{scenario}"),
                    release=release, attack="best row match", kind=KnownSetKind.NAMED, reason="",
                )
            )  # fmt: skip
            if given is not None:
                people = 2000 if release == next(iter(releases)) else attempts
                rows.append({"number": number, "attempts": people, **result(given)})
    columns = [
        "number", "standing_alc", "standing_low", "standing_high", "standing", "through",
        "attempts",
    ]  # fmt: skip
    results = pd.DataFrame(rows, columns=columns).assign(status=FINISHED, known_set="named")
    overview = SimpleNamespace(
        results=worst_first(results),
        interval_exact=exact,
        scoring=SCORING,
    )
    settings = SimpleNamespace(releases=dict.fromkeys(releases, ()), scoring=SCORING)
    return SimpleNamespace(
        release=None, judged=tuple(attacks), settings=settings, overview=lambda s: overview
    )


def result(given):
    standing = None
    if isinstance(given, tuple) and isinstance(given[0], str):
        standing, given = str(UNTESTED[given[0]]), given[1]
    loss, half = given if isinstance(given, tuple) else (given, 0.02)
    bounds = (loss - half, loss + half)
    return {
        "standing_alc": loss, "standing_low": bounds[0], "standing_high": bounds[1],
        "standing": standing or str(verdict_of(decide(loss, *bounds, SCORING))),
    }  # fmt: skip


@pytest.fixture
def compared(monkeypatch):
    """Makes a comparison: ``compared({"weak": [0.9, None], "strong": [0.1, -3]})``."""
    monkeypatch.setattr(comparison, "release_order", lambda view, _: tuple(view.settings.releases))

    def make(releases, **options):
        return compare_releases(view_of(releases, **options), SCORING)

    return make
