"""Studies: what is measured of releases as a whole, beside attacks."""

from alc_core.dashboard.state.session import require_state
from alc_core.dashboard.studies import draw_studies

draw_studies(require_state())
