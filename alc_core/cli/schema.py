"""``alc schema``: the JSON Schema of what commands write."""

from __future__ import annotations

import json

import click

from alc_core.cli.parts.command import command
from alc_core.cli.parts.printing import echo

_NAMES = ("assess", "attacks", "check", "compare", "findings", "gate", "plan", "study")


@command()
@click.argument("name", type=click.Choice(_NAMES))
def schema(name: str) -> None:
    """Print the JSON Schema of a command's output.

    All studies share one.

    Example: alc schema gate
    """
    from alc_core.report.json_shapes import schema as made

    echo(json.dumps(made(name), indent=1))
