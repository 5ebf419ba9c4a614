"""People of the release beside people who are in neither table."""

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.errors import ColumnError, InputError
from alc_core.group_posterior.settings import SamplerSettings
from alc_core.studies.relative_threat.measuring import _under
from alc_core.studies.relative_threat.study import comparison_sentences
from alc_core.tables.codes.encode import encode
from alc_core.tables.values.generalized import tags

SETTINGS = SamplerSettings(iterations=200, chains=2)
SCENARIO = alc.Scenario(("street", "age"), "job")
JOBS = np.array(["nurse", "smith", "clerk", "baker"])


def town(seed, n=400):
    """People all alone in their street, whose job nothing tells."""
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "street": [f"s{number}" for number in range(n)],
            "age": rng.choice([30.0, 40.0, 50.0], n),
            "job": rng.choice(JOBS, n),
        }
    )


def measure(original, holdout):
    # Ages play a part in who fits a row; here they are everybody's own.
    holdout = holdout.assign(age=original["age"].iloc[: len(holdout)].to_numpy())
    return alc.measure_threat(
        original, original.copy(), SCENARIO, holdout=holdout, settings=SETTINGS, accept=["all"]
    )


@pytest.fixture(scope="module")
def result():
    return measure(town(1), town(2))


def test_members_are_guessed_and_strangers_by_chance(result):
    """The release is the original itself: its people stand in it, others are a matter of luck."""
    original, holdout = town(1), town(2)
    found = result.comparison
    assert found.members.attacker.value == 1
    assert found.members.attacker_belief.value == pytest.approx(1)
    assert found.members.fitting == found.non_members.fitting == 400
    lucky = (original["job"] == holdout["job"]).mean()
    assert found.non_members.attacker.value == pytest.approx(lucky)
    assert found.non_members.attacker.low < 0.25 < found.non_members.attacker.high
    assert found.attacker_more.value == pytest.approx(1 - lucky)
    assert found.attacker_more.low > 0.65


def test_people_like_those_of_the_release_make_no_difference():
    """Two streets: who is in the release does not matter."""
    original, holdout = (
        town(seed).assign(street=lambda frame: frame["street"].str[-1].isin(list("01234")))
        for seed in (1, 2)
    )
    found = alc.measure_threat(
        original.astype({"street": str}), original.astype({"street": str}), SCENARIO,
        holdout=holdout.astype({"street": str}), settings=SETTINGS,
    )  # fmt: skip
    more = found.comparison.attacker_more
    assert more.low < 0 < more.high
    assert "not clearly guessed more often" in " ".join(comparison_sentences(found.comparison))


def test_who_has_a_value_of_neither_table_or_none_is_left_out_and_counted():
    original, holdout = town(1), town(2)
    holdout.loc[0, "street"] = "elsewhere"
    holdout.loc[1, "job"] = "pilot"
    holdout.loc[2, "job"] = None
    result = measure(original, holdout)
    assert result.comparison.non_members.people == 397
    notes = " ".join(result.notes)
    assert "with a missing 'job': 1." in notes
    assert "with a value in neither table: 2." in notes


def test_the_result_tells_both_as_text_and_plain_values(result):
    text = " ".join(comparison_sentences(result.comparison))
    assert "Members are guessed more often than others" in text
    plain = result.to_dict()["holdout"]
    assert plain["members"]["attacker"]["value"] == 1
    assert {"low", "high"} <= set(plain["attacker_more"])
    without = alc.measure_threat(town(1), town(1), SCENARIO, settings=SETTINGS)
    assert without.to_dict()["holdout"] is None


def test_a_holdout_that_cannot_be_compared_is_refused():
    original = town(1)
    with pytest.raises(ColumnError, match="'age'"):
        alc.measure_threat(
            original, original, SCENARIO, holdout=town(2).drop(columns="age"), settings=SETTINGS
        )
    with pytest.raises(InputError, match="No released row fits any of the 400 people"):
        measure(original, town(2).assign(street="elsewhere"))


def test_codes_among_numbers_are_those_of_the_release():
    numbers = [str(n) for n in range(30)]
    original, holdout = (
        alc.table_from_frame(pd.DataFrame({"pay": [*numbers, *codes]}), name="pay")
        for codes in (["N", None, "Q"], ["B", "N", None])
    )
    original = original.with_kinds({"pay": "continuous"})
    data = encode(original, [original])
    both = encode(original, [holdout], as_written=True)
    people, new = _under(data.specs, both.released[0], both.specs)
    pay = people.columns["pay"]
    assert pay[:30].tolist() == [float(n) for n in numbers]
    assert new.tolist() == [False] * 30 + [True, False, False]
    assert tags(pay)[31:].tolist() == [1, 0]
    assert data.specs["pay"].codes == ("N", "Q")
