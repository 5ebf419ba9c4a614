"""The page of studies: a list of them, and of the open one what it asks for and what it found."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isinf
from types import SimpleNamespace
from typing import Any

import streamlit as st

from alc_core.campaign.findings.view import CampaignView
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.blocks import Controls, draw_blocks, draw_choice
from alc_core.dashboard.parts.focus import focus_of, follow_opening
from alc_core.dashboard.parts.panels import draw_empty
from alc_core.dashboard.parts.watching import draw_task
from alc_core.dashboard.parts.what_if import chosen_scoring
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import Page, bind
from alc_core.errors import AlcError
from alc_core.phrasing import count, listed, numbered, sentence_case
from alc_core.present.blocks import Choice, Saved
from alc_core.runtime.progress import CancelCallback, ProgressCallback, Reporter
from alc_core.studies.registry import studies, with_parts
from alc_core.studies.study import (
    Asked,
    Extra,
    Kind,
    Look,
    Need,
    Standing,
    Study,
    StudyData,
    Takes,
    checked,
)
from alc_core.tables.roles import Roles

_WIDE = 3
"""Parameters beside each other."""

_MISSING = {
    Need.ORIGINAL: lambda state: state.original is None,
    Need.RELEASE: lambda state: not state.ready,
    Need.HOLDOUT: lambda state: state.holdout is None,
    Need.CAMPAIGN: lambda state: state.campaign is None or state.campaign_tables() is None,
}
"""What of it is not there."""


class _Given(SimpleNamespace):
    """Values of the parameters of a study as the widgets hold them; they may not fit together."""


@dataclass(slots=True, kw_only=True, eq=False)
class OneStudy:
    """What the user chose of one study, and what it found in this session."""

    given: _Given = field(default_factory=_Given)
    of: object = None  # The original and roles that columns were suggested for
    releases: list[str] | None = None  # Those that are measured; all where nothing is said
    found: dict[str, Any] = field(default_factory=dict)  # By the keys of a campaign's file
    shown: str = ""  # Key of the result that is shown
    chosen: dict[str, str | float] = field(default_factory=dict)  # By the controls among blocks
    done: bool = False  # Whether the page is to be drawn again with what was found
    message: str = ""  # What went wrong in keeping a result

    def values(self, study: Study[Any]) -> dict[str, Any]:
        """Return the parameters' values: lists as tuples."""
        found = {each.name: getattr(self.given, each.name) for each in study.parameters}
        return {n: tuple(v) if isinstance(v, list) else v for n, v in found.items()}


@dataclass(slots=True, kw_only=True, eq=False)
class StudyChoices:
    """All that is known of each study."""

    open: str = ""  # The one to open next; then the page's address says it
    studies: dict[str, OneStudy] = field(default_factory=dict)

    def of(self, study: Study[Any]) -> OneStudy:
        """Return what is known of a study."""
        return self.studies.setdefault(study.name, OneStudy())


def draw_studies(state: AppState) -> None:
    """Draw the list, or the study that is open."""
    choices = state.screen(StudyChoices)
    name = choices.open or st.query_params.get("study", "")
    choices.open = ""
    study = {each.name: each for each in with_parts()}.get(name)
    if study is None:
        _draw_list(state, choices)
        return
    st.query_params["study"] = study.name
    st.button(
        "All studies", icon=":material/arrow_back:", type="tertiary",
        on_click=_open, args=(choices, ""),
    )  # fmt: skip
    st.title(literal(study.title))
    st.markdown(literal(study.sentence))
    _draw_study(state, study, choices.of(study))
    for part in study.parts:
        st.header(literal(part.title))
        st.markdown(literal(part.sentence))
        _draw_study(state, part, choices.of(part))


def _open(choices: StudyChoices, name: str) -> None:
    choices.open = name
    st.query_params.pop("study", None)


