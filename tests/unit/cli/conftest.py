"""Commands run with a baseline that is quick to fit: nothing here depends on it."""

import pytest

from alc_core.baselines.families import NaiveBayes
from alc_core.cli import main


def ended(*arguments):
    """Run a command; return its exit code."""
    with pytest.raises(SystemExit) as end:
        main([str(argument) for argument in arguments])
    return end.value.code


def run(capsys, *arguments):
    """Run a command; return its exit code, what it printed, and what it said beside."""
    code = ended(*arguments)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.fixture(scope="module", autouse=True)
def _quick_baseline():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("alc_core.assessment.loop.default_families", lambda: (NaiveBayes(),))
        yield
