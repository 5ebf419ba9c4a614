"""Runs of the sampler: seeds, going on, stopping, convergence, and what it refuses."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from alc_core.errors import CancelledError, InputError, ParameterError
from alc_core.group_posterior.chances import Victims, attacker, learner, shares
from alc_core.group_posterior.kernels import draw_covered
from alc_core.group_posterior.sampler import Diagnostics, hidden_values, sample
from alc_core.group_posterior.settings import PERMUTATION, DirichletPrior, SamplerSettings
from alc_core.group_posterior.tables import HorizontalTable, ValueDomain, VerticalTable
from alc_core.runtime.machine import limit_threads
from alc_core.runtime.progress import Reporter

DOMAIN = ValueDomain(names=("a", "b"), sizes=(3, 4), n_values=3)


@pytest.fixture
def table():
    rng = np.random.default_rng(3)
    known = np.column_stack([rng.integers(0, size, 60) for size in DOMAIN.sizes]).astype(np.int32)
    values = ((known[:, 0] + (rng.random(60) < 0.3)) % 3).astype(np.int32)
    return VerticalTable(DOMAIN, known, np.arange(0, 61, 4), values)


def whole(posterior):
    return np.concatenate([batch.log_cells.ravel() for batch in posterior.batches])


def test_the_same_seed_gives_the_same_whatever_the_threads(table):
    settings = SamplerSettings(iterations=400, seed=5)
    with limit_threads(1):
        one = sample(table, settings)
    with limit_threads(4):
        four = sample(table, settings)
    np.testing.assert_array_equal(whole(one), whole(four))
    assert one.diagnostics == four.diagnostics
    other = sample(table, SamplerSettings(iterations=400, seed=6))
    assert not np.array_equal(whole(one), whole(other))


def test_chains_go_on_where_they_are_as_often_as_one_likes(table):
    first = sample(table, SamplerSettings(iterations=400, stop_early=False))
    before = whole(first)
    more = SamplerSettings(iterations=1_000, stop_early=False)
    again = [sample(table, more, resume=first) for _ in range(2)]
    np.testing.assert_array_equal(whole(again[0]), whole(again[1]))
    np.testing.assert_array_equal(whole(first), before)
    assert again[0].steps == 1_000
    assert first.steps == 200


def test_chains_that_go_on_say_with_which_settings_they_began(table):
    first = sample(table, SamplerSettings(iterations=400, chains=2, stop_early=False))
    other = SamplerSettings(iterations=400, chains=8, prior=5.0, seed=9, stop_early=False)
    found = sample(table, other, resume=first).settings
    assert (found.chains, found.prior, found.seed) == (2, 1.0, first.settings.seed)


def test_memory_does_not_depend_on_the_iterations(table):
    sizes = {
        whole(sample(table, SamplerSettings(iterations=n, kept=50, stop_early=False))).size
        for n in (200, 4_000)
    }
    assert len(sizes) == 1


def test_it_stops_once_the_chains_have_converged(table):
    early = sample(table, SamplerSettings(iterations=40_000))
    assert early.diagnostics.converged
    assert early.steps < 20_000
    assert early.diagnostics.sentence == "The chains have converged."
    assert sample(table, SamplerSettings(iterations=40_000, stop_early=False)).steps == 20_000


def grouped(noise, shares, seed=0, n_groups=100, size=4):
    """Groups of different values, each with a profile of its own, seen with noise."""
    rng = np.random.default_rng(seed)
    n_values = len(shares)
    profile = rng.integers(0, 3, (n_values, 5))
    drawn = [rng.choice(n_values, size, replace=False, p=shares) for _ in range(n_groups)]
    values = np.concatenate(np.sort(drawn)).astype(np.int32)
    noisy = rng.random((len(values), 5)) < noise
    known = np.where(noisy, rng.integers(0, 3, noisy.shape), profile[values]).astype(np.int32)
    domain = ValueDomain(names=tuple("abcde"), sizes=(3,) * 5, n_values=n_values)
    return VerticalTable(domain, known, np.arange(0, len(values) + 1, size), values)


FREQUENT = np.array([0.3, 0.3, 0.3, 0.04, 0.03, 0.03])


def test_chains_settle_in_the_mode_that_fits_best():
    table = grouped(0.25, FREQUENT)
    posterior = sample(table, SamplerSettings(iterations=3_000, chains=4, seed=1))
    found = posterior.diagnostics
    assert found.converged, found.sentence
    assert np.ptp(found.log_posterior) < 5
    truth = table.domain.counts(table.known, table.values)
    best = sum(math.lgamma(1 + count) for count in truth.ravel())
    assert np.mean(found.log_posterior) > best - 20


def test_chains_in_different_modes_say_so():
    """The paper's proposal leaves chains in the modes where they began."""
    table = grouped(0.25, FREQUENT, n_groups=60)
    settings = SamplerSettings(
        iterations=400, burn_in=0.1, chains=6, proposal=PERMUTATION, stop_early=False
    )
    posterior = sample(table, settings)
    found = posterior.diagnostics
    assert not found.converged
    assert "chains differ from each other" in found.sentence
    assert "settled at less likely values (log posterior" in found.sentence