def _draw_list(state: AppState, choices: StudyChoices) -> None:
    st.title("Studies")
    st.markdown("What can be measured of releases as a whole, beside the attacks of a campaign.")
    for study in studies().values():
        one = choices.of(study)
        number = len(known_results(state, study, one))
        lacking = [need for need in study.needs if _MISSING[need](state)]
        with st.container(border=True):
            st.button(
                literal(study.title), icon=study.icon, type="tertiary", key=f"open_{study.name}",
                on_click=_open, args=(choices, study.name),
            )  # fmt: skip
            st.markdown(literal(study.sentence))
            words = f"Needs {listed([str(need) for need in study.needs])}"
            if lacking:
                words += f"; {listed([str(need) for need in lacking])} is not there yet"
            found = f" {numbered(number, 'result')}." if number else ""
            st.caption(literal(f"{words}.{found}"))


def _draw_study(state: AppState, study: Study[Any], one: OneStudy) -> None:
    """Draw the explanation, the parameters, the button, and what was found."""
    if study.explanation:
        with st.expander("What this measures, and how to read it", icon=":material/help:"):
            for paragraph in study.explanation:
                st.markdown(paragraph)
    data = None
    if any(_MISSING[need](state) for need in study.needs):
        what = listed([str(need) for need in study.needs])
        draw_empty(
            f"{literal(study.title)} needs {literal(what)}: upload yours, or take the demo data.",
            Page.DATA,
            "Go to the data",
        )
    else:
        data = _data(state, study)
        with st.container(border=True):
            _adapt(study, one, data)
            _draw_parameters(study, one, data)
            _draw_running(state, study, one, data)
    _draw_found(state, study, one, data)


def _data(state: AppState, study: Study[Any]) -> StudyData:
    """Return what a study is given of this session."""
    run, releases = state.run_choices, state.releases() if state.ready else {}
    table = None if state.original is None else state.original_table()
    if Need.CAMPAIGN in study.needs and (attacked := state.campaign_tables()) is not None:
        table, releases = attacked
    return StudyData(
        table=table,
        releases={
            name: each.renamed(name) for name, each in releases.items() if not study.refusal(each)
        },
        holdout=None if state.holdout is None else state.holdout.table,
        roles=Roles() if state.original is None else state.column_roles(),
        start=state.start,
        missing=None if run.include_missing else run.missing,
        person=run.person,
        seed=run.seed,
        standing=_standing(state, of_tables=True),
        page=True,
    )


def _standing(state: AppState, *, of_tables: bool = False) -> Standing | None:
    """Return the campaign with the parameters chosen on Findings; where asked, of these tables."""
    if state.campaign is None or (of_tables and state.campaign_tables() is None):
        return None
    view: CampaignView = state.campaign.view
    scoring = chosen_scoring(state, view.settings.scoring)
    return None if scoring is None else Standing(view=view, overview=view.overview(scoring))


def start_values(study: Study[Any], one: OneStudy) -> None:
    """Give parameters that were never shown their usual values."""
    for each in study.parameters:
        if not hasattr(one.given, each.name):
            start = each.start
            setattr(one.given, each.name, list(start) if isinstance(start, tuple) else start)


def _adapt(study: Study[Any], one: OneStudy, data: StudyData) -> None:
    """Suggest columns for another original or other roles, and keep what the tables allow."""
    of = data.table and (data.table.fingerprint, dict(data.roles.by_user), tuple(data.releases))
    start_values(study, one)
    possible = data.possible
    for each in study.parameters:
        value = getattr(one.given, each.name)
        if each.kind is Kind.COLUMNS:
            setattr(one.given, each.name, [column for column in value if column in possible])
        elif each.kind is Kind.COLUMN and value not in possible:
            setattr(one.given, each.name, None)
    if one.of != of:
        for name, value in study.suggest(data, one.values(study)).items():
            setattr(one.given, name, list(value) if isinstance(value, tuple) else value)
        one.of = of


def _draw_parameters(study: Study[Any], one: OneStudy, data: StudyData) -> None:
    shown = [each for each in study.parameters if each.where != "command"]
    columns = [each for each in shown if each.kind in (Kind.COLUMN, Kind.COLUMNS)]
    others = [each for each in shown if each not in columns and not each.apart]
    apart = [each for each in shown if each.apart]
    if len(data.releases) > 1:
        names = list(data.releases)
        kept = [name for name in one.releases or () if name in names]
        one.releases = kept or names
        st.multiselect("Releases", names, **bind(one, "releases"))
    for row in (columns, others):
        _draw_row(row, study, one, data)
    if apart:
        with st.expander("Settings"):
            _draw_row(apart, study, one, data)


