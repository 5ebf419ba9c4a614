from dataclasses import replace

import pytest

from alc_core.figures.template import alt_of
from alc_core.studies.learning.figures import (
    belief_figure,
    convergence_figure,
    groups_figure,
    noise_figure,
)
from alc_core.studies.learning.result import GroupStudy, NoiseStudy
from tests.toys.learning import group_point, made_study, noise_point


def trace(figure, name):
    (found,) = (each for each in figure.data if each.name == name)
    return found


def test_accuracy_is_drawn_against_epsilon_with_its_range_and_references():
    figure = noise_figure(made_study())
    members = trace(figure, "Members (in the counts)")
    assert list(members.x) == [0.1, 1.0]
    assert list(members.y) == pytest.approx([0.35, 0.51])
    band = trace(figure, "Members (in the counts), lowest to highest")
    assert list(band.y) == pytest.approx([0.4, 0.52, 0.5, 0.3])
    assert figure.layout.xaxis.type == "log"
    assert set(trace(figure, "Most frequent value").y) == {0.2}
    assert set(trace(figure, "Classifier from exact counts").y) == {0.52}
    assert list(trace(figure, "Holdout (left out)").y) == [0.5, 0.5]


def test_without_a_holdout_none_is_drawn():
    study = made_study(noiseless_holdout=None, held_out=0)
    names = {each.name for each in noise_figure(study).data}
    assert not any("Holdout" in name for name in names)


def test_where_few_are_believed_no_accuracy_is_drawn_but_their_share_is():
    points = noise_point(0.1, (0.3,), share=0.001), noise_point(1.0, (0.5,), share=0.2)
    study = made_study(noise=NoiseStudy(points=points, tables=2, cells=60))
    figure = belief_figure(study)
    assert list(trace(figure, "Members (in the counts)").x) == [1.0]
    assert list(trace(figure, "Share of people, members").y) == [0.001, 0.2]
    assert "ε = 0.1: members too few, held out too few" in alt_of(belief_figure(study))


def test_the_three_predictors_are_drawn_against_l_with_one_over_l():
    figure = groups_figure(made_study(), 1)
    assert list(trace(figure, "deFinetti, permutation").y) == [0.7, 0.5]
    assert list(trace(figure, "deFinetti, group").y) == [0.6, 0.45]
    assert list(trace(figure, "deFinetti, open").y) == [0.4, 0.4]
    chance = trace(figure, "1/ℓ")
    assert [chance.y[0], chance.y[-1]] == [0.5, 0.25]
    assert list(trace(groups_figure(made_study(), 2), "deFinetti, permutation").y) == [0.55, 0.4]


def test_a_single_level_has_an_axis_of_some_width():
    study = made_study(groups=GroupStudy(points=(group_point(2),), impossible={}))
    low, high = groups_figure(study, 1).layout.xaxis.range
    assert low < 2 < high


def test_convergence_has_two_lines_for_each_level():
    figure = convergence_figure(made_study(), 1)
    assert [each.name for each in figure.data] == ["ℓ = 2", "ℓ = 2", "ℓ = 4", "ℓ = 4"]
    assert [each.yaxis for each in figure.data] == [None, "y2", None, "y2"]
    assert figure.layout.yaxis2.type == "log"
    assert sum(bool(each.showlegend) for each in figure.data) == 2


def test_each_figure_has_its_numbers_in_words():
    study = made_study()
    assert "ε = 1: members 51%, held out 50%" in alt_of(noise_figure(study))
    assert "Most frequent value: 20%" in alt_of(noise_figure(study))
    assert "ℓ = 4: permutation 50%, group 45%, open 40%" in alt_of(groups_figure(study, 1))
    assert "ℓ = 2: accuracy from 70% to 70%" in alt_of(convergence_figure(study, 1))


def test_more_levels_than_colours_can_be_drawn():
    points = tuple(group_point(level) for level in range(2, 12))
    study = made_study(groups=GroupStudy(points=points, impossible={}))
    assert len(convergence_figure(study, 1).data) == 20
    assert len(groups_figure(replace(study, notes=("x",)), 1).data) == 9
