import io
import json

import pandas as pd
import pytest
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.testing.v1 import AppTest

from alc_core import load_demo
from alc_core.dashboard.app.launch import site_directory
from alc_core.dashboard.data import columns, noticed
from alc_core.dashboard.data.columns import column_rows, take_edit
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.work import uploads
from alc_core.dashboard.work.campaign_planning import plan_preview
from alc_core.dashboard.work.uploads import remove_file, take_codebook, use_demo
from alc_core.errors import InputError
from alc_core.tables.checks.finding import Finding, Severity
from alc_core.tables.table import ColumnKind
from tests.app.conftest import TIMEOUT, csv
from tests.toys.files import DATA
from tests.toys.household_survey import DWELLING, survey
from tests.toys.notes import notes, replaying, table

START_TITLE = "What does your release reveal?"


def test_empty_page_invites(app):
    assert app.title == "Data"
    assert "Use demo data" in app.buttons
    assert "Continue" not in app.buttons
    app.run_framed()
    assert "Upload the original and a release" in app.texts


@pytest.mark.parametrize("page", ["data", "attack", "findings"])
def test_every_page_begins_with_a_guard(page):
    """A page that runs without app.py (deep link in a fresh server) goes there at once."""
    test = AppTest.from_file(
        str(site_directory() / "pages" / f"{page}.py"), default_timeout=TIMEOUT
    )
    test.run()
    assert not test.title
    assert "alc_state" not in test.session_state


def test_one_click_loads_the_demo(app):
    app.click("Use demo data")
    assert "fair 20% swapped" in app.texts
    assert "6,366 rows, 9 columns" in app.texts
    app.click("Continue")
    assert app.state.chosen().one.unknown == load_demo("fair").scenario.unknown


@pytest.mark.parametrize("slot", ["original", "release"])
def test_an_object_of_sdcmicro_is_dropped_once(app, slot):
    app.go_to("data")
    app.upload(slot, ("sdcmicro.rds", (DATA / "r" / "sdcmicro.rds").read_bytes()))
    assert app.state.original.read.name == "sdcmicro.rds::original"
    assert [file.read.name for file in app.state.release] == ["sdcmicro.rds::release"]
    assert [*app.state.releases()] == ["sdcmicro (release)"]
    assert app.state.column_roles().role("job") == "to be protected"
    assert app.state.choices.settings.household == "home"
    assert "roles from sdcMicro" in app.texts
    assert "Both are from one sdcMicro object" in app.texts
    assert "Continue" in app.buttons


def test_syntheses_of_one_object_are_one_release(app):
    app.go_to("data")
    app.upload("original", ("table.csv", (DATA / "r" / "table.csv").read_bytes()))
    app.upload("release", ("synthpop.rds", (DATA / "r" / "synthpop.rds").read_bytes()))
    assert not app.state.failed, app.state.failed
    (release,) = app.state.releases().values()
    assert [table.name for table in release.tables] == [
        "synthpop.rds (1 of 2)", "synthpop.rds (2 of 2)"
    ]  # fmt: skip


METADATA = {"primary_key": "city", "columns": {"city": {"sdtype": "id"}, "age": {"sdtype": "id"}}}


@pytest.mark.parametrize("order", [("table.csv", "m.json"), ("m.json", "table.csv")])
def test_sdv_metadata_is_dropped_as_a_file(app, order):
    files = {
        "table.csv": (DATA / "r" / "table.csv").read_bytes(),
        "m.json": json.dumps(METADATA).encode(),
    }
    app.go_to("data")
    for name in order:
        app.upload("original", (name, files[name]))
    assert app.state.original.table.kind("age") == "identifier"
    assert app.state.column_roles().role("city") == "identifier"
    assert "roles from SDV metadata" in app.texts
    next(b for b in app.test.button if b.key == "remove_metadata").click()
    app.run()
    assert app.state.original.table.kind("age") == "continuous"


