"""What is known of each study in a session: what was chosen, and what it found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from alc_core.dashboard.state.app_state import AppState, table_prints
from alc_core.errors import AlcError
from alc_core.studies.registry import with_parts
from alc_core.studies.study import Kind, Study, StudyData, usual_values


@dataclass(slots=True, kw_only=True, eq=False)
class OneStudy:
    """What the user chose of one study, and what it found in this session."""

    # Values of parameters that the user gave, each an attribute; they may not fit together
    given: SimpleNamespace = field(default_factory=SimpleNamespace)
    releases: list[str] | None = None  # Those that are measured; None for all, also that come
    found: dict[str, Any] = field(default_factory=dict)  # By the keys of a campaign's file
    prints: dict[str, object] = field(default_factory=dict)  # Of which release's tables each is
    shown: str = ""  # Key of the result that is shown
    asked_of: str = ""  # The release, or the first of several, of which it was asked last
    chosen: dict[str, str | float] = field(default_factory=dict)  # By the controls among blocks
    message: str = ""  # What went wrong in keeping a result

    def give(self, values: Mapping[str, object]) -> None:
        """Let parameters have other values."""
        vars(self.given).update(values)

    def values(self, study: Study[Any], data: StudyData) -> dict[str, Any]:
        """Return the parameters' values: given as far as the tables allow, suggested, or usual."""
        given = {n: tuple(v) if isinstance(v, list) else v for n, v in vars(self.given).items()}
        values, possible = {**usual_values(study), **given}, data.possible
        for each in study.parameters:
            value = values[each.name]
            if each.kind is Kind.COLUMNS:
                values[each.name] = tuple(column for column in value if column in possible)
            elif each.kind is Kind.COLUMN and value not in possible:
                values[each.name] = None
            if value and not values[each.name]:
                given.pop(each.name, None)  # what other tables emptied is suggested again
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
    """Return of which release a result is; empty where it is of none."""
    return getattr(study.keepable(found), "release", "")


def results_here(state: AppState, study: Study[Any], one: OneStudy) -> dict[str, Any]:
    """Return the results of this session but those of a release that has other tables now."""
    releases = state.releases() if state.ready else {}
    now = {name: table_prints(each.tables) for name, each in releases.items()}
    return {
        key: found
        for key, found in one.found.items()
        if now.get(release_of(study, found), one.prints.get(key)) == one.prints.get(key)
    }


def known_results(state: AppState, study: Study[Any], one: OneStudy) -> dict[str, Any]:
    """Return the results of this session and those in the campaign's file, by their keys."""
    here = results_here(state, study, one)
    if state.campaign is None or study.kept is None:
        return here
    return {**study.kept.read(state.campaign.view.store), **here}


def keep_results(state: AppState) -> None:
    """Keep in the campaign's file what this session found of the campaign's original."""
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
                    one.message = f"{error} The result is kept for this session only."
