"""The check's results: chips, questions, and the next page."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from alc_core.dashboard.data.dates import draw_dates
from alc_core.dashboard.markdown import Markdown, literal, told_apart
from alc_core.dashboard.parts.offers import draw_offers
from alc_core.dashboard.parts.panels import chips_of, draw_findings, finding_text
from alc_core.dashboard.parts.widgets import draw_download
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.said import RIGHT_ORIGINAL, OtherNames, said_twice
from alc_core.dashboard.state.session import Page, go_to, show_error
from alc_core.note import REPLAYED, leads_back
from alc_core.phrasing import count, listed, numbered
from alc_core.spreadsheet import csv_text
from alc_core.tables.checks.facts import FactKind, FileFacts, Weight
from alc_core.tables.checks.finding import Finding, Severity, patterns
from alc_core.tables.households import LikelyCopies, household_of, likely_dependents
from alc_core.tables.recode import read_source, source_words
from alc_core.tables.replayed_texts import replayed_pieces

_BACK = "Withdraw"


def draw_noticed(state: AppState) -> None:
    """Draw chips by file, questions, and the rest folded."""
    with st.spinner("Checking the tables"):
        findings = state.findings()
        facts = state.file_facts()
    for each in facts:
        st.html(_chips(each))
    _draw_original(state, facts)
    stopping = [f for f in findings if f.severity in (Severity.ERROR, Severity.QUESTION)]
    for finding in patterns(stopping):
        _draw_question(state, finding)
    draw_households(state)
    draw_same_columns(state)
    draw_dates(state)
    rest = [f for f in findings if f not in stopping]
    if rest:
        words = f"{numbered(len(patterns(rest)), 'note')} on the tables"
        with st.expander(words, key="noticed"):
            draw_findings(rest, folded=False)
            for finding in (f for f in rest if leads_back(f.code)):
                draw_offers(state, finding)


def _chips(facts: FileFacts) -> str:
    # None if not new, or asked below
    told = (
        fact
        for fact in facts.facts
        if fact.kind not in (FactKind.ORIGINAL, FactKind.UNMATCHED)
        and (fact.kind is not FactKind.NEW_VALUES or fact.count > 0)
    )
    return (
        '<div style="display:grid;grid-template-columns:minmax(3rem,max-content) 1fr;gap:.8rem">'
        f"<b>{html.escape(facts.table)}</b>{chips_of(told)}</div>"
    )


def _draw_original(state: AppState, facts: Sequence[FileFacts]) -> None:
    """Ask whether the original is correct, if matches are by chance."""
    accepted = state.answers.accepted
    told = {each.table: found for each in facts if (found := each.fact(FactKind.ORIGINAL))}
    asked = {
        (RIGHT_ORIGINAL, table, None) for table, found in told.items() if found.weight is Weight.ASK
    }
    if not asked or (state.linked is not None and len(asked) < len(told)):
        return
    named = literal(listed(sorted(table for _, table, _ in asked)))
    if answered := asked <= accepted:
        original = literal(state.original_table().name)
        text = f"{original} is the original of {named}."
        label = told_apart(_BACK, "the right original")
    else:
        match = "matches" if len(asked) == 1 else "match"
        text = (
            f"**{named}** {match} the original no better than chance, as synthetic data would. Is "
            f"{literal(state.original_table().name)} the right original?"
        )
        label = "Yes, it is"
    change = accepted.difference_update if answered else accepted.update
    with _asked(text, answered=answered):
        _draw_answer(label, "right_original", lambda: change(asked), answered=answered)


def _draw_question(state: AppState, finding: Finding) -> None:
    if finding.severity is Severity.ERROR:
        st.error(finding_text(finding), icon=":material/error:")
        draw_offers(state, finding)
        return
    where = f"{finding.table} {' '.join(finding.columns)}"
    if answered := state.answers.is_accepted(finding):
        label = told_apart(_BACK, where)
        text = f"{literal(finding.place)}: intended."
    else:
        label, text = told_apart("This is intended", where), finding_text(finding)
    key = f"answer_{(finding.code, finding.table, finding.columns)!r}"
    answer = partial(state.answers.toggle, finding)
    with _asked(text, answered=answered):
        if not answered:
            draw_offers(state, finding)
        _draw_answer(label, key, answer, answered=answered)
        if finding.code == REPLAYED:
            _draw_texts(state, finding)


def _draw_texts(state: AppState, finding: Finding) -> None:
    original, person = state.original_table(), state.choices.settings.person
    named = {part.table for part in finding.parts or (finding,)}
    tables = [table for table in state.release_tables() if table.name in named]

    def listed_pieces() -> str:
        found = [replayed_pieces(original, table, person=person) for table in tables]
        return csv_text(pd.concat(found, ignore_index=True))

    label = told_apart("Save what returns", finding.table)
    key = f"save_texts_{finding.table}"
    draw_download(label, listed_pieces, "texts that return.csv", key=key)


@contextmanager
def _asked(text: Markdown, *, answered: bool) -> Iterator[None]:
    """Draw a question; the block's content is beside it."""
    mark = ":green[:material/check_circle:]" if answered else ":violet[:material/help:]"
    with st.container(border=True, horizontal=True, vertical_alignment="center", wrap=False):
        st.markdown(f"{mark} {text}", width="stretch")
        yield


