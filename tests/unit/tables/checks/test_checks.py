import numpy as np
import pandas as pd
import pytest

from alc_core.phrasing import percent
from alc_core.tables.checks.checker import check_tables
from alc_core.tables.checks.finding import Finding, Offer, Severity, examples
from alc_core.tables.codes.encode import encode
from alc_core.tables.read import table_from_frame

N = 2_400
RNG = np.random.default_rng(0)
SECRET = "secretword"


def people(n=N):
    return pd.DataFrame(
        {
            "age": RNG.integers(17, 91, n),
            "sex": RNG.choice(["m", "f"], n, p=[0.7, 0.3]),
            "grade": RNG.choice([1, 2, 3, 4, 5], n, p=[0.4, 0.3, 0.15, 0.1, 0.05]),
            "income": RNG.lognormal(10, 1, n),
            "job": RNG.choice([SECRET, "b", "c", "d"], n),
        }
    )


PEOPLE = people()


def check(original, *releases, kinds=None, **scenario):
    table = table_from_frame(original, name="original").with_kinds(kinds or {})
    others = [table_from_frame(r, name=f"release{k}") for k, r in enumerate(releases, start=1)]
    found = check_tables(table, others, **scenario)
    for finding in found:
        assert SECRET not in finding.message + finding.action or "release" in finding.table
        assert finding.message.endswith((".", "?"))
        assert finding.action.endswith(".")
    return found


def only(found, code, column=None, *, severity=None, case=None, **facts):
    """Return the one finding of a code, which is of a severity and case and tells facts."""
    matching = [f for f in found if f.code == code and column in (None, f.column)]
    assert len(matching) == 1, [f.to_dict() for f in found]
    (finding,) = matching
    assert severity in (None, finding.severity)
    assert case in (None, finding.case)
    assert {name: finding.facts.get(name) for name in facts} == facts
    return finding


def codes(found, *, blocking=False):
    return {f.code for f in found if f.blocking or not blocking}


def release(**changed):
    return PEOPLE.sample(frac=1, random_state=1).reset_index(drop=True).assign(**changed)


def apart(frame):
    """Return the columns each in an order of its own, so that no row is linked to a person."""
    return frame.apply(lambda column: RNG.permutation(column.to_numpy()))


def shuffled(share=1.0):
    """Swap a share of each column's values, as the paper's test anonymization does."""
    rng = np.random.default_rng(3)
    frame = PEOPLE.copy()
    for name in frame.columns:
        rows = rng.choice(len(frame), int(share * len(frame)), replace=False)
        frame.loc[rows, name] = rng.permutation(frame.loc[rows, name].to_numpy())
    return frame


# --- nothing wrong ---------------------------------------------------------------------------


@pytest.mark.parametrize("share", [0.2, 0.8, 1.0])
def test_swapped_releases_are_not_stopped(share):
    found = check(PEOPLE, shuffled(share))
    assert not codes(found, blocking=True)
    expected = {"row-order"} if share < 1 else set()
    # 0.8 to the power of four of the rows are as they were, and most incomes are there once
    expected |= {"copied-rows", "own-value"} if share == 0.2 else {"copied-numbers"}
    assert {f.code for f in found if f.severity is Severity.WARNING} == expected


def test_a_resampled_release_is_not_stopped():
    assert not codes(check(PEOPLE, people(), people(500)), blocking=True)


# --- labels ----------------------------------------------------------------------------------


def test_renamed_labels_are_a_question():
    renamed = PEOPLE["job"].map({SECRET: "X1", "b": "X2", "c": "X3", "d": "X4"})
    found = check(PEOPLE, release(job=renamed))
    finding = only(found, "unknown-labels", "job", severity="question", case="renamed", share=1)
    assert (finding.table, set(finding.facts["labels"])) == ("release1", {"X1", "X2", "X3", "X4"})


def test_new_labels_beside_generalized_ones_are_counted_among_all_rows():
    job = apart(PEOPLE)["job"].map({SECRET: "X1", "b": "{b, c}", "c": "{b, c}", "d": "X4"})
    found = check(PEOPLE, apart(PEOPLE).assign(job=job))
    finding = only(found, "unknown-labels", "job", severity="question")
    assert finding.facts["share"] == pytest.approx(job.str.startswith("X").mean())


