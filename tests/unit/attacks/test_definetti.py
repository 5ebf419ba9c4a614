"""The registered deFinetti attack: linking targets with rows, and what it learns."""

import itertools
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.attacks import definetti
from alc_core.attacks.definetti import (
    PREDICTORS,
    DeFinetti,
    ShuffledGroups,
    sample_chain,
    sample_chains,
)
from alc_core.attacks.definetti_kernels import swap_values
from alc_core.attacks.naive_bayes import NaiveBayesModel
from alc_core.errors import InputError, ParameterError
from alc_core.releases.cells import contingency
from alc_core.releases.samples.groups import anatomize, anatomy_groups
from alc_core.scenario.targets import KnownValues
from alc_core.tables.values.generalized import tagged
from tests.toys import attacked
from tests.toys.attacked import predicted

KNOWN = ("town", "age")
JOBS = ["clerk", "nurse", "smith", "tailor"]
TOWNS = ["Bonn", "Jena", "Kiel", "Ulm"]


def people(n=800, seed=0):
    """A job that mostly follows from the town; ages that nobody shares."""
    rng = np.random.default_rng(seed)
    town = rng.integers(0, 4, n)
    job = np.where(rng.random(n) < 0.15, rng.integers(0, 4, n), town)
    return pd.DataFrame(
        {
            "town": np.array(TOWNS, dtype=object)[town],
            "age": np.round(rng.permutation(np.linspace(18, 80, n)), 3),
            "job": np.array(JOBS, dtype=object)[job],
        }
    )


def prepared(frame, *, level=2, known=KNOWN, **options):
    how = {"unknown": "job", "known": known, "level": level, **options}
    return attacked.prepared(frame, lambda original: anatomize(original, **how), known)


def truth_of(frame):
    return pd.Categorical(frame["job"], JOBS).codes


def test_rows_with_other_texts_among_their_numbers_are_told_apart():
    ages = tagged(np.array([1, 2, 0, 1, 0, 0]))
    ages[4:] = 0.0, -0.0
    known = KnownValues(specs={}, columns={"age": ages}, n_rows=len(ages))
    profile, sizes = definetti._profiles(SimpleNamespace(tables=[SimpleNamespace(known=known)]))
    assert profile.tolist() == [0, 1, 2, 0, 3, 3]
    assert sizes.tolist() == [2, 1, 1, 2]


@pytest.mark.parametrize("predictor", ["permutation", "group"])
def test_finds_the_value_of_people_who_are_linked_with_their_row(predictor):
    frame = people()
    made = prepared(frame)
    found = predicted(made, f"definetti: predictor={predictor}, rounds=200, chains=2")
    match = predicted(made, "best row match")
    assert (found.values == truth_of(frame)).mean() > 0.85
    assert (match.values == truth_of(frame)).mean() < 0.65
    surest = found.scores >= np.median(found.scores)
    assert (found.values == truth_of(frame))[surest].mean() > 0.85


def test_predicts_only_values_of_the_group_unless_open():
    frame = people()
    made = prepared(frame, level=2)
    found = predicted(made, "definetti: rounds=50, chains=1")
    assert ((found.probabilities > 0).sum(axis=1) <= 2).all()
    free = predicted(made, "definetti: rounds=50, chains=1, predictor=open")
    assert ((free.probabilities > 0).sum(axis=1) == 4).all()
    assert (free.values == truth_of(frame)).mean() > 0.8


def test_beliefs_of_rows_that_match_alike_are_averaged():
    frame = people()
    known = ("town",)
    made = prepared(frame, known=known)
    found = predicted(made, "definetti: rounds=60, chains=2", seed=3)
    view, targets = made.view, made.targets
    table, groups = view.tables[0], view.groups
    chains = sample_chains(
        ShuffledGroups.of(
            [table.known.columns["town"]], [4], group=groups.group, starts=groups.starts,
            values=groups.values, n_values=4,
        ),
        chains=2, seed=int(np.random.default_rng(3).integers(2**63)), rounds=60,
    )  # fmt: skip
    beliefs = np.mean(
        [chain.beliefs(np.arange(len(table)), "permutation") for chain in chains], axis=0
    )
    for code in range(4):
        pooled = beliefs[table.known.columns["town"] == code].mean(axis=0)
        mine = found.probabilities[targets.known.columns["town"] == code]
        assert np.allclose(mine[:, :4], pooled)
        assert np.allclose(found.scores[targets.known.columns["town"] == code], pooled.max())


def test_the_nearest_row_counts_where_none_is_equal_and_the_distance_lowers_the_score():
    frame = people()
    made = prepared(frame)
    near = predicted(made, "definetti: rounds=20, chains=1")
    made.targets.known.columns["age"][:] += 1e-4
    far = predicted(made, "definetti: rounds=20, chains=1")
    assert np.array_equal(near.values, far.values)
    assert (far.scores < near.scores).all()
    assert np.allclose(far.scores, near.scores, atol=1e-4)


