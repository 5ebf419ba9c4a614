"""People's own numbers on another scale are asked about; strangers' and noisy ones are not."""

import numpy as np
import pandas as pd
import pytest

from alc_core.tables.checks.checker import check_tables
from alc_core.tables.checks.facts import FactKind, Weight, file_facts
from alc_core.tables.checks.profile import Profiles
from alc_core.tables.checks.scales import check_scale
from alc_core.tables.checks.values import check_labels
from alc_core.tables.names import with_same_columns
from alc_core.tables.read import table_from_frame

N = 1_200


def people(seed):
    rng = np.random.default_rng(seed)
    debt = np.where(rng.random(N) < 0.4, 0, rng.exponential(8_000, N).round())
    return pd.DataFrame(
        {
            "age": rng.integers(18, 90, N),
            "sex": rng.choice(["m", "f"], N),
            "pay": rng.lognormal(10.2, 0.5, N).round().astype(int),
            "debt": debt.astype(int),
            "town": rng.choice([f"t{k}" for k in range(40)], N, p=rng.dirichlet(np.full(40, 5))),
        }
    )


PEOPLE, STRANGERS = people(1), people(2)
ORIGINAL = table_from_frame(PEOPLE, name="o")


def released(column, values):
    release = STRANGERS.assign(**{column: values}).sample(frac=1, random_state=3)
    return table_from_frame(release, name="r")


def asked(column, values):
    profiles = Profiles()
    before, after = profiles.of(ORIGINAL, column), profiles.of(released(column, values), column)
    check = (
        check_scale(before, after) if column != "town" else check_labels(before, after, of_rows=1)
    )
    return [finding for finding in check if finding.blocking]


SCALES = {
    "other currency": ("pay", lambda x: (x * 1.0812).round(2), 1.0812, None),
    "other year's prices": ("pay", lambda x: (x * 0.97).round(), 0.97, None),
    "by month": ("pay", lambda x: (x / 12).round(2), 1 / 12, None),
    "thousands": ("debt", lambda x: x / 1000, 0.001, None),
    "of the largest": ("debt", lambda x: (x / 50_000).round(6), 2e-05, None),
    "logarithm": ("debt", lambda x: np.log1p(x).round(4), 1, "logarithms of 1 more"),
    "decimal logarithm": ("pay", lambda x: np.log10(x).round(4), 0.434294, "logarithms"),
    "square root": ("debt", lambda x: np.sqrt(x).round(3), 1, "square roots"),
}


@pytest.mark.parametrize(("column", "scale", "factor", "how"), SCALES.values(), ids=SCALES)
@pytest.mark.parametrize("part", [1.0, 0.5], ids=["all people", "half of them"])
def test_own_numbers_on_another_scale(column, scale, factor, how, part):
    own = np.random.default_rng(5).random(N) < part
    values = scale(PEOPLE[column].where(own, STRANGERS[column]))
    (found,) = asked(column, values)
    assert (found.code, found.case) == ("scale-changed", "copied")
    assert float(found.facts.get("factor", 1)) == pytest.approx(factor, rel=1e-4)
    assert found.facts.get("how") == how
    assert found.facts["share"] > 0.4 * part


@pytest.mark.parametrize("method", ["first", "dense"])
def test_ranks_are_another_scale(method):
    """They lie in the original's range."""
    own = (PEOPLE["pay"] / 30).astype(int)
    original, release = (
        table_from_frame(pd.DataFrame({"pay": values}), name="t")
        for values in (own, own.rank(method=method).astype(int))
    )
    profiles = Profiles()
    (found,) = check_scale(profiles.of(original, "pay"), profiles.of(release, "pay"))
    assert found.blocking
    assert found.facts["ranks"]
    assert not [*check_scale(profiles.of(release, "pay"), profiles.of(release, "pay"))]


LINES = {
    "less a constant": (lambda x: x - 1_500, "pay - -1500=pay"),
    "to a maximum": (lambda x: 250_000 - x, "pay - 250000 / -1=pay"),
    "other unit and zero": (lambda x: x * 1.8 + 32, "pay - 32 / 1.8=pay"),
}