@pytest.mark.parametrize(("rows", "severity"), [(24, "info"), (240, "warning")])
def test_some_rare_new_labels_are_noted(rows, severity):
    job = PEOPLE["job"].mask(PEOPLE.index < rows, "zz" + (PEOPLE.index // 8).astype(str))
    only(
        check(PEOPLE, PEOPLE.assign(job=job)), "unknown-labels",
        severity=severity, case="", share=rows / N, distinct=rows // 8,
    )  # fmt: skip


@pytest.mark.parametrize(("share", "asked"), [(0.01, False), (0.03, True), (0.45, True)])
def test_a_label_too_frequent_for_a_value_of_people_is_asked_about(share, asked):
    job = PEOPLE["job"].mask(PEOPLE.index < share * len(PEOPLE), "zz")
    released = shuffled().assign(job=job.sample(frac=1, random_state=0).to_numpy())
    finding = only(check(PEOPLE, released), "unknown-labels")
    assert finding.blocking == asked


@pytest.mark.parametrize(
    ("before", "after", "near"),
    [
        ("Private", "Privat", True),
        ("Farming-fishing", "Farmng-fishing", True),
        ("Private", "Zebra", False),
        ("Selfemp1", "Selfemp2", False),
        ("1001", "1002", False),
    ],
)
def test_a_spelling_is_named_only_where_one_is_near(before, after, near):
    original = PEOPLE.assign(job=PEOPLE["job"].replace({"b": before}))
    released = original.assign(job=original["job"].mask(original.index < 200, after))
    finding = only(check(original, released), "unknown-labels", "job")
    assert finding.facts.get("meant") == (before if near else None)
    assert (f"If '{after}' means '{before}'" in finding.action) is near


def test_a_label_of_few_people_is_not_named():
    original = PEOPLE.assign(job=PEOPLE["job"].mask(PEOPLE.index < 9, "Farming-fishing"))
    released = original.assign(job=original["job"].mask(original.index < 200, "Farmng-fishing"))
    only(check(original, released), "unknown-labels", "job", meant=None)


def test_integer_codes_that_barely_overlap_are_a_question():
    found = check(PEOPLE, apart(PEOPLE.assign(grade=PEOPLE["grade"] * 10)))
    only(found, "unknown-labels", "grade", severity="question")


@pytest.mark.parametrize(("step", "word"), [(-1, "minus"), (1, "plus")])
@pytest.mark.parametrize("dtype", [int, float, str])
def test_codes_counted_from_zero_or_one(step, word, dtype):
    found = check(PEOPLE, apart(PEOPLE).assign(grade=(PEOPLE["grade"] + step).astype(dtype)))
    only(found, "recoded-integers", "grade", severity="question", case="shifted", sign=word)
    assert "unknown-labels" not in codes(found)


@pytest.mark.parametrize(
    ("column", "mapping"),
    [("sex", {"m": "f", "f": "m"}), ("grade", {1: 5, 2: 4, 3: 3, 4: 2, 5: 1})],
)
def test_exchanged_labels_are_a_question(column, mapping):
    found = check(PEOPLE, shuffled().assign(**{column: shuffled()[column].map(mapping)}))
    only(found, "recoded-integers", column, case="exchanged")


def test_the_same_values_in_other_types_are_the_same():
    changed = release(
        grade=lambda f: f["grade"].astype(float), sex=lambda f: f["sex"].astype("category")
    )
    assert not codes(check(PEOPLE, changed), blocking=True)


# --- numbers and dates -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        lambda x: (x - x.mean()) / x.std(),
        lambda x: x * 2.54 + 1000,
        lambda x: x / 1000,
    ],
)
@pytest.mark.parametrize("column", ["age", "income"])
def test_other_scales_are_a_question(change, column):
    found = check(PEOPLE, shuffled().assign(**{column: change(PEOPLE[column])}))
    only(found, "scale-changed", column, severity="question")


