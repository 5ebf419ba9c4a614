"""Which columns can be known or attacked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from alc_core.tables.table import Table


def attackable_columns(original: Table) -> dict[str, list[str]]:
    """Return each column that an attack can use, with all others that can then be known."""
    usable = original.compared
    return {column: [other for other in usable if other != column] for column in usable}


Attackable = Mapping[str, Sequence[str]]
"""Each column that can be attacked, with those that can be known in an attack on it."""
