"""Sentences about a release's rows: copied, traced, ordered, kept together."""

from __future__ import annotations

from itertools import islice

from alc_core.candidates.line import CandidateLine, Reason, TracedRows
from alc_core.candidates.lines import CODES
from alc_core.phrasing import count, facts_there, percent, quoted, sentence_case
from alc_core.review.attack_words import stopping_text
from alc_core.tables.checks.facts import FactKind, fact_chip, fact_meaning
from alc_core.tables.checks.finding import Finding, Severity
from alc_core.tables.checks.own import COPIED_NUMBERS

LINKING = (FactKind.SAME_ORDER, FactKind.ROW_NUMBER, FactKind.PSEUDONYM)


def linked_words(line: CandidateLine) -> str:
    """Say how rows lead back to the original's, and what to do."""
    found = ((file, fact) for file in line.facts for kind in LINKING if (fact := file.fact(kind)))
    said = "Its rows can be traced to the original."  # For campaigns without facts
    for file, fact in islice(found, 1):
        said = stopping_text(CODES[fact.kind], table=file.table, columns=fact.columns, numbers={})
    return f"{said} {sentence_case(linked_cure(line))}."


def linked_cure(line: CandidateLine) -> str:
    """Say what to do if rows lead back to the original's."""
    facts = [fact for file in line.facts for fact in file.facts]
    naming = (FactKind.ROW_NUMBER, FactKind.PSEUDONYM)
    columns = list(dict.fromkeys(c for f in facts if f.kind in naming for c in f.columns))
    if not columns:
        return "shuffle the rows"
    out = f"remove {quoted(columns)}"
    ordered = any(fact.kind in (FactKind.ROW_NUMBER, FactKind.SAME_ORDER) for fact in facts)
    return f"{out} and shuffle the rows" if ordered else out


def traced_words(traced: TracedRows) -> str:
    """Say how many people's own row is found, by what, and by chance."""
    return f"{percent(traced.share.value)} of people ({traced_by(traced)})"


def traced_by(traced: TracedRows) -> str:
    """Return interval, facts and chance of rows traced, in brackets."""
    said = (
        f"knowing {facts_there(traced.known, traced.absent)}; by chance 1 in {count(traced.rows)}"
    )
    return f"{between}; {said}" if (between := traced.share.between) else said


def not_clear_sentence(line: CandidateLine) -> str:
    """Say why a low ALC does not clear a release with traced rows."""
    low = not line.flagged and not line.linked
    return _NOT_CLEAR if low and line.traced is not None and line.traced.many else ""


_NOT_CLEAR = "A low ALC does not clear this: anyone who finds a row reads it."


def traced_sentence(line: CandidateLine) -> str:
    """Say how many people's own row is found; empty if not shown.

    If many are, a low ALC does not clear the release.
    """
    if line.traced is None:
        return ""
    return f"Rows traced: {traced_words(line.traced)}. {not_clear_sentence(line)}".rstrip()


def copied_sentence(line: CandidateLine) -> str:
    """Say from counts that rows are the original's, or nearly so."""
    if line.copied is None:
        return " ".join(
            f"'{file.table}': {fact_chip(near)}. Some may be altered real rows."
            for file in line.facts
            if (near := file.nearly_same)
        )
    note = line.copied
    return stopping_text(note.code, table=note.table, numbers=dict(note.numbers))


def texts_sentence(line: CandidateLine) -> str:
    """Say that people's texts return, and what to do; empty if none do."""
    if line.texts is None:
        return ""
    note = line.texts
    said = stopping_text(note.code, table=note.table, numbers=dict(note.numbers))
    return f"{said} Rewrite or remove these texts."


def own_values_sentence(line: CandidateLine, *, advise: bool = True) -> str:
    """Name numbers of single people, and columns kept together.

    Empty without either.
    """
    said = []
    for file in line.facts:
        if fact := file.fact(FactKind.COPIED_NUMBERS):
            found = Finding.of(
                Severity.WARNING, COPIED_NUMBERS, file.table, case="counted",
                columns=fact.columns, first=fact.columns[0] if len(fact.columns) > 1 else None,
                n=fact.count, of=fact.of, expected=fact.expected or 0.0,
            )  # fmt: skip
            table = f"{found.place}: " if len(line.facts) > 1 else ""
            said.append(f"{table}{found.message}{f' {found.action}' if advise else ''}")
        said += [
            fact_meaning(f)
            for f in file.facts
            if f.kind is FactKind.OWN_TOGETHER
            and not (line.reason is Reason.TOGETHER and f in line.together)
        ]
    return " ".join(said)


def together_words(line: CandidateLine) -> str:
    """Name columns of single people's values, and what to do."""
    cures = {_CURES[fact.kind] for fact in line.together}
    return " ".join([*map(fact_meaning, line.together), *sorted(cures)])


_CURES = {
    FactKind.OWN_TOGETHER: "Attack one by the others, or separate them.",
    FactKind.RESCALED: "Match its scale, or remove it.",
}
