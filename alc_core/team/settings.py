"""A team server's settings, checked before the start."""

from __future__ import annotations

import os
import re
import sys
import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import SplitResult, urlsplit

import msgspec

from alc_core.errors import InputError, ParameterError
from alc_core.runtime.files import check_file

JOURNAL = "journal"  # systemd's, in place of a file
_LOOPBACK = ("localhost", "127.0.0.1")
_SECRET_CHARACTERS = 32
_ADDRESS = re.compile(r"[^\s@,]+@[^\s@,]+")
_AUTH = ("client_id", "client_secret", "server_metadata_url", "cookie_secret")

Share = Annotated[int, msgspec.Meta(ge=1)]
Secret = Annotated[str, msgspec.Meta(min_length=_SECRET_CHARACTERS)]


class Server(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The server's address, logs and limits per person."""

    public_url: str  # As browsers name it, without a path
    port: Annotated[int, msgspec.Meta(ge=1, le=65535)] | None = None  # On 127.0.0.1
    audit_log: str = ""  # A file, or JOURNAL; empty: no log
    metrics_token: Secret | None = None  # Bearer token that may read /metrics
    campaigns_at_once: Share = 2
    sessions_per_person: Share = 3
    upload_mb: Share = 1024
    session_mb: Share = 4096  # Files of one session
    reserve_mb: Share = 1024  # Memory that no upload may take
    shelf: str = ""  # Folder of shared campaigns; empty: none
    shelf_days: Share = 90  # Days until removal


class Login(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How people log in, and who may."""

    by: Literal["oidc", "header"]
    emails: frozenset[str] = frozenset()
    domains: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()
    auditors: frozenset[str] = frozenset()  # Addresses or groups that only read the team folder
    hours: Annotated[float, msgspec.Meta(gt=0)] = 10.0  # Until people log in again
    email_header: str = "X-Forwarded-Email"  # If `by` is "header": the headers the proxy sets
    groups_header: str = "X-Forwarded-Groups"
    proxy_header: str = "X-Alc-Proxy"  # proves the sender is the proxy
    proxy_secret: Secret | None = None
    groups_claim: str = "groups"  # If `by` is "oidc"

    def admits(self, email: str, groups: Collection[str]) -> bool:
        """Return whether an address, its domain or a group is on a list.

        >>> login = Login(by="oidc", domains=frozenset({"example.org"}))
        >>> login.admits("Ada@Example.org", ()), login.admits("ada@example.org.net", ())
        (True, False)
        """
        address = email.strip().lower()
        if not is_address(address):
            return False
        name, _, domain = address.partition("@")
        listed = {each.lower() for each in self.emails}
        return (
            f"{name}@{domain}" in listed
            or domain in {each.lower() for each in self.domains}
            or not self.groups.isdisjoint(groups)
            or self.audits(email, groups)
        )

    def audits(self, email: str, groups: Collection[str]) -> bool:
        """Return whether a person is an auditor, whatever other lists."""
        listed = {each.lower() for each in self.auditors}
        return email.strip().lower() in listed or not self.auditors.isdisjoint(groups)


def is_address(text: str) -> bool:
    """Return whether a text is one address, not several or part of a header.

    >>> is_address("ada@example.org"), is_address("eve@there.net, ada@example.org")
    (True, False)
    """
    return text.isprintable() and _ADDRESS.fullmatch(text) is not None


class TeamSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A settings file's content."""

    server: Server
    login: Login
    auth: dict[str, Any] = {}  # OpenID Connect, for Streamlit's st.login

    @property
    def secure(self) -> bool:
        """Whether people reach it by TLS."""
        return urlsplit(self.server.public_url).scheme == "https"

    @property
    def host(self) -> str:
        """The browser's ``Host``."""
        return _asked(self.server.public_url).netloc

    @property
    def origin(self) -> str:
        """The browser's ``Origin``."""
        return _asked(self.server.public_url).geturl()


def _asked(url: str) -> SplitResult:
    """Return an address in lower case, without the default port."""
    found = urlsplit(url.lower())
    usual = {"https": ":443", "http": ":80"}[found.scheme]
    return found._replace(netloc=found.netloc.removesuffix(usual))


def read_settings(path: str | os.PathLike[str]) -> TeamSettings:
    """Read and check a private settings file."""
    place = Path(path)
    check_file(place)
    try:
        text = place.read_text("utf-8")
        mode = place.stat().st_mode
    except OSError as error:
        raise InputError(f"The settings '{place}' cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise InputError(f"The settings '{place}' are not UTF-8.") from None
    if sys.platform != "win32" and mode & 0o077:
        raise InputError(
            f"Others may read the settings '{place}', which hold secrets. Run: chmod 600 {place}"
        )
    try:
        settings = msgspec.convert(tomllib.loads(text), TeamSettings, strict=False)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"The settings '{place}' are not valid TOML: {error}.") from None
    except msgspec.ValidationError as error:
        raise ParameterError(f"The settings '{place}' are wrong: {error}.") from None
    if problem := _problem(settings):
        raise ParameterError(f"The settings '{place}' are wrong: {problem}")
    return settings


def streamlit_auth(settings: TeamSettings) -> Mapping[str, Any]:
    """Return secrets for Streamlit's login; empty with other logins."""
    if settings.login.by != "oidc":
        return {}
    own = {"redirect_uri": f"{settings.origin}/oauth2callback", "expose_tokens": []}
    return {"auth": {**settings.auth, **own}}


def _problem(settings: TeamSettings) -> str:
    """Return the first problem of settings, with its remedy."""
    server, login, auth = settings.server, settings.login, settings.auth
    url = urlsplit(server.public_url)
    if url.scheme not in ("http", "https") or not url.hostname or url.path or url.query:
        return (
            "'server.public_url' must be like 'https://alc.example.org', without a path, not "
            f"'{server.public_url}'."
        )
    if url.scheme != "https" and url.hostname not in _LOOPBACK:
        return f"'server.public_url' must begin with https:// for '{url.hostname}'."
    if not (login.emails or login.domains or login.groups):
        return "nobody may log in. Set 'login.emails', 'login.domains' or 'login.groups'."
    if login.auditors and not server.shelf:
        return "'login.auditors' need a team folder: set 'server.shelf'."
    if login.by == "header":
        if login.proxy_secret is None:
            return "'login.proxy_secret' is missing: anyone on this machine could log in as anyone."
        return "[auth] is for 'login.by = \"oidc\"'. Remove one of them." if auth else ""
    if missing := [name for name in _AUTH if not auth.get(name)]:
        return f"'auth.{missing[0]}' is missing (needed for OpenID Connect)."
    if len(str(auth["cookie_secret"])) < _SECRET_CHARACTERS:
        return f"'auth.cookie_secret' must have at least {_SECRET_CHARACTERS} characters."
    if told := [name for name in ("redirect_uri", "expose_tokens") if name in auth]:
        return f"'auth.{told[0]}' follows from 'server.public_url'. Remove it."
    return ""
