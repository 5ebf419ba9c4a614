"""Columns worked out from others, on planted truths: a release leaks just what is asked."""

import json

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.baselines.families import NaiveBayes
from alc_core.campaign.findings.view import CampaignView
from alc_core.errors import ColumnError, InputError, PreflightError
from alc_core.releases.answers import asked_tables
from alc_core.releases.registry import as_release
from alc_core.report.text import measures_csv, summary_text
from alc_core.scenario.derived import base_columns, with_derived
from alc_core.scenario.relations import RelationCode, find_relations, relation_among
from alc_core.scenario.scenario import condition_line, read_where
from alc_core.tables.apart.read import as_table
from tests.toys.campaigns import run_quickly

CANCERS, OTHERS = ["C50", "C51", "C52"], ["A1", "B2", "B3"]


def visits():
    return pd.DataFrame(
        {
            "patient": ["p", "q", "p", "q", "r", None],
            "date": [
                f"2024-{day}" for day in ["03-01", "01-01", "01-02", "05-01", "02-02", "02-03"]
            ],
            "cost": [10.0, 3.0, 30.0, np.nan, 7.0, 5.0],
            "diagnosis": ["A", "B", "C", "A", "B", "?"],
            "R & D": ["x", "y", "x", "y", "x", "y"],
        }
    )


def worked_out(name, frame=None):
    table = alc.table_from_frame(visits() if frame is None else frame, name="visits").with_kinds(
        {"cost": "continuous", "diagnosis": "categorical", "date": "datetime"}
    )
    return asked_tables(table, (), [name])[0].frame[name].astype(object).tolist()


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("diagnosis in A|C", ["yes", "no", "yes", "yes", "no", None]),
        ("diagnosis != A", ["no", "yes", "yes", "no", "yes", None]),
        ("diagnosis = ?", ["no", "no", "no", "no", "no", "yes"]),
        ("diagnosis in ?|A", ["yes", "no", "no", "yes", "no", "yes"]),
        ("cost in 5..10", ["yes", "no", "no", None, "yes", "yes"]),
        ("cost > 7", ["yes", "no", "yes", None, "no", "no"]),
        ("cost >= quantile 0.75", ["yes", "no", "yes", None, "no", "no"]),
        ("date < 2024-02-01", ["no", "yes", "yes", "no", "no", "no"]),
        ("diagnosis & R & D", ["A & x", "B & y", "C & x", "A & y", "B & x", None]),
        ("length of diagnosis", [1, 1, 1, 1, 1, 1]),
        ("length of R & D", [1, 1, 1, 1, 1, 1]),
        ("count per patient", [2, 2, 2, 2, 1, 1]),
        ("count diagnosis = A per patient", [1, 1, 1, 1, 0, 0]),
        ("ever diagnosis in B|C per patient", ["yes", "yes", "yes", "yes", "yes", None]),
        ("mean cost per patient", [20, 3, 20, 3, 7, 5]),
        ("last diagnosis per patient", ["C", "A", "C", "A", "B", None]),
        ("last diagnosis by date per patient", ["A", "A", "A", "A", "B", None]),
        ("count per patient >= 2 & R & D", [
            "yes & x", "yes & y", "yes & x", "yes & y", "no & x", "no & y",
        ]),
    ],
)  # fmt: skip
def test_every_form_is_worked_out(name, values):
    found = [None if value != value else value for value in worked_out(name)]
    assert found == values


def test_a_number_told_with_others_is_its_range():
    frame = pd.DataFrame({"income": np.arange(100.0), "job": ["a", "b"] * 50})
    numbers = alc.table_from_frame(frame).with_kinds({"income": "continuous"})
    table = asked_tables(numbers, (), ["income & job"])[0]
    labels = table.frame["income & job"]
    assert labels.nunique() == 40
    assert labels[0] == "[0, 4.95) & a"
    assert table.together("income & job") == ("income", "job")
    assert (list(table.kinds), len(table.columns)) == (["income", "job"], 3)


