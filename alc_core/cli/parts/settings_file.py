"""``alc.toml`` in the working directory: options that a team always gives."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from alc_core.errors import InputError
from alc_core.phrasing import quoted
from alc_core.runtime.files import check_file

FILE = "alc.toml"
# Code and files to write are named on the command line: the folder may be someone else's
_NOT_IN_FILE = ("plugin", "out")


def settings_of(ctx: click.Context) -> dict[str, Any]:
    """Return the options that the file gives to a command, by parameter.

    The command's own table takes precedence over what is given to all commands.
    """
    given = _read()
    own = given.get(ctx.info_name or "", {})
    shared = {name: value for name, value in given.items() if not isinstance(value, dict)}
    params = dict(_options(ctx.command))
    if strange := [name for name in own if name not in params]:
        raise InputError(f"'{FILE}': 'alc {ctx.info_name}' has no option {quoted(strange)}.")
    if any(name not in params for name in shared):
        _refuse_strange(shared, ctx)
    found = {}
    for name, value in {**shared, **own}.items():
        if (param := params.get(name)) is None:
            continue
        if name in _NOT_IN_FILE or (param.name or "").endswith("_out"):
            raise InputError(f"'{FILE}': give --{name} on the command line instead.")
        texts = [v if isinstance(v, bool) else str(v) for v in _listed(value)]
        found[param.name or ""] = texts if param.multiple else texts[-1]
    return found


def _read() -> Mapping[str, Any]:
    check_file(FILE)
    try:
        return tomllib.loads(Path(FILE).read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise InputError(f"'{FILE}' in this directory cannot be read: {error}.") from None


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) and value else [value]


def _options(command: click.Command) -> Iterator[tuple[str, click.Option]]:
    for param in command.params:
        if isinstance(param, click.Option):
            yield from ((name.removeprefix("--"), param) for name in param.opts if name[:2] == "--")


def _refuse_strange(shared: Mapping[str, Any], ctx: click.Context) -> None:
    """Refuse what no command has."""
    group = ctx.find_root().command
    if not isinstance(group, click.Group):
        return
    known = {
        name
        for each in group.list_commands(ctx)
        if (command := group.get_command(ctx, each))
        for name, _ in _options(command)
    }
    if strange := sorted(shared.keys() - known):
        raise InputError(f"'{FILE}': no command has the option {quoted(strange)}.")
