"""The registered deFinetti attack: linking targets with rows, and what it learns."""

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.attacks.definetti import DeFinetti, ShuffledGroups, sample_chains
from alc_core.errors import InputError, ParameterError
from alc_core.releases.samples.groups import anatomize
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