def test_sdv_metadata_that_links_tables_or_is_of_another_table_is_refused(app, people):
    app.go_to("data")
    app.upload("original", ("table.csv", (DATA / "r" / "table.csv").read_bytes()))
    link = {"child_table_name": "b", "parent_table_name": "a"}
    link |= {"child_foreign_key": "city", "parent_primary_key": "city"}
    linked = {"tables": {"a": METADATA, "b": METADATA}, "relationships": [link]}
    app.upload("release", ("linked.json", json.dumps(linked).encode()))
    assert "'linked.json' links 2 tables by keys (b.city=a.city)" in app.texts
    app.upload("original", ("m.json", json.dumps(METADATA).encode()))
    assert app.state.metadata.name == "m.json"
    app.upload("original", ("other.csv", b"x,y\n1,2\n3,4\n"))
    assert "'m.json' names no column of 'other.csv'" in app.texts
    assert app.state.metadata is None


def test_files_are_read_in_a_process_of_their_own(app, people, read_apart):
    app.load(("once.csv", csv(people(99))), ("twice.csv", csv(people(98))))
    assert read_apart == ["read_table", "read_table"]


def test_uploads_are_read_and_explained(loaded):
    assert "people" in loaded.texts
    assert "Delimiter: comma." in loaded.texts
    assert "800 rows, 4 columns" in loaded.texts
    assert len(loaded.test.dataframe) >= 2
    assert "Continue" in loaded.buttons


@pytest.mark.parametrize(("slot", "found"), [("original", ["b"]), ("release", ["a", "b"])])
def test_a_file_that_comes_while_another_is_read_is_read_after_it(
    app, people, monkeypatch, slot, found
):
    app.go_to("data")
    read, held = uploads.read_table, []

    def meanwhile(data, *, name, **options):
        if name == "a.csv":
            app.upload_later(f"upload_{slot}_0", "b.csv", csv(people(30)))
        else:
            context = get_script_run_ctx()
            held.extend(context.uploaded_file_mgr.get_files(context.session_id, ["b.csv"]))
        return read(data, name=name, **options)

    monkeypatch.setattr(uploads, "read_table", meanwhile)
    app.upload(slot, ("a.csv", csv(people(20))))
    state = app.state
    there = [state.original_table()] if slot == "original" else state.release_tables()
    assert [table.name for table in there] == found
    assert not held, "its bytes were freed"
    app.run()
    assert state.uploads[slot] == 2


def test_a_codebook_that_comes_while_another_is_read_is_read_after_it(loaded, monkeypatch):
    take = columns.take_codebook

    def meanwhile(state, name, data):
        if name == "a.csv":
            loaded.upload_later("codebook_0", "b.csv", b"column,label\nage,Years\n")
        return take(state, name, data)

    monkeypatch.setattr(columns, "take_codebook", meanwhile)
    loaded.widget("file_uploader", "codebook_0").set_value(
        ("a.csv", b"column,label\njob,Occupation\n", "text/csv")
    )
    loaded.run()
    assert {"Occupation", "Years"} < {*loaded.state.original_table().columns}


def test_several_files_are_tables_of_one_release(loaded, people):
    frame = people(800)
    loaded.upload(
        "release", ("a.csv", csv(frame[["age", "job"]])), ("b.csv", csv(frame[["city", "job"]]))
    )
    assert [table.name for table in loaded.state.release_tables()] == [
        "release",
        "a",
        "b",
    ]


def test_changed_kinds_follow(loaded):
    loaded.go_to("data")
    take_edit(loaded.state, "age", "kind", "categorical")
    loaded.run()
    assert loaded.state.original_table().kind("age") is ColumnKind.CATEGORICAL
    assert "Continue" in loaded.buttons


def test_files_with_the_same_columns_are_assumed_to_be_several_releases(loaded, people):
    loaded.upload("release", ("second.csv", csv(people(800, seed=1))))
    assert "'release' and 'second' have nearly the same columns." in loaded.texts
    assert list(loaded.state.releases()) == ["release", "second"]
    (mode,) = (
        radio for radio in loaded.test.radio if radio.label == "How will these files be published?"
    )
    mode.set_value("one")
    loaded.run()
    assert list(loaded.state.releases()) == ["release + second"]
    assert "Assumed." not in loaded.texts


