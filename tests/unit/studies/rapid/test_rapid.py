from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from alc_core.errors import InputError
from alc_core.releases.microdata import Microdata
from alc_core.runtime.progress import Reporter
from alc_core.scenario.scenario import Scenario
from alc_core.studies.rapid import learners
from alc_core.studies.rapid.learners import LEARNERS
from alc_core.studies.rapid.measuring import measure_rapid
from alc_core.studies.rapid.result import RapidSettings
from alc_core.studies.rapid.study import RapidStudy, people_table
from alc_core.studies.study import StudyData, usual_values
from alc_core.tables.read import table_from_frame
from tests.toys.shown import shown

N = 1_200


@pytest.fixture(autouse=True)
def _small_models(monkeypatch):
    monkeypatch.setattr(learners, "_TREES", 10)


def people(seed=0):
    """A place decides the job for half of the people; money is a number around the age."""
    rng = np.random.default_rng(seed)
    town = rng.choice(list("ABCD"), N)
    age = rng.integers(20, 80, N)
    own = rng.choice(["clerk", "cook", "nurse"], N)
    by_town = pd.Series(town).map({"A": "clerk", "B": "cook", "C": "nurse", "D": "nurse"})
    job = np.where(rng.random(N) < 0.5, by_town, own)
    money = (age - 50) * 10 + rng.normal(0, 40, N)
    return pd.DataFrame({"town": town, "age": age, "job": job, "money": money.round()})


def release(frame, name="release"):
    return Microdata(tables=(table_from_frame(frame, name=name),), name=name)


def rapid(original, released, unknown="job", known=("town", "age"), person=None, **settings):
    scenario = Scenario([column for column in known if column != unknown], unknown, person=person)
    usual = {"learner": "decision tree", "resamples": 200}
    return measured(original, released, scenario, **(usual | settings)).result


def measured(original, released, scenario, **settings):
    return measure_rapid(
        table_from_frame(original, name="original"),
        release(released),
        scenario,
        RapidSettings(**settings),
    )


def people_of(original, released):
    """The risk of each person by a tree."""
    return measured(original, released, Scenario(["town", "age"], "job"), learner="decision tree")


def test_a_verbatim_release_is_above_its_reference_and_a_stranger_table_is_not():
    original = people()
    leak = rapid(original, original)
    assert leak.beyond.low > 0.05
    strangers = rapid(original, people(seed=9))
    assert strangers.beyond.low < 0.03
    assert strangers.rapid.value < leak.rapid.value
    assert leak.rapid.low < leak.rapid.value < leak.rapid.high


def test_the_reference_does_not_depend_on_the_release():
    original = people()
    shuffled = original.assign(job=original["job"].sample(frac=1, random_state=1).to_numpy())
    assert rapid(original, original).reference.value == rapid(original, shuffled).reference.value


def test_the_same_seed_gives_the_same_result():
    original, released = people()[:300], people(3)[:300]
    first, second = (rapid(original, released, learner="random forest") for _ in range(2))
    assert RapidStudy().plain(first) == RapidStudy().plain(second)
    assert rapid(original, released, learner="random forest", seed=1).curve != first.curve


def test_the_curve_holds_the_number_at_its_threshold():
    found = rapid(people(), people(3))
    place = found.curve.cuts.index(found.cut)
    assert found.curve.shares[place] == pytest.approx(found.rapid.value)
    assert found.curve.low[place] == pytest.approx(found.rapid.low)
    assert found.curve.high[place] == pytest.approx(found.rapid.high)
    assert found.curve.reference[place] == pytest.approx(found.reference.value)
    assert (np.diff(found.curve.shares) <= 0).all()


def test_the_attribute_that_decides_drives_the_risk():
    found = rapid(people(), people(3), learner="regression")
    assert found.drivers[0].column == "town"
    assert found.drivers[0].drop.value > 0.1
    assert abs(found.drivers[1].drop.value) < 0.05


def test_an_attribute_drives_the_risk_by_its_texts_as_by_its_numbers():
    def coded(frame):
        text = frame["town"].map({"A": "N", "B": "X"})
        return frame.assign(age=frame["age"].astype(object).where(text.isna(), text))

    found = rapid(coded(people()), coded(people(3)), known=("age", "money"))
    assert [driver.column for driver in found.drivers] == ["age", "money"]
    assert found.drivers[0].drop.value > 0.1


