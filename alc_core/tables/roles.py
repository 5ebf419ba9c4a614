"""Roles of the original's columns: suggested, or chosen."""

from __future__ import annotations

import enum
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.errors import ColumnError, InputError
from alc_core.phrasing import count, percent
from alc_core.tables.households import Household
from alc_core.tables.kinds import IDENTIFIER_ROWS
from alc_core.tables.role_names import (
    PRIVATE_TOPICS,
    SENSITIVE_TOPICS,
    names_record,
    topic_of,
    topic_of_values,
    weight_reason,
)
from alc_core.tables.table import ColumnKind, Table
from alc_core.tables.values.texts import numeric_values

# Limits; see tests/unit/tables/test_roles.py
FEW_VALUES = 100  # With more labels a column is known (places, dates)
TOO_EXACT = 0.5  # With a larger share of unique numbers, others do not know them
FEW_CODES = 20  # Fewer distinct numbers are neither places nor amounts
_OLDEST = 115  # Age
_LEAST_AGE_SPAN = 40  # Years between ages
_AGES_THERE = 0.75  # Share of ages that occur
_MOST_OF_AN_AGE = 0.15  # Share of rows with one age
_FIRST_YEAR = 1880  # Year of birth
_LAST_YEAR = 2100  # Year
_LEAST_CODE = 1000  # Code of a place
_ROWS_PER_CODE = 5  # Rows per code of a place
_ROUNDED = 0.3  # Share of round codes
_LEAST_AMOUNT = 1000  # Greatest amount of money
_HEAVY_TAIL = 3.0  # 99th percentile relative to the median of amounts
_MOSTLY_NUMBERS = 0.5  # Share of values that are numbers

_LEAST_NUMBERS = 0.2  # Share of distinct values of a household number
# Sensitive, but known to colleagues and neighbours
_SEEN_BY_OTHERS = frozenset({"occupation"})
_SET = "as you set it"


class ColumnRole(enum.StrEnum):
    """Who knows a column, and whether attacked.

    Known sets consist of columns that may be known; protected ones are attacked, and known to an
    attacker who knows everything else. Weights, identifiers and columns left out are neither.

    Examples
    --------
    >>> print(*ColumnRole, sep=", ")
    may be known, to be protected, both, survey weight, identifier, left out
    """

    KNOWN = "may be known"
    PROTECTED = "to be protected"
    BOTH = "both"
    WEIGHT = "survey weight"
    IDENTIFIER = "identifier"
    LEFT_OUT = "left out"

    @property
    def may_be_known(self) -> bool:
        """Whether an attacker with few facts may know it."""
        return self in (ColumnRole.KNOWN, ColumnRole.BOTH)

    @property
    def is_protected(self) -> bool:
        """Whether it is attacked."""
        return self in (ColumnRole.PROTECTED, ColumnRole.BOTH)

    @property
    def takes_part(self) -> bool:
        """Whether attacks use it in any way."""
        return self.may_be_known or self.is_protected

    @property
    def label(self) -> str:
        """Its name where it is shown by itself."""
        return "known and protected" if self is ColumnRole.BOTH else self.value

    @property
    def meaning(self) -> str:
        """Its meaning for attacks, briefly."""
        return _MEANINGS[self]


_MEANINGS = {
    ColumnRole.KNOWN: "not attacked",
    ColumnRole.PROTECTED: "attacked; known with everything else, or if leading to rows",
    ColumnRole.BOTH: "may be known, and attacked",
    ColumnRole.WEIGHT: "not known, not attacked, not used as a weight",
    ColumnRole.IDENTIFIER: "neither known nor attacked",
    ColumnRole.LEFT_OUT: "neither known nor attacked",
}


@dataclass(frozen=True, slots=True)
class RoleSuggestion:
    """What part a column may play, and why."""

    column: str  # Name of the column
    role: ColumnRole  # The part
    reason: str  # In words for the user
    # In a single attack, where no column is both
    rather: Literal["known", "unknown"] | None = None
    # By its name, which outweighs values
    by_name: bool = False


_SUGGESTED: WeakKeyDictionary[Table, dict[frozenset[str], tuple[RoleSuggestion, ...]]] = (
    WeakKeyDictionary()
)


def suggest_roles(original: Table, released: Collection[str]) -> tuple[RoleSuggestion, ...]:
    """Suggest roles of the original's columns.

    By name if recognized (many languages, survey codes), else by values.
    """
    names, found = frozenset(released), _SUGGESTED.setdefault(original, {})
    if names not in found:
        suggested = (_suggest(original, c, c in names) for c in original.columns)
        found[names] = tuple(_doubted(original, each) for each in suggested)
    return found[names]


