"""What commands write as JSON fits the schema they publish, and each column has a meaning."""

import json
from pathlib import Path

import jsonschema
import pytest

import alc_core as alc
from alc_core.campaign.findings import findings_table
from alc_core.campaign.findings.findings_table import columns_legend
from alc_core.cli.schema import _NAMES
from alc_core.report.json_shapes import SHAPES, schema
from tests.conftest import make_people
from tests.toys.toy_measure import ToyHits
from tests.unit.cli.conftest import ended

KEPT = Path(__file__).parents[1] / "data" / "json"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("json")
    frame = make_people(600)
    frame.to_csv(folder / "original.csv", index=False)
    alc.swap_columns(frame, 0.3, seed=1).to_csv(folder / "release.csv", index=False)
    assert ended(
        "campaign", *tables(folder), "--out", folder / "c.alc", "--unknown", "job", "--known",
        "age,city", "--known-sets", 0, "--no-all-others", "--targets", 300, "--jobs", 1, "--quiet",
    ) == 0  # fmt: skip
    return folder


def tables(folder):
    return "--original", folder / "original.csv", "--release", folder / "release.csv"


def commands(folder):
    asked = ("--known", "age,city", "--unknown", "job")
    return {
        "assess": ("assess", *tables(folder), *asked, "--targets", 300),
        "attacks": ("attacks",),
        "check": ("check", *tables(folder)),
        "compare": ("compare", folder / "c.alc", folder / "c.alc"),
        "findings": ("findings", folder / "c.alc"),
        "gate": ("gate", folder / "c.alc"),
        "plan": ("plan", *tables(folder)),
        "study": ("risk", *tables(folder), "--known", "age,city"),
    }


def written(folder, name, out):
    ended(*commands(folder)[name], "--json", out)
    return json.loads(out.read_text())


@pytest.mark.parametrize("name", SHAPES)
def test_what_a_command_writes_fits_its_schema(files, name, tmp_path):
    found, shape = written(files, name, tmp_path / "out.json"), schema(name)
    validator = jsonschema.Draft202012Validator(shape)
    validator.validate(found)
    assert found["format"] == f"alc-{name}/1"
    assert validator.is_valid({**found, "format": "other"}) is False
    own = shape["$defs"][shape["$ref"].rpartition("/")[2]]
    assert found.keys() == own["properties"].keys()


def test_an_assessment_has_no_key_that_the_schema_lacks(files, tmp_path):
    (found,) = written(files, "assess", tmp_path / "out.json")["results"]
    shape = schema("assess")["$defs"]["AssessmentJson"]
    assert set(shape["required"]) <= found.keys() <= shape["properties"].keys()
    again = alc.Assessment.from_json((tmp_path / "out.json").read_text())
    assert found["decisive_alc"] == again.decisive_alc
    assert tuple(found["decisive_interval"]) == again.decisive_interval


@pytest.mark.parametrize("name", SHAPES)
def test_a_file_of_each_version_fits_the_schema_of_today(name):
    """Files kept as they were written; a change that breaks one needs a version of its own."""
    found = json.loads((KEPT / f"{name}_1.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(schema(name)).validate(found)


def test_an_assessment_of_each_version_opens():
    text = (KEPT / "assess_1.json").read_text("utf-8")
    found, told = alc.Assessment.from_json(text), json.loads(text)["results"][0]
    assert found.decisive_alc == pytest.approx(told["decisive_alc"])
    assert str(found.verdict) == told["verdict"]


def test_all_schemas_can_be_asked_for(capsys):
    assert set(_NAMES) == set(SHAPES)
    capsys.readouterr()
    assert ended("schema", "gate") == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(schema("gate")))


def test_no_column_without_an_interval_has_ends_of_one_in_the_legend(monkeypatch):
    toy = ToyHits()
    monkeypatch.setattr(findings_table, "measures", lambda: {toy.name: toy})
    assert {each for each in columns_legend() if each.startswith("toy")} == {
        "toy_hits_share", "toy_hits_share_low", "toy_hits_share_high", "toy_hits_belief",
    }  # fmt: skip


def test_every_column_of_the_findings_table_has_a_meaning(files, capsys):
    with alc.CampaignStore.open(files / "c.alc") as store:
        frame = alc.CampaignView(store).frame(store.settings.scoring)
    capsys.readouterr()
    assert ended("findings", files / "c.alc", "--columns") == 0
    shown = capsys.readouterr().out
    for column in frame.columns:
        assert columns_legend()[column]
        assert column in shown
