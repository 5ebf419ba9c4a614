"""The files to run a team's server: whatever of them can be tried without a container is."""

import re
import shutil
import socket
import subprocess
import time
import tomllib
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
import yaml

from alc_core.dashboard.app.guard import _FOR_MACHINES
from alc_core.dashboard.app.launch import HOST
from alc_core.errors import ParameterError
from alc_core.report.pdf import ENVIRONMENT_VARIABLE
from alc_core.team.settings import Server, read_settings

ROOT = Path(__file__).parents[3]
DEPLOY = ROOT / "deploy"
PORT = tomllib.loads((DEPLOY / "alc.toml").read_text("utf-8"))["server"]["port"]
HERE = f"{HOST}:{PORT}"
PINNED = re.compile(r"[\w/]+:\d[\w.-]*")


def read(name):
    return (DEPLOY / name).read_text("utf-8")


@pytest.fixture
def example(tmp_path):
    def write(text):
        path = tmp_path / "alc.toml"
        path.write_text(text)
        path.chmod(0o600)
        return path

    return write


def test_the_example_of_settings_lacks_its_secrets_alone(example):
    text = read("alc.toml")
    for name in ("client_secret", "cookie_secret"):
        with pytest.raises(ParameterError, match=f"auth.{name}"):
            read_settings(example(text))
        text = text.replace(f'{name} = ""', f'{name} = "{"s" * 32}"')
    settings = read_settings(example(text))
    usual = Server(public_url="", port=PORT, audit_log=settings.server.audit_log)
    for name in Server.__struct_fields__:
        assert f"\n{name} = " in text or f"\n# {name} = " in text, name
        if name != "public_url":
            assert getattr(settings.server, name) == getattr(usual, name), name


def test_proxies_lead_to_the_port_of_the_settings_and_hide_the_numbers():
    for name in ("nginx.conf", "Caddyfile"):
        text = read(name)
        assert re.findall(r"127\.0\.0\.1:\d+", text) == [HERE]
        assert "/metrics" in text
    limit = int(re.search(r"client_max_body_size (\d+)m", read("nginx.conf"))[1])
    assert limit == Server(public_url="").upload_mb + 1


def test_the_image_takes_wheels_by_hash_runs_as_nobody_special_and_says_its_health():
    text = read("Containerfile").replace("\\\n", " ")
    stages = re.findall(r"^FROM (\S+)(?: AS (\w+))?$", text, re.MULTILINE)
    assert len(stages) == 2
    assert all(PINNED.fullmatch(image) for image, _ in stages)
    assert "--require-hashes" in text
    for what in re.findall(r"^COPY (?!--from)(.+)$", text, re.MULTILINE):
        for source in what.split()[:-1]:
            assert (ROOT / source).exists(), source
    copied = re.findall(r"^COPY (?!--from)(\S+)", text, re.MULTILINE)
    packed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    targets = packed["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    roots = {Path(source).parts[0] for source in copied}
    assert {Path(source).parts[0] for source in targets} <= roots | {"app.py"}
    assert re.search(r"^USER [1-9]\d+$", text, re.MULTILINE)
    assert f"http://{HERE}{_FOR_MACHINES[0]}" in text
    assert f"ENV {ENVIRONMENT_VARIABLE}=" in text
    command = re.search(r"^CMD (\[.+\])$", text, re.MULTILINE)[1]
    assert re.findall(r'"([^"]+)"', command)[:2] == ["dashboard", "--settings"]


def test_compose_keeps_the_server_to_itself_and_its_disk_unwritten():
    services = yaml.safe_load(read("compose.yaml"))["services"]
    caddy, ours = services["caddy"], services["alc"]
    assert PINNED.match(caddy["image"])
    assert ours["network_mode"] == "service:caddy"  # so that Caddy reaches 127.0.0.1
    assert "ports" not in ours
    assert (ROOT / ours["build"]["dockerfile"]).exists()
    for each in (caddy, ours):
        assert each["read_only"]
        assert each["cap_drop"] == ["ALL"]
    places = [volume.split(":") for each in (caddy, ours) for volume in each["volumes"]]
    assert all((DEPLOY / source).exists() for source, *_ in places if source.startswith("."))
    written = {Path(place[1]) for place in places if "ro" not in place[2:]}
    log = tomllib.loads(read("alc.toml"))["server"]["audit_log"]
    assert Path(log).parent in written
    assert "/etc/alc/alc.toml" in [place[1] for place in places]


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd")
def test_the_unit_is_understood_and_shuts_the_server_in(tmp_path):
    text = read("alc.service")
    options = re.search(r"^ExecStart=\S+/alc (.+)$", text, re.MULTILINE)[1]
    assert options.startswith("dashboard --settings ")
    unit = tmp_path / "alc.service"
    unit.write_text(text.replace("/opt/alc/.venv/bin/alc", "/bin/true"))
    for check in (["verify", "--man=no"], ["security", "--offline=yes", "--threshold=30"]):
        done = subprocess.run(
            ["systemd-analyze", *check, str(unit)], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert "alc.service:" not in done.stderr, done.stderr


@pytest.fixture
def upstream():
    """Return the address of a server that answers who was asked for."""

    class Told(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(f"{self.headers['host']} {self.headers['origin']}".encode())

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer((HOST, 0), Told) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"{HOST}:{server.server_port}"
        server.shutdown()


@pytest.mark.skipif(not shutil.which("caddy"), reason="there is no Caddy: apt-get install caddy")
def test_caddy_passes_host_and_origin_on_and_keeps_the_numbers_back(tmp_path, upstream):
    with socket.socket() as place:
        place.bind((HOST, 0))
        public = f"{HOST}:{place.getsockname()[1]}"
    text = read("Caddyfile").replace("alc.example.org", f"http://{public}")
    (tmp_path / "Caddyfile").write_text("{\n admin off\n}\n" + text.replace(HERE, upstream))
    environment = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    given = {"cwd": tmp_path, "env": environment, "stderr": subprocess.DEVNULL}
    caddy = shutil.which("caddy")
    unchanged = [caddy, "validate", "--config", str(DEPLOY / "Caddyfile"), "--adapter", "caddyfile"]
    subprocess.run(unchanged, check=True, stdout=subprocess.DEVNULL, **given)
    running = subprocess.Popen([caddy, "run"], stdout=subprocess.DEVNULL, **given)
    try:
        asked = urllib.request.Request(f"http://{public}/", headers={"Origin": f"https://{public}"})
        for _ in range(200):
            try:
                said = urllib.request.urlopen(asked, timeout=5).read().decode()
                break
            except urllib.error.URLError:
                time.sleep(0.1)
        assert said == f"{public} https://{public}"
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(f"http://{public}/metrics", timeout=5)
    finally:
        running.terminate()
        running.wait(30)
