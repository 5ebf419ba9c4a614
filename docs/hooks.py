"""What MkDocs adds when it builds the site: the command reference, the public names, shared files.

A line ``<!-- options: assess -->`` becomes the options of ``alc assess`` as click knows them, and
``<!-- public names -->`` the table of what ``alc_core`` offers, so that neither can go stale.
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import click

ROOT = Path(__file__).resolve().parents[1]
SHARED = {
    "images/icon.svg": "assets/icon.svg",
    "fonts/plex-sans.woff2": "static/fonts/ibm-plex-sans-latin-wght-normal.woff2",
    "fonts/plex-sans-italic.woff2": "static/fonts/ibm-plex-sans-latin-wght-italic.woff2",
    "fonts/plex-sans-greek.woff2": "static/fonts/ibm-plex-sans-greek-wght-normal.woff2",
    "fonts/plex-mono.woff2": "static/fonts/ibm-plex-mono-latin-400-normal.woff2",
    "fonts/LICENSE.txt": "static/fonts/LICENSE.txt",
}
"""Files of the site that the dashboard has already: place in the site, place in the repository."""

OPTIONS = re.compile(r"<!-- options: (\w+) -->")
PUBLIC_NAMES = "<!-- public names -->"
FINDINGS_COLUMNS = "<!-- findings columns -->"


def on_files(files: Any, config: Any) -> Any:
    """Add icon and fonts of the dashboard to the site."""
    from mkdocs.structure.files import File

    for place, source in SHARED.items():
        files.append(
            File.generated(config, place, abs_src_path=str(ROOT / source))
        )
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Fill in what is read from the program."""
    filled = OPTIONS.sub(lambda match: command_options(match[1]), markdown)
    if FINDINGS_COLUMNS in filled:
        filled = filled.replace(FINDINGS_COLUMNS, findings_columns())
    return (
        filled.replace(PUBLIC_NAMES, public_names())
        if PUBLIC_NAMES in filled
        else filled
    )


def command_options(name: str) -> str:
    """Return usage and options of a command as Markdown."""
    from alc_core.cli import cli

    command = cli.get_command(click.Context(cli), name)
    context = click.Context(command, info_name=f"alc {name}")
    usage = " ".join(command.collect_usage_pieces(context))
    records = [param.get_help_record(context) for param in command.params]
    rows = [
        f"| `{names}` | {_cell(text)} |"
        for names, text in filter(None, records)
        if text
    ]
    table = "\n".join(["| option | meaning |", "|---|---|", *rows])
    return f"Usage: `alc {name} {usage}`\n\n{table}"


def findings_columns() -> str:
    """Return what the columns of the findings table hold, as Markdown."""
    from alc_core.campaign.findings.findings_table import columns_legend

    legend = columns_legend().items()
    rows = [f"| `{name}` | {_cell(meaning)} |" for name, meaning in legend]
    return "\n".join(["| column | meaning |", "|---|---|", *rows])


def public_names() -> str:
    """Return the public names with the first line of what each says of itself, as Markdown."""
    import alc_core

    rows = ["| name | what it is |", "|---|---|"]
    for name in sorted(alc_core.__all__, key=str.lower):
        public = getattr(alc_core, name)
        documented = any(
            kind(public)
            for kind in (
                inspect.isclass,
                inspect.isfunction,
                inspect.ismodule,
            )
        )
        text = (
            (inspect.getdoc(public) or "").partition("\n\n")[0]
            if documented
            else ""
        )
        if text:
            rows.append(f"| `{name}` | {_cell(text)} |")
    return "\n".join(rows)


def _cell(text: str) -> str:
    """Return text for a cell of a table, roles as code."""
    text = re.sub(r":\w+:`~?([^`]*)`", r"`\1`", text)
    return " ".join(text.split()).replace("|", r"\|").replace("``", "`")