@pytest.mark.parametrize("column", ["age", "income"])
def test_values_squeezed_in_place_are_poor_utility(column):
    values = PEOPLE[column]
    squeezed = values.clip(values.median(), values.median() + values.std() / 1000)
    found = check(PEOPLE, release(**{column: squeezed}))
    only(found, "scale-changed", column, severity="warning", case="in-place", wider=None)


def test_mostly_zeros_made_smaller_are_poor_utility():
    zeros = np.where(RNG.random(N) < 0.95, 0, RNG.integers(1000, 4000, N))
    small = np.where(RNG.random(N) < 0.7, 0, RNG.integers(1, 60, N))
    found = check(PEOPLE.assign(loss=zeros), release(loss=small), kinds={"loss": "continuous"})
    only(found, "scale-changed", "loss", severity="warning")


def test_numbers_as_text_are_matched_without_a_word():
    text = release(age=lambda f: f["age"].astype(str))
    assert "text-numbers" not in codes(check(PEOPLE, text)) | codes(check(text, PEOPLE))


def test_text_where_the_original_has_numbers_is_asked_about_or_an_error():
    age = PEOPLE["age"].astype(str).mask(PEOPLE.index < 240, "old")
    found = check(PEOPLE, PEOPLE.assign(age=age))
    only(found, "text-numbers", severity="question", case="few", share=0.1, labels=("old",))
    words = PEOPLE["age"].map({each: f"about {each}" for each in range(200)})
    found = check(PEOPLE, PEOPLE.assign(age=words))
    only(found, "text-numbers", severity="error", case="many", share=1)
    found = check(PEOPLE, PEOPLE.assign(age=age), kinds={"age": "categorical"})
    assert "text-numbers" not in codes(found)


def test_codes_that_the_original_has_among_its_numbers_are_no_question():
    age = PEOPLE["age"].astype(str).mask(PEOPLE.index < 240, "N")
    coded, kinds = PEOPLE.assign(age=age), {"age": "continuous"}
    assert "text-numbers" not in codes(check(coded, coded, kinds=kinds))
    assert "text-numbers" not in codes(check(coded, PEOPLE, kinds=kinds), blocking=True)


STEPS = RNG.integers(1, 16, N) * 1000
RATINGS = RNG.integers(1, 6, N)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (STEPS, (STEPS + RNG.normal(0, 90, N)).round(1)),  # noise
        (RATINGS, RATINGS + RNG.normal(0, 0.2, N)),  # floats of a model
        (RATINGS % 2, (RATINGS % 2 + RNG.normal(0, 0.1, N)).round(2)),
        (STEPS, (np.ceil(STEPS / 1500) - 0.5) * 1500.5),  # middles of bins
        (STEPS, RNG.uniform(1000, 15_000, N)),  # clipped to the range
        (RATINGS, RATINGS + RNG.integers(-2, 3, N)),  # whole noise
        (RNG.choice(np.linspace(0.2, 9.1, 8).round(3), N), RNG.uniform(0.1, 9.4, N)),
    ],
)
def test_amounts_that_were_taken_as_categories_are_told_and_not_asked(before, after):
    steps, noisy = PEOPLE.assign(pay=before), apart(PEOPLE).assign(pay=after)
    found = check(steps, noisy)
    finding = only(found, "unknown-labels", "pay", severity="info", case="amounts")
    assert finding.offers == (Offer("continuous", "pay"),)
    assert "unknown-labels" not in codes(check(steps, noisy, kinds={"pay": "continuous"}))
    encoded = encode(table_from_frame(steps), [table_from_frame(noisy)], columns=["pay"])
    assert set(encoded.released[0].columns["pay"]) <= set(encoded.original.columns["pay"])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (RATINGS, RATINGS * 20.0),
        (RATINGS, ((RATINGS - 3) / 1.41).round(4)),
        (STEPS, STEPS / 15_000),
        (STEPS, (STEPS * 1.0937).round(2)),
        (RATINGS * 10, RATINGS * 10 + RNG.integers(1, 4, N)),  # finer codes
        (STEPS, (STEPS + 500) // 3000 * 3000 + 100),
    ],
)
def test_numbers_on_another_scale_or_of_other_codes_are_asked(before, after):
    found = check(PEOPLE.assign(pay=before), apart(PEOPLE).assign(pay=after))
    only(found, "unknown-labels", "pay", severity="question", case="renamed")


