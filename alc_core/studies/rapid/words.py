"""What a RAPID means, in words for people who decide, and as plain values for files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from alc_core.measures.measure import Measured
from alc_core.measures.rapid import ABSOLUTE, CONDITIONAL, ENTROPY, GAIN
from alc_core.phrasing import count, decimal, listed, percent, quoted
from alc_core.spreadsheet import csv_text
from alc_core.studies.rapid.result import MeasuredRapid, Rapid

_SHOWN = 3

EXPLANATION = (
    "**RAPID** is the share of people whose value an attacker predicts with confidence. The "
    "attacker trains a model on the release alone, and asks it about real people, of whom the "
    "known columns are at hand. A person is at risk if the true value gets a much higher "
    "probability than its share among all people would give it (numbers: if the prediction is "
    "close).",
    "**A high share alone says nothing about the release.** Knowing that somebody is married, "
    "aged 60 and retired, one can guess much, whatever is published. So the same is measured "
    "without the person: models learn from other people's original data and predict the person. "
    "What the release adds is the difference. ALC asks the same question with precision and "
    "recall, and gives the verdict.",
    "Templ, Thees and Müller (2026), arXiv 2602.09235.",
)


def cut_words(found: Rapid) -> str:
    """Say what a model does that puts people at risk."""
    unknown = found.unknown
    if found.scoring.numeric:
        within = decimal(found.cut) if found.score == ABSOLUTE else percent(found.cut)
        return f"predicts their '{unknown}' within {within}"
    compared = {
        GAIN: "a much higher probability than its share among all people",
        CONDITIONAL: "a higher probability than it gives others who have it",
        ENTROPY: "a high probability",
    }
    return (
        f"gives their true '{unknown}' {compared[found.score]} ({found.scoring.title.lower()}"
        f" above {found.cut:g})"
    )


def shares_sentence(found: Rapid) -> str:
    """Say how many people are at risk, and how many without the release."""
    share, without = (_with_interval(each, found) for each in (found.rapid, found.reference))
    return (
        f"At risk are {share} of {count(found.n_people)} people: a model"
        f" ({found.settings.learner}) that learned from the release {cut_words(found)}. Where it"
        f" learned from other people's original data, never the person's, they are {without}."
    )


def beyond_sentence(found: Rapid) -> str:
    """Say whether the release is above what is known of everybody."""
    if found.rapid.value == found.reference.value == 0:
        return "Nobody is at risk, with the release or without it."
    low, high = found.beyond.low, found.beyond.high
    if low is not None and low > 0:
        return (
            f"The release puts {100 * found.beyond.value:.1f} percentage points more people at"
            " risk than can be told from others."
        )
    if high is not None and high < 0:
        return "The release tells less of people than other people's data do."
    return (
        "At this setting the difference is within what chance explains: no sign that the release "
        "makes the risk."
    )


def difference_words(found: Rapid) -> str:
    """Say by how many percentage points the release is above its reference."""
    return f"{100 * found.beyond.value:+.1f} points".replace("-", "\N{MINUS SIGN}")


def moved_sentence(found: Rapid, cut: float) -> str:
    """Say what the curve shows at another threshold or tolerance."""
    curve = found.curve
    place = curve.at(cut)
    word = "tolerance" if found.scoring.numeric else "threshold"
    return (
        f"At a {word} of {curve.cuts[place]:.3g}, {percent(curve.shares[place])} of the people are"
        f" at risk from the release ({percent(curve.low[place])} to {percent(curve.high[place])}),"
        f" and {percent(curve.reference[place])} without the person."
    )


def result_label(found: Rapid) -> str:
    """Say which result it is."""
    known = quoted(found.known, most=_SHOWN)
    return f"{found.release}: {found.unknown} from {known}, {found.settings.learner}"


def group_sentence(found: Rapid, column: str) -> str:
    """Say between which shares people lie by the values of a column."""
    groups = found.groups(column)
    least = min(groups, key=lambda part: part.share.value)
    most = max(groups, key=lambda part: part.share.value)
    left = found.n_people - sum(part.n_people for part in groups)
    words = f"By '{column}': at risk are {percent(least.share.value)} ({least.label})"
    if least.share.value == most.share.value:
        words = f"By '{column}': at risk are {percent(most.share.value)} in every group"
    else:
        words += f" to {percent(most.share.value)} ({most.label})"
    rare = f"; {'1 person' if left == 1 else f'{left} people'} with rare values left out"
    return f"{words}{rare if left else ''}."


def driver_sentence(found: Rapid) -> str:
    """Say which known attributes the risk rests on."""
    leading = [driver for driver in found.drivers if driver.drop.value > 0.005][:_SHOWN]
    if not leading:
        return "No known attribute by itself lowers the share by more than half a percent point."
    words = [f"'{driver.column}' ({100 * driver.drop.value:.1f} points)" for driver in leading]
    return f"Without {listed(words, last='or')} the share would be that much lower."


def not_released_sentence(found: Rapid) -> str:
    """Say which values nobody can be found by; empty where there is none."""
    if not found.not_released:
        return ""
    return (
        f"The release has nobody with {quoted(found.not_released)}: people with"
        f" {'that value' if len(found.not_released) == 1 else 'those values'} cannot be at risk."
    )


def plain_rapid(found: Rapid) -> dict[str, Any]:
    """Return a result as plain values; no person's among them."""
    curve = found.curve
    return {
        "release": found.release,
        "known": list(found.known),
        "unknown": found.unknown,
        "learner": found.settings.learner,
        "score": found.score,
        "tolerance" if found.scoring.numeric else "threshold": found.cut,
        "rapid": found.rapid.value,
        "interval": [found.rapid.low, found.rapid.high],
        "reference": found.reference.value,
        "reference_interval": [found.reference.low, found.reference.high],
        "beyond_reference": found.beyond.to_list(),
        "curve": {
            "tolerance" if found.scoring.numeric else "threshold": list(curve.cuts),
            "rapid": list(curve.shares),
            "low": list(curve.low),
            "high": list(curve.high),
            "reference": list(curve.reference),
        },
        "drivers": {driver.column: driver.drop.value for driver in found.drivers},
        "groups": [
            {
                "column": part.column,
                "value": part.label,
                "people": part.n_people,
                "rapid": part.share.value,
                "interval": [part.share.low, part.share.high],
                "reference": part.reference,
            }
            for part in found.parts
        ],
        "people": found.n_people,
        "left_out": found.left_out,
        "not_released": list(found.not_released),
        "notes": list(found.notes),
        "seed": found.settings.seed,
    }


def _with_interval(measured: Measured, found: Rapid) -> str:
    low, high = measured.interval
    return (
        f"{percent(measured.value)} ({percent(found.settings.confidence)} interval"
        f" {percent(low)} to {percent(high)})"
    )


def people_table(results: Sequence[MeasuredRapid]) -> str:
    """Return the risk of every person as CSV."""
    frames = [
        pd.DataFrame(
            {
                "release": found.result.release,
                "unknown": found.result.unknown,
                "row": found.people.rows + 1,
                "score": np.round(found.people.scores, 6),
                "score_without_the_person": np.round(found.people.reference, 6),
                "at_risk": found.people.at_risk,
            }
        )
        for found in results
    ]
    return csv_text(pd.concat(frames, ignore_index=True))
