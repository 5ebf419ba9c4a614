import os
import shutil
import tempfile
from pathlib import Path

import pytest

from alc_core.assessment.result import TableSummary
from alc_core.campaign.file.store import CampaignStore
from alc_core.campaign.model import CampaignSettings
from alc_core.scoring.parameters import LoopParameters, ScoringParameters


@pytest.fixture
def without_privileges():
    """A folder whose permissions count, even where the tests run as root."""
    if os.name != "posix":
        pytest.skip("permissions of POSIX")
    folder = Path(tempfile.mkdtemp())
    root = os.geteuid() == 0
    if root:
        os.chown(folder, 65534, 65534)
        os.seteuid(65534)
    yield folder
    if root:
        os.seteuid(0)
    folder.chmod(0o700)
    shutil.rmtree(folder)


@pytest.fixture
def store(tmp_path):
    """A campaign's file without attacks."""
    settings = CampaignSettings(
        seed=0,
        scoring=ScoringParameters(),
        loop=LoopParameters(),
        original=TableSummary(name="people.csv", rows=10, columns=2, fingerprint="00"),
        releases={},
        kinds={},
        versions={},
    )
    with CampaignStore.create(tmp_path / "c.alc", settings, []) as made:
        yield made