def _draw_row(row: Sequence[Asked], study: Study[Any], one: OneStudy, data: StudyData) -> None:
    if not row:
        return
    places = st.columns(min(len(row), _WIDE))
    for number, asked in enumerate(row):
        with places[number % len(places)]:
            _draw_parameter(asked, study, one, data)


def _draw_parameter(asked: Asked, study: Study[Any], one: OneStudy, data: StudyData) -> None:
    """Draw the widget of a parameter."""
    title, text = literal(sentence_case(asked.title)), literal(asked.help)
    kept = bind(one.given, asked.name)
    kept["key"] = f"{study.name}_{kept['key']}"
    if st.session_state.get(kept["key"]) != getattr(one.given, asked.name):
        st.session_state[kept["key"]] = getattr(one.given, asked.name)
    kept["args"] = (one.given, asked.name, kept["key"], None)
    choices = study.choices(asked, data, one.values(study))
    if asked.kind is Kind.COLUMNS:
        st.multiselect(title, data.possible, help=text, wrap=True, **kept)
    elif asked.kind is Kind.COLUMN:
        st.selectbox(title, data.possible, help=text, **kept)
    elif choices:
        names = {option: literal(asked.titles.get(option, option)) for option in choices}
        if getattr(one.given, asked.name) not in choices:
            setattr(one.given, asked.name, choices[0])
            st.session_state[kept["key"]] = choices[0]
        st.selectbox(title, list(choices), format_func=names.__getitem__, help=text, **kept)
    elif asked.type is bool:
        st.checkbox(title, help=text, **kept)
    elif asked.type is str:
        st.text_input(title, help=text, **kept)
    else:
        of: Any = asked.type
        low, high = (None if isinf(each) else of(each) for each in (asked.low, asked.high))
        if asked.low_open and low is not None and asked.step:
            low = of(asked.step)
        st.number_input(
            title, min_value=low, max_value=high, step=of(asked.step) if asked.step else None,
            format="%g" if of is float else None, help=text,
            placeholder=literal(asked.usual) if asked.optional else None, **kept,
        )  # fmt: skip


def _draw_running(state: AppState, study: Study[Any], one: OneStudy, data: StudyData) -> None:
    """Draw what hinders the study, the button that runs it, and how far it is."""
    problem = ""
    try:
        checked(study, data, one.values(study))
    except AlcError as error:
        problem = str(error)
        st.warning(literal(problem), icon=":material/warning:")
    asking, waiting = st.container(), st.container()
    with waiting:
        running = draw_task(state, study.name)
    if one.done:
        one.done = False
        st.rerun()
    with asking.container(horizontal=True, vertical_alignment="center"):
        st.button(
            literal(study.button), type="secondary" if one.found else "primary", icon=study.icon,
            key=f"run_{study.name}", on_click=start_study, args=(state, study),
            disabled=running or bool(problem),
        )  # fmt: skip
        if study.goes_on and one.found:
            st.button(
                literal(study.goes_on), icon=":material/resume:", key=f"go_on_{study.name}",
                on_click=start_study, args=(state, study), kwargs={"goes_on": True},
                disabled=running,
                help="From where it is; what was drawn before no longer counts.",
            )  # fmt: skip
        refused = [said for each in state.releases().values() if (said := study.refusal(each))]
        left_out = f"{count(len(refused))} releases are left out: {refused[0]}" if refused else ""
        with_others = ""
        if data.holdout is not None and (
            Need.HOLDOUT in study.needs or Takes.HOLDOUT in study.takes
        ):
            with_others = f"Compared with the holdout {data.holdout.name}."
        words = " ".join(filter(None, (study.costs, with_others, left_out)))
        st.caption(literal(words), width="stretch")
    if one.message:
        st.warning(literal(one.message), icon=":material/warning:")


