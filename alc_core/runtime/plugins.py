"""Plug-ins: modules and files that register attacks, releases, measures, studies."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from alc_core.errors import InputError
from alc_core.phrasing import quoted
from alc_core.runtime.files import check_file

GROUP = "alc_core.plugins"  # Entry points of installed packages

# Their pickles send a file's definitions by value: workers cannot import them
_SENDERS = ("joblib.externals.cloudpickle", "cloudpickle")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugin:
    """An importable module, or a Python file with its text."""

    name: str
    source: str | None = None


_loaded: dict[str, Plugin] = {}


def loaded_plugins() -> tuple[Plugin, ...]:
    """Return loaded plug-ins, for another process."""
    return tuple(_loaded.values())


def load_plugins(named: Iterable[str | Plugin] = ()) -> None:
    """Load the plug-ins of installed packages, and `named`, each once.

    Parameters
    ----------
    named : iterable of str
        Python files and importable modules.

    Raises
    ------
    InputError
        If one is missing or fails to load.

    Examples
    --------
    >>> load_plugins(["statistics"])
    """
    _load_installed()
    for each in named:
        plugin = each if isinstance(each, Plugin) else _found(each)
        if plugin.name not in _loaded:
            _load(plugin)
            _loaded[plugin.name] = plugin


@cache
def _load_installed() -> None:
    for entry in entry_points(group=GROUP):
        try:
            loaded = entry.load()
            if callable(loaded):
                loaded()
        except Exception as error:
            package = entry.dist.name if entry.dist else entry.value
            advice = f"It is installed with '{package}': fix or uninstall that."
            raise _refusal(f"{entry.name} ({entry.value})", error, advice) from error


def _found(name: str) -> Plugin:
    path = Path(name)
    if path.suffix != ".py":
        return Plugin(name=name)
    check_file(path)
    try:
        return Plugin(name=str(path.resolve()), source=path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise _refusal(name, error) from None


def _load(plugin: Plugin) -> None:
    try:
        if plugin.source is None:
            import_module(plugin.name)
            return
        module = ModuleType(f"alc_plugin_{Path(plugin.name).stem}")
        module.__file__ = plugin.name
        sys.modules[module.__name__] = module
        exec(compile(plugin.source, plugin.name, "exec"), vars(module))  # noqa: S102
        for sender in _SENDERS:
            with suppress(ImportError):
                import_module(sender).register_pickle_by_value(module)
    except Exception as error:
        raise _refusal(plugin.name, error) from error


def _refusal(name: str, error: Exception, advice: str = "") -> InputError:
    line = _line_in(name, error)
    start = f"The plug-in '{name}' cannot be loaded" + (f" (line {line})" if line else "")
    if isinstance(error, InputError):
        return InputError(f"{start}: {error}")
    default = "Fix it there." if line else "Name a Python file or module."
    return InputError(f"{start}: {type(error).__name__}: {error}. {advice or default}")


def described(given: object) -> str:
    """Return what a plug-in passed, with the file that defines it.

    >>> described([1]), described(Path)
    ("a 'list'", "the class 'Path' in 'pathlib.py'")
    """
    kind = given if isinstance(given, type) else type(given)
    named = f"the class '{kind.__name__}'" if given is kind else f"a '{kind.__name__}'"
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    ours = kind.__module__.startswith("alc_core.")
    return f"{named} in '{Path(file).name}'" if file and not ours else named


def check_plugged(given: object, what: str, members: Iterable[str], advice: str = "") -> None:
    """Refuse a class in place of an object, and an object without some members."""
    if isinstance(given, type):
        raise InputError(f"The {what} is {described(given)}. Pass {given.__name__}().")
    if lacking := [name for name in members if not hasattr(given, name)]:
        raise InputError(
            f"The {what} is {described(given)} without {quoted(lacking)}. "
            f"{advice or 'Add what it lacks.'}"
        )


def add_plugged(found: dict[str, Any], name: str, given: object, what: str) -> None:
    """Register an object once."""
    if found.setdefault(name, given) is not given:
        raise InputError(f"A {what} called '{name}' already exists.")


def place_in_plugin(error: Exception) -> str:
    """Return the plug-in's file and line that raised, if any."""
    for plugin in loaded_plugins():
        imported = getattr(sys.modules.get(plugin.name), "__file__", None)
        file = imported if plugin.source is None else plugin.name
        if file and (line := _line_in(file, error)):
            return f"'{Path(file).name}', line {line}"
    return ""


def _line_in(file: str, error: Exception) -> int | None:
    frames = reversed(traceback.extract_tb(error.__traceback__))
    return next((frame.lineno for frame in frames if frame.filename == file), None)