def _draw_answer(label: Markdown, key: str, answer: Callable[[], None], *, answered: bool) -> None:
    st.button(label, key=key, on_click=answer, type="tertiary" if answered else "secondary")


_KEY = "as_households"


def draw_households(state: AppState) -> None:
    """Draw whether rows of apparent households are joined."""
    settings = state.choices.settings
    found = likely_dependents(state.original_table(), settings.person)
    columns = None if found is None else household_of(found.columns)
    if found is None or settings.household not in (None, columns):
        return
    st.session_state[_KEY] = settings.household == columns

    def take() -> None:
        state.choose(household=columns if st.session_state[_KEY] else None)

    st.toggle(
        "Copies of a row belong together"
        if isinstance(found, LikelyCopies)
        else f"Rows with the same {literal(listed(found.columns))} belong together",
        key=_KEY,
        help="The best guess then ignores all of them.",
        on_change=take,
    )


HEADING = "Renamed columns"

MOST_COLUMNS = 30  # Shown at once, suggested first
_PER_ROW = 3
_NONE = "none of its columns"
_CHANGE = "Change"


def draw_same_columns(state: AppState) -> None:
    """Draw possible original columns by release, and take choices."""
    with st.spinner("Comparing the columns"):
        found = {name: state.other_names(name) for name in state.made_releases().releases}
    shown = {name: names for name, names in found.items() if names.choices}
    if not shown:
        return
    likely = any(names.suggested or names.in_force for names in shown.values())
    if likely:
        st.markdown(f":violet[:material/help:] **{HEADING}**")
    with nullcontext() if likely else st.expander(HEADING, icon=":material/sync_alt:"):
        if not likely:
            st.caption("Match columns to the original's.")
        for name, names in shown.items():
            with st.container(border=True):
                _draw_release(state, name, names)


def _draw_release(state: AppState, name: str, names: OtherNames) -> None:
    if names.in_force:
        said = literal(f"{_in_force(names)}.")
        with st.container(horizontal=True, vertical_alignment="center", wrap=False):
            st.markdown(
                f":green[:material/check_circle:] **{literal(name)}**: {said}", width="stretch"
            )
            st.button(
                told_apart("Undo", name),
                key=f"undo_columns_{name}",
                icon=":material/undo:",
                on_click=_undo,
                args=(state, name),
            )
    if names.open:
        st.markdown(f"**{literal(name)}** {literal(_to_do(names))}")
    elif not names.in_force:
        st.markdown(f"**{literal(name)}**")
    folded = bool(names.in_force) and not names.open
    with st.expander(_CHANGE) if folded else st.container():
        chosen = _draw_choices(name, names)
        if twice := said_twice(chosen):
            show_error(twice)
        suggested = names.open and chosen == {**names.open, **names.in_force}
        st.button(
            told_apart(f"Use {'suggested' if suggested else 'chosen'} columns", name),
            key=f"take_columns_{name}",
            icon=":material/check:",
            disabled=bool(twice) or chosen == names.in_force,
            on_click=_take,
            args=(state, name, chosen),
        )