def _doubted(original: Table, found: RoleSuggestion) -> RoleSuggestion:
    """Add which role the column may have in the anonymization tool."""
    project, code = original.project, original.codes.get(found.column, found.column)
    if project is None:
        return found
    for role, columns in project.unclear.items():
        if code in columns:
            found = replace(found, reason=f"{found.reason}; perhaps {role} in {project.tool}")
    return found


def _suggest(original: Table, column: str, is_released: bool) -> RoleSuggestion:
    kind = original.kind(column)
    guess, is_set = original.guesses[column], column in original.overrides
    why = _SET if is_set else guess.reason
    values = original.frame[column]
    if kind is ColumnKind.IDENTIFIER:
        return RoleSuggestion(column, ColumnRole.IDENTIFIER, f"identifies records: {why}")
    if kind in (ColumnKind.TEXT, ColumnKind.IGNORE):
        cannot = "not attacked" if kind is ColumnKind.TEXT else "not usable"
        return RoleSuggestion(column, ColumnRole.LEFT_OUT, f"{cannot}: {why}")
    # Beside missing values, having one may be sensitive
    if guess.constant and not is_set and len(values.unique()) == 1:
        return RoleSuggestion(column, ColumnRole.LEFT_OUT, f"says nothing: {why}")
    if (told := _role_in_tool(original, column)) is not None:
        return told
    if reason := weight_reason(column, values, original.columns):
        return RoleSuggestion(column, ColumnRole.WEIGHT, reason)
    if not is_released:
        return RoleSuggestion(column, ColumnRole.LEFT_OUT, "in no release")
    if names_record(column) and (distinct := _like_record_numbers(values)):
        reason = f"named like a record's or household's number, with {count(distinct)} values"
        return RoleSuggestion(column, ColumnRole.IDENTIFIER, reason)
    if topic := _topic(original, column):
        return _of_topic(column, topic, "the name suggests")
    if topic := topic_of_values(values):
        return _of_topic(column, topic, "the values suggest")
    return _by_values(column, values, kind)


def _role_in_tool(original: Table, column: str) -> RoleSuggestion | None:
    """Return the anonymization tool's role of a column, if any."""
    project, code = original.project, original.codes.get(column, column)
    if project is None or code not in project.roles:
        return None
    role = ColumnRole(project.roles[code])
    rather: Literal["known", "unknown"] = "known" if role.may_be_known else "unknown"
    return RoleSuggestion(
        column,
        role,
        f"its role in {project.tool}",
        rather if role.takes_part else None,
        by_name=True,
    )


def _topic(original: Table, column: str) -> str | None:
    """Return a column's topic by name, code, or label."""
    code = original.codes.get(column, column)
    texts = (column, code, original.labels.get(code, ""))
    return next((topic for text in texts if (topic := topic_of(text))), None)


def _like_record_numbers(values: pd.Series) -> int:
    """Return distinct whole numbers; 0 if too few for record numbers."""
    distinct, present = int(values.nunique()), int(values.notna().sum())
    few = distinct < IDENTIFIER_ROWS or distinct < _LEAST_NUMBERS * present
    numbers = numeric_values(values) if pd.api.types.is_numeric_dtype(values.dtype) else np.empty(0)
    numbers = numbers[np.isfinite(numbers)]
    return 0 if few or (numbers != np.floor(numbers)).any() else distinct


def _of_topic(column: str, topic: str, why: str) -> RoleSuggestion:
    if topic in _SEEN_BY_OTHERS:
        reason = f"{why} {topic}, which is sensitive, but may be known"
        return RoleSuggestion(column, ColumnRole.BOTH, reason, "unknown", by_name=True)
    if topic in SENSITIVE_TOPICS or topic in PRIVATE_TOPICS:
        what = "is sensitive" if topic in SENSITIVE_TOPICS else "others rarely know"
        reason = f"{why} {topic}, which {what}"
        return RoleSuggestion(column, ColumnRole.PROTECTED, reason, "unknown", by_name=True)
    reason = f"{why} {topic}, often known to others"
    return RoleSuggestion(column, ColumnRole.BOTH, reason, "known", by_name=True)


