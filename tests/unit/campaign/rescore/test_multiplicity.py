from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import norm
from statsmodels.stats.multitest import multipletests

from alc_core.campaign.rescore import multiplicity
from alc_core.campaign.rescore.rescoring import Rescored, RescoredReading
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import OUTCOMES, Verdict
from tests.toys.rescored import rescored_of

Z = 1.959963984540054


def made_up(alc, error, *, control: str = "none") -> Rescored:
    """Attacks whose loss has a standard error on the scale -log(1 - ALC)."""
    scoring = ScoringParameters(control=control)
    alc = np.asarray(alc, dtype=float)
    scaled, error = -np.log1p(-alc), np.broadcast_to(error, alc.shape)
    low, high = (-np.expm1(-(scaled + side * Z * error)) for side in (-1, 1))
    reading = RescoredReading(
        alc=alc, low=low, high=high, standard_error=error, least=low, most=high
    )
    return rescored_of(reading, reading, scoring)


def resamples(deviations, alc, error):
    """Shared resamples with given standard deviations around the losses."""
    scaled = -np.log1p(-np.asarray(alc, dtype=float))[:, None] + error * deviations
    losses = -np.expm1(-scaled)
    drawn = np.stack([losses, losses, deviations], axis=1).astype(np.float32)
    return list(drawn)


def columns(run, shared, *, complete=False, unmatched=False):
    """What of the columns tells how attacks vary together; without resamples independently."""
    return SimpleNamespace(
        shared=shared or [None] * len(run),
        complete=np.full(len(run), complete),
        unmatched=np.full(len(run), unmatched),
    )


def controlled(run, shared=None, **options):
    """Verdicts that allow for the number of attacks, of all people there or of some."""
    return multiplicity.controlled(run, columns(run, shared, **options))


def campaign_error(run, shared=None):
    return multiplicity.campaign_error(run, columns(run, shared))


def verdicts(found: Rescored) -> list[str]:
    return [OUTCOMES[code] for code in found.outcome]


def test_attacks_that_vary_alike_count_as_one_and_independent_ones_as_many():
    rng = np.random.default_rng(0)
    alc = np.full(40, 0.4999)  # just below the limit
    run = made_up(alc, 0.05)
    alike = np.tile(rng.standard_normal(4000), (40, 1))
    one = campaign_error(run, resamples(alike, alc, 0.05))
    assert one.attacks == 40
    assert one.as_estimated == pytest.approx(0.025, abs=0.008)
    many = campaign_error(run, resamples(rng.standard_normal((40, 4000)), alc, 0.05))
    assert many.as_estimated == pytest.approx(1 - 0.975**40, abs=0.04)
    far = np.full(40, 0.3)
    drawn = resamples(rng.standard_normal((40, 4000)), far, 0.05)
    assert campaign_error(made_up(far, 0.05), drawn).as_estimated == 0.0


def test_what_nothing_was_left_to_learn_of_does_not_count():
    run = made_up(np.full(3, 0.3), 0.05)
    run.outcome[0] = OUTCOMES.index(Verdict.NOT_TESTABLE)
    assert campaign_error(run).attacks == 2


def test_a_doubtful_flag_among_many_is_inconclusive_and_a_clear_one_stays():
    rng = np.random.default_rng(1)
    alc = np.r_[0.555, 0.7, np.full(58, 0.2)]
    shared = resamples(rng.standard_normal((60, 400)), alc, 0.05)
    plain = made_up(alc, 0.05)
    assert verdicts(plain)[:2] == ["at risk", "at risk"]
    assert verdicts(controlled(plain, shared)) == verdicts(plain)
    for control in ("family-wise", "false discovery"):
        found = verdicts(controlled(made_up(alc, 0.05, control=control), shared))
        assert found[:2] == ["inconclusive", "at risk"]
        assert found[2:] == ["below limit"] * 58


def test_a_serious_loss_that_may_be_chance_is_at_risk():
    rng = np.random.default_rng(1)
    alc = np.r_[0.79, np.full(58, 0.2)]
    shared = resamples(rng.standard_normal((59, 400)), alc, 0.07)
    assert verdicts(made_up(alc, 0.07))[0] == "serious"
    assert verdicts(controlled(made_up(alc, 0.07, control="family-wise"), shared))[0] == "at risk"


def test_false_discovery_rejects_what_the_procedure_rejects():
    rng = np.random.default_rng(2)
    alc = np.r_[np.linspace(0.56, 0.68, 12), rng.uniform(0.1, 0.4, 68)]
    run = made_up(alc, 0.08, control="false discovery")
    distance = (-np.log1p(-alc) - np.log(2)) / 0.08

    rejected = multipletests(norm.sf(distance), alpha=0.05, method="fdr_bh")[0]
    flagged = run.outcome == OUTCOMES.index(Verdict.AT_RISK)
    found = controlled(run).outcome == OUTCOMES.index(Verdict.AT_RISK)
    assert np.array_equal(found, flagged & rejected)
    assert 0 < found.sum() < flagged.sum()


