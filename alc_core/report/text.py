"""An assessment as readable text and as flat rows for CSV."""

from __future__ import annotations

import csv
import io
import textwrap

from alc_core.assessment.result import Assessment
from alc_core.assessment.words import (
    caution,
    headline,
    loss_text,
    measure_sentence,
    plain_sentence,
    subject,
    targets_sentence,
    verdict_explanation,
)
from alc_core.phrasing import percent
from alc_core.scoring.curves import Measure, PrecisionRecallCurve, measure_curve
from alc_core.scoring.parameter_words import parameters_text
from alc_core.scoring.parameters import ScoringParameters
from alc_core.spreadsheet import spreadsheet_safe


def summary_text(assessment: Assessment, *, width: int = 88) -> str:
    """Return the verdict, the sentence behind it and the numbers, as lines for a terminal."""
    low, high = assessment.alc_interval
    level = percent(assessment.scoring.confidence)
    facts = [
        ("Release", subject(assessment)),
        ("ALC", f"{loss_text(assessment.alc)} ({assessment.alc:.3f}; {level} interval {low:.3f} to "
         f"{high:.3f})"),
        ("Attack", f"{assessment.attack_name}: {measure_sentence(assessment.attack)}, "
         f"PRC {assessment.attack.prc:.3f}"),
        ("Baseline", f"{assessment.model}: {measure_sentence(assessment.baseline)}, "
         f"PRC {assessment.baseline.prc:.3f}"),
        ("Targets", targets_sentence(assessment)),
        ("Parameters", f"{parameters_text(assessment.scoring)}, seed {assessment.seed}"),
        *(("Note", note) for note in assessment.notes),
    ]  # fmt: skip
    lines = [f"Verdict: {headline(assessment)}", ""]
    sentences = [
        plain_sentence(assessment),
        verdict_explanation(assessment),
        caution(assessment),
    ]
    for sentence in filter(None, sentences):
        lines += [*_wrapped(sentence, width), ""]
    for label, text in facts:
        lines += _wrapped(f"{label + ':':<12}{text}", width, indent=12)
    return "\n".join(lines)


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
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(
        [
            "side", "name", "threshold", "predictions", "true_predictions", "attempts",
            "measured_precision", "precision_lower", "precision_upper", "precision", "recall",
            "prc", "significant", "chosen",
        ]
    )  # fmt: skip
    for one in assessments:
        for side, name, curve, chosen in (
            ("attack", one.attack_name, one.outcomes.attack, one.attack),
            ("baseline", one.model, one.outcomes.baseline, one.baseline),
        ):
            writer.writerows(_curve_rows(side, name, curve, chosen, one.scoring))
    return buffer.getvalue()


def _curve_rows(
    side: str,
    name: str,
    curve: PrecisionRecallCurve,
    chosen: Measure,
    scoring: ScoringParameters,
) -> list[list[object]]:
    measured = measure_curve(curve, scoring)
    return [
        [
            side,
            spreadsheet_safe(name),
            float(curve.thresholds[row]),
            int(curve.predictions[row]),
            int(curve.true_predictions[row]),
            curve.attempts,
            float(measured.measured_precision[row]),
            float(measured.lower[row]),
            float(measured.upper[row]),
            float(measured.precision[row]),
            float(measured.recall[row]),
            float(measured.prc[row]),
            bool(measured.significant[row]),
            int(curve.predictions[row]) == chosen.predictions,
        ]
        for row in range(len(curve))
    ]
