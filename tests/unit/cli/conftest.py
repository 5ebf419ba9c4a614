"""Commands run with a baseline that is quick to fit: nothing here depends on it."""

import pytest

from alc_core.baselines.families import NaiveBayes


@pytest.fixture(scope="module", autouse=True)
def _quick_baseline():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("alc_core.assessment.loop.default_families", lambda: (NaiveBayes(),))
        yield
