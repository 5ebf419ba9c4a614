import io

import numpy as np
import pandas as pd
import pytest

from alc_core import LoopParameters, Scenario, swap_columns
from alc_core.assessment.run import assess
from alc_core.baselines.families import NaiveBayes
from alc_core.figures.figure_data import figure_csv
from alc_core.figures.looks import LOOKS
from alc_core.figures.one_attack import loss_scale_figure, precision_recall_figure
from alc_core.figures.template import LEFT_END, alt_of
from alc_core.scoring.curves import measure_curve


@pytest.fixture(scope="module")
def assessment(people):
    frame = people(1500)
    return quick(frame, swap_columns(frame, 0.1, seed=1), seed=3)


def quick(original, release, **options):
    """An assessment whose baseline is cheap: these tests are about drawing."""
    scenario, loop = Scenario(["age", "city"], "job"), LoopParameters(resamples=100)
    return assess(original, release, scenario, families=(NaiveBayes(),), loop=loop, **options)


def traces(figure, name):
    return [trace for trace in figure.data if trace.name == name]


def test_chosen_points_are_the_measures(assessment):
    figure = precision_recall_figure(assessment)
    for side, measure in (("Attack", assessment.attack), ("Baseline", assessment.baseline)):
        (point,) = traces(figure, f"{side}: best point")
        assert (point.x[0], point.y[0]) == (measure.recall, measure.precision)
        assert point.customdata[0][3] == f"{measure.predictions:,}"


def test_only_thresholds_with_a_narrow_interval_are_solid(assessment):
    figure = precision_recall_figure(assessment)
    measured = measure_curve(assessment.outcomes.attack, assessment.scoring)
    (solid,) = traces(figure, "Attack")
    (faint,) = traces(figure, "Attack: wide interval")
    assert np.array_equal(np.isfinite(solid.y), measured.narrow)
    assert np.array_equal(faint.y, measured.precision)
    assert faint.opacity < solid.opacity


def test_band_is_the_interval(assessment):
    measured = measure_curve(assessment.outcomes.baseline, assessment.scoring)
    (band,) = traces(precision_recall_figure(assessment), "Baseline: interval")
    half = len(measured.precision_high)
    assert np.array_equal(band.y[:half], measured.precision_high)
    assert np.array_equal(band.y[half:][::-1], measured.precision_low)


def test_r_min_line_only_where_it_is_in_range(assessment):
    assert not precision_recall_figure(assessment).layout.shapes
    (line,) = precision_recall_figure(assessment.rescore(r_min=0.05)).layout.shapes
    assert line.x0 == line.x1 == 0.05


def test_precision_recall_alt_names_both_points(assessment):
    text = alt_of(precision_recall_figure(assessment))
    assert "The attack's best point is precision" in text
    assert "The baseline's best point is precision" in text


def test_loss_scale_has_the_limits_as_zones(assessment):
    figure = loss_scale_figure(assessment.rescore(at_risk=0.3, serious=0.9))
    zones = [(shape.x0, shape.x1) for shape in figure.layout.shapes]
    assert zones == [(LEFT_END, 0.0), (0.0, 0.3), (0.3, 0.9), (0.9, 1.0)]
    assert [note.text for note in figure.layout.annotations] == [
        "No loss",
        "Below limit",
        "At risk",
        "Serious",
    ]


def test_loss_scale_marks_the_loss_and_its_interval(assessment):
    interval, mark = loss_scale_figure(assessment).data
    low, high = assessment.decisive_interval
    assert mark.x[0] == max(assessment.decisive_alc, LEFT_END / 2)
    assert interval.x == (max(low, LEFT_END / 2), max(high, LEFT_END / 2))
    assert mark.marker.color == LOOKS[assessment.verdict].colour
    symbols = ["line-ns" if bound >= LEFT_END / 2 else "triangle-left" for bound in (low, high)]
    assert list(interval.marker.symbol) == symbols


def test_loss_without_loss_is_drawn_left_of_zero(people):
    frame = people(1200)
    none = quick(frame, swap_columns(frame, 1.0, seed=5))
    assert none.decisive_alc < 0
    figure = loss_scale_figure(none)
    assert LEFT_END < figure.data[1].x[0] < 0
    saved = pd.read_csv(io.StringIO(figure_csv(figure)))["x"].tolist()
    assert saved == pytest.approx([*none.decisive_interval, none.decisive_alc])
    goes_on = none.decisive_interval[0] < LEFT_END / 2
    assert figure.data[0].marker.symbol[0] == ("triangle-left" if goes_on else "line-ns")
    titles = {"alc": "ALC, everyone", "alc_rest": "ALC, hard to guess"}
    assert alt_of(figure).startswith(f"{titles[none.decisive]} no loss, 95% interval")
