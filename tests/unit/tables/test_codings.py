import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.releases.samples.perturbed import swap_columns
from alc_core.tables.checks.facts import FactKind, file_facts
from alc_core.tables.codings import are_linked, likely_codings
from alc_core.tables.names import with_same_columns
from benchmarks.people import made_up_people

PEOPLE = made_up_people(2_000, seed=3).assign(
    born=lambda people: pd.Timestamp("2020-06-01") - pd.to_timedelta(
        people["age"] * 365 + np.random.default_rng(4).integers(0, 365, 2_000), unit="D"
    )
)  # fmt: skip
ORIGINAL = alc.table_from_frame(PEOPLE, name="people")
COLUMNS = list(ORIGINAL.own_compared)


OWN = swap_columns(PEOPLE.sample(frac=0.8, random_state=1), 0.1, seed=2)


def ring(values):
    labels = np.sort(values.unique())
    return values.map(dict(zip(labels, np.roll(labels, 1), strict=True)))


def exchanged(values):
    first, second = values.value_counts().index[:2]
    return values.replace({first: second, second: first})


CODINGS = [
    ("sex", ring, None),
    ("condition", ring, None),
    ("job", ring, None),
    ("marital_status", exchanged, None),
    ("children", lambda v: v.max() - v, None),
    ("age", lambda v: v + 5, "age - 5"),
    ("age", lambda v: v + 1, "age - 1"),
    ("age", lambda v: v.max() + v.min() - v, None),
    ("age", lambda v: v.rank(method="dense"), None),
    ("age", lambda v: v * 1.8 + 32, "age - 32 / 1.8"),
    ("income", lambda v: v * 1.08, "income / 1.08"),
    ("income", lambda v: (v / 12).round(2), "income / 0.083333333"),
    ("income", lambda v: v + 1234, "income - 1234"),
    ("income", np.log, "log income"),
    ("income", lambda v: np.sqrt(v), "income ranks"),
    ("born", lambda v: v + pd.Timedelta(days=47), "born - 47"),
]


@pytest.mark.parametrize(("column", "code", "text"), CODINGS)
def test_a_coding_is_found_and_undone(column, code, text):
    release = alc.table_from_frame(OWN.assign(**{column: code(OWN[column])}), name="release")
    (found,) = likely_codings(ORIGINAL, release, COLUMNS).items()
    assert found[0] == column
    assert text is None or found[1].source.text == text or text.startswith("income / 0.08")
    assert found[1].plain < 0.25 < 0.5 < found[1].share
    assert all(label != of for label, of in found[1].source.labels.items()), "they stay unsaid"
    read = with_same_columns(ORIGINAL, release, {found[1].source.text: column}).frame[column]
    if pd.api.types.is_numeric_dtype(OWN[column].dtype):
        near = (pd.to_numeric(read) - OWN[column]).abs() <= 0.05 * OWN[column].std()
        assert near.mean() > (0.8 if text == "income ranks" else 0.9)
    else:
        assert (read.to_numpy() == OWN[column].to_numpy()).mean() > 0.9


RNG = np.random.default_rng(8)
# Two thirds have none, and values that a release need not have all
AIDED = PEOPLE.assign(
    aid=np.where(RNG.random(2_000) < 0.67, 0, RNG.lognormal(1, 0.7, 2_000)).round(2),
    hours=np.where(
        RNG.random(2_000) < 0.5, RNG.choice([20, 30, 40], 2_000), 7 + RNG.geometric(0.03, 2_000)
    ),
)


@pytest.mark.parametrize(
    ("column", "code"),
    [
        ("aid", lambda v: v * 1.08),
        ("aid", lambda v: (v * 0.87).round(2)),
        ("aid", lambda v: v * 1000),
        ("hours", lambda v: v.rank(method="dense")),
        ("hours", lambda v: v.rank(method="dense") - 1),
    ],
)
@pytest.mark.parametrize("share", [0, 0.2])
def test_a_coding_is_found_where_it_changes_few_or_its_codes_slip(column, code, share):
    original = alc.table_from_frame(AIDED, name="people")
    rows = swap_columns(AIDED.sample(frac=0.6, random_state=1), share, seed=2)
    release = alc.table_from_frame(rows.assign(**{column: code(rows[column])}), name="release")
    (found,) = likely_codings(original, release, list(original.own_compared)).items()
    assert found[0] == column
    read = with_same_columns(original, release, {found[1].source.text: column}).frame[column]
    assert ((pd.to_numeric(read) - rows[column]).abs() < 0.06 * rows[column].std()).mean() > 0.85


