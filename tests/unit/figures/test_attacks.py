import io
import re

import numpy as np
import pandas as pd
import pytest

from alc_core.campaign.findings.other_measures import DISAGREEMENTS, Disagreement
from alc_core.figures.attack_marks import MANY
from alc_core.figures.attacks import LOWEST, disagreement_scatter, loss_scatter
from alc_core.figures.figure_data import figure_csv
from alc_core.figures.looks import LOOKS
from alc_core.figures.template import alt_of
from alc_core.scoring.parameters import ScoringParameters
from tests.toys.findings import findings_rows

SCORING = ScoringParameters()
NASTY = '<b>"city"</b> & <img src=x onerror=alert(1)> %{x} $y$'


def frame(losses, **columns):
    usual = {
        "compared_precision": 0.35, "deciding_recall": 0.1,
        "deciding_measured_precision": np.linspace(0.9, 0.4, len(losses)),
    }  # fmt: skip
    return findings_rows(losses, **{**usual, **columns})


def points(figure):
    return [trace for trace in figure.data if trace.customdata is not None]


def legend(figure):
    return [trace for trace in figure.data if trace.customdata is None]


def drawn(figure):
    """Coordinates by the attack's number, but for the ring."""
    return {
        number: (x, y)
        for trace in points(figure)
        if trace.name != "Selected"
        for number, x, y in zip(trace.customdata, trace.x, trace.y, strict=True)
    }


def test_every_attack_is_where_its_precision_and_loss_say():
    rows = frame([0.9, 0.6, 0.2, -0.3])
    places = zip(rows["deciding_measured_precision"], rows["decisive_alc"], strict=True)
    expected = dict(zip(rows["number"], places, strict=True))
    assert drawn(loss_scatter(rows, SCORING)) == expected


def test_losses_far_below_are_at_the_edge_with_a_mark_of_their_own_and_said():
    figure = loss_scatter(frame([0.2, -0.3, -0.8, -40.0]), SCORING)
    (edge,) = (trace for trace in points(figure) if trace.name == "Further below")
    assert list(edge.y) == [LOWEST, LOWEST]
    assert set(edge.marker.symbol) == {"triangle-down-open"}
    assert list(edge.customdata) == [12, 13]
    assert any("2 further below" in note.text for note in figure.layout.annotations)
    assert figure.layout.yaxis.range[0] < LOWEST
    assert losses_saved(figure) == [-40.0, -0.8, -0.3, 0.2]


def losses_saved(figure):
    rows = pd.read_csv(io.StringIO(figure_csv(figure)))
    return sorted(rows["ALC (higher is riskier)"].dropna().tolist())


def test_what_is_saved_of_two_measures_is_what_they_are():
    figure = disagreement_scatter(
        np.array([-44.0, 0.5]), np.array([0.25, -7.0]), recall=np.ones(2), other_name="prior",
        numbers=[4, 5], selected=4,
    )  # fmt: skip
    rows = pd.read_csv(io.StringIO(figure_csv(figure)))
    shown = rows[rows["series"].isin(["Attacks", "Selected"])]
    assert shown["ALC (higher is riskier)"].tolist() == [-44.0, 0.5, -44.0]
    assert shown["prior (higher is riskier)"].tolist() == [0.25, -7.0, 0.25]


def test_negative_losses_read_no_loss_and_no_tick_is_below_zero():
    figure = loss_scatter(frame([-0.8123]), SCORING)
    text = points(figure)[-1].text[0]
    assert "ALC, hard to guess <b>no loss</b>" in text
    assert "0.8" not in text
    assert min(figure.layout.yaxis.tickvals) == 0


def test_attacks_without_a_loss_are_left_out():
    assert drawn(loss_scatter(frame([0.5, np.nan]), SCORING)).keys() == {10}


