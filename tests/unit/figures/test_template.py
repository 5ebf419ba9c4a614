"""The common look: what every figure starts from."""

import csv
import io
import re
import tomllib
from importlib import resources
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import pytest

from alc_core.campaign.findings.overview import STANDINGS
from alc_core.figures import looks
from alc_core.figures.figure_data import figure_csv, plain_text
from alc_core.figures.looks import LOOKS, RISING_COLOURS, counted
from alc_core.figures.template import (
    limit_lines,
    limit_words,
    marks,
    new_figure,
    recall_axis,
    rows_axis,
    short,
    whiskers,
    zones,
)
from alc_core.figures.trade_offs import ink_on
from alc_core.scoring.parameters import ScoringParameters

SCORING = ScoringParameters(at_risk=0.4, serious=0.8)


def luminance(colour):
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first, second):
    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_every_standing_has_a_look_with_its_own_mark_and_legible_colours():
    assert tuple(LOOKS) == STANDINGS
    assert len({look.symbol for look in LOOKS.values()}) == len(LOOKS)
    for standing, look in LOOKS.items():
        assert look.label.lower() == f"{look.icon} {standing}"
        assert contrast(look.colour, "#ffffff") >= 4.5, standing
        for ground in ("#ffffff", "#10181d"):
            assert contrast(look.mark, ground) >= 3 or standing == STANDINGS[-1], standing


ROOT = Path(__file__).parents[3]


def test_words_stand_out_from_light_and_dark_grounds():
    theme = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))["theme"]
    for scheme in ("light", "dark"):
        ground, side = (
            part["backgroundColor"] for part in (theme[scheme], theme[scheme]["sidebar"])
        )
        for each in (ground, side):
            assert contrast(theme[scheme]["textColor"], each) >= 4.5, scheme
            assert contrast(theme[scheme]["linkColor"], each) >= 4.5, scheme
    style = resources.files("alc_core.report.html").joinpath("templates", "report.css")
    for block in re.findall(r":root \{(.*?)\}", style.read_text("utf-8"), re.DOTALL):
        of = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", block))
        for ink in ("ink", "quiet", "brand"):
            for ground in ("ground", "card"):
                assert contrast(of[ink], of[ground]) >= 4.5, (ink, ground)


def test_words_of_charts_have_the_pages_ink_but_in_cells_where_they_stand_out():
    figures = Path(looks.__file__).parent
    coloured = re.compile(r'font"?(?:=|: )\{[^}]*"color"')
    found = {f.name: coloured.findall(f.read_text("utf-8")) for f in figures.glob("*.py")}
    assert {name: len(words) for name, words in found.items() if words} == {"template.py": 1}
    for place in range(101):
        assert contrast(ink_on(place / 100), risen(place / 100)) >= 4.5, place


def risen(share):
    """Return the colour of a heat map at a share of its scale."""
    at = min(int(share * 4), 3)
    first, last = (
        [int(RISING_COLOURS[each][n : n + 2], 16) for n in (1, 3, 5)] for each in (at, at + 1)
    )
    mixed = (round(a + (b - a) * (share * 4 - at)) for a, b in zip(first, last, strict=True))
    return "#" + "".join(f"{each:02x}" for each in mixed)


def test_only_standings_that_occur_are_counted_worst_first():
    counts = dict.fromkeys(STANDINGS, 0) | {"below limit": 3, "serious": 1}
    assert counted(counts) == [("serious", 1), ("below limit", 3)]


def test_zones_meet_at_the_limits_and_grow_stronger():
    shapes = zones(SCORING, axis="y", low=-0.5, high=1.0)
    assert [(each["y0"], each["y1"]) for each in shapes] == [
        (-0.5, 0.0), (0.0, 0.4), (0.4, 0.8), (0.8, 1.0),
    ]  # fmt: skip
    assert {(each["xref"], each["x0"], each["x1"]) for each in shapes} == {("paper", 0, 1)}
    strong = zones(SCORING, axis="x", low=-0.5, high=1.0, across=(2, 3), strength=2.0)
    assert {(each["y0"], each["y1"]) for each in strong} == {(2, 3)}
    assert shapes[3]["fillcolor"].endswith(",0.18)")
    assert strong[3]["fillcolor"].endswith(",0.36)")


def test_limits_have_lines_on_each_axis_asked_for_and_words_that_do_not_touch():
    lines = limit_lines(SCORING, axes="xy")
    assert [each["x0"] for each in lines[:2]] == [each["y0"] for each in lines[2:]] == [0.4, 0.8]
    assert [each["x"] for each in limit_words(SCORING)] == [0.0, 0.0]
    close = limit_words(ScoringParameters(at_risk=0.75, serious=0.8))
    assert close[0]["x"] > close[1]["x"]
    across = limit_words(SCORING, axis="x")
    assert [each["xanchor"] for each in across] == ["right", "left"]


def test_marks_stay_as_they_are_after_a_click_and_say_their_text():
    (trace,) = new_figure(
        [marks([1], [2], "a", colour="#123456", symbol="circle-open", texts=["x"], numbers=[7])],
        title="", alt="", height=100, x={}, y={},
    ).data  # fmt: skip
    assert (trace.customdata, trace.text) == ((7,), ("x",))
    assert trace.selected.marker.opacity == trace.unselected.marker.opacity == trace.marker.opacity
    assert trace.marker.line.color == "#123456", "an open symbol is drawn by its outline"


def test_whiskers_reach_the_ends_of_the_interval():
    bars = whiskers([0.5, 0.2], [(0.4, 0.7), (0.2, 0.2)], "#123456")
    assert bars["array"] == pytest.approx([0.2, 0.0])
    assert bars["arrayminus"] == pytest.approx([0.1, 0.0])


def test_the_first_row_is_on_top_and_recall_is_logarithmic():
    rows = rows_axis(["a", "b"])
    assert rows["range"] == [1.5, -0.5]
    axis = recall_axis(0.002)
    assert axis["type"] == "log"
    assert dict(zip(axis["tickvals"], axis["ticktext"], strict=True)) == {
        0.01: "1%", 0.1: "10%", 1.0: "100%",
    }  # fmt: skip


def test_long_names_are_cut_before_they_are_escaped():
    assert short("a < b and more", 6) == "a &lt; b…"
    assert short("two\nlines", 20) == "two lines"


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
