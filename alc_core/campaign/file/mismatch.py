"""Whether a campaign can continue with these data and settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from alc_core.assessment.result import Assessment, TableSummary
from alc_core.campaign.model import CampaignSettings, PlannedAttack
from alc_core.errors import CampaignMismatchError
from alc_core.phrasing import listed
from alc_core.scenario.scenario import Scenario
from alc_core.tables.labels.language import plain_text

_DIGITS = 12  # Of a fingerprint in a message
_SHOWN_DIFFERENCES = 5  # In one message
_SEED = "{} is {} instead of {}"


def differences(given: CampaignSettings, recorded: CampaignSettings) -> tuple[str, ...]:
    """Say what makes results incomparable."""
    return (
        *_table_differences("the original", (given.original,), (recorded.original,)),
        *_release_differences(given.releases, recorded.releases),
        *_value_differences(
            "release '{}' is of type '{}' instead of '{}'",
            {name: given.release_kind(name) for name in given.releases},
            {name: recorded.release_kind(name) for name in recorded.releases},
        ),
        *_value_differences(
            "column '{}' is treated as {} instead of {}", given.kinds, recorded.kinds
        ),
        *_value_differences(
            "{} covers {} instead of {}",
            _labels(given),
            _labels(recorded),
            absent="what is recognised",
        ),
        *_value_differences(_SEED, {"seed": given.seed}, {"seed": recorded.seed}),
        *_value_differences(
            "parameter {} is {} instead of {}",
            {**given.loop.to_dict(), **given.scoring.to_dict()},
            {**recorded.loop.to_dict(), **recorded.scoring.to_dict()},
        ),
    )


def result_differences(
    assessment: Assessment, attack: PlannedAttack, settings: CampaignSettings
) -> tuple[str, ...]:
    """Say why a result is not the planned attack's; empty if it can be."""
    found = []
    if assessment.scenario != attack.scenario:
        found.append(f"the result for attack {attack.number} is of another scenario")
    if assessment.attack_name != attack.attack:
        found.append(
            f"the result for attack {attack.number} is of the attack '{assessment.attack_name}' "
            f"instead of '{attack.attack}'"
        )
    return (
        *found,
        *_value_differences(_SEED, {"seed": assessment.seed}, {"seed": settings.seed}),
        *_table_differences("the original", (assessment.original,), (settings.original,)),
        *_table_differences(
            f"release '{attack.release}'", assessment.release, settings.releases[attack.release]
        ),
    )


def people_differences(
    given: Sequence[PlannedAttack], recorded: Sequence[PlannedAttack]
) -> tuple[str, ...]:
    """Say where attacks exclude other people than the campaign's on the same column."""
    before: dict[str, set[tuple[str, ...] | None]] = {}
    for attack in recorded:
        before.setdefault(attack.scenario.unknown, set()).add(_markers(attack.scenario))
    clauses = {}
    for attack in given:
        unknown, now = attack.scenario.unknown, _markers(attack.scenario)
        if unknown in before and now not in before[unknown]:
            then = sorted(before[unknown], key=str)[0]
            clauses[unknown] = f"of '{unknown}', {_left_out(now)} instead of {_left_out(then)}"
    return tuple(clauses.values())


def _markers(scenario: Scenario) -> tuple[str, ...] | None:
    return None if scenario.selection.missing is None else scenario.markers


def _left_out(named: tuple[str, ...] | None) -> str:
    if named is None:
        return "no missing values exclude targets"
    values = listed(["empty cells", *(f"'{value}'" for value in named)])
    return f"people with {values} are excluded from the targets"


def refuse_differences(path: Path, found: Sequence[str]) -> None:
    """Raise :class:`CampaignMismatchError` if there is any difference."""
    if not found:
        return
    shown = list(found[:_SHOWN_DIFFERENCES])
    if more := len(found) - len(shown):
        shown.append(f"and {more} more")
    raise CampaignMismatchError(
        f"'{path}' has other data or settings: {'; '.join(shown)}. Use the same, or another file."
    )


def version_notes(given: Mapping[str, str], recorded: Mapping[str, str]) -> tuple[str, ...]:
    """Say which software versions differ from the campaign's."""
    return tuple(
        f"Started with {name} {recorded.get(name, 'absent')}, continued with "
        f"{given.get(name, 'none')}: last digits may differ."
        for name in dict.fromkeys((*recorded, *given))
        if given.get(name) != recorded.get(name)
    )


def _release_differences(
    given: Mapping[str, Sequence[TableSummary]], recorded: Mapping[str, Sequence[TableSummary]]
) -> list[str]:
    found = [f"release '{name}' is missing" for name in recorded if name not in given]
    found += [f"release '{name}' is not part of it" for name in given if name not in recorded]
    for name in recorded:
        if name in given:
            found += _table_differences(f"release '{name}'", given[name], recorded[name])
    return found


def _table_differences(
    where: str, given: Sequence[TableSummary], recorded: Sequence[TableSummary]
) -> list[str]:
    if len(given) != len(recorded):
        return [f"{where} has {len(given)} tables instead of {len(recorded)}"]
    found = []
    for now, then in zip(given, recorded, strict=True):
        if now.fingerprint != then.fingerprint:
            found.append(
                f"{where}: the table '{now.name}' has other content ({now.fingerprint[:_DIGITS]}… "
                f"instead of {then.fingerprint[:_DIGITS]}…)"
            )
        elif now.same_columns != then.same_columns:
            found += _column_differences(where, now, then)
        elif _readings(now) != _readings(then):
            found += _value_differences(
                where + ": the dates of '{}' are read as {} instead of {}",
                _readings(now), _readings(then), absent="written",
            )  # fmt: skip
        elif (now.rows, now.columns) != (then.rows, then.columns):
            found.append(
                f"{where}: the table '{now.name}' has {now.rows} rows and {now.columns} columns "
                f"instead of {then.rows} and {then.columns}"
            )
    return found


def _readings(table: TableSummary) -> dict[str, str]:
    """Return date readings that differ from results without stated ones."""
    return {c: reading for c, reading in table.date_readings.items() if reading != "day-first"}


def _column_differences(where: str, now: TableSummary, then: TableSummary) -> list[str]:
    is_now, was = (
        {column: f"the original's '{of}'" for column, of in table.same_columns.items()}
        for table in (now, then)
    )
    own = "a column of its own"
    return [
        f"{where}: the column '{column}' of the table '{now.name}' is treated as "
        f"{is_now.get(column, own)} instead of {was.get(column, own)}"
        for column in dict.fromkeys((*was, *is_now))
        if is_now.get(column) != was.get(column)
    ]


def _labels(settings: CampaignSettings) -> dict[str, str]:
    """Return the user's meanings of labels, by place."""
    return {
        f"label '{label}' of column '{column}' in release '{release}'": (
            "itself" if plain is None else f"'{plain_text(plain)}'"
        )
        for release, tables in settings.told_sets.items()
        for table in tables
        for column, labels in table.items()
        for label, plain in labels.items()
    }


def _value_differences(
    clause: str, given: Mapping[str, Any], recorded: Mapping[str, Any], absent: str = "absent"
) -> list[str]:
    return [
        clause.format(name, given.get(name, absent), recorded.get(name, absent))
        for name in dict.fromkeys((*recorded, *given))
        if given.get(name) != recorded.get(name)
    ]