def test_of_texts_only_the_length_is_known():
    texts = [f"said {'so ' * n}and left" for n in range(60)] + [None]
    frame = pd.DataFrame({"notes": texts, "age": range(61)})
    table = alc.table_from_frame(frame, name="people")
    assert str(table.kind("notes")) == "text"
    lengths = with_derived(table, table, ["length of notes"]).frame["length of notes"]
    assert lengths[:3].tolist() == [13, 16, 19]
    assert np.isnan(lengths[60])
    assert base_columns(["age & length of notes > 20"], frame.columns) == {"age", "notes"}
    with pytest.raises(ColumnError, match="of the kind 'text'"):
        with_derived(table, table, ["notes & age"])


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("diagnosis in A|Z", "names 'Z', which 'diagnosis' of 'visits' never is"),
        ("diagnosis > A", "'diagnosis' holds categories"),
        ("cost >= 0", "is the same for everyone"),
        ("cost >= much", "'much' is not a number or date for 'cost'"),
        ("cost >= quantile 2", "A quantile must be between 0 and 1"),
    ],
)
def test_what_cannot_be_asked_is_refused(name, says):
    with pytest.raises(InputError, match=says):
        worked_out(name)


def test_what_cannot_be_read_is_no_column():
    frame = pd.concat([visits()] * 10, ignore_index=True)
    with pytest.raises(InputError, match="cost & nothing"):
        alc.assess(frame, frame, alc.Scenario(["diagnosis"], "cost & nothing"))
    assert base_columns(["cost & nothing", "cost & R & D"], frame.columns) == {
        "cost & nothing", "cost", "R & D",
    }  # fmt: skip


def test_nobody_knows_a_part_of_what_is_asked(people):
    frame = people(200)
    for scenario, says in (
        (alc.Scenario(["age", "job"], "job & city"), "both use column 'job'"),
        (alc.Scenario(["age >= 40"], "age & city"), "both use column 'age'"),
        (
            alc.Scenario(["age"], "job & city", targets=alc.Targets(where="city = Ulm")),
            "Do not select by 'city'",
        ),
        (alc.Scenario(["age"], "mean hours per city"), "'city' as the person column"),
    ):
        with pytest.raises(ColumnError, match=says):
            alc.assess(frame, frame, scenario)


def test_conditions_on_people_are_read_and_written():
    texts = ["region = N, S", 'place = "a, b"', "income >= quantile 0.99", "age in 20..25"]
    found = read_where(texts)
    assert found["place"] == ("a, b",)
    assert [condition_line(*each) for each in found.items()] == texts
    with pytest.raises(InputError, match="'Ulm' is not a condition"):
        read_where(["Ulm"])


def leaky(n=1200, seed=0):
    """People, and strangers like them; nothing can be guessed of one column from another."""
    rng = np.random.default_rng(seed)

    def drawn():
        return pd.DataFrame(
            {
                "age": rng.integers(18, 90, n),
                "zip": rng.integers(100, 200, n).astype(str),
                "region": rng.choice(["N", "S"], n),
                "income": rng.integers(0, 100_000, n),
                "job": rng.choice([*"abc"], n),
                "diagnosis": rng.choice(CANCERS + OTHERS, n),
            }
        )

    return drawn(), drawn()


def verdict(original, release, unknown, **options):
    return verdict_of(original, release, ["age", "zip"], unknown, **options)


def verdict_of(original, release, known, unknown, **options):
    targets = alc.Targets(count=options.pop("count", 600), where=options.pop("where", {}))
    scenario = alc.Scenario(known, unknown, targets=targets, **options)
    loop = alc.LoopParameters(folds=2, resamples=100)
    return alc.assess(original, release, scenario, families=[NaiveBayes()], loop=loop, seed=1)


def test_several_columns_at_once_are_lost_where_all_are():
    people, strangers = leaky()
    assert verdict(people, people, "job & diagnosis").verdict is alc.Verdict.SERIOUS
    assert verdict(people, strangers, "job & diagnosis").alc < 0.2
    # One of two leaks: each alone says so, both together are right by luck alone.
    half = people.assign(diagnosis=strangers["diagnosis"])
    assert verdict(people, half, "job").verdict is alc.Verdict.SERIOUS
    result = verdict(people, half, "job & diagnosis")
    assert result.attack.measured_precision < 0.35
    assert result.measured["no recall"]["other"].value < 0.15


