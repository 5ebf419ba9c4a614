"""A toy attack, release, measure and study, one module and one line each, appear everywhere."""

import csv
import html
import json
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import alc_core as alc
from alc_core.assessment.run import assess_attacks
from alc_core.attacks import registry as attacks
from alc_core.baselines.families import NaiveBayes
from alc_core.campaign.findings.findings_table import measure_columns
from alc_core.cli import cli
from alc_core.compare.comparison import compare_releases
from alc_core.dashboard.data.files import types_help
from alc_core.dashboard.state.files import MadeReleases, recognised_in
from alc_core.errors import InputError, ParameterError
from alc_core.figures.attacks import loss_scatter, measure_scatter
from alc_core.figures.template import alt_of
from alc_core.measures import registry as measures
from alc_core.releases import registry as releases
from alc_core.report.html.document import report_html
from alc_core.report.options import ReportOptions
from alc_core.report.sections import Depth
from alc_core.report.text import summary_text
from alc_core.spreadsheet import csv_text
from alc_core.studies import registry as studies
from tests.conftest import make_people
from tests.toys.campaigns import run_quickly
from tests.toys.toy_attack import TOY_LOOKUP
from tests.toys.toy_measure import ToyHits
from tests.toys.toy_release import COUNT, ToyCells
from tests.toys.toy_study import Rows, ToyRows

KNOWN = ["age", "city"]
SCENARIO = alc.Scenario(KNOWN, "job", targets=400)


@pytest.fixture(scope="module", autouse=True)
def _registered():
    kept = [
        (each, dict(each))
        for each in (attacks._TYPES, releases._TYPES, measures._MEASURES, studies._STUDIES)
    ]
    alc.register_release(ToyCells)
    alc.register_attack(TOY_LOOKUP)
    alc.register_measure(ToyHits())
    studies.register_study(ToyRows())
    yield
    for registered, before in kept:
        registered.clear()
        registered.update(before)


def cells(frame):
    return frame.value_counts(["age", "city", "job"]).rename(COUNT).reset_index()


