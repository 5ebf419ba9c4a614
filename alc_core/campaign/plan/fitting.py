"""Which attacks can be run on which releases."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import cloudpickle

from alc_core.attacks.protocol import Attack
from alc_core.attacks.registry import (
    attack_type,
    attack_types,
    make_attack,
    plain_name,
    refusal,
    usual_attacks,
)
from alc_core.campaign.model import PlannedAttack
from alc_core.errors import InputError
from alc_core.phrasing import listed
from alc_core.releases.release import Release


def fitting_attacks(
    attacks: Sequence[str | Attack] | None,
    releases: Sequence[Release],
    only_on: Mapping[str, Collection[str]],
) -> dict[str, tuple[str, ...]]:
    """Return the names of the attacks that can read each release and are wanted there."""
    if attacks is None:
        fitting = {release.name: usual_attacks(release) for release in releases}
    else:
        made = [_made(attack) for attack in attacks]
        fitting = {
            release.name: tuple(
                each if isinstance(each, str) else each.name
                for each in made
                if isinstance(each, str) or not refusal(each.accepts, release)
            )
            for release in releases
        }
    _check_only_on(only_on, fitting, attacks)
    return {
        release: tuple(name for name in names if release in only_on.get(plain_name(name), fitting))
        for release, names in fitting.items()
    }


def _check_only_on(
    only_on: Mapping[str, Collection[str]],
    fitting: Mapping[str, Sequence[str]],
    attacks: Sequence[str | Attack] | None,
) -> None:
    """Refuse names of attacks and releases that the plan does not have."""
    chosen = {plain_name(name) for names in fitting.values() for name in names}
    chosen |= {plain_name(each if isinstance(each, str) else each.name) for each in attacks or ()}
    for attack, releases in only_on.items():
        if attack not in chosen:
            raise InputError(
                f"The attack '{attack}' is confined to {listed(list(releases))}, but is not run. "
                f"The attacks are: {listed(sorted(chosen))}."
            )
        for release in releases:
            if release not in fitting:
                raise InputError(
                    f"The attack '{attack}' is to run on '{release}' only, but no release has that "
                    f"name. The releases are: {listed(list(fitting))}."
                )


def attack_refusals(attacks: Sequence[str | Attack], release: Release) -> dict[str, str]:
    """Return why attacks cannot read a release, by attack; those that can are left out."""
    made = [attack for attack in map(_made, attacks) if not isinstance(attack, str)]
    reasons = {attack.name: refusal(attack.accepts, release) for attack in made}
    return {name: reason for name, reason in reasons.items() if reason}


def _made(attack: str | Attack) -> str | Attack:
    return make_attack(attack) if isinstance(attack, str) and attack_type(attack) else attack


def chosen_attacks(
    planned: Sequence[PlannedAttack], own: Sequence[Attack], releases: Sequence[Release]
) -> dict[str, Attack]:
    """Return the attacks by name; refuse unknown ones and those that cannot read their release."""
    chosen = {attack.name: attack for attack in own}
    by_name = {release.name: release for release in releases}
    for name, release in {(attack.attack, attack.release): None for attack in planned}:
        if name not in chosen:
            if attack_type(name) is None:
                raise InputError(
                    f"The campaign runs the attack '{name}', which is not registered. Pass it in "
                    f"`attacks`, or register it; there are: {', '.join(attack_types())}."
                )
            chosen[name] = make_attack(name)
        if reason := refusal(chosen[name].accepts, by_name[release]):
            raise InputError(
                f"The attack '{name}' cannot be run on release '{release}': it {reason}. Leave it "
                "out of the plan."
            )
    return chosen


def check_sendable(attack: Attack) -> None:
    """Refuse an attack that cannot be sent to another process."""
    try:
        cloudpickle.dumps(attack)
    except Exception as error:  # noqa: BLE001 - pickling runs the attack's own code
        raise InputError(
            f"The attack '{attack.name}' cannot be sent to another process "
            f"({type(error).__name__}). Keep files, locks and connections out of it, or open them "
            "in prepare()."
        ) from None
