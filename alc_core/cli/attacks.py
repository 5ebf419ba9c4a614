"""``alc attacks``: the attacks that there are."""

from __future__ import annotations

import textwrap
from typing import Any

import click

from alc_core.cli.parts.options import check_writable
from alc_core.cli.parts.printing import echo, write_json


@click.command()
@click.option("--json", "json_out", metavar="OUT", help="Write all as JSON here; '-' for stdout.")
def attacks(json_out: str | None) -> None:
    """List the attacks, what they read, and what can be set.

    Example: alc attacks --plugin my_attack.py
    """
    from alc_core.attacks.registry import attack_types

    check_writable(json_out)
    found = [_plain(each) for each in attack_types().values()]
    if json_out:
        write_json(json_out, "attacks", {"attacks": found})
    if json_out == "-":
        return
    for each in found:
        echo(f"{each['name']}  (reads {' or '.join(each['reads'])}; {each['reference']})")
        for text in (each["method"], *map(_parameter, each["parameters"])):
            echo(textwrap.fill(text, 96, initial_indent="  ", subsequent_indent="    "))


def _plain(found: Any) -> dict[str, Any]:
    names = ("name", "title", "help", "default", "choices", "bounds_text")
    return {
        "name": found.name,
        "method": found.method,
        "reference": found.reference,
        "reads": [each.title for each in found.accepts],
        "parameters": [{name: getattr(p, name) for name in names} for p in found.parameters],
    }


def _parameter(parameter: dict[str, Any]) -> str:
    choices = f" One of {', '.join(parameter['choices'])}." if parameter["choices"] else ""
    return f"{parameter['name']}={parameter['default']}: {parameter['help']}{choices}"
