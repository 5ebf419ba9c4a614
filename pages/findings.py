"""Findings: releases, attacks, and where to look closer."""

from alc_core.dashboard.findings import draw_findings_page
from alc_core.dashboard.state.session import require_state

draw_findings_page(require_state())
