from tests.conftest import baselines_of_room

_baselines = baselines_of_room()
