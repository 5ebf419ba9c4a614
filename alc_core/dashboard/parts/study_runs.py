"""Running studies in a session, and viewing results."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from alc_core.dashboard.parts.blocks import Controls
from alc_core.dashboard.parts.header import chosen_scoring, focus_of, follow_opening
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session_tables import table_prints
from alc_core.dashboard.work.study_results import (
    OneStudy,
    StudyChoices,
    keep_results,
    release_of,
    results_by_key,
    results_here,
)
from alc_core.studies.study import (
    CampaignStanding,
    Given,
    Need,
    Study,
    StudyData,
    Takes,
    Viewpoint,
)
from alc_core.tables.roles import Roles


def study_data(state: AppState, study: Study[Any]) -> StudyData:
    """Return a study's data of this session."""
    choices, releases = state.choices, state.releases() if state.ready else {}
    table = None if state.original is None else state.original_table()
    standing = None
    if (attacked := state.campaign_tables()) is not None:
        standing, (table, among) = _standing(state), attacked
        releases = among if Need.CAMPAIGN in study.needs else {**releases, **among}
    return StudyData(
        table=table,
        releases={
            name: each.renamed(name) for name, each in releases.items() if not study.refusal(each)
        },
        holdout=None if state.holdout is None else state.holdout.table,
        roles=Roles() if state.original is None else state.column_roles(),
        start=state.start,
        missing=choices.missing,
        person=choices.settings.person,
        household=choices.settings.household,
        seed=choices.settings.seed if standing is None else standing.view.settings.seed,
        standing=standing,
        page=True,
    )


def _standing(state: AppState) -> CampaignStanding | None:
    if state.campaign is None:
        return None
    view = state.campaign.view
    scoring = chosen_scoring(state, view.settings.scoring)
    return None if scoring is None else CampaignStanding(view=view, overview=view.overview(scoring))


def start_study(
    state: AppState,
    study: Study[Any],
    *,
    releases: Collection[str] = (),
    given: Given | None = None,
    goes_on: bool = False,
) -> None:
    """Run a study in the background, with given or chosen releases and values."""
    one = state.screen(StudyChoices).of(study)
    accept: tuple[str, ...] = ()
    if Takes.ACCEPT in study.takes:
        accept = tuple(state.answers.accepted_codes(state.findings()))
    data, wanted = study_data(state, study), releases or one.releases or ()
    values = one.values(study, data) if given is None else given
    data = replace(
        data,
        releases={
            name: each for name, each in data.releases.items() if not wanted or name in wanted
        },
        accept=accept,
        before=tuple(results_here(state, study, one).values()) if goes_on else (),
    )
    one.asked_of = next(iter(data.releases), "")

    def take(found: Sequence[Any]) -> None:
        results = results_by_key(study, found)
        one.found = {**(one.found if study.gathers else {}), **results}
        for key, each in results.items():
            tables = data.releases.get(release_of(study, each))
            one.prints[key] = None if tables is None else table_prints(tables.tables)
        one.message = "" if results else study.nothing(data)
        one.shown, one.chosen = next(iter(results), ""), {}
        keep_results(state)

    state.tasks.start(
        study.name, study.title, lambda reporter: study.run(data, values, reporter), take=take
    )


def looked_at(
    state: AppState, study: Study[Any], one: OneStudy, data: StudyData | None, *, scope: str = ""
) -> tuple[Viewpoint, Controls]:
    """Return a study's viewpoint and controls.

    A scope distinguishes several results' controls.
    """
    controls = Controls(
        chosen=one.chosen, key=f"{study.name.replace('-', '_')}{scope}",
        ask=one.give,
        open_attack=lambda number: _open_attack(state, number),
    )  # fmt: skip
    return Viewpoint(chosen=one.chosen, data=data, standing=_standing(state), page=True), controls


def _open_attack(state: AppState, number: int) -> None:
    if state.campaign is not None:
        focus = focus_of(state, state.campaign)
        focus.open(number)
        follow_opening(focus)
