"""An assessment as readable text and as flat rows for CSV."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

import pandas as pd

from alc_core.assessment.result import Assessment, worst_of
from alc_core.measures.registry import measured_sentence, measures
from alc_core.note import leads_back, stopping_title
from alc_core.phrasing import alc_number, listed, loss_text, percent
from alc_core.present.renderers import columns
from alc_core.review.attack_words import (
    beside_sentence,
    deciding_sentence,
    measure_sentence,
    plain_sentence,
    stopping_sentences,
    subject,
    verdict_explanation,
    verdict_title,
)
from alc_core.review.people_words import exposed_sentence, exposed_text, targets_sentence
from alc_core.scoring.curves import measure_curve
from alc_core.scoring.parameters import parameters_text
from alc_core.scoring.readings import READING_TITLES, READINGS, ReadingName
from alc_core.scoring.verdict import SEVERITY, Verdict
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
        *(
            (f"By {each.attack_name}", f"{_reading(each, each.decisive)}: {each.verdict}")
            for each in assessment.beside
        ),
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
    lines = []
    for stopped in stopping_sentences(assessment):  # no verdict of an attack says anything of it
        lines += _wrapped(stopped, width)
    lines += [f"Verdict: {verdict_title(assessment)}", ""]
    sentences = [
        plain_sentence(assessment),
        exposed_sentence(assessment),
        verdict_explanation(assessment),
        deciding_sentence(assessment),
    ]
    for sentence in filter(None, [*sentences, beside_sentence(assessment)]):
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


def severity(found: Sequence[Assessment]) -> tuple[int, float]:
    """Return how bad attacks on one release are, with what the check found: the worst is last."""
    worst = worst_of(found)
    least = [SEVERITY.index(Verdict.SERIOUS if leads_back(note.code) else Verdict.AT_RISK)
             for note in worst.stopped_by]  # fmt: skip
    return max([SEVERITY.index(worst.verdict), *least]), worst.decisive_alc


_OF_A_RELEASE = ("release", "the check", "worst attack", "ALC", "people exposed")


def releases_text(results: Mapping[str, Sequence[Assessment]]) -> str:
    """Return a line for each release, with its worst attack."""
    rows = []
    for name, found in results.items():
        worst = worst_of(found)
        titles = dict.fromkeys(map(stopping_title, worst.stopped_by))
        exposed = exposed_text(worst.exposed, *worst.exposed_interval)
        verdict = f"{worst.verdict}, {worst.attack_name}"
        rows.append((name, ", ".join(titles), verdict, loss_text(worst.decisive_alc), exposed))
    return "\n".join(columns([_OF_A_RELEASE, *rows], numbers=False))


def measures_csv(*assessments: Assessment, names: Sequence[str] = ()) -> str:
    """Return every threshold of both curves as CSV, one row each, the chosen ones marked.

    `names` are the releases that were attacked; by default they are called like their tables. Text
    that a spreadsheet would take for a formula is preceded by an apostrophe.
    """
    sides = []
    names = names or [listed([table.name for table in one.release]) for one in assessments]
    for one, release in zip(assessments, names, strict=True):
        of_all, of_selected = one.recalls(1.0)
        for side, name, curve, chosen in (
            ("attack", one.attack_name, one.outcomes.attack, one.attack),
            ("baseline", one.model, one.outcomes.baseline, one.baseline),
        ):
            measured = measure_curve(curve, one.scoring)
            cells = {
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
                "release": release,
            }
            sides.append(pd.DataFrame(cells))
    return csv_text(pd.concat(sides, ignore_index=True))