def test_both_demo_releases_can_be_compared(app):
    app.widget("radio", "demo_share").set_value((0.05, 0.2, 0.8))
    app.click("Use demo data")
    assert list(app.state.releases()) == [
        "fair 5% swapped", "fair 20% swapped", "fair 80% swapped",
    ]  # fmt: skip


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\x00\x00", b" \n", b"%PDF-1.7"])
def test_other_options_are_not_offered_where_they_cannot_help(app, data):
    app.upload("original", ("holiday.csv", data))
    assert app.test.error
    assert "Read again" not in app.buttons


def test_an_original_that_could_be_read_replaces_those_that_could_not(app, people):
    for name in ("one.csv", "two.csv"):
        app.upload("original", (name, b""))
    app.upload("release", ("three.csv", b""))
    assert len(app.test.error) == 3
    app.upload("original", ("people.csv", csv(people(100))))
    assert ["three" in error.value for error in app.test.error] == [True]


def test_a_failed_file_can_be_read_with_other_options(app, people):
    latin = people(100).to_csv(index=False, sep=";").encode("iso-8859-1")
    app.upload("original", ("latin.csv", latin))
    encoding = next(box for box in app.test.selectbox if box.label == "Encoding")
    encoding.set_value("iso-8859-1")
    app.click("Read again")
    assert app.state.original.options.encoding == "iso-8859-1"
    assert "Köln" in set(app.state.original_table().frame["city"])


def test_tables_of_a_workbook_are_chosen_by_name(app, people):
    frame, file = people(100), io.BytesIO()
    sheets = {"people": frame, "v1 (new)": frame.tail(90), "v2": frame.head(90)}
    with pd.ExcelWriter(file) as book:
        for name, rows in sheets.items():
            rows.to_excel(book, sheet_name=name, index=False)
    upload = ("survey.xlsx", file.getvalue())
    app.upload("original", upload)
    assert not app.test.error
    app.choose("multiselect", "tables_original_survey.xlsx", ["people"])
    app.click("Read")
    app.upload("release", upload)
    app.choose("multiselect", "tables_release_survey.xlsx", ["v1 (new)", "v2"])
    app.click("Read")
    assert not app.state.failed
    assert list(app.state.releases()) == ["v1 (new)", "v2"]
    tables = [app.state.original_table(), *(file.table for file in app.state.release)]
    assert [len(table) for table in tables] == [100, 90, 90]
    assert len({table.fingerprint for table in tables}) == 3
    app.upload("release", upload)
    app.choose("multiselect", "tables_release_survey.xlsx", ["v2"])
    app.click("Read")
    assert list(app.state.releases()) == ["v1 (new)", "v2"], "read again, not once more"


def test_a_release_that_goes_takes_with_it_what_was_said_of_it(loaded, people):
    loaded.upload("release", ("second.tab", people(80).to_csv(index=False, sep="\t").encode()))
    loaded.state.release_kinds = {"second": "groups", "release": "rows"}
    loaded.state.campaign_message, loaded.state.campaign_failed = "Too little memory.", True
    remove_file(loaded.state, "release", "second")
    assert loaded.state.release_kinds == {"release": "rows"}
    assert (loaded.state.campaign_message, loaded.state.campaign_failed) == ("", False)


def test_a_file_is_read_again_only_where_its_format_has_a_choice(app, people):
    file = io.BytesIO()
    people(100).to_parquet(file)
    app.upload("original", ("people.parquet", file.getvalue()))
    assert app.state.original is not None
    assert "Read again" not in app.buttons
    app.upload("original", ("people.csv", csv(people(100))))
    assert "Read again" in app.buttons


def test_the_facts_of_each_file_are_chips(loaded):
    assert "rows</span>" in loaded.html
    assert "original rows" in loaded.html


def test_an_original_of_other_people_is_asked_for(app, people):
    strangers = csv(people(800, seed=5).assign(hours=range(1000, 1800)))
    app.load(("people.csv", csv(people(800).assign(hours=range(800)))), ("b.csv", strangers))
    app.click("Yes, it is")
    assert "Yes, it is" not in app.buttons
    assert app.state.answers.accepted
    app.click(next(each for each in app.buttons if each.startswith("Withdraw")))
    assert not app.state.answers.accepted
    assert "Yes, it is" in app.buttons


