from dataclasses import dataclass

import pytest

from alc_core.campaign.file.annotations import (
    Annotations,
    accepted_codes,
    keep_accepted,
    keep_plan,
    kept_roles,
)
from alc_core.campaign.file.file_errors import CampaignFileError
from alc_core.campaign.file.store import CampaignStore
from alc_core.campaign.plan.planner import CampaignPlan
from alc_core.scoring.parameters import ScoringParameters
from alc_core.tables.roles import ColumnRole, RoleInForce, Roles


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    text: str
    scoring: ScoringParameters
    seen: tuple[int, ...] = ()


REMARKS = Annotations("remark", int, Remark)


def test_content_comes_back_with_its_types_in_the_order_of_the_keys(store):
    for number in (10, 9):
        made = Remark(text=f"{number} Ünd", scoring=ScoringParameters(alpha=2), seen=(number,))
        REMARKS.keep(store, number, made)
    with CampaignStore.open(store.path) as again:
        assert list(REMARKS.read(again)) == [9, 10]
        assert REMARKS.read(again)[10] == made.__class__(
            text="10 Ünd", scoring=ScoringParameters(alpha=2), seen=(10,)
        )
    REMARKS.remove(store, 9)
    REMARKS.remove(store, 9)
    assert list(REMARKS.read(store)) == [10]
    assert Annotations("another", str, Remark).read(store) == {}


@pytest.mark.parametrize(
    ("key", "content"),
    [
        ("1", {}),
        ("1", {"text": 5, "scoring": {}}),
        ("1", {"text": "x", "scoring": {"alpha": -1}}),
        ("1", 7),
        ("one", {"text": "x", "scoring": {}}),
    ],
)
def test_damaged_content_is_named_and_never_quoted(store, key, content):
    store.annotate("remark", key, content)
    message = f"c.alc' is damaged: remark '{key}' cannot be read. Use an earlier copy"
    with pytest.raises(CampaignFileError, match=message):
        REMARKS.read(store)


def test_accepted_questions_add_up(store):
    assert accepted_codes(store) == ()
    keep_accepted(store, ["b"])
    keep_accepted(store, [])
    keep_accepted(store, ["a", "b"])
    assert accepted_codes(store) == ("a", "b")


def test_roles_come_back_in_the_order_of_the_table(store):
    assert kept_roles(store) == Roles(), "as in a file that an earlier version made"
    roles = Roles(
        of_columns={
            "zip": RoleInForce(role=ColumnRole.BOTH, reason="the name"),
            "fnlwgt": RoleInForce(role=ColumnRole.WEIGHT, reason="as you set it", by_user=True),
        }
    )
    keep_plan(store, CampaignPlan(attacks=(), roles=roles))
    keep_plan(store, CampaignPlan(attacks=()))
    keep_plan(store, None)
    with CampaignStore.open(store.path) as again:
        found = kept_roles(again)
    assert found == roles
    assert list(found.of_columns) == ["zip", "fnlwgt"]
    assert found.by_user == {"fnlwgt": ColumnRole.WEIGHT}
