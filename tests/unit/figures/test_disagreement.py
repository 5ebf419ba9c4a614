import numpy as np
import pytest

from alc_core.campaign.findings.other_measures import CLASSES, DISAGREEMENTS, Disagreement
from alc_core.figures.attacks import disagreement_scatter

OURS = np.array([0.6, 0.8, 0.1, 0.2, 0.5, -3.0, np.nan, 0.3])
OTHER = np.array([0.2, 0.49, 0.75, 0.5, 0.5, -0.1, 0.2, np.nan])


def test_attacks_are_counted_by_class_with_limits_belonging_to_the_worse_one():
    found = Disagreement.of(OURS, OTHER)
    assert found.counts.tolist() == [[1, 1, 1], [1, 1, 0], [1, 0, 0]]
    assert found.attacks == 6
    assert (found.missed, found.only_other) == (2, 2)
    assert [found.share(*each) for each in DISAGREEMENTS] == pytest.approx([1 / 6] * 4)
    assert Disagreement.of([], []).share(0, 0) == 0
    assert len(CLASSES) == 3


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
    assert [note.text for note in figure.layout.annotations] == ["17 %"] * 4
