"""``alc attacks``: the available attacks."""

from __future__ import annotations

import textwrap
from typing import Any

from alc_core.cli.parts.command import command
from alc_core.cli.parts.printing import Outputs, echo, out_option
from alc_core.plain_values import plain_of


@command()
@out_option("json", "Write JSON here; '-' for stdout.")
def attacks(**options: Any) -> None:
    """List the available attacks and parameters.

    Example: alc attacks --plugin my_attack.py
    """
    from alc_core.attacks.registry import attack_types

    outputs = Outputs(options)
    found = [_plain(each) for each in attack_types().values()]
    outputs.write_json("attacks", lambda: {"attacks": found})
    for each in () if outputs.on_stdout else found:
        echo(f"{each['name']}  (reads {' or '.join(each['reads'])}; {each['reference']})")
        for text in (each["method"], *map(_parameter, each["parameters"])):
            echo(textwrap.fill(text, 96, initial_indent="  ", subsequent_indent="    "))


def _plain(found: Any) -> dict[str, Any]:
    names = ("name", "title", "help", "default", "choices", "bounds_text")
    return {
        **plain_of(found, "name", "method", "reference"),
        "reads": [each.title for each in found.accepts],
        "parameters": [plain_of(each, *names) for each in found.parameters],
    }


def _parameter(parameter: dict[str, Any]) -> str:
    choices = f" One of {', '.join(parameter['choices'])}." if parameter["choices"] else ""
    return f"{parameter['name']}={parameter['default']}: {parameter['help']}{choices}"
