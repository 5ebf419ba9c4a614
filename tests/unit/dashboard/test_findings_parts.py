from __future__ import annotations

import pytest

from alc_core import LoopParameters, Scenario, assess
from alc_core.dashboard.findings_parts import changed_verdict


@pytest.fixture(scope="module")
def copied(people):
    """An assessment of a release that is the original: a serious loss."""
    frame = people(400)
    return assess(frame, frame.copy(), Scenario(["hours"], "job"), loop=LoopParameters(folds=2))


def test_the_same_verdict_needs_no_word(copied):
    assert changed_verdict(copied, copied.rescore(alpha=2.9)) == ""


def test_a_verdict_that_hangs_on_the_parameters_is_told(copied):
    assert copied.alc > 0.9
    lenient = copied.rescore(at_risk=0.995, serious=1.0)
    assert changed_verdict(copied, lenient).startswith(
        "Serious loss of anonymity under the run's parameters, "
    )
    assert changed_verdict(copied, lenient).endswith(" now.")
