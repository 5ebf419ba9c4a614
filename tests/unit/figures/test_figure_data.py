import csv
import io

import numpy as np
import plotly.graph_objects as go
import pytest

from alc_core.figures.figure_data import figure_csv, plain_text


def read(figure: go.Figure) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(figure_csv(figure))))


def titled(*traces, x="recall", y="precision") -> go.Figure:
    layout = {"xaxis": {"title": {"text": x}}, "yaxis": {"title": {"text": y}}}
    return go.Figure(list(traces), layout)


def test_points_of_all_traces_stand_under_the_titles_of_the_axes():
    rows = read(
        titled(
            go.Scatter(name="attack", x=np.array([0.1, 1.0]), y=[0.1 + 0.2, 0.5]),
            go.Scatter(name="baseline", x=[0.5], y=[0.25]),
        )
    )
    assert [row["series"] for row in rows] == ["attack", "attack", "baseline"]
    assert list(rows[0]) == ["series", "recall", "precision"]
    assert float(rows[0]["precision"]) == 0.1 + 0.2, "unrounded"


def test_gaps_are_left_out_and_part_a_line():
    line = go.Scatter(name="PRC 0.5", x=[0.1, 0.2, None, None, 0.3], y=[1, 2, None, None, 3])
    rows = read(titled(line))
    assert [(row["part"], row["recall"]) for row in rows] == [
        ("1", "0.1"), ("1", "0.2"), ("2", "0.3"),
    ]  # fmt: skip


def test_a_colour_that_stands_for_a_number_and_the_text_of_marks_are_columns():
    marks = go.Scatter(
        x=[1, 2], y=[3, 4], text=["<b>age</b><br>1 &lt; 2", "city"],
        marker={"color": [0.25, 0.5], "colorbar": {"title": {"text": "Recall of the attack"}}},
    )  # fmt: skip
    first, second = read(titled(marks))
    assert first["series"] == "series 1"
    assert first["Recall of the attack"] == "0.25"
    assert (first["text"], second["text"]) == ("age; 1 < 2", "city")


def test_a_heat_map_is_a_row_for_each_cell():
    cells = go.Heatmap(
        x=["1", "2"], y=["low", "high"], z=[[1, 2], [3, None]],
        colorbar={"title": {"text": "Flagged"}},
    )  # fmt: skip
    rows = read(titled(cells, x="alpha", y="R_min"))
    assert [(r["alpha"], r["R_min"], float(r["Flagged"])) for r in rows] == [
        ("1", "low", 1), ("2", "low", 2), ("1", "high", 3),
    ]  # fmt: skip


@pytest.mark.parametrize("evil", ["=HYPERLINK(1)", "+1", "-1", "@SUM(A1)"])
def test_no_cell_becomes_a_formula(evil):
    figure = titled(go.Bar(name=evil, x=[evil], y=[1.0], text=[evil]), x=evil)
    (row,) = read(figure)
    assert set(row) == {"series", f"'{evil}", "precision", "text"}
    assert [row["series"], row[f"'{evil}"], row["text"]] == [f"'{evil}"] * 3
    assert row["precision"] == "1.0"
    negative = read(titled(go.Bar(name="a", x=[1], y=[-1.5])))[0]
    assert negative["precision"] == "-1.5", "a number stays a number"


def test_names_with_markup_are_literal_again():
    assert plain_text("a &lt;b&gt; c") == "a <b> c"
    rows = read(titled(go.Scatter(name="&lt;b&gt;city&lt;/b&gt;", x=[1], y=[2])))
    assert rows[0]["series"] == "<b>city</b>"


def test_axes_of_subplots_and_axes_with_one_title_keep_apart():
    layout = {"xaxis": {"title": {"text": "ALC"}}, "xaxis2": {"title": {"text": "PRC"}}}
    figure = go.Figure(
        [go.Scatter(name="a", x=[1], y=[2]), go.Scatter(name="b", x=[3], y=[4], xaxis="x2")], layout
    )
    first, second = read(figure)
    assert (first["ALC"], first["PRC"], second["PRC"]) == ("1", "", "3")
    assert list(read(titled(go.Scatter(x=[1], y=[2]), x="PRC", y="PRC"))[0]) == [
        "series", "PRC (x)", "PRC (y)",
    ]  # fmt: skip


def test_an_empty_figure_has_no_rows():
    assert read(go.Figure()) == []
    assert read(titled(go.Scatter(name="nothing", x=[], y=[]))) == []
