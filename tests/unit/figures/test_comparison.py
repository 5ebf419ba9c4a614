from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from alc_core.campaign.findings.overview import STANDINGS
from alc_core.compare.comparison import NOT_PLANNED, Gap, compare_with
from alc_core.figures.comparison import (
    MOST_APART,
    MOST_ROWS,
    loss_changes,
    loss_distributions,
    loss_matrix,
    matrix_rows,
)
from alc_core.figures.looks import LOOKS
from alc_core.figures.template import alt_of
from alc_core.scoring.verdict import Verdict
from alc_core.studies.utility.risk_map import risk_utility_map
from tests.toys.utility import made_target, made_utility

NASTY = "<b>release</b> & <img src=x onerror=alert(1)> %{x} $y$"


def utility(release, distance=0.1, accuracy=0.6):
    return made_utility(
        release, columns={"a": distance / 2, "b": distance / 2}, pairs=(("a", "b", distance),),
        relations_kept=1 - distance, targets=(made_target(release=accuracy),),
    )  # fmt: skip


def marks(figure):
    """Coordinates by the attack's number, and by which trace."""
    return {
        number: (x, y, trace.name)
        for trace in figure.data
        if trace.customdata is not None
        for number, x, y in zip(trace.customdata, trace.x, trace.y, strict=True)
    }


def test_each_attack_is_on_its_releases_line_at_its_loss_and_none_below_zero(compared):
    comparison = compared({"weak": [0.9, -7.0, None], "strong": [0.6, 0.1]})
    found = marks(loss_distributions(comparison))
    assert {number: (x, round(y), name) for number, (x, y, name) in found.items()} == {
        0: (0.9, 0, "Serious"), 1: (0.0, 0, "No loss"),
        3: (0.6, 1, "At risk"), 4: (0.1, 1, "Below limit"),
    }  # fmt: skip
    assert all(abs(y - round(y)) < 0.3 for _, y, _ in found.values())


def test_boxes_hold_the_losses_and_releases_stand_in_their_order(compared):
    figure = loss_distributions(compared({"weak": [0.9, -7.0], "none": [None], "c": [0.1]}))
    boxes = [trace for trace in figure.data if trace.type == "box"]
    assert [(box.name, sorted(box.x)) for box in boxes] == [("weak", [0.0, 0.9]), ("c", [0.1])]
    assert figure.layout.yaxis.ticktext == ("weak", "none", "c")
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]
    alt = alt_of(loss_distributions(compared({"weak": [0.9, -7.0], "none": [None]})))
    assert "weak: 2 attacks, median 0.45" in alt
    assert "none: no attack has an ALC." in alt


def test_the_matrix_holds_standing_and_loss_of_every_attack(compared):
    comparison = compared({"weak": [0.2, 0.9, ("nothing left", -3.0), None], "strong": [-0.5, 0.6]})
    heat, text = loss_matrix(comparison).data
    names = [[STANDINGS[int(code)] if code == code else "" for code in row] for row in heat.z]
    assert names == [["serious", "at risk"], ["below limit", "no loss"],
                     ["not testable", ""], ["", ""]]  # fmt: skip
    cells = dict(zip(zip(text.y, text.x, strict=True), text.text, strict=True))
    assert cells == {
        (0, 0): "✖ 0.90", (0, 1): "▲ 0.60", (1, 0): "✔ 0.20", (1, 1): "✔✔ 0", (2, 0): "○",
    }  # fmt: skip
    assert list(text.customdata) == [1, 5, 0, 4, 2]


def test_a_small_loss_is_not_written_as_none(compared):
    _, text = loss_matrix(compared({"weak": [0.9, 0.003], "strong": [0.6, 0.0]})).data
    assert set(text.text) == {"✖ 0.90", "✔ <0.01", "▲ 0.60", "✔✔ 0"}


def test_many_attacks_become_one_row_per_unknown_column_and_can_be_asked_for(compared, monkeypatch):
    comparison = compared({"weak": [0.01 * each for each in range(MOST_ROWS + 5)]})
    rows = matrix_rows(comparison)
    assert rows.grouped
    assert (len(rows.labels), rows.left_out) == (MOST_ROWS, 5)
    assert rows.labels[0] == f"<b>secret{MOST_ROWS + 4}</b>", "many rows are low: one line each"
    assert matrix_rows(comparison, "secret3").labels == ("<b>secret3</b><br>← age, sex",)
    assert "5 more not shown" in alt_of(loss_matrix(comparison))
    few = compared({"weak": [0.01 * each for each in range(MOST_APART)]})
    assert not matrix_rows(few).grouped