@pytest.fixture(scope="module")
def frame():
    frame = make_people(700).drop(columns="hours")
    return frame.assign(age=(frame["age"] // 10 * 10).astype(str))


@pytest.fixture(scope="module")
def original(frame):
    return alc.table_from_frame(frame, name="people.csv")


@pytest.fixture(scope="module")
def published(frame, original):
    table = alc.table_from_frame(cells(frame), name="cells.csv")
    return {
        "rows": alc.swap_columns(frame, 0.2, seed=1),
        "cells": ToyCells.of_tables([table], name="cells", original=original),
    }


@pytest.fixture(scope="module")
def plan(original, published):
    return alc.plan_campaign(
        original, published, unknown=["job"], named=[KNOWN], known_sets=0, all_others=False,
        attacks=["best row match", "toy lookup", "toy lookup: smoothing=0"],
        targets=alc.Targets(count=400),
    )  # fmt: skip


@pytest.fixture(scope="module")
def view(original, published, plan, tmp_path_factory):
    path = tmp_path_factory.mktemp("toys") / "toys.alc"
    with alc.run_campaign(
        original, published, path, plan=plan, families=(NaiveBayes(),), jobs=1
    ) as store:
        assert not store.failures()
        yield alc.CampaignView(store)


def test_help_names_them():
    shown = CliRunner().invoke(cli, ["assess", "--help-all"], terminal_width=1000).output
    assert "toy lookup" in shown
    assert "toy-cells (toy cells with counts)" in shown
    plan_help = CliRunner().invoke(cli, ["plan", "--help-all"], terminal_width=1000).output
    assert "toy lookup" in plan_help
    listed = CliRunner().invoke(cli, ["attacks"]).output
    assert "Looks the person up in the cells" in listed
    assert "smoothing=1.0: People added to every cell." in listed


def test_the_release_is_recognised_read_and_described(original, published):
    (table,) = published["cells"].tables
    files = MadeReleases.of(original, [table], recognised_in(original, [table]), None, {})
    (parts,) = files.parts
    assert (parts.kind, parts.problem) == ("toy-cells", "")
    assert parts.recognised.reason == "'cells.csv' is full of toys."
    assert files.releases["cells.csv"].described() == (f"{len(table)} toy cells.",)
    assert "**Toy cells with counts**: How many people are in each toy cell" in types_help()


def test_a_plan_runs_each_attack_where_it_can_and_says_where_not(plan):
    assert {(planned.release, planned.attack) for planned in plan.attacks} == {
        ("rows", "best row match"),
        ("cells", "toy lookup"),
        ("cells", "toy lookup: smoothing=0"),
    }
    assert (
        "Not run on 'cells': best row match (needs rows of people or groups of people with "
        "shuffled values or published counts; this release is toy cells with counts)." in plan.notes
    )
    assert (
        "Not run on 'rows': toy lookup (needs toy cells with counts; this release is rows of "
        "people)." in plan.notes
    )


def test_attacks_that_cannot_read_a_release_are_refused_before_anything_runs(
    original, published, plan, tmp_path
):
    with pytest.raises(InputError, match="Attack 'toy lookup' needs toy cells with counts; this"):
        alc.assess(original, published["rows"], SCENARIO, attack="toy lookup")
    with pytest.raises(InputError, match="Not run on 'rows': toy lookup"):
        alc.plan_campaign(original, {"rows": published["rows"]}, attacks=["toy lookup"])
    with pytest.raises(InputError, match="'best row match' cannot run on release 'rows'"):
        alc.run_campaign(
            original, {"cells": published["cells"].renamed("rows"), "rows": published["cells"]},
            tmp_path / "c.alc", plan=plan,
        )  # fmt: skip
    assert not (tmp_path / "c.alc").exists()


def test_the_attack_gives_what_its_definition_says(frame, original, published):
    result = alc.assess(
        original, published["cells"], SCENARIO, attack="toy lookup: smoothing=0",
        families=(NaiveBayes(),),
    )  # fmt: skip
    modal = frame.groupby(KNOWN)["job"].agg(lambda jobs: jobs.value_counts().iloc[0]).sum()
    everyone = alc.assess(
        original, published["cells"],
        alc.Scenario(KNOWN, "job", targets="all", down_sample=False),
        attack="toy lookup: smoothing=0", families=(NaiveBayes(),),
    )  # fmt: skip
    assert everyone.measured["toy hits"]["share"].value == pytest.approx(modal / len(frame))
    assert result.attack_name == "toy lookup: smoothing=0"
    back = alc.Assessment.from_json(result.to_json())
    assert back.measured == result.measured
    assert set(result.measured) == {"toy hits", "rapid", "no recall"}
    assert result.measured["toy hits"]["belief"].low is None


def test_attacks_that_share_a_baseline_give_what_each_gives_alone(original, published):
    given = (original, published["cells"], SCENARIO)
    names, families = ("toy lookup", "toy lookup: smoothing=0"), (NaiveBayes(),)
    together = assess_attacks(*given, names, families=families, seed=4)
    for name, result in zip(names, together, strict=True):
        alone = alc.assess(*given, attack=name, families=families, seed=4)
        assert result.to_json() == alone.to_json()


def test_parameters_are_checked_by_name_and_bounds():
    with pytest.raises(ParameterError, match="'toy lookup' has no parameter 'rounds'. Its param"):
        alc.make_attack("toy lookup: rounds=3")
    with pytest.raises(ParameterError, match="smoothing must be at least 0, not -1"):
        alc.make_attack("toy lookup: smoothing=-1")
    assert alc.make_attack("toy lookup: smoothing = 1").name == "toy lookup"


def test_the_findings_table_and_csv_tell_them_apart(view):
    frame = view.frame(view.settings.scoring)
    assert set(frame["attack"]) == {"best row match", "toy lookup", "toy lookup: smoothing=0"}
    kinds = frame.set_index("release")["release_type"].to_dict()
    assert kinds == {"rows": "rows", "cells": "toy-cells"}
    for column in ("toy_hits_share", "toy_hits_share_low", "toy_hits_share_high"):
        assert frame[column].between(0, 1).all()
    beliefs = frame.set_index("attack")["toy_hits_belief"]
    assert np.isnan(beliefs["best row match"])
    assert beliefs["toy lookup"] > 0
    rows = list(csv.DictReader(csv_text(frame).splitlines()))
    assert {row["attack"] for row in rows} == set(frame["attack"])
    assert float(rows[0]["toy_hits_share"]) == frame["toy_hits_share"].iloc[0]


def test_a_comparison_says_which_attack_a_row_is(view):
    comparison = compare_releases(view, view.settings.scoring)
    assert comparison.several_attacks
    assert sorted(comparison.attack) == [
        "best row match", "toy lookup", "toy lookup: smoothing=0"
    ]  # fmt: skip


def test_figures_tell_attacks_apart_and_show_the_measure(view):
    overview = view.overview(view.settings.scoring)
    drawn = loss_scatter(overview.results, overview.scoring).to_json()
    assert "toy lookup: smoothing=0" in drawn
    column = next(c for c in measure_columns(overview.results) if c.name == "toy_hits_share")
    assert column.leading
    figure = measure_scatter(overview.results, overview.scoring, column=column)
    shares = sorted(x for trace in figure.data for x in trace.x)
    assert shares == sorted(overview.results["toy_hits_share"])
    alt = alt_of(measure_scatter(overview.results, overview.scoring, column=column))
    assert alt.startswith("Toy hit share and ALC of 3 attacks")


def test_the_report_names_them_all(view):
    options = ReportOptions(scoring=view.settings.scoring, depth=Depth.FULL)
    text = html.unescape(report_html(view, options))
    for words in (
        "toy lookup: smoothing=0", "The toy hits job in", "Toy hit share", "Nobody (2026)",
        ToyHits.method, TOY_LOOKUP.method, "--release-type cells=toy-cells",
    ):  # fmt: skip
        assert words in text, words


def test_the_summary_says_what_the_measure_says(view):
    assert "The toy hits job in" in summary_text(view.assessment(0))


def test_the_command_line_runs_several_attacks(frame, tmp_path):
    frame.to_csv(tmp_path / "people.csv", index=False)
    cells(frame).to_csv(tmp_path / "cells.csv", index=False)
    done = CliRunner().invoke(
        cli,
        [
            "assess", "--quiet", "--original", str(tmp_path / "people.csv"), "--release",
            str(tmp_path / "cells.csv"), "--release-type", "toy-cells", "--attack", "toy lookup",
            "--attack", "toy lookup: smoothing=5", "--known", "age,city", "--unknown", "job",
            "--categorical", "age", "--targets", "400", "--json", "-",
        ],
        catch_exceptions=False,
    )  # fmt: skip
    results = json.loads(done.stdout)["results"]
    assert [r["attack_name"] for r in results] == ["toy lookup", "toy lookup: smoothing=5"]
    assert all("toy hits" in result["measured"] for result in results)


@pytest.fixture
def study_files(frame, tmp_path):
    frame.to_csv(tmp_path / "people.csv", index=False)
    alc.swap_columns(frame, 0.2, seed=1).to_csv(tmp_path / "rows.csv", index=False)
    return [f"--original={tmp_path / 'people.csv'}", f"--release=rows={tmp_path / 'rows.csv'}"]


def test_a_study_has_a_command_with_json(study_files):
    run = CliRunner().invoke
    assert "How many rows has a release?" in run(cli, ["study", "--help"]).stdout
    shown = run(cli, ["study", "toy-rows", "--help-all"], terminal_width=200).stdout
    assert "Fewer are said. [default: 3]" in shown
    command = ["study", "toy-rows", "--quiet", *study_files]
    assert "rows has 700 toy rows." in run(cli, command).stdout
    (found,) = json.loads(run(cli, [*command, "--json", "-"]).stdout)["results"]
    assert found["rows"] == 700
    assert "least must be at least 1, not 0." in str(run(cli, [*command, "--least=0"]).exception)


def test_what_a_study_found_is_kept_in_a_campaign_and_is_in_its_report(frame, tmp_path):
    frame.to_csv(tmp_path / "people.csv", index=False)
    original = alc.read_table(tmp_path / "people.csv")
    path = tmp_path / "c.alc"
    run_quickly(original, {"rows": original}, path, named=[KNOWN], targets=400).close()
    people = str(tmp_path / "people.csv")
    done = CliRunner().invoke(
        cli,
        ["study", "toy-rows", f"--original={people}", f"--release={people}", f"--campaign={path}"],
    )
    assert "rows has 700 toy rows." in done.stdout
    with alc.CampaignStore.open(path) as store:
        assert ToyRows.kept.read(store) == {
            "rows": Rows(release="rows", fingerprint=original.fingerprint, rows=700)
        }
        view = alc.CampaignView(store)
        options = ReportOptions(scoring=view.settings.scoring, depth=Depth.FULL)
        text = report_html(view, options)
    assert "Further studies" in text
    assert "rows has 700 toy rows." in text
    assert re.search(r'data-chart="[^"]*toy-rows"', text)


def test_no_room_asks_which_of_the_built_in_types_a_release_is():
    package = Path(alc.__file__).parent
    asks = re.compile(r"isinstance\([^)]*\b(Microdata|Groups|Counts)\b")
    rooms = [path for path in package.rglob("*.py") if path.parent.name != "releases"]
    assert not [path for path in rooms if asks.search(path.read_text(encoding="utf-8"))]
