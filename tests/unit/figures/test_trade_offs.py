"""The figures of the paper: their data, the attacks in them, their texts."""

import time

import numpy as np
import pytest

from alc_core.figures.attack_marks import MANY
from alc_core.figures.looks import LOOKS
from alc_core.figures.prc_curves import equal_prc_figure, prc_parameter_figure
from alc_core.figures.template import alt_of
from alc_core.figures.trade_offs import RECALLS, equal_loss_figure, needed_precision_figure
from alc_core.scoring.formulas import anonymity_loss, prc
from alc_core.scoring.parameters import ScoringParameters
from tests.toys.findings import findings_rows

PAPER = ScoringParameters()
SQUARE = ScoringParameters(alpha=2)


def attacks(pairs, **columns):
    """Rows for pairs of attack and baseline PRC at recall 1."""
    attack, baseline = np.array(pairs, dtype=float).T
    rows = findings_rows((attack - baseline) / (1 - baseline), decisive="alc")
    for side, role, values in (("attack", "deciding", attack), ("baseline", "compared", baseline)):
        for name in ("prc", "precision", "measured_precision", "recall"):
            rows[f"{side}_{name}"] = rows[f"{role}_{name}"] = 1.0 if name == "recall" else values
    return rows.assign(**columns)


PAIRS = [(0.95, 0.2), (0.7, 0.2), (0.5, 0.3), (0.2, 0.4)]


def curve(figure, meta):
    (trace,) = (trace for trace in figure.data if trace.meta == meta)
    return np.asarray(trace.x), np.asarray(trace.y)


def at(figure, meta, x):
    xs, ys = curve(figure, meta)
    return float(np.interp(np.log(x), np.log(xs), ys)) if xs[0] > 0 else float(np.interp(x, xs, ys))


def marks(figure):
    """Traces of attacks, without the ring."""
    return [t for t in figure.data if t.customdata is not None and t.name != "Selected"]


def drawn(figure):
    return {
        number: (float(x), float(y))
        for trace in marks(figure)
        for number, x, y in zip(trace.customdata, trace.x, trace.y, strict=True)
    }


def test_equal_prc_goes_through_the_papers_points_for_alpha_2():
    figure = equal_prc_figure(SQUARE)
    recall, precision = curve(figure, 0.5)
    assert (recall[0], precision[0]) == pytest.approx((0.00148, 1.0), abs=1e-5)
    assert (recall[-1], precision[-1]) == pytest.approx((1.0, 0.5))
    assert at(figure, 0.5, 0.02328) == pytest.approx(0.6, abs=1e-3)


def test_equal_prc_for_alpha_3_is_the_true_curve_not_the_papers_points():
    figure = equal_prc_figure(PAPER)
    assert at(figure, 0.5, 0.02328) == pytest.approx(0.5 / prc(1.0, 0.02328), abs=1e-3)
    assert at(figure, 0.5, 0.00148) < 0.8
    assert [trace.meta for trace in figure.data] == pytest.approx(np.arange(1, 10) / 10)