@pytest.mark.parametrize(("level", "precision"), [("release", 1.0), ("exact", 0.2)])
def test_several_columns_at_once_are_told_by_a_release_that_has_one_of_them_in_ranges(
    level, precision
):
    def coarse(frame):
        low = frame["age"] // 18 * 18
        return frame.assign(age=low.astype(str) + "-" + (low + 17).astype(str))

    people, strangers = leaky()
    told, not_told = (
        verdict_of(people, coarse(release), ["income", "zip"], "age & job", level=level)
        for release in (people.sample(frac=1, random_state=2), strangers)
    )
    # A range holds five of the twenty into which ages are cut where they are told with others
    assert told.attack.measured_precision == pytest.approx(precision, abs=0.05)
    assert not_told.attack.measured_precision < 0.6 * told.attack.measured_precision
    assert not_told.decisive_alc < 0.15


def test_what_covers_several_values_covers_them_beside_another_value():
    frame = pd.DataFrame({"size": ["S", "M", "L", "XL"] * 25, "job": [*"aab", None] * 25})
    release = frame.assign(size=frame["size"].map({"S": "S", "M": "M", "L": "{L, XL}", "XL": "*"}))
    release = release.assign(job=[*"aaba"] * 25)
    original = alc.table_from_frame(frame, name="o")
    _, (asked,) = asked_tables(original, [as_release(release)], ["size & job"])
    (table,) = asked.tables
    assert set(table.frame["size & job"]) == {"S & a", "M & a", "{L, XL} & b", "* & a"}
    assert table.value_sets["size & job"] == {
        "{L, XL} & b": {"L & b"}, "* & a": {"S & a", "M & a"}
    }  # fmt: skip


def test_new_combinations_of_known_values_are_no_question(people):
    frame = people(600).assign(place=lambda f: f["city"].str.lower())
    swapped = alc.swap_columns(frame, 0.6, seed=1)
    result = verdict_of(frame, swapped, ["age", "hours"], "city & place")
    assert not result.unmatched
    assert result.attack.measured_precision < 0.6
    renamed = swapped.assign(place="in " + swapped["place"])
    with pytest.raises(PreflightError, match="unknown-labels:place"):
        verdict_of(frame, renamed, ["age", "hours"], "city & place")


def test_a_release_that_leaks_only_the_set():
    people, _ = leaky()
    within = people.copy()
    rng = np.random.default_rng(5)
    for group in (CANCERS, OTHERS):
        rows = np.flatnonzero(people["diagnosis"].isin(group))
        within.loc[rows, "diagnosis"] = people["diagnosis"].to_numpy()[rng.permutation(rows)]
    exact, told = (
        verdict(people, within, unknown) for unknown in ("diagnosis", "diagnosis in C50|C51|C52")
    )
    assert told.verdict is alc.Verdict.SERIOUS
    assert told.attack.measured_precision > 0.98
    assert exact.alc < 0.5
    assert told.without_value == 0


def test_a_release_that_leaks_only_a_range():
    people, _ = leaky()
    rng, rich = np.random.default_rng(5), people["income"] >= 50_000
    noisy = people.assign(
        income=np.where(rich, rng.integers(50_000, 100_000, 1200), rng.integers(0, 50_000, 1200))
    )
    assert verdict(people, noisy, "income >= 50000").verdict is alc.Verdict.SERIOUS
    assert verdict(people, noisy, "income").alc < 0.4


def test_a_release_that_leaks_only_one_region_and_both_recalls():
    people, strangers = leaky()
    mixed = people.where(people["region"] == "N", strangers)
    found = {
        region: verdict(people, mixed, "job", where=f"region = {region}") for region in ("N", "S")
    }
    assert found["N"].verdict is alc.Verdict.SERIOUS
    assert found["S"].alc < 0.3
    result, share = found["N"], float((people["region"] == "N").mean())
    recall = result.attack.predictions / result.attempts
    assert result.recalls(result.attack.recall) == pytest.approx((recall * share, recall))
    plain = json.loads(result.to_json())
    assert plain["both_recalls"]["attack"] == pytest.approx(
        {"population": recall * share, "group": recall}
    )
    assert plain == json.loads(alc.Assessment.from_json(result.to_json()).to_json())
    assert "recall_population,recall_group" in measures_csv(result)
    assert " of all people and for " in summary_text(result, width=10_000)


