"""An assessment as text and as CSV."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from alc_core.assessment.result import Assessment, worst_of
from alc_core.note import stopping_title, tells_copies
from alc_core.phrasing import listed, loss_text, percent
from alc_core.present.renderers import WIDTH, columns, terminal_text
from alc_core.review.attack import attack_blocks, brief_blocks
from alc_core.review.attack_words import exposed_text
from alc_core.scoring.curves import measure_curve
from alc_core.scoring.verdict import SEVERITY, Verdict
from alc_core.spreadsheet import csv_text


def household_text(together: Assessment, apart: Assessment) -> str:
    """Say how a loss differs if the guess may learn from the household."""
    (guess, loss), (looked_up, other) = (
        (percent(each.baseline.measured_precision), loss_text(each.decisive_alc))
        for each in (together, apart)
    )
    return (
        f"Household effect ({together.attack_name}): ALC {loss}, best guess {guess} correct; with "
        f"the household, ALC {other} and {looked_up}."
    )


def summary_text(assessment: Assessment, *, width: int = WIDTH) -> str:
    """Return verdict, sentence and numbers as lines."""
    return terminal_text(attack_blocks(assessment), width=width)


def brief_text(assessment: Assessment) -> str:
    """Return verdict, meaning and three numbers as lines."""
    return terminal_text(brief_blocks(assessment), width=WIDTH)


def severity(found: Sequence[Assessment]) -> tuple[int, float]:
    """Return the severity of attacks with the check's notes; the worst is last."""
    worst = worst_of(found)
    least = [SEVERITY.index(Verdict.AT_RISK if tells_copies(note.code) else Verdict.SERIOUS)
             for note in worst.stopped_by]  # fmt: skip
    return max([SEVERITY.index(worst.verdict), *least]), worst.decisive_alc


_OF_A_RELEASE = ("release", "the check", "worst attack", "ALC", "people exposed")


def releases_text(results: Mapping[str, Sequence[Assessment]]) -> str:
    """Return a line per release, with its worst attack."""
    rows = []
    for name, found in results.items():
        worst = worst_of(found)
        titles = dict.fromkeys(map(stopping_title, worst.stopped_by))
        exposed = exposed_text(worst.exposed, *worst.exposed_interval)
        verdict = f"{worst.verdict}, {worst.attack_name}"
        rows.append((name, ", ".join(titles), verdict, loss_text(worst.decisive_alc), exposed))
    return "\n".join(columns([_OF_A_RELEASE, *rows], numbers=False))


def measures_csv(*assessments: Assessment, names: Sequence[str] = ()) -> str:
    """Return thresholds of both curves as CSV, the chosen ones marked.

    `names` of releases are by default their tables'. Formula-like text gets an apostrophe.
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
