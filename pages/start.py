"""Start: the four steps, the demo, opening a campaign."""

from alc_core.dashboard.start import draw_start
from alc_core.dashboard.state.session import require_state

draw_start(require_state())