def test_result_depends_on_the_seed_and_not_on_the_threads():
    made = prepared(people())
    found = [
        predicted(made, DeFinetti(rounds=30, chains=3, threads=threads), seed).probabilities
        for threads, seed in ((1, 0), (2, 0), (1, 1))
    ]
    assert np.array_equal(found[0], found[1])
    assert not np.array_equal(found[0], found[2])


def test_rows_of_people_are_refused():
    original = alc.table_from_frame(people(), name="original")
    with pytest.raises(InputError, match="groups of people"):
        alc.assess(original, original, alc.Scenario(KNOWN, "job"), attack="definetti")


def test_parameters_out_of_bounds():
    with pytest.raises(ParameterError, match="predictor must be 'permutation' or 'group' or 'op"):
        alc.make_attack("definetti: predictor=best")
    with pytest.raises(ParameterError, match="rounds must be between 2 and 100000, not 1"):
        alc.make_attack("definetti: rounds=1")


SEX = np.array([1, 0, 0, 1, 1, 1, 1, 0], dtype=np.int32)
JOB = np.array([2, 2, 2, 1, 2, 0, 2, 2], dtype=np.int32)
GROUP = np.array([0, 0, 0, 1, 1, 1, 2, 2], dtype=np.int32)
DISEASE = np.array([2, 0, 1, 3, 2, 1, 2, 1], dtype=np.int32)
SIZES = [2, 3]


def tiny():
    return ShuffledGroups.of_truth([SEX, JOB], SIZES, group=GROUP, truth=DISEASE, n_values=4)


def swaps(values, logs, rows):
    """The probability of each way to deal a group's values after one proposal, by its values."""
    found = {}
    pairs = list(itertools.combinations(range(len(values)), 2))
    for a, b in pairs:
        swapped = list(values)
        swapped[a], swapped[b] = swapped[b], swapped[a]
        gain = sum(logs[rows[i], swapped[i]] - logs[rows[i], values[i]] for i in (a, b))
        accepted = min(1.0, np.exp(gain))
        found[tuple(swapped)] = found.get(tuple(swapped), 0.0) + accepted / len(pairs)
        found[values] = found.get(values, 0.0) + (1 - accepted) / len(pairs)
    return found


def after_proposals(values, logs, rows):
    """The same after as many proposals as the group has rows."""
    chances = {values: 1.0}
    for _ in values:
        following = {}
        for state, chance in chances.items():
            for found, share in swaps(state, logs, rows).items():
                following[found] = following.get(found, 0.0) + chance * share
        chances = following
    return chances


def test_chain_visits_assignments_as_often_as_its_enumerated_transitions_say():
    members = [np.flatnonzero(number == GROUP) for number in range(3)]
    dealt = [sorted(set(itertools.permutations(DISEASE[rows].tolist()))) for rows in members]
    states = list(itertools.product(*dealt))
    place = {state: number for number, state in enumerate(states)}
    moves = np.zeros((len(states), len(states)))
    for state in states:
        values = np.empty(len(GROUP), dtype=np.int32)
        for rows, of_group in zip(members, state, strict=True):
            values[rows] = of_group
        model = NaiveBayesModel.of_counts(contingency([SEX, JOB], values, SIZES, 4))
        # A line per row: what the classifier gives each value, but for the values' shares.
        logs = model.log_joint([SEX, JOB]) - model.log_prior
        ways = [
            after_proposals(of_group, logs, rows)
            for rows, of_group in zip(members, state, strict=True)
        ]
        for combined in itertools.product(*(way.items() for way in ways)):
            reached = place[tuple(found for found, _ in combined)]
            moves[place[state], reached] += np.prod([chance for _, chance in combined])
    assert np.allclose(moves.sum(axis=1), 1)
    stationary = np.linalg.matrix_power(moves, 4096)[0]
    expected = np.zeros((len(GROUP), 4))
    for state, share in zip(states, stationary, strict=True):
        for rows, of_group in zip(members, state, strict=True):
            expected[rows, of_group] += share

    chains = sample_chains(tiny(), chains=4, seed=1, rounds=16_000)
    rows = np.arange(len(GROUP))
    found = np.mean([chain.beliefs(rows, "permutation") for chain in chains], axis=0)
    assert np.abs(found - expected).max() < 0.02
    assert np.abs(expected - 1 / 3).max() > 0.1  # the classifier does prefer some assignments


def test_swaps_sample_permutations_by_their_likelihood():
    rng = np.random.default_rng(3)
    logs = np.log(rng.dirichlet(np.ones(4), size=4))
    codes = np.arange(4, dtype=np.int32)[:, None]
    likelihoods = {
        dealt: np.exp(sum(logs[row, value] for row, value in enumerate(dealt)))
        for dealt in itertools.permutations(range(4))
    }
    total = sum(likelihoods.values())
    values, starts = np.arange(4, dtype=np.int32), np.array([0, 4])
    seen = dict.fromkeys(likelihoods, 0)
    rounds = 60_000
    for _ in range(rounds):
        swap_values(codes, starts, logs, values, rng.random((4, 3)))
        seen[tuple(values.tolist())] += 1
    gaps = [abs(seen[dealt] / rounds - likelihoods[dealt] / total) for dealt in seen]
    assert max(gaps) < 0.02


