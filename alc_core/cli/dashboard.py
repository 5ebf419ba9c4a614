"""``alc dashboard``: the pages in a browser."""

from __future__ import annotations

import click


@click.command()
@click.option("--port", type=click.IntRange(1, 65535), help="[default: the first free from 8501]")
@click.option("--browser/--no-browser", default=True, help="Open a browser window.")
def dashboard(port: int | None, *, browser: bool) -> None:
    """Start the dashboard on this machine."""
    from alc_core.dashboard.app.launch import run_dashboard

    run_dashboard(port=port, open_browser=browser)
