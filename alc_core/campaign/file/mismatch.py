"""Whether a campaign can go on with the data and settings given now, and if not, why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from alc_core.assessment.result import Assessment, TableSummary
from alc_core.campaign.model import CampaignSettings, PlannedAttack
from alc_core.errors import CampaignMismatchError

_SHOWN = 12
"""Digits of a fingerprint that a message shows."""

_TOLD = 5
"""Differences that a message tells."""


def differences(given: CampaignSettings, recorded: CampaignSettings) -> tuple[str, ...]:
    """Tell what would make results of the two not comparable.

    Parameters
    ----------
    given : CampaignSettings
        Of the data and settings at hand.
    recorded : CampaignSettings
        Of the campaign.

    Returns
    -------
    tuple of str
        One clause each, the data first; empty where the campaign can go on. Names of files and
        versions of software may differ.
    """
    return (
        *_table_differences("the original", (given.original,), (recorded.original,)),
        *_release_differences(given.releases, recorded.releases),
        *_value_differences(
            "release '{}' is of type '{}' instead of '{}'",
            {name: given.release_kind(name) for name in given.releases},
            {name: recorded.release_kind(name) for name in recorded.releases},
        ),
        *_value_differences(
            "column '{}' is taken as {} instead of {}", given.kinds, recorded.kinds
        ),
        *_value_differences(
            "{} is {} instead of {}", {"seed": given.seed}, {"seed": recorded.seed}
        ),
        *_value_differences(
            "loop parameter {} is {} instead of {}",
            given.loop.to_dict(),
            recorded.loop.to_dict(),
        ),
        *_value_differences(
            "scoring parameter {} is {} instead of {}",
            given.scoring.to_dict(),
            recorded.scoring.to_dict(),
        ),
    )


def result_differences(
    assessment: Assessment, attack: PlannedAttack, settings: CampaignSettings
) -> tuple[str, ...]:
    """Tell why a result cannot be that of a planned attack; empty where it can."""
    told = []
    if assessment.scenario != attack.scenario:
        told.append(f"the result for attack {attack.number} is of another scenario")
    if assessment.attack_name != attack.attack:
        told.append(
            f"the result for attack {attack.number} is of the attack '{assessment.attack_name}' "
            f"instead of '{attack.attack}'"
        )
    if assessment.seed != settings.seed:
        told += _value_differences(
            "{} is {} instead of {}", {"seed": assessment.seed}, {"seed": settings.seed}
        )
    return (
        *told,
        *_table_differences("the original", (assessment.original,), (settings.original,)),
        *_table_differences(
            f"release '{attack.release}'", assessment.release, settings.releases[attack.release]
        ),
    )


def refuse_differences(path: Path, told: Sequence[str]) -> None:
    """Raise :class:`CampaignMismatchError` if there is any difference to tell."""
    if not told:
        return
    more = f"; and {len(told) - _TOLD} more" if len(told) > _TOLD else ""
    raise CampaignMismatchError(
        f"The campaign in '{path}' was made otherwise: {'; '.join(told[:_TOLD])}{more}. Give the "
        "tables and settings that it was made with, or start another campaign in another file."
    )


def version_notes(given: Mapping[str, str], recorded: Mapping[str, str]) -> tuple[str, ...]:
    """Tell which software is of another version than when the campaign was made."""
    return tuple(
        f"The campaign was started with {name} {recorded.get(name, 'absent')} and goes on with "
        f"{given.get(name, 'none')}: results may differ in their last digits."
        for name in dict.fromkeys((*recorded, *given))
        if given.get(name) != recorded.get(name)
    )


def _release_differences(
    given: Mapping[str, Sequence[TableSummary]], recorded: Mapping[str, Sequence[TableSummary]]
) -> list[str]:
    told = [f"release '{name}' is missing" for name in recorded if name not in given]
    told += [f"release '{name}' is not part of it" for name in given if name not in recorded]
    for name in recorded:
        if name in given:
            told += _table_differences(f"release '{name}'", given[name], recorded[name])
    return told


def _table_differences(
    where: str, given: Sequence[TableSummary], recorded: Sequence[TableSummary]
) -> list[str]:
    if len(given) != len(recorded):
        return [f"{where} has {len(given)} tables instead of {len(recorded)}"]
    told = []
    for now, then in zip(given, recorded, strict=True):
        if now.fingerprint != then.fingerprint:
            told.append(
                f"{where}: the table '{now.name}' has another content (fingerprint "
                f"{now.fingerprint[:_SHOWN]}… instead of {then.fingerprint[:_SHOWN]}…)"
            )
        elif (now.rows, now.columns) != (then.rows, then.columns):
            told.append(
                f"{where}: the table '{now.name}' is read as {now.rows} rows and {now.columns} "
                f"columns instead of {then.rows} and {then.columns}"
            )
    return told


def _value_differences(
    clause: str, given: Mapping[str, Any], recorded: Mapping[str, Any]
) -> list[str]:
    return [
        clause.format(name, given.get(name, "absent"), recorded.get(name, "absent"))
        for name in dict.fromkeys((*recorded, *given))
        if given.get(name) != recorded.get(name)
    ]
