"""Where the utility of a release goes, drawn."""

import numpy as np
import pandas as pd
import pytest

from alc_core.figures.figure_data import figure_csv
from alc_core.figures.template import alt_of
from alc_core.studies.utility.distributions import Bar, ColumnDistribution, column_distribution
from alc_core.studies.utility.figures import distribution_figure, model_losses_figure, pair_heat_map
from alc_core.studies.utility.measuring import measure_utility
from alc_core.studies.utility.result import (
    distribution_notes,
    losses_sentence,
    majority_sentence,
    pairs_sentence,
)
from tests.toys.utility import made_target, made_utility


def bar(label, part, original, released):
    return Bar(label=label, part=part, original=original, released=released)


def distribution(*bars, numeric=False, **others):
    return ColumnDistribution(
        column="<b>job</b>", release="r", numeric=numeric, bars=bars,
        **{"spread": 0.0, "several_tables": "", "fewest": 10, **others},
    )  # fmt: skip


def target(name, own, theirs, rows=1000):
    return made_target(name, theirs, own, majority=0.3, rows=rows)


def utility(columns, pairs=(), targets=(), **others):
    return made_utility(columns=columns, pairs=tuple(pairs), targets=tuple(targets), **others)


def test_values_are_rows_and_what_only_one_table_has_is_marked():
    figure = distribution_figure(
        distribution(
            bar("clerk <i>", "value", 0.6, 0.5), bar("nurse", "value", 0.4, 0.0),
            bar("pilot", "value", 0.0, 0.3), bar("Missing", "missing", 0.0, 0.2),
        )
    )  # fmt: skip
    original, release = figure.data
    assert list(original.x) == [0.6, 0.4, 0.0, 0.0]
    assert list(release.x) == [0.5, 0.0, 0.3, 0.2]
    assert original.width > release.width
    labels = figure.layout.yaxis.ticktext
    assert labels[0] == "clerk &lt;i&gt;"
    assert labels[1] == "nurse<br><sub>only in the original</sub>"
    assert labels[2] == "pilot<br><sub>only in the release</sub>"
    assert labels[3] == "<i>Missing</i>", "what is not a value looks otherwise"
    assert figure.layout.title.text.startswith("&lt;b&gt;job&lt;/b&gt;")
    assert "\u221210.0 percentage points" in original.hovertext[0]


def test_ranges_are_columns_in_order():
    shown = distribution(
        bar("under 20", "range", 0.1, 0.4), bar("from 20", "range", 0.9, 0.6), numeric=True
    )
    figure = distribution_figure(shown)
    assert list(figure.layout.xaxis.ticktext) == ["under 20", "from 20"]
    assert list(figure.data[1].y) == [0.4, 0.6]
    assert "under 20: 10% in the original, 40% in the release" in alt_of(distribution_figure(shown))


def test_what_can_be_saved_names_no_rare_value():
    original = pd.DataFrame({"job": ["clerk"] * 90 + ["abbot"] * 9, "b": ["u", "v", "w"] * 33})
    shown = column_distribution(original, original, "job")
    figure = distribution_figure(shown)
    saved = "".join([figure_csv(figure), figure.to_json(), alt_of(distribution_figure(shown))])
    assert "clerk" in saved
    assert "abbot" not in saved
    assert "fewer than 10 original rows are not named" in distribution_notes(shown)[0]


def test_notes_say_what_is_spread_and_which_table_is_shown():
    shown = distribution(bar("a", "value", 1.0, 0.75), bar("b", "value", 0.0, 0.25), spread=0.5)
    assert "50% of rows have generalized labels, spread evenly." in distribution_notes(shown)
    assert "From table 'wide'" in distribution_notes(distribution(several_tables="wide"))[-1]