def test_mirrored_values_are_as_likely_either_way():
    """Two values in every group: which of them goes with which trait cannot be told."""
    rng = np.random.default_rng(0)
    n_groups = 100
    domain = ValueDomain(names=("a", "b", "c"), sizes=(2, 2, 2), n_values=2)
    values = np.tile(np.array([0, 1], np.int32), n_groups)
    noise = rng.random((2 * n_groups, 3)) < 0.03
    known = (values[:, None] ^ noise).astype(np.int32)
    table = VerticalTable(domain, known, np.arange(0, 2 * n_groups + 1, 2), values)
    posterior = sample(table, SamplerSettings(iterations=4_000, seed=1, stop_early=False))
    victim = Victims.of(domain, np.array([[0, 0, 0]], np.int32))
    assert posterior.diagnostics.r_hat < 1.01
    found = shares(attacker(posterior, victim).mean(axis=0))[0]
    assert found == pytest.approx([0.5, 0.5], abs=0.05)


def test_swap_and_permutation_agree_and_swaps_are_accepted_more_often(table):
    runs = [
        sample(table, SamplerSettings(iterations=20_000, stop_early=False, proposal=proposal))
        for proposal in ("swap", PERMUTATION)
    ]
    victims = Victims.of(DOMAIN, table.known)
    by_attacker = [shares(attacker(run, victims).mean(axis=0)) for run in runs]
    by_learner = [learner(run, victims).mean(axis=0) for run in runs]
    assert np.abs(by_attacker[0] - by_attacker[1]).max() < 0.03
    assert np.abs(by_learner[0] - by_learner[1]).max() < 0.03
    larger = VerticalTable(DOMAIN, table.known, np.arange(0, 61, 12), table.values)
    swapped, shuffled = (
        sample(larger, SamplerSettings(iterations=2_000, proposal=proposal)).diagnostics.accepted
        for proposal in ("swap", PERMUTATION)
    )
    assert 0 < shuffled < swapped < 1


def test_progress_and_diagnostics_are_told_and_it_can_be_cancelled(table):
    told, seen = [], []
    sample(
        table,
        SamplerSettings(iterations=1_000, stop_early=False),
        reporter=Reporter(progress=told.append),
        watch=seen.append,
    )
    assert [each.done for each in told] == sorted(each.done for each in told)
    assert told[-1].remark.startswith("The chains have")
    assert len(seen) == 3
    with pytest.raises(CancelledError):
        sample(table, reporter=Reporter(cancel=lambda: True))


def test_what_is_no_table_is_refused():
    known = np.zeros((3, 2), np.int32)
    values = np.zeros(3, np.int32)
    with pytest.raises(InputError, match="Group number 2 has no rows"):
        VerticalTable(DOMAIN, known, np.array([0, 2, 2, 3]), values)
    with pytest.raises(InputError, match="as many values as rows"):
        VerticalTable(DOMAIN, known, np.array([0, 2]), values)
    covers = (np.eye(3, dtype=bool), np.array([[1, 1, 1, 1], [0, 0, 0, 0]], bool))
    with pytest.raises(InputError, match="Label number 2 of 'b' covers no possible value"):
        HorizontalTable(DOMAIN, np.array([[0, 1]], np.int32), covers, values[:1])
    HorizontalTable(DOMAIN, np.array([[0, 0]], np.int32), covers, values[:1])


