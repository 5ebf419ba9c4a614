"""What is left of the machine's memory, and of a service's."""

import psutil
import pytest

from alc_core.runtime import machine

MIB = 2**20


@pytest.mark.parametrize(
    ("limits", "left"),
    [
        ({}, 5000),
        ({"": "max"}, 5000),
        ({"": "max", "system/alc": "1000"}, 1000 - 300 + 50),
        ({"system": "800", "system/alc": "1000"}, 800 - 300 + 50),
        ({"system/alc": "9000"}, 5000),
    ],
)
def test_no_more_is_left_than_to_the_service_itself(tmp_path, monkeypatch, limits, left):
    monkeypatch.setattr(
        psutil, "virtual_memory", lambda: type("Memory", (), {"available": 5000 * MIB})
    )
    own = tmp_path / "own"
    own.write_text("4:memory:/other\n0::/system/alc\n")
    monkeypatch.setattr(machine, "_OWN_GROUP", own)
    monkeypatch.setattr(machine, "_GROUPS", tmp_path / "groups")
    for name, limit in limits.items():
        group = tmp_path / "groups" / name
        group.mkdir(parents=True, exist_ok=True)
        number = limit if limit == "max" else str(int(limit) * MIB)
        (group / "memory.max").write_text(f"{number}\n")
        (group / "memory.current").write_text(f"{300 * MIB}\n")
        (group / "memory.stat").write_text(f"anon 1\ninactive_file {50 * MIB}\n")
    assert machine.memory_left() == left * MIB