def test_of_few_rows_each_release_keeps_its_own_worst(compared):
    losses = {"weak": [0.9, 0.85, 0.8, 0.1, 0.05], "strong": [0.0, 0.02, 0.0, 0.01, 0.3]}
    comparison = compared(losses)
    rows = matrix_rows(comparison, most=2)
    assert (len(rows.first), rows.left_out) == (2, 3)
    for place, release in enumerate(comparison.releases):
        shown = [comparison.alc[row, place] for row in rows.cells[:, place]]
        assert max(shown) == max(losses[release]), release


def test_a_grouped_cell_is_the_worst_of_its_attacks(compared, monkeypatch):
    comparison = compared({"weak": [0.2, 0.6, None], "strong": [0.3, 0.1, 0.2]})
    monkeypatch.setattr("alc_core.figures.comparison.MOST_APART", 1)
    object.__setattr__(comparison, "unknown", ("job", "job", "job"))
    heat, text = loss_matrix(comparison).data
    assert [STANDINGS[int(code)] for code in heat.z[0]] == ["at risk", "below limit"]
    assert text.customdata == (1, 3)
    assert matrix_rows(comparison).attacks.tolist() == [[2, 3]], "those with a result"
    assert text.hovertext[0].startswith("The worst of 2 attacks")


def test_names_from_data_show_as_they_are_and_long_ones_are_cut(compared):
    long = "release " * 20
    comparison = compared({NASTY: [0.9], long: [0.5]})
    utilities = {NASTY: utility(NASTY)}
    change = compare_with(comparison, NASTY, long)
    for figure in (
        loss_distributions(comparison), loss_matrix(comparison),
        loss_changes(comparison, change), risk_utility_map(comparison, utilities),
    ):  # fmt: skip
        text = figure.update_layout(meta=None).to_json().replace("\\u003c", "<")
        assert "<img" not in text
        assert "<b>release" not in text
    heads = loss_matrix(comparison).layout.annotations
    assert heads[0].text.startswith("&lt;b&gt;")
    assert heads[1].text.endswith("…")
    assert heads[1].hovertext.count("release") > heads[1].text.count("release")


def test_labels_and_hover_texts_name_the_attack_only_where_there_are_several(compared):
    comparison = compared({"weak": [0.9, 0.1]})
    assert "best row match" not in loss_matrix(comparison).to_json()
    several = replace(comparison, attack=("best row match", "naive Bayes attack"))
    rows = matrix_rows(several).labels
    assert [label.rpartition(", ")[2] for label in rows] == list(several.attack)
    _, cells = loss_matrix(several).data
    assert "<br>by best row match<br>" in cells.hovertext[0]


def test_below_the_diagonal_is_safer_and_groups_go_by_intervals(compared):
    comparison = compared({"weak": [0.9, 0.1, (0.3, 0.2)], "strong": [0.2, 0.7, (0.2, 0.2)]})
    change = compare_with(comparison, "weak", "strong")
    figure = loss_changes(comparison, change)
    assert marks(figure) == {
        3: (0.9, 0.2, "Clearly safer"), 4: (0.1, 0.7, "Clearly riskier"),
        5: (0.3, 0.2, "Intervals overlap"),
    }  # fmt: skip
    assert figure.layout.xaxis.title.text.startswith("ALC on weak")
    assert figure.layout.yaxis.title.text.startswith("ALC on strong")
    assert "1 clearly safer" in alt_of(figure)


def points(figure):
    return {trace.name: (trace.x[0], trace.y[0]) for trace in figure.data}


@pytest.mark.parametrize(
    ("measure", "weak", "strong"), [("relations", 0.98, 0.7), ("accuracy", 0.75, 0.5)]
)
def test_releases_are_placed_by_utility_and_worst_loss(compared, measure, weak, strong):
    comparison = compared({"weak": [0.9, 0.1], "strong": [-3.0, -1.0], "other": [0.5, 0.5]})
    utilities = {"weak": utility("weak", 0.02), "strong": utility("strong", 0.3, 0.4)}
    found = points(risk_utility_map(comparison, utilities, utility=measure))
    assert found == {
        "weak": (pytest.approx(weak), 0.9), "strong": (pytest.approx(strong), 0.0),
        "Original unchanged": (1, 1),
    }  # fmt: skip