def _by_values(column: str, values: pd.Series, kind: ColumnKind) -> RoleSuggestion:
    if kind is ColumnKind.DATETIME:
        reason = "dates, often known to others"
        return RoleSuggestion(column, ColumnRole.BOTH, reason, "known")
    numbers = numeric_values(values) if _holds_numbers(values) else np.empty(0)
    numbers = numbers[np.isfinite(numbers)]
    if reason := _like_known_numbers(numbers):
        reason = f"{reason}, often known to others"
        return RoleSuggestion(column, ColumnRole.BOTH, reason, "known")
    if _like_money(numbers):
        reason = "some numbers are far larger than most, like money"
        return RoleSuggestion(column, ColumnRole.PROTECTED, reason, "unknown")
    if kind is ColumnKind.CONTINUOUS:
        reason = "a quantity with many values, rarely known"
        if (alone := _share_alone(values)) > TOO_EXACT:
            reason = f"{percent(alone)} of the numbers are unique: too exact to know"
        return RoleSuggestion(column, ColumnRole.PROTECTED, reason, "unknown")
    if len(numbers) and (numbers != np.floor(numbers)).any():
        reason = "decimals, rarely known"
        return RoleSuggestion(column, ColumnRole.PROTECTED, reason, "unknown")
    distinct = int(values.nunique())
    start = f"{count(distinct)} distinct values"
    if distinct > FEW_VALUES:
        reason = f"{start}, as with places, often known to others"
        return RoleSuggestion(column, ColumnRole.BOTH, reason, "known")
    reason = f"{start}: may be known, may be sensitive"
    return RoleSuggestion(column, ColumnRole.BOTH, reason, "unknown")


def _holds_numbers(values: pd.Series) -> bool:
    """Return whether nearly all values are numbers, codes aside."""
    dtype = values.dtype
    if pd.api.types.is_numeric_dtype(dtype):
        return not pd.api.types.is_bool_dtype(dtype)
    present = values.dropna()
    return len(present) > 0 and bool(np.isfinite(numeric_values(present)).mean() > _MOSTLY_NUMBERS)


def _like_known_numbers(numbers: NDArray[np.float64]) -> str:
    """Return why others may know numbers (ages, years, places); else empty."""
    if not len(numbers) or (numbers != np.floor(numbers)).any():
        return ""
    found, counts = np.unique(numbers, return_counts=True)
    low, high, distinct = found[0], found[-1], len(found)
    if (
        low >= 0
        and high - low >= _LEAST_AGE_SPAN
        and high <= _OLDEST
        and distinct >= _AGES_THERE * (high - low + 1)
        and counts.max() < _MOST_OF_AN_AGE * len(numbers)
    ):
        return f"whole numbers from {low:.0f} to {high:.0f}, like ages"
    if low >= _FIRST_YEAR and high <= _LAST_YEAR and distinct > 1:
        return "like years"
    same_length = low >= _LEAST_CODE and len(f"{low:.0f}") == len(f"{high:.0f}")
    repeated = distinct > FEW_CODES and len(numbers) >= _ROWS_PER_CODE * distinct
    if same_length and repeated and np.mean(numbers % 10 == 0) < _ROUNDED:
        return "numbers of one length, like codes of places"
    return ""


def _like_money(numbers: NDArray[np.float64]) -> bool:
    """Return whether some numbers are far larger than most."""
    positive = numbers[numbers > 0]
    if len(np.unique(positive)) < FEW_CODES or positive.max() < _LEAST_AMOUNT:
        return False
    middle, large = np.quantile(positive, [0.5, 0.99])
    return bool(large >= _HEAVY_TAIL * middle)


def _share_alone(values: pd.Series) -> float:
    numbers = numeric_values(values)
    _, counts = np.unique(numbers[np.isfinite(numbers)], return_counts=True)
    return float((counts == 1).sum() / max(1, counts.sum()))


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleInForce:
    """The role of one column."""

    role: ColumnRole  # Who knows it, and whether attacked
    reason: str  # Why, in words for the user
    by_user: bool = False  # Chosen against the suggestion


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles:
    """The role of every column of an original."""

    # In the table's order
    of_columns: Mapping[str, RoleInForce] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def of(
        cls,
        original: Table,
        released: Collection[str],
        *,
        chosen: Mapping[str, ColumnRole | str] | None = None,
        naming: Collection[Household] = (),
    ) -> Roles:
        """Suggest roles, and apply the user's choices."""
        said = {column: as_role(column, role) for column, role in (chosen or {}).items()}
        for column, role in said.items():
            _check(original, column, role, naming)
        found = {}
        for suggestion in suggest_roles(original, released):
            column = suggestion.column
            if column in original.base([column]) and column in original.derived:
                continue  # of a known row
            if column in naming:
                reason = "identifies a person or household"
                found[column] = RoleInForce(role=ColumnRole.IDENTIFIER, reason=reason)
            elif said.get(column, suggestion.role) is not suggestion.role:
                found[column] = RoleInForce(role=said[column], reason=_SET, by_user=True)
            else:
                found[column] = RoleInForce(role=suggestion.role, reason=suggestion.reason)
        return cls(of_columns=MappingProxyType(found))

    def role(self, column: str) -> ColumnRole:
        """Return a column's role; both if unknown."""
        found = self.of_columns.get(column)
        return ColumnRole.BOTH if found is None else found.role

    def having(self, *roles: ColumnRole) -> tuple[str, ...]:
        """Return columns with these roles, in order."""
        return tuple(c for c, found in self.of_columns.items() if found.role in roles)

    @property
    def columns_by_role(self) -> dict[ColumnRole, tuple[str, ...]]:
        """The columns of each role that any has."""
        found = {role: self.having(role) for role in ColumnRole}
        return {role: columns for role, columns in found.items() if columns}

    @property
    def by_user(self) -> dict[str, ColumnRole]:
        """Roles chosen against the suggestion."""
        return {c: found.role for c, found in self.of_columns.items() if found.by_user}


