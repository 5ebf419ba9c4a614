"""Test releases of the original, to try a method."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import SimpleNamespace

import streamlit as st

from alc_core.dashboard.choices.plan import OneAttack
from alc_core.dashboard.data.columns import preview
from alc_core.dashboard.markdown import literal, told_apart
from alc_core.dashboard.parts.panels import draw_task
from alc_core.dashboard.parts.widgets import draw_parameter
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.files import SampleRelease
from alc_core.dashboard.state.session import bind, bind_value
from alc_core.errors import AlcError
from alc_core.glossary import explain
from alc_core.phrasing import count, numbered
from alc_core.runtime.progress import Reporter
from alc_core.studies.learning.methods import METHODS, WARNING, make_release
from alc_core.tables.roles import attackable_columns

SAMPLE_TASK = "sample_release"


@dataclass(slots=True, kw_only=True, eq=False)
class SampleChoices:
    """Settings of the next test release."""

    method: str = next(iter(METHODS))
    columns: OneAttack = field(default_factory=OneAttack)
    # Parameters by method, as attributes
    values: dict[str, SimpleNamespace] = field(default_factory=dict)

    def of_method(self) -> SimpleNamespace:
        """Return the method's parameters, initially the default ones."""
        usual = {each.name: each.default for each in METHODS[self.method].parameters}
        return self.values.setdefault(self.method, SimpleNamespace(**usual))


def draw_samples(state: AppState) -> None:
    """Draw the test releases."""
    for sample in state.own_samples():
        release = sample.release
        with st.container(border=True):
            with st.container(horizontal=True, vertical_alignment="center", wrap=False):
                st.markdown(
                    f":violet[:material/science:] **{literal(release.name)}**  \n"
                    f"Test release, unknown column {literal(sample.unknown)}",
                    width="stretch",
                )
                st.button(
                    told_apart("Remove", release.name),
                    key=f"remove_sample_{release.name}",
                    on_click=state.remove_sample,
                    args=(release.name,),
                )
            for sentence in (part for part in release.described() if isinstance(part, str)):
                st.caption(literal(sentence))
            with st.expander(f"First rows of {numbered(len(release.tables), 'table')}"):
                for table in release.tables:
                    st.caption(literal(f"{table.name}: {count(len(table))} rows"))
                    st.dataframe(
                        preview(table), hide_index=True, height=178, lazy=False,
                        alt="First rows of the release.",
                    )  # fmt: skip
            st.caption(WARNING)


def draw_making(state: AppState) -> None:
    """Draw a method's choice and parameters, and the button."""
    choices = state.screen(SampleChoices)
    attackable, chosen = attackable_columns(state.original_table()), _columns(state, choices)

    def take_unknown(unknown: str | None) -> None:
        choices.columns = replace(_columns(state, choices), unknown=unknown)

    def take_known(known: list[str]) -> None:
        choices.columns = replace(_columns(state, choices), known=tuple(known))

    st.caption(WARNING)
    st.selectbox(
        "Method", list(METHODS), format_func=lambda name: METHODS[name].title,
        **bind(choices, "method"),
    )  # fmt: skip
    st.caption(literal(METHODS[choices.method].explanation))
    st.selectbox(
        "Unknown column", list(attackable), help=explain("unknown column"),
        **bind_value("sample_unknown", chosen.unknown, take_unknown),
    )  # fmt: skip
    st.multiselect(
        "Known columns", list(attackable.get(chosen.unknown or "", [])),
        help=explain("known columns"), wrap=True,
        **bind_value("sample_known", list(chosen.known), take_known),
    )  # fmt: skip
    for parameter in METHODS[choices.method].parameters:
        draw_parameter(parameter, bind(choices.of_method(), parameter.name, scope=choices.method))
    st.button(
        "Make the test release",
        icon=":material/science:",
        on_click=_start,
        args=(state, choices),
        disabled=SAMPLE_TASK in state.tasks,
    )
    draw_task(state, SAMPLE_TASK)


def _columns(state: AppState, choices: SampleChoices) -> OneAttack:
    """Return unknown and known columns: chosen, else suggested."""
    original, roles = state.original_table(), state.column_roles()
    return choices.columns.fitted(attackable_columns(original), original, roles, start=state.start)


def _start(state: AppState, choices: SampleChoices) -> None:
    try:
        unknown, known = _columns(state, choices).columns()
    except AlcError as error:
        state.tasks.messages[SAMPLE_TASK] = str(error)
        return
    original, method = state.original_table(), choices.method
    values, settings = dict(vars(choices.of_method())), state.choices.settings
    person, seed = settings.person, settings.seed

    def work(_reporter: Reporter) -> SampleRelease:
        release = make_release(
            original, method, unknown=unknown, known=known, values=values, person=person, seed=seed
        )
        return SampleRelease(release=release, unknown=unknown, original=original.fingerprint)

    state.tasks.start(SAMPLE_TASK, "Making the test release", work, take=state.add_sample)