def test_the_worst_attack_has_its_interval(compared):
    comparison = compared({"weak": [(0.9, 0.05), 0.1], "strong": [(0.01, 0.05)]})
    utilities = {name: utility(name) for name in ("weak", "strong")}
    weak, strong, _ = risk_utility_map(comparison, utilities).data
    assert (weak.error_y.array[0], weak.error_y.arrayminus[0]) == pytest.approx((0.05, 0.05))
    assert strong.error_y.arrayminus[0] == pytest.approx(0.01)


def name_note(figure, name):
    (note,) = (each for each in figure.layout.annotations if name in each.text)
    return note


def test_a_mark_has_its_releases_number_and_the_selected_ones_name_is_bold(compared):
    comparison = compared({"none": [0.5], "weak": [0.9], "strong": [0.1]})
    utilities = {name: utility(name) for name in ("weak", "strong")}
    figure = risk_utility_map(comparison, utilities, selected="strong")
    numbers = {trace.name: trace.customdata for trace in figure.data}
    assert numbers == {"weak": (1,), "strong": (2,), "Original unchanged": None}
    assert (name_note(figure, "weak").text, name_note(figure, "strong").text) == (
        "weak", "<b>strong</b>",
    )  # fmt: skip


@pytest.mark.parametrize("measure", ["relations", "accuracy"])
def test_a_name_covers_no_words_at_the_bottom_and_stays_above_the_axis(compared, measure):
    one = utility("a_release_of_22_letter", 0.025, 0.39)  # a bit left of what it is compared with
    comparison = compared({one.release: [(0.0, 0.2)]})
    note = name_note(risk_utility_map(comparison, {one.release: one}, utility=measure), "letter")
    assert note.yanchor == "bottom" or note.xanchor == "right"


def test_the_map_says_what_to_compare_with(compared):
    comparison = compared({"weak": [0.9]})
    accuracy = risk_utility_map(comparison, {"weak": utility("weak")}, utility="accuracy")
    assert any(shape.x0 == pytest.approx(0.5) for shape in accuracy.layout.shapes)
    assert "Most frequent value" in [each.text for each in accuracy.layout.annotations]


def test_the_map_is_told_in_words(compared):
    comparison = compared({"weak": [0.9], "strong": [0.1]})
    alt = alt_of(risk_utility_map(comparison, {"weak": utility("weak")}))
    assert "weak: 90% of relations kept, worst attack: ALC 0.90." in alt
    assert "strong" not in alt
    assert "No release has utility yet" in alt_of(risk_utility_map(comparison, {}))
    assert np.isfinite(risk_utility_map(comparison, {}).layout.xaxis.range).all()


def test_marks_have_the_releases_own_standing_and_names_cover_nothing(compared):
    comparison = compared({"one": [(0.74, 0.01)], "two": [(0.72, 0.01)], "far": [(0.1, 0.2)]})
    utilities = {"one": utility("one", 0.02), "two": utility("two", 0.03), "far": utility("far")}
    worst = SimpleNamespace(alc=0.735, low=0.6, high=0.8, standing=Verdict.AT_RISK)
    line = SimpleNamespace(
        release="one", shown_standing=Verdict.SERIOUS, worst=worst, title="Rows lead to people"
    )
    figure = risk_utility_map(comparison, utilities, lines=[line])
    one, two, *_ = figure.data
    assert (one.y, two.y) == ((0.735,), (0.72,)), "the attack that its line names, else the highest"
    assert one.marker.color == LOOKS[Verdict.SERIOUS].mark
    assert two.marker.color == LOOKS[Verdict.AT_RISK].mark
    assert one.hovertext[0].startswith("<b>one</b>: Rows lead to people<br>worst attack: ALC 0.7")
    assert "(interval 0.60 to 0.80), at risk<br>" in one.hovertext[0]
    notes = {name: name_note(figure, name) for name in ("one", "two", "far")}
    assert notes["one"].yanchor != "middle"  # where a limit runs
    assert notes["two"].yanchor != "middle"
    assert (notes["far"].yanchor, notes["far"].xanchor) == ("middle", "right")


@pytest.mark.parametrize("distance", [0.02, 0.3, 0.6, 0.98])
def test_long_names_on_the_map_are_whole_in_a_narrow_window(compared, distance):
    name = "a_release_of_22_letter"
    figure = risk_utility_map(compared({name: [(0.3, 0.01)]}), {name: utility(name, distance)})
    mark, (left, right) = figure.data[0], figure.layout.xaxis.range
    at = 450 * (mark.x[0] - left) / (right - left)  # pixels
    long = 6.5 * len(name) + 10  # pixels
    side = name_note(figure, name).xanchor
    begin = {"right": at - long, "left": at, "center": at - long / 2}[side]
    assert begin >= 0
    assert begin + long <= 450


