"""The example of the paper: eight people, and two ways to publish them.

References
----------
Boreale, Corradi and Viscardi (2020), tables I to III.
"""

from __future__ import annotations

import pandas as pd

from alc_core.group_posterior.settings import SamplerSettings
from alc_core.runtime.progress import CancelCallback, ProgressCallback
from alc_core.scenario.scenario import Scenario
from alc_core.studies.relative_threat.measuring import measure_threat
from alc_core.studies.relative_threat.result import ThreatResult

KNOWN, UNKNOWN = ("nationality", "zip"), "disease"
VICTIM = {"nationality": "Malaysia", "zip": "45501"}

_PEOPLE = (
    ("Malaysia", "45501", "Heart"),
    ("Japan", "45502", "Flu"),
    ("Japan", "55503", "Flu"),
    ("Japan", "55504", "Stomach"),
    ("China", "66601", "HIV"),
    ("Japan", "66601", "Diabetes"),
    ("India", "77701", "Flu"),
    ("Malaysia", "77701", "Heart"),
)
_PUBLISHED = (
    ("{Malaysia, Japan}", "4550*"),
    ("{Malaysia, Japan}", "4550*"),
    ("Japan", "5550*"),
    ("Japan", "5550*"),
    ("{China, Japan}", "66601"),
    ("{China, Japan}", "66601"),
    ("{India, Malaysia}", "77701"),
    ("{India, Malaysia}", "77701"),
)


def toy_original() -> pd.DataFrame:
    """Return the eight people (table I a)."""
    return pd.DataFrame(list(_PEOPLE), columns=[*KNOWN, UNKNOWN])


def toy_release() -> pd.DataFrame:
    """Return them as published: 2-anonymous, by local recoding (table I b)."""
    rows = [(*labels, person[-1]) for labels, person in zip(_PUBLISHED, _PEOPLE, strict=True)]
    return pd.DataFrame(rows, columns=[*KNOWN, UNKNOWN])


def toy_threat(
    *,
    seed: int = 0,
    progress: ProgressCallback | None = None,
    cancel: CancelCallback | None = None,
) -> ThreatResult:
    """Return what is concluded about the first of the eight (table III)."""
    return measure_threat(
        toy_original(),
        toy_release(),
        Scenario(KNOWN, UNKNOWN),
        victim=VICTIM,
        settings=SamplerSettings(iterations=20_000, stop_early=False, seed=seed),
        progress=progress,
        cancel=cancel,
    )
