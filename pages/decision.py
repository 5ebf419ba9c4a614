"""Decision: releases to publish, reasons, conditions, and the report."""

from alc_core.dashboard.decision.page import draw_decision_page
from alc_core.dashboard.state.session import require_state

draw_decision_page(require_state())
