import socket
import tomllib

import pytest

from alc_core.dashboard.app import launch
from alc_core.errors import InputError, ParameterError


def test_site_holds_what_the_dashboard_needs():
    site = launch.site_directory()
    for part in ("app.py", "pages/data.py", "assets/icon.svg", ".streamlit/config.toml"):
        assert (site / part).is_file()


def test_missing_site_is_told(monkeypatch, tmp_path):
    monkeypatch.setattr(launch, "__file__", str(tmp_path / "a" / "b" / "launch.py"))
    with pytest.raises(InputError, match="pages are missing"):
        launch.site_directory()


def test_wheel_copy_comes_first(monkeypatch, tmp_path):
    site = tmp_path / "b" / "site"
    (site / "pages").mkdir(parents=True)
    (site / "app.py").touch()
    monkeypatch.setattr(launch, "__file__", str(tmp_path / "b" / "app" / "launch.py"))
    assert launch.site_directory() == site


def test_settings_are_strict():
    text = (launch.site_directory() / ".streamlit" / "config.toml").read_text(encoding="utf-8")
    settings = tomllib.loads(text)
    assert settings["server"]["address"] == "127.0.0.1"
    assert settings["server"]["allowedHosts"] == ["localhost", "127.0.0.1"]
    assert settings["browser"]["gatherUsageStats"] is False
    assert settings["client"]["showErrorDetails"] == "none"
    assert "://" not in text


def test_settings_of_the_folder_and_the_port_are_what_counts():
    found = launch.server_settings(launch.site_directory(), 8765)
    assert found["server.address"] == "127.0.0.1"
    assert found["server.port"] == 8765
    assert found["server.headless"] is True, "so that it neither advertises nor asks"
    assert found["server.allowedHosts"] == ["localhost", "127.0.0.1"]
    assert found["browser.gatherUsageStats"] is False
    assert found["client.showErrorDetails"] == "none"
    assert found["client.showSidebarNavigation"] is False
    assert not [name for name in found if name.startswith("theme")]


@pytest.mark.parametrize("port", [0, -1, 70000])
def test_impossible_ports_are_refused(port):
    with pytest.raises(ParameterError, match="must be from 1 to 65535, not"):
        launch.run_dashboard(port)


def test_a_used_port_is_refused():
    with socket.socket() as taken:
        taken.bind((launch.HOST, 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ParameterError, match=f"Port {port} is in use or not allowed"):
            launch.run_dashboard(port)


def test_no_free_port_is_told(monkeypatch):
    monkeypatch.setattr(launch, "_is_free", lambda _: False)
    with pytest.raises(ParameterError, match="No port from 8501 to 8550 is free"):
        launch.run_dashboard()
