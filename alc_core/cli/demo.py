"""``alc demo``: tables to try everything out."""

from __future__ import annotations

from pathlib import Path

import click

from alc_core.cli.parts.command import command
from alc_core.cli.parts.printing import echo


@command()
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Overwrite existing files.")
def demo(directory: Path, *, force: bool) -> None:
    """Write the demo tables to a directory.

    Originals and their releases, as CSV files.
    """
    from alc_core.releases.samples.demo import write_demos

    for line in write_demos(directory, overwrite=force):
        echo(line)
