"""Statistics: parameters, comparison of releases, all studies."""

from alc_core.dashboard.state.session import require_state
from alc_core.dashboard.statistics.page import draw_statistics

draw_statistics(require_state())