def test_unreadable_dates_are_an_error():
    days = pd.Series(pd.date_range("2000-01-01", periods=N))
    dated, age = PEOPLE.assign(born=days), PEOPLE.assign(born=PEOPLE["age"])
    only(check(dated, age), "unreadable-dates", "born", severity="error")
    year = PEOPLE.assign(born=days.dt.year)
    only(check(dated, year), "generalized-values", shares=(("born", 1),))
    text = PEOPLE.assign(born=days.dt.strftime("%d.%m.%Y"))
    assert not codes(check(dated, text), blocking=True)
    iso = PEOPLE.assign(born=days.dt.strftime("%Y-%m-%d").mask(PEOPLE.index < 24, "2021-02-30"))
    found = only(check(dated, iso), "unreadable-dates", "born", share=24 / N)
    assert found.message.startswith("1% of the values are not dates (such as '2021-02-")


def test_generalized_values_are_one_finding_for_the_table():
    low = PEOPLE["age"] // 10 * 10
    ages = low.astype(str) + "-" + (low + 9).astype(str)
    found = check(PEOPLE, release(age=ages, job=PEOPLE["job"].mask(PEOPLE.index < 24, "*")))
    shares = (("age", 1), ("job", 0.01))
    assert only(found, "generalized-values", severity="info", shares=shares).column is None
    assert not codes(found) & {"text-numbers", "unknown-labels"}


def test_labels_that_cover_nothing_are_an_error_among_numbers_and_else_a_question():
    found = check(PEOPLE, release(age=PEOPLE["age"].astype(str).mask(PEOPLE.index < 24, "X**")))
    only(found, "unread-labels", "age", severity="error", share=0.01, labels=("X**",))
    found = check(PEOPLE, release(job=PEOPLE["job"].mask(PEOPLE.index < 24, "X**")))
    only(found, "unread-labels", "job", severity="question")


def test_labels_that_the_original_generalizes_too_are_fine():
    frame = PEOPLE.assign(group=np.where(PEOPLE["age"] < 65, "0-64", "65+"))
    assert "generalized-values" not in codes(check(frame, frame.assign(sex="m")))


def test_infinite_values():
    frame = PEOPLE.assign(income=PEOPLE["income"].mask(PEOPLE.index < 2, np.inf))
    only(check(frame, release()), "infinite-values", values=2)
    unknown = check(frame, release(), known=["age"], unknown="income")
    only(unknown, "infinite-values", severity="warning")


# --- single columns --------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["{:,.2f} €", "${:,.0f}", "{:.1f}%", "({:.0f} EUR)"])
def test_amounts_with_a_unit_are_told_where_they_are_taken_as_categories(text):
    amounts = PEOPLE.assign(income=PEOPLE["income"].map(text.format))
    only(check(amounts, release()), "amounts-as-text", "income", severity="warning")
    one = amounts.assign(income=amounts["income"].where(PEOPLE.index > 0, "unknown"))
    assert "amounts-as-text" not in codes(check(one, release()))


def test_missing_columns_are_told_and_constant_ones_are_not():
    found = check(PEOPLE.assign(job="x", sex=None), release())
    only(found, "all-missing", "sex", severity="warning")
    assert "job" not in {each.column for each in found if each.severity is Severity.INFO}


def test_identifiers():
    frame = PEOPLE.assign(pid=[f"p{k}" for k in range(N)])
    found = check(frame, frame.sample(frac=0.5, random_state=1))
    only(found, "identifier-like", severity="info")
    only(found, "pseudonym", "pid", case="identifier", share=0.5)
    found = check(frame, frame, known=["pid", "age"], unknown="job")
    only(found, "pseudonym", "pid", case="attacked", share=1)
    assert "identifier-like" not in codes(found)
    found = check(frame, PEOPLE, known=["pid", "age"], unknown="job")
    only(found, "identifier-like", severity="warning", case="known")


# --- rows ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "severity"),
    [(1, "error"), (34, "error"), (35, "warning"), (380, "warning"), (381, "info"), (1999, "info")],
)
def test_too_few_rows(rows, severity):
    only(check(PEOPLE.head(rows), PEOPLE), "too-few-rows", severity=severity, rows=rows)


