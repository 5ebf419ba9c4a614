"""Figures of studies: members beside others, curves of distances, RAPID."""

import pytest

from alc_core.figures.studies import (
    closest_records_figure,
    holdout_attacks,
    rapid_curve,
    rapid_drivers,
    rapid_groups,
    rapid_releases,
)
from alc_core.figures.template import alt_of
from tests.toys.holdout import made_attack, made_closest
from tests.toys.rapid import made_rapid


def test_the_curve_has_its_interval_its_reference_and_the_cut():
    figure = rapid_curve(made_rapid(), 0.3)
    assert [trace.name for trace in figure.data] == [
        "Interval", "Without the person", "From the release",
    ]  # fmt: skip
    assert list(figure.data[2].y) == [0.5, 0.2, 0.0]
    assert figure.layout.shapes[0].x0 == 0.3
    assert "At 0.3: 20 % from the release, 10 % without the person" in alt_of(
        rapid_curve(made_rapid(), 0.3)
    )


def test_releases_have_a_row_each_named_by_what_differs():
    results = [made_rapid("weak"), made_rapid("strong", unknown="pay", share=0.15)]
    figure = rapid_releases(results)
    assert list(figure.layout.yaxis.ticktext) == ["weak: job", "strong: pay"]
    assert list(figure.data[1].x) == [0.2, 0.15]
    assert "strong: pay: 15 % from the release" in alt_of(rapid_releases(results))
    assert list(rapid_releases(results[:1]).layout.yaxis.ticktext) == ["weak"]


def test_drivers_are_percentage_points():
    figure = rapid_drivers(made_rapid())
    assert list(figure.data[0].x) == [5.0, 0.1]
    assert "age 5.0, city 0.1" in alt_of(rapid_drivers(made_rapid()))


def test_groups_have_a_row_each_with_their_people():
    figure = rapid_groups(made_rapid(), "job")
    assert list(figure.layout.yaxis.ticktext) == ["clerk (100)"]
    assert list(figure.data[1].x) == [0.3]
    assert list(figure.data[0].x) == [0.1]
    assert alt_of(rapid_groups(made_rapid(), "job")).endswith("by job. clerk: 30 % of 100 people.")


def test_attacks_have_a_mark_of_each_and_names_that_tell_them_apart():
    attacks = [made_attack(), made_attack(500, 300, known=("age",)), made_attack(unknown="<b>x")]
    figure = holdout_attacks(attacks)
    others, members = figure.data
    assert list(members.x) == [0.6, 0.5, 0.6]
    assert list(others.x) == [0.3, 0.3, 0.3]
    assert members.error_x.array[0] == pytest.approx(0.03, abs=0.005)
    labels = figure.layout.yaxis.ticktext
    assert labels[0] != labels[1]
    assert "<b>" not in labels[2]
    assert "60 %" in alt_of(holdout_attacks(attacks))


def test_of_many_attacks_the_worst_are_drawn():
    many = [made_attack(300 + 10 * n, unknown=f"c{n}") for n in range(25)]
    figure = holdout_attacks(many)
    assert len(figure.data[0].x) == 20
    assert figure.layout.yaxis.ticktext[0] == "c24"


def test_distances_are_cumulative_curves_from_nothing():
    others, members = closest_records_figure(made_closest()).data
    assert list(members.y) == [0, 0.1, 0.5, 1]
    assert list(others.y) == [0, 0, 0.4, 1]
    assert "remembers" in alt_of(closest_records_figure(made_closest()))
