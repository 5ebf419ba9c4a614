"""Figures of the closer look: what they draw, and that names show literally."""

from types import SimpleNamespace

import numpy as np
import pytest

from alc_core.explain.context import AttackContext, CalibrationMark, FamiliarNumbers
from alc_core.explain.drivers import AttributeEffect, Contribution, KnownCount, Loss
from alc_core.explain.trace import TargetGroups, break_down
from alc_core.figures.explain import (
    MOST_LINES,
    THIS_RELEASE,
    breakdown_figure,
    contribution_figure,
    effect_figure,
    known_count_figure,
    marks_figure,
)
from alc_core.figures.template import LEFT_END, alt_of
from alc_core.scoring.curves import PrecisionRecallCurve
from alc_core.scoring.parameters import ScoringParameters

NASTY = "<b>city</b> & $x$"
SCORING = ScoringParameters()


def contribution(attribute, with_it, without_it):
    return Contribution(
        attribute=attribute,
        with_it=Loss.of(with_it, with_it - 0.1, with_it + 0.1),
        without_it=Loss.of(without_it, without_it - 0.1, without_it + 0.1),
    )


def effect(attribute, pairs, mean, largest):
    return AttributeEffect(
        attribute=attribute, pairs=pairs, mean=mean, largest=largest,
        with_count=3, without_count=2, with_mean=0.4, without_mean=0.3,
    )  # fmt: skip


def rows(figure):
    return list(figure.layout.yaxis.ticktext)


def test_bars_are_differences_with_their_intervals():
    found = [contribution(NASTY, 0.8, 0.3), contribution("age", 0.3, 0.4)]
    figure = contribution_figure(found)
    (bars,) = figure.data
    assert list(bars.x) == pytest.approx([0.5, -0.1])
    assert [d - b for d, b in zip(bars.x, bars.error_x.arrayminus, strict=True)] == pytest.approx(
        [each.interval[0] for each in found]
    )
    assert [d + b for d, b in zip(bars.x, bars.error_x.array, strict=True)] == pytest.approx(
        [each.interval[1] for each in found]
    )
    assert rows(figure) == ["&lt;b&gt;city&lt;/b&gt; &amp; $x$", "age"]
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]  # the first on top
    assert alt_of(contribution_figure(found)).endswith(f"{NASTY} +0.50 and age \u22120.10.")


def test_only_attributes_with_pairs_are_drawn_mean_and_largest():
    effects = [
        effect("age", 3, 0.2, 0.5),
        effect("city", 1, -0.1, -0.1),
        effect("x", 0, None, None),
    ]
    figure = effect_figure(effects)
    mean, largest = figure.data[1:]
    assert list(mean.x) == [0.2, -0.1]
    assert list(largest.x) == [0.5, -0.1]
    assert rows(figure) == ["age", "city"]
    assert "age +0.20 on average over 3 pairs (at most +0.50)" in alt_of(effect_figure(effects))
    assert "No pairs" in alt_of(effect_figure(effects[2:]))


def point(number, unknown, known, alc):
    return KnownCount(
        number=number, unknown=unknown, release="r", known=known, alc=alc, reached=alc
    )


def test_points_are_attacks_and_lines_join_the_largest():
    points = [
        point(0, NASTY, 1, 0.1), point(1, NASTY, 3, 0.6), point(2, NASTY, 3, 0.2),
        point(3, "age", 2, 0.0),
    ]  # fmt: skip
    figure = known_count_figure(points, SCORING)
    lines = {trace.legendgroup: trace for trace in figure.data if trace.mode == "lines"}
    marks = {trace.legendgroup: trace for trace in figure.data if trace.mode == "markers"}
    assert list(zip(lines[NASTY].x, lines[NASTY].y, strict=True)) == [(1, 0.1), (3, 0.6)]
    assert sorted(zip(marks[NASTY].x, marks[NASTY].y, strict=True)) == [
        (1, 0.1), (3, 0.2), (3, 0.6),
    ]  # fmt: skip
    assert marks[NASTY].name == "&lt;b&gt;city&lt;/b&gt; &amp; $x$"
    limits = {shape.y0 for shape in figure.layout.shapes}
    assert limits == {SCORING.at_risk, SCORING.serious}
    assert alt_of(figure).endswith("0.10 with 1, no loss with 2 and 0.60 with 3.")