@pytest.mark.parametrize("learner", ["random forest", "decision tree", "gradient boosting",
                                     "regression"])  # fmt: skip
@pytest.mark.parametrize("unknown", ["job", "money"])
def test_every_learner_takes_categories_and_numbers(learner, unknown):
    found = rapid(people(), people(3), unknown=unknown, learner=learner)
    assert 0 < found.rapid.value < 1
    assert found.score == ("gain" if unknown == "job" else "symmetric")


def test_people_without_a_value_are_left_out_and_missing_facts_are_not():
    original = people()
    original.loc[:99, "job"] = None
    original.loc[100:199, "town"] = None
    original["age"] = original["age"].astype(float)
    original.loc[200:299, "age"] = np.nan
    found = rapid(original, original)
    assert (found.n_people, found.left_out) == (N - 100, 100)
    assert people_of(original, original).rows.min() == 100


def test_people_with_a_text_among_numbers_are_left_out_and_said():
    frame = people().astype({"money": object})
    frame.loc[::20, "money"] = "varies"
    original = table_from_frame(frame, name="original").with_kinds({"money": "continuous"})
    settings = RapidSettings(learner="decision tree", resamples=100)
    scenario = Scenario(["town", "age"], "money")
    found = measure_rapid(original, release(frame), scenario, settings).result
    assert found.left_out == N // 20
    assert ("60 people whose 'money' is text are left out.") in found.notes
    assert any("60 rows of 'release' have no single value of 'money'" in n for n in found.notes)


def test_categories_that_the_release_has_not_are_said():
    original = people()
    original.loc[:49, "job"] = "judge"
    original.loc[50:80, "town"] = "Z"
    found = rapid(original, people(3))
    assert found.not_released == ("judge",)
    risks = people_of(original, people(3))
    risk = pd.DataFrame({"row": risks.rows, "risk": risks.at_risk})
    assert not risk[risk["row"] < 50]["risk"].any()
    assert "judge" in shown("rapid", found)


def test_numbers_with_zeros_and_negatives():
    original = people()
    assert (original["money"] < 0).any()
    original.loc[:50, "money"] = 0
    scenario = Scenario(["town", "age"], "money")
    found = measured(original, original, scenario, learner="decision tree")
    assert np.isfinite(found.scores).all()
    assert rapid(original, original, unknown="money", score="absolute", cut=30.0).rapid.value > 0.3


def test_one_value_for_all_is_no_risk():
    original = people().assign(job="clerk")
    found = rapid(original, original)
    assert found.rapid.value == 0
    assert found.rapid.high < 0.01
    assert "All people have the same 'job'" in shown("rapid", found)
    assert "Nobody is at risk either way." in shown("rapid", found)
    assert "At risk by 'town': 0% in every group." in shown("rapid", found)


def test_one_number_for_all_is_said():
    original = table_from_frame(people().assign(money=7), name="original")
    original = original.with_kinds({"money": "continuous"})
    same = Microdata(tables=(original,), name="same")
    settings = RapidSettings(learner="decision tree")
    found = measure_rapid(original, same, Scenario(["town"], "money"), settings).result
    assert (found.rapid.value, found.reference.value) == (1, 1)
    (note,) = RapidStudy().plain(found)["notes"]
    assert "the same 'money', so RAPID says nothing" in note


@pytest.mark.parametrize("threshold", [0.0, 0.3])
def test_a_model_that_gives_everybody_the_shares_puts_nobody_at_risk(threshold):
    original = people().assign(town="A")
    found = rapid(original, original, known=("town",), cut=threshold)
    assert (found.rapid.value, found.curve.shares[0]) == (0, 0)


def test_a_model_that_is_always_right_puts_everybody_at_risk():
    original = people()
    original["money"] = original["job"].map({"clerk": 0.0, "cook": -10.0, "nurse": 250.0})
    for unknown in ("job", "money"):
        known = ("money",) if unknown == "job" else ("job",)
        assert rapid(original, original, unknown, known).rapid.value == 1