def test_the_bounds_on_rows_are_those_of_the_wilson_interval():
    from alc_core.scoring.intervals import wilson_interval
    from alc_core.tables.checks import rows

    def width(successes, trials):
        low, high = wilson_interval(successes, trials)
        return float(high - low)

    assert width(rows.FEWEST_ROWS, rows.FEWEST_ROWS) <= 0.1
    assert width(rows.FEWEST_ROWS - 1, rows.FEWEST_ROWS - 1) > 0.1
    any_precision = rows.ROWS_FOR_ANY_PRECISION
    assert width(any_precision / 2, any_precision) <= 0.1
    assert width((any_precision - 1) / 2, any_precision - 1) > 0.1


def test_repeated_people():
    twice = pd.concat([PEOPLE, PEOPLE.head(240)])
    found = only(check(twice, release()), "duplicate-people", severity="warning", rows=480, of=2640)
    assert found.case == "copies"
    few = pd.concat([PEOPLE, PEOPLE.head(1)])
    only(check(few, release()), "duplicate-people", severity="info")
    named = twice.assign(person=np.r_[np.arange(N), np.arange(240)])
    assert "duplicate-people" not in codes(check(named, release(), person="person"))


@pytest.mark.parametrize("name", ["Personen-Nr", "patientID", "id", "customer", "Kunden-Nummer"])
@pytest.mark.parametrize("dtype", ["int64", "str", "float64"])
def test_a_person_column_that_was_not_named(name, dtype):
    numbers = np.random.default_rng(5).integers(10_000, 11_500, N)
    table = PEOPLE.assign(**{name: numbers}).astype({name: dtype})
    found = check(table, release(), known=["age"], unknown="job")
    only(found, "maybe-person", name, severity="question", values=len(set(numbers)), rows=N)
    assert "maybe-person" not in codes(check(table, release(), person=name))
    assert "maybe-person" not in codes(check(table, release(), household=name))


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("fnlwgt", RNG.integers(10_000, 11_500, N)),
        ("person_income", RNG.integers(10_000, 11_500, N)),
        ("zip code", RNG.integers(10_000, 11_500, N)),
        ("no", RNG.integers(0, 30, N)),
        ("id", np.arange(N)),
        ("number", RNG.integers(0, 1500, N) / 7),
        ("client", pd.to_datetime(RNG.integers(0, 1500, N), unit="D")),
        ("id", np.where(RNG.random(N) < 0.6, np.arange(N), np.nan)),
    ],
)
def test_what_is_no_person_column(name, values):
    assert "maybe-person" not in codes(check(PEOPLE.assign(**{name: values}), release()))


@pytest.mark.parametrize("change", [{}, {"age": "float", "sex": "category"}])
def test_identical_and_copied_releases(change):
    original = PEOPLE.assign(sex=PEOPLE["sex"].mask(PEOPLE.index < 9))
    same = original.sample(frac=1, random_state=1).astype(change)
    only(check(original, same), "identical-release", severity="warning", whole=True)
    half = pd.concat([original.head(1500), shuffled().tail(900)]).astype(change)
    only(check(original, half), "copied-rows", case="most", rows=1500, share=0.625)


