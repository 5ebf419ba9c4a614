"""The file for CNIL's PIA tool: of the shape that its importer reads."""

import dataclasses
import html
import json
import re
from types import SimpleNamespace

import pytest

import alc_core as alc
from alc_core.campaign.file.annotations import keep_names
from alc_core.candidates.decision import ReleaseChoice, decide_release
from alc_core.candidates.line import TracedRows
from alc_core.candidates.lines import candidate_lines
from alc_core.measures.measure import Measured
from alc_core.note import COPIED, Note
from alc_core.report import standards as standards_module
from alc_core.report.dpia import _QUESTIONS, dpia_json, dpia_text
from alc_core.report.options import ReportDetails
from alc_core.report.standards import standards
from alc_core.studies.risk_numbers.result import (
    KEPT_RISK_NUMBERS,
    RiskSettings,
    measure_risk_numbers,
)
from alc_core.tables.checks.facts import Fact, FactKind, FileFacts
from alc_core.tables.names import Names
from tests.toys.campaigns import run_quickly

NASTY = "<script>alert('x')</script> & \"q\""

SHAPE = {
    "pia": {
        "id": int, "status": int, "is_example": int, "is_archive": int, "progress": int,
        "name": str, "category": str, "author_name": str, "evaluator_name": str,
        "validator_name": str, "structure_id": str, "created_at": str, "updated_at": str,
    },
    "answers": [{
        "id": int, "pia_id": int, "reference_to": int, "created_at": str,
        "data": {"text": (str, type(None)), "gauge": (int, type(None)), "list": [str]},
    }],
    "measures": [{
        "id": int, "pia_id": int, "title": str, "content": str, "placeholder": str,
        "created_at": str,
    }],
    "evaluations": [{}],
    "comments": [{}],
}  # fmt: skip
"""As exportData writes and importData reads it (src/app/services/pia.service.ts of LINCnil/pia)."""

TEXTS, LISTS = {111, 112, 113, 121, 122, 211, 325, 326}, {321, 322, 323, 324}
"""Questions of pia_architecture.json by the type of their answers, as far as they are answered."""


def check(value, shape):
    if isinstance(shape, dict):
        assert value.keys() == shape.keys()
        for name, each in shape.items():
            check(value[name], each)
    elif isinstance(shape, list):
        assert isinstance(value, list)
        for each in value:
            check(each, shape[0])
    else:
        assert isinstance(value, shape)


@pytest.fixture
def view(made_up):
    return made_up([0.95, 0.3], releases=("weak.csv", f"r {NASTY}"))


def exported(view, **details):
    found = json.loads(
        dpia_json(view, view.settings.scoring, ReportDetails(date="2026-01-31", **details))
    )
    check(found, SHAPE)
    return found


def answers(found):
    return {each["reference_to"]: each["data"] for each in found["answers"]}


def test_it_has_the_shape_that_the_tool_imports(view):
    found = exported(view)
    assert found["pia"]["created_at"] == "2026-01-31T00:00:00.000Z"
    data = answers(found)
    assert data[112]["text"] == "<p>Decided by: to be named, on 2026-01-31.</p>"
    assert data.keys() == TEXTS | LISTS
    assert all(data[number]["text"] and not data[number]["list"] for number in TEXTS)
    assert all(data[number]["list"] and not data[number]["text"] for number in LISTS)
    titles = [measure["title"] for measure in found["measures"]]
    assert data[324]["list"] == titles
    assert len(titles) == 2


def test_columns_have_names_for_people_with_their_codes(view):
    code = next(iter(view.settings.kinds))
    keep_names(view.store, Names(columns={"PINCP": code}))
    assert f"{code} (PINCP)" in answers(exported(view))[121]["text"]


def test_how_severe_and_likely_a_risk_is_stays_for_people_to_say(view):
    assert all(each["gauge"] is None for each in answers(exported(view)).values())


def test_it_says_what_was_declared_measured_and_decided(view):
    scoring = view.settings.scoring
    first = candidate_lines(view, scoring, {})[0]
    decide_release(
        view.store, first, ReleaseChoice.CONDITIONS, scoring=scoring, conditions="Under contract",
        reasons="It is needed.",
    )  # fmt: skip
    found = exported(
        view, assessor="B. Officer", purpose="Open data", description="Swapped", assumptions="None"
    )
    data = answers(found)
    assert "Open data" in data[111]["text"]
    assert data[122]["text"] == "<p>Swapped</p>"
    assert "Declared: None" in data[323]["list"]
    assert found["pia"]["author_name"] == "B. Officer"
    told = [each["content"] for each in found["measures"] if first.release in each["title"]]
    assert all(text in told[0] for text in ("Under contract", "It is needed."))


def test_rich_texts_run_nothing(view):
    found = exported(view, purpose=NASTY)
    assert "<script" not in "".join(each["text"] or "" for each in answers(found).values())
    assert "<script" not in "".join(each["content"] for each in found["measures"])
    assert NASTY in found["pia"]["name"]


