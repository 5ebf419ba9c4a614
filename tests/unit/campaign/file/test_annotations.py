from dataclasses import dataclass

import numpy as np
import pytest

from alc_core.campaign.file.annotations import (
    BUILT_IN,
    PRESETS,
    Annotations,
    Preset,
    accepted_codes,
    keep_accepted,
    keep_plan,
    kept_roles,
    make_preset,
)
from alc_core.campaign.file.file_errors import CampaignFileError
from alc_core.campaign.file.store import CampaignStore
from alc_core.campaign.plan.planner import CampaignPlan
from alc_core.campaign.rescore.rescoring import rescore
from alc_core.errors import InputError, ParameterError
from alc_core.plain_values import from_plain, to_plain
from alc_core.scoring.parameters import ScoringParameters
from alc_core.tables.roles import ColumnRole, RoleInForce, Roles
from tests.toys.paired import curve_of, table_of_pairs


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
    message = f"c.alc' is damaged: remark '{key}' cannot be read. Use an earlier copy of it"
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


PAPER, STRICT, STRICT_FEW, LAX = (preset.scoring for preset in BUILT_IN)


@pytest.fixture(scope="module")
def curves():
    """Random curves of many shapes, down to single predictions."""
    rng = np.random.default_rng(7)
    attempts = rng.choice([500, 2000, 20_000], 1500)
    sides = []
    for _ in range(2):
        sides.append([])
        for each in attempts.tolist():
            shares = np.unique(np.round(np.geomspace(each, 1, rng.integers(1, 40))).astype(int))
            precision = np.clip(rng.uniform() - rng.uniform(-0.1, 0.15) * np.log(shares / each), 0, 1)  # fmt: skip # noqa: E501
            steps = np.diff(shares, prepend=0)
            added = np.clip(np.diff(shares * precision, prepend=0) / steps, 0, 1)
            sides[-1].append(curve_of(shares, np.cumsum(rng.binomial(steps, added))))
    return table_of_pairs(list(zip(*sides, strict=True)))


def scored(curves, scoring):
    return rescore(curves, scoring, run_scoring=scoring)


def levels(found, scoring):
    losses = np.maximum(found.own.alc, found.among_rest.alc)
    return np.searchsorted([scoring.at_risk, scoring.serious], losses, side="right")


def test_the_first_is_the_papers_default_and_each_has_a_reason():
    assert ScoringParameters() == PAPER
    assert len({preset.name for preset in BUILT_IN}) == len(BUILT_IN)
    assert all(len(preset.rationale) > 80 for preset in BUILT_IN)


def test_stricter_limits_judge_no_attack_more_mildly_and_laxer_none_more_severely(curves):
    paper = levels(scored(curves, PAPER), PAPER)
    strict = levels(scored(curves, STRICT), STRICT)
    lax = levels(scored(curves, LAX), LAX)
    assert (strict >= paper).all()
    assert (strict > paper).any()
    assert (lax <= paper).all()
    assert (lax < paper).any()


def test_stricter_for_few_people_keeps_its_promise_where_the_baseline_answers_for_everyone(curves):
    paper, strict = scored(curves, PAPER), scored(curves, STRICT_FEW)
    everyone = strict.baseline.recall == 1
    assert everyone.sum() > 100
    # The promise of the rationale: the loss never falls there, and other limits are lower.
    assert (strict.own.alc[everyone] >= paper.own.alc[everyone] - 1e-12).all()
    assert (levels(strict, STRICT_FEW)[everyone] >= levels(paper, PAPER)[everyone]).all()
    # And its warning: elsewhere it can fall.
    assert (strict.own.alc[~everyone] < paper.own.alc[~everyone]).any()


def test_a_preset_survives_the_campaigns_file(store):
    preset = make_preset("  Health   data ", " Public release. ", ScoringParameters(alpha=2.5))
    assert (preset.name, preset.rationale) == ("Health data", "Public release.")
    assert PRESETS.read(store) == {}
    PRESETS.keep(store, preset.name, preset)
    changed = make_preset("Health data", "Second thoughts.", ScoringParameters())
    PRESETS.keep(store, changed.name, changed)
    with CampaignStore.open(store.path) as again:
        assert PRESETS.read(again) == {"Health data": changed}
    PRESETS.remove(store, "Health data")
    PRESETS.remove(store, "Health data")
    assert PRESETS.read(store) == {}
    store.annotate("preset", "odd", {"name": "odd"})
    with pytest.raises(InputError, match="c.alc' is damaged: preset 'odd' cannot be read"):
        PRESETS.read(store)


def test_plain_values_and_back():
    for preset in BUILT_IN:
        assert from_plain(to_plain(preset), Preset) == preset


@pytest.mark.parametrize(
    ("name", "rationale", "message"),
    [
        (" ", "why", "has no name"),
        ("mine", " ", "The preset 'mine' has no rationale"),
        ("paper's DEFAULT", "why", "is built in. Choose another name"),
        ("x" * 61, "why", "name has 61 characters, but at most 60"),
        ("mine", "x" * 1001, "rationale has 1001 characters, but at most 1000"),
    ],
)
def test_what_makes_no_preset_is_said(name, rationale, message):
    with pytest.raises(ParameterError, match=message):
        make_preset(name, rationale, ScoringParameters())
