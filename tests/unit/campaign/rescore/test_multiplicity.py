from dataclasses import replace

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from alc_core.campaign.rescore.multiplicity import campaign_error, controlled
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
    return {row: np.stack([loss, loss]).astype(np.float32) for row, loss in enumerate(losses)}


def verdicts(found: Rescored) -> list[str]:
    return [OUTCOMES[code] for code in found.outcome]


def test_attacks_that_vary_alike_count_as_one_and_independent_ones_as_many():
    rng = np.random.default_rng(0)
    alc = np.full(40, 0.3)
    run = made_up(alc, 0.05)
    alike = np.tile(rng.standard_normal(4000), (40, 1))
    one = campaign_error(run, resamples(alike, alc, 0.05))
    assert one.attacks == 40
    assert one.at_limit == pytest.approx(0.025, abs=0.008)
    many = campaign_error(run, resamples(rng.standard_normal((40, 4000)), alc, 0.05))
    assert many.at_limit == pytest.approx(1 - 0.975**40, abs=0.04)
    # None of them lies near the limit, so that none would be flagged.
    assert many.as_estimated == 0.0


def test_what_nothing_was_left_to_learn_of_does_not_count():
    run = made_up(np.full(3, 0.3), 0.05)
    run.outcome[0] = OUTCOMES.index(Verdict.NOTHING_LEFT)
    assert campaign_error(run, {}).attacks == 2
    assert campaign_error(run, {}).left_out == 2


def test_a_doubtful_flag_among_many_is_undecided_and_a_clear_one_stays():
    rng = np.random.default_rng(1)
    alc = np.r_[0.555, 0.7, np.full(58, 0.2)]
    shared = resamples(rng.standard_normal((60, 400)), alc, 0.05)
    plain = made_up(alc, 0.05)
    assert verdicts(plain)[:2] == ["at risk", "at risk"]
    assert verdicts(controlled(plain, shared)) == verdicts(plain)
    for control in ("family-wise", "false discovery"):
        found = verdicts(controlled(made_up(alc, 0.05, control=control), shared))
        assert found[:2] == ["undecided", "at risk"]
        assert found[2:] == ["safe"] * 58


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
    from scipy.stats import norm

    rejected = multipletests(norm.sf(distance), alpha=0.05, method="fdr_bh")[0]
    flagged = run.outcome == OUTCOMES.index(Verdict.AT_RISK)
    found = controlled(run, {}).outcome == OUTCOMES.index(Verdict.AT_RISK)
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
    # 300 campaigns at 5 % have 22 with a probability of 2 %.
    assert flagged <= 22


def test_no_attack_at_all():
    empty = made_up(np.empty(0), 0.05)
    assert campaign_error(empty, {}).at_limit == 0.0
    assert (
        len(controlled(replace(empty, scoring=ScoringParameters(control="family-wise")), {})) == 0
    )


def test_a_resample_that_draws_nobody_of_a_small_attack_says_nothing_of_the_others():
    rng = np.random.default_rng(1)
    alc = np.r_[0.555, 0.1, np.full(58, 0.2)]
    shared = resamples(rng.standard_normal((60, 400)), alc, 0.05)
    run = made_up(alc, 0.05, control="family-wise")
    before = verdicts(controlled(run, shared))
    assert before[0] == "undecided"
    small = sorted(shared)[1]
    shared[small] = np.where(np.arange(400) % 100 == 0, np.nan, shared[small])
    assert verdicts(controlled(run, shared)) == before
