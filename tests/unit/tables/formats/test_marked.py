import numpy as np
import pandas as pd
import pytest

from alc_core.releases.registry import read_release
from alc_core.tables.read import read_table
from alc_core.tables.table import ColumnKind

N = 300
RNG = np.random.default_rng(5)
PAY = RNG.integers(800, 9000, N)
SMALL = RNG.integers(1, 300, N)
RATE = RNG.uniform(1, 99, N).round(1)


def some(marks, share=0.4):
    return RNG.choice(["", *marks], N, p=[1 - share, *[share / len(marks)] * len(marks)])


def beside(numbers, marks, form="{} {}"):
    return [form.format(n, m).strip() if m else f"{n}" for n, m in zip(numbers, marks, strict=True)]


def read(cells):
    frame = pd.DataFrame({"x": cells, "job": RNG.choice(list("ab"), N)})
    return read_table(frame.to_csv(index=False, sep=";").encode(), name="t.csv")


EUROSTAT = some("bepu")


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (beside(PAY, EUROSTAT), PAY),
        (beside([f"{n:,}".replace(",", " ") for n in PAY], EUROSTAT), PAY),
        (beside([f"{n}".replace(".", ",") for n in RATE], some(["b", "bp", "e"])), RATE),
        (beside(RATE, some("ub"), "{}({})"), RATE),
        (beside(PAY, some("12"), "{} ({})"), PAY),
        (beside(SMALL, some(["*"], 0.2), "{}{}"), SMALL),
        (beside(RATE, some(["*", "**", "***"]), "{}{}"), RATE),
        (beside(PAY, some("†‡"), "{}{}"), PAY),
        (beside(PAY, some("pe"), "{}{}"), PAY),
        (beside(PAY, RNG.choice(list("pe"), N)), PAY),
        (beside(PAY, some("#¹"), "{}{}"), PAY),
        (beside(PAY, some(["¹)", "²)"]), "{}{}"), PAY),
        (beside(RATE, some(["⁴", "⁵⁾"]), "{}{}"), RATE),
    ],
)
def test_numbers_with_flags_are_numbers_and_the_flags_a_column(cells, numbers):
    table = read(cells)
    assert table.frame["x"].tolist() == numbers.tolist()
    assert table.kind("x") is ColumnKind.CONTINUOUS
    assert table.kind("x_flag") is ColumnKind.IGNORE
    flagged = [cell[-1] not in "0123456789" for cell in cells]
    assert table.frame["x_flag"].notna().tolist() == flagged


def test_a_flag_where_there_is_no_number_is_kept():
    cells = [": c", ":", *beside(PAY, EUROSTAT)[2:]]
    table = read(cells)
    assert table.frame["x"].isna().tolist() == [True, True] + [False] * (N - 2)
    assert table.frame["x_flag"].tolist()[0] == "c"


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        ([f"{n} kg" for n in SMALL], SMALL),
        ([f"{n}kg" for n in RATE], RATE),
        ([f"{n}%" for n in SMALL], SMALL),
        ([f"{n} %".replace(".", ",") for n in RATE], RATE),
        ([f"€ {n}" for n in PAY], PAY),
        ([f"CHF {n:,}".replace(",", "'") for n in PAY], PAY),
        ([f"CHF {n:,}.-".replace(",", "'") for n in PAY], PAY),
        ([f"{n}.\u2013" for n in PAY], PAY),
        ([f"{n},-" for n in PAY], PAY),
        ([f"{n / 2:.2f} €".replace(".", ",") for n in PAY], PAY / 2),
        ([f"{n}y" for n in SMALL], SMALL),
        ([f"{n} mmHg" for n in SMALL], SMALL),
        ([f"{n} mg/L" for n in RATE], RATE),
        ([f"{n} kg/m2" for n in RATE], RATE),
        ([f"{n} µmol/L" for n in RATE], RATE),
        ([f"{n} cigarettes" for n in SMALL], SMALL),
        ([f"{n}Punkte" for n in SMALL], SMALL),
        ([f"{n} kg" if k % 3 else f"{n * 1000} g" for k, n in enumerate(SMALL)], SMALL),
        ([f"{n} cm" if k % 3 else f"{n / 100} m" for k, n in enumerate(SMALL)], SMALL),
        ([f"{n} kg" if k % 3 else f"{n}" for k, n in enumerate(SMALL)], SMALL),
    ],
)
def test_units_are_left_out_and_those_of_a_kind_multiplied(cells, numbers):
    table = read(cells)
    assert table.columns == ("x", "job")
    np.testing.assert_allclose(table.frame["x"], numbers)