def planted(groups=600, seed=0):
    """Pairs of people with different values, which mostly go with what is known of them."""
    rng = np.random.default_rng(seed)
    group = np.repeat(np.arange(groups, dtype=np.int32), 2)
    lacking = rng.integers(0, 3, groups)
    truth = np.stack([(lacking + 1) % 3, (lacking + 2) % 3], axis=1).reshape(-1).astype(np.int32)
    known = np.where(rng.random(len(truth)) < 0.9, truth, rng.integers(0, 3, len(truth)))
    order = rng.permutation(len(truth))
    shuffled = ShuffledGroups.of_truth(
        [known[order].astype(np.int32)], [3], group=group[order], truth=truth[order], n_values=3
    )
    return shuffled, truth[order]


def test_learns_what_all_groups_have_in_common():
    groups, truth = planted()
    chain = sample_chain(groups, seed=1, rounds=200, truth=truth)
    right = (chain.values == truth).mean()
    assert right > 0.9
    assert chain.accuracy[-1] == right
    assert chain.accuracy[0] < 0.75
    assert chain.change[100:].mean() < chain.change[0] / 3
    for predictor in PREDICTORS:
        beliefs = chain.beliefs(np.arange(len(truth)), predictor)
        assert np.allclose(beliefs.sum(axis=1), 1)
        assert (beliefs.argmax(axis=1) == truth).mean() > 0.9


def test_group_and_permutation_give_nothing_to_values_outside_the_group():
    chain = sample_chain(tiny(), seed=1, rounds=20)
    rows = np.flatnonzero(GROUP == 2)  # its values are 1 and 2
    for predictor in ("permutation", "group"):
        assert (chain.beliefs(rows, predictor)[:, [0, 3]] == 0).all()
    assert (chain.beliefs(rows, "open") > 0).all()
    columns = [SEX[rows], JOB[rows]]
    assert np.allclose(chain.beliefs(rows, "open"), chain.model.posterior(columns))


def test_of_very_many_columns_the_values_of_a_group_are_still_compared():
    truth = np.tile([0, 1, 2, 3], 15).astype(np.int32)
    looks = truth.copy()
    looks[1] = 2  # Of a group with 0 and 1, each of which is impossible beside 2
    group = (np.arange(60) // 2).astype(np.int32)
    groups = ShuffledGroups.of_truth(
        [looks] * 1000, [4] * 1000, group=group, truth=truth, n_values=4
    )
    beliefs = sample_chain(groups, seed=1, rounds=20).beliefs(np.arange(60), "group")
    assert np.allclose(beliefs.sum(axis=1), 1)


def test_values_stay_in_their_groups_and_counts_are_those_of_the_last_round():
    groups, truth = planted(groups=50)
    chain = sample_chain(groups, seed=4, rounds=10)
    for number in range(50):
        members = groups.group == number
        assert sorted(chain.values[members]) == sorted(truth[members])
    assert chain.held.sum() == 5 * len(truth)  # the second half of the rounds
    expected = contingency([groups.codes[:, 0]], chain.values, [3], 3)
    assert np.array_equal(chain.counts[0], expected[0])


def test_cells_that_say_nothing_change_nothing():
    silent = np.full(len(GROUP), -1, dtype=np.int32)
    groups = ShuffledGroups.of_truth(
        [SEX, JOB, silent], [*SIZES, 1], group=GROUP, truth=DISEASE, n_values=4
    )
    both = [sample_chain(each, seed=7, rounds=300) for each in (tiny(), groups)]
    assert np.array_equal(both[0].held, both[1].held)


def test_same_seed_same_chains_whatever_the_threads():
    groups, _ = planted(groups=80)
    one, two = (sample_chains(groups, chains=3, seed=5, rounds=50, threads=n) for n in (1, 2))
    for first, second in zip(one, two, strict=True):
        assert np.array_equal(first.held, second.held)
        assert np.array_equal(first.values, second.values)
    assert not np.array_equal(one[0].held, one[1].held)


def test_groups_need_as_many_values_as_rows():
    with pytest.raises(ParameterError, match="as many values as rows"):
        ShuffledGroups.of(
            [SEX], [2], group=GROUP, starts=np.array([0, 2, 5, 8]), values=DISEASE, n_values=4
        )


def test_rounds_are_reported_and_can_be_stopped():
    class StopError(Exception):
        pass

    def report(done):
        if done == 3:
            raise StopError

    with pytest.raises(StopError):
        sample_chain(tiny(), seed=1, rounds=10, report=report)


def test_a_chain_does_not_settle_where_its_random_start_led_it():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 8, 3_000).astype(np.int32)
    likely = [np.where(rng.random(3_000) < 0.6, truth, rng.integers(0, 8, 3_000)) for _ in range(3)]
    groups = ShuffledGroups.of_truth(
        likely, [8] * 3, group=anatomy_groups(truth, 7, rng), truth=truth, n_values=8
    )
    for seed in range(5):
        chain = sample_chain(groups, seed=seed, rounds=200, truth=truth)
        assert chain.accuracy[-1] > 0.8
