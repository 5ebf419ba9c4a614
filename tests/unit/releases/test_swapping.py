import numpy as np
import pandas as pd
import pytest

from alc_core.errors import ParameterError
from alc_core.releases.samples.perturbed import swap_columns


def frame(n=5000):
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "a": np.arange(n),
            "b": rng.choice(list("xyz"), n),
            "c": pd.Categorical(["u", "v"] * (n // 2)),
        },
        index=np.arange(n) + 7,
    )


@pytest.mark.parametrize("share", [0, 0.2, 0.8, 1])
def test_columns_keep_their_values_and_a_share_moves(share):
    original = frame()
    swapped = swap_columns(original, share, seed=1)
    assert sorted(swapped["a"]) == sorted(original["a"])
    assert swapped["b"].value_counts().to_dict() == original["b"].value_counts().to_dict()
    assert swapped.dtypes.equals(original.dtypes)
    moved = (swapped["a"].to_numpy() != original["a"].to_numpy()).mean()
    assert moved == pytest.approx(share, abs=0.01)


def test_columns_move_independently_and_by_seed():
    swapped = swap_columns(frame(), 1, seed=1)
    assert not np.array_equal(np.argsort(swapped["a"].to_numpy()), swapped["a"].to_numpy())
    assert swapped.equals(swap_columns(frame(), 1, seed=1))
    assert not swapped.equals(swap_columns(frame(), 1, seed=2))


def test_share_out_of_bounds():
    with pytest.raises(ParameterError, match=r"share must lie in \[0, 1\], but is 20"):
        swap_columns(frame(), 20)