LETTERS = [f"{a}{b}" for a in "ABCDEFGH" for b in "ABCDEFGH"]


@pytest.mark.parametrize(
    "cells",
    [
        beside(SMALL, some("abcde", 0.2), "{}{}"),  # house numbers
        beside(SMALL, some("ABC", 0.2)),
        [f"{n}A" for n in SMALL],
        [f"{n} Main" if n % 3 else f"{n} Park" for n in SMALL],
        [*map(str, range(1, N - 1)), "2A", "2B"],  # departments
        beside(PAY + 1000, RNG.choice(LETTERS, N)),  # Dutch postcodes
        beside(PAY + 1000, [pair.lower() for pair in RNG.choice(LETTERS, N)], "{}{}"),
        RNG.choice(["1A", "2A", "2B", "3A", "3C", "5A", "5B", "6"], N),  # ISCED
        RNG.choice(["1a", "1b", "2a", "2b", "3a", "4"], N),
        beside(SMALL, RNG.choice(["mg", "ml", "IU"], N)),
        [str(n + 10_000)[: 5 - n % 3] + "*" * (n % 3) for n in PAY],  # digits that are hidden
        [f"{n // 10}*" if n % 4 else f"{n}" for n in SMALL + 10],
        [f"{n % 80 / 100}" if n % 2 else f"{n % 80}%" for n in SMALL],
        [f"{n:05d} p" for n in SMALL],
        beside(SMALL, RNG.choice(list("ABCDEF"), N), "{}{}"),  # seats
        RNG.choice(["1st", "2nd", "3rd", "4th", "5th", "6th"], N),
        ["65+" if n > 65 else f"{n}" for n in SMALL],
        ["<10" if n < 10 else f"{n}" for n in SMALL],
    ],
)
def test_codes_with_letters_and_hidden_digits_stay_text(cells):
    table = read(cells)
    assert table.frame["x"].tolist() == [*cells]
    assert table.columns == ("x", "job")


def test_a_column_of_flags_is_called_like_none_that_is_there():
    frame = pd.DataFrame({"x": beside(PAY, EUROSTAT), "x_flag": SMALL})
    table = read_table(frame.to_csv(index=False).encode(), name="t.csv")
    assert table.columns == ("x", "x_flag", "x_flag_")
    assert table.frame["x_flag"].tolist() == SMALL.tolist()


def test_flags_in_one_table_or_both_are_no_question():
    for first, second in ((PAY, beside(PAY, EUROSTAT)), (beside(PAY, EUROSTAT), PAY[::-1])):
        original, table = read(first), read(second)
        found = read_release([table], name="r", original=original).checker(original).findings()
        assert not [finding.code for finding in found if finding.blocking]


def test_counts_with_flags_are_counts():
    people = pd.DataFrame(
        {"region": RNG.choice(list("NES"), 9000), "sex": RNG.integers(0, 2, 9000)}
    )
    original = read_table(people.to_csv(index=False).encode(), name="people.csv")
    counts = people.value_counts().rename("n").reset_index()
    long = counts.assign(n=[f"{n} p" if n % 2 else f"{n}" for n in counts["n"]])
    cross = pd.crosstab(people["region"], people["sex"]).map("{} e".format).reset_index()
    for frame in (long, cross):
        table = read_table(frame.to_csv(index=False).encode(), name="c.csv")
        release = read_release([table], name="r", original=original, kind="counts")
        assert sum(part.people.sum() for part in release.cells) == 9000
