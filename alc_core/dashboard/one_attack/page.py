"""The page of one attack: verdict, numbers, curves, details, and the decision about it."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from alc_core.assessment.result import Assessment, TableSummary
from alc_core.campaign.findings.decisions import (
    CHOICE_MEANINGS,
    Choice,
    choice_label,
    decide,
    decision_sentence,
    decisions,
)
from alc_core.campaign.findings.overview import CampaignOverview
from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.decision import open_attacks, release_decisions
from alc_core.candidates.lines import candidate_lines, title_on_release
from alc_core.dashboard.markdown import Markdown, literal
from alc_core.dashboard.one_attack.closer_look import draw_closer_look
from alc_core.dashboard.parts.charts import draw_chart, draw_marks, figures_of
from alc_core.dashboard.parts.header import Focus, draw_header, focus_of, focused_view
from alc_core.dashboard.parts.panels import draw_chip, draw_empty
from alc_core.dashboard.parts.widgets import draw_download
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import Page, bind, draw_link, refusal_told
from alc_core.dashboard.state.team import record
from alc_core.figures.one_attack import (
    loss_scale_figure,
    people_bars_figure,
    precision_recall_figure,
    right_people_figure,
)
from alc_core.figures.template import alt_of
from alc_core.glossary import explain
from alc_core.note import WEAK_GUESS
from alc_core.phrasing import (
    alc_number,
    count,
    facts_there,
    listed,
    loss_text,
    named_facts,
    percent,
    there,
)
from alc_core.report.text import measures_csv
from alc_core.review.attack_words import (
    changed_parameters,
    changed_verdict,
    counts_sentence,
    deciding_sentence,
    file_stem,
    interval_text,
    plain_sentence,
    reviewer_questions,
    short_sentence,
    stopping_sentences,
    verdict_explanation,
)
from alc_core.review.people_words import counted_sentence, exposed_sentence, targets_sentence
from alc_core.review.release_words import line_exposed_words, lucky_sentence, through_sentence
from alc_core.scenario.relations import relation_sentence
from alc_core.scoring.curves import MeasuredPoint
from alc_core.scoring.parameters import parameters_text
from alc_core.scoring.readings import READING_TITLES, READINGS, ReadingName
from alc_core.scoring.verdict import perhaps, standing_words
from alc_core.tables.recode import source_words


def draw_attack(state: AppState) -> None:
    """Draw the page of one attack."""
    campaign = state.campaign
    if campaign is None:
        st.title(TITLE)
        draw_empty("There is no result yet.", Page.ATTACK, "Plan and run a campaign")
        return
    scoring = draw_header(TITLE, state, campaign)
    if scoring is None:
        return
    focus, view = focus_of(state, campaign), focused_view(state, campaign)
    focus.opening = False  # whichever was clicked here is drawn now
    overview = view.overview(scoring)
    results = overview.results["number"].tolist()
    number = focus.attack if focus.attack in results else overview.worst
    if number is None:
        draw_empty("No attack has a result yet.", Page.ATTACK, "Go to the campaign")
        return
    _draw_navigation(view, overview, focus, number)
    run = view.assessment(number)
    shown = view.assessment(number, scoring)
    main, side = st.columns([12, 5], gap="medium")
    with side:
        about = st.container()
        # First: whoever sees the new numbers must not get the file of the old ones.
        _draw_downloads(shown)
    with main:
        _draw_changes(run, shown)
        _draw_fewer_facts(view, overview, number, focus)
        _draw_found(view, number, shown, focus)
    with about:
        _draw_decision(view, overview, number)
        _draw_remarks(shown)
    draw_how_we_know(state, overview, number, shown, focus)
    draw_closer_look(state, view, number, shown)
    with st.expander("Details: the run, all numbers, parameters, fingerprints"):
        _draw_details(shown)


def _draw_navigation(
    view: CampaignView, overview: CampaignOverview, focus: Focus, number: int
) -> None:
    """Draw the way back, to the attacks before and after in the table, and to the next open."""
    numbers = [int(each) for each in overview.results["number"].tolist()]
    place = numbers.index(number)
    with st.container(horizontal=True, vertical_alignment="center"):
        draw_link(Page.FINDINGS, "All attacks", ":material/arrow_back:")
        for label, icon, target in (
            ("Previous", ":material/chevron_left:", numbers[max(place - 1, 0) : place]),
            ("Next", ":material/chevron_right:", numbers[place + 1 : place + 2]),
        ):
            st.button(label, icon=icon, disabled=not target, on_click=focus.open, args=target)
        waiting = open_attacks(overview, decisions(view.store), release_decisions(view.store))
        if later := [each for each in waiting if each != number]:
            following = next((n for n in later if numbers.index(n) > place), later[0])
            words = "Next to look at"
            st.button(words, icon=":material/gavel:", on_click=focus.open, args=(following,))
        st.caption(f"{count(place + 1)} of {count(len(numbers))} in the table", width="content")


def _draw_fewer_facts(
    view: CampaignView, overview: CampaignOverview, number: int, focus: Focus
) -> None:
    """Say through which attack with fewer facts an attack stands, and offer to open that one."""
    row = overview.row(number)
    if row["through"] is None:
        return
    through = view.attack(row["through"])
    with st.container(border=True):
        alc, low, high = (row[f"standing_{each}"] for each in ("alc", "low", "high"))
        more = perhaps(row["standing"], alc, low, high, overview.scoring)
        draw_chip(row["standing"], standing_words(row["standing"], more))
        facts = named_facts(there(through.scenario.known, view.absent(through.release)))
        st.markdown(literal(through_sentence(row, facts)))
        st.caption("What follows is about the attack with all of its facts.")
        if through in view.judged:
            words = f"Open attack {count(through.number)}, which has fewer facts"
            st.button(words, icon=":material/key:", on_click=focus.open, args=(through.number,))


def _draw_found(view: CampaignView, number: int, assessment: Assessment, focus: Focus) -> None:
    """Draw what is learned of whom, as a sentence and as bars; then what the verdict means."""
    attack, without = view.attack(number), {"displayModeBar": False}
    with st.container(border=True):
        for stopped in stopping_sentences(assessment):
            st.error(literal(stopped), icon=":material/error:")
        draw_chip(assessment.verdict, title_on_release(view, attack, assessment))
        st.markdown(f"## {literal(short_sentence(assessment))}")
        st.caption(
            f"From **{literal(attack.release)}**, knowing "
            f"**{literal(facts_there(assessment.scenario.known, assessment.absent))}**.",
            help=literal(
                f"Attack {number}, {attack.attack}. Known: {listed(attack.scenario.known)}. "
                f"Why these facts: {attack.reason}"
            ),
        )
        right, people = st.columns(2)
        for column, key, draw in (
            (right, "right", right_people_figure),
            (people, "people", people_bars_figure),
        ):
            figure = draw(assessment)
            column.plotly_chart(figure, key=f"{key}_bars", config=without, alt=alt_of(figure))
        with people:
            st.markdown(
                f"**{literal(exposed_sentence(assessment))}**", help=explain("people exposed")
            )
            st.caption(literal(counted_sentence(assessment)))
        if (relation := view.relation(number)) is not None:
            said = relation_sentence(relation, attack.scenario.unknown)
            st.info(literal(said), icon=":material/function:")
        for caveat in (note for note in assessment.notes if note.code == WEAK_GUESS):
            st.warning(literal(caveat.text), icon=":material/warning:")
        if lucky := lucky_sentence(view, number, assessment):
            st.markdown(literal(lucky))
        (line,) = candidate_lines(view.only(attack.release), assessment.scoring, {})
        decides, told = line.worst and line.worst.attack is attack, line.people_exposed
        more = told is not None and told.number > 0
        if decides and more and line.most and line.most.attack is not attack:
            st.button(
                literal(f"By another attack: {line_exposed_words(line)}"),
                type="tertiary", icon=":material/arrow_forward:",
                on_click=focus.open, args=(line.most.attack.number,),
                disabled=line.most.attack not in view.judged,
            )  # fmt: skip
        scale = loss_scale_figure(assessment)
        st.plotly_chart(scale, key="loss_scale", config=without, alt=alt_of(scale))
        st.markdown(
            literal(verdict_explanation(assessment)), help=literal(deciding_sentence(assessment))
        )


def _draw_remarks(assessment: Assessment) -> None:
    """Draw what a reader must know besides, and what a reviewer should ask next, folded away."""
    if notes := assessment.notes:
        with st.expander(f"Read this with ({count(len(notes))})", icon=":material/info:"):
            st.markdown("\n".join(f"- {literal(note.text)}" for note in notes))
    with st.expander("What a reviewer should ask next", icon=":material/help:"):
        st.markdown(
            "\n".join(
                f"- **{literal(question.topic)}.** {literal(question.text)}"
                for question in reviewer_questions(assessment)
            )
        )


def _draw_changes(run: Assessment, shown: Assessment) -> None:
    """Say what the sliders changed, or nothing where they changed nothing."""
    changes = [changed_verdict(run, shown), changed_parameters(shown)]
    if any(changes):
        st.info(literal(" ".join(filter(None, changes))), icon=":material/swap_horiz:")


def _draw_details(assessment: Assessment) -> None:
    """Draw what is behind the result: people, models, all numbers, parameters, software."""
    scenario = assessment.scenario
    models = [f"{name} ({count(number)} people)" for name, number in assessment.models.items()]
    tables = [("Original", assessment.original), *(("Release", t) for t in assessment.release)]
    _draw_facts(
        "The run",
        ("People", targets_sentence(assessment)),
        ("Known", listed(list(scenario.known))),
        ("Unknown", scenario.wanted),
        ("Attack", assessment.attack_name),
        ("Baseline models", listed(models)),
    )
    _draw_facts(
        "The numbers",
        *((f"{READING_TITLES[name]}, not cut at 0", _loss(assessment, name)) for name in READINGS),
        ("Attack", _measure_facts(assessment.attack)),
        ("Baseline", _measure_facts(assessment.baseline)),
        ("Attack among the rest", _measure_facts(assessment.attack_rest)),
        ("Baseline among the rest", _measure_facts(assessment.baseline_rest)),
    )
    _draw_facts(
        "Parameters",
        ("In force here", parameters_text(assessment.scoring)),
        ("Seed", str(assessment.seed)),
    )
    _draw_facts(
        "Data and software",
        *((part, _table_facts(table)) for part, table in tables),
        ("Versions", listed([f"{n} {v}" for n, v in assessment.versions.items()])),
    )


def _loss(assessment: Assessment, name: ReadingName) -> str:
    numbers = (assessment.loss_of(name), *assessment.interval_of(name))
    return "{} ({} to {})".format(*(alc_number(each, decimals=4) for each in numbers))


def _measure_facts(measure: MeasuredPoint) -> str:
    low, high = measure.measured_interval
    capped = measure.precision < (low + high) / 2 - 1e-9
    used = "the most that counts; its" if capped else "the middle of its"
    return (
        f"PRC {measure.prc:.4f}; measured precision {measure.measured_precision:.4f} "
        f"({measure.true_predictions} of {measure.predictions}); precision used "
        f"{measure.precision:.4f}, {used} interval {low:.4f} to {high:.4f}; recall "
        f"{measure.recall:.4f}; {measure.attempts} attempts; rank score from "
        f"{measure.threshold:.4g}"
    )


def _table_facts(table: TableSummary) -> str:
    same = {source_words(text): of for text, of in table.same_columns.items() if text != of}
    pairs = [f"“{column}” taken as “{of}”" for column, of in same.items()]
    return (
        f"{table.name}, {count(table.rows)} rows, {count(table.columns)} columns, SHA-256 "
        f"{table.fingerprint}{f', {listed(pairs)}' if pairs else ''}"
    )


def _draw_facts(title: Markdown, *facts: tuple[str, str]) -> None:
    lines = [f"- {literal(label)}: {literal(text)}" for label, text in facts]
    st.markdown("\n".join([f"**{title}**", "", *lines]))


def _draw_decision(view: CampaignView, overview: CampaignOverview, number: int) -> None:
    """Draw the decision about an attack; what is changed is kept at once."""
    made = decisions(view.store).get(number)
    standing, loss = overview.stands(number)
    choice_key, note_key = f"decision_{number}", f"decision_note_{number}"
    st.session_state[choice_key] = None if made is None else made.choice
    st.session_state[note_key] = "" if made is None else made.note

    def keep() -> None:
        if choice_key not in st.session_state:
            return  # all data were removed meanwhile
        choice = st.session_state[choice_key]
        with refusal_told():
            view.store.check_writable()
            record("decision", attack=number, choice=choice, standing=standing)
            decide(
                view.store, number, choice, note=st.session_state[note_key], standing=standing,
                alc=loss, scoring=overview.scoring,
            )  # fmt: skip

    with st.container(border=True):
        st.markdown("**Decision of the reviewer**")
        st.pills(  # beside each other or below, as there is room
            "Decision",
            list(Choice),
            format_func=choice_label,
            key=choice_key,
            on_change=keep,
            disabled=view.store.read_only,
            help="\n\n".join(
                f"{choice_label(choice)}: {CHOICE_MEANINGS[choice]}" for choice in Choice
            ),
        )
        st.text_area(
            "Note",
            key=note_key,
            on_change=keep,
            disabled=view.store.read_only,
            max_chars=4000,
            height=90,
            placeholder="Why; what is to be done, by whom. No names of people in the data.",
        )
        release = view.attack(number).release
        whole = release_decisions(view.store).get(release)
        none = "None yet. It is kept in the campaign's file, with the verdict."
        if whole is not None and whole.choice is not None:
            none = f"None of its own: the one about {release} covers it."
        st.caption(literal(none if made is None else decision_sentence(made, standing)))


TITLE = "One attack"


def _draw_downloads(assessment: Assessment) -> None:
    stem = file_stem(assessment) + ("-what-if" if assessment.run_scoring is not None else "")
    with st.container(horizontal=True):
        draw_download(
            "This attack (JSON)",
            assessment.to_json(indent=1),
            f"{stem}.json",
            help="Everything about this result, to keep or to load in Python. No rows: counts, "
            "scores, column names, and the values by which you selected people, if you did.",
        )
        draw_download(
            "Its curves (CSV)",
            measures_csv(assessment),
            f"{stem}.csv",
            help="Precision, recall and counts at every threshold, for a spreadsheet.",
        )


@dataclass(slots=True, kw_only=True)
class HowWeKnow:
    """Whether the part is unfolded."""

    open: bool = False


def draw_how_we_know(
    state: AppState,
    overview: CampaignOverview,
    number: int,
    assessment: Assessment,
    focus: Focus,
) -> None:
    """Draw the numbers and curves behind a verdict, folded away."""
    with (panel := st.expander(
        "How we know: both readings, curves, all attacks", icon=":material/ssid_chart:",
        **bind(state.screen(HowWeKnow), "open"),
    )):  # fmt: skip
        if not panel.open:
            return
        st.markdown(literal(f"{plain_sentence(assessment)} {deciding_sentence(assessment)}"))
        _draw_numbers(assessment)
        figure = precision_recall_figure(assessment)
        draw_chart(figure, key="precision_recall", name="precision-recall")
        rest = (
            " The lines show all people, the open marks those whom a guess does not already know."
            if assessment.points.known
            else ""
        )
        st.caption(
            f"Where the attack lies above the baseline, the release gave something away.{rest}",
            help="Left is an attacker who answers for few people only, right one who answers for "
            "everyone; higher is right more often. The large marks are the points that count. "
            "Faint parts rest on few predictions; the bands are their intervals.",
        )
        if overview.results["decisive_alc"].notna().any():
            for marks in figures_of(overview.results).values():
                draw_marks(marks, overview.results, overview, focus, key="attack", selected=number)


def _draw_numbers(assessment: Assessment) -> None:
    """Draw both readings of ALC with their intervals, and precision and recall of both sides."""
    sides = [("Attack at its best", assessment.attack), ("Guess at its best", assessment.baseline)]
    if assessment.points.known:
        sides.append(("Attack among the rest", assessment.attack_rest))
        sides.append(("Guess there, its surest", assessment.baseline_rest))
    else:
        sides.append(("Guess for as many, its surest", assessment.baseline_rest))
    rows = "\n".join(
        f"| {literal(title)} | {percent(side.measured_precision)} | {percent(side.recall)} | "
        f"{count(side.true_predictions)} of {count(side.predictions)} |"
        for title, side in sides
    )
    head = f"| | Precision | Recall | Right, of {count(assessment.attempts)} attacked |"
    with st.container(key="numbers"):
        for name, shown in zip(READINGS, st.columns(2), strict=True):
            title = READING_TITLES[name]
            with shown.container(border=True):
                st.metric(literal(title), loss_text(assessment.loss_of(name)), help=explain(title))
                st.caption(interval_text(assessment, name), help=explain("interval"))
        st.markdown(
            f"{head}\n|---|---|---|---|\n{rows}",
            help=literal("\n\n".join(f"{title}: {counts_sentence(side)}" for title, side in sides)),
        )