def test_columns_that_say_the_same_are_named():
    level = PEOPLE["age"] // 20
    original = PEOPLE.assign(level=level, word=[f"level {n}" for n in level], coarse=level // 2)
    only(check(original, original.head(9)), "same-content", "word", other="level")
    apart = original.assign(word=original["word"].mask(PEOPLE.index < 9))
    assert "same-content" not in codes(check(apart, apart.head(9))), "a missing value is a value"
    for known, unknown, told in (
        (["level"], "word", True), (["word", "age"], "level", True), (["age"], "word", False),
        (["level", "word"], "age", False),
    ):  # fmt: skip
        found = check(original, original.head(9), known=known, unknown=unknown)
        assert ("same-content" in codes(found)) is told, (known, unknown)


def test_copies_are_found_beside_recoded_columns():
    rng = np.random.default_rng(3)
    original = pd.DataFrame({name: rng.integers(0, 9, 1000) for name in "abcdef"})
    original["age"] = rng.integers(18, 90, 1000)
    decades = original.assign(age=[f"{age // 10}0s" for age in original["age"]])
    mixed = decades.apply(lambda column: rng.permutation(column.to_numpy()))
    half = pd.concat([decades.head(700), mixed.tail(300)]).sample(frac=1, random_state=1)
    only(
        check(original, half), "copied-rows", case="most", kept=6, of=7, recoded=("age",),
        share=pytest.approx(0.7, abs=0.005), expected=pytest.approx(0.002),
    )  # fmt: skip
    assert "copied-rows" not in codes(check(original, mixed)), "other people's values"
    few = ["a", "b", "c", "d", "age"]
    coarse = original[few].assign(**{name: original[name] // 5 for name in "abcd"})
    told = check(coarse, coarse.assign(age=decades["age"]))
    assert "copied-rows" not in codes(told), "so many people are alike that no row tells whose"


def test_some_copies_among_new_rows_are_told_with_their_numbers():
    rng = np.random.default_rng(6)
    original = pd.DataFrame({name: rng.integers(0, 9, 2000) for name in "abcdef"})
    new = original.apply(lambda column: rng.permutation(column.to_numpy()))
    partly = pd.concat([original.head(150), new.head(850)]).sample(frac=1, random_state=1)
    found = only(check(original, partly), "copied-rows")
    numbers = dict(found.numbers)
    assert numbers["rows"] == pytest.approx(150, abs=5)
    assert numbers["share"] == pytest.approx(0.15, abs=0.005)
    assert numbers["expected"] < 0.01
    assert found.case == ""
    assert found.to_dict()["numbers"] == numbers
    assert "copied-rows" not in codes(check(original, new))


def test_copies_of_certain_people_alone_are_told_by_the_column_that_parts_them():
    rng = np.random.default_rng(6)
    original = pd.DataFrame({name: rng.integers(0, 9, 2000) for name in "abcdef"})
    original["faith"] = rng.choice([*"vwxyz"], 2000, p=[0.04, 0.06, 0.3, 0.3, 0.3])
    others = original.apply(lambda column: rng.permutation(column.to_numpy()))
    rare = original["faith"].isin(["v", "w"])
    told = pd.concat([original[rare], others[~others["faith"].isin(["v", "w"])]])
    found = only(check(original, told), "copied-rows")
    assert "Rows with certain 'faith' are all copies." in found.message
    mixed = pd.concat([original[rare], others])
    assert "faith" not in only(check(original, mixed), "copied-rows").message


def test_rows_with_one_value_changed_are_told_if_there_are_more_than_by_chance():
    rng = np.random.default_rng(6)
    original = pd.DataFrame({name: rng.integers(0, 40, 2000) for name in "abcdef"})
    new = original.apply(lambda column: rng.permutation(column.to_numpy()))
    assert "nearly-copied-rows" not in codes(check(original, new))
    changed = original.head(40).assign(a=(original["a"].head(40) + 1) % 40)
    little = pd.concat([changed, new.tail(960)]).sample(frac=1, random_state=1)
    found = only(check(original, little), "nearly-copied-rows", severity="info", rows=40)
    assert found.message.startswith("40 rows differ from an original row in one column (0 by")
    little["f"] = little["f"].map(lambda value: f"{value // 20 * 20}-{value // 20 * 20 + 19}")
    found = only(check(original, little), "nearly-copied-rows", severity="info")
    assert " rows differ from an original row in one column, 'f' aside (" in found.message


def test_equal_rows_that_chance_gives_are_no_copies():
    rng = np.random.default_rng(7)
    every = pd.DataFrame({name: rng.integers(0, 3, 4000) for name in "abcdefg"})
    original, others = every.head(2000), every.tail(2000).reset_index(drop=True)
    assert others.merge(original.drop_duplicates()).shape[0] > 1000, "most are in both"
    assert "copied-rows" not in codes(check(original, others))


# --- scenario --------------------------------------------------------------------------------


def test_problems_outside_the_scenario_do_not_stop_it():
    bad = release(job="*", income="many")
    assert codes(check(PEOPLE, bad), blocking=True)
    assert not codes(check(PEOPLE, bad, known=["age"], unknown="sex"), blocking=True)


def test_columns_that_are_ignored_are_not_examined():
    found = check(PEOPLE, release(job="*"), kinds={"job": "ignore"})
    assert not codes(found, blocking=True)


@pytest.mark.parametrize(
    ("scenario", "code", "message"),
    [
        ({"known": ["ages"], "unknown": "job"}, "missing-column", "Did you mean 'age'?"),
        ({"known": ["age"], "unknown": "jobs"}, "missing-column", "Did you mean 'job'?"),
        ({"known": ["age, sex"], "unknown": "job"}, "missing-column", 'list ["age", "sex"]?'),
        ({"known": ["age", "job"], "unknown": "job"}, "unknown-is-known", "also known"),
        ({"known": [], "unknown": "job"}, "no-known-columns", "No known column"),
        ({"person": "pid"}, "grouping-column", "not in 'original'"),
        ({"household": "hid"}, "grouping-column", "not in 'original'"),
    ],
)
def test_scenarios_that_cannot_work(scenario, code, message):
    assert message in only(check(PEOPLE, release(), **scenario), code, severity="error").message


def test_columns_that_releases_lack():
    without_job, without_age = release().drop(columns="job"), release().drop(columns="age")
    found = check(PEOPLE, without_job, known=["age"], unknown="job")
    errors = [f for f in found if f.severity is Severity.ERROR]
    only(errors, "missing-column", "job", case="in-no-release")
    found = check(PEOPLE, without_age, known=["age", "sex"], unknown="job")
    only(found, "missing-column", "age", severity="info", case="known")
    found = check(PEOPLE, without_age, known=["age"], unknown="job")
    only(found, "no-common-columns", severity="error", case="known")
    found = check(PEOPLE, without_age, without_job, known=["age"], unknown="job")
    assert only(found, "no-common-columns").table == "release1"


def test_renamed_columns():
    found = check(PEOPLE, release().rename(columns={"income": "In-Come"}))
    only(found, "missing-column", severity="question", case="likely", likely="In-Come")
    assert "extra-column" not in {finding.code for finding in found}  # asked about already
    found = check(PEOPLE, release().rename(columns={"job": "profession"}))
    finding = only(found, "missing-column", "job", severity="question", likely="profession")
    assert "has 'profession' with the same values" in finding.message
    strange = pd.DataFrame({"x": [1, 2]})
    only(check(PEOPLE, strange), "no-common-columns", severity="error")


def test_no_release():
    only(check(PEOPLE), "no-release", severity="error")


@pytest.mark.parametrize(
    ("values", "code", "severity"),
    [
        (["x"] * N, "constant-unknown", "error"),
        ([None] * N, "all-missing", "error"),
        ([f"v{k}" for k in range(N)], "all-distinct-unknown", "error"),
        ([f"v{k % 150}" for k in range(N)], "high-cardinality-unknown", "warning"),
        (["x"] * (N - 3) + ["y"] * 3, "rare-values", "info"),
        (["x"] * 1800 + ["y"] * 600, "dominating-value", "info"),
        ([0.0] * 2000 + list(np.arange(400.0)), "dominating-value", "info"),
        (["x"] * 1800 + [None] * 600, "constant-unknown", "warning"),
    ],
)
def test_unknown_attributes(values, code, severity):
    frame = PEOPLE.assign(target=values)
    found = check(frame, frame.sample(99), known=["age"], unknown="target")
    only([f for f in found if f.table == "original"], code, "target", severity=severity)


def test_all_distinct_quantities_can_be_attacked():
    found = check(PEOPLE, shuffled(), known=["age", "sex"], unknown="income")
    assert not codes(found, blocking=True)


def test_unknown_attribute_that_a_release_has_only_in_name():
    found = check(PEOPLE, release(job=None), known=["age"], unknown="job")
    assert only(found, "all-missing").table == "release1"
    found = check(PEOPLE, release(job="b"), known=["age"], unknown="job")
    only(found, "constant-unknown", severity="warning", case="here")


def test_person_and_household_columns():
    frame = PEOPLE.assign(pid=np.arange(N) // 2, same=1)
    frame["hid"] = frame["pid"].astype(float).mask(frame.index < 24)
    assert not check(frame, shuffled(), person="pid", known=["age"], unknown="job")
    found = check(frame, release(), household="hid", known=["age"], unknown="job")
    only(found, "grouping-column", case="gaps", what="household", share=pytest.approx(0.01))
    found = check(frame, release(), person="same")
    only(found, "grouping-column", case="single", what="person")


# --- findings --------------------------------------------------------------------------------


def test_findings_are_ordered_worst_first():
    found = check(PEOPLE.head(100).assign(job="x"), release(age="20-29"), release(sex="z"))
    order = ["error", "question", "warning", "info"]
    ranks = [order.index(f.severity) for f in found]
    assert ranks == sorted(ranks)
    assert len(set(ranks)) > 2


def test_finding_to_dict():
    finding = Finding.of(Severity.ERROR, "x", "t", message="M.", action="A.", share=0.5)
    assert finding.to_dict() == {
        "severity": "error",
        "code": "x",
        "table": "t",
        "column": None,
        "columns": [],
        "message": "M.",
        "action": "A.",
        "offers": [],
        "numbers": {"share": 0.5},
        "blocking": True,
        "stops_release": False,
    }
    with pytest.raises(AttributeError):
        finding.code = "y"


def test_examples_and_percentages():
    assert examples(["a" * 50, "b\nc", "d", "e"]) == f"'{'a' * 39}…', 'b c', 'd', ..."
    told = [percent(x) for x in (0, 0.0001, 0.125, 0.9999, 1)]
    assert told == ["0%", "under 0.1%", "12%", "over 99.9%", "100%"]


# --- the same values in other types ----------------------------------------------------------


@pytest.mark.parametrize("dtype", ["str", "category", "object"])
def test_released_identifiers_are_found_whatever_the_type_of_text(dtype):
    keys = [f"K{number}" for number in range(N)]
    original = PEOPLE.assign(key=pd.Series(keys, dtype="str"))
    found = check(original, PEOPLE.assign(key=pd.Series(keys, dtype=dtype)))
    only(found, "pseudonym", "key", case="identifier", share=1)


def test_released_identifiers_are_found_among_whole_numbers_and_floats():
    original = PEOPLE.assign(key=np.arange(N))
    keys = np.where(np.arange(N) < 0.8 * N, np.arange(N) + 0.0, np.nan)
    found = check(original, PEOPLE.assign(key=keys), kinds={"key": "identifier"})
    only(found, "pseudonym", "key", case="identifier", share=0.8)


def test_a_copy_is_told_of_in_other_types():
    changed = PEOPLE.astype({"sex": "category", "age": "float64", "job": "object"})
    assert "identical-release" in codes(check(PEOPLE, changed))
    longer = pd.concat([changed, changed.iloc[:5]], ignore_index=True)
    assert "copied-rows" in codes(check(PEOPLE, longer))


def test_text_of_blanks_and_one_value():
    blank = release(job=pd.Series([" ", "", None, "\t"] * (N // 4), dtype="str"))
    assert "all-missing" in codes(check(PEOPLE, blank))
    single = release(job=pd.Series(["1", "1.0", " 1", " "] * (N // 4), dtype="str"))
    found = check(PEOPLE, single, known=["age"], unknown="job")
    only(found, "constant-unknown", case="here")


def test_tables_may_be_frames_and_paths(tmp_path):
    released = PEOPLE.sample(frac=1, random_state=1)
    for name, frame in (("original", PEOPLE), ("release 1", released)):
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    files = [tmp_path / f"{name}.csv" for name in ("original", "release 1")]
    tables = [
        table_from_frame(frame, name=file.name)
        for frame, file in zip((PEOPLE, released), files, strict=True)
    ]
    codes = [
        {finding.code for finding in found}
        for found in (
            check_tables(tables[0], tables[1:]), check_tables(PEOPLE, released),
            check_tables(str(files[0]), [files[1]]),
        )
    ]  # fmt: skip
    assert codes[0] == codes[1] == codes[2] != set()
