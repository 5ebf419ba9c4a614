"""Released columns that are the original's in another shape: bands, ages, sums and the like."""

import numpy as np
import pandas as pd
import pytest

from alc_core.tables.checks.checker import check_tables
from alc_core.tables.names import with_same_columns
from alc_core.tables.read import table_from_frame

N = 1_500
RNG = np.random.default_rng(5)
DAYS = RNG.integers(0, 25_500, N)
HEIGHT = RNG.normal(171, 9, N).round()
PEOPLE = pd.DataFrame(
    {
        "age": RNG.integers(18, 90, N),
        "born": (pd.Timestamp("1934-01-01") + pd.to_timedelta(DAYS, unit="D")).strftime("%Y-%m-%d"),
        "height": HEIGHT,
        "weight": (HEIGHT - 100 + RNG.normal(0, 11, N)).round(1),
        "income": RNG.lognormal(7.6, 0.5, N).round(),
        "icd": RNG.choice([f"{a}{n}.{k}" for a in "CIJ" for n in range(10, 40) for k in (0, 9)], N),
        "sex": RNG.choice(["female", "male"], N),
        "job": RNG.choice(list("ABCDEFGH"), N),
    }
)
ORIGINAL = table_from_frame(PEOPLE, name="o")
BORN = pd.to_datetime(PEOPLE["born"])
AGES = ((pd.Timestamp("2024-06-30") - BORN).dt.days // 365.2425).astype(int)
TEN = PEOPLE["age"] // 10 * 10
TENS = TEN.astype(str) + "-" + (TEN + 9).astype(str)
THOUSAND = PEOPLE["income"] // 1000


def released(gone, columns, *, mixed=False):
    rng = np.random.default_rng(1)
    frame = PEOPLE.drop(columns=list(gone)).assign(**columns).sample(frac=1, random_state=1)
    if mixed:
        frame = frame.apply(lambda column: rng.permutation(column.to_numpy()))
    return table_from_frame(frame, name="r")


def questions(release, original=ORIGINAL, **scenario):
    found = check_tables(original, [release], **scenario)
    return [f for f in found if f.code in ("missing-column", "worked-out-column") and f.blocking]


BANDS = {
    "age_group": ("age", TENS),
    "AgeCat": ("age", TENS.where(TEN < 80, "80+")),
    "age10": ("age", pd.cut(PEOPLE["age"], [*range(10, 100, 10)], right=False).astype(str)),
    "alter (age)": ("age", TENS.str.replace("-", " to ")),
    "age_class": ("age", TEN),
    "incomeGroup": ("income", [f"{k * 1000:.0f}-{k * 1000 + 999:.0f}" for k in THOUSAND]),
    "born_year": ("born", BORN.dt.year),
    "born_month": ("born", BORN.dt.strftime("%Y-%m")),
    "icd3": ("icd", PEOPLE["icd"].str[:3]),
    "years": ("age", TENS),
}  # fmt: skip


@pytest.mark.parametrize("mixed", [False, True], ids=["people's rows", "synthetic"])
@pytest.mark.parametrize("name", BANDS)
def test_coarser_values_are_asked_about(name, mixed):
    of, values = BANDS[name]
    release = released([of], {name: values}, mixed=mixed)
    (found,) = questions(release)
    (offer,) = found.offers
    assert (found.severity, found.column, offer.value) == ("question", of, f"{name}={of}")
    assert not questions(release, known=[c for c in ("sex", "job") if c != of], unknown="height")
    assert questions(release, known=["sex", of], unknown="height")
    taken = with_same_columns(ORIGINAL, release, {name: of})
    assert not questions(taken)


WORKED_OUT = {
    "log_income": (["income"], np.log(PEOPLE["income"]), "log log_income=income"),
    "pay": (["income"], PEOPLE["income"] / 1.25 + 10, "pay - 10 / 0.8=income"),
    "age_years": (["born"], AGES, "age_years as age on 2024-"),
    "age_group": (["born"], (AGES // 5 * 5).astype(str) + "-" + (AGES // 5 * 5 + 4).astype(str),
                  "age_group as age on 2024-"),
    "gender": (["sex"], PEOPLE["sex"].map({"male": 1, "female": 2}), "gender {"),
    "sector": (["job"], np.where(PEOPLE["job"] < "D", "one", "other"), "sector=job"),
    "area": (["job"], PEOPLE["job"], "area=job"),
    "bmi": (["height", "weight"], (PEOPLE["weight"] / HEIGHT**2 * 1e4).round(1), ""),
    "mass index": (["weight"], (PEOPLE["weight"] / HEIGHT**2 * 1e4).round(1), ""),
    "both": (["height", "weight"], PEOPLE["weight"] + HEIGHT, ""),
    "excess": (["height", "weight"], HEIGHT - PEOPLE["weight"], ""),
    "per head": (["income", "age"], (PEOPLE["income"] / PEOPLE["age"]).round(2), ""),
}  # fmt: skip


@pytest.mark.parametrize("name", WORKED_OUT)
def test_worked_out_values_are_asked_about(name):
    gone, values, offer = WORKED_OUT[name]
    release = released(gone, {name: values})
    (found,) = questions(release)
    if not offer:
        assert (found.code, found.column) == ("worked-out-column", name)
        assert {*gone} <= {*found.facts["of"]}
        return
    (given,) = found.offers
    assert given.value.startswith(offer)
    text, _, of = given.value.rpartition("=")
    assert not questions(with_same_columns(ORIGINAL, release, {text: of}))


def test_dates_of_birth_are_asked_about_where_the_original_has_ages():
    original = table_from_frame(PEOPLE.drop(columns="born").assign(age=AGES), name="o")
    release = released(["age"], {})
    (found,) = questions(release, original)
    text = found.offers[0].value.removesuffix("=age")
    ages = with_same_columns(original, release, {text: "age"}).frame["age"]
    assert abs(ages.mean() - AGES.mean()) < 0.5


FEW = PEOPLE[["sex", "job", "height"]]
NAMED = {"birth_year": "age", "rok_urodzenia": "wiek", "anio_nacimiento": "edad", "age": "geb_jahr"}


@pytest.mark.parametrize("mixed", [False, True], ids=["people's rows", "synthetic"])
@pytest.mark.parametrize("name", NAMED)
def test_years_of_birth_are_ages_even_where_nothing_links(name, mixed):
    rng = np.random.default_rng(1)
    of = NAMED[name]
    ages = PEOPLE["age"] if of != "geb_jahr" else 2021 - PEOPLE["age"]
    own = FEW[["sex", "job"]].assign(**{of: ages})
    rows = own.sample(frac=0.8, random_state=3)
    rows = rows.drop(columns=of).assign(**{name: 2021 - rows[of]})
    if mixed:
        rows = rows.apply(lambda column: rng.permutation(column.to_numpy()))
    (found,) = questions(table_from_frame(rows, name="r"), table_from_frame(own, name="o"))
    assert found.offers[0].value == f"{name} * -1 + 2021={of}"


@pytest.mark.parametrize("name", ["year of the visit", "birth_weight", "age_at_visit"])
def test_other_years_and_numbers_are_no_ages(name):
    rng = np.random.default_rng(1)
    values = {
        "year of the visit": rng.choice([2021, 2022, 2023], N),
        "birth_weight": rng.normal(3_300, 500, N).round(),
        "age_at_visit": rng.integers(1_900, 2_100, N),
    }
    release = table_from_frame(FEW.assign(**{name: values[name]}), name="r")
    assert not questions(release, table_from_frame(FEW.assign(age=PEOPLE["age"]), name="o"))


def test_beginnings_of_labels_are_taken_as_they_are():
    rng = np.random.default_rng(1)
    codes = np.array(["I21", "I50", "J18", "K35", "S72"])
    own = PEOPLE.drop(columns="icd").assign(icd=rng.choice(codes, N, p=[0.1, 0.3, 0.2, 0.2, 0.2]))
    release = own.drop(columns="icd").assign(chapter=own["icd"].str[0])
    (found,) = questions(table_from_frame(release, name="r"), table_from_frame(own, name="o"))
    assert found.offers[0].value == "chapter=icd"


def test_only_labels_that_change_are_offered():
    rng = np.random.default_rng(1)
    own = PEOPLE.drop(columns="icd").assign(job=rng.choice(["cook", "nurse", "smith", "clerk"], N))
    job = own["job"].replace({"nurse": "carer", "smith": "metal"})
    release = own.drop(columns="job").assign(work=job)
    (found,) = questions(table_from_frame(release, name="r"), table_from_frame(own, name="o"))
    assert found.offers[0].value == 'work {"carer": "nurse", "metal": "smith"}=job'


@pytest.mark.parametrize("name", ["per day", "per day, all gone"])
def test_numbers_by_a_count_are_asked_about(name):
    rng = np.random.default_rng(1)
    own = PEOPLE.assign(days=rng.integers(1, 9, N))
    gone = ["income", "days"] if name.endswith("gone") else ["income"]
    release = own.drop(columns=gone).assign(**{name: (own["income"] / own["days"]).round(2)})
    (found,) = questions(table_from_frame(release, name="r"), table_from_frame(own, name="o"))
    assert {*found.facts["of"]} == {"income", "days"}


def test_a_coding_of_a_renamed_column_is_offered_of_the_files_column():
    release = released(["income"], {"pay": PEOPLE["income"] * 0.9})
    renamed = with_same_columns(ORIGINAL, release, {"pay": "income"})
    (found,) = (f for f in check_tables(ORIGINAL, [renamed]) if f.code == "other-coding")
    assert found.offers[0].value == "pay / 0.9=income"
    with_same_columns(ORIGINAL, release, {"pay / 0.9": "income"})


HARMLESS = {
    "age_at_visit": RNG.integers(1, 30, N),
    "age_source": RNG.choice(["register", "asked"], N),
    "income_source": RNG.choice(["work", "pension", "other"], N),
    "income_year": RNG.choice([2021, 2022], N),
    "sex_known": RNG.choice(["no", "yes"], N),
    "score": RNG.normal(50, 10, N).round(1),
    "wave": RNG.integers(1, 6, N),
    "smoker": RNG.integers(0, 2, N),
    "near income": PEOPLE["income"].rank() + RNG.normal(0, N / 2, N),
}


@pytest.mark.parametrize("mixed", [False, True], ids=["people's rows", "synthetic"])
@pytest.mark.parametrize("gone", ["age", "income", "sex", "born", "height"])
def test_columns_of_another_meaning_are_not_asked_about(gone, mixed):
    release = released([gone], HARMLESS, mixed=mixed)
    assert not questions(release)
    found = {f.code: f for f in check_tables(ORIGINAL, [release])}
    assert found["extra-column"].severity == "question"


LINKS = RNG.negative_binomial(1, 0.08, N)  # counts: many are small
OTHER_COUNTS = {
    "links_at_visit": RNG.integers(1, 30, N),
    "links_second": RNG.integers(1, 25, N),
    "links rank": RNG.integers(0, 20, N),
    "links_in_tens": RNG.integers(0, 5, N) * 10,
}


@pytest.mark.parametrize("rows", ["people's", "synthetic"])
@pytest.mark.parametrize("name", OTHER_COUNTS)
def test_numbers_that_round_nothing_are_not_asked_about(name, rows):
    original = table_from_frame(PEOPLE.assign(links=LINKS), name="o")
    mixed = rows == "synthetic"
    release = released([], {name: OTHER_COUNTS[name]}, mixed=mixed)
    if name != "links_in_tens" or not mixed:  # which could be the counts in tens, of strangers
        assert not questions(release, original)
    tens = released([], {"links_in_tens": LINKS // 10 * 10}, mixed=mixed)
    assert [offer.value for f in questions(tens, original) for offer in f.offers] == [
        "links_in_tens=links"
    ]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("extra", ["q7", "q1_2021", "r1", "mother q"])
def test_like_columns_of_a_synthetic_release_are_not_asked_about(extra, seed):
    rng = np.random.default_rng(seed)
    items = {name: rng.integers(0, 100, N) for name in ("q0", "q1", "q2", "q3", "father q")}
    original = table_from_frame(PEOPLE.assign(**items, q1_2020=items["q1"]), name="o")
    frame = PEOPLE.assign(**{**items, extra: rng.integers(0, 100, N)})
    frame = frame.drop(columns=["q1", "father q"]).apply(lambda c: rng.permutation(c.to_numpy()))
    assert not questions(table_from_frame(frame, name="r"), original)


@pytest.mark.parametrize(
    ("column", "severity"),
    [
        (np.arange(N), "warning"),
        (np.full(N, 2024), "warning"),
        (RNG.integers(0, 2, N), "question"),
        (np.where(np.arange(N) < N // 2, None, "yes"), "question"),
    ],
    ids=["row numbers", "one value", "two values", "one or none"],
)
def test_a_column_that_no_attack_tests_is_asked_about(column, severity):
    """Whether other people's rows have own values there, no attack can see."""
    release = released([], {}, mixed=True).frame.assign(extra=column)
    found = {f.code: f for f in check_tables(ORIGINAL, [table_from_frame(release, name="r")])}
    assert found["extra-column"].severity == severity
    assert found["extra-column"].facts["names"] == ("extra",)
    scenario = {"known": ["age"], "unknown": "sex"}  # one attack is about its columns
    assert not {"extra-column"} & {f.code for f in check_tables(ORIGINAL, [release], **scenario)}
