"""What labels of released tables stand for, and what only looks like it."""

import json
from typing import ClassVar

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.errors import ColumnError, InputError
from alc_core.tables.apart.read import read_plain_sets
from alc_core.tables.codes.encode import encode
from alc_core.tables.labels.find import with_found_sets
from alc_core.tables.labels.language import (
    NOT_SAID,
    parse_plain_sets,
    plain_sets,
    sets_text,
    told_sets,
    with_plain_sets,
)

N = 3000


def people(seed=0, n=N):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": np.clip(rng.normal(45, 22, n), 0, 99).round().astype(int),
            "pay": (rng.lognormal(10, 0.6, n) // 10 * 10).round(),
            "visits": np.minimum(rng.geometric(0.25, n) - 1, 40),
            "town": rng.choice(["Ulm", "Bonn", "Jena", "Kiel", "Trier"], n),
            "job": rng.choice(["nurse", "smith", "clerk"], n),
        }
    )


PEOPLE = people()


def found(release, original=PEOPLE, **kinds):
    table = alc.table_from_frame(original, name="people").with_kinds(kinds)
    return alc.column_sets(table, alc.table_from_frame(release, name="release"))


def words(sets):
    return {label.label: label.words for label in sets.labels}


def shuffled(frame, seed=1):
    return frame.sample(frac=1, random_state=seed).reset_index(drop=True)


def locally_recoded(share, *, synthetic=False, rare="", n=1500):
    """A table, the same with words for groups in some rows of three columns, and the groups."""
    groups = {
        "town": {"Ulm": "south", "Bonn": "west", "Trier": "west", "Jena": "north", "Kiel": "north"},
        "job": {"nurse": "care", "smith": "craft", "clerk": "craft"},
        "size": {"S": "up to M", "M": "up to M", "L": "over M", "XL": "over M"},
    }
    rng = np.random.default_rng(4)
    original = people(3, n).assign(size=rng.choice(["S", "M", "L", "XL"], n))
    original["town"] = original["town"].mask(
        (original["town"] == rare) & (rng.random(n) < 0.9), "Ulm"
    )
    release = original.apply(lambda column: rng.permutation(column)) if synthetic else original
    release = release.copy()
    for column, names in groups.items():
        chosen = rng.random(n) < share
        release[column] = release[column].mask(chosen, release[column].map(names))
    return original, shuffled(release), groups


class TestIntervalCodes:
    CUTS = (-1, 14, 29, 44, 64, 99)
    WORDS: ClassVar = {
        "1": "0 to 14",
        "2": "15 to 29",
        "3": "30 to 44",
        "4": "45 to 64",
        "5": "65 to 99",
    }

    def test_codes_inside_the_range_of_the_original(self):
        codes = pd.cut(PEOPLE["age"], self.CUTS, labels=range(1, 6)).astype(int)
        for release in (PEOPLE.assign(age=codes), shuffled(PEOPLE.assign(age=codes))):
            sets = found(release)["age"]
            assert words(sets) == self.WORDS
            assert {label.found for label in sets.labels} == {"interval code"}
            assert not any(label.doubt for label in sets.labels)

    def test_codes_from_zero_without_a_row_that_is_recognisable(self):
        codes = pd.cut(PEOPLE["age"], self.CUTS, labels=range(5)).astype(int)
        release = shuffled(PEOPLE.assign(age=codes))[["age"]].assign(job=shuffled(PEOPLE)["job"])
        expected = {str(int(code) - 1): covers for code, covers in self.WORDS.items()}
        assert words(found(release)["age"]) == expected

    def test_text_codes_beside_suppressed_cells(self):
        codes = pd.cut(PEOPLE["age"], self.CUTS, labels=range(1, 6)).astype(str)
        sets = found(PEOPLE.assign(age=codes.mask(PEOPLE.index < 30)))["age"]
        assert words(sets) == {**self.WORDS, "": "any value"}

    @pytest.mark.parametrize("most", [4, 8])
    def test_small_counts_that_are_what_they_are(self, most):
        release = people(5)
        assert "visits" not in found(release.assign(visits=release["visits"].clip(upper=40)))
        sets = found(release[release["visits"] <= most])
        assert "visits" not in sets

    def test_linked_rows_that_contradict(self):
        rng = np.random.default_rng(3)
        assert "age" not in found(PEOPLE.assign(age=rng.integers(1, 6, N)))


