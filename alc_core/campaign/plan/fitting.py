"""Which attacks can be run on which releases."""

from __future__ import annotations

from collections.abc import Sequence

from alc_core.attacks.protocol import Attack
from alc_core.attacks.registry import attack_type, make_attack, refusal, usual_attacks
from alc_core.releases.release import Release


def fitting_attacks(
    attacks: Sequence[str | Attack] | None, releases: Sequence[Release]
) -> dict[str, tuple[str, ...]]:
    """Return the names of the attacks that can read each release.

    Parameters
    ----------
    attacks : sequence of str or Attack, or None
        Names of registered attacks, or attacks; None for the usual ones of each release. A name
        that is not registered is of an attack that the caller brings to the run, where it is
        checked.
    releases : sequence of Release
        What is published.

    Returns
    -------
    dict of str to tuple of str
        By release; the names in the shortest form.
    """
    if attacks is None:
        return {release.name: usual_attacks(release) for release in releases}
    made = [_made(attack) for attack in attacks]
    return {
        release.name: tuple(
            each if isinstance(each, str) else each.name
            for each in made
            if isinstance(each, str) or not refusal(each.accepts, release)
        )
        for release in releases
    }


def attack_refusals(attacks: Sequence[str | Attack], release: Release) -> dict[str, str]:
    """Return why attacks cannot read a release, by attack; those that can are left out."""
    made = [attack for attack in map(_made, attacks) if not isinstance(attack, str)]
    reasons = {attack.name: refusal(attack.accepts, release) for attack in made}
    return {name: reason for name, reason in reasons.items() if reason}


def _made(attack: str | Attack) -> str | Attack:
    return make_attack(attack) if isinstance(attack, str) and attack_type(attack) else attack
