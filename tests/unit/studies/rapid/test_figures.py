"""Figures of RAPID."""

from alc_core.figures.template import alt_of
from alc_core.studies.rapid.figures import rapid_curve, rapid_drivers, rapid_groups, rapid_releases
from tests.toys.rapid import made_rapid


def test_the_curve_has_its_interval_its_reference_and_the_cut():
    figure = rapid_curve(made_rapid(), 0.3)
    assert [trace.name for trace in figure.data] == [
        "Interval", "Without the person", "From the release",
    ]  # fmt: skip
    assert list(figure.data[2].y) == [0.5, 0.2, 0.0]
    assert figure.layout.shapes[0].x0 == 0.3
    assert "At 0.3: 20% from the release, 10% without the person" in alt_of(
        rapid_curve(made_rapid(), 0.3)
    )


def test_releases_have_a_row_each_named_by_what_differs():
    results = [made_rapid("weak"), made_rapid("strong", unknown="pay", share=0.15)]
    figure = rapid_releases(results)
    assert list(figure.layout.yaxis.ticktext) == ["weak: job", "strong: pay"]
    assert list(figure.data[1].x) == [0.2, 0.15]
    assert "strong: pay: 15% from the release" in alt_of(rapid_releases(results))
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
    assert alt_of(rapid_groups(made_rapid(), "job")).endswith("by job. clerk: 30% of 100 people.")
