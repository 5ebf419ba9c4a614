"""A team's server with real parts: nginx with TLS before it, an OpenID provider, Chromium."""

import datetime as dt
import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from playwright.sync_api import BrowserContext, Page, expect

from alc_core.team.audit import verify
from tests.browser.conftest import LONG, QUICK, ROOT, Server, own_port
from tests.browser.steps import download, drawn, visit

pytestmark = pytest.mark.browser

NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
TEAM = "from alc_core.team.settings import read_settings\nteam = read_settings({file!r})\n"
TOKEN = "m" * 32


class Team:
    """The server with what stands around it."""

    def __init__(self, folder: Path, *, start: str = QUICK) -> None:
        self.folder, self.port, self.inside, self.provider = folder, *(own_port() for _ in "abc")
        self.address = f"https://127.0.0.1:{self.port}"
        self.log = folder / "audit.jsonl"
        self._parts = [self._start_provider(), self._start_proxy()]
        begin = start.replace("run_dashboard({port})", "run_dashboard(settings=team)")
        self._start = TEAM.replace("{file!r}", repr(str(self._settings()))) + begin
        self.server = Server(folder, start=self._start)

    def _settings(self) -> Path:
        path = self.folder / "alc.toml"
        path.write_text(
            f'[server]\npublic_url = "{self.address}"\nport = {self.inside}\n'
            f'audit_log = "{self.log}"\nmetrics_token = "{TOKEN}"\n'
            '[login]\nby = "oidc"\ndomains = ["example.org"]\ngroups = ["privacy"]\n'
            '[auth]\nclient_id = "alc"\nclient_secret = "x"\n'
            f'server_metadata_url = "http://127.0.0.1:{self.provider}/.well-known/'
            f'openid-configuration"\ncookie_secret = "{"c" * 40}"\n'
        )
        path.chmod(0o600)
        return path

    def _start_provider(self) -> subprocess.Popen[bytes]:
        command = Path(sys.executable).with_name("oidc-provider-mock")
        return subprocess.Popen(
            [command, "--port", str(self.provider), "--token-max-age", str(10 * HOUR)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def _start_proxy(self) -> subprocess.Popen[bytes]:
        """Start nginx with the very file that is deployed, on other ports."""
        certify(self.folder)
        block = (ROOT / "deploy/nginx.conf").read_text("utf-8")
        for old, new in {
            "listen 443 ssl": f"listen 127.0.0.1:{self.port} ssl",
            "alc.example.org": "127.0.0.1",
            "/etc/ssl": str(self.folder),
            "127.0.0.1:8600": f"127.0.0.1:{self.inside}",
        }.items():
            assert old in block
            block = block.replace(old, new)
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        places = "".join(f"{kind}_temp_path {self.folder}/{kind};\n" for kind in kinds)
        (self.folder / "nginx.conf").write_text(
            f"daemon off; pid {self.folder}/pid; error_log {self.folder}/error.log;\n"
            f"events {{}}\nhttp {{\n{places}{block}\n}}\n"
        )
        return subprocess.Popen(
            [NGINX, "-p", self.folder, "-c", self.folder / "nginx.conf"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def tell(self, person: str, **claims: object) -> None:
        """Let the provider know a person."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.provider}/users/{person}",
            data=json.dumps({"email": person, **claims}).encode(),
            headers={"content-type": "application/json"},
            method="PUT",
        )
        urllib.request.urlopen(request).close()

    def fall(self) -> None:
        """End the server at once, as the system does without memory, and start it anew."""
        self.server.signal(signal.SIGKILL)
        self.server.stop()
        self.server = Server(self.folder, start=self._start)

    def numbers(self) -> dict[str, float]:
        """Return what the server tells of itself, by name."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.inside}/metrics", headers={"authorization": f"Bearer {TOKEN}"}
        )
        with urllib.request.urlopen(request) as said:
            lines = said.read().decode().splitlines()
        told = [line.split() for line in lines if not line.startswith("#")]
        return {name: float(number) for name, number in told}

    def logged(self) -> list[tuple[str, str]]:
        lines = [json.loads(line) for line in self.log.read_text("utf-8").splitlines()]
        return [(line["what"], line["who"]) for line in lines]

    def stop(self) -> None:
        for part in self._parts:
            part.terminate()
            part.wait(LONG / 1000)
        self.server.stop()


def certify(folder: Path) -> None:
    """Write a key and a certificate that it signed itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(1).not_valid_before(now).not_valid_after(now + dt.timedelta(days=1))
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    (folder / "alc.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (folder / "alc.key").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )


@pytest.fixture(scope="module")
def team(tmp_path_factory):
    if NGINX is None:
        word = "There is no nginx: apt-get install nginx-light"
        if os.environ.get("ALC_REQUIRE_BROWSER") == "1":
            pytest.fail(word)
        pytest.skip(word)
    running = Team(tmp_path_factory.mktemp("team"))
    yield running
    running.stop()


@pytest.fixture
def somebody(chromium):
    """Return a browser of its own each time."""
    opened: list[BrowserContext] = []

    def come() -> BrowserContext:
        context = chromium.new_context(ignore_https_errors=True)
        context.set_default_timeout(LONG)
        opened.append(context)
        return context

    yield come
    for context in opened:
        context.close()


def log_in(context: BrowserContext, team: Team, person: str, at: str = "") -> Page:
    page = context.new_page()
    page.goto(at or team.address)
    page.get_by_role("button", name="Log in").click()
    page.locator("input[name=sub]").fill(person)
    page.get_by_role("button").first.click()
    page.wait_for_url(f"{team.address}/**")
    drawn(page)
    return page


def upload_to(page: Page, url: str) -> int:
    """Send a file to an address with all that the page's own browser has; return the status."""
    token = next(c["value"] for c in page.context.cookies() if c["name"] == "_streamlit_xsrf")
    file = {"name": "a.csv", "mimeType": "text/csv", "buffer": b"a\n1\n"}
    origin = "/".join(url.split("/")[:3])
    headers = {"origin": origin, "x-xsrftoken": token}
    return page.request.put(url, headers=headers, multipart={"file": file}).status


def announce(team: Team, url: str, size: int) -> int:
    """Say behind the proxy that a file of a size is on its way; return the status."""
    with closing(http.client.HTTPConnection("127.0.0.1", team.inside)) as connection:
        connection.putrequest("PUT", urlsplit(url).path, skip_host=True)
        host = team.address.removeprefix("https://")
        for header in (("host", host), ("origin", team.address), ("content-length", str(size))):
            connection.putheader(*header)
        connection.endheaders()
        return connection.getresponse().status


def test_people_of_the_list_log_in_by_tls_and_log_out_in_all_tabs(team, somebody):
    team.tell("ada@example.org")
    browser = somebody()
    page = log_in(browser, team, "ada@example.org")
    expect(page.get_by_role("button", name="Assess my data")).to_be_visible()
    cookies = {cookie["name"]: cookie for cookie in browser.cookies()}
    assert {"_streamlit_user", "_streamlit_xsrf"} <= cookies.keys()
    assert all(cookie["secure"] for cookie in cookies.values())
    other = browser.new_page()
    other.goto(team.address)
    expect(other.get_by_role("button", name="Log out")).to_be_visible()
    page.get_by_role("button", name="Log out").click()
    page.wait_for_url(f"http://127.0.0.1:{team.provider}/**")
    visiting = other.get_by_test_id("stSidebar").get_by_role("link", name="1 Data")
    visiting.click()
    expect(other.get_by_text("You have logged out.")).to_be_visible()
    expect(visiting).to_have_count(0)
    assert ("logout", "ada@example.org") in team.logged()
    lines, *_ = verify([team.log])
    assert lines == len(team.logged())


NOW, HOUR = int(time.time()), 3600
NOT_ACCEPTED = {
    "another": {"aud": "another"},
    "expired": {"exp": NOW - HOUR},
    "future": {"iat": NOW + HOUR},
}
"""What the provider says of somebody whom Streamlit's login lets nowhere."""

NOT_LET_IN = [
    ("eve@elsewhere.net", {"groups": ["public"]}, "may not use this server"),
    ("bob@example.org", {"aud": "another", "azp": "alc"}, "is for another program"),
    ("fay@example.org", {"iat": NOW - 11 * HOUR}, "Your login has expired"),
]
"""Whom we do not let in, what the provider says of them, and what they read."""


def test_only_people_of_the_lists_come_in_and_others_read_and_the_log_says_why(team, somebody):
    browser = somebody()
    login: list[str] = []
    browser.on("request", lambda r: login.append(r.url) if "/auth/login" in r.url else None)
    eve, claims, words = NOT_LET_IN[0]
    team.tell(eve, **claims)
    page = log_in(browser, team, eve)
    expect(page.get_by_text(words)).to_be_visible()
    page.goto(f"{team.address}/data")
    expect(page.get_by_text(words)).to_be_visible()
    expect(page.get_by_test_id("stFileUploader")).to_have_count(0)

    def come(person: str, **claims: object) -> str:
        """Log in without a page; return where that leads."""
        team.tell(person, **claims)
        form = browser.request.get(login[0])
        return browser.request.post(form.url, form={"sub": person}).url

    for person, claims, words in NOT_LET_IN[1:]:
        assert come(person, **claims) == f"{team.address}/"
        page.goto(team.address)
        expect(page.get_by_text(words)).to_be_visible()
        assert ("refused", person) in team.logged()
    ends = [come(f"{why}@example.org", **claims) for why, claims in NOT_ACCEPTED.items()]
    assert set(ends) == {f"{team.address}/?refused"}
    assert team.logged().count(("refused", "")) in (1, 2), "one line a minute"
    page.goto(ends[0])
    expect(page.get_by_text("Logging in failed")).to_be_visible()
    assert "InvalidClaimError" in team.server.log, "the program's log says why"
    # Two hundred groups fit.
    come("dan@elsewhere.net", groups=[*(f"group {i:03}" for i in range(200)), "privacy"])
    page.goto(team.address)
    expect(page.get_by_role("button", name="Assess my data")).to_be_visible()


def test_forged_cookies_and_headers_are_nobody(team, somebody):
    browser = somebody()
    browser.set_extra_http_headers({"x-forwarded-email": "ada@example.org", "x-alc-proxy": "x"})
    forged = '"2|1:0|10:1700000000|15:_streamlit_user|4:eyJlIjoxfQ==|0123456789abcdef"'
    browser.add_cookies([{"name": "_streamlit_user", "value": forged, "url": team.address}])
    page = browser.new_page()
    page.goto(team.address)
    expect(page.get_by_text("This login is not valid here.")).to_be_visible()
    assert ("refused", "") in team.logged()
    browser.clear_cookies()
    page.reload()
    expect(page.get_by_text("Log in to review")).to_be_visible()


def test_addresses_and_files_of_one_serve_no_other(team, somebody):
    team.tell("ada@example.org")
    team.tell("cyd@example.org")
    ada = log_in(somebody(), team, "ada@example.org")
    ada.get_by_role("button", name="Try the demo").click()
    ada.get_by_role("button", name="Run the attacks").click()
    expect(ada.get_by_role("heading", name="Findings", exact=True)).to_be_visible()
    visit(ada, "Decision")
    second = ada.context.new_page()
    second.goto(f"{team.address}/data")
    with second.expect_request("**/upload_file/**") as sent:
        second.locator("input[type=file]").first.set_input_files(
            {"name": "people.csv", "mimeType": "text/csv", "buffer": b"a,b\n1,2\n3,4\n"}
        )
    upload = sent.value.url
    assert upload_to(ada, upload) == 204
    assert announce(team, upload, 2 * 2**30) == 413
    expect(second.get_by_test_id("stToast").get_by_text("exceeds")).to_be_visible()
    expect(second.get_by_role("heading", name="Data", exact=True)).to_be_visible()
    signed = ada.get_by_role("textbox", name="Decided by")
    expect(signed).to_have_value("ada@example.org")
    expect(signed).to_be_disabled()
    preview = ada.locator("iframe").first
    link = f"{team.address}{preview.get_attribute('src').removeprefix(team.address)}"
    assert ada.request.get(link).status == 200
    saved = ("export", "ada@example.org")
    expect(ada.get_by_role("button", name="HTML")).to_be_visible()
    assert saved not in team.logged(), "what a page offers is not saved yet"
    download(ada.get_by_role("button", name="HTML"))
    assert team.logged().count(saved) == 1
    there = somebody()
    cyd = log_in(there, team, "cyd@example.org", at=ada.url)
    expect(cyd.get_by_text("1 Data")).to_be_visible()
    expect(cyd.get_by_text("fair 5% swapped")).to_have_count(0)
    assert cyd.request.get(link).status == 404
    assert upload_to(cyd, upload) == 404
    # The same browser, but another person: the address of before opens nothing.
    address = ada.url
    ada.get_by_role("button", name="Log out").click()
    ada.wait_for_url(f"http://127.0.0.1:{team.provider}/**")
    assert ada.request.get(link).status == 404
    assert upload_to(ada, upload) == 404  # of another tab
    again = log_in(ada.context, team, "cyd@example.org", at=address)
    expect(again.get_by_text("1 Data")).to_be_visible()
    expect(again.get_by_text("fair 5% swapped")).to_have_count(0)
    assert {"campaign started", "removal"} <= {what for what, _ in team.logged()}
    lines = map(json.loads, team.log.read_text("utf-8").splitlines())
    (ended,) = (line for line in lines if line["what"] == "campaign ended")
    assert set(ended["verdicts"]) == {f"fair {share}% swapped" for share in (5, 20, 80)}


def test_after_a_kill_ten_sessions_are_logged_in_and_told_that_what_was_open_is_gone(
    team, somebody
):
    pages = []
    for name, tabs in (("kai", 3), ("lea", 3), ("max", 2), ("noa", 2)):
        team.tell(f"{name}@example.org")
        pages.append(log_in(somebody(), team, f"{name}@example.org"))
        for _ in range(tabs - 1):
            pages.append(pages[-1].context.new_page())
            pages[-1].goto(team.address)
    for page in pages:
        page.get_by_role("button", name="Try the demo").click()
        expect(page.get_by_role("button", name="Run the attacks")).to_be_visible()
    assert team.numbers()["alc_sessions"] >= 10
    pages[0].get_by_role("button", name="Run the attacks").click()
    expect(pages[0].get_by_test_id("stSidebar").get_by_text("Attacks: ")).to_be_visible()
    written = team.logged()
    team.fall()
    told = team.numbers()
    assert told["alc_sessions"] == told["alc_campaigns_running"] == 0
    for page in pages:
        page.reload()
        expect(page.get_by_test_id("stToast").get_by_text("This session has ended")).to_be_visible()
        expect(page.get_by_role("button", name="Log out")).to_be_visible()
    assert team.logged()[: len(written)] == written  # nothing of the log is lost, and it goes on
    assert verify([team.log])[0] == len(team.logged()) >= len(written)