def test_more_unknown_attributes_than_colours_are_grey_and_not_in_the_legend():
    points = [point(n, f"c{n:02}", 2, n / 20) for n in range(MOST_LINES + 3)]
    figure = known_count_figure(points, SCORING)
    named = [trace.name for trace in figure.data if trace.showlegend]
    assert sorted(named) == [f"c{n:02}" for n in range(3, MOST_LINES + 3)]
    colours = {t.marker.color for t in figure.data if t.mode == "markers" and t.showlegend}
    assert len(colours) == MOST_LINES
    assert sum(trace.mode == "markers" for trace in figure.data) == len(points)


def curve(true):
    return PrecisionRecallCurve(
        thresholds=np.array([0.5]), predictions=np.array([1000]),
        true_predictions=np.array([true]), attempts=1000,
    )  # fmt: skip


@pytest.fixture
def context():
    marks = {
        name: CalibrationMark(
            attack=curve(true), baseline=curve(500), interval=(low, high), scoring=SCORING
        )
        for name, true, low, high in (
            ("original", 990, 0.85, 0.92), ("shuffled", 200, -1.5, -0.4),
        )
    }  # fmt: skip
    familiar = FamiliarNumbers(
        people=9, k=1, in_small_classes=1, unique=1, majority=0.5, majority_before=0.5
    )
    return AttackContext(familiar=familiar, **marks)


def test_the_marks_stand_above_and_below_the_release(context):
    readings = {
        "decisive": "alc", "decisive_alc": 0.6, "decisive_interval": (0.5, 0.7),
        "interval_of": lambda name: (0.5, 0.7), "interval_exact": True,
    }  # fmt: skip
    run = SimpleNamespace(scoring=SCORING, **readings)
    figure = marks_figure(run, context)
    at = {trace.name: (trace.x[0], trace.y[0]) for trace in figure.data if trace.mode == "markers"}
    assert at[THIS_RELEASE] == (0.6, 1)
    assert at["The original unchanged"] == (pytest.approx(context.original.loss(SCORING)), 0)
    assert at["Unknown column shuffled"] == (LEFT_END / 2, 2)
    assert len([trace for trace in figure.data if trace.mode == "lines"]) == 3
    assert "This release, ALC 0.60" in alt_of(figure)
    assert "Unknown column shuffled, No loss (95% interval: no loss throughout)" in alt_of(
        marks_figure(run, context)
    )
    other = SimpleNamespace(scoring=ScoringParameters(alpha=1), **readings)
    lines = [trace for trace in marks_figure(other, context).data if trace.mode == "lines"]
    assert len(lines) == 1  # the marks' intervals belong to other parameters


def test_groups_have_two_dots_on_the_same_people():
    trace = SimpleNamespace(
        scores=np.array([1.0] * 60 + [0.0] * 20),
        correct=np.array([True] * 45 + [False] * 35),
        baseline_correct=np.array([False, True] * 40),
        __len__=lambda: 80,
    )
    trace = type("Trace", (), {**vars(trace), "__len__": lambda self: 80})()
    groups = TargetGroups(
        column=NASTY, names=("<i>a</i>", "b", "c"), codes=np.repeat([0, 1, 2], [30, 30, 20])
    )
    found = break_down(trace, groups, threshold=0.5)
    figure = breakdown_figure(found)
    attack, baseline = figure.data
    assert list(attack.x) == [1.0, 0.5]  # nobody is predicted for in the third
    assert list(baseline.x) == [0.5, 0.5]
    assert attack.x[0] - attack.error_x.arrayminus[0] == pytest.approx(
        found.groups[0].precision_interval[0]
    )
    assert rows(figure) == ["&lt;i&gt;a&lt;/i&gt;  (30)", "b  (30)", "c  (0)"]
    assert "<b>city" not in figure.layout.title.text
    assert "<i>a</i>: attack 100%, baseline 50% of 30 predictions" in alt_of(
        breakdown_figure(found)
    )
