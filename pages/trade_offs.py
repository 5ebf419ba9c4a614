"""Trade-offs: what the parameters do, and whether verdicts depend on them."""

from alc_core.dashboard.state.session import require_state
from alc_core.dashboard.trade_offs.page import draw_trade_offs

draw_trade_offs(require_state())