def test_the_text_says_the_sentences_of_the_file_and_no_others(view):
    scoring, details = (
        view.settings.scoring,
        ReportDetails(date="2026-01-31", purpose=f"One\n\nTwo {NASTY}"),
    )
    found = json.loads(dpia_json(view, scoring, details))
    rich = [each["data"]["text"] or "" for each in found["answers"]]
    rich += [each["content"] for each in found["measures"]]
    told = [html.unescape(part) for text in rich for part in re.findall("<p>(.*?)</p>", text)]
    told += [line for each in found["answers"] for line in each["data"]["list"]]
    lines = [line for line in dpia_text(view, scoring, details).splitlines() if line]
    titles = {*_QUESTIONS.values(), found["pia"]["name"]}
    assert {*lines} - titles == {*told}
    assert "Two " + NASTY in lines, "what people wrote in two lines stays in two"
    assert lines[0] == found["pia"]["name"]


def test_a_question_that_nothing_answers_is_left_out_of_the_text(made_up):
    calm = made_up([0.0])
    text = dpia_text(calm, calm.settings.scoring, ReportDetails())
    assert _QUESTIONS["322"] not in text
    assert _QUESTIONS["323"] in text


def test_the_texts_of_law_are_dated_and_say_what_was_not_measured(view):
    found = standards(view, view.settings.scoring, ReportDetails())
    assert len(found) == 7
    assert all(any(year in each["dated"] for year in ("2014", "2016", "2025")) for each in found)
    (recipient,) = [each for each in found if "C-413/23 P" in each["dated"]]
    assert "the recipient can identify" in recipient["asks"]
    assert "4 September 2025" in recipient["dated"]
    assert all(each["measured"] and each["missing"] for each in found)
    asked = [each for each in found if "“Risk numbers”" in each["missing"]]
    assert [each["title"][:5] for each in asked] == ["WP216", "EMA p"]
    assert asked[1]["measured"] == ["Risk numbers were not run."]


def test_the_limit_for_identity_is_shown_where_risk_numbers_were_measured(people, tmp_path):
    frame = people(900)
    with run_quickly(frame, {"copy": frame.copy()}, tmp_path / "c.alc") as store:
        original = alc.table_from_frame(frame, name=store.settings.original.name)
        release = alc.Microdata(tables=(original,), name="copy")
        (found,) = measure_risk_numbers(original, release, RiskSettings(known=("age", "city")))
        KEPT_RISK_NUMBERS.keep(store, found)
        view = alc.CampaignView(store)
        *_, limit = standards(view, view.settings.scoring, ReportDetails())
        assert "of the rows exceed a risk of 0.09" in limit["measured"][0]
        assert limit["missing"].startswith("This limit does not apply to ALC")


def facts_of(**counted):
    kinds = {"copied": FactKind.COPIED_NUMBERS, "rows": FactKind.ROWS}
    found = [
        Fact(kind=kinds[name], count=number, of=900, expected=9.0, columns=("income",))
        for name, number in counted.items()
    ]
    return (FileFacts(table="t.csv", facts=tuple(found)),)


COUNTED = (("rows", 54), ("share", 0.06), ("expected", 0.0))


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ({"traced": Measured(0.9999, 0.9998, 1.0)}, "rows traced of over 99.9% of people"),
        ({"copied": Note(text="", code=COPIED, table="t", numbers=COUNTED)}, "54 rows (6%) of"),
        ({"facts": facts_of(copied=450)}, "unique numbers: 450 of 900, against 9 by chance."),
        ({"facts": facts_of(rows=900)}, ""),
        ({}, ""),
    ],
)
def test_rows_without_classes_are_said_to_be_no_persons_where_none_are_found(
    view, monkeypatch, known, said
):
    line = candidate_lines(view, view.settings.scoring, {})[0]
    clean = dataclasses.replace(line, linked=False, copied=None, traced=None, facts=())
    if "traced" in known:
        share = known["traced"]
        known = {"traced": TracedRows(share=share, known=("a",), absent=(), number=1, rows=900)}
    lines = [dataclasses.replace(clean, **known)]
    monkeypatch.setattr(standards_module, "candidate_lines", lambda *_: lines)
    kept = SimpleNamespace(release=line.release, label=line.release, released=None)
    read = SimpleNamespace(read=lambda _: {"": kept})
    monkeypatch.setattr(standards_module, "KEPT_RISK_NUMBERS", read)
    found = {
        each["title"]: each["measured"]
        for each in standards(view, view.settings.scoring, ReportDetails())
    }
    alone, linked, limit = (
        " ".join(found[next(title for title in found if words in title)])
        for words in ("singling out", "linkability", "EMA")
    )
    assert ("changed or synthetic" in alone) == ("changed or synthetic" in limit) == (not said)
    assert ("The check found no link" in linked) == (not said)
    assert all(said in each for each in (alone, linked, limit))


def test_measures_are_not_called_anonymised(view):
    titles = [each["title"] for each in exported(view)["measures"]]
    assert titles
    assert not any("nonymised" in title for title in titles)
