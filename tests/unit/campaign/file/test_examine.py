"""Reading all of a campaign's file, in the process that reads what strangers send."""

import subprocess
import sys
from pathlib import Path

FORMAT_1 = Path(__file__).parents[3] / "data" / "campaign_format_1.alc"
LATE = """
import sys
from pathlib import Path
from alc_core.campaign.file.examine import examine
before = set(sys.modules)
examine(Path(sys.argv[1]))
print(*(set(sys.modules) - before))
"""


def test_nothing_is_left_to_import_while_a_file_is_read():
    told = subprocess.run(
        [sys.executable, "-c", LATE, FORMAT_1],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    assert not told.stdout.split()