CLOSE = {  # ALC, half its interval, and distance to the original
    "survey": [(0.94, 0.01, 0.09), (0.42, 0.14, 0.06), (0.27, 0.24, 0.06), (0.24, 0.2, 0.07),
               (0.24, 0.22, 0.05)],
    "alike": [(0.3, 0.1, 0.06)] * 3,
    "apart": [(0.8, 0.05, 0.03), (0.55, 0.08, 0.06), (0.3, 0.2, 0.12), (0.62, 0.1, 0.2)],
}  # fmt: skip


@pytest.mark.parametrize("case", CLOSE)
def test_names_on_the_map_cover_no_bar_no_mark_and_no_other_name(compared, case):
    found = {f"release_{letter}": each for letter, each in zip("ABCDE", CLOSE[case], strict=False)}
    comparison = compared({name: [(loss, half)] for name, (loss, half, _) in found.items()})
    utilities = {name: utility(name, distance) for name, (*_, distance) in found.items()}
    figure = risk_utility_map(comparison, utilities)
    (left, right), (low, high) = figure.layout.xaxis.range, figure.layout.yaxis.range
    across, up = 640 / (right - left), (figure.layout.height - 110) / (high - low)  # pixels
    names, others = [], []
    for name in found:
        note = name_note(figure, name)
        x, y = note.x * across + (note.xshift or 0), note.y * up + (note.yshift or 0)
        x -= {"left": 0, "center": 0.5, "right": 1}[note.xanchor] * (width := 7 * len(name))
        y -= {"bottom": 0, "middle": 0.5, "top": 1}[note.yanchor] * 16
        names.append((x, x + width, y, y + 16))
    for mark in figure.data[:-1]:
        x, y = mark.x[0] * across, mark.y[0] * up
        more, less = mark.error_y.array[0] * up, mark.error_y.arrayminus[0] * up
        others += [(x - 7, x + 7, y - 7, y + 7), (x - 1, x + 1, y - less, y + more)]

    def meet(one, other):
        return one[0] < other[1] and other[0] < one[1] and one[2] < other[3] and other[2] < one[3]

    for place, one in enumerate(names):
        assert not any(meet(one, other) for other in (*others, *names[place + 1 :]))


@pytest.mark.parametrize(("majority", "side"), [(0.79, "right"), (0.1, "left")])
def test_what_use_is_compared_with_is_said_where_there_is_room(compared, majority, side):
    one = made_utility("one", targets=(made_target(release=0.2, majority=majority),))
    figure = risk_utility_map(compared({"one": [0.3]}), {"one": one}, utility="accuracy")
    assert name_note(figure, "Most frequent value").xanchor == side


def test_short_names_of_a_few_releases_stand_in_one_line(compared):
    names = [f"release_{letter}" for letter in "ABCDEF"]
    figure = loss_matrix(compared({name: [0.2, 0.6] for name in names}))
    assert [note.text for note in figure.layout.annotations] == names


def test_heads_of_the_matrix_are_so_narrow_that_they_fit_beside_each_other(compared):
    names = ["adult_swapped_80_percent.csv", "a", "synthetic data of 2026, tree", "x" * 60]
    notes = loss_matrix(compared({name: [0.2, 0.6] for name in names})).layout.annotations
    heads = [note.text.split("<br>") for note in notes]
    assert all(len(line) <= 12 for lines in heads for line in lines)
    assert max(map(len, heads)) <= 5
    assert heads[0] == ["adult_", "swapped_80_", "percent.csv"]
    assert heads[1] == ["a"]
    assert [note.hovertext for note in notes][:2] == names[:2]


def test_an_empty_cell_of_a_group_says_why_the_attack_that_it_asked_for_has_none(
    compared, monkeypatch
):
    comparison = compared({"weak": [0.2, 0.6], "counts": [None, None]})
    monkeypatch.setattr("alc_core.figures.comparison.MOST_APART", 1)
    object.__setattr__(comparison, "unknown", ("job", "job"))
    comparison.number[:, 1] = [NOT_PLANNED, 7]
    gaps = {(0, 1): Gap(mark="-", reason="Not planned"), (1, 1): Gap(mark="!", reason="It failed")}
    (_, marks, *_) = loss_matrix(comparison, gaps=gaps).data
    assert marks.text == ("!",)
