import numpy as np
import pytest

from alc_core.attacks.protocol import Predictions
from alc_core.errors import InputError


def test_predictions_are_checked():
    good = Predictions.of([0, 2], [0.5, np.nan], [False, True])
    good.check(2, 3, "mine")
    with pytest.raises(InputError, match="'mine' returned arrays of shapes .* for 3 targets"):
        good.check(3, 3, "mine")
    with pytest.raises(InputError, match="not finite for 1 of 2 targets. Let it abstain"):
        Predictions.of([0, 1], [0.5, np.inf]).check(2, 3, "mine")
    with pytest.raises(InputError, match="a code outside 0 to 2"):
        Predictions.of([0, 3], [0.5, 0.5]).check(2, 3, "mine")
    with pytest.raises(InputError, match="a code outside 0 to 2"):
        Predictions.of([0, -1], [0.5, 0.5]).check(2, 3, "mine")