def test_the_richest_are_attacked_alone():
    people, strangers = leaky()
    rich = people["income"] >= people["income"].quantile(0.9)
    result = verdict(people, people.where(rich, strangers), "job", where="income >= quantile 0.9")
    assert result.verdict is alc.Verdict.SERIOUS
    assert result.people == rich.sum()
    by_group = alc.Targets(where="income >= quantile 0.9", recall="group")
    assert by_group.conditions == ("income >= quantile 0.9",)


def test_what_a_persons_records_come_to():
    rng, n = np.random.default_rng(2), 500
    person = np.repeat(np.arange(n), 3)
    frame = pd.DataFrame(
        {
            "patient": person,
            "age": np.repeat(rng.integers(18, 90, n), 3),
            "zip": np.repeat(rng.integers(100, 200, n), 3).astype(str),
            "cost": rng.integers(0, 1000, 3 * n) + 1000 * np.repeat(rng.integers(0, 5, n), 3),
            "diagnosis": rng.choice([*"ABCDEF"], 3 * n),
        }
    )
    pseudonyms = rng.permutation(n) + 10_000
    release = frame.assign(patient=pseudonyms[person]).sample(frac=1, random_state=1)
    strangers = release.assign(
        cost=rng.permutation(release["cost"]), diagnosis=rng.permutation(release["diagnosis"])
    )
    for unknown in ("mean cost per patient", "ever diagnosis = A per patient"):
        told, not_told = (
            verdict(frame, released, unknown, person="patient", count="all")
            for released in (release, strangers)
        )
        assert told.attack.measured_precision > 0.97
        assert told.decisive_alc > 0.5 > not_told.decisive_alc


def test_the_last_record_of_a_person_has_a_date_and_a_value():
    frame = pd.DataFrame(
        {
            "id": [1, 1, 1, 2, 2, 2], "year": [2020, None, 2021, 2019, 2022, 2023],
            "status": ["single", "widowed", "married", "single", "divorced", "?"],
        }
    )  # fmt: skip
    table = as_table(frame, name="o").with_kinds({"year": "continuous"})
    found = with_derived(table, table, ["last status by year per id"])
    assert found.frame.iloc[:, -1].tolist() == ["married"] * 3 + ["divorced"] * 3


def test_releases_that_are_no_rows_are_left_as_they_are():
    demo = alc.load_demo("fair")
    counts = alc.noisy_counts(demo.original, unknown="affairs", known=["age"], epsilon=1.0)
    table, (same,) = asked_tables(demo.original, [as_release(counts)], ["age & religious"])
    assert "age & religious" in table.columns
    assert same is counts