@pytest.mark.parametrize(
    "moved",
    [
        lambda v, rng: v + rng.normal(0, 0.1 * v.std(), len(v)),
        lambda v, rng: v * rng.normal(1, 0.1, len(v)),
        lambda v, rng: np.where(v > 0, v + rng.normal(0, 0.3, len(v)), 0),
        lambda v, rng: (v / 2).round() * 2,
        lambda v, rng: np.floor(v),
    ],
)
def test_changes_of_a_column_of_many_zeros_are_no_coding(moved):
    original = alc.table_from_frame(AIDED, name="people")
    rows = AIDED.assign(aid=moved(AIDED["aid"], np.random.default_rng(3)))
    release = alc.table_from_frame(rows, name="release")
    assert likely_codings(original, release, list(original.own_compared)) == {}


def wards(seed):
    """Return people whose ward and tests say each other."""
    rng = np.random.default_rng(seed)
    kind = rng.integers(0, 12, 2_000)
    tests = {
        f"test {k}": np.char.add("t", ((kind + k) % 12 // (2 + k)).astype(str)) for k in range(4)
    }
    return pd.DataFrame(tests).assign(
        ward=np.array(list("abcd"))[kind // 3], sex=rng.choice(["f", "m"], 2_000),
        age=rng.integers(20, 80, 2_000), region=rng.choice(list("xyzuvw"), 2_000),
    )  # fmt: skip


@pytest.mark.parametrize("column", ["ward", "test 0", "test 3"])
@pytest.mark.parametrize("share", [0, 0.1, 0.2])
def test_of_columns_that_say_each_other_the_coded_one_alone_is_found(column, share):
    original = alc.table_from_frame(wards(1), name="wards")
    rows = swap_columns(wards(1).sample(frac=0.8, random_state=1), share, seed=2)
    release = alc.table_from_frame(rows.assign(**{column: ring(rows[column])}), name="release")
    (found,) = likely_codings(original, release, list(original.own_compared)).items()
    assert found[0] == column
    read = with_same_columns(original, release, {found[1].source.text: column}).frame[column]
    assert (read == rows[column]).mean() > 0.9


@pytest.mark.parametrize("alone", [(), ("ward",), ("ward", "test 0", "test 1")])
def test_columns_that_say_each_other_in_the_original_alone_are_not_suspected(alone):
    original, rows = alc.table_from_frame(wards(1), name="wards"), wards(2)
    rng = np.random.default_rng(3)
    rows = rows.assign(**{column: rng.permutation(rows[column]) for column in alone})
    release = alc.table_from_frame(rows, name="release")
    assert likely_codings(original, release, list(original.own_compared)) == {}


MONTHS = np.random.default_rng(6).integers(0, 12, 2_000)
UNITS = {
    "months as years": (lambda age: age * 12 + MONTHS, lambda v: v // 12),
    "years as months": (lambda age: age, lambda v: v * 12 + MONTHS[: len(v)]),
    "few years as months": (lambda age: 30 + age % 25, lambda v: v * 12 + MONTHS[: len(v)]),
    "cents as tens": (lambda age: age * 731 + 7 * MONTHS, lambda v: (v / 1000).round() * 10),
}


@pytest.mark.parametrize("kind", UNITS)
def test_another_unit_that_is_coarser_or_finer(kind):
    make, code = UNITS[kind]
    people = PEOPLE.assign(age=make(PEOPLE["age"]))
    own = swap_columns(people.sample(frac=0.8, random_state=1), 0.1, seed=2)
    original = alc.table_from_frame(people, name="people")
    release = alc.table_from_frame(own.assign(age=code(own["age"])), name="release")
    found = likely_codings(original, release, COLUMNS)
    assert found.keys() == {"age"}
    read = with_same_columns(original, release, {found["age"].source.text: "age"}).frame["age"]
    assert ((read - own["age"]).abs() <= 0.35 * own["age"].std()).mean() > 0.95


@pytest.mark.parametrize("factor", [1.09, 4.31])
def test_a_rate_is_exact_where_the_amounts_are_rounded(factor):
    release = OWN.assign(income=(OWN["income"] * factor).round())
    found = likely_codings(ORIGINAL, alc.table_from_frame(release, name="release"), COLUMNS)
    ((_, number),) = found["income"].source.steps
    assert number == pytest.approx(factor, rel=2e-3)


def test_several_codings_at_once():
    release = alc.table_from_frame(
        OWN.assign(sex=ring(OWN["sex"]), age=OWN["age"] + 5, job=ring(OWN["job"])), name="release"
    )
    found = likely_codings(ORIGINAL, release, COLUMNS)
    assert found.keys() == {"sex", "age", "job"}


def strangers(frame, rng):
    return made_up_people(2_000, seed=9).assign(born=frame["born"].sample(frac=1).to_numpy())


def coarse(values):
    """Return labels each of which is another one's name, for a group of three."""
    labels = np.sort(values.unique())
    return values.map(
        {label: labels[(k // 3 * 3 + 4) % len(labels)] for k, label in enumerate(labels)}
    )


HARMLESS = {
    "as it is": lambda frame, rng: frame,
    "strangers": strangers,
    "swapped": lambda frame, rng: swap_columns(frame, 0.5, seed=3),
    "nearly all swapped": lambda frame, rng: swap_columns(frame, 0.9, seed=3),
    "independent": lambda frame, rng: frame.apply(lambda c: rng.permutation(c.to_numpy())),
    "noise": lambda frame, rng: frame.assign(
        age=frame["age"] + rng.integers(-3, 4, len(frame)),
        income=frame["income"] * rng.normal(1, 0.1, len(frame)),
    ),
    "rounded": lambda frame, rng: frame.assign(
        age=frame["age"] // 5 * 5, income=frame["income"].round(-3)
    ),
    "labels put together": lambda frame, rng: frame.assign(
        children=frame["children"].replace({0: 2, 1: 3}), job=coarse(frame["job"])
    ),
    "aggregated": lambda frame, rng: frame.assign(
        income=frame["income"].groupby(frame["income"].rank(method="first") // 7).transform("mean")
    ),
    "poorly made": lambda frame, rng: frame.assign(
        age=rng.normal(60, 9, len(frame)).round(), job=rng.choice(frame["job"].unique(), len(frame))
    ),
    "one column from other people": lambda frame, rng: frame.assign(
        condition=rng.permutation(frame["condition"]), income=rng.permutation(frame["income"])
    ),
}


@pytest.mark.parametrize("name", HARMLESS)
@pytest.mark.parametrize("seed", range(2))
def test_what_is_coded_alike_is_not_suspected(name, seed):
    rows = HARMLESS[name](PEOPLE, np.random.default_rng(seed)).reset_index(drop=True)
    release = alc.table_from_frame(rows, name="release")
    assert likely_codings(ORIGINAL, release, COLUMNS) == {}


def test_the_check_asks_and_takes_the_answer():
    release = alc.table_from_frame(OWN.assign(sex=ring(OWN["sex"])), name="release")
    (asked,) = (f for f in alc.check_tables(ORIGINAL, [release]) if f.blocking)
    assert (asked.code, asked.facts["what"], asked.column) == ("other-coding", "labels", "sex")
    (offer,) = asked.offers
    text, _, of = offer.value.rpartition("=")
    read = with_same_columns(ORIGINAL, release, {text: of})
    assert not any(f.blocking for f in alc.check_tables(ORIGINAL, [read]))
    assert not any(
        f.blocking for f in alc.check_tables(ORIGINAL, [release], known=["age"], unknown="job")
    )


def test_rows_are_linked_where_they_are_peoples_own():
    noisy = OWN.assign(age=OWN["age"] + 1, income=OWN["income"] * 1.01)
    rng = np.random.default_rng(1)
    for frame, linked in ((noisy, True), (strangers(PEOPLE, rng), False), (PEOPLE, True)):
        release = alc.table_from_frame(frame, name="release")
        assert are_linked(ORIGINAL, release, COLUMNS) is linked
    facts = file_facts(ORIGINAL, alc.table_from_frame(noisy, name="r"))
    assert facts.fact(FactKind.ORIGINAL) is None
