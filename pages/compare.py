"""Compare releases: risk and utility of several candidates side by side."""

from alc_core.dashboard.compare.page import draw_compare
from alc_core.dashboard.state.session import require_state

draw_compare(require_state())
