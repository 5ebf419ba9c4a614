"""The registered attacks, chosen by name everywhere."""

from __future__ import annotations

from collections.abc import Iterable

from alc_core.attacks import (
    bayesian,
    best_row_match,
    chained,
    definetti,
    intersection,
    known_events,
    model,
    naive_bayes,
    record_linkage,
)
from alc_core.attacks.protocol import Attack, AttackType
from alc_core.errors import InputError
from alc_core.parameter import Value, check_name, find_parameter
from alc_core.releases.release import Release
from alc_core.runtime.plugins import check_plugged, described

# The paper's attack, and one that finds rows with some own values
DEFAULT_ATTACK = best_row_match.BEST_ROW_MATCH.name
LINKAGE = record_linkage.RECORD_LINKAGE.name
# Default attacks on rows of people
ROW_ATTACKS: tuple[str, ...] = (DEFAULT_ATTACK, LINKAGE)
_TYPES: dict[str, AttackType] = {}


def register_attack(attack_type: AttackType) -> AttackType:
    """Register an attack by its name.

    Raises
    ------
    InputError
        If the name is taken or has a colon.

    Examples
    --------
    >>> import alc_core as alc
    >>> mine = alc.attack_types()["model"]
    >>> register_attack(mine) is mine
    True
    """
    if not isinstance(attack_type, AttackType):
        raise InputError(
            f"register_attack takes an alc.AttackType, not {described(attack_type)}. Write "
            "alc.AttackType(name=..., make=..., ...)."
        )
    name = attack_type.name
    if ":" in name or _TYPES.setdefault(name, attack_type) is not attack_type:
        raise InputError(f"An attack cannot be called '{name}': the name is taken or has a colon.")
    return attack_type


def attack_types() -> dict[str, AttackType]:
    """Return the attacks by name, in order of registration.

    Examples
    --------
    >>> "model" in attack_types()
    True
    """
    return dict(_TYPES)


def attack_type(text: str) -> AttackType | None:
    """Return the attack type of "name" or "name: rounds=500", if known."""
    return _TYPES.get(plain_name(text))


def plain_name(text: str) -> str:
    """Return an attack's registered name, without parameters.

    >>> plain_name("model: family=random forest")
    'model'
    """
    return text.partition(":")[0].strip()


def fits_model(text: str) -> bool:
    """Return whether an attack learns from the whole release."""
    found = attack_type(text)
    return found is not None and found.fits_model


def compares(text: str) -> bool:
    """Return whether an attack compares a release's tables."""
    found = attack_type(text)
    return found is not None and found.across


def model_attack() -> str:
    """Return the first attack that fits a model, unless one ran; else ""."""
    return next((name for name, found in _TYPES.items() if found.fits_model), "")


def make_attack(given: str | Attack) -> Attack:
    """Return an attack, or make it from its name, with parameters after a colon.

    Parameters
    ----------
    given : str or Attack
        Such as "best row match", or "some attack: rounds=500, learner=forest". An attack is
        returned unchanged.

    Raises
    ------
    InputError
        If unknown.
    ParameterError
        If a parameter is unknown or out of bounds.

    Examples
    --------
    >>> make_attack("chained: alone=yes").alone
    True
    """
    if not isinstance(given, str):
        advice = "Pass one attack, as an object or by its name."
        check_plugged(given, "attack", ("name", "accepts", "prepare"), advice)
        return given
    name = plain_name(given)
    check_name("attack", name, _TYPES)
    found = _TYPES[name]
    parameters = attack_parameters(given)
    attack = found.make(**parameters)
    attack.name = attack_text(found, parameters)
    return attack


def attack_text(found: AttackType, values: dict[str, Value]) -> str:
    """Return an attack's text, with its non-default parameters."""
    usual = {parameter.name: parameter.default for parameter in found.parameters}
    changed = [
        f"{name}={_value_text(values[name])}"
        for name in usual
        if name in values and values[name] != usual[name]
    ]
    return f"{found.name}: {', '.join(changed)}" if changed else found.name


def refusal(accepts: Iterable[type[Release]], release: Release) -> str:
    """Say why an attack cannot read a release; empty if it can.

    >>> from alc_core.releases.microdata import Microdata
    >>> import alc_core as alc
    >>> refusal((Microdata,), alc.load_demo("fair").releases["80% swapped"])
    ''
    """
    accepted = tuple(accepts)
    if isinstance(release, accepted):
        return ""
    needs = " or ".join(each.title for each in accepted)
    return f"needs {needs}; this release is {release.title}"


def usual_attacks(release: Release) -> tuple[str, ...]:
    """Return the default attacks on a release.

    :data:`ROW_ATTACKS` on rows, and what compares their tables; else all that read it within
    minutes.

    >>> import alc_core as alc
    >>> usual_attacks(alc.load_demo("fair").releases["80% swapped"])[0]
    'best row match'
    """
    if release.holds_rows:
        names = (*ROW_ATTACKS, *(name for name, found in _TYPES.items() if found.across))
        return tuple(n for n in names if not refusal(_TYPES[n].accepts, release))
    return tuple(
        name
        for name, found in _TYPES.items()
        if found.usual and not refusal(found.accepts, release)
    )


def attack_parameters(text: str) -> dict[str, Value]:
    """Return the parameters in an attack's text."""
    name, _, rest = text.partition(":")
    found = _TYPES[name.strip()]
    given: dict[str, Value] = {}
    for part in filter(None, (part.strip() for part in rest.split(","))):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise InputError(
                f"'{part}' of attack '{found.name}' is not a parameter. Write NAME=VALUE."
            )
        owner = f"Attack '{found.name}'"
        given[name] = find_parameter(found.parameters, name, owner=owner).read(value)
    return given


def _value_text(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


register_attack(best_row_match.BEST_ROW_MATCH)
register_attack(model.MODEL)
register_attack(record_linkage.RECORD_LINKAGE)
register_attack(chained.CHAINED)
register_attack(naive_bayes.NAIVE_BAYES)
register_attack(definetti.DEFINETTI)
register_attack(bayesian.BAYESIAN)
register_attack(known_events.KNOWN_EVENTS)
register_attack(intersection.INTERSECTION)