@pytest.mark.parametrize(("line", "same"), LINES.values(), ids=LINES)
def test_own_numbers_on_a_line(line, same):
    (found,) = asked("pay", line(PEOPLE["pay"]))
    assert (found.code, found.case) == ("scale-changed", "copied")
    assert [offer.value for offer in found.offers] == [same]
    read = with_same_columns(ORIGINAL, released("pay", line(PEOPLE["pay"])), {same[:-4]: "pay"})
    assert not [each for each in check_tables(ORIGINAL, [read]) if each.blocking]
    for seed in range(20):
        others = asked("pay", line(people(100 + seed)["pay"]))
        assert not [each for each in others if each.case == "copied"]


@pytest.mark.parametrize("seed", range(5))
def test_moments_of_strangers_that_are_close_together_are_not_shifted(seed):
    rng, profiles = np.random.default_rng(seed), Profiles()
    original, release = (
        table_from_frame(pd.DataFrame({"visit": hours}), name="o")
        for rows in rng.integers(900, 1_100, 2)
        for hours in [pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.permutation(rows), unit="h")]
    )
    assert not list(check_scale(profiles.of(original, "visit"), profiles.of(release, "visit")))


@pytest.mark.parametrize("days", [-400, 17, 0])
def test_dates_that_are_all_shifted(days):
    rng = np.random.default_rng(1)
    own, others = (
        pd.Timestamp("1940-01-01") + pd.to_timedelta(rng.integers(0, 25_000, N), unit="D")
        for _ in range(2)
    )
    original = table_from_frame(pd.DataFrame({"born": own}), name="o")
    profiles, found = Profiles(), {}
    for name, dates in {"own": own + pd.Timedelta(days=days), "others": others}.items():
        table = table_from_frame(pd.DataFrame({"born": dates}), name=name)
        check = check_scale(profiles.of(original, "born"), profiles.of(table, "born"))
        found[name] = [each.facts["days"] for each in check]
    assert found == {"own": [days] if days else [], "others": []}


@pytest.mark.parametrize(
    ("column", "scale", "source", "said"),
    [
        ("pay", lambda x: (x * 0.97).round(), "pay / 0.97", " times 0.97"),
        ("pay", lambda x: np.log(x).round(5), "log pay", " logarithms"),
        ("debt", lambda x: np.log1p(x).round(5), "log debt - 1", " logarithms of 1 more"),
    ],
)
def test_the_check_of_tables_asks_and_reads_the_answer(column, scale, source, said):
    table = released(column, scale(PEOPLE[column]))
    (asked,) = [each for each in check_tables(ORIGINAL, [table]) if each.blocking]
    assert [offer.value for offer in asked.offers] == [f"{source}={column}"]
    read = with_same_columns(ORIGINAL, table, {source: column})
    assert not [each for each in check_tables(ORIGINAL, [read]) if each.blocking]
    assert asked.message.endswith(f"people's values are the original's{said}.")


@pytest.mark.parametrize("seed", range(20))
def test_other_peoples_and_noisy_numbers_are_not(seed):
    rng = np.random.default_rng(seed)
    others = people(100 + seed)
    noisy = PEOPLE["pay"] * rng.lognormal(0.02, 0.1, N)
    for column, values in {
        "pay": others["pay"] * rng.uniform(0.9, 1.1), "debt": others["debt"] / 1.1,
    }.items():  # fmt: skip
        assert not asked(column, values)
    assert not asked("pay", noisy.round())
    assert not asked("pay", PEOPLE["pay"])  # copied as they are: another finding
    assert not asked("pay", (PEOPLE["pay"] / 1000).round() * 1000)


def test_labels_that_were_exchanged_have_equal_numbers_of_rows():
    labels = np.random.default_rng(1).permutation(PEOPLE["town"].unique())
    exchanged = PEOPLE["town"].map(dict(zip(PEOPLE["town"].unique(), labels, strict=True)))
    (found,) = asked("town", exchanged)
    assert (found.code, found.case) == ("recoded-integers", "exchanged")
    assert not asked("town", PEOPLE["town"])
    assert not asked("town", people(7)["town"])


def test_the_right_original_is_not_doubted_where_its_numbers_return():
    """Two questions would say that nothing and that nearly everything is the original's."""
    for values, doubted in (((PEOPLE["pay"] * 0.97).round(), False), (STRANGERS["pay"], True)):
        facts = file_facts(ORIGINAL, released("pay", values)).facts
        (found,) = [fact for fact in facts if fact.kind is FactKind.ORIGINAL]
        assert (found.weight is Weight.ASK) is doubted
