"""Decision: whether a release may be published, why, and under which conditions."""

from alc_core.dashboard.decision import draw_decision_page
from alc_core.dashboard.state.session import require_state

draw_decision_page(require_state())
