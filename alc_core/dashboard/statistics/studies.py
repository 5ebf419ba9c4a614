"""All studies: list, and the open one's parameters and results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from alc_core.dashboard.markdown import literal, methods_link
from alc_core.dashboard.parts.blocks import draw_blocks, draw_choice
from alc_core.dashboard.parts.panels import draw_empty, draw_no_results, draw_task
from alc_core.dashboard.parts.study_runs import looked_at, start_study, study_data
from alc_core.dashboard.parts.widgets import draw_parameter
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import Page, bind_value
from alc_core.dashboard.work.study_results import (
    OneStudy,
    StudyChoices,
    known_results,
    results_here,
)
from alc_core.errors import AlcError
from alc_core.phrasing import error_line, listed, numbered, sentence_case
from alc_core.present.blocks import Control, Saved
from alc_core.studies.registry import studies
from alc_core.studies.study import Asked, Extra, Kind, Need, Study, StudyData, Takes, checked

_WIDE = 3  # Parameters, or studies, beside each other
# By need, whether it is missing
_MISSING = {
    Need.ORIGINAL: lambda state: state.original is None,
    Need.RELEASE: lambda state: not state.ready,
    Need.HOLDOUT: lambda state: state.holdout is None,
    Need.CAMPAIGN: lambda state: state.campaign is None or state.campaign_tables() is None,
}


def draw_open_study(state: AppState, study: Study[Any], show: Callable[[str], None]) -> None:
    """Draw a study, and the way back."""
    choices = state.screen(StudyChoices)
    st.button(
        "All studies",
        icon=":material/arrow_back:",
        type="tertiary",
        on_click=show,
        args=("studies",),
    )
    for each in (study, *study.parts):
        st.header(literal(each.title))
        st.markdown(literal(f"{each.sentence} {each.explanation}".strip()))
        if each.methods:
            place = methods_link(literal(f"Methods, “{each.methods}”"), each.methods)
            st.markdown(f":small[More in {place}.]")
        _draw_study(state, each, choices.of(each))


def draw_list(state: AppState, show: Callable[[str], None]) -> None:
    """Draw a card per study: question, needs, results."""
    choices = state.screen(StudyChoices)
    every = list(studies().values())
    for first in range(0, len(every), _WIDE):
        for column, study in zip(st.columns(_WIDE), every[first : first + _WIDE], strict=False):
            with column.container(border=True, height="stretch", gap="xsmall"):
                st.button(
                    f"**{literal(study.title)}**", icon=study.icon, type="tertiary",
                    key=f"open_{study.name}", on_click=show, args=(study.name,),
                )  # fmt: skip
                st.markdown(literal(study.sentence))
                lacking = [str(need) for need in study.needs if _MISSING[need](state)]
                number = len(known_results(state, study, choices.of(study)))
                if lacking:
                    st.caption(f":material/block: Needs {literal(listed(lacking))}")
                elif number:
                    st.caption(f":material/check: {literal(numbered(number, 'result'))}")


def _draw_study(state: AppState, study: Study[Any], one: OneStudy) -> None:
    data = None
    lacking = [need for need in study.needs if _MISSING[need](state)]
    if lacking == [Need.CAMPAIGN]:
        draw_no_results()
    elif lacking:
        what = literal(listed(list(map(str, lacking))))
        draw_empty(f"This needs {what}.", Page.DATA, "Go to the data")
    else:
        data = study_data(state, study)
        with st.container(border=True):
            values = one.values(study, data)
            _draw_parameters(study, one, data, values)
            _draw_running(state, study, one, data, values)
    _draw_found(state, study, one, data)


def _draw_parameters(
    study: Study[Any], one: OneStudy, data: StudyData, values: Mapping[str, Any]
) -> None:
    shown = [each for each in study.parameters if each.where != "command"]
    columns = [each for each in shown if each.kind in (Kind.COLUMN, Kind.COLUMNS)]
    others = [each for each in shown if each not in columns and not each.apart]
    apart = [each for each in shown if each.apart]
    if Need.RELEASE in study.needs and len(data.releases) > 1:
        names = list(data.releases)
        kept = [name for name in one.releases or () if name in names]

        def take(chosen: list[str]) -> None:
            one.releases = None if {*chosen} == {*names} else chosen

        st.multiselect(
            "Releases", names, **bind_value(f"{study.name}_releases", kept or names, take)
        )
    for row in (columns, others):
        _draw_row(row, study, one, data, values)
    if apart:
        with st.expander("Settings"):
            _draw_row(apart, study, one, data, values)


def _draw_row(
    row: Sequence[Asked],
    study: Study[Any],
    one: OneStudy,
    data: StudyData,
    values: Mapping[str, Any],
) -> None:
    if not row:
        return
    places = st.columns(min(len(row), _WIDE))
    for number, asked in enumerate(row):
        value = values[asked.name]
        kept = bind_value(
            f"{study.name}_{asked.name}", list(value) if isinstance(value, tuple) else value,
            partial(_give, one, asked.name),
        )  # fmt: skip
        with places[number % len(places)]:
            title, text = literal(sentence_case(asked.title)), literal(asked.help)
            if asked.kind is Kind.COLUMNS:
                st.multiselect(title, data.possible, help=text, wrap=True, **kept)
            elif asked.kind is Kind.COLUMN:
                st.selectbox(title, data.possible, help=text, **kept)
            else:
                draw_parameter(
                    asked, kept, choices=study.choices(asked, data, values), titles=asked.titles,
                    placeholder=literal(asked.usual) if asked.optional else None,
                )  # fmt: skip


def _give(one: OneStudy, name: str, value: object) -> None:
    one.give({name: value})


def _draw_running(
    state: AppState,
    study: Study[Any],
    one: OneStudy,
    data: StudyData,
    values: Mapping[str, Any],
) -> None:
    problem = ""
    try:
        checked(study, data, values)
    except AlcError as error:
        problem = error_line(error)
        st.warning(literal(problem), icon=":material/warning:")
    running, here = study.name in state.tasks, results_here(state, study, one)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            literal(study.button), type="secondary" if here else "primary", icon=study.icon,
            key=f"run_{study.name}", on_click=start_study, args=(state, study),
            disabled=running or bool(problem),
        )  # fmt: skip
        if study.goes_on and here:
            st.button(
                literal(study.goes_on), icon=":material/resume:", key=f"go_on_{study.name}",
                on_click=start_study, args=(state, study), kwargs={"goes_on": True},
                disabled=running,
                help="Replaces the earlier results.",
            )  # fmt: skip
        refused = [said for each in state.releases().values() if (said := study.refusal(each))]
        left_out = f"Left out: {numbered(len(refused), 'release')}. {refused[0]}" if refused else ""
        with_others = ""
        if data.holdout is not None and (
            Need.HOLDOUT in study.needs or Takes.HOLDOUT in study.takes
        ):
            with_others = f"Compared with the holdout {data.holdout.name}."
        words = " ".join(filter(None, (study.costs, with_others, left_out)))
        st.caption(literal(words), width="stretch")
    draw_task(state, study.name)
    if one.message:
        st.warning(literal(one.message), icon=":material/warning:")


def _draw_found(state: AppState, study: Study[Any], one: OneStudy, data: StudyData | None) -> None:
    results = known_results(state, study, one)
    look, controls = looked_at(state, study, one, data)
    if results:
        draw_blocks(study.side_by_side(list(results.values())), controls)
        shown = one.shown if one.shown in results else next(iter(results))
        if len(results) > 1:
            choice = Control(
                name="", title="Result", value=shown,
                options={key: study.label(found) for key, found in results.items()},
            )  # fmt: skip
            draw_choice(choice, f"{study.name}_shown", lambda key: setattr(one, "shown", key))
        draw_blocks(study.blocks(results[shown], look), controls)
        if here := list(results_here(state, study, one).values()):
            saved = [_saved(extra, here) for extra in study.extras if extra.title]
            draw_blocks(saved, controls)
    draw_blocks(study.further(look), controls)


def _saved(extra: Extra, found: Sequence[Any]) -> Saved:
    return Saved(extra.title, extra.file, lambda: extra.make(found), extra.page_help)
