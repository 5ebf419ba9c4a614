"""The settings of a team's server: what is read, and what is refused with which words."""

import os

import pytest

from alc_core.errors import InputError, ParameterError
from alc_core.team.settings import read_settings, streamlit_auth

SECRET = "s" * 40
WELL = f"""
[server]
public_url = "https://alc.example.org"
port = 8600

[login]
by = "oidc"
domains = ["example.org"]

[auth]
client_id = "alc"
client_secret = "x"
server_metadata_url = "https://login.example.org/.well-known/openid-configuration"
cookie_secret = "{SECRET}"
"""
BY_PROXY = WELL.split("[auth]")[0].replace('"oidc"', f'"header"\nproxy_secret = "{SECRET}"')


@pytest.fixture
def written(tmp_path):
    def write(text, mode=0o600):
        path = tmp_path / "alc.toml"
        path.write_text(text)
        path.chmod(mode)
        return path

    return write


@pytest.mark.parametrize(
    "given", ["https://ALC.example.org", "https://alc.example.org:443", "HTTPS://alc.example.org"]
)
def test_the_public_address_is_compared_as_browsers_name_it(written, given):
    settings = read_settings(written(WELL.replace("https://alc.example.org", given)))
    assert (settings.host, settings.origin) == ("alc.example.org", "https://alc.example.org")
    assert streamlit_auth(settings)["auth"]["redirect_uri"].startswith("https://alc.example.org/")


def test_a_file_is_read_and_tells_streamlit_where_people_come_back(written):
    settings = read_settings(written(WELL))
    assert (settings.host, settings.secure, settings.server.port) == ("alc.example.org", True, 8600)
    auth = streamlit_auth(settings)["auth"]
    assert auth["redirect_uri"] == "https://alc.example.org/oauth2callback"
    assert auth["expose_tokens"] == []
    assert not streamlit_auth(read_settings(written(BY_PROXY)))


@pytest.mark.skipif(os.name == "nt", reason="no such permissions")
def test_a_file_of_secrets_is_its_owners_alone(written):
    with pytest.raises(InputError, match="chmod 600"):
        read_settings(written(WELL, mode=0o640))


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (("https://alc.example.org", "http://alc.example.org"), "server.public_url"),
        (("https://alc.example.org", "https://alc.example.org/here"), "server.public_url"),
        (("https://alc.example.org", "alc.example.org"), "server.public_url"),
        (('domains = ["example.org"]', ""), "login.emails"),
        (('by = "oidc"', 'by = "nobody"'), r"login\.by"),
        (('by = "oidc"', 'by = "header"'), "login.proxy_secret"),
        (('by = "oidc"', f'by = "header"\nproxy_secret = "{SECRET}"'), r"\[auth\]"),
        (('client_id = "alc"', ""), "auth.client_id"),
        ((SECRET, "short"), "auth.cookie_secret"),
        (('client_id = "alc"', 'client_id = "alc"\nredirect_uri = "x"'), "auth.redirect_uri"),
        (("port = 8600", "prot = 8600"), "prot"),
        (('domains = ["example.org"]', 'domains = ["a.org"]\nauditors = ["b"]'), "server.shelf"),
        (("port = 8600", "port = 0"), r"server\.port"),
        (("port = 8600", 'metrics_token = "short"'), "metrics_token"),
    ],
)
def test_what_is_missing_or_contradictory_is_named(written, change, named):
    assert change[0] in WELL
    with pytest.raises(ParameterError, match=named):
        read_settings(written(WELL.replace(*change)))


def test_what_is_no_toml_or_not_there_is_said(written, tmp_path):
    with pytest.raises(InputError, match="TOML"):
        read_settings(written("[server"))
    with pytest.raises(InputError, match="cannot be read"):
        read_settings(tmp_path / "nowhere.toml")


@pytest.mark.parametrize(
    ("email", "groups", "admitted"),
    [
        ("ada@example.org", (), True),
        ("ADA@EXAMPLE.ORG ", (), True),
        ("ada@sub.example.org", (), False),
        ("ada@example.org@elsewhere.net", (), False),
        ("boss@elsewhere.net", (), True),
        ("eve@elsewhere.net", ("privacy",), True),
        ("eve@elsewhere.net", ("Privacy", "example.org"), False),
        ("", ("privacy",), False),
        ("@example.org", (), False),
    ],
)
def test_people_are_admitted_by_address_domain_or_group(written, email, groups, admitted):
    lists = 'domains = ["example.org"]\nemails = ["Boss@elsewhere.net"]\ngroups = ["privacy"]'
    settings = read_settings(written(WELL.replace('domains = ["example.org"]', lists)))
    assert settings.login.admits(email, groups) is admitted


def test_an_auditor_is_admitted_and_stays_one_on_every_other_list(written):
    lists = 'domains = ["example.org"]\nauditors = ["Eve@example.org", "auditing"]'
    text = WELL.replace('domains = ["example.org"]', lists).replace(
        "port = 8600", 'port = 8600\nshelf = "shelf"'
    )
    login = read_settings(written(text)).login
    assert login.admits("zoe@elsewhere.net", ("auditing",))
    assert login.audits("eve@EXAMPLE.org", ())
    assert login.audits("ada@example.org", ("auditing",))
    assert not login.audits("ada@example.org", ("Auditing", "example.org"))
