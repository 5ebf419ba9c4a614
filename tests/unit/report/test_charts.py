import base64
import json

import numpy as np
import plotly.graph_objects as go
import pytest

from alc_core.figures.one_attack import precision_recall_figure
from alc_core.report.html.attacks import thinned
from alc_core.report.html.charts import ChartBook


def opened(book):
    """What the document's script makes of a book."""
    data = json.loads(book.to_json())

    def value(node):
        if isinstance(node, list):
            return [value(each) for each in node]
        if not isinstance(node, dict):
            return node
        if "$" in node:
            shared = value(data["shared"][node["$"]])
            return {**shared, **value(node["+"])} if "+" in node else shared
        return {key: value(each) for key, each in node.items()}

    return {key: value(chart) for key, chart in data["charts"].items()}


def numbers(packed):
    return np.frombuffer(base64.b64decode(packed["bdata"]), dtype=packed["dtype"]).astype(float)


def figure(shift, **layout):
    x = np.linspace(0.001, 1, 30)
    trace = go.Scatter(
        x=x, y=x + shift, name="</script><b>", marker={"size": 9, "color": "#123456"},
        customdata=x, hovertemplate="%{customdata}",
    )  # fmt: skip
    return go.Figure(trace, layout={"xaxis": {"title": {"text": "Recall"}}, **layout})


def test_charts_come_out_as_they_went_in_and_share_what_is_equal():
    book = ChartBook()
    for place in range(10):
        book.add(f"c{place}", figure(place), "x")
    found = opened(book)
    assert list(found) == [f"c{place}" for place in range(10)]
    x = np.linspace(0.001, 1, 30)
    for place, chart in enumerate(found.values()):
        (trace,) = chart["data"]
        assert numbers(trace["x"]) == pytest.approx(x, rel=1e-6)
        assert numbers(trace["y"]) == pytest.approx(x + place, rel=1e-6)
        assert trace["marker"] == {"color": "#123456", "size": 9}
        assert chart["layout"]["xaxis"] == {"title": {"text": "Recall"}}
    alone = ChartBook()
    alone.add("c0", figure(0), "x")
    # Nine more cost little more than their own numbers: 30 of four bytes each.
    assert len(book.to_json()) - len(alone.to_json()) < 9 * 300


def test_no_name_can_end_the_script_and_no_template_or_click_data_is_carried():
    book = ChartBook()
    book.add("one", figure(0), "x", hover="<i>%{x}</i>")
    text = book.to_json()
    assert "<" not in text
    assert "&" not in text
    (trace,) = opened(book)["one"]["data"]
    assert trace["name"] == "</script><b>"
    assert trace["hovertemplate"] == "<i>%{x}</i>"
    assert "customdata" not in trace
    assert "template" not in opened(book)["one"]["layout"]


def test_parts_of_the_layout_can_be_replaced_or_left_out():
    book = ChartBook()
    picture = book.add(
        "one", figure(0, title_text="Long", height=500), "Two lines",
        layout={"title": None, "height": 300, "xaxis": {"range": [0, 1]}},
    )  # fmt: skip
    assert 'data-chart="one" data-height="300"' in picture
    assert "Two lines</figcaption>" in picture
    layout = opened(book)["one"]["layout"]
    assert "title" not in layout
    assert layout["xaxis"] == {"title": {"text": "Recall"}, "range": [0, 1]}


def test_gaps_and_matrices_survive():
    book = ChartBook()
    y = np.linspace(0, 1, 20)
    y[3] = np.nan
    book.add("gap", go.Figure(go.Scatter(x=np.arange(20.0), y=y)), "x")
    book.add("map", go.Figure(go.Heatmap(z=np.arange(40.0).reshape(5, 8))), "x")
    found = opened(book)
    (trace,) = found["gap"]["data"]
    assert np.isnan(numbers(trace["y"])[3])
    (matrix,) = found["map"]["data"]
    assert matrix["z"]["shape"] == "5, 8"
    assert numbers(matrix["z"]).tolist() == list(range(40))


def test_thin_curves_keep_their_ends_and_the_point_that_counts(made_up):
    view = made_up([0.8])
    whole = view.assessment(0)
    thin = thinned(whole, 15)
    curves = whole.outcomes.attack, whole.outcomes.baseline
    for before, after in zip(curves, thin, strict=True):
        assert len(before) > 100
        assert len(after) <= 18
        assert after.predictions[[0, -1]].tolist() == before.predictions[[0, -1]].tolist()
    assert thinned(whole, 10_000) == curves
    marks = [t for t in precision_recall_figure(whole, thin).data if "best point" in (t.name or "")]
    assert {float(mark.x[0]) for mark in marks} == {whole.attack.recall, whole.baseline.recall}
