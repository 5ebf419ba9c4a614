"""Which attacks can be run on which releases, and the attacks themselves."""

from __future__ import annotations

from collections.abc import Sequence

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
from alc_core.campaign.plan.settings import PlanSettings
from alc_core.errors import InputError
from alc_core.phrasing import listed, quoted
from alc_core.releases.release import Release
from alc_core.tables.table import Table


def fitting_attacks(
    settings: PlanSettings, releases: Sequence[Release], own: Sequence[Attack] = ()
) -> tuple[dict[str, tuple[str, ...]], list[str]]:
    """Return the names of the attacks that run on each release, and why others do not."""
    passed = {each.name: each for each in own}
    chosen: dict[str, Attack | None] = {}
    for text in settings.attacks or ():
        known = text not in passed and attack_type(text) is not None
        made = make_attack(text) if known else passed.get(text)
        chosen[made.name if made else text] = made  # others may be passed to the run
    fitting, notes = {}, []
    for release in releases:
        if settings.attacks is None:
            fitting[release.name] = usual_attacks(release)
            if not fitting[release.name]:
                notes.append(
                    f"Nothing is run on '{release.name}': no attack reads {release.title}."
                )
            continue
        reasons = {name: made and refusal(made.accepts, release) for name, made in chosen.items()}
        fitting[release.name] = tuple(name for name, reason in reasons.items() if not reason)
        notes += [
            f"Not run on '{release.name}': {name} ({reason})."
            for name, reason in reasons.items()
            if reason
        ]
    run = {plain_name(name) for names in (chosen, *fitting.values()) for name in names}
    for attack, only in settings.only_on.items():
        if attack not in run:
            raise InputError(
                f"The attack '{attack}' is confined to {listed(list(only))}, but is not run. "
                f"The attacks are: {listed(sorted(run))}."
            )
        if strange := [name for name in only if name not in fitting]:
            raise InputError(
                f"The attack '{attack}' is to run on '{strange[0]}' only, but no release has that "
                f"name. The releases are: {listed(list(fitting))}."
            )
        found = attack_type(attack)
        spared = [
            release.name
            for release in releases
            if release.name not in only and not (found and refusal(found.accepts, release))
        ]
        if spared:
            notes.append(f"Not run on {quoted(spared)}: {attack} (as you set it).")
    return {
        release: tuple(
            name for name in names if release in settings.only_on.get(plain_name(name), fitting)
        )
        for release, names in fitting.items()
    }, notes


def asks_it(attack: str, original: Table, unknown: str) -> bool:
    """Return whether an attack asks for a column: a chain asks only for several at once."""
    found = attack_type(attack)
    return found is None or not found.chains or bool(original.together(unknown))


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
                    f"The campaign runs the attack '{name}', which is not known here. Load the "
                    "plug-in that has it (--plugin), or pass it in `attacks`; there are: "
                    f"{', '.join(attack_types())}."
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