def _in_force(names: OtherNames) -> str:
    taken = {source_words(text): of for text, of in names.in_force.items() if text != of}
    own = [f"“{column}”" for column, of in names.in_force.items() if column == of]
    pairs = [
        f"“{words}” {'as' if n else 'is read as'} “{of}”"
        for n, (words, of) in enumerate(taken.items())
    ]
    kept = [f"{listed(own)} {'is' if len(own) == 1 else 'are'} left unchanged"] if own else []
    return listed([*pairs, *kept])


def _draw_choices(name: str, names: OtherNames) -> dict[str, str]:
    columns = sorted(names.choices, key=lambda column: column not in names.suggested)
    every = len(columns) <= MOST_COLUMNS or st.toggle(
        f"Show all {count(len(columns))} columns", key=f"all_columns_{name}"
    )
    shown = columns if every else columns[:MOST_COLUMNS]
    chosen = {column: of for column, of in names.in_force.items() if column not in shown}
    for start in range(0, len(shown), _PER_ROW):
        for place, column in zip(
            st.columns(_PER_ROW), shown[start : start + _PER_ROW], strict=False
        ):
            with place:
                if of := _draw_choice(name, column, names):
                    chosen[column] = of
    return chosen


def _draw_choice(name: str, column: str, names: OtherNames) -> str:
    options = ["", *names.choices[column]]
    likely = names.suggested.get(column)
    now = names.in_force.get(column, names.open.get(column, ""))
    now = now if now in options else ""
    return st.selectbox(
        f"“{literal(column)}” is",
        options,
        index=options.index(now),
        format_func=lambda of: of or _NONE,
        # A new key after a change shows the choice in force
        key=f"same_{(name, column, names.in_force.get(column))!r}",
        help=None
        if likely is None
        else literal(f"Suggested: {likely.of}, {likely.why or 'a similar name'}."),
    )


def _to_do(names: OtherNames) -> str:
    several = len(names.open) > 1
    return (
        f"seems to have {numbered(len(names.open), 'renamed column')}. Confirm, or attacks ignore "
        f"{'them' if several else 'it'}."
    )


def _take(state: AppState, release: str, chosen: Mapping[str, str]) -> None:
    files = state.released_files()
    for table in state.made_releases().releases[release].tables:
        columns = files[table.name].table.columns
        state.same_columns[table.name] = {
            text: of for text, of in chosen.items() if read_source(text, columns)
        }


def _undo(state: AppState, release: str) -> None:
    """Forget a release's answers; keep automatic matches apart."""
    files = state.released_files()
    for table in state.made_releases().releases[release].tables:
        said, columns = state.same_columns.get(table.name, {}), files[table.name].table.columns
        made = [read_source(text, columns) for text in table.same_columns if text not in said]
        parts = dict.fromkeys(column for source in made if source for column in source.columns)
        state.same_columns[table.name] = {column: column for column in parts}


def draw_continue(
    state: AppState, going_on: DeltaGenerator, wrong: DeltaGenerator, problem: str
) -> None:
    """Draw the next page's button, or a problem."""
    if state.data_problem != state.memo.remember("data problem", problem, lambda: problem):
        st.rerun()  # updates the sidebar's tick
    if problem:
        going_on.markdown(":red[:material/block:] See *3 Columns*")
        wrong.error(literal(problem), icon=":material/error:")
    elif going_on.button("Continue", type="primary", icon=":material/arrow_forward:"):
        go_to(Page.ATTACK)
