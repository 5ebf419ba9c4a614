from alc_core.baselines.families import default_families
from tests.conftest import baselines_of_room

_baselines = baselines_of_room(default_families)