@pytest.fixture(scope="module")
def original():
    rng = np.random.default_rng(0)
    n = 3000
    education, noise = rng.integers(0, 8, n), rng.random(n)
    a, b, number = rng.integers(0, 4, n), rng.integers(0, 4, n), rng.normal(size=n)
    return pd.DataFrame(
        {
            "education": education, "level": education // 2,
            "noisy": np.where(noise < 0.97, education // 2, rng.integers(0, 4, n)),
            "loose": np.where(noise < 0.8, education // 2, rng.integers(0, 4, n)),
            "a": a, "b": b, "sum": (a + b) % 4, "number": number,
            "band": np.digitize(number, [-1, 0, 1]), "rare": rng.random(n) < 0.02,
            "own": np.arange(n),
        }
    ).astype({"education": str, "a": str, "b": str, "own": str})  # fmt: skip


def relations(original, unknown, *known):
    known = known or tuple(c for c in original.columns if c != unknown)
    scenario = alc.Scenario(known, unknown)
    return find_relations(as_table(original, name="o"), [scenario])[unknown]


def test_a_function_of_a_column_is_found_exact_or_nearly(original):
    exact = relations(original, "level", "education", "a")
    assert [(e.code, e.columns, e.share) for e in exact] == [("two-way", ("education",), 1.0)]
    (noisy,) = relations(original, "noisy", "education", "a")
    assert noisy.columns == ("education",)
    assert noisy.share == pytest.approx(0.97 + 0.03 / 4, abs=0.01)


def test_what_is_no_function_is_none(original):
    assert relations(original, "a", "education", "b", "number", "own") == ()
    assert relations(original, "loose", "education", "a") == ()
    # Another direction: four levels do not tell eight kinds of education.
    assert relations(original, "education", "level") == ()


def test_a_column_in_which_everybody_differs_determines_nothing(original):
    assert relations(original, "level", "own") == ()


def test_other_records_of_the_same_person_determine_nothing():
    rng, n = np.random.default_rng(0), 500
    frame = pd.DataFrame(
        {"id": np.arange(n), "birth": rng.permutation(n), "sex": rng.choice(["m", "f"], n)}
    ).astype({"birth": str})
    table = as_table(frame.loc[np.repeat(np.arange(n), 4)].reset_index(drop=True), name="o")
    for whose in ({"person": "id"}, {"household": "id"}):
        scenario = alc.Scenario(["birth"], "sex", **whose)
        assert find_relations(table, [scenario])["sex"] == ()


def test_two_columns_can_do_what_neither_can(original):
    assert relations(original, "sum", "a") == relations(original, "sum", "b") == ()
    (both,) = relations(original, "sum", "education", "a", "b")
    assert (both.columns, both.share) == (("a", "b"), 1.0)


def test_numbers_determine_by_hundredths(original):
    (found,) = relations(original, "band", "number", "education")
    assert found.columns == ("number",)
    assert found.share > 0.98


def test_a_value_that_nearly_all_have_needs_no_column(original):
    (found,) = relations(original, "rare")
    assert (found.code, found.columns) == (RelationCode.ONE_WAY, ())
    assert found.share == pytest.approx(0.98, abs=0.01)


def test_the_simplest_relation_that_is_known_counts(original):
    found = relations(original, "level")
    assert relation_among(found, ["a", "education", "noisy"]).columns == ("education",)
    assert relation_among(found, ["noisy", "a"]).columns == ("noisy",)
    assert relation_among(found, ["a", "b"]) is None


def test_a_campaign_says_it_beside_the_finding(original, tmp_path):
    frame = original[["education", "level", "a", "noisy"]]
    release = alc.swap_columns(frame, 0.2, seed=1)
    named = [["education", "a"], ["a", "noisy"]]
    with run_quickly(
        frame, {"r": release}, tmp_path / "c.alc", unknown=["level", "a"], named=named
    ) as store:
        view = CampaignView(store)
        found = view.frame(view.settings.scoring)
        columns = ["unknown", "known", "relation", "relation_columns"]
        told = {tuple(row[:2]): row[2:] for row in found[columns].fillna("").to_numpy().tolist()}
        assert told["level", "education, a"] == ["two-way", "education"]
        assert told["level", "a, noisy"] == ["two-way", "noisy"]
        assert all(row == ["", ""] for (unknown, _), row in told.items() if unknown == "a")
        assert found["relation_share"].max() == 1


def test_a_relation_that_fails_for_the_people_attacked_is_not_said(original, tmp_path):
    # 98% have the same value, but half of the people attacked have the other one
    frame = original[["rare", "education", "number"]]
    path = tmp_path / "c.alc"
    with run_quickly(frame, {"r": frame}, path, unknown=["rare"], named=[["number"]]) as store:
        view = CampaignView(store)
        assert view.assessment(0).verdict is alc.Verdict.SERIOUS
        assert view.relation(0) is None
        assert find_relations(as_table(frame, name="o"), [view.attack(0).scenario])["rare"]


def coarse(frame, share):
    """A release with decades and first letters in place of ages and diagnoses, in some rows."""
    some = np.random.default_rng(3).random(len(frame)) < share
    decades = frame["age"] // 10 * 10
    labels = decades.astype(str) + "-" + (decades + 9).astype(str)
    return frame.assign(
        age=frame["age"].astype(object).mask(some, labels),
        diagnosis=frame["diagnosis"].mask(some, frame["diagnosis"].str[0] + "*"),
    )


def test_labels_for_several_values_answer_a_condition_where_all_of_them_do():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        {
            "age": rng.integers(20, 80, 2000),
            "diagnosis": rng.choice(["C50", "C51", "C52", "D1", "D2"], 2000),
            "town": rng.choice(list("abcdefgh"), 2000),
        }
    )
    original, release = (
        alc.table_from_frame(each, name=name)
        for each, name in ((frame, "people"), (coarse(frame, 0.6), "coarse"))
    )
    for name, mixed in (("age >= 50", ()), ("age >= 45", ("40-49",))):
        before = with_derived(original, original, [name])
        told = with_derived(before, release, [name]).frame[name]
        truth = before.frame[name].where(~release.frame["age"].isin(mixed), None)
        assert told.where(told.notna(), None).tolist() == truth.tolist()
    whole = "diagnosis in C50|C51|C52"
    for name, mixed in ((whole, ()), ("diagnosis in C50|D1", ("C*", "D*"))):
        before = with_derived(original, original, [name])
        told = with_derived(before, release, [name]).frame[name]
        truth = before.frame[name].where(~release.frame["diagnosis"].isin(mixed), None)
        assert told.where(told.notna(), None).tolist() == truth.tolist()


@pytest.mark.parametrize("unknown", ["age >= 50", "diagnosis in C50|C51|C52"])
def test_a_generalized_release_that_gives_the_answer_away_is_no_harmless_one(unknown):
    rng = np.random.default_rng(2)
    n = 2000
    frame = pd.DataFrame({c: rng.integers(0, 9, n).astype(str) for c in "wxyz"}).assign(
        age=rng.integers(20, 80, n), diagnosis=rng.choice(["C50", "C51", "C52", "D1", "D2"], n)
    )
    found = alc.assess(
        alc.table_from_frame(frame, name="people"), coarse(frame, 1.0),
        alc.Scenario(list("wxyz"), unknown, targets=alc.Targets(count=800)), accept=["all"],
    )  # fmt: skip
    assert found.verdict == alc.Verdict.SERIOUS


@pytest.mark.parametrize("code", ["98. DK", "-9", "n/a"])
def test_whether_somebody_has_a_code_for_no_value_can_be_asked(code):
    values = ["asthma", code, "none", None] * 40
    original = alc.table_from_frame(pd.DataFrame({"x": values, "y": range(160)}), name="original")
    release = alc.table_from_frame(
        pd.DataFrame({"x": ["*", code, "none", "asthma"] * 40, "y": range(160)}), name="release"
    )
    asked = f"x in {code}"
    own, released = (with_derived(original, t, [asked]).frame[asked] for t in (original, release))
    assert own[:4].tolist() == ["no", "yes", "no", None]
    assert released[1:4].tolist() == ["yes", "no", "no"]
    assert released[0] is None


@pytest.mark.parametrize("sign", ["=", "!=", "in"])
def test_a_condition_finds_a_number_or_date_however_a_table_writes_it(sign):
    moments = pd.date_range("1950-01-01", periods=40).repeat(5)
    pay = np.arange(200) % 90 / 2
    written = [f"{each:.1f}".replace(".", ",") for each in pay]
    original = alc.table_from_frame(
        pd.DataFrame({"visit": moments.strftime("%d.%m.%Y"), "pay": written}), name="o"
    )
    release = alc.table_from_frame(pd.DataFrame({"visit": moments, "pay": pay}), name="r")
    for name in (f"visit {sign} 03.01.1950", f"pay {sign} 3,5"):
        before = with_derived(original, original, [name])
        told = with_derived(before, release, [name]).frame[name]
        assert told.tolist() == before.frame[name].tolist()
        assert set(told) == {"yes", "no"}
    with pytest.raises(InputError, match="names '03.01.1890', which 'visit'"):
        with_derived(original, original, ["visit = 03.01.1890"])
