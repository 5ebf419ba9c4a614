"""Methods: the definition behind each term."""

from alc_core.dashboard.methods import draw_methods
from alc_core.dashboard.state.session import require_state

require_state()
draw_methods()
