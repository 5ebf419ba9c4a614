"""Report: a document of the review to keep and to pass on."""

from alc_core.dashboard.report import draw_report
from alc_core.dashboard.state.session import require_state

draw_report(require_state())
