"""Test releases that a session made of its original."""

from __future__ import annotations

from dataclasses import dataclass

from alc_core.releases.release import Release


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SampleRelease:
    """A test release, and what it was made of."""

    release: Release  # With a name that says how it was made
    unknown: str  # The column that it protects in its way
    original: str  # Fingerprint of the original