def test_the_heat_map_is_symmetric_and_begins_with_what_changed_most():
    found = utility({"a": 0.1, "b": 0.0, "c": 0.3}, [("a", "b", 0.5), ("b", "c", 0.9)])
    (heat,) = pair_heat_map(found).data
    assert list(heat.x) == list(heat.y) == ["c", "b", "a"]
    values = np.asarray(heat.z, dtype=float)
    np.testing.assert_array_equal(values, [[0.3, 0.9, np.nan], [0.9, 0.0, 0.5], [np.nan, 0.5, 0.1]])
    assert (heat.zmin, heat.zmax) == (0, 1)
    assert [share for share, _ in heat.colorscale] == [0, 0.0625, 0.25, 0.5625, 1]
    alt = alt_of(pair_heat_map(found))
    assert "Largest distances: 'b' and 'c' (0.90); 'a' and 'b' (0.50)." in alt
    assert "Not in one table: 1 pair." in alt
    assert "c,b,0.9" in figure_csv(pair_heat_map(found))


def test_the_heat_map_finds_the_pair_that_was_broken():
    rng = np.random.default_rng(0)
    first = rng.integers(3, size=900)
    original = pd.DataFrame({f"n{k}": rng.integers(3, size=900).astype(str) for k in range(4)})
    original = original.assign(x=first.astype(str), y=(first + 1).astype(str))
    release = original.assign(y=rng.permutation(original["y"]))
    found = measure_utility(original, release, targets=[])
    assert found.worst_pairs[0][:2] == ("x", "y")
    (heat,) = pair_heat_map(found).data
    assert heat.x[0] == "y"
    assert pairs_sentence(found).startswith("Largest distances: 'x' and 'y' (0.")


def test_sixty_columns_are_drawn_and_more_are_told():
    names = [f"a rather long name of column {number}" for number in range(70)]
    pairs = [(one, other, 0.1) for i, one in enumerate(names) for other in names[i + 1 :]]
    found = utility(dict.fromkeys(names, 0.1), pairs)
    figure = pair_heat_map(found)
    assert np.asarray(figure.data[0].z).shape == (60, 60)
    assert 800 < figure.layout.height < 1100
    assert "10 more are left out" in alt_of(pair_heat_map(found))
    assert np.asarray(pair_heat_map(found, most=25).data[0].z).shape == (25, 25)


def test_without_pairs_or_targets_it_is_said():
    found = utility({"a": 0.1})
    assert pairs_sentence(found) == "No released table has two columns of the original."
    assert losses_sentence(found) == "No column was predicted."


def test_models_have_a_row_each_the_greatest_loss_on_top():
    found = utility({"a": 0.1}, targets=[target("a", 0.8, 0.75), target("b", 0.9, 0.4)])
    figure = model_losses_figure(found)
    assert list(figure.layout.yaxis.ticktext) == ["b", "a"]
    points = {trace.name: list(trace.x) for trace in figure.data}
    assert points["Trained on the original"] == [0.9, 0.8]
    assert points["Trained on the release"] == [0.4, 0.75]
    assert points["Most frequent value"] == [0.3, 0.3]
    assert points["Loss"] == [0.9, 0.4, None, 0.8, 0.75, None]
    low, high = found.worst_targets[0].interval
    bars = figure.data[-1].error_x
    assert (bars.arrayminus[0], bars.array[0]) == pytest.approx((0.4 - low, high - 0.4))
    assert "b: 90% and 40%; a: 80% and 75%" in alt_of(model_losses_figure(found))
    assert losses_sentence(found).startswith("Models lose most for 'b': 40% correct, ")


def test_models_below_the_most_frequent_value_are_named():
    found = utility(
        {"a": 0.1}, targets=[target("a", 0.8, 0.75), target("b", 0.9, 0.2), target("c", 0.5, 0.3)]
    )
    assert majority_sentence(found).startswith("Worse than the most frequent value: 'b'.")
    both = utility({"a": 0.1}, targets=[target("a", 0.8, 0.2), target("b", 0.25, 0.2)])
    assert majority_sentence(both) == (
        "Worse than the most frequent value: 'a'. Not predictable from the original either: 'b'."
    )
    assert majority_sentence(utility({"a": 0.1}, targets=[target("a", 0.8, 0.75)])) == ""
    assert majority_sentence(utility({"a": 0.1})) == ""


def test_a_loss_within_the_interval_is_no_loss():
    found = utility({"a": 0.1}, targets=[target("a", 0.80, 0.78, rows=100)])
    assert losses_sentence(found).startswith("No column is clearly harder to predict")
