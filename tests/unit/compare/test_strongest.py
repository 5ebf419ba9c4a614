from dataclasses import replace

import numpy as np

from alc_core.compare.comparison import NOT_PLANNED
from alc_core.compare.layout import by_strongest, comparable, is_by_strongest


def of_two_types(compared):
    """Attack "a" on the rows alone, "b" on the counts alone, of two scenarios."""
    found = compared({"rows": [0.9, 0.1, None, None], "counts": [None, None, 0.3, 0.8]})
    scenario = {"secret0": "job", "secret1": "sex", "secret2": "job", "secret3": "sex"}
    return replace(
        found,
        unknown=tuple(scenario[each] for each in found.unknown),
        known=(("age",),) * 4,
        attack=tuple("a" if each in ("secret0", "secret1") else "b" for each in found.unknown),
    )


def test_scenarios_without_a_common_attack_are_compared_by_the_strongest(compared):
    found = of_two_types(compared)
    assert not found.shared.any()
    merged = comparable(found)
    assert is_by_strongest(merged)
    assert not merged.several_attacks
    by_unknown = dict(zip(merged.unknown, merged.alc.tolist(), strict=True))
    assert by_unknown == {"job": [0.9, 0.3], "sex": [0.1, 0.8]}
    assert merged.shared.all()


def test_of_several_attacks_on_a_release_the_worst_counts(compared):
    found = compared({"one": [0.2, 0.9, -3.0], "two": [0.6, None, 0.1]})
    same = replace(found, unknown=("job",) * 3, known=(("age",),) * 3, attack=("a", "b", "c"))
    merged = by_strongest(same)
    assert merged.alc.tolist() == [[0.9, 0.6]]
    assert set(merged.number[0]) <= set(found.number.flatten()) - {NOT_PLANNED}
    assert merged.row_of(int(merged.number[0, 1])) == 0


def test_a_common_attack_is_compared_as_it_is(compared):
    found = compared({"one": [0.2, 0.9], "two": [0.6, None]})
    several = replace(found, attack=("a", "b"))
    assert comparable(found) is found
    assert comparable(several) is several


def test_nothing_to_compare_stays(compared):
    found = compared({"one": [], "two": []})
    assert comparable(found) is found
    np.testing.assert_array_equal(by_strongest(found).alc, np.empty((0, 2)))