def start_study(
    state: AppState, study: Study[Any], *, releases: Collection[str] = (), goes_on: bool = False
) -> None:
    """Run a study in the background, of the releases that are named or chosen."""
    one = state.screen(StudyChoices).of(study)
    accept: tuple[str, ...] = ()
    if Takes.ACCEPT in study.takes:
        accept = tuple(state.answers.accepted_codes(state.findings()))
    data, wanted = _data(state, study), releases or one.releases or ()
    data = replace(
        data,
        releases={
            name: each for name, each in data.releases.items() if not wanted or name in wanted
        },
        accept=accept,
        before=tuple(one.found.values()) if goes_on else (),
    )
    given = one.values(study)

    def work(progress: ProgressCallback, cancel: CancelCallback) -> Sequence[Any]:
        return study.run(data, given, Reporter(progress=progress, cancel=cancel))

    def take(found: Sequence[Any]) -> None:
        one.found = {**(one.found if study.gathers else {}), **_by_key(study, found)}
        one.shown, one.done, one.message = next(iter(_by_key(study, found)), ""), True, ""
        one.chosen = {}

    state.tasks.start(study.name, study.title, work, take=take)


def _by_key(study: Study[Any], found: Sequence[Any]) -> dict[str, Any]:
    if study.kept is None:
        return {study.label(each): each for each in found}
    return {study.kept.key(study.keepable(each)): each for each in found}


def known_results(state: AppState, study: Study[Any], one: OneStudy) -> dict[str, Any]:
    """Return the results of this session and those in the campaign's file, by their keys.

    What this session found of the campaign's original is kept in the file as soon as there is one.
    """
    kept = study.kept
    if state.campaign is None or kept is None:
        return dict(one.found)
    store = state.campaign.view.store
    there = kept.read(store)
    for key, found in one.found.items():
        result = study.keepable(found)
        if kept.is_of(store, result) and there.get(key) != result:
            try:
                kept.keep(store, result)
            except AlcError as error:
                one.message = f"{error} The result is kept for this session only."
    return {**there, **one.found}


def _draw_found(state: AppState, study: Study[Any], one: OneStudy, data: StudyData | None) -> None:
    """Draw all results side by side, the one that is chosen, and what stands below them."""
    results = known_results(state, study, one)
    look, controls = looked_at(state, study, one, data)
    if results:
        draw_blocks(study.side_by_side(list(results.values())), controls)
        if one.shown not in results:
            one.shown = next(iter(results))
        if len(results) > 1:
            choice = Choice(
                name="", title="Result", value=one.shown,
                options={key: study.label(found) for key, found in results.items()},
            )  # fmt: skip
            draw_choice(choice, f"{study.name}_shown", lambda key: setattr(one, "shown", key))
        draw_blocks(study.blocks(results[one.shown], look), controls)
        if one.found:
            saved = [_saved(extra, one) for extra in study.extras if extra.title]
            draw_blocks(saved, controls)
    draw_blocks(study.further(look), controls)


def looked_at(
    state: AppState, study: Study[Any], one: OneStudy, data: StudyData | None
) -> tuple[Look, Controls]:
    """Return from where results of a study are looked at, and what their controls do."""
    controls = Controls(
        chosen=one.chosen, key=study.name.replace("-", "_"),
        ask=lambda values: _ask(one, values),
        open_attack=lambda number: _open_attack(state, number),
    )  # fmt: skip
    return Look(chosen=one.chosen, data=data, standing=_standing(state), page=True), controls


def _saved(extra: Extra, one: OneStudy) -> Saved:
    found = list(one.found.values())
    return Saved(extra.title, extra.file, lambda: extra.make(found), extra.page_help)


def _ask(one: OneStudy, values: Mapping[str, object]) -> None:
    for name, value in values.items():
        setattr(one.given, name, list(value) if isinstance(value, tuple) else value)


def _open_attack(state: AppState, number: int) -> None:
    if state.campaign is not None:
        focus = focus_of(state, state.campaign)
        focus.open(number)
        follow_opening(focus)
