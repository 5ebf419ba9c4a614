"""Start of the dashboard, from a checkout or a wheel."""

from __future__ import annotations

import signal
import socket
import sys
import threading
import tomllib
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click

from alc_core.errors import InputError, ParameterError
from alc_core.runtime.machine import hold_little_back
from alc_core.team.settings import TeamSettings, streamlit_auth

HOST = "127.0.0.1"  # The only address it listens on
FIRST_PORT = 8501
_PORTS_TRIED = 50
_SECTIONS = ("global", "server", "browser", "client", "runner", "logger")


def site_directory() -> Path:
    """Return the folder of app.py, pages/, assets/, static/, .streamlit/ and docs/methods.md."""
    here = Path(__file__).resolve().parents[1]
    for folder in (here / "site", here.parents[1]):
        if (folder / "app.py").is_file() and (folder / "pages").is_dir():
            return folder
    raise InputError("The dashboard's pages are missing. Reinstall the package.")


def run_dashboard(
    port: int | None = None, open_browser: bool = False, settings: TeamSettings | None = None
) -> None:
    """Run the dashboard until interrupted."""
    from starlette.formparsers import MultiPartParser
    from starlette.middleware import Middleware
    from streamlit.runtime.pages_manager import PagesManager
    from streamlit.starlette import App

    from alc_core.dashboard.app.guard import Guard, broken
    from alc_core.dashboard.state.browser import quiet_log
    from alc_core.dashboard.state.session import is_asked_by, may_fetch, may_upload
    from alc_core.dashboard.state.team import begin_team

    site = site_directory()
    if settings is not None:
        begin_team(settings)
        port = port or settings.server.port
    chosen = _chosen_port(port)
    address = f"http://{HOST}:{chosen}"

    @asynccontextmanager
    async def serving(_app: App) -> AsyncIterator[None]:
        if settings is not None:
            click.echo(f"For a team: {settings.server.public_url}, behind a proxy")
        click.echo(f"Dashboard: {address}  (stop with Ctrl+C)")
        if open_browser:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        yield

    hold_little_back()
    quiet_log()
    # Keep uploads in memory; the parser writes those above 1 MiB to a file
    MultiPartParser.spool_max_size = sys.maxsize
    # The server re-raises signals; Python would end without removing campaign folders
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: sys.exit())
    # Else a new server's first visitor runs a page in pages/ without app.py
    PagesManager.uses_pages_directory = False
    # Streamlit finds settings and theme beside the script
    sys.argv = [str(site / "app.py")]
    guard = Middleware(
        Guard, port=chosen, may_fetch=may_fetch, may_upload=may_upload, may_resume=is_asked_by
    )
    App(
        site / "app.py",
        lifespan=serving,
        middleware=[guard],
        exception_handlers={Exception: broken},
        secrets={} if settings is None else streamlit_auth(settings),
    ).run(config=server_settings(site, chosen, settings))


def server_settings(site: Path, port: int, team: TeamSettings | None = None) -> dict[str, Any]:
    """Return the folder's settings, which override the machine's."""
    settings = tomllib.loads((site / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    chosen = {
        f"{section}.{name}": value
        for section in _SECTIONS
        for name, value in settings.get(section, {}).items()
    }
    if team is not None:
        url = urlsplit(team.server.public_url)
        login = team.login
        told = {login.email_header: "email", login.groups_header: "groups"}
        chosen |= {
            "server.allowedHosts": [url.hostname],
            "server.corsAllowedOrigins": [team.origin],
            "server.maxUploadSize": team.server.upload_mb,
            "server.trustedUserHeaders": told if login.by == "header" else {},
            "browser.serverAddress": url.hostname,
        }
    # Headless also stops Streamlit's advertising.
    return chosen | {"server.port": port, "server.headless": True, "server.address": HOST}


def _chosen_port(port: int | None) -> int:
    if port is None:
        tried = range(FIRST_PORT, FIRST_PORT + _PORTS_TRIED)
        if free := next(filter(_is_free, tried), None):
            return free
        raise ParameterError(f"No port from {tried[0]} to {tried[-1]} is free. Choose another.")
    if not 1 <= port <= 65535:
        raise ParameterError(f"The port must be from 1 to 65535, not {port}.")
    if not _is_free(port):
        raise ParameterError(f"Port {port} is in use or not allowed. Choose another.")
    return port


def _is_free(port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True