@pytest.mark.parametrize("correlation", [0.0, 0.7])
def test_family_wise_control_holds_for_harmless_attacks_at_the_limit(correlation):
    rng = np.random.default_rng(3)
    flagged = 0
    truth = -np.log1p(-np.full(30, 0.499))
    for _ in range(300):
        common = np.sqrt(correlation) * rng.standard_normal((1, 401))
        noise = common + np.sqrt(1 - correlation) * rng.standard_normal((30, 401))
        alc = -np.expm1(-(truth + 0.05 * noise[:, 0]))
        shared = resamples(noise[:, 1:], alc, 0.05)
        found = controlled(made_up(alc, 0.05, control="family-wise"), shared)
        flagged += bool(np.isin(found.outcome, [2, 3]).any())
    # 300 campaigns at 5% have 22 with a probability of 2%.
    assert flagged <= 22


def test_no_attack_at_all():
    empty = made_up(np.empty(0), 0.05)
    assert campaign_error(empty).as_estimated == 0.0
    assert len(controlled(replace(empty, scoring=ScoringParameters(control="family-wise")))) == 0


def test_a_resample_that_draws_nobody_of_a_small_attack_says_nothing_of_the_others():
    rng = np.random.default_rng(1)
    alc = np.r_[0.555, 0.1, np.full(58, 0.2)]
    shared = resamples(rng.standard_normal((60, 400)), alc, 0.05)
    run = made_up(alc, 0.05, control="family-wise")
    before = verdicts(controlled(run, shared))
    assert before[0] == "inconclusive"
    shared[1] = np.where(np.arange(400) % 100 == 0, np.nan, shared[1])
    assert verdicts(controlled(run, shared)) == before


def inconclusive_run(exposed=0.0, exposed_low=-20.0, loss=0.3):
    """Forty attacks, of which the first straddles the limit and may expose people."""
    rng = np.random.default_rng(4)
    alc = np.r_[loss, np.full(39, 0.1)]
    error = np.r_[0.36, np.full(39, 0.05)]
    people = np.r_[exposed, np.zeros(39)], np.r_[exposed_low, np.full(39, -20.0)]
    run = replace(made_up(alc, error), exposed=people[0], exposed_low=people[1])
    return run, resamples(rng.standard_normal((40, 400)), alc, error[:, None])


def test_inconclusive_with_nothing_shown_of_all_people_is_too_few_to_test():
    run, shared = inconclusive_run()
    assert verdicts(run)[0] == "inconclusive"
    assert verdicts(controlled(run, shared, complete=True))[0] == "too few to test"
    assert verdicts(controlled(run, shared))[0] == "inconclusive", "more people are there to attack"
    assert verdicts(controlled(run, shared, complete=True, unmatched=True))[0] == "inconclusive"


@pytest.mark.parametrize(
    ("shows", "stays"),
    [
        ({"exposed": 60.0, "exposed_low": 25.0}, True),  # 3.4 standard errors
        ({"exposed": 40.0, "exposed_low": 8.0}, False),  # 2.4: the luckiest of so many attacks
        ({"loss": 0.75}, True),  # 3.9, and the limit lies within its interval
    ],
)
def test_what_is_shown_beyond_chance_among_all_attacks_stays_inconclusive(shows, stays):
    run, shared = inconclusive_run(**shows)
    found = controlled(run, shared, complete=True)
    assert verdicts(found)[0] == ("inconclusive" if stays else "too few to test")


def test_whom_an_attack_surely_exposes_allows_for_all_attacks():
    one, few = inconclusive_run(exposed=60.0, exposed_low=35.0)
    alone = few[:1]
    among = controlled(one, few).exposed_surely[0]
    single = controlled(one.only([0]), alone).exposed_surely[0]
    assert 0 < among < single <= 35.0
    # Bonferroni's bound for forty losses and as many numbers of people, one-sided 2.5% / 80
    assert (60 - among) / (60 - 35) * Z == pytest.approx(3.42, abs=0.35)


def test_one_attack_whose_resamples_lie_far_off_hides_nobody():
    run, shared = inconclusive_run(exposed=60.0, exposed_low=35.0)
    before = controlled(run, shared, complete=True).exposed_surely[0]
    odd = np.zeros(400)
    odd[:10] = 30.0  # of few answers: the same in nearly all resamples, and far off in some
    shared[20][:2] = -odd
    shared[21][-1] = odd
    found = controlled(run, shared, complete=True)
    assert found.exposed_surely[0] == pytest.approx(before, abs=5)
    assert found.exposed_surely[0] > 0


def test_one_attack_whose_resamples_lie_far_off_makes_no_false_alarm_likelier():
    rng = np.random.default_rng(6)
    alc = np.full(40, 0.35)  # 5 standard errors below the limit
    run, shared = made_up(alc, 0.05), resamples(rng.standard_normal((40, 400)), alc, 0.05)
    assert campaign_error(run, shared).as_estimated == 0.0
    shared[7][:2, :7] = 0.99  # of few answers: in 7 of 400 resamples
    assert campaign_error(run, shared).as_estimated == 0.0
    near = made_up(np.full(40, 0.4999), 0.05)
    drawn = resamples(rng.standard_normal((40, 4000)), near.own.alc, 0.05)
    assert campaign_error(near, drawn).as_estimated == pytest.approx(1 - 0.975**40, abs=0.04)


def test_holm_adjusts_as_its_definition_says():
    distance = np.random.default_rng(5).normal(1, 1.5, 40)
    expected = multipletests(norm.sf(distance), method="holm")[1]
    assert np.allclose(multiplicity._holm(distance), expected)