def test_questions_have_their_answer_beside(app, people):
    frame = people(800)
    app.upload("original", ("people.csv", csv(frame)))
    renamed = frame.assign(job=frame["job"].map(lambda job: f"code {job}"))
    app.upload("release", ("release.csv", csv(renamed)))
    assert "Were they renamed?" in app.texts
    assert "What to do:" in app.texts
    (label,) = (each for each in app.buttons if each.startswith("This is intended"))
    app.click(label)
    assert len(app.state.answers.accepted) == 1


def test_texts_that_return_are_asked_about_and_saved_on_request(app, monkeypatch):
    own, others = notes(400, 1), notes(400, 2)
    app.upload("original", ("people.csv", csv(table(own, 1).frame)))
    app.upload("release", ("twin.csv", csv(table(others, 2).frame)))
    assert not [each for each in app.downloads if each.startswith("Save what returns")]
    leak = table(replaying(own, others, 0.3, 3), 4).frame
    app.upload("release", ("leak.csv", csv(leak)))
    assert "Texts repeat what only one person has" in app.texts
    assert "texts of 1" in app.html
    (label,) = (each for each in app.downloads if each.startswith("Save what returns"))
    assert "leak" in label
    saved = []
    monkeypatch.setattr(noticed, "draw_download", lambda *given, **_: saved.append(given))
    app.run()
    found = pd.read_csv(io.StringIO(saved[0][1]()))
    assert {*found["release"]} == {"leak"}
    assert {"number", "name and number"} <= {*found["kind"]}
    shown = app.texts + app.html
    assert not any(str(piece) in shown for piece in found["piece"])


def test_questions_whose_names_run_together_are_asked_apart(loaded, monkeypatch):
    findings = tuple(
        Finding.of(Severity.QUESTION, "recoded-integers", table, column, case=case, sign="plus")
        for table, column, case in (("a", "b c", "shifted"), ("a b", "c", "exchanged"))
    )
    monkeypatch.setattr(AppState, "findings", lambda state: findings)
    loaded.go_to("data")
    first, _ = (b for b in loaded.test.button if b.label.startswith("This is intended"))
    first.click()
    loaded.run()
    assert loaded.state.answers.accepted == {("recoded-integers", "a", "b c")}


def test_removing_one_file(loaded):
    next(b for b in loaded.test.button if b.key == "remove_release_release").click()
    loaded.run()
    assert loaded.state.release == ()
    assert loaded.state.original is not None


def test_the_address_holds_the_token_of_the_session(app):
    app.run_framed()
    (token,) = app.test.query_params.values()
    assert token == app.test.session_state["alc_token"]
    other = AppTest.from_file(str(site_directory() / "app.py"), default_timeout=TIMEOUT)
    other.query_params["session"] = token
    other.run()
    assert other.session_state["alc_state"] is not app.state, "its cookie is not the same"
    assert other.session_state["alc_token"] != token


def test_remove_all_data(app):
    use_demo(app.state, "fair", "20% swapped")
    before = app.state.uploads["release"]
    app.run_framed()
    app.click("Yes, remove all")
    assert not app.state.ready
    assert app.state.choices.one.unknown is None
    assert app.state.uploads["release"] > before
    assert app.title == START_TITLE


