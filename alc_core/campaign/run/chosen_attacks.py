"""The attacks that a campaign's plan names, ready to be sent to other processes."""

from __future__ import annotations

from collections.abc import Sequence

import cloudpickle

from alc_core.attacks.protocol import Attack
from alc_core.attacks.registry import attack_type, attack_types, make_attack, refusal
from alc_core.campaign.model import PlannedAttack
from alc_core.errors import InputError
from alc_core.releases.release import Release


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
