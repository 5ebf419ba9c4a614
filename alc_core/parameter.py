"""A setting: title, bounds, help and words."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from numbers import Integral
from typing import Any

from alc_core.errors import ParameterError

Value = float | int | str | bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One setting of scoring, an attack or a measure.

    Attributes
    ----------
    name : str
        With hyphens on the command line.
    title : str
        In tables and beside controls.
    help : str
        One sentence.
    default : float, int, str or bool
        Has the type of all values.
    low, high : float
        Bounds.
    low_open, high_open : bool
        Whether the bound is excluded.
    step : float or None
        Of a slider; None for a logarithmic scale or no slider.
    choices : tuple of str
        All values, if limited.

    Examples
    --------
    >>> rounds = Parameter(name="rounds", title="Rounds", help="How often.", default=10, low=1)
    >>> rounds.read("20")
    20
    """

    name: str
    title: str
    help: str
    default: Any  # A Value; fields of its own type take it
    low: float = -math.inf
    high: float = math.inf
    low_open: bool = False
    high_open: bool = False
    step: float | None = None
    choices: tuple[str, ...] = ()

    @property
    def type(self) -> type[Value]:
        """Type of its values."""
        return type(self.default)

    @property
    def bounds_text(self) -> str:
        """The bounds in words.

        Examples
        --------
        >>> width = Parameter(name="w", title="w", help="", default=0.1, low=0, high=1,
        ...                   low_open=True)
        >>> width.bounds_text
        'between 0 and 1 (0 excluded)'
        """
        if math.isinf(self.high):
            return f"{'greater than' if self.low_open else 'at least'} {self.low:g}"
        excluded = [f"{self.low:g}"] * self.low_open + [f"{self.high:g}"] * self.high_open
        which = "both" if len(excluded) == 2 else "".join(excluded)
        return f"between {self.low:g} and {self.high:g}{f' ({which} excluded)' if which else ''}"

    def check(self, value: Value) -> None:
        """Refuse a value out of bounds.

        Raises
        ------
        ParameterError
            With parameter, bounds and value.
        """
        if self.choices:
            if value not in self.choices:
                options = " or ".join(f"'{choice}'" for choice in self.choices)
                raise self._refused(options, value)
            return
        if isinstance(value, str | bool):
            if not isinstance(value, self.type):
                raise self._refused("a number", value)
            return
        low_fits = value > self.low if self.low_open else value >= self.low
        high_fits = value < self.high if self.high_open else value <= self.high
        if not (low_fits and high_fits) or math.isinf(value):  # NaN fits nowhere
            raise self._refused(self.bounds_text, value)

    def _refused(self, what: str, value: Value) -> ParameterError:
        shown = repr(value) if isinstance(value, str) else value
        return ParameterError(f"{self.name} must be {what}, not {shown}.")

    def read(self, text: str) -> Value:
        """Return a text's value.

        Raises
        ------
        ParameterError
            If it has none, or is out of bounds.
        """
        value: Value = text.strip()
        if self.type is bool:
            words = {"yes": True, "true": True, "no": False, "false": False}
            if text.strip().lower() not in words:
                raise self._refused("'yes' or 'no'", text)
            return words[text.strip().lower()]
        if self.type in (int, float):
            try:
                value = self.type(text)
            except ValueError:
                what = "a whole number" if self.type is int else "a number"
                raise self._refused(what, text) from None
        self.check(value)
        return value


def check_whole(name: str, value: Any, least: int = 0) -> None:
    """Refuse what is not a whole number of at least `least`.

    >>> check_whole("seed", 1.5)
    Traceback (most recent call last):
    alc_core.errors.ParameterError: seed must be a whole number of at least 0, not 1.5.
    """
    if value is True or value is False or not isinstance(value, Integral) or value < least:
        raise ParameterError(f"{name} must be a whole number of at least {least}, not {value!r}.")


def check_name(what: str, name: str, known: Collection[str], *, option: str = "") -> None:
    """Refuse a name that is none of those known; say which option names it.

    >>> check_name("level", "near", ["exact", "release"])
    Traceback (most recent call last):
    alc_core.errors.ParameterError: Unknown level 'near'. Choose one of exact, release.
    """
    if name not in known:
        where = f" in {option}" if option else ""
        raise ParameterError(f"Unknown {what} '{name}'{where}. Choose one of {', '.join(known)}.")


def find_parameter(parameters: Iterable[Parameter], name: str, *, owner: str) -> Parameter:
    """Return a parameter by name; messages name the owner."""
    known = {parameter.name: parameter for parameter in parameters}
    if name not in known:
        has = ", ".join(known) or "none"
        raise ParameterError(f"{owner} has no parameter '{name}'. Its parameters: {has}.")
    return known[name]
