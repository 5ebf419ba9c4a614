"""Each study's choices and results in a session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session_tables import table_prints
from alc_core.errors import AlcError
from alc_core.studies.registry import with_parts
from alc_core.studies.study import Kind, Study, StudyData, usual_values


@dataclass(slots=True, kw_only=True, eq=False)
class OneStudy:
    """A study's choices and results in this session."""

    # Parameter values as attributes; may conflict
    given: SimpleNamespace = field(default_factory=SimpleNamespace)
    releases: list[str] | None = None  # None for all, also later ones
    found: dict[str, Any] = field(default_factory=dict)  # By the keys of a campaign's file
    prints: dict[str, object] = field(default_factory=dict)  # Tables of each result's release
    shown: str = ""  # Key of the shown result
    asked_of: str = ""  # The (first) release last asked for
    chosen: dict[str, str | float] = field(default_factory=dict)  # By the controls among blocks
    message: str = ""  # Error in keeping a result

    def give(self, values: Mapping[str, object]) -> None:
        """Let parameters have other values."""
        vars(self.given).update(values)

    def values(self, study: Study[Any], data: StudyData) -> dict[str, Any]:
        """Return values: given if allowed, suggested, or default."""
        given = {n: tuple(v) if isinstance(v, list) else v for n, v in vars(self.given).items()}
        values, possible = {**usual_values(study), **given}, data.possible
        for each in study.parameters:
            value = values[each.name]
            if each.kind is Kind.COLUMNS:
                values[each.name] = tuple(column for column in value if column in possible)
            elif each.kind is Kind.COLUMN and value not in possible:
                values[each.name] = None
            if value and not values[each.name]:
                given.pop(each.name, None)  # suggested again after other tables
        values = {**study.suggest(data, values), **{name: values[name] for name in given}}
        for each in study.parameters:
            choices = study.choices(each, data, values)
            if choices and values[each.name] not in choices:
                values[each.name] = choices[0]
        return values


@dataclass(slots=True, kw_only=True, eq=False)
class StudyChoices:
    """All that is known of each study."""

    studies: dict[str, OneStudy] = field(default_factory=dict)

    def of(self, study: Study[Any]) -> OneStudy:
        """Return what is known of a study."""
        return self.studies.setdefault(study.name, OneStudy())


def results_by_key(study: Study[Any], found: Sequence[Any]) -> dict[str, Any]:
    """Return results by the keys of a campaign's file."""
    if study.kept is None:
        return {study.label(each): each for each in found}
    return {study.kept.key(study.keepable(each)): each for each in found}


def release_of(study: Study[Any], found: Any) -> str:
    """Return a result's release, if any."""
    return getattr(study.keepable(found), "release", "")


def results_here(state: AppState, study: Study[Any], one: OneStudy) -> dict[str, Any]:
    """Return this session's results, except with changed tables."""
    releases = state.releases() if state.ready else {}
    now = {name: table_prints(each.tables) for name, each in releases.items()}
    return {
        key: found
        for key, found in one.found.items()
        if now.get(release_of(study, found), one.prints.get(key)) == one.prints.get(key)
    }


def known_results(state: AppState, study: Study[Any], one: OneStudy) -> dict[str, Any]:
    """Return results of this session and of the campaign's file."""
    here = results_here(state, study, one)
    if state.campaign is None or study.kept is None:
        return here
    return {**study.kept.read(state.campaign.view.store), **here}


def keep_results(state: AppState) -> None:
    """Save this session's results in the campaign's file."""
    if state.campaign is None:
        return
    view, known = state.campaign.view, state.screen(StudyChoices).studies
    attacked = view.store.settings.releases
    for study in with_parts():
        one, kept = known.get(study.name), study.kept
        if one is None or kept is None:
            continue
        for key, found in results_here(state, study, one).items():
            result, name = study.keepable(found), release_of(study, found)
            of_it = name not in attacked or one.prints.get(key) == table_prints(attacked[name])
            new = of_it and kept.is_of(view.store, result)
            if new and kept.read(view.store).get(key) != result:
                try:
                    kept.keep(view.store, result)
                    view.refresh()
                except AlcError as error:
                    one.message = f"{error} For this session only."
