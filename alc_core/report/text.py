"""An assessment as readable text and as flat rows for CSV."""

from __future__ import annotations

import textwrap

import pandas as pd

from alc_core.assessment.people import exposed_sentence, exposed_text, targets_sentence
from alc_core.assessment.result import Assessment
from alc_core.assessment.words import (
    deciding_sentence,
    loss_text,
    measure_sentence,
    plain_sentence,
    subject,
    verdict_explanation,
    verdict_title,
)
from alc_core.measures.registry import measured_sentence, measures
from alc_core.phrasing import alc_number, percent
from alc_core.scoring.curves import measure_curve
from alc_core.scoring.parameters import parameters_text
from alc_core.scoring.readings import READING_TITLES, READINGS, ReadingName
from alc_core.spreadsheet import csv_text

_LABEL = 21  # Width of the names of facts


def household_text(together: Assessment, apart: Assessment) -> str:
    """Say how far a loss differs if the guess may learn from people of the same household."""
    (guess, loss), (looked_up, other) = (
        (percent(each.baseline.measured_precision), loss_text(each.decisive_alc))
        for each in (together, apart)
    )
    return (
        f"Household effect ({together.attack_name}): ALC is {loss}, and the guess is right for "
        f"{guess}. If the guess may learn from people of the same household, ALC is {other}, and "
        f"the guess is right for {looked_up}."
    )


def summary_text(assessment: Assessment, *, width: int = 88) -> str:
    """Return the verdict, the sentence behind it and the numbers, as lines for a terminal."""
    facts = [
        ("Release", subject(assessment)),
        *((READING_TITLES[name], _reading(assessment, name)) for name in READINGS),
        ("People exposed", exposed_text(assessment.exposed, *assessment.exposed_interval)),
        *(
            (name, f"{of}: {measure_sentence(best)}, PRC {best.prc:.3f}; among the rest "
             f"{measure_sentence(rest)}, PRC {rest.prc:.3f}")
            for name, of, best, rest in (
                ("Attack", assessment.attack_name, assessment.attack, assessment.attack_rest),
                ("Baseline", assessment.model, assessment.baseline, assessment.baseline_rest),
            )
        ),
        ("Targets", targets_sentence(assessment)),
        ("Parameters", f"{parameters_text(assessment.scoring)}, seed {assessment.seed}"),
        *(
            (f"Measure {name}", measured_sentence(name, numbers, assessment.scenario))
            for name, numbers in assessment.measured.items()
            if name in measures()
        ),
        *(("Note", note.text) for note in assessment.notes),
    ]  # fmt: skip
    lines = [f"Verdict: {verdict_title(assessment)}", ""]
    sentences = [
        plain_sentence(assessment),
        exposed_sentence(assessment),
        verdict_explanation(assessment),
        deciding_sentence(assessment),
    ]
    for sentence in filter(None, sentences):
        lines += [*_wrapped(sentence, width), ""]
    for label, text in facts:
        lines += _wrapped(f"{label + ':':<{_LABEL}}{text}", width, indent=_LABEL)
    return "\n".join(lines)


def _reading(assessment: Assessment, name: ReadingName) -> str:
    loss, (low, high) = assessment.loss_of(name), assessment.interval_of(name)
    level = percent(assessment.scoring.confidence)
    shown, below, above = (alc_number(each, decimals=3) for each in (loss, low, high))
    return f"{loss_text(loss)} ({shown}; {level} interval {below} to {above})"


def _wrapped(text: str, width: int, *, indent: int = 0) -> list[str]:
    """Break text into lines, never before a per cent sign."""
    kept_together = text.replace(" %", "\u00a0%")
    lines = textwrap.wrap(
        kept_together, width, subsequent_indent=" " * indent, break_on_hyphens=False
    )
    return [line.replace("\u00a0%", " %") for line in lines]


def measures_csv(*assessments: Assessment) -> str:
    """Return every threshold of both curves as CSV, one row each, the chosen ones marked.

    Text that a spreadsheet would take for a formula is preceded by an apostrophe.
    """
    sides = []
    for one in assessments:
        of_all, of_selected = one.recalls(1.0)
        for side, name, curve, chosen in (
            ("attack", one.attack_name, one.outcomes.attack, one.attack),
            ("baseline", one.model, one.outcomes.baseline, one.baseline),
        ):
            measured = measure_curve(curve, one.scoring)
            columns = {
                "side": side,
                "name": name,
                "unknown": one.scenario.wanted,
                "threshold": curve.thresholds,
                "predictions": curve.predictions,
                "true_predictions": curve.true_predictions,
                "attempts": curve.attempts,
                "measured_precision": measured.measured_precision,
                "precision_lower": measured.precision_low,
                "precision_upper": measured.precision_high,
                "precision": measured.precision,
                "recall": measured.recall,
                "recall_population": measured.recall * of_all,
                "recall_group": measured.recall * of_selected,
                "prc": measured.prc,
                "narrow": measured.narrow,
                "chosen": curve.predictions == chosen.predictions,
            }
            sides.append(pd.DataFrame(columns))
    return csv_text(pd.concat(sides, ignore_index=True))
