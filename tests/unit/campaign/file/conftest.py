import os
import shutil
import tempfile
from pathlib import Path

import pytest


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
    folder.chmod(0o700)
    if root:
        os.seteuid(0)
    shutil.rmtree(folder)
