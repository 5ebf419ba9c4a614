"""``alc demo`` and ``alc dashboard``."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Overwrite files that are there.")
def demo(directory: Path, *, force: bool) -> None:
    """Write the demo originals and releases into DIRECTORY as CSV files."""
    from alc_core.releases.samples.demo import write_demos

    for line in write_demos(directory, overwrite=force):
        click.echo(line)


@click.command()
@click.option("--port", type=click.IntRange(1, 65535), help="[default: the first free from 8501]")
@click.option("--browser/--no-browser", default=True, help="Open a browser window.")
def dashboard(port: int | None, *, browser: bool) -> None:
    """Start the dashboard on this machine."""
    from alc_core.dashboard.app.launch import run_dashboard

    run_dashboard(port=port, open_browser=browser)
