"""One attack as blocks, for terminal, notebook and others."""

from __future__ import annotations

from collections.abc import Iterator

from alc_core.assessment.result import Assessment, TableSummary
from alc_core.measures.registry import measured_sentence, measures
from alc_core.phrasing import alc_number, count, listed, loss_text, percent
from alc_core.present import blocks as show
from alc_core.review.attack_words import (
    beside_sentence,
    deciding_sentence,
    exposed_sentence,
    exposed_text,
    measure_sentence,
    plain_sentence,
    reviewer_questions,
    selected_people,
    short_sentence,
    stopping_sentences,
    subject,
    targets_sentence,
    verdict_explanation,
    verdict_title,
)
from alc_core.scoring.parameters import parameters_text
from alc_core.scoring.readings import READING_TITLES, READINGS, ReadingName
from alc_core.tables.recode import source_words


def attack_blocks(assessment: Assessment) -> Iterator[show.Block]:
    """Yield an attack by itself, for terminal or notebook."""
    yield from stopped_blocks(assessment)
    yield show.Chip(assessment.verdict, verdict_title(assessment))
    yield show.Text(plain_sentence(assessment))
    yield show.Text(exposed_sentence(assessment))
    yield show.Text(verdict_explanation(assessment))
    yield show.Text(deciding_sentence(assessment))
    if beside := beside_sentence(assessment):
        yield show.Text(beside)
    notes = (("Note", note.text) for note in assessment.notes)
    yield show.Facts((*_facts(assessment), *notes))


def brief_blocks(assessment: Assessment) -> Iterator[show.Block]:
    """Yield verdict, meaning and numbers in a few lines."""
    yield from stopped_blocks(assessment)
    yield show.Chip(assessment.verdict, verdict_title(assessment))
    yield show.Text(short_sentence(assessment))
    yield show.Text(verdict_explanation(assessment))
    if beside := beside_sentence(assessment):
        yield show.Text(beside)
    name = assessment.decisive
    selected = [selected_people(assessment)] if assessment.scenario.selection.where else []
    yield show.Facts((
        (READING_TITLES[name], _reading(assessment, name)),
        ("People exposed", exposed_text(assessment.exposed, *assessment.exposed_interval)),
        ("Attack", f"{assessment.attack_name} on {subject(assessment)}"),
        *(("Attacked", who) for who in selected),
        *((f"By {each.attack_name}", str(each.verdict)) for each in assessment.beside),
    ))  # fmt: skip


def _facts(assessment: Assessment) -> tuple[tuple[str, str], ...]:
    sides = (
        ("Attack", assessment.attack_name, assessment.attack, assessment.attack_rest),
        ("Baseline", assessment.model, assessment.baseline, assessment.baseline_rest),
    )
    return (
        ("Release", subject(assessment)),
        *((READING_TITLES[name], _reading(assessment, name)) for name in READINGS),
        *(
            (f"By {each.attack_name}", f"{_reading(each, each.decisive)}: {each.verdict}")
            for each in assessment.beside
        ),
        ("People exposed", exposed_text(assessment.exposed, *assessment.exposed_interval)),
        *(
            (name, f"{of}: {measure_sentence(best)}, PRC {best.prc:.3f}; hard to guess: "
             f"{measure_sentence(rest)}, PRC {rest.prc:.3f}")
            for name, of, best, rest in sides
        ),
        ("Targets", targets_sentence(assessment)),
        ("Parameters", f"{parameters_text(assessment.scoring)}, seed {assessment.seed}"),
        *(
            (measures()[name].title, measured_sentence(name, numbers, assessment.scenario))
            for name, numbers in assessment.measured.items()
            if name in measures()
        ),
    )  # fmt: skip


def sides_grid(assessment: Assessment) -> show.Grid:
    """Return precision of attack and guess where they are judged."""
    sides = [
        ("Attack at its best", assessment.attack),
        ("Baseline at its best", assessment.baseline),
    ]
    if assessment.points.known:
        sides.append(("Attack, hard to guess", assessment.attack_rest))
    sides.append(("Baseline for equally many", assessment.baseline_rest))
    rows = tuple(
        (
            title, percent(side.measured_precision),
            " to ".join(map(percent, side.measured_interval)), percent(side.recall),
            f"{count(side.true_predictions)} of {count(side.predictions)}", f"{side.prc:.2f}",
        )
        for title, side in sides
    )  # fmt: skip
    header = f"{count(assessment.attempts)} attacked"
    return show.Grid(
        header=(header, "Precision", "Interval", "Recall", "Correct", "PRC"), rows=rows,
        alt="Precision of attack and baseline",
    )  # fmt: skip


def remark_blocks(assessment: Assessment) -> Iterator[show.Block]:
    """Yield notes for readers, and a reviewer's next questions."""
    if notes := tuple(note.text for note in assessment.notes):
        title = f"Notes ({count(len(notes))})"
        yield show.Fold(title, (show.Items(notes),), ":material/info:")
    questions = show.Facts(reviewer_questions(assessment))
    yield show.Fold("Questions for the reviewer", (questions,), ":material/help:")


def details_fold(assessment: Assessment) -> show.Fold:
    """Return the details: people, models, numbers, parameters, software."""
    tables = [("Original", assessment.original), *(("Release", t) for t in assessment.release)]
    more = (
        ("Known", listed(assessment.scenario.known)),
        ("Unknown", assessment.scenario.wanted),
        ("Baseline models", models_words(assessment)),
        *((part, _table_words(table)) for part, table in tables),
        ("Versions", listed([f"{name} {of}" for name, of in assessment.versions.items()])),
    )
    title = "Details"
    return show.Fold(title, (show.Facts((*_facts(assessment), *more)),))


def stopped_blocks(assessment: Assessment) -> Iterator[show.Block]:
    """Yield the check's notes that stop the release whatever attacks find."""
    for said in stopping_sentences(assessment):  # Not part of any verdict
        yield show.Remark(said, show.Tone.ERROR)


def _reading(assessment: Assessment, name: ReadingName) -> str:
    loss, (low, high) = assessment.loss_of(name), assessment.interval_of(name)
    level = percent(assessment.scoring.confidence)
    shown, below, above = (alc_number(each, decimals=3) for each in (loss, low, high))
    return f"{loss_text(loss)} ({shown}; {level} interval {below} to {above})"


def models_words(assessment: Assessment) -> str:
    """Name the baseline's models, with numbers of people."""
    return listed([f"{name} ({count(of)} people)" for name, of in assessment.models.items()])


def _table_words(table: TableSummary) -> str:
    same = {source_words(text): of for text, of in table.same_columns.items() if text != of}
    pairs = [f"“{column}” read as “{of}”" for column, of in same.items()]
    return (
        f"{table.name}, {count(table.rows)} rows, {count(table.columns)} columns, SHA-256 "
        f"{table.fingerprint}{f', {listed(pairs)}' if pairs else ''}"
    )
