"""The sampler against what is known exactly: tiny tables, closed forms, the paper's example."""

import numpy as np
import pytest

from alc_core.group_posterior.chances import (
    Victims,
    attacker,
    ideal,
    learner,
    predictive,
    random_worlds,
    shares,
)
from alc_core.group_posterior.sampler import sample
from alc_core.group_posterior.settings import PERMUTATION, SWAP, DirichletPrior, SamplerSettings
from alc_core.group_posterior.tables import HorizontalTable, ValueDomain, VerticalTable
from tests.toys.exact_posterior import ExactPosterior

LONG = SamplerSettings(iterations=60_000, burn_in=0.1, kept=2_500, stop_early=False, seed=1)


def vertical(rng):
    """Seven rows in groups of two and three."""
    domain = ValueDomain(names=("a", "b"), sizes=(2, 3), n_values=3)
    known = np.column_stack([rng.integers(0, size, 7) for size in domain.sizes]).astype(np.int32)
    values = rng.integers(0, 3, 7).astype(np.int32)
    return VerticalTable(domain, known, np.array([0, 2, 4, 7]), values)


def horizontal(rng):
    """Five rows whose labels cover one to three values."""
    domain = ValueDomain(names=("a", "b"), sizes=(2, 3), n_values=3)
    covers = (
        np.array([[1, 0], [0, 1], [1, 1]], bool),
        np.array([[1, 0, 0], [1, 1, 0], [0, 1, 1], [1, 1, 1]], bool),
    )
    labels = np.column_stack([rng.integers(0, len(c), 5) for c in covers]).astype(np.int32)
    return HorizontalTable(domain, labels, covers, rng.integers(0, 3, 5).astype(np.int32))


def some_prior(domain, rng):
    return DirichletPrior(
        rng.uniform(0.5, 3, domain.n_values),
        rng.uniform(0.5, 3, (domain.n_values, domain.n_cells)),
    )


CASES = [
    (make, proposal, seed)
    for make, proposals in ((vertical, (SWAP, PERMUTATION)), (horizontal, (SWAP,)))
    for proposal in proposals
    for seed in range(2)
]


@pytest.mark.parametrize(("make", "proposal", "seed"), CASES)
def test_agrees_with_the_sum_over_all_tables_that_the_release_allows(make, proposal, seed):
    rng = np.random.default_rng(seed)
    table = make(rng)
    prior = some_prior(table.domain, rng)
    exact = ExactPosterior(table, prior)
    settings = SamplerSettings(
        iterations=60_000, burn_in=0.1, kept=2_500, stop_early=False, proposal=proposal, seed=seed
    )
    posterior = sample(table, settings, prior=prior)
    known = [[0, 0], [1, 2], [-1, 1], [1, -1], [-1, -1]]
    victims = Victims.of(table.domain, np.array(known, np.int32))
    found_attacker = shares(attacker(posterior, victims).mean(axis=0))[victims.of_row]
    found_learner = learner(posterior, victims).mean(axis=0)[victims.of_row]
    for number, victim in enumerate(known):
        if np.isfinite(found_attacker[number]).all():
            assert np.abs(found_attacker[number] - exact.attacker(victim)).max() < 0.01
        assert np.abs(found_learner[number] - exact.learner(victim)).max() < 0.01


def test_partial_knowledge_adds_up_over_what_is_not_known():
    table = horizontal(np.random.default_rng(5))
    posterior = sample(table, LONG)
    domain = table.domain
    every = Victims.of(domain, np.array([[a, 1] for a in range(2)], np.int32))
    part = Victims.of(domain, np.array([[-1, 1]], np.int32))
    together = attacker(posterior, every).sum(axis=1)
    np.testing.assert_allclose(attacker(posterior, part)[:, 0], together, rtol=1e-4)
    nothing = Victims.of(domain, np.array([[-1, -1]], np.int32))
    counts = np.bincount(table.values, minlength=3)
    np.testing.assert_allclose(attacker(posterior, nothing)[:, 0], counts[None] + 0 * together)
    np.testing.assert_allclose(random_worlds(table, nothing)[0], counts)


