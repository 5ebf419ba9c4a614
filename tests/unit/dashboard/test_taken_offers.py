"""What is in force after a click on an answer to a finding."""

import numpy as np
import pandas as pd
import pytest

from alc_core.dashboard.parts.offers import take_offer
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.work.uploads import NO_OPTIONS, read_into
from alc_core.tables.checks.checker import check_tables

PAY = np.random.default_rng(0).integers(1000, 9000, 300)


@pytest.mark.parametrize("mark", [".", ","])
@pytest.mark.parametrize(("offer", "times"), [(0, 1), (1, 1000)])
@pytest.mark.parametrize("slot", ["original", "release"])
def test_a_file_is_read_again_by_what_its_marks_separate(slot, offer, times, mark):
    state, other = AppState(), "release" if slot == "original" else "original"
    marked = pd.DataFrame({"pay": [f"{n:,}".replace(",", mark) for n in PAY], "job": "x"})
    for where, frame in ((slot, marked), (other, marked)):
        data = frame.to_csv(index=False, sep=";").encode()
        read_into(state, where, f"{where}.csv", data, NO_OPTIONS)
    found = check_tables(state.original_table(), state.release_tables())
    asked = [each for each in found if each.code == "maybe-thousands"]
    if mark == ".":  # either reading gives the same
        assert not asked
        return
    (finding,) = (each for each in asked if each.table == slot)
    take_offer(state, finding, finding.offers[offer])
    table = state.original_table() if slot == "original" else state.release_tables()[0]
    assert (table.frame["pay"] * times).round().tolist() == PAY.tolist()
