"""What to change as a list for the person who anonymizes, in CSV and Markdown."""

from __future__ import annotations

import pandas as pd

from alc_core.remedies.results import RemedyStudy, RemedyTrial
from alc_core.remedies.sentences import (
    LIMITS,
    LOSS_HELP,
    flagged_text,
    study_sentence,
    worst_text,
)
from alc_core.spreadsheet import csv_text

COLUMNS = (
    "option", "release", "column", "kind", "to do", "suffices", "attacks", "run again",
    "still flagged", "worst alc", "worst alc low", "worst alc high", "utility loss",
)  # fmt: skip
"""Columns of the CSV; one row per changed column of an option."""


def listed_trials(study: RemedyStudy) -> tuple[RemedyTrial, ...]:
    """Return what is worth a place on the list: all that suffices, else what comes closest."""
    return study.sufficient or study.trials[:1]


def to_do_csv(study: RemedyStudy) -> str:
    """Return the list as CSV; text that a spreadsheet would take for a formula is made safe."""
    rows: list[tuple[object, ...]] = []
    for option, trial in enumerate(listed_trials(study), start=1):
        worst = trial.worst.after if trial.worst else None
        numbers = (None, None, None) if worst is None else (worst.alc, worst.low, worst.high)
        rows += [
            (
                option, study.release, change.column, change.kind, change.instruction,
                "yes" if trial.suffices else "no", trial.n_attacks, len(trial.attacks),
                trial.n_flagged, *numbers, trial.loss,
            )
            for change in trial.changes
        ]  # fmt: skip
    return csv_text(pd.DataFrame(rows, columns=COLUMNS, dtype=object))


def to_do_markdown(study: RemedyStudy) -> str:
    """Return the list as Markdown, with boxes to tick."""
    lines = [f"# What to change in {_plain(study.release)}", "", _plain(study_sentence(study)), ""]
    for option, trial in enumerate(listed_trials(study), start=1):
        lines += [f"## Option {option}: {_plain(trial.words)}", ""]
        lines += [f"- [ ] {_plain(change.instruction)}" for change in trial.changes]
        lines += [
            "",
            f"Expected: {flagged_text(trial)} attacks still flagged; worst ALC "
            f"{worst_text(trial)}; loss of utility {trial.loss:.3f}.",
            "",
        ]
    lines += [*map(_plain, study.notes), LIMITS, "", f"Loss of utility: {LOSS_HELP}", ""]
    return "\n".join(lines)


def _plain(text: str) -> str:
    r"""Return a text in which names of columns are no Markdown.

    Examples
    --------
    >>> print(_plain("Drop zip_code [old]"))
    Drop zip\_code \[old\]
    """
    marks = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_[]<>#|"})
    return " ".join(text.translate(marks).split())
