"""An ALC far below 0 is said as such; files keep the number."""

import dataclasses
import json
from xml.etree import ElementTree as ET

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from msgspec import structs

import alc_core as alc
from alc_core.baselines.families import NaiveBayes
from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.lines import candidate_lines
from alc_core.phrasing import alc_number
from alc_core.present.renderers import WIDTH, terminal_text
from alc_core.report.text import summary_text
from alc_core.review.attack_words import stopping_sentences, verdict_explanation, verdict_title
from alc_core.review.campaign import campaign_blocks
from alc_core.review.campaign_words import overview_title, stopped_sentences
from alc_core.review.release_words import learned_sentence, reason_sentence
from tests.toys.campaigns import run_quickly

BELOW = "below \N{MINUS SIGN}1"


@pytest.fixture(scope="module")
def hopeless(people):
    """An attack on nobody's rows, where the guess is nearly sure of a group."""
    original = people(2_000)
    original["job"] = np.where(original["age"] > 40, "clerk", original["job"])
    rng = np.random.default_rng(0)
    release = original.apply(lambda column: rng.permutation(column.to_numpy()))
    scenario = alc.Scenario(["age", "city"], "job", targets=alc.Targets(count=800))
    return alc.assess(original, release, scenario, families=(NaiveBayes(),))


def test_far_below_0_is_no_number(hopeless):
    assert hopeless.alc < -1
    text = " ".join(summary_text(hopeless).split())
    assert f"ALC, everyone: no loss ({BELOW}; 95% interval {BELOW} to" in text
    assert f"{hopeless.alc:.3f}" not in text
    assert f"{hopeless.alc:.2f}" not in text + verdict_explanation(hopeless)
    assert json.loads(hopeless.to_json())["alc"] == hopeless.alc


def test_numbers_above_are_shown():
    assert alc_number(-0.123) == "\N{MINUS SIGN}0.12"
    assert alc_number(-1.0) == "\N{MINUS SIGN}1.00"
    assert alc_number(-1.001) == alc_number(float("-inf")) == BELOW


@pytest.fixture(scope="module")
def view(tmp_path_factory, people):
    frame = people(900)
    plan = alc.plan_campaign(
        frame, {"weak": alc.swap_columns(frame, 0.1)}, unknown=["job", "city"], known_sets=0,
        targets=alc.Targets(count=600),
    )  # fmt: skip
    folder = tmp_path_factory.mktemp("campaign")
    with alc.run_campaign(
        frame, {"weak": alc.swap_columns(frame, 0.1)}, folder / "c.alc",
        plan=dataclasses.replace(plan, attacks=plan.attacks[:2]), jobs=1,
        families=(NaiveBayes(),), loop=alc.LoopParameters(resamples=100),
    ) as store:  # fmt: skip
        store.add_failure(1, "ignored", seconds=0)
        yield CampaignView(store)


def text(view, scoring, **options):
    return terminal_text(campaign_blocks(view, scoring, **options), width=WIDTH)


def test_the_headline_parameters_and_every_attack_are_told(view):
    lines = text(view, view.settings.scoring).splitlines()
    assert f"{overview_title(view.overview(view.settings.scoring))}." in lines
    assert any(line.startswith("Parameters: alpha 3") for line in lines)
    table = lines[next(n for n, line in enumerate(lines) if line.startswith("Verdict ")) :]
    assert sum(" weak " in line for line in table) == 2
    assert "Changed from the run" not in "".join(lines)


def test_other_parameters_tell_what_flips_with_intervals_drawn_again(view):
    scoring = alc.ScoringParameters(alpha=3.01, at_risk=0.98, serious=0.99)
    found = text(view, scoring)
    assert "Changed from the run: 2 attacks change" in found
    assert "\u2248" not in found
    carried = text(CampaignView(view.store, approximate=True), scoring)
    assert "\u2248: approximate interval" in carried


def test_only_the_worst_are_shown_where_asked_for(view):
    found = text(view, view.settings.scoring, shown=1)
    assert "... and 1 more" in found


@pytest.fixture(scope="module")
def result():
    demo = alc.load_demo("fair")
    scenario = alc.Scenario(["age"], "religious", targets=300)
    return alc.assess(demo.original, demo.releases["5% swapped"], scenario, seed=1)


def test_an_assessment_shows_its_verdict_and_both_readings(result):
    text = result._repr_html_()
    page = ET.fromstring(text)
    assert [each.text for each in page.iter("strong")] == [
        *stopping_sentences(result), verdict_title(result),
    ]  # fmt: skip
    marks = [float(each.get("cx")) for each in page.iter("circle")]
    expected = [320 * (max(loss, -1) + 1) / 2 for loss in (result.alc, result.alc_rest)]
    assert marks == pytest.approx(expected, abs=1)
    assert "<script" not in text
    assert verdict_title(result) in result.summary()
    assert isinstance(result.plot(), go.Figure)


def test_names_are_text_and_not_markup(result):

    scenario = alc.Scenario(["<b>age"], "<script>x", targets=300)
    text = structs.replace(result, scenario=scenario)._repr_html_()
    assert "<script" not in text
    assert "<b>" not in text


def test_a_campaign_shows_its_releases(tmp_path, people):
    frame = people(600)
    with run_quickly(frame, {"weak": frame.copy()}, tmp_path / "c.alc") as store:
        view = alc.CampaignView(store)
        page = ET.fromstring(view._repr_html_())
        (line,) = candidate_lines(view, store.settings.scoring, {})
        cells = list(page.iter("td"))
        assert [cell.text for cell in cells][:2] == ["weak", line.title]
        alone = [cell.text for cell in ET.fromstring(line._repr_html_()).iter("td")]
        assert alone == [*(cell.text for cell in cells[:-1]), reason_sentence(line)]
        assert cells[-1].text == line.reason  # the sentence is before the table
        assert page[0][0].text == stopped_sentences([line])[0]
        assert len(list(page.iter("circle"))) == 2
        assert "weak" in view.summary()
        assert isinstance(view.plot(), go.Figure)


def test_releases_are_a_table_of_what_findings_says(made_up):
    view = made_up([0.9, 0.5], releases=("weak", "none"), finished=1)
    scoring = view.settings.scoring
    (line, none), table = candidate_lines(view, scoring, {}), view.releases()
    said, without = table.to_dict("records")
    sentence, worst = learned_sentence(view, line, scoring), line.worst
    assert list(said.values()) == [
        "weak", line.title, line.words, sentence, worst.alc, worst.low, worst.high, 0,
        round(line.most.exposed), line.most.exposed_low, line.most.exposed_high,
    ]  # fmt: skip
    assert (without["title"], without["sentence"]) == (none.title, reason_sentence(none))
    assert table.iloc[1, 4:].isna().all()
    strict = dataclasses.replace(scoring, serious=0.99, at_risk=0.98)
    assert view.releases(strict)["title"][0] != line.title


def test_a_finding_shows_what_it_says_and_how_to_answer_it():
    original = pd.DataFrame({"job": ["<b>clerk", "nurse"] * 50, "age": range(100)})
    release = original.assign(job=["x", "y"] * 50)
    names = {"original": original, "release": release}
    tables = {name: alc.table_from_frame(frame, name=name) for name, frame in names.items()}
    found = alc.check_tables(tables["original"], [tables["release"]])
    question = next(each for each in found if each.code == "unknown-labels")
    page = ET.fromstring(question._repr_html_())
    head, said = ("".join(part.itertext()) for part in page)
    assert head == f"Question: {question.place}"
    assert question.message in said
    assert "accept: unknown-labels:job" in said