class TestEnds:
    def test_top_and_bottom_codes(self):
        sets = found(shuffled(PEOPLE.assign(age=PEOPLE["age"].clip(15, 80))))["age"]
        assert words(sets) == {"80": "80 and over", "15": "15 and under"}
        assert {label.found for label in sets.labels} == {"top code", "bottom code"}

    def test_a_top_code_that_no_original_has(self):
        pay = PEOPLE["pay"].clip(upper=50_003)
        ((label, covers),) = words(found(PEOPLE.assign(pay=pay))["pay"]).items()
        assert label == "50003"
        least = PEOPLE["pay"][PEOPLE["pay"] > 50_003].min()
        assert covers == f"{least:,.0f} and over"

    @pytest.mark.parametrize("step", [1_000, 5_000, 10_000])
    def test_rounded_numbers_are_no_codes_of_what_is_beyond_them(self, step):
        pay = (PEOPLE["pay"] / step).round() * step
        assert "pay" not in found(shuffled(PEOPLE.assign(pay=pay)))

    def test_a_top_code_of_rounded_numbers(self):
        pay = ((PEOPLE["pay"] / 1_000).round() * 1_000).clip(upper=50_000)
        assert list(words(found(shuffled(PEOPLE.assign(pay=pay)))["pay"])) == ["50000"]

    def test_synthetic_and_sampled_tables_are_not_coded(self):
        assert not found(people(7))
        assert not found(PEOPLE.sample(300, random_state=1))

    def test_made_up_numbers_that_lack_the_greatest_are_not_coded(self):
        shares = np.array([8, 9, 8, 9, 8, 9, 9, 8, 9, 8, 3, 6, 6]) / 100
        rng = np.random.default_rng(1)
        places = np.round(np.geomspace(36, 8800, 13), 1)
        original = PEOPLE.assign(density=rng.choice(places, N, p=shares))
        for seed in range(12):
            made = np.random.default_rng(seed).dirichlet(shares[:10] * 25)
            release = original.assign(density=rng.choice(places[:10], N, p=made))
            assert "density" not in found(release, original, density="continuous")

    def test_a_capped_original_is_the_same(self):
        capped = PEOPLE.assign(age=PEOPLE["age"].clip(upper=80))
        assert not found(shuffled(capped), capped)


class TestSuppressed:
    @pytest.mark.parametrize("mark", [None, "NA", "*", "suppressed"])
    @pytest.mark.parametrize("column", ["town", "age"])
    def test_cells_that_had_a_value(self, mark, column):
        values = PEOPLE[column].astype(object).mask(PEOPLE.index % 10 == 0, mark)
        sets = found(PEOPLE.assign(**{column: values}))[column]
        assert list(words(sets).values()) == ["any value"]
        assert sets.share == pytest.approx(0.1)

    def test_missing_in_the_original_as_often_stays_a_value(self):
        rng = np.random.default_rng(1)
        original = PEOPLE.assign(town=PEOPLE["town"].mask(rng.random(N) < 0.1))
        synthetic = PEOPLE.assign(town=PEOPLE["town"].mask(rng.random(N) < 0.11))
        assert not found(synthetic, original)
        much = PEOPLE.assign(town=PEOPLE["town"].mask(rng.random(N) < 0.4))
        assert words(found(much, original)["town"]) == {"": "any value"}

    def test_another_word_for_missing_is_no_suppression(self):
        original = PEOPLE.assign(town=PEOPLE["town"].mask(PEOPLE.index % 10 == 0, "?"))
        assert not found(original.assign(town=original["town"].replace("?", "NA")), original)

    @pytest.mark.parametrize("code", [-1, 999, -88])
    def test_numbers_that_stand_for_it(self, code):
        ages = PEOPLE["age"].mask(PEOPLE.index % 10 == 0, code)
        sets = found(PEOPLE.assign(age=ages))["age"]
        assert words(sets) == {str(code): "any value"}
        assert sets.share == pytest.approx(0.1)

    def test_such_a_number_of_the_original_is_a_value(self):
        original = PEOPLE.assign(age=PEOPLE["age"].mask(PEOPLE.index % 10 == 0, 999))
        assert not found(original, original)

    def test_noise_beyond_the_original_is_not_suppressed(self):
        noise = np.random.default_rng(2).integers(-3, 4, N)
        assert not found(PEOPLE.assign(visits=PEOPLE["visits"] + noise))

    def test_a_column_of_nothing_is_not_suppressed(self):
        assert not found(PEOPLE.assign(town=None))


