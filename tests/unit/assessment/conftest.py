import pytest


@pytest.fixture(autouse=True)
def _as_by_default(both_attacks):
    """Run what is run by default, as people do: it costs these tests a third more time."""
