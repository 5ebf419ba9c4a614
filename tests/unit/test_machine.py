"""What is left of the machine's memory and of a service's, and filters of warnings."""

import sys
import warnings

import numpy as np
import psutil
import pytest
from joblib import parallel_config
from sklearn.ensemble import RandomForestClassifier

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


def test_fits_in_threads_leave_the_filters_of_warnings_as_they_are():
    """Each thread of scikit-learn empties them for a moment; two at once could for good."""
    before, interval = list(warnings.filters), sys.getswitchinterval()
    known, unknown = np.arange(400).reshape(200, 2), np.arange(200) % 3
    sys.setswitchinterval(1e-5)
    try:
        for _ in range(8):
            with parallel_config("threading"), machine.kept_warnings():
                RandomForestClassifier(50, n_jobs=4).fit(known, unknown)
    finally:
        sys.setswitchinterval(interval)
    assert list(warnings.filters) == before