class TestBounds:
    CUTS = np.arange(0, 101, 20)

    def test_bounds_that_are_written_the_wrong_way_round(self):
        ages = pd.cut(PEOPLE["age"], self.CUTS, labels=range(5), right=True, include_lowest=True)
        wrong = ages.map(lambda code: f"[{20 * code}, {20 * code + 20})").astype(str)
        sets = found(PEOPLE.assign(age=wrong))["age"]
        assert words(sets)["[20, 40)"] == "21 to 40"
        assert words(sets)["[0, 20)"] == "0 to 20"
        assert "are reversed" in sets.labels[0].doubt

    def test_bounds_as_they_are_written(self):
        low = PEOPLE["age"] // 20 * 20
        right = "[" + low.astype(str) + ", " + (low + 20).astype(str) + ")"
        for release in (PEOPLE.assign(age=right), pd.DataFrame({"age": right})):
            sets = found(release)["age"]
            assert words(sets)["[20, 40)"] == "20 to 39"
            assert not any(label.doubt for label in sets.labels)


class TestWords:
    REGIONS: ClassVar = {
        "Ulm": "south",
        "Bonn": "west",
        "Trier": "west",
        "Jena": "east",
        "Kiel": "north",
    }

    def test_groups_are_seen_from_linked_rows(self):
        regions = PEOPLE["town"].map(self.REGIONS)
        for release in (PEOPLE.assign(town=regions), shuffled(PEOPLE.assign(town=regions))):
            sets = found(release)["town"]
            assert words(sets)["west"] == "Bonn, Trier"
            assert {label.found for label in sets.labels} == {"linked rows"}

    @pytest.mark.parametrize("share", [0.05, 0.25, 0.45, 0.6, 1.0])
    def test_groups_are_seen_whatever_share_of_the_rows_has_them(self, share):
        original, release, groups = locally_recoded(share)
        sets = found(release, original)
        for column, names in groups.items():
            expected = {
                word: ", ".join(value for value in sorted(names) if names[value] == word)
                for word in set(names.values())
            }
            assert words(sets[column]) == expected
            assert not any(label.doubt for label in sets[column].labels)

    def test_words_in_few_rows_are_doubtful(self):
        original, release, _ = locally_recoded(0.03, rare="Trier")
        doubts = {label.doubt for label in found(release, original)["town"].labels}
        assert doubts == {"In few rows: it may also cover values of 2.1% of people."}

    def test_part_of_a_synthetic_table_in_new_words_has_no_groups(self):
        for share in (0.05, 0.45, 1.0):
            original, release, _ = locally_recoded(share, synthetic=True)
            assert not found(release, original)

    def test_a_word_in_random_rows_says_nothing(self):
        release = PEOPLE.assign(town=PEOPLE["town"].mask(PEOPLE.index % 4 == 0, "elsewhere"))
        assert not found(shuffled(release))

    def test_a_renaming_stays_a_question(self):
        assert not found(PEOPLE.assign(town="X" + PEOPLE["town"]))

    def test_new_words_of_a_synthetic_table_are_no_groups(self):
        release = people(9)
        release["town"] = release["town"].map(self.REGIONS)
        assert not found(release)

    def test_words_for_numbers(self):
        stage = np.where(PEOPLE["age"] < 30, "young", "old")
        assert words(found(PEOPLE.assign(age=stage))["age"]) == {
            "young": "0 to 29",
            "old": "30 to 99",
        }


def test_what_the_original_has_itself_is_a_value():
    original = PEOPLE.assign(age=np.where(PEOPLE["age"] < 50, "0-49", "50+"))
    assert not found(shuffled(original), original)


def test_labels_and_single_values_in_one_column():
    ages = PEOPLE["age"].astype(str).mask(PEOPLE["age"] < 18, "under 18")
    sets = found(PEOPLE.assign(age=ages))["age"]
    assert words(sets) == {"under 18": "17 and under"}
    assert sets.labels[0].n_values == 18


