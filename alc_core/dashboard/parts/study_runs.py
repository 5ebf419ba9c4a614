"""What is known of each study in a session: what was chosen, how it is run, what it found."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

from alc_core.dashboard.parts.blocks import Controls
from alc_core.dashboard.parts.header import chosen_scoring, focus_of, follow_opening
from alc_core.dashboard.state.app_state import AppState, table_prints
from alc_core.errors import AlcError
from alc_core.studies.study import (
    CampaignStanding,
    Given,
    Need,
    Study,
    StudyData,
    Takes,
    Viewpoint,
    usual_values,
)
from alc_core.tables.roles import Roles


class _Given(SimpleNamespace):
    """Values of the parameters of a study as the widgets hold them; they may not fit together."""


@dataclass(slots=True, kw_only=True, eq=False)
class OneStudy:
    """What the user chose of one study, and what it found in this session."""

    given: _Given = field(default_factory=_Given)
    of: object = None  # The original and roles that columns were suggested for
    releases: list[str] | None = None  # Those that are measured; all where nothing is said
    every: bool = True  # Whether that is all of them, also of those that come
    found: dict[str, Any] = field(default_factory=dict)  # By the keys of a campaign's file
    prints: dict[str, object] = field(default_factory=dict)  # Of which release's tables each is
    shown: str = ""  # Key of the result that is shown
    asked_of: str = ""  # The release, or the first of several, of which it was asked last
    chosen: dict[str, str | float] = field(default_factory=dict)  # By the controls among blocks
    message: str = ""  # What went wrong in keeping a result

    def give(self, values: Mapping[str, object]) -> None:
        """Let parameters have other values."""
        for name, value in values.items():
            setattr(self.given, name, list(value) if isinstance(value, tuple) else value)

    def values(self, study: Study[Any]) -> dict[str, Any]:
        """Return the parameters' values: lists as tuples."""
        found = {each.name: getattr(self.given, each.name) for each in study.parameters}
        return {n: tuple(v) if isinstance(v, list) else v for n, v in found.items()}


@dataclass(slots=True, kw_only=True, eq=False)
class StudyChoices:
    """All that is known of each study."""

    studies: dict[str, OneStudy] = field(default_factory=dict)

    def of(self, study: Study[Any]) -> OneStudy:
        """Return what is known of a study."""
        return self.studies.setdefault(study.name, OneStudy())


def study_data(state: AppState, study: Study[Any]) -> StudyData:
    """Return what a study is given of this session."""
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
    """Return the campaign with the parameters chosen on Findings."""
    if state.campaign is None:
        return None
    view = state.campaign.view
    scoring = chosen_scoring(state, view.settings.scoring)
    return None if scoring is None else CampaignStanding(view=view, overview=view.overview(scoring))


def start_values(study: Study[Any], one: OneStudy) -> None:
    """Give parameters that were never shown their usual values."""
    usual = usual_values(study)
    one.give({name: value for name, value in usual.items() if not hasattr(one.given, name)})


def start_study(
    state: AppState,
    study: Study[Any],
    *,
    releases: Collection[str] = (),
    given: Given | None = None,
    goes_on: bool = False,
) -> None:
    """Run a study in the background, of releases and with values that are given or chosen."""
    one = state.screen(StudyChoices).of(study)
    accept: tuple[str, ...] = ()
    if Takes.ACCEPT in study.takes:
        accept = tuple(state.answers.accepted_codes(state.findings()))
    data, wanted = study_data(state, study), releases or one.releases or ()
    data = replace(
        data,
        releases={
            name: each for name, each in data.releases.items() if not wanted or name in wanted
        },
        accept=accept,
        before=tuple(results_here(state, study, one).values()) if goes_on else (),
    )
    one.asked_of = next(iter(data.releases), "")
    values = one.values(study) if given is None else given

    def take(found: Sequence[Any]) -> None:
        results = _by_key(study, found)
        one.found = {**(one.found if study.gathers else {}), **results}
        for key, each in results.items():
            tables = data.releases.get(_release(study, each))
            one.prints[key] = None if tables is None else table_prints(tables.tables)
        one.shown, one.message, one.chosen = next(iter(results), ""), "", {}

    state.tasks.start(
        study.name, study.title, lambda reporter: study.run(data, values, reporter), take=take
    )


def _by_key(study: Study[Any], found: Sequence[Any]) -> dict[str, Any]:
    if study.kept is None:
        return {study.label(each): each for each in found}
    return {study.kept.key(study.keepable(each)): each for each in found}


def _release(study: Study[Any], found: Any) -> str:
    """Return of which release a result is; empty where it is of none."""
    return getattr(study.keepable(found), "release", "")


def results_here(state: AppState, study: Study[Any], one: OneStudy) -> dict[str, Any]:
    """Return the results of this session but those of a release that has other tables now."""
    releases = state.releases() if state.ready else {}
    now = {name: table_prints(each.tables) for name, each in releases.items()}
    return {
        key: found
        for key, found in one.found.items()
        if now.get(_release(study, found), one.prints.get(key)) == one.prints.get(key)
    }


def known_results(state: AppState, study: Study[Any], one: OneStudy) -> dict[str, Any]:
    """Return the results of this session and those in the campaign's file, by their keys.

    What this session found of the campaign's original is kept in the file as soon as there is one.
    """
    kept, here = study.kept, results_here(state, study, one)
    if state.campaign is None or kept is None:
        return here
    store = state.campaign.view.store
    there, attacked = kept.read(store), store.settings.releases
    for key, found in here.items():
        result, name = study.keepable(found), _release(study, found)
        of_it = name not in attacked or one.prints.get(key) == table_prints(attacked[name])
        if of_it and kept.is_of(store, result) and there.get(key) != result:
            try:
                kept.keep(store, result)
                state.campaign.view.refresh()
            except AlcError as error:
                one.message = f"{error} The result is kept for this session only."
    return {**there, **here}


def looked_at(
    state: AppState, study: Study[Any], one: OneStudy, data: StudyData | None, *, scope: str = ""
) -> tuple[Viewpoint, Controls]:
    """Return from where results of a study are looked at, and what their controls do.

    A scope tells the controls of several results on one page apart.
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
