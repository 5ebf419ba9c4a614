"""Studies of learning attacks, and worked examples, kept in a campaign's file."""

from __future__ import annotations

from alc_core.campaign.file.annotations import Annotations
from alc_core.campaign.file.reader import CampaignReader
from alc_core.campaign.file.store import CampaignStore
from alc_core.errors import CampaignMismatchError
from alc_core.learning.example import CountsExample
from alc_core.learning.results import LearningStudy

_STUDIES = Annotations("learning attacks", str, LearningStudy)
_EXAMPLES = Annotations("learning example", str, CountsExample)


def keep_study(store: CampaignStore, study: LearningStudy) -> None:
    """Keep a study in the campaign's file, in place of an earlier one of the same unknown column.

    Raises
    ------
    CampaignMismatchError
        If it is of another original.
    CampaignFileError
        If the file cannot be written.
    """
    _check(store, study)
    _STUDIES.keep(store, study.settings.unknown, study)


def kept_studies(store: CampaignReader) -> dict[str, LearningStudy]:
    """Return the studies in a campaign's file, by unknown column."""
    return _STUDIES.read(store)


def keep_example(store: CampaignStore, example: CountsExample) -> None:
    """Keep a worked example likewise; see :func:`keep_study`."""
    _check(store, example)
    _EXAMPLES.keep(store, example.unknown, example)


def kept_examples(store: CampaignReader) -> dict[str, CountsExample]:
    """Return the worked examples in a campaign's file, by unknown column."""
    return _EXAMPLES.read(store)


def _check(store: CampaignStore, found: LearningStudy | CountsExample) -> None:
    if found.fingerprint != store.settings.original.fingerprint:
        raise CampaignMismatchError(
            f"'{found.original}' is not the original of the campaign in '{store.path}'. Study the "
            "campaign's original."
        )