class TestPeopleWithoutAValue:
    @pytest.fixture
    def gaps(self, app, people):
        frame = people(800)
        frame.loc[:79, "job"] = "?"
        frame.loc[:9, "city"] = None
        app.load(("people.csv", csv(frame)), ("release.csv", csv(frame)))
        return app

    def test_what_is_recognised_is_shown_with_its_share(self, gaps):
        labels = [expander.label.replace("\\", "") for expander in gaps.test.expander]
        assert "Missing values: in 2 columns (city, job)" in labels
        assert "'?' (80), 10% of the rows" in gaps.texts
        assert "Only empty cells: city: empty cells (10), 1.2% of the rows." in gaps.texts
        assert gaps.widget("multiselect", "no_value_0_job").value == ["?"]

    def test_it_can_be_changed_and_is_remembered(self, gaps):
        gaps.choose("multiselect", "no_value_0_job", ["?", "smith"])
        assert gaps.state.choices.settings.targets.missing == {"job": ("?", "smith")}
        gaps.go_to("attack")
        gaps.go_to("data")
        assert gaps.widget("multiselect", "no_value_0_job").value == ["?", "smith"]
        gaps.choose("multiselect", "no_value_0_job", [])
        assert "Nobody is excluded." in gaps.texts

    def test_another_column_can_be_added(self, gaps):
        gaps.choose("selectbox", "no_value_column", "city")
        gaps.choose("multiselect", "no_value_0_city", ["Ulm"])
        assert gaps.state.choices.settings.targets.missing == {"city": ("Ulm",)}
        assert "'Ulm' (" in gaps.texts

    def test_what_another_column_decides_is_taken_by_a_click(self, app, people):
        frame = people(800)
        frame["job"] = frame["job"].mask(frame["age"] < 30, "pupil")
        app.load(("people.csv", csv(frame)), ("release.csv", csv(frame)))
        assert "all people with age below 30, and nobody else" in app.texts
        app.click("Missing in job")
        assert app.state.choices.settings.targets.missing == {"job": ("pupil",)}
        assert "all people with age below 30" not in app.texts

    def test_where_they_are_attacked_too_the_page_says_so(self, gaps):
        gaps.state.choose(include_missing=True)
        gaps.run()
        assert "Missing values, also attacked" in gaps.texts


class TestRoles:
    @pytest.fixture
    def weighted(self, app, people):
        """An app with a table that has a survey weight and a number of the record."""
        frame = people(800).assign(PWGTP=[n % 90 + 1 for n in range(800)], record_id=range(800))
        app.load(("people.csv", csv(frame)), ("release.csv", csv(frame)))
        return app

    def edit(self, app, column, what, value):
        """Change a cell, as the table of columns reports it."""
        take_edit(app.state, column, what, value)
        app.run()

    def shown(self, app):
        return {row["column"]: row["role"] for row in column_rows(app.state)}

    def test_roles_are_suggested_with_what_follows(self, weighted):
        assert self.shown(weighted) == {
            "age": "both", "city": "both", "hours": "both", "job": "both",
            "PWGTP": "survey weight", "record_id": "identifier",
        }  # fmt: skip
        assert "4 known and protected" in weighted.texts
        assert "survey weight: PWGTP; left out: record_id" in weighted.texts
        assert plan_preview(weighted.state).plan.unknown == ("age", "city", "hours", "job")

    def test_one_click_changes_a_role_and_the_plan(self, weighted):
        self.edit(weighted, "age", "role", "may be known")
        assert self.shown(weighted)["age"] == "may be known"
        assert plan_preview(weighted.state).plan.unknown == ("city", "hours", "job")
        self.edit(weighted, "job", "role", "survey weight")
        used = {c for s in plan_preview(weighted.state).plan.scenarios for c in s.columns}
        assert used == {"age", "city", "hours"}
        weighted.click("Continue")
        attackable = weighted.widget("multiselect", "plan_unknown").options
        assert attackable == ["city", "hours"]
        weighted.go_to("data")
        assert self.shown(weighted)["age"] == "may be known"

    def test_a_fact_has_a_kind_that_is_compared(self, weighted):
        self.edit(weighted, "record_id", "role", "both")
        assert weighted.state.original_table().kind("record_id") is ColumnKind.CONTINUOUS
        assert self.shown(weighted)["record_id"] == "both"
        self.edit(weighted, "record_id", "kind", "identifier")
        assert weighted.state.choices.settings.roles == {}, "the kind was chosen last"
        assert self.shown(weighted)["record_id"] == "identifier"

    def test_whoever_names_people_is_no_fact_about_them(self, weighted):
        weighted.state.choose(person="city")
        self.edit(weighted, "city", "role", "both")
        assert self.shown(weighted)["city"] == "identifier"

    def test_without_anything_to_protect_the_page_says_so(self, weighted):
        for column in ("age", "city", "hours", "job"):
            self.edit(weighted, column, "role", "may be known")
        assert "no column of 'people' is to be protected" in weighted.texts
        assert "Continue" not in weighted.buttons
        assert weighted.state.data_problem
        weighted.run_framed()
        assert "See the columns" in weighted.texts
        weighted.go_to("data")
        self.edit(weighted, "age", "role", "both")
        assert "Continue" in weighted.buttons


