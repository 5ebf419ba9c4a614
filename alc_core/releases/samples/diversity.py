"""l-diversity in its simple form: at most one in l rows of a group has the same value."""

from __future__ import annotations

import numpy as np

from alc_core.errors import InputError
from alc_core.tables.encode import CategoricalCodes, CodeArray


class TooFrequentError(InputError):
    """One value has too many rows for groups in which every value is rare enough."""

    def __init__(
        self, code: int, n_rows_with: int, n_rows: int, level: int,
        coding: CategoricalCodes | None = None,
    ) -> None:  # fmt: skip
        self.code, self.n_rows_with, self.n_rows, self.level = code, n_rows_with, n_rows, level
        most = n_rows // n_rows_with
        advice = (
            f"Choose a level of at most {most}, or another unknown column"
            if most >= 2
            else "Choose another unknown column, or leave out rows with this value"
        )
        super().__init__(
            f"{_named(code, coding)} has {n_rows_with:,} of {n_rows:,} rows, more than one in "
            f"{level}, so that no groups can be {level}-diverse. {advice}."
        )

    def naming(self, coding: CategoricalCodes) -> TooFrequentError:
        """Return the error with the value named."""
        return TooFrequentError(self.code, self.n_rows_with, self.n_rows, self.level, coding)


def is_diverse(values: CodeArray, level: int) -> bool:
    """Return whether at most one in l rows has the same value."""
    return level == 1 or bool(np.bincount(values).max() * level <= len(values))


def check_diverse(values: CodeArray, level: int) -> None:
    """Refuse rows that no groups can be diverse of."""
    if not is_diverse(values, level):
        counts = np.bincount(values)
        raise TooFrequentError(int(counts.argmax()), int(counts.max()), len(values), level)


def _named(code: int, coding: CategoricalCodes | None) -> str:
    if coding is None:
        return f"The value with code {code}"
    if code == len(coding.labels):
        return f"A missing value of column '{coding.name}'"
    return f"'{coding.labels[code]}' of column '{coding.name}'"
