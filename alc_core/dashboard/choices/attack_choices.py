"""Which attacks a campaign runs, and their settings, as the widgets hold them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Self

from alc_core.attacks.registry import (
    DEFAULT_ATTACK,
    attack_parameters,
    attack_text,
    attack_type,
    attack_types,
    usual_attacks,
)
from alc_core.attacks.registry import refusal as attack_refusal
from alc_core.campaign.plan.settings import PlanSettings
from alc_core.errors import InputError
from alc_core.releases.registry import release_types
from alc_core.releases.release import USUAL_KIND, Release


class AttackSettings(SimpleNamespace):
    """The parameters of one attack, each an attribute."""


@dataclass(slots=True, kw_only=True)
class AttackReleases:
    """The releases that one attack is confined to."""

    names: list[str] = field(default_factory=list)  # Empty for all that it can read


@dataclass(slots=True, kw_only=True)
class AttackChoices:
    """The attacks that are run."""

    # Names of registered attacks
    names: list[str] = field(default_factory=lambda: [DEFAULT_ATTACK])
    # Parameters of those that were changed or shown
    settings: dict[str, AttackSettings] = field(default_factory=dict)
    # On which releases attacks run, of those that were confined or shown
    confined: dict[str, AttackReleases] = field(default_factory=dict)
    # Types of release whose usual attacks were chosen already
    kinds: set[str] = field(default_factory=lambda: {USUAL_KIND})

    @classmethod
    def of(cls, settings: PlanSettings) -> Self:
        """Return choices that run the attacks of a campaign, as far as they are registered.

        Of an attack that ran with several parameters, the last ones are kept.
        """
        choices = cls(names=[], kinds=set(release_types()))
        for text in settings.attacks or ():
            found = attack_type(text)
            if found is not None:
                choices.names = list(dict.fromkeys([*choices.names, found.name]))
                vars(choices.of_attack(found.name)).update(attack_parameters(text))
                own = settings.only_on.get(found.name, ())
                choices.releases_of(found.name).names = list(own)
        return choices if choices.names else cls()

    def of_attack(self, name: str) -> AttackSettings:
        """Return the settings of an attack, the usual ones at first."""
        if name not in self.settings:
            usual = {each.name: each.default for each in attack_types()[name].parameters}
            self.settings[name] = AttackSettings(**usual)
        return self.settings[name]

    def releases_of(self, name: str) -> AttackReleases:
        """Return what an attack is confined to, nothing at first."""
        return self.confined.setdefault(name, AttackReleases())

    def add(self, name: str, releases: Sequence[str]) -> None:
        """Run an attack on some releases, too."""
        own = self.releases_of(name)
        if name not in self.names:
            self.names, own.names = [*self.names, name], list(releases)
        elif own.names:
            own.names = list(dict.fromkeys([*own.names, *releases]))

    def only_on(self) -> dict[str, tuple[str, ...]]:
        """Return the chosen attacks that are confined, with their releases."""
        return {
            name: tuple(self.confined[name].names)
            for name in self.names
            if name in self.confined and self.confined[name].names
        }

    def adapt(self, releases: Sequence[Release]) -> None:
        """Keep the attacks that can read one of the releases, and of these those that there are.

        The usual ones of a type of release are added when it is there for the first time.
        """
        if not releases:
            return
        fitting, _ = fitting_attacks(releases)
        names = [name for name in self.names if name in fitting]
        for release in releases:
            if release.kind not in self.kinds:
                names += [name for name in usual_attacks(release) if name not in names]
        self.kinds |= {release.kind for release in releases}
        self.names = names or fitting[:1]
        for name, own in self.confined.items():
            readable = readable_releases(name, releases)
            whole = set(readable) <= set(own.names)
            own.names = [] if whole else [each for each in own.names if each in readable]

    def texts(self) -> tuple[str, ...]:
        """Return the attacks as a plan names them."""
        if not self.names:
            raise InputError("No attack is chosen. Choose at least one.")
        types = attack_types()
        return tuple(attack_text(types[name], vars(self.of_attack(name))) for name in self.names)


def readable_releases(name: str, releases: Sequence[Release]) -> list[str]:
    """Return the names of the releases that an attack can read."""
    found = attack_type(name)
    if found is None:
        return []
    return [release.name for release in releases if not attack_refusal(found.accepts, release)]


def fitting_attacks(releases: Sequence[Release]) -> tuple[list[str], dict[str, str]]:
    """Return the attacks that can read one of the releases, and why the others cannot."""
    reasons = {
        name: [attack_refusal(found.accepts, release) for release in releases]
        for name, found in attack_types().items()
    }
    fitting = [name for name, each in reasons.items() if not all(each)]
    return fitting, {name: each[0] for name, each in reasons.items() if name not in fitting}
