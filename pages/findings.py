"""Findings: which release may be published, what each attack found, and where to look closer."""

from alc_core.dashboard.findings import draw_findings_page
from alc_core.dashboard.state.session import require_state

draw_findings_page(require_state())