def test_the_limits_are_lines_with_words_that_follow_the_parameters():
    figure = loss_scatter(frame([0.5]), ScoringParameters(at_risk=0.3, serious=0.9))
    lines = {shape.y0 for shape in figure.layout.shapes if shape.type == "line"}
    assert lines == {0.9, 0.3, 0.0}
    words = [note.text for note in figure.layout.annotations]
    assert words == ["Serious ≥ 0.9", "At risk ≥ 0.3", "Below limit", "No loss"]


def test_words_of_close_limits_stand_apart():
    figure = loss_scatter(frame([0.5]), ScoringParameters(at_risk=0.7, serious=0.75))
    serious, at_risk, *_ = figure.layout.annotations
    assert at_risk.x > serious.x


def test_recall_is_size_on_a_logarithmic_scale():
    recalls = [1.0, 0.1, 0.01, 0.001, 1e-6]
    figure = loss_scatter(frame([0.5] * 5, deciding_recall=recalls), SCORING)
    sizes = list(points(figure)[0].marker.size)
    assert np.diff(sizes)[:3] == pytest.approx([np.diff(sizes)[0]] * 3, abs=0.11)
    assert sizes[0] > sizes[3] == sizes[4] > 5
    said = {e.name: e.marker.size for e in legend(figure) if e.legendgroup == "Recall"}
    assert said == {"100%": sizes[0], "10%": sizes[1], "1%": sizes[2]}


def test_the_verdict_is_colour_and_no_loss_an_open_mark():
    verdicts = ["serious", "below limit", "no loss"]
    figure = loss_scatter(frame([0.9, 0.2, -0.1], verdict=verdicts, standing=verdicts), SCORING)
    (trace,) = points(figure)
    assert list(trace.marker.color) == [LOOKS[each].mark for each in verdicts]
    assert list(trace.marker.symbol) == ["circle", "circle", "circle-open"]
    assert list(trace.marker.line.color)[2] == LOOKS["no loss"].mark, "an open mark is its edge"
    entries = [e for e in legend(figure) if e.legendgroup == "Verdict"]
    assert [e.name for e in entries] == ["Serious", "Below limit", "No loss"]
    assert [e.marker.color for e in entries] == list(trace.marker.color)


def test_an_attack_that_stands_through_fewer_facts_has_that_colour():
    figure = loss_scatter(frame([0.1], standing="at risk", verdict="below limit"), SCORING)
    assert list(points(figure)[0].marker.color) == [LOOKS["at risk"].mark]


def test_releases_have_symbols_and_a_legend_only_where_there_are_several():
    one = loss_scatter(frame([0.5, 0.4]), SCORING)
    assert "Release" not in {entry.legendgroup for entry in legend(one)}
    two = loss_scatter(frame([0.5, 0.4], release=["<i>v1</i>", "v2"]), SCORING)
    entries = [entry for entry in legend(two) if entry.legendgroup == "Release"]
    assert [entry.name for entry in entries] == ["&lt;i&gt;v1&lt;/i&gt;", "v2"]
    symbols = [trace.marker.symbol[0] for trace in points(two)]
    assert symbols == [entry.marker.symbol for entry in entries]
    assert len(set(symbols)) == 2


def test_the_selected_attack_is_ringed():
    figure = loss_scatter(frame([0.5, -3.0]), SCORING, selected=11)
    (ring,) = (trace for trace in figure.data if trace.name == "Selected")
    assert (list(ring.customdata), list(ring.y)) == ([11], [LOWEST])
    assert not any(t.name == "Selected" for t in loss_scatter(frame([0.5]), SCORING).data)


def test_names_show_literally_in_the_hover_text():
    rows = frame([0.5], unknown=NASTY, known=f"age, {NASTY}", release=NASTY)
    (trace,) = points(loss_scatter(rows, SCORING))
    assert trace.hovertemplate == "%{text}<extra></extra>"
    tags = set(re.findall(r"<[^>]*>", trace.text[0]))
    assert tags <= {"<b>", "</b>", "<br>"}
    assert '&lt;b&gt;"city"&lt;/b&gt; &amp; &lt;img' in trace.text[0]


