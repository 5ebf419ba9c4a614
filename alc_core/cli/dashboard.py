"""``alc dashboard``: the pages in a browser."""

from __future__ import annotations

from pathlib import Path

import click

from alc_core.cli.parts.command import command


@command()
@click.option(
    "--port", type=click.IntRange(1, 65535), help="Port. [default: the first free from 8501]"
)
@click.option("--browser/--no-browser", default=True, help="Open a browser window.")
@click.option(
    "--settings",
    type=click.Path(path_type=Path),
    help="A team server's settings, such as logins.",
)
def dashboard(port: int | None, *, browser: bool, settings: Path | None) -> None:
    """Start the dashboard."""
    from alc_core.dashboard.app.launch import run_dashboard
    from alc_core.team.settings import read_settings

    team = None if settings is None else read_settings(settings)
    run_dashboard(port=port, open_browser=browser and team is None, settings=team)