def test_dates_cut_to_months_and_years():
    days = pd.Series(pd.date_range("2019-01-01", periods=N).strftime("%Y-%m-%d"))
    original = PEOPLE.assign(born=days)
    for cut, first in ((days.str[:7], "2019-01-01 to 2019-01-31"), (days.str[:4].astype(int), "")):
        sets = found(PEOPLE.assign(born=cut), original)["born"]
        assert sets.share == 1
        assert first in "".join(words(sets).values())
    months = original.assign(born=days.str[:7])
    assert not found(shuffled(months), months)


def test_a_table_without_sets_is_the_same_object_and_encoded_as_it_is_written():
    original = alc.table_from_frame(PEOPLE, name="people")
    release = alc.table_from_frame(people(4), name="release")
    assert with_found_sets(original, release) is release
    plain, read = (encode(original, [release], as_written=flag) for flag in (True, False))
    for column in PEOPLE.columns:
        before, after = plain.released[0].columns[column], read.released[0].columns[column]
        assert before.dtype == after.dtype
        assert np.array_equal(before, after)
    assert plain.specs == read.specs


class TestTold:
    def tables(self):
        frame = PEOPLE.assign(age=PEOPLE["age"] // 50 * 50)
        frame["age"] = frame["age"].map({0: "young", 50: "[50, 100)"})
        frame["town"] = frame["town"].replace({"Ulm": "south"})
        release = shuffled(frame).drop(columns=["pay", "visits", "job"])
        return (
            alc.table_from_frame(PEOPLE, name="people"),
            alc.table_from_frame(release, name="release"),
        )

    def test_edits_lie_over_what_is_found(self):
        original, release = self.tables()
        told = {"age": {"young": "..<50"}, "town": {"south": "Ulm | Jena"}}
        table = alc.with_plain_sets(original, release, told)
        sets = alc.column_sets(original, table)
        assert words(sets["age"]) == {"young": "49 and under", "[50, 100)": "50 to 99"}
        assert {each.label: each.found for each in sets["age"].labels} == {
            "young": "given", "[50, 100)": "notation"
        }  # fmt: skip
        assert words(sets["town"]) == {"south": "Jena, Ulm"}
        assert not sets["age"].unread

    def test_a_saved_table_reads_back_the_same(self, tmp_path):
        original, release = self.tables()
        table = alc.with_plain_sets(original, release, {"age": {"young": "0..<50"}})
        plain = alc.plain_sets(original, table)
        (tmp_path / "sets.json").write_text(sets_text(plain))
        again = alc.with_plain_sets(original, release, read_plain_sets(tmp_path / "sets.json"))
        assert again.value_sets["age"] == table.value_sets["age"]
        assert json.loads((tmp_path / "sets.json").read_text()) == plain

    def test_a_saved_label_that_is_a_value_stays_one(self):
        original, release = self.tables()
        table = alc.with_plain_sets(original, release, {"age": {"[50, 100)": None}})
        assert alc.plain_sets(original, release)["age"]["[50, 100)"] == "50..<100"
        assert alc.plain_sets(original, table)["age"]["[50, 100)"] is None

    def test_none_makes_a_label_a_value_again(self):
        original, release = self.tables()
        table = alc.with_plain_sets(original, release, {"age": {"[50, 100)": None}})
        assert "[50, 100)" not in words(alc.column_sets(original, table)["age"])

    @pytest.mark.parametrize(
        ("told", "message"),
        [
            ({"age": {"young": "few"}}, "'few' is not a value of the original's column 'age'"),
            ({"age": {"young": "200..300"}}, "Write what it covers as 20..39, 65"),
            ({"age": {"young": ["1"]}}, "Write 20..39, not a list"),
            ({"age": {"young": 5}}, "20..39 or a list of labels for column 'age', not int"),
            ({"town": {"south": "Rome"}}, "'Rome' is not a value of the original's column 'town'"),
            ({"town": {"south": ["Rome"]}}, "has no 'Rome'"),
        ],
    )
    def test_what_cannot_be_read_is_refused(self, told, message):
        with pytest.raises(InputError, match=message):
            alc.with_plain_sets(*self.tables(), told)

    def test_a_column_that_is_not_there_is_refused(self):
        with pytest.raises(ColumnError, match="Did you mean 'age'"):
            alc.with_plain_sets(*self.tables(), {"ages": {}})

    def test_a_hierarchy_file(self, tmp_path):
        original, release = self.tables()
        rows = [f"{age};{age // 10 * 10}s;{'young' if age < 50 else '[50, 100)'};*" for age in
                range(100)]  # fmt: skip
        file = tmp_path / "age.csv"
        file.write_text("\n".join(rows))
        table = alc.with_hierarchy(original, release, "age", file)
        assert words(alc.column_sets(original, table)["age"])["young"] == "0 to 49"
        file.write_text("Ulm,south\nBonn,west\n")
        table = alc.with_hierarchy(original, release, "town", file)
        assert words(alc.column_sets(original, table)["town"])["south"] == "Ulm"

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("Ulm\nBonn\n", "has one column. Write a row per value"),
            ("Rome;south\n", "has no value of"),
            (None, "cannot be read: No such file"),
        ],
    )
    def test_a_hierarchy_that_cannot_be_used(self, tmp_path, text, message):
        if text is not None:
            (tmp_path / "h.csv").write_text(text)
        with pytest.raises(InputError, match=message):
            alc.with_hierarchy(*self.tables(), "town", tmp_path / "h.csv")

    @pytest.mark.parametrize("text", ["[1]", "no", '{"age": 3}'])
    def test_a_file_of_something_else(self, tmp_path, text):
        (tmp_path / "s.json").write_text(text)
        with pytest.raises(InputError, match=r"alc check --save-sets"):
            read_plain_sets(tmp_path / "s.json")