def test_suspected_households_are_taken_with_one_click(app):
    people = survey(households=300)
    app.load(("people.csv", csv(people)), ("out.csv", csv(people.sample(frac=0.5, random_state=1))))
    assert ", like households." in app.texts
    app.choose("toggle", "as_households", True)
    assert set(app.state.choices.settings.household) == {*DWELLING}
    assert ", like households." not in app.texts
    app.click("Continue")
    assert app.widget("selectbox", "plan_household").value == app.state.choices.settings.household
    assert app.state.campaign_inputs().settings.household == app.state.choices.settings.household


def test_where_nobody_lives_together_nothing_is_offered(loaded):
    assert not [toggle for toggle in loaded.test.toggle if toggle.key == "as_households"]


class TestNames:
    @pytest.fixture
    def coded(self, app, people):
        frame = people(800).rename(columns={"job": "OCCP", "age": "AGEP"})
        app.load(("people.csv", csv(frame)), ("release.csv", csv(frame.sample(frac=0.9))))
        return app

    def test_a_column_is_renamed_everywhere(self, coded):
        take_edit(coded.state, "OCCP", "role", "survey weight")
        take_edit(coded.state, "OCCP", "name", "what they do")
        coded.run()
        (table,) = coded.state.release_tables()
        assert "what they do" in coded.state.original_table().columns
        assert "what they do" in table.columns
        row = next(row for row in column_rows(coded.state) if row["code"] == "OCCP")
        assert (row["name"], row["role"]) == ("what they do", "survey weight")
        take_edit(coded.state, "OCCP", "name", "")
        assert "OCCP" in coded.state.original_table().columns

    def test_a_codebook_names_columns_and_values(self, coded):
        text = "column,code,label\nOCCP,,occupation\nOCCP,smith,Blacksmith\n"
        said = take_codebook(coded.state, "codes.csv", text.encode())
        assert "Names of 1 column" in said
        coded.run()
        assert "Blacksmith" in set(coded.state.original_table().frame["occupation"].astype(str))
        (table,) = coded.state.release_tables()
        assert "Blacksmith" in set(table.frame["occupation"].astype(str))
        with pytest.raises(InputError, match="No column of 'other.csv' is in the original"):
            take_codebook(coded.state, "other.csv", b"column,label\nx,y\n")

    def test_a_release_is_renamed(self, coded):
        coded.choose("text_input", "name_of_release", "Candidate A")
        assert list(coded.state.releases()) == ["Candidate A"]

    def test_a_name_that_another_release_has_is_not_taken(self, coded, people):
        coded.upload("release", ("other.csv", csv(people(200, seed=5))))
        coded.choose("text_input", "name_of_release", "other")
        assert coded.widget("text_input", "name_of_release").value == "release"
        (toast,) = coded.test.toast
        assert toast.value.startswith("There is already a release 'other'")


class TestRowsAroundATable:
    @pytest.fixture
    def with_units(self, app, people):
        header, _, rest = csv(people(600)).partition(b"\n")
        cells = b",".join(b"years" if name == b"age" else b"" for name in header.split(b","))
        app.load(("people.csv", csv(people(500))), ("b.csv", b"\n".join((header, cells, rest))))
        return app

    def asks(self, app):
        return "rows-left-out" in {finding.code for finding in app.state.findings()}

    def test_one_click_leaves_them_out(self, with_units):
        assert self.asks(with_units)
        button = next(b for b in with_units.test.button if b.label.startswith("Leave them out"))
        button.click()
        with_units.run()
        assert not self.asks(with_units)
        assert with_units.state.release[0].options.skip_rows == "2"

    def test_they_are_chosen_among_the_rows_of_the_file(self, with_units):
        with_units.choose("toggle", "rows_of_release_b.csv", True)
        shown = [frame.value.to_numpy() for frame in with_units.test.dataframe]
        assert any((rows == "years").any() for rows in shown)
        boxes = [box for box in with_units.test.text_input if box.label == "Rows to exclude"]
        boxes[-1].set_value("none")
        next(b for b in with_units.test.button[::-1] if b.label == "Read again").click()
        with_units.run()
        assert with_units.state.release[0].options.skip_rows == "none"
        assert len(with_units.state.release[0].table) == 601
