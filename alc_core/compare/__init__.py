"""Several candidate releases of one original side by side: risk from a campaign, and utility."""

from alc_core.compare.comparison import (
    Comparison,
    ReleaseChange,
    compare_releases,
    compare_with,
    riskiest,
)
from alc_core.compare.kept import keep_utility, stored_utilities
from alc_core.compare.learning import LearnedTarget
from alc_core.compare.losses import ReleaseLosses, release_losses
from alc_core.compare.measuring import measure_utility
from alc_core.compare.utility import Utility

__all__ = [
    "Comparison",
    "LearnedTarget",
    "ReleaseChange",
    "ReleaseLosses",
    "Utility",
    "compare_releases",
    "compare_with",
    "keep_utility",
    "measure_utility",
    "release_losses",
    "riskiest",
    "stored_utilities",
]
