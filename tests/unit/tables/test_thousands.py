import io

import numpy as np
import pandas as pd
import pytest

from alc_core.releases.registry import read_release
from alc_core.tables.apart.wire import receive_table, receive_word, send_answer
from alc_core.tables.checks.finding import Offer
from alc_core.tables.names import with_same_columns
from alc_core.tables.read import read_table

N = 300
RNG = np.random.default_rng(4)
PAY = RNG.integers(1000, 9000, N)  # each has a mark
MIXED = RNG.integers(100, 9000, N)  # those below 1000 have none
MANY = RNG.integers(800, 5_000_000, N)
WEIGHT = RNG.normal(70, 9, N).round(3)


def marked(numbers, mark):
    return [f"{number:,}".replace(",", mark) for number in numbers]


def decimals(numbers, mark=".", digits=3):
    return [f"{number:.{digits}f}".replace(".", mark) for number in numbers]


def file(name="r.csv", of=read_table, **columns):
    frame = pd.DataFrame({**columns, "job": RNG.choice(list("abc"), N)})
    return of(frame.to_csv(index=False, sep=";").encode(), name=name)


def released(original, table, kind="rows"):
    return read_release([table], name="r", original=original, kind=kind)


def asked(original, table):
    found = released(original, table).checker(original).findings()
    return [finding for finding in found if finding.blocking]


@pytest.mark.parametrize("mark", [".", ",", "'", "\u2019", " ", "\u00a0", "\u2009", "\u202f"])
@pytest.mark.parametrize("numbers", [MIXED, MANY])
def test_numbers_below_1000_without_a_mark_show_that_it_separates_thousands(numbers, mark):
    assert file(x=marked(numbers, mark)).frame["x"].tolist() == numbers.tolist()


@pytest.mark.parametrize("mark", [".", ","])
def test_another_column_shows_what_a_mark_separates(mark):
    other = "," if mark == "." else "."
    rate = decimals(WEIGHT, other, 1)
    assert file(x=marked(PAY, mark), rate=rate).frame["x"].tolist() == PAY.tolist()
    assert file(x=marked(PAY, mark), y=marked(MIXED, mark)).frame["x"].tolist() == PAY.tolist()
    same = file(x=decimals(WEIGHT, mark), rate=decimals(WEIGHT, mark, 1))
    assert same.frame["x"].tolist() == WEIGHT.tolist()
    assert not same.maybe_thousands


@pytest.mark.parametrize("mark", [".", ","])
def test_the_original_shows_what_a_mark_separates(mark):
    pay, weight = file("o.csv", x=PAY), file("o.csv", x=WEIGHT)
    in_thousands, in_decimals = file(x=marked(PAY, mark)), file(x=decimals(WEIGHT, mark))
    assert in_thousands.maybe_thousands == {"x": True}
    for original, table, numbers in ((pay, in_thousands, PAY), (weight, in_decimals, WEIGHT)):
        (read,) = released(original, table).tables
        assert read.frame["x"].tolist() == numbers.tolist()
        assert not asked(original, table)


def test_numbers_with_three_decimals_in_both_tables_are_no_question():
    for numbers in (decimals(WEIGHT), decimals(WEIGHT / 80), marked(PAY, ".")):
        assert not asked(file("o.csv", x=numbers), file(x=numbers[::-1]))


@pytest.mark.parametrize("mark", [".", ","])
def test_a_mark_that_may_be_either_is_asked_and_either_answer_is_read(mark):
    cells, plain = marked(PAY, mark), file(x=PAY)
    original = file("o.csv", x=cells)
    found = next(each for each in asked(original, plain) if each.code == "maybe-thousands")
    assert (found.table, found.column) == ("o.csv", "x")
    answers = [f"o.csv={mark}", f"o.csv={mark}"]
    assert found.offers == tuple(map(Offer, ("thousands", "decimal"), answers))

    def again(**how):
        return file("o.csv", x=cells, of=lambda data, name: read_table(data, name=name, **how))

    assert again(thousands=mark).frame["x"].tolist() == PAY.tolist()
    assert again(decimal=mark).frame["x"].tolist() == [pay / 1000 for pay in PAY]
    assert not asked(again(thousands=mark), plain)


