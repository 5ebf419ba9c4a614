import pytest

from alc_core.studies.holdout import data


@pytest.fixture(autouse=True)
def _few_trees(monkeypatch):
    """Tell people of the two tables apart with a small forest."""
    monkeypatch.setattr(data, "_TREES", 10)
