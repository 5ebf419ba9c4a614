"""Slow evidence: usefulness of releases, details of worst attacks.

Measured in the background after a campaign.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass

from alc_core.campaign.findings.view import CampaignView
from alc_core.dashboard.state.app_state import AppState
from alc_core.explain.context import calibrate_campaign, without_marks
from alc_core.releases.release import Release
from alc_core.runtime.machine import limit_threads
from alc_core.runtime.progress import Reporter
from alc_core.studies.registry import studies
from alc_core.studies.study import CampaignStanding, StudyData, usual_values
from alc_core.studies.utility.result import KEPT_UTILITIES, stored_utilities
from alc_core.tables.table import Table

EVIDENCE_TASK = "evidence"
UTILITY = studies()["utility"]
# One session at a time: several would slow pages
_TURN = threading.Lock()
_LOOK_EVERY = 0.5


@dataclass(slots=True, kw_only=True, eq=False)
class Evidence:
    """Campaign and number of results whose evidence was begun."""

    of: CampaignView | None = None
    finished: int = 0


def gather_evidence(state: AppState) -> None:
    """Begin to measure missing evidence of a campaign that ended here."""
    campaign = state.campaign
    evidence, task = state.screen(Evidence), state.tasks.get(EVIDENCE_TASK)
    if EVIDENCE_TASK in state.tasks.abandoned:
        evidence.of = None  # begins again
    if campaign is not None and evidence.of is not campaign.view:
        state.tasks.forget(EVIDENCE_TASK)  # of another campaign
    elif task is not None and task.job.running:
        return  # begun afterwards
    if campaign is None or campaign.inputs is None or state.campaign_run:
        return
    view = campaign.view
    finished = view.counts.finished
    if evidence.of is view and evidence.finished == finished:
        return
    tables = state.campaign_tables()
    if tables is None:
        return
    evidence.of, evidence.finished = view, finished
    original, releases = tables
    measured = stored_utilities(view.store)
    to_measure = {
        name: release
        for name, release in releases.items()
        if name not in measured and not UTILITY.refusal(release)
    }
    # Of each release's worst attack
    scoring = view.settings.scoring
    worst = [view.only(name).overview(scoring).worst for name in view.attacked_releases]
    unmarked = without_marks(view.store, [number for number in worst if number is not None])
    if not to_measure and not unmarked:
        return

    def work(reporter: Reporter) -> None:
        while not _TURN.acquire(timeout=_LOOK_EVERY):
            reporter.report("Waiting for other sessions")
        try:
            _measure_use(view, original, to_measure, reporter)
            with limit_threads(1):
                calibrate_campaign(original, view.store, unmarked, reporter=reporter)
        finally:
            _TURN.release()

    title = "Reference points and usefulness"
    state.tasks.start(EVIDENCE_TASK, title, work, take=lambda _: None)


def _measure_use(
    view: CampaignView, original: Table, releases: dict[str, Release], reporter: Reporter
) -> None:
    standing = CampaignStanding(view=view, overview=view.overview(view.settings.scoring))
    for name, release in releases.items():
        data = StudyData(
            table=original, releases={name: release}, seed=view.settings.seed, standing=standing
        )
        for utility in UTILITY.run(data, usual_values(UTILITY), reporter):
            KEPT_UTILITIES.keep(view.store, utility)