def paper_table():
    """Table I(b): 2-anonymous by local recoding; the ZIP codes seen are their domain."""
    nations, zips = "MJCI", ("45501", "45502", "55503", "55504", "66601", "77701")
    diseases = ("Heart", "Flu", "Stomach", "HIV", "Diabetes")
    groups = [("MJ", zips[:2], (0, 1)), ("J", zips[2:4], (1, 2)), ("CJ", zips[4:5], (3, 4)),
              ("IM", zips[5:], (1, 0))]  # fmt: skip
    domain = ValueDomain(names=("nationality", "zip"), sizes=(4, 6), n_values=len(diseases))
    covers = (
        np.array([[nation in group[0] for nation in nations] for group in groups]),
        np.array([[code in group[1] for code in zips] for group in groups]),
    )
    labels = np.repeat(np.arange(4, dtype=np.int32), 2)
    values = np.array([value for group in groups for value in group[2]], np.int32)
    return HorizontalTable(domain, np.column_stack([labels, labels]), covers, values)


def test_the_papers_example_comes_out():
    table = paper_table()
    posterior = sample(table, LONG)
    victim = Victims.of(table.domain, np.array([[0, 0]], np.int32))
    found = shares(attacker(posterior, victim).mean(axis=0))[0]
    assert found == pytest.approx([0.58, 0.42, 0, 0, 0], abs=0.01)
    learned = learner(posterior, victim).mean(axis=0)[0]
    assert learned == pytest.approx([0.34, 0.32, 0.11, 0.11, 0.11], abs=0.02)
    assert shares(random_worlds(table, victim))[0] == pytest.approx([0.5, 0.5, 0, 0, 0])
    assert posterior.diagnostics.converged


@pytest.mark.parametrize("tested", [0, 7])
@pytest.mark.parametrize("chance", [0.02, 0.3])
def test_island_and_database_search_have_their_closed_forms(tested, chance):
    """Equations 11 to 13: a prior so strong that f(R_i = 1 | t*) is the chance given."""
    n = 20
    domain = ValueDomain(names=("trait",), sizes=(2,), n_values=2)
    covers = (np.array([[1, 0], [0, 1], [1, 1]], bool),)
    labels = np.array([0] * tested + [1] + [2] * (n - 1 - tested), np.int32)[:, None]
    values = np.zeros(n, np.int32)
    values[tested] = 1
    sure = 1e9
    prior = DirichletPrior(np.ones(2), np.array([[sure * (1 - chance), sure * chance], [1.0, 1.0]]))
    table = HorizontalTable(domain, labels, covers, values)
    posterior = sample(table, SamplerSettings(iterations=500, kept=50, chains=2), prior=prior)
    suspect = Victims.of(domain, np.array([[1]], np.int32))
    found = shares(attacker(posterior, suspect).mean(axis=0))[0, 1]
    assert found == pytest.approx(1 / (1 + (n - 1 - tested) * chance), rel=1e-3)


def test_a_rare_value_in_an_open_table_is_sure_for_the_attacker_alone():
    """Remark 5: p_I = p_L is about 0.004, so that the relative threat is about 250.

    That holds for the joint distribution, conditioned (equation 5), not for equation 6.
    """
    n, size = 1_000_000, 1_000
    domain = ValueDomain(names=("r",), sizes=(size,), n_values=2)
    known = (np.arange(n) % (size - 1)).astype(np.int32)
    known[0] = size - 1
    values = np.zeros(n, np.int32)
    values[0] = 1
    covers = (np.eye(size, dtype=bool),)
    table = HorizontalTable(domain, known[:, None], covers, values)
    victim = Victims.of(domain, np.array([[size - 1]], np.int32))
    posterior = sample(table, SamplerSettings(iterations=2_000, burn_in=0.0, kept=500))
    assert shares(attacker(posterior, victim).mean(axis=0))[0] == pytest.approx([0, 1])
    perfect = ideal(known[:, None], values, posterior.prior, victim)[0, 1]
    assert perfect == pytest.approx(0.004, abs=0.0002)
    assert 1 / perfect == pytest.approx(250, rel=0.02)
    # Here every draw of the chains is independent.
    expected = shares(predictive(posterior, victim).mean(axis=0))[0, 1]
    assert expected == pytest.approx(0.004, rel=0.12)
    assert learner(posterior, victim).mean(axis=0)[0, 1] == pytest.approx(0.0186, rel=0.12)