def protecting(roles: Roles, columns: Collection[str]) -> dict[str, ColumnRole]:
    """Return roles that protect only these columns."""
    facts = roles.having(ColumnRole.KNOWN, ColumnRole.PROTECTED, ColumnRole.BOTH)
    known = {c: ColumnRole.KNOWN for c in facts if c not in columns}
    return {**known, **dict.fromkeys(columns, ColumnRole.PROTECTED)}


def known_by_others(roles: Roles, columns: Collection[str]) -> dict[str, ColumnRole]:
    """Return roles that let only these columns be known."""
    facts = [column for column, found in roles.of_columns.items() if found.role.takes_part]
    return {
        column: ColumnRole.BOTH if column in columns else ColumnRole.PROTECTED
        for column in facts
        if roles.role(column).may_be_known != (column in columns)
    }


def may_have(
    original: Table, column: str, role: ColumnRole, naming: Collection[Household] = ()
) -> bool:
    """Return whether a column can have a role; see :meth:`Roles.of`."""
    try:
        _check(original, column, role, naming)
    except ColumnError:
        return False
    return True


def as_role(column: str, role: ColumnRole | str) -> ColumnRole:
    """Return a role by name."""
    try:
        return ColumnRole(role)
    except ValueError:
        choices = ", ".join(f"'{each}'" for each in ColumnRole)
        raise InputError(
            f"The role of column '{column}' cannot be '{role}'. Choose one of: {choices}."
        ) from None


def _check(original: Table, column: str, role: ColumnRole, naming: Collection[Household]) -> None:
    original.require(column)
    if column in naming and role is not ColumnRole.IDENTIFIER:
        raise ColumnError(
            f"Column '{column}' of '{original.name}' cannot be '{role}': it is the person or "
            "household column."
        )
    if role.takes_part and not original.kind(column).is_compared:
        raise ColumnError(
            f"Column '{column}' of '{original.name}' cannot be '{role}': kind "
            f"'{original.kind(column)}' is not compared. Change the kind."
        )


def suggested_unknown(original: Table, roles: Roles, attackable: Sequence[str]) -> list[str]:
    """Return suggested unknown columns, recognized names first."""
    suggested = [
        suggestion
        for suggestion in suggest_roles(original, attackable)
        if suggestion.column in attackable and _rather(suggestion, roles) == "unknown"
    ]
    suggested.sort(key=lambda suggestion: not suggestion.by_name)
    return [suggestion.column for suggestion in suggested]


def suggested_known(roles: Roles, possible: Sequence[str]) -> list[str]:
    """Return columns that may be known, else all."""
    return [c for c in possible if roles.role(c).may_be_known] or list(possible)


# Known columns by attackable column
Attackable = Mapping[str, Sequence[str]]


def attackable_columns(original: Table) -> Attackable:
    """Return usable unknown columns, with possible known ones."""
    usable = original.compared
    return {column: [other for other in usable if other != column] for column in usable}


def suggested_attack(
    original: Table, roles: Roles, attackable: Attackable, start: tuple[str, Sequence[str]] | None
) -> tuple[str | None, tuple[str, ...]]:
    """Return the starting unknown and known columns, else by role."""
    unknown, known = start or ("", ())
    if unknown not in attackable:
        by_role = suggested_unknown(original, roles, list(attackable))
        unknown = next(iter([*by_role, *reversed(list(attackable))]), "")
        known = suggested_known(roles, attackable.get(unknown, ()))
    return unknown or None, tuple(c for c in known if c in attackable.get(unknown, ()))


def known_and_protected(
    roles: Roles, possible: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return columns that may be known, and other protected ones."""
    known = suggested_known(roles, possible)
    rest = (column for column in possible if column not in known)
    return tuple(known), tuple(column for column in rest if roles.role(column).is_protected)


def _rather(suggestion: RoleSuggestion, roles: Roles) -> str | None:
    found = roles.of_columns.get(suggestion.column)
    said = {ColumnRole.KNOWN: "known", ColumnRole.PROTECTED: "unknown"}
    return said.get(found.role, suggestion.rather) if found else suggestion.rather
