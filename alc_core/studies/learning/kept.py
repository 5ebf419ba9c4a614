"""Studies of learning attacks, and worked examples, kept in a campaign's file."""

from __future__ import annotations

from alc_core.campaign.file.annotations import Annotations, KeptResults
from alc_core.studies.learning.example import CountsExample
from alc_core.studies.learning.result import LearningStudy

_REFUSAL = (
    "'{found.original}' is not the original of the campaign in '{path}'. Study the campaign's "
    "original."
)

KEPT_STUDIES = KeptResults(
    Annotations("learning attacks", str, LearningStudy),
    key=lambda study: study.settings.unknown,
    refusal=_REFUSAL,
)
KEPT_EXAMPLES = KeptResults(
    Annotations("learning example", str, CountsExample),
    key=lambda example: example.unknown,
    refusal=_REFUSAL,
)
