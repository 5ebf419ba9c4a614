from pathlib import Path

import pandas as pd

from alc_core.dashboard.parts.campaign_file import open_campaign
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.roles import RolesInForce
from alc_core.tables.read import table_from_frame
from alc_core.tables.roles import ColumnRole

OLD = Path(__file__).parents[2] / "data" / "campaign_format_1.alc"


def test_in_a_campaign_of_before_there_were_roles_every_column_is_both():
    state = AppState()
    open_campaign(state, OLD.name, OLD.read_bytes())
    view = state.campaign.view
    used = {column for attack in view.judged for column in attack.scenario.columns}
    assert state.roles == dict.fromkeys(used, ColumnRole.BOTH)
    state.clear()


class TestRolesInForce:
    table = table_from_frame(pd.DataFrame({"age": [1, 2, 3] * 20, "q": ["a", "b"] * 30}))

    def of(self, roles, chosen, *, released=("age", "q"), person=None):
        return roles.of(self.table, released, chosen, (person, None))

    def test_they_are_looked_at_once_for_each_choice(self):
        roles = RolesInForce()
        first = self.of(roles, {})
        assert self.of(roles, {}) is first
        assert self.of(roles, {"elsewhere": ColumnRole.BOTH}) is first
        assert self.of(roles, {"age": ColumnRole.KNOWN}).role("age") is ColumnRole.KNOWN
        assert self.of(roles, {}, released=("age",)).role("q") is ColumnRole.LEFT_OUT

    def test_what_the_tables_do_not_allow_is_left_aside(self):
        found = self.of(RolesInForce(), {"age": ColumnRole.BOTH}, person="age")
        assert found.role("age") is ColumnRole.IDENTIFIER
        assert not found.by_user
