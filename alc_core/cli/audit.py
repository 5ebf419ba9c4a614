"""``alc audit``: whether a team server's log is whole."""

from __future__ import annotations

from pathlib import Path

import click

from alc_core.cli.parts.command import command
from alc_core.cli.parts.printing import echo
from alc_core.phrasing import numbered


@command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
def audit(files: tuple[Path, ...]) -> None:
    """Verify the audit log of a team server.

    FILES form one log, oldest first. Missing final lines change only the last hash:
    compare it with a copy kept elsewhere. In the journal, each start begins a chain.
    """
    from alc_core.team.audit import verify

    lines, chains, last = verify(files)
    within = f" in {numbered(chains, 'chain')}" if chains > 1 else ""
    echo(f"{numbered(lines, 'line')}{within}, all in order. The last hash is {last}")
