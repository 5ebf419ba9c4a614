"""Columns of a release under other names than the original's, on the command line."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import click

from alc_core.errors import InputError

if TYPE_CHECKING:
    from alc_core.tables.table import Table

SAME = click.option(
    "--same",
    multiple=True,
    metavar="NAME=COLUMN",
    help="What the release calls a column of the original, such as pay_class=income. Repeat it for "
    "more columns. 'alc check' suggests them.",
)


def said_columns(options: Mapping[str, Any], original: Table) -> dict[str, str]:
    """Return by column of the release which one of the original it is said to be."""
    said: dict[str, str] = {}
    for text in options["same"]:
        column, of = _name_and_column(text, original)
        if said.setdefault(column, of) != of:
            raise InputError(
                f"--same says that '{column}' is '{said[column]}' and that it is '{of}'. Choose "
                "one of them."
            )
    return said


def same_options(columns: Iterable[tuple[str, str]]) -> str:
    """Return the options, for a POSIX shell, that say which columns are which."""
    return " ".join(f"--same {shlex.quote(f'{column}={of}')}" for column, of in columns)


def _name_and_column(text: str, original: Table) -> tuple[str, str]:
    """Split at the sign behind which a column of the original stands; names may have one, too."""
    parts = text.split("=")
    splits = [("=".join(parts[:k]), "=".join(parts[k:])) for k in range(1, len(parts))]
    found = [(name.strip(), of.strip()) for name, of in splits]
    if not found or not all(found[0]):
        raise InputError(f"--same takes NAME=COLUMN, such as pay_class=income, not '{text}'.")
    return next((each for each in found if each[1] in original.columns), found[0])
