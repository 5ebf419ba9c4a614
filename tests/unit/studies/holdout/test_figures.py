"""Figures of members beside others, and of distances."""

import pytest

from alc_core.figures.template import alt_of
from alc_core.studies.holdout.figures import closest_records_figure, holdout_attacks
from tests.toys.holdout import made_attack, made_closest


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
    assert "60%" in alt_of(holdout_attacks(attacks))


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