@pytest.fixture
def original():
    return alc.table_from_frame(pd.DataFrame({"age": [*range(18, 78)] * 2}), name="people")


@pytest.fixture
def release():
    return alc.table_from_frame(pd.DataFrame({"age": ["18-47", "48+"] * 30}), name="release")


def test_what_is_saved_is_read_again(original, release):
    saved = parse_plain_sets(sets_text(plain_sets(original, release)).encode(), name="x.json")
    assert saved == {"age": {"18-47": "18..47", "48+": "48.."}}
    assert told_sets(original, with_plain_sets(original, release, saved)) == {}


def test_labels_that_cover_nothing_are_saved_to_be_filled_in(original):
    ages = ["18-47", "48+", "900-950"] * 20
    release = alc.table_from_frame(pd.DataFrame({"age": ages}), name="release")
    saved = plain_sets(original, release)
    assert saved["age"]["900-950"] == NOT_SAID
    assert told_sets(original, with_plain_sets(original, release, saved)) == {}


def test_a_label_can_stand_for_itself(original, release):
    told = {"age": {"48+": None}}
    assert told_sets(original, with_plain_sets(original, release, told)) == told


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            b"{",
            "'x.json' is not JSON. Save it on the Data page or by 'alc check --save-sets'",
        ),
        (b"[" * 100_000, "is not JSON"),
        (b"\xff\xfe\xfa", "is not JSON"),
        (b"[]", "does not list what labels cover by column"),
        (json.dumps({"age": "20..39"}).encode(), "does not list what labels cover by column"),
    ],
)
def test_what_is_no_table_of_labels_is_refused(data, message):
    with pytest.raises(InputError, match=message):
        parse_plain_sets(data, name="x.json")


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="cannot be read: No such file"):
        read_plain_sets(tmp_path / "x.json")


def test_many_texts_among_numbers_can_be_explained():
    ages = np.random.default_rng(2).integers(20, 90, 1000)
    bands = [f"band{age // 10}" for age in ages[::-1]]
    original = alc.table_from_frame(pd.DataFrame({"age": ages}), name="people")
    release = alc.table_from_frame(pd.DataFrame({"age": bands}), name="release")
    told = alc.plain_sets(original, release)
    assert told == {"age": {f"band{tens}": "" for tens in range(2, 9)}}
    filled = {"age": {label: f"{label[4:]}0..{label[4:]}9" for label in told["age"]}}
    release = alc.with_plain_sets(original, release, filled)
    assert not any(each.blocking for each in alc.check_tables(original, [release]))
