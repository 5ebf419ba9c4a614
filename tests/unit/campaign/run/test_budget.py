import pytest

import alc_core as alc
from alc_core.campaign.file.records import identity_of
from alc_core.campaign.model import KnownSetKind
from alc_core.campaign.run.budget import within_budget
from alc_core.errors import ParameterError
from alc_core.tables.roles import ColumnRole


@pytest.fixture(scope="module")
def whole(campaign):
    return alc.plan_campaign(
        campaign.original,
        campaign.releases,
        roles={"city": ColumnRole.PROTECTED, "job": ColumnRole.BOTH},
        seed=5,
    )


def within(campaign, plan, minutes, **options):
    options = {"processes": 1, "speed": 0.08, **options}
    return within_budget(plan, campaign.original, campaign.releases, minutes, **options)


def identities(plan):
    return [identity_of(attack) for attack in plan.attacks]


def test_what_settles_most_is_taken_and_every_release_attacked(campaign, whole):
    short = within(campaign, whole, 1)
    assert 0 < len(short) < len(whole)
    assert {attack.kind for attack in short.attacks} <= {
        KnownSetKind.ALL_OTHERS,
        KnownSetKind.KNOWABLE,
    }
    assert short.releases == whole.releases
    assert short.unknown[0] == "city", "what is only to be protected"
    assert [attack.number for attack in short.attacks] == list(range(len(short)))
    assert identities(whole) == sorted(
        identities(short) + [identity_of(a) for a in short.left_out], key=identities(whole).index
    )
    assert whole.left_out == ()
    said = f"{len(short)} of {len(whole)} attacks take longer than 1 minute: the most decisive"
    assert short.budget.startswith(said)
    more = within(campaign, whole, 2)
    assert more.budget.startswith(f"{len(more)} of {len(whole)} attacks fit into 2 minutes")
    done = set(identities(more))
    rest = within(campaign, whole, 2, begun=done, finished=done)
    new, left = len(rest) - len(more), len(whole) - len(more)
    assert not rest.budget or rest.budget.startswith(f"{new} of {left} attacks ")


def test_scenarios_stay_whole_in_the_order_of_the_plan(campaign, whole):
    short = within(campaign, whole, 2)
    keys = {attack.scenario.key for attack in short.attacks}
    assert identities(short) == [
        identity_of(attack) for attack in whole.attacks if attack.scenario.key in keys
    ]


def test_more_time_takes_more_and_enough_takes_all(campaign, whole):
    plans = [within(campaign, whole, minutes) for minutes in (1, 2, 4, 8)]
    sizes = [len(plan) for plan in plans]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]
    assert within(campaign, whole, 10_000) is whole
    assert len(within(campaign, whole, 2, processes=4)) > sizes[1]


def test_same_input_same_attacks(campaign, whole):
    assert within(campaign, whole, 2) == within(campaign, whole, 2)


def test_what_settles_most_runs_however_long_it_takes(campaign, whole):
    slow = within(campaign, whole, 1, speed=1e-6)
    assert len(slow.scenarios) == 1
    assert slow.scenarios[0].unknown == "city"


def test_the_same_again_adds_others_and_keeps_what_there_is(campaign, whole):
    done, plan = set(), within(campaign, whole, 1)
    seen = [len(plan)]
    while len(plan) < len(whole):
        done |= set(identities(plan))
        plan = within(campaign, whole, 1, begun=done, finished=done)
        assert done < set(identities(plan))
        seen.append(len(plan))
    assert seen[-1] == len(whole)


def test_what_was_begun_stays_and_takes_its_time(campaign, whole):
    begun = set(identities(whole)[-2:])
    plan = within(campaign, whole, 1, begun=begun)
    assert begun <= set(identities(plan))
    done = within(campaign, whole, 1, begun=begun, finished=begun)
    assert len(done) >= len(plan)


def test_no_time_runs_nothing(campaign, whole):
    with pytest.raises(ParameterError, match="0 minutes run nothing"):
        within(campaign, whole, 0)
