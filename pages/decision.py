"""Decision: whether a release may be published, why, and under which conditions."""

from alc_core.dashboard.decision.page import draw_decision_page
from alc_core.dashboard.decision.report import draw_report
from alc_core.dashboard.state.session import require_state

state = require_state()
draw_decision_page(state)
draw_report(state)
