"""What a plan says besides its attacks: sets that are not made, releases without a column."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from alc_core.attacks.protocol import Attack
from alc_core.attacks.registry import attack_type, refusal
from alc_core.campaign.model import KnownSet, KnownSetKind
from alc_core.campaign.plan.fitting import attack_refusals
from alc_core.campaign.plan.known_sets import KnownSetRules
from alc_core.phrasing import numbered, quoted
from alc_core.releases.release import Release, attackable, released_columns
from alc_core.scenario.no_value import WithoutValue
from alc_core.tables.roles import ColumnRole, Roles

_HARDLY = 0.95


def notes_on_no_values(without: Mapping[str, WithoutValue]) -> list[str]:
    """Say who is not attacked for having no value, and where that is nearly everybody."""
    told = [f"'{column}': {found.words}" for column, found in without.items() if found.rows]
    few = [column for column, found in without.items() if found.share >= _HARDLY]
    return [
        *[f"Not attacked, since they have no value: people with {'; '.join(told)}."] * bool(told),
        *[f"Hardly anybody has a value of {quoted(few)}: attacks on it are about few people."]
        * bool(few),
    ]


def notes_on_sets(
    candidates: Mapping[str, Sequence[str]],
    releases: Sequence[Release],
    rules: KnownSetRules,
    roles: Roles,
) -> list[str]:
    """Say which sets of known columns are not made or not used everywhere, and why."""
    notes = []
    if rules.all_others and rules.max_known is not None:
        too_many = [c for c, others in candidates.items() if len(others) > rules.max_known]
        if too_many:
            whose = "any column" if len(too_many) == len(candidates) else quoted(too_many)
            notes.append(
                f"Not taken as known together: all other columns of {whose}, since they are more "
                f"than the {rules.max_known} that may be known."
            )
    released = {column for release in releases for column in released_columns(release)}
    for number, columns in enumerate(rules.named, start=1):
        if unreleased := [column for column in columns if column not in released]:
            notes.append(
                f"Set {number} that you named has {quoted(unreleased)}, which no release has: "
                "knowing it does not help an attacker."
            )
        if weights := [c for c in columns if roles.role(c) is ColumnRole.WEIGHT]:
            notes.append(
                f"Set {number} that you named has {quoted(weights)}, which looks like a survey "
                "weight. Nobody knows it of somebody else: what is attacked with it may look worse "
                "than it is."
            )
        if len(columns) == 1 and columns[0] in candidates:
            notes.append(
                f"Set {number} that you named is not used where {quoted(columns)} is attacked: "
                "it has no other column."
            )
    return notes


def notes_on_small_sets(
    chosen: Mapping[str, Sequence[KnownSet]],
    knowable: Mapping[str, Sequence[str]],
    rules: KnownSetRules,
) -> list[str]:
    """Say for which columns no small set is made, or only that of all others."""
    if not rules.known_sets and rules.max_known is None:
        return []
    nobody = [unknown for unknown in chosen if not knowable[unknown]]
    notes = [
        f"No small set is made to attack {quoted(nobody)}: no other column may be known, since "
        "all are to be protected. Give some of them the role 'both'."
    ] * bool(nobody)
    if not rules.known_sets or not rules.all_others or rules.named:
        return notes
    only = [
        unknown
        for unknown, sets in chosen.items()
        if {known.kind for known in sets} == {KnownSetKind.ALL_OTHERS}
        and len(sets[0].columns) > 1
        and knowable[unknown]
    ]
    if not only:
        return notes
    whose = "any column" if len(only) == len(chosen) else quoted(only)
    return [
        *notes,
        f"No small set that singles people out is added to attack {whose}: no set that was tried "
        "does it with fewer than all other columns.",
    ]


def notes_on_releases(
    chosen: Mapping[str, Sequence[KnownSet]], releases: Sequence[Release]
) -> list[str]:
    """Say which columns are not attacked, or not in every release with every set."""
    notes = [
        f"Not attacked: '{unknown}' (no set of known columns is left for it)."
        for unknown, sets in chosen.items()
        if not sets
    ]
    for release in releases:
        missing = [
            unknown
            for unknown, sets in chosen.items()
            if not all(attackable(release, unknown, known.columns) for known in sets)
        ]
        if missing:
            notes.append(
                f"Not all sets of known columns are used to attack {quoted(missing)} in release "
                f"'{release.name}': none of its tables has that column with one of the set."
            )
    return notes


def notes_on_attacks(
    fitting: Mapping[str, Sequence[str]],
    attacks: Sequence[str | Attack] | None,
    releases: Sequence[Release],
) -> list[str]:
    """Say which attacks are not run on which releases, and why."""
    if attacks is None:
        return [
            f"Nothing is run on '{release.name}': no attack reads {release.title}."
            for release in releases
            if not fitting[release.name]
        ]
    return [
        f"Not run on '{release.name}': {name} ({reason})."
        for release in releases
        for name, reason in attack_refusals(attacks, release).items()
        if name not in fitting[release.name]
    ]


def notes_on_confined(
    only_on: Mapping[str, Collection[str]], releases: Sequence[Release]
) -> list[str]:
    """Say which attacks run on some releases alone."""
    notes = []
    for attack, own in only_on.items():
        found = attack_type(attack)
        spared = [
            release.name
            for release in releases
            if release.name not in own and not (found and refusal(found.accepts, release))
        ]
        if spared:
            notes.append(f"Not run on {quoted(spared)}: {attack} (as you set it).")
    return notes


def nothing_planned(rules: KnownSetRules) -> str:
    """Say why no attack is left, and what to do."""
    if not rules.named:
        return (
            "Nothing can be attacked: no column may be known, since all are to be protected. Give "
            "some of them the role 'both', or let the attacker know all other columns."
        )
    sets = f"The {numbered(len(rules.named), 'set')} of known columns that you named"
    return (
        f"Nothing can be attacked. {sets} cannot be used with any column to attack: no released "
        "table has such a column with one of a set. Name other sets, or ask for generated "
        "ones."
    )
