"""How long the server takes to update a page of the dashboard after a slider move.

``python benchmarks/pages.py`` makes up a finished campaign of 1 000 attacks on two releases, opens
it in the dashboard and moves the slider of alpha on each page that has it: rescoring, overview,
figures and table included, the browser's own drawing not. The aim is 300 ms. First it opens the
file as one's own, and as one that was uploaded, which is examined in a process of its own.

Measured, median of six moves: Findings 184 ms, Trade-offs 144 ms, Compare 157 ms. Opening a file of
500 attacks (9.3 MiB): 0.03 s, an upload 0.72 s; of 1,000 attacks (18.5 MiB): 0.08 s, 1.59 s.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from statistics import median
from types import SimpleNamespace

import numpy as np
import streamlit as st
from streamlit.testing.v1 import AppTest

from alc_core import Assessment, LoopParameters, Scenario, ScoringParameters, Targets, __version__
from alc_core.assessment.halting import HaltingReason
from alc_core.assessment.result import TableSummary
from alc_core.campaign.file.annotations import read_all
from alc_core.campaign.file.store import CampaignStore
from alc_core.campaign.findings.open_foreign import open_foreign
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.model import CampaignSettings, KnownSetKind, PlannedAttack
from alc_core.dashboard.app.launch import site_directory
from alc_core.dashboard.state.campaign_state import CampaignResult
from alc_core.scoring.outcomes import Outcomes

COLUMNS = [f"column {number}" for number in range(25)]
RELEASES = ("weak", "strong")
PAGES = ("findings", "statistics?part=trade-offs", "statistics?part=compare")
LOOP = LoopParameters(resamples=100)
ALPHAS = (2.0, 2.5, 3.5, 4.0, 1.5, 5.0, 1.0)


def summary(name: str) -> TableSummary:
    return TableSummary(name=name, rows=30_000, columns=len(COLUMNS), fingerprint=name * 8)


def planned(n_attacks: int) -> list[PlannedAttack]:
    rng = np.random.default_rng(0)
    attacks, seen = [], set()
    while len(attacks) < n_attacks:
        unknown, *known = rng.permutation(COLUMNS)[: rng.integers(2, 12)].tolist()
        scenario = Scenario(sorted(known), unknown, targets=Targets(count=2000))
        if scenario.columns in seen:
            continue
        seen.add(scenario.columns)
        attacks += [
            PlannedAttack(
                number=len(attacks) + place, scenario=scenario, release=release,
                attack="best row match", kind=KnownSetKind.NAMED, reason="Made up.",
            )
            for place, release in enumerate(RELEASES)
        ]  # fmt: skip
    return attacks[:n_attacks]


def made_up(attack: PlannedAttack, settings: CampaignSettings) -> Assessment:
    """An assessment whose precision rises with the score, differently for each attack."""
    rng = np.random.default_rng([1, attack.number])
    sides = []
    for top in (rng.uniform(0.3, 1.0), rng.uniform(0.2, 0.9)):
        scores = rng.random(2000)
        sides += [scores, rng.random(2000) < top * scores ** rng.uniform(0.2, 2)]
    return Assessment(
        scenario=attack.scenario, attack_name=attack.attack,
        outcomes=Outcomes.from_predictions(*sides, max_thresholds=400),
        scoring=settings.scoring, loop=settings.loop, seed=settings.seed,
        halting=HaltingReason.REQUESTED, models={"made up": 2000},
        original=settings.original, release=settings.releases[attack.release],
        population=30_000, people=30_000, candidates=30_000, abstentions=0,
        down_sampled_share=None, notes=(), versions=settings.versions,
    )  # fmt: skip


def make_campaign(path: Path, n_attacks: int) -> None:
    settings = CampaignSettings(
        seed=0, scoring=ScoringParameters(), loop=LOOP, original=summary("original"),
        releases={name: (summary(name),) for name in RELEASES},
        kinds=dict.fromkeys(COLUMNS, "categorical"), versions={"anonymity-loss": __version__},
    )  # fmt: skip
    attacks = planned(n_attacks)
    with CampaignStore.create(path, settings, attacks) as store:
        results = {attack.number: made_up(attack, settings) for attack in attacks}
        store.add_results(results, seconds=dict.fromkeys(results, 1.0))


def measure(page: str, path: Path) -> tuple[list[float], list[float]]:
    """Return seconds by the clock and of the processor for each move of the slider."""
    test = AppTest.from_file(str(site_directory() / "app.py"), default_timeout=120)
    test.run()
    with CampaignStore.open(path) as store:
        test.session_state["alc_state"].campaign = CampaignResult(
            view=CampaignView(store, approximate=True), folder=SimpleNamespace(path=path)
        )
        name, _, part = page.partition("?part=")
        if part:
            test.query_params["part"] = part
        test.switch_page(f"pages/{name}.py").run()
        clock, processor = [], []
        for alpha in ALPHAS:
            (slider,) = (s for s in test.slider if s.key == "Rescoring_alpha")
            slider.set_value(alpha)
            start, used = time.perf_counter(), time.process_time()
            test.run()
            clock.append(time.perf_counter() - start)
            processor.append(time.process_time() - used)
            assert not test.exception
    return clock[1:], processor[1:]


def seconds_to_open(path: Path) -> tuple[float, float]:
    """Return the medians of opening a file as it is, and as one from elsewhere."""
    own, foreign, data = [], [], path.read_bytes()
    for _ in range(6):
        start = time.perf_counter()
        with CampaignStore.open(path) as store:
            read_all(store)
        own.append(time.perf_counter() - start)
        start = time.perf_counter()
        open_foreign(data, path.with_name("uploaded.alc"), name="uploaded.alc").close()
        foreign.append(time.perf_counter() - start)
    return median(own[1:]), median(foreign[1:])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--attacks", type=int, default=1000)
    parser.add_argument("--pages", nargs="+", default=PAGES)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "campaign.alc"
        make_campaign(path, chosen.attacks)
        own, foreign = seconds_to_open(path)
        print(
            f"{chosen.attacks} attacks, {path.stat().st_size / 2**20:.1f} MiB: opened in {own:.2f} "
            f"s, as an upload in {foreign:.2f}"
        )
        print(f"Streamlit {st.__version__}; medians of moving alpha")
        for page in chosen.pages:
            clock, processor = measure(page, path)
            print(
                f"{page}: {median(clock) * 1000:.0f} ms by the clock (at most "
                f"{max(clock) * 1000:.0f}), {median(processor) * 1000:.0f} ms of the processor"
            )


if __name__ == "__main__":
    main()
