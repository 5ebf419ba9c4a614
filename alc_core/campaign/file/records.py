"""Plans and results as values in a campaign's file."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

import msgspec

from alc_core.assessment.result import Assessment
from alc_core.campaign.model import CampaignSettings, PlannedAttack
from alc_core.errors import InputError
from alc_core.phrasing import listed
from alc_core.plain_values import from_plain, to_plain
from alc_core.scoring.outcomes import Outcomes

_LARGEST = 2**27  # Largest decompressed record in bytes; 20 000 people take about one million


def to_json(value: object) -> str:
    """Return compact ASCII, which keeps names that cannot be encoded."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def attack_rows(
    attacks: Sequence[PlannedAttack], settings: CampaignSettings
) -> list[tuple[int, bytes, str]]:
    """Return number, identity and plan of planned attacks."""
    for attack in attacks:
        if attack.release not in settings.releases:
            raise InputError(
                f"Planned attack {attack.number} is on release '{attack.release}', not among "
                f"{listed(list(settings.releases)) or 'none'}. Add it."
            )
    plans = [{k: v for k, v in to_plain(a).items() if k != "number"} for a in attacks]
    return [
        (attack.number, identity_of(attack), to_json(plan))
        for attack, plan in zip(attacks, plans, strict=True)
    ]


def refuse_twice(attacks: Sequence[PlannedAttack]) -> None:
    """Refuse equal attacks and equal numbers."""
    numbers: set[int] = set()
    seen: dict[bytes, int] = {}
    for attack in attacks:
        first = seen.setdefault(identity_of(attack), attack.number)
        if attack.number in numbers:
            raise InputError(
                f"Two planned attacks have the number {attack.number}. Number them from 0."
            )
        if first != attack.number:
            raise InputError(
                f"Planned attacks {first} and {attack.number} are the same. Remove one."
            )
        numbers.add(attack.number)


def identity_of(attack: PlannedAttack) -> bytes:
    """Return a digest of what a planned attack does."""
    parts = [attack.scenario.to_dict(), attack.release, attack.attack]
    return blake2b(json.dumps(parts, sort_keys=True).encode("ascii"), digest_size=16).digest()


def attack_of(number: int, plan: str) -> PlannedAttack:
    """Build a planned attack from :func:`attack_rows`."""
    data = json.loads(plan)
    return from_plain({**data, "number": number}, PlannedAttack)


def record_of(assessment: Assessment) -> bytes:
    """Return a result for its file: each thing once, with intervals."""
    return zlib.compress(to_json(assessment.kept()).encode("ascii"))


def assessment_of(record: bytes) -> Assessment:
    """Build a result from :func:`record_of`; intervals are not redrawn."""
    return Assessment.from_kept(_plain(record))


def outcomes_of(record: bytes) -> Outcomes:
    """Return the outcomes of a result alone."""
    return Outcomes.from_dict(_plain(record)["outcomes"])


def _plain(record: bytes) -> Any:
    text = _inflated(record)
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:  # Such as a name that cannot be encoded
        return json.loads(text)


def _inflated(content: bytes) -> bytes:
    inflating = zlib.decompressobj()
    found = inflating.decompress(content, _LARGEST)
    if not inflating.eof:
        raise ValueError("The record does not end, or is larger than any.")
    return found