def test_generalized_and_suppressed_rows_are_learned_from():
    original = people()
    released = original.assign(age=pd.cut(original["age"], [19, 35, 50, 65, 80]).astype(str))
    released.loc[:30, "job"] = "*"
    found = rapid(original, released)
    assert found.rapid.value > 0.2
    assert any("31 rows" in note for note in found.notes)


def test_a_known_column_that_the_release_lacks_is_said():
    found = rapid(people(), people(3).drop(columns="age"))
    assert any("lacks age" in note.replace("'", "") for note in found.notes)


def test_records_of_a_person_stay_together():
    original = people()
    original["who"] = np.arange(N) // 2
    original["job"] = original.groupby("who")["job"].transform("first")
    original["town"] = original["who"].astype(str)
    known = {"known": ("town",), "learner": "decision tree"}
    apart = rapid(original, original, **known)
    together = rapid(original, original, **known, person="who")
    assert together.reference.value < apart.reference.value - 0.1


def test_the_study_keeps_households_together():
    original = people()
    original["home"] = np.arange(N) // 2
    original["job"] = original.groupby("home")["job"].transform("first")
    original["town"] = original["home"].astype(str)
    table, study = table_from_frame(original, name="original"), RapidStudy()
    given = {"known": ("town",), "unknown": ("job",), "learner": "decision tree"}
    apart, together = (
        study.run(
            StudyData(table=table, releases={"a": release(original)}, household=home),
            usual_values(study) | given,
            Reporter(),
        )[0].result.reference.value
        for home in (None, "home")
    )
    assert together < apart - 0.1


def test_exported_people_hold_no_value_of_the_original():
    lines = people_table([people_of(people(), people(3))]).splitlines()
    assert lines[0] == "release,unknown,row,score,score_without_the_person,at_risk"
    assert len(lines) == N + 1
    assert not {"clerk", "cook", "nurse"} & set(",".join(lines[1:]).split(","))


def test_names_in_the_table_of_people_are_no_formulas():
    found = people_of(people(), people(3))
    result = replace(found.result, release="=1+1", unknown="@job")
    line = people_table([replace(found, result=result)]).splitlines()[1]
    assert line.startswith("'=1+1,'@job,1,")


def test_plain_values_hold_no_people():
    plain = RapidStudy().plain(rapid(people(), people(3)))
    assert {"rapid", "interval", "threshold", "reference", "curve"} <= set(plain)
    assert "scores" not in str(plain)


def test_a_release_without_a_usable_row_is_refused():
    with pytest.raises(InputError, match="column"):
        rapid(people(), people().assign(job="*"))


def test_a_single_person_is_refused():
    with pytest.raises(InputError, match="Only one person"):
        measure_rapid(
            table_from_frame(people().assign(who=1), name="original"),
            release(people(3)),
            Scenario(["town"], "job", person="who"),
        )


def test_a_reference_is_measured_once_for_several_releases():
    original = people()
    tables = table_from_frame(original, name="original")
    scenario, settings = Scenario(["town"], "job"), RapidSettings(learner="decision tree")
    first = measure_rapid(tables, release(original), scenario, settings)
    again = measure_rapid(tables, release(people(3)), scenario, settings, like=first)
    alone = measure_rapid(tables, release(people(3)), scenario, settings)
    assert again.result == alone.result
    assert again.reference is first.reference
    other = measure_rapid(tables, release(original), Scenario(["age"], "job"), settings, like=first)
    assert other.reference is not first.reference


def test_an_identifier_as_unknown_column_is_refused_before_memory_ends():
    original = people().assign(who=[f"p{number}" for number in range(N)])
    released = pd.concat([original] * 3)
    with pytest.raises(InputError, match=r"'who' has .* values in .* rows: too many"):
        rapid(original, released, unknown="who", learner="random forest")
    LEARNERS["regression"].check("who", n_rows=3 * N, n_people=N, n_values=N)
    with pytest.raises(InputError, match="another learner"):
        LEARNERS["regression"].check("who", n_rows=10_000, n_people=10_000, n_values=10_000)
    LEARNERS["random forest"].check("job", n_rows=30_000, n_people=30_000, n_values=42)
