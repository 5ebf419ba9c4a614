from pathlib import Path

from alc_core.dashboard.parts.campaign_file import open_campaign
from alc_core.dashboard.state.app_state import AppState
from alc_core.tables.roles import ColumnRole

OLD = Path(__file__).parents[2] / "data" / "campaign_format_1.alc"


def test_in_a_campaign_of_before_there_were_roles_every_column_is_both():
    state = AppState()
    open_campaign(state, OLD.name, OLD.read_bytes())
    view = state.campaign.view
    used = {column for attack in view.judged for column in attack.scenario.columns}
    assert state.roles == dict.fromkeys(used, ColumnRole.BOTH)
    state.clear()