def test_many_known_columns_are_cut_to_a_few_lines():
    known = ", ".join(f"column_{number}" for number in range(200))
    (trace,) = points(loss_scatter(frame([0.5], known=known), SCORING))
    assert trace.text[0].count("<br>") < 12
    assert " …" in trace.text[0]


def test_carried_over_intervals_are_marked():
    exact, carried = frame([0.5]), frame([0.5])
    carried["interval_exact"] = False
    assert "interval 0.40 to 0.55)" in points(loss_scatter(exact, SCORING))[0].text[0]
    assert "interval ≈ 0.40 to 0.55)" in points(loss_scatter(carried, SCORING))[0].text[0]


def test_hovering_names_the_attack_only_where_there_are_several():
    one = frame([0.5, 0.4], attack="best row match")
    assert not any("<br>by " in text for text in points(loss_scatter(one, SCORING))[0].text)
    two = frame([0.5, 0.4], attack=["best row match", NASTY])
    first, second = points(loss_scatter(two, SCORING))[0].text
    assert "<br>by best row match<br><b>at risk</b>: ALC" in first
    assert "<br>by &lt;b&gt;" in second


def test_customdata_is_a_flat_list_of_numbers():
    (trace,) = points(loss_scatter(frame([0.5, 0.4]), SCORING))
    assert trace.to_plotly_json()["customdata"] == [10, 11]


def test_many_attacks_are_drawn_without_what_needs_scripts_made_from_text():
    figure = loss_scatter(frame(np.linspace(1, -1, MANY + 1)), SCORING)
    assert {trace.type for trace in points(figure)} == {"scatter"}
    assert len(drawn(figure)) == MANY + 1


def test_without_a_result_it_is_empty_and_says_so():
    nothing = frame([0.5]).iloc[:0]
    assert not points(loss_scatter(nothing, SCORING))
    assert "No results yet." in alt_of(loss_scatter(nothing, SCORING))


def test_the_alt_text_counts_and_names_the_worst_and_the_selected():
    text = alt_of(loss_scatter(frame([0.9, 0.6, 0.2, -0.3]), SCORING, selected=13))
    assert text == (
        "ALC against precision of 4 attacks. 1 at 0.75 or above, 1 from 0.5 to 0.75, 1 from 0 to "
        "0.5, 1 below 0. "
        "The worst: income from v1.csv, ALC 0.90, precision 90%, recall 10%. "
        "Ringed: income from v1.csv, ALC no loss, precision 40%, recall 10%."
    )


OURS = np.array([0.6, 0.8, 0.1, 0.2, 0.5, -3.0, np.nan, 0.3])
OTHER = np.array([0.2, 0.49, 0.75, 0.5, 0.5, -0.1, 0.2, np.nan])


def test_attacks_are_counted_by_class_with_limits_belonging_to_the_worse_one():
    found = Disagreement.of(OURS, OTHER)
    assert found.counts.tolist() == [[1, 1, 1], [1, 1, 0], [1, 0, 0]]
    assert found.attacks == 6
    assert (found.missed, found.only_other) == (2, 2)
    assert [found.share(*each) for each in DISAGREEMENTS] == pytest.approx([1 / 6] * 4)
    assert Disagreement.of([], []).share(0, 0) == 0


def test_limits_can_be_others():
    found = Disagreement.of(OURS, OTHER, at_risk=0.1, serious=0.2)
    assert found.counts.tolist() == [[1, 0, 0], [0, 0, 1], [0, 0, 4]]


def test_the_figure_clips_what_is_below_and_leaves_out_what_has_one_number_only():
    figure = disagreement_scatter(
        OURS, OTHER, recall=np.full(8, 0.01), other_name="<Prior>", numbers=list(range(8))
    )
    points = figure.data[1]
    assert list(points.y) == [0.6, 0.8, 0.1, 0.2, 0.5, -0.2]
    assert list(points.customdata) == [0, 1, 2, 3, 4, 5]
    assert points.marker.color[0] == pytest.approx(-2)
    assert "&lt;Prior&gt;" in figure.layout.title.text
    assert [note.text for note in figure.layout.annotations] == ["17%"] * 4