@pytest.mark.parametrize("value", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("scoring", [PAPER, ScoringParameters(alpha=0.5, r_min=0.01)])
def test_every_point_of_an_equal_prc_curve_has_that_prc(value, scoring):
    recall, precision = curve(equal_prc_figure(scoring), value)
    found = prc(precision, recall, alpha=scoring.alpha, r_min=scoring.r_min)
    assert found == pytest.approx(np.full(len(recall), value))
    assert precision.max() == pytest.approx(1.0)


@pytest.mark.parametrize(("parameter", "other"), [("alpha", 6.0), ("r_min", 1e-6)])
def test_parameter_curves_differ_by_the_parameter_and_the_chosen_one_stands_out(parameter, other):
    scoring = ScoringParameters(alpha=2.2, r_min=2e-4)
    figure = prc_parameter_figure(scoring, parameter, level=0.4)
    chosen = getattr(scoring, parameter)
    widths = {trace.meta: trace.line.width for trace in figure.data}
    assert max(widths, key=widths.get) == chosen
    recall, precision = curve(figure, other)
    kept = {"alpha": scoring.alpha, "r_min": scoring.r_min} | {parameter: other}
    assert prc(precision, recall, **kept) == pytest.approx(np.full(len(recall), 0.4))
    # Higher alpha and lower R_min reach further left.
    assert recall[0] < curve(figure, chosen)[0][0]
    assert figure.layout.xaxis.range[0] < np.log10(recall[0])
    assert any("<b>" in note.text for note in figure.layout.annotations)


def test_equal_loss_goes_through_the_papers_point():
    figure = equal_loss_figure(None, PAPER)
    assert at(figure, 0.5, 0.05) == pytest.approx(0.525)
    assert at(figure, 0.5, 0.5) == pytest.approx(0.75)
    baseline, attack = curve(figure, 0.3)
    assert anonymity_loss(attack[:-1], baseline[:-1]) == pytest.approx(np.full(200, 0.3))


def test_equal_loss_emphasises_the_limits_once_whatever_they_are():
    for limits in ((0.5, 0.75), (0.3, 0.6), (0.33, 0.34)):
        scoring = ScoringParameters(at_risk=limits[0], serious=limits[1])
        figure = equal_loss_figure(None, scoring)
        thick = [t.meta for t in figure.data if t.line.width == 2.5]
        assert thick == list(limits)
        metas = [t.meta for t in figure.data if t.meta is not None]
        assert len(metas) == len(set(metas))
        assert any("At risk" in note.text for note in figure.layout.annotations)


def test_absolute_loss_has_parallel_curves():
    scoring = ScoringParameters(loss="absolute")
    baseline, attack = curve(equal_loss_figure(None, scoring), 0.5)
    inside = ~np.isnan(attack)
    assert attack[inside] - baseline[inside] == pytest.approx(np.full(inside.sum(), 0.5))
    assert np.isnan(attack[-1])
    assert "parallel" in alt_of(equal_loss_figure(None, scoring))


def test_attacks_are_where_their_prcs_say_with_colour_and_shape_of_their_standing():
    rows = attacks(PAIRS)
    figure = equal_loss_figure(rows, PAPER)
    assert drawn(figure) == {10 + at: (b, a) for at, (a, b) in enumerate(PAIRS)}
    by_name = {trace.name: trace.marker for trace in marks(figure)}
    assert set(by_name) == {"Serious (1)", "At risk (1)", "Below limit (1)", "No loss (1)"}
    colour, symbol = LOOKS["serious"].mark, LOOKS["serious"].symbol
    assert (by_name["Serious (1)"].color, by_name["Serious (1)"].symbol) == (colour, symbol)
    assert marks(figure)[-1].name == "Serious (1)"
    assert len({look.symbol for look in LOOKS.values()}) == len(LOOKS)


def test_customdata_are_plain_numbers_in_lists_so_that_clicks_come_back():
    for trace in marks(equal_loss_figure(attacks(PAIRS), PAPER)):
        assert isinstance(trace.customdata, tuple | list)
        assert all(type(number) is int for number in trace.customdata)


def test_nothing_left_is_a_standing_of_its_own():
    rows = attacks(PAIRS)
    rows.loc[2, ["verdict", "standing"]] = "not testable"
    names = {trace.name for trace in marks(equal_loss_figure(rows, PAPER))}
    assert "Not testable (1)" in names
    assert "Below limit (1)" not in names


def test_attacks_without_a_loss_are_left_out_and_an_empty_table_is_no_error():
    rows = attacks(PAIRS)
    rows.loc[0, "decisive_alc"] = np.nan
    assert set(drawn(equal_loss_figure(rows, PAPER))) == {11, 12, 13}
    assert not drawn(equal_loss_figure(rows.iloc[:0], PAPER))
    assert "mark" not in alt_of(equal_loss_figure(rows.iloc[:0], PAPER))


def test_hovering_says_the_points_that_the_mark_and_its_loss_stand_for():
    # Where the rest decides, each side at its own best is another point.
    own = {f"{side}_prc": 0.94 for side in ("attack", "baseline")}
    (text,) = marks(equal_loss_figure(attacks([(0.9, 0.2)], **own), PAPER))[-1].text
    assert "attack: PRC 0.90" in text
    assert "baseline: PRC 0.20" in text


def test_the_selected_attack_is_ringed_joined_with_its_baseline_and_said():
    rows = attacks(PAIRS, deciding_recall=0.01)
    figure = equal_prc_figure(PAPER, rows, selected=11)
    (ring,) = (trace for trace in figure.data if trace.name == "Selected")
    assert (ring.x[0], ring.y[0]) == (0.01, 0.7)
    (line,) = (trace for trace in figure.data if trace.name == "Its baseline")
    assert (list(line.x), list(line.y)) == ([1.0, 0.01], [0.2, 0.7])
    assert "Ringed: income from v1.csv" in alt_of(equal_prc_figure(PAPER, rows, selected=11))
    assert "Ringed" not in alt_of(equal_prc_figure(PAPER, rows, selected=99))


def test_attacks_on_fewer_people_than_r_min_are_still_in_the_picture():
    figure = equal_prc_figure(PAPER, attacks(PAIRS, deciding_recall=3e-6))
    assert figure.layout.xaxis.range[0] < np.log10(3e-6)


def test_needed_precision_is_that_of_the_papers_example():
    figure = needed_precision_figure(PAPER, same_recall=True)
    assert at(figure, 1.0, 0.05) == pytest.approx(0.525)
    assert at(figure, 0.001, 0.1) == pytest.approx(0.915, abs=0.005)
    # "only about 10% higher" at one in a hundred
    assert at(figure, 0.01, 0.1) / at(figure, 1.0, 0.1) == pytest.approx(1.1, abs=0.05)


@pytest.mark.parametrize("same_recall", [True, False])
@pytest.mark.parametrize("scoring", [PAPER, ScoringParameters(at_risk=0.2, loss="absolute")])
def test_at_the_needed_precision_the_loss_is_the_limit(same_recall, scoring):
    figure = needed_precision_figure(scoring, same_recall=same_recall)
    for recall in RECALLS[:-1]:
        baseline, needed = curve(figure, recall)
        inside = ~np.isnan(needed) & (baseline < 1)
        base = prc(baseline, recall) if same_recall else baseline
        loss = anonymity_loss(prc(needed[inside], recall), base[inside], kind=scoring.loss)
        assert inside.any()
        assert loss == pytest.approx(np.full(inside.sum(), scoring.at_risk))


def test_a_limit_that_no_precision_reaches_is_said():
    figure = needed_precision_figure(PAPER)
    (never,) = (trace for trace in figure.data if trace.meta == 0.0003)
    assert ": never" in never.name
    assert np.isnan(never.y).all()
    assert "none at recall 0.0003" in alt_of(needed_precision_figure(PAPER))


def test_attacks_are_drawn_against_the_baselines_prc_only():
    rows = attacks(PAIRS)
    expected = {10 + at: (b, a) for at, (a, b) in enumerate(PAIRS)}
    assert drawn(needed_precision_figure(PAPER, rows)) == expected
    assert not drawn(needed_precision_figure(PAPER, rows, same_recall=True))


def test_many_attacks_are_drawn_quickly():
    rng = np.random.default_rng(0)
    rows = attacks(rng.uniform(0.05, 0.95, (MANY + 1, 2)))
    thousand = rows.iloc[:1000]
    equal_loss_figure(thousand, PAPER)
    start = time.process_time()
    equal_loss_figure(thousand, PAPER, selected=10).to_json()
    assert time.process_time() - start < 0.5