def test_a_prior_of_another_shape_is_refused(table):
    other = DirichletPrior.even(ValueDomain(names=("a",), sizes=(2,), n_values=2))
    with pytest.raises(InputError, match="2 unknown and 2 known values; the release has 3 and 7"):
        sample(table, prior=other)
    with pytest.raises(InputError, match="prior weight of the known values is not positive"):
        DirichletPrior(np.ones(3), np.zeros((3, 7)))


def test_settings_out_of_bounds_are_refused():
    with pytest.raises(ParameterError, match="chains must be between 2 and 32, not 1"):
        SamplerSettings(chains=1)
    with pytest.raises(ParameterError, match="proposal must be 'swap' or 'permutation'"):
        SamplerSettings(proposal="jump")


def test_too_many_parameters_are_refused():
    domain = ValueDomain(names=("a",), sizes=(20_000,), n_values=20_000)
    covers = (np.ones((1, 20_000), bool),)
    table = HorizontalTable(domain, np.zeros((1, 1), np.int32), covers, np.zeros(1, np.int32))
    with pytest.raises(InputError, match="too many pairs. Choose others"):
        sample(table)


def test_an_informative_prior_moves_the_learner(table):
    counts = np.ones((3, DOMAIN.n_cells))
    counts[0, 0] += 10_000
    prior = DirichletPrior(np.array([10_001.0, 1, 1]), counts)
    victim = Victims.of(DOMAIN, np.array([[0, -1]], np.int32))
    settings = SamplerSettings(iterations=400)
    told = learner(sample(table, settings, prior=prior), victim).mean(axis=0)[0]
    assert told[0] > 0.98
    assert learner(sample(table, settings), victim).mean(axis=0)[0, 0] < 0.9


def test_the_weight_of_the_prior_can_be_set(table):
    weak, strong = (sample(table, SamplerSettings(iterations=400, prior=w)) for w in (1.0, 1e6))
    assert (strong.prior.cells == 1e6).all()
    spreads = [np.exp(each.blocks[0][0].log_cells).std(axis=0).max() for each in (weak, strong)]
    assert spreads[1] < 0.01 < spreads[0]
    with pytest.raises(ParameterError, match="prior must be"):
        SamplerSettings(prior=0.0)


def test_what_to_do_instead_depends_on_how_far_chains_are_apart():
    found = Diagnostics(r_hat=1.2, ess=50.0, geweke=0.0, weiss=None, parameters=1, hidden=0)
    assert found.warnings == ()
    near = replace(found, reasons=("chains differ from each other",)).warnings[0]
    assert near.startswith("Do not rely on these numbers. The chains have not converged")
    assert near.endswith("Allow more iterations.")
    apart = replace(found, r_hat=5.9, reasons=("chains differ from each other",)).warnings[0]
    assert "Use 'definetti'" in apart


def test_hidden_values_of_which_there_are_very_many_keep_their_numbers():
    size = 40_000
    domain = ValueDomain(names=("a",), sizes=(size,), n_values=1)
    one = np.zeros((1, 1), np.int32)
    table = HorizontalTable(domain, one, (np.ones((1, size), bool),), one[0])
    drawn = SimpleNamespace(log_cells=np.zeros((60, 1, size), np.float32))
    found = hidden_values(table, [drawn], np.random.default_rng(0))
    assert found.min() >= 0
    assert found.max() > 2**15


@pytest.mark.parametrize("n_rows", [40, 5_000])
def test_rows_are_drawn_in_proportion_among_what_their_label_covers(n_rows):
    rng = np.random.default_rng(0)
    cells = np.array([[0.1, 0.2, 0.3, 0.4], [0.7, 0.1, 0.1, 0.1]])
    first, covered = np.array([0, 2, 5]), np.array([0, 2, 1, 2, 3], np.int32)
    total = np.zeros((2, 4))
    repeats = 200_000 // n_rows
    for _ in range(repeats):
        counts = np.zeros((2, 4))
        draw_covered(
            rng, cells, counts, np.array([0, 1]), np.array([0, 1]), np.array([n_rows, n_rows]),
            first, covered,
        )  # fmt: skip
        assert counts.sum(axis=1).tolist() == [n_rows, n_rows]
        total += counts
    shares = total / (repeats * n_rows)
    expected = [[0.25, 0, 0.75, 0], [0, 1 / 3, 1 / 3, 1 / 3]]
    np.testing.assert_allclose(shares, expected, atol=0.006)
