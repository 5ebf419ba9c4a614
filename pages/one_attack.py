"""One attack: findings, certainty, drivers, decision."""

from alc_core.dashboard.one_attack.page import draw_attack
from alc_core.dashboard.state.session import require_state

draw_attack(require_state())
