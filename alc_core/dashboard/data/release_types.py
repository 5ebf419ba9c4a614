"""Of which type a release is: recognised, asked, chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import streamlit as st

from alc_core.dashboard.markdown import Markdown, literal
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.releases import ReleaseParts
from alc_core.phrasing import sentence_case
from alc_core.releases.registry import release_types, unreadable
from alc_core.releases.release import ROWS_OF_PEOPLE, USUAL_KIND, Release


@dataclass(slots=True, kw_only=True)
class ReleaseTypesScreen:
    """What went wrong when a type was chosen."""

    # By release why its files cannot be read as the type that was chosen last
    problems: dict[str, str] = field(default_factory=dict)


def draw_release_types(state: AppState, releases: Sequence[ReleaseParts]) -> None:
    """Draw the choice of what each release is; what was recognised is chosen already.

    Where all are rows of people, as most are, the choices are folded away.
    """
    several, problems = len(releases) > 1, state.screen(ReleaseTypesScreen).problems
    plain = several and all(
        each.kind == USUAL_KIND
        and each.recognised is None
        and not (each.problem or problems.get(each.name))
        for each in releases
    )
    title = f"Each is read as {ROWS_OF_PEOPLE}"
    with st.expander(title) if plain else st.container():
        for parts in releases:
            _draw_release_type(state, parts, several=several)


def _draw_release_type(state: AppState, parts: ReleaseParts, *, several: bool) -> None:
    types = release_types()
    known = parts.recognised
    if known is not None:
        st.markdown(
            f"{literal(known.reason)} Read {'it' if len(known.tables) == 1 else 'them'} so?"
        )
    key = f"release_type_{parts.name}"
    if st.session_state.get(key) != parts.kind:
        st.session_state[key] = parts.kind
    st.selectbox(
        f"What {literal(parts.name)} is" if several else "What the release is",
        list(types),
        format_func=lambda kind: _title(types[kind]),
        key=key,
        on_change=_choose,
        args=(state, parts.name, key),  # not the tables: widgets outlive them
        help=types_help(),
    )
    problem = state.screen(ReleaseTypesScreen).problems.get(parts.name) or parts.problem
    if problem:
        st.error(literal(problem), icon=":material/error:")
    for part in state.releases()[parts.name].described():  # how the tables were understood
        if isinstance(part, str):
            st.caption(literal(part))
        else:
            alt = f"First rows of {parts.name}, as they were read."
            st.dataframe(part, hide_index=True, lazy=False, alt=alt)


def types_help() -> Markdown:
    """Return what each type of release holds."""
    return "  \n".join(
        f"**{literal(_title(each))}**: {literal(each.help)}" for each in release_types().values()
    )


def _choose(state: AppState, name: str, key: str) -> None:
    """Take over of which type a release is, or say why its files cannot be read so."""
    (parts,) = (each for each in state.made_releases().parts if each.name == name)
    chosen, problems = st.session_state[key], state.screen(ReleaseTypesScreen).problems
    problems.pop(parts.name, None)
    problem = unreadable(chosen, parts.tables, state.original_table())
    if problem:
        problems[parts.name] = problem
    else:
        state.release_kinds = {**state.release_kinds, parts.name: chosen}


def _title(release_type: type[Release]) -> str:
    return sentence_case(release_type.title)
