"""Known rows as bags: their order says nothing to the baseline."""

import numpy as np

from alc_core.baselines.bags import with_bags
from alc_core.scenario.targets import KnownValues
from alc_core.tables.codes.encode import CategoricalCodes, ContinuousScale


def known(wards, costs, age=(30.0, 40.0, 50.0)):
    """Values of two known rows of three people; each row's column has codes of its own."""
    labels = (("a", "b"), ("b", "a"))
    specs = {"age": ContinuousScale(name="age", minimum=0, maximum=90)}
    columns = {"age": np.array(age)}
    for n, (ward, cost) in enumerate(zip(wards, costs, strict=True), 1):
        codes = [labels[n - 1].index(each) if each else 2 for each in ward]
        specs[f"visits {n}: ward"] = CategoricalCodes(name="ward", labels=labels[n - 1])
        columns[f"visits {n}: ward"] = np.array(codes, dtype=np.int32)
        specs[f"visits {n}: cost"] = ContinuousScale(name="cost", minimum=0, maximum=9)
        columns[f"visits {n}: cost"] = np.array(cost, dtype=float)
    return KnownValues(specs=specs, columns=columns, n_rows=3)


def test_known_rows_are_counted_by_value():
    found = with_bags(known([["a", "b", "a"], ["b", "b", ""]], [[1, 2, 3], [3, 2, np.nan]]))
    told = {name: values.tolist() for name, values in found.columns.items()}
    assert told == {
        "age": [30, 40, 50],
        "visits: ward value 0": [1, 0, 1],
        "visits: ward value 1": [1, 2, 0],
        "visits: ward known": [2, 2, 1],
        "visits: cost mean": [2, 2, 3],
        "visits: cost known": [2, 2, 1],
    }
    assert found.specs.keys() == found.columns.keys()


def test_their_order_does_not_matter():
    one = with_bags(known([["a", "b", "a"], ["b", "a", "a"]], [[1, 2, 3], [4, 5, 6]]))
    other = with_bags(known([["b", "a", "a"], ["a", "b", "a"]], [[4, 5, 6], [1, 2, 3]]))
    for name, values in one.columns.items():
        np.testing.assert_array_equal(values, other.columns[name])


def test_a_single_known_row_stays():
    single = known([["a", "b", ""]], [[1, 2, 3]])
    assert with_bags(single) is single
