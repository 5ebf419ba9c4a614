"""Suggesting the role of each column in attacks, by local rules on names and values.

A suggestion is right often and does no harm when it is wrong: what is a fact about people is
attacked, and known to an attacker who knows everything else, whatever its name. "May be known"
alone, with which a column is not attacked, is for the user to say.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from alc_core.phrasing import count, percent
from alc_core.tables.kinds import IDENTIFIER_ROWS
from alc_core.tables.roles.names import KNOWN_TOPICS, SENSITIVE_TOPICS, names_record, topic_of
from alc_core.tables.roles.role import ColumnRole
from alc_core.tables.roles.weights import weight_reason
from alc_core.tables.table import ColumnKind, Table
from alc_core.tables.values.texts import numeric_values

FEW_VALUES = 100
"""Categorical columns with more labels than this are rather known (places, dates) than secrets."""

TOO_EXACT = 0.5
"""Numbers of which a larger share is there only once are more exact than others know them."""

_LEAST_NUMBERS = 0.2
"""A column named like the number of a household has at least this share of distinct values."""

_SEEN_BY_OTHERS = frozenset({"occupation"})
"""Sensitive topics that colleagues and neighbours know of all the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleSuggestion:
    """What part a column may play, and why."""

    column: str  # Name of the column
    role: ColumnRole  # The part
    reason: str  # In words for the user
    # What it is in a single attack, in which no column can be both; None if it takes no part
    rather: Literal["known", "unknown"] | None = None
    # Whether the column's name says so, which is worth more than a guess from its values
    by_name: bool = False


def suggest_roles(original: Table, released: Collection[str]) -> tuple[RoleSuggestion, ...]:
    """Suggest a role for each column of the original.

    The names are looked up in English, German, French and Spanish; nothing leaves the machine.

    Examples
    --------
    >>> import pandas as pd
    >>> from alc_core.tables.read import table_from_frame
    >>> frame = pd.DataFrame({"Alter": [30, 40], "diagnosis": ["a", "b"], "PWGTP": [80, 120]})
    >>> [(s.column, str(s.role)) for s in suggest_roles(table_from_frame(frame), frame.columns)]
    [('Alter', 'both'), ('diagnosis', 'to be protected'), ('PWGTP', 'survey weight')]
    """
    names = frozenset(released)
    return tuple(_suggest(original, column, column in names) for column in original.columns)


def _suggest(original: Table, column: str, is_released: bool) -> RoleSuggestion:
    kind = original.kind(column)
    why = "as you set it" if column in original.overrides else original.guesses[column].reason
    if kind is ColumnKind.IDENTIFIER:
        return _no_part(column, ColumnRole.IDENTIFIER, f"identifies records: {why}")
    if kind is ColumnKind.IGNORE:
        return _no_part(column, ColumnRole.LEFT_OUT, f"not usable: {why}")
    values = original.frame[column]
    # Beside missing values, whether there is one may be the secret.
    if why.startswith("constant") and len(values.unique()) == 1:
        return _no_part(column, ColumnRole.LEFT_OUT, f"says nothing: {why}")
    if reason := weight_reason(column, values, original.columns):
        return _no_part(column, ColumnRole.WEIGHT, reason)
    if not is_released:
        return _no_part(column, ColumnRole.LEFT_OUT, "in no release")
    if names_record(column) and (distinct := _like_record_numbers(values)):
        reason = f"named like the number of a record or household, {count(distinct)} different ones"
        return _no_part(column, ColumnRole.IDENTIFIER, reason)
    return _by_name(column) or _by_values(column, values, kind)


def _no_part(column: str, role: ColumnRole, reason: str) -> RoleSuggestion:
    return RoleSuggestion(column=column, role=role, reason=reason)


def _like_record_numbers(values: pd.Series) -> int:
    """Return how many numbers there are, or 0 where they are too few to be those of records."""
    distinct, present = int(values.nunique()), int(values.notna().sum())
    if distinct < IDENTIFIER_ROWS or distinct < _LEAST_NUMBERS * present:
        return 0
    if pd.api.types.is_numeric_dtype(values.dtype):
        numbers = numeric_values(values)
        numbers = numbers[np.isfinite(numbers)]
        return distinct if bool((numbers == np.floor(numbers)).all()) else 0
    return distinct


def _by_name(column: str) -> RoleSuggestion | None:
    if topic := topic_of(column, SENSITIVE_TOPICS):
        role = ColumnRole.BOTH if topic in _SEEN_BY_OTHERS else ColumnRole.PROTECTED
        seen = ", though others may know it" if role is ColumnRole.BOTH else ""
        reason = f"the name suggests {topic}, which is sensitive{seen}"
        return RoleSuggestion(
            column=column, role=role, reason=reason, rather="unknown", by_name=True
        )
    if topic := topic_of(column, KNOWN_TOPICS):
        reason = f"the name suggests {topic}, which others often know"
        return RoleSuggestion(
            column=column, role=ColumnRole.BOTH, reason=reason, rather="known", by_name=True
        )
    return None


def _by_values(column: str, values: pd.Series, kind: ColumnKind) -> RoleSuggestion:
    role = ColumnRole.BOTH
    rather: Literal["known", "unknown"] = "unknown"
    if kind is ColumnKind.DATETIME:
        rather, reason = "known", "dates are often known from elsewhere"
    elif kind is ColumnKind.CONTINUOUS and (alone := _share_alone(values)) > TOO_EXACT:
        role = ColumnRole.PROTECTED
        reason = f"{percent(alone)} of the numbers are there only once: too exact to be known"
    elif kind is ColumnKind.CONTINUOUS:
        reason = "a quantity with many values, which people rarely know of others"
    elif (distinct := int(values.nunique())) > FEW_VALUES:
        rather = "known"
        reason = (
            f"{count(distinct)} distinct values: more likely to single out people than to be a "
            "secret"
        )
    else:
        reason = (
            f"{count(distinct)} distinct values, and no hint in the name: it can be predicted, so "
            "protect it"
        )
    return RoleSuggestion(column=column, role=role, reason=reason, rather=rather)


def _share_alone(values: pd.Series) -> float:
    """Return the share of a column's numbers that are there only once."""
    numbers = numeric_values(values)
    _, counts = np.unique(numbers[np.isfinite(numbers)], return_counts=True)
    return float((counts == 1).sum() / max(1, counts.sum()))