def test_texts_in_a_workbook_are_read_as_they_are_written():
    frame = pd.DataFrame({"x": marked(MIXED, "."), "y": [2, *marked(MIXED, ".")[1:]]})
    stream = io.BytesIO()
    frame.to_excel(stream, index=False)
    found = read_table(stream.getvalue(), name="t.xlsx").frame
    assert found["x"].tolist() == MIXED.tolist()
    assert found["y"].tolist() == [2, *MIXED[1:].tolist()]


def test_codes_with_points_stay_as_they_are():
    codes = [f"{n % 900 + 100}.{n % 890 + 100}.{n % 880 + 100}" for n in range(N)]
    assert file(x=codes).frame["x"].tolist() == codes
    assert file(x=["", *codes[1:]]).frame["x"].tolist()[1:] == codes[1:]
    versions = [f"{n % 9 + 1}.{n % 8}.{n % 7}" for n in range(N)]
    assert file(x=versions).frame["x"].tolist() == versions


PEOPLE = pd.DataFrame(
    {
        "region": RNG.choice(["N", "E", "S"], 30_000, p=[0.6, 0.3, 0.1]),
        "sex": RNG.choice(["m", "f"], 30_000),
        "diag": RNG.choice(["a", "b", "c"], 30_000, p=[0.6, 0.3, 0.1]),
    }
)
ORIGINAL = read_table(PEOPLE.to_csv(index=False).encode(), name="people.csv")


@pytest.mark.parametrize("mark", [".", ",", " ", "'"])
@pytest.mark.parametrize("keys", [["region", "sex"], ["region", "sex", "diag"]])
def test_counts_with_marks_are_whole_numbers(keys, mark):
    counts = PEOPLE[keys].value_counts().rename("Personen").reset_index()
    text = counts.assign(Personen=marked(counts["Personen"], mark)).to_csv(index=False, sep=";")
    release = released(ORIGINAL, read_table(text.encode(), name="c.csv"), "counts")
    assert sum(part.people.sum() for part in release.cells) == len(PEOPLE)
    cross = pd.crosstab(PEOPLE["region"], PEOPLE["diag"])
    text = cross.map(lambda n: marked([n], mark)[0]).reset_index().to_csv(index=False, sep=";")
    release = released(ORIGINAL, read_table(text.encode(), name="c.csv"), "counts")
    assert sum(part.people.sum() for part in release.cells) == len(PEOPLE)


def test_noisy_counts_with_three_decimals_stay_fractions():
    counts = PEOPLE.value_counts().rename("n").reset_index()
    noisy = decimals(counts["n"] + RNG.laplace(0, 2, len(counts)))
    text = counts.assign(n=noisy).to_csv(index=False, sep=";")
    release = released(ORIGINAL, read_table(text.encode(), name="c.csv"), "counts")
    assert release.cells[0].people.sum() == pytest.approx(len(PEOPLE), rel=0.01)


def test_what_is_open_goes_with_the_column(tmp_path):
    table = file(x=marked(PAY, "."))
    path = tmp_path / "sent"
    with path.open("wb") as out:
        send_answer(out, table)
    with path.open("rb") as stream:
        assert receive_table(stream, receive_word(stream)).maybe_thousands == {"x": True}
    original = file("o.csv", pay=PAY)
    assert with_same_columns(original, table, {"x": "pay"}).maybe_thousands == {"pay": True}


def test_groups_of_two_digits_are_read_as_in_india():
    table = read_table(b"pay;job\n" + b"12,34,567;a\n2,68,100;b\n950;a\n" * 9, name="a.csv")
    assert table.frame["pay"].tolist() == [1_234_567, 268_100, 950] * 9


def test_row_names_of_r_with_points_tell_nothing_about_other_columns():
    rows = [f"{n},{n / 1000:.3f},a" for n in range(1001, 1301)]
    rows += [f"NA.{n},,b\nNA.1.{n},,b" for n in range(100, 120)]
    table = read_table("\n".join([",kg,x", *rows]).encode(), name="a.csv")
    assert table.frame["kg"].max() == 1.3
