import pytest

import alc_core as alc
from alc_core.campaign.file.store import CampaignStore
from alc_core.campaign.findings.sensitivity import sensitivity_answers
from alc_core.dashboard.statistics.trade_offs import HEAT_MAP, PICTURES, TradeOffChoices
from alc_core.scoring.calculator import EXAMPLES
from tests.app.conftest import NASTY, SAME, opened


@pytest.fixture
def empty(app):
    app.go_to("trade-offs")
    assert app.title == "Statistics"
    return app


@pytest.fixture
def small(app, small_file):
    """A campaign of one attack, whose loss depends on the parameters."""
    with opened(app, small_file):
        yield


@pytest.fixture
def shown(app, mixed_file):
    """An app on the page with a campaign."""
    with opened(app, mixed_file):
        app.go_to("trade-offs")
        yield app


def choose(app, title):
    app.state.screen(TradeOffChoices).picture = title
    app.run()


def scoring_of(app):
    return alc.ScoringParameters(**app.state.rescoring)


def test_without_a_campaign_the_curves_stand_alone_and_the_calculator_works(empty):
    assert "No results yet." in empty.texts
    (alt,) = empty.charts
    assert alt.startswith("Precision against recall. Curves of equal PRC (alpha 3")
    assert "mark" not in alt
    assert "Which attacks change" not in empty.texts
    assert "ALC 0.5158, at risk." in empty.texts
    assert "Reset to the paper's parameters" in empty.buttons


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.title)
def test_every_figure_is_there_with_how_to_read_it(empty, picture):
    choose(empty, picture.title)
    assert len(empty.charts) == 1
    assert picture.reading in empty.texts


def test_figures_follow_the_sliders(empty):
    empty.choose("slider", "rescoring_alpha", 2.0)
    (alt,) = empty.charts
    assert "(alpha 2, R_min 0.0001)" in alt
    assert "PRC 0.5 ends at recall 0.0015" in alt


def test_the_answer_comes_first_in_words(shown):
    grid = shown.state.screen(TradeOffChoices).grid
    answers = sensitivity_answers(grid)
    assert len(answers) == 3
    for answer in answers:
        assert answer.text in shown.helps
        assert answer.of in shown.html
    assert grid.finished == 4
    assert shown.charts[0].startswith("Number of 4 attacks that reach ALC 0.5")
    assert "attacks reach ALC" in shown.helps


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.title)
def test_every_figure_holds_the_attacks_and_says_something_of_them(shown, picture):
    choose(shown, picture.title)
    (alt,) = shown.charts
    assert "With marks for 4 attacks" in alt
    assert "Ringed: " in alt


def test_a_click_on_a_mark_rings_that_attack(shown):
    choose(shown, "Equal ALC")
    numbers = [attack.number for attack in shown.state.campaign.view.attacks]
    texts = set()
    for number in numbers:
        shown.state.screen(TradeOffChoices).attack = number
        shown.run()
        texts.add(shown.charts[0].split("Ringed: ")[1])
    assert len(texts) == len(numbers)
    assert any(NASTY in text for text in texts)


def test_parameters_off_the_sliders_scale_do_not_break_them(empty):
    odd = alc.ScoringParameters(alpha=7.5, r_min=3e-4, confidence=0.91, at_risk=0.02)
    empty.state.rescoring = odd.to_dict()
    empty.run()
    assert scoring_of(empty) == odd
    assert "(alpha 7.5, R_min 0.0003)" in empty.charts[0]


def test_limits_that_make_no_scoring_are_said_and_the_way_back_is_there(shown):
    shown.state.rescoring = {"at_risk": 0.5, "serious": 0.5}
    shown.run()
    assert "at_risk must be less than serious" in shown.texts
    shown.click("Reset to the run's parameters")
    assert shown.charts


def test_changing_attacks_are_listed_with_the_range_of_their_loss(app, small):
    app.go_to("trade-offs")
    grid = app.state.screen(TradeOffChoices).grid
    lowest = grid.alc.min(axis=(0, 1)).clip(min=0.0)
    highest = grid.alc.max(axis=(0, 1)).clip(min=0.0)
    widest = int((highest - lowest).argmax())
    limit = float((lowest[widest] + highest[widest]) / 2)
    app.state.rescoring = {"at_risk": limit, "serious": 1.0}
    app.run()
    table = app.table("lowest")
    assert len(table) == app.state.screen(TradeOffChoices).grid.changing.sum()
    first = table.iloc[0]
    assert first["lowest"] == pytest.approx(lowest[widest])
    assert first["highest"] == pytest.approx(highest[widest])
    assert "cross a limit" in app.texts or "crosses a limit" in app.texts


def test_the_calculator_loads_examples_and_takes_own_numbers(empty):
    fourth = EXAMPLES[3]
    empty.choose("selectbox", "CalculatorChoices_example", fourth.name)
    value = empty.widget("number_input", "CalculatorChoices_attack_recall").value
    assert value == pytest.approx(0.1)
    assert "ALC 0.4968, below limit." in empty.texts
    assert fourth.source in empty.texts
    empty.choose("number_input", "CalculatorChoices_attack_precision", 99.0)
    assert ", 99% correct" in empty.texts
    assert empty.widget("selectbox", "CalculatorChoices_example").value == "Your own numbers"
    assert fourth.source not in empty.texts


def test_a_campaign_without_results_says_so(app, mixed_file, tmp_path):
    with CampaignStore.open(mixed_file) as full:
        settings, attacks = full.settings, full.attacks
    with CampaignStore.create(tmp_path / "planned.alc", settings, attacks) as planned:
        app.take(planned, "trade-offs", SAME)
    assert "No results yet." in app.texts
    assert "0 of 4 attacks have a result so far." in app.texts
    assert app.charts[0].startswith("Precision against recall")


def test_the_heat_map_is_first_with_every_new_campaign(shown):
    choices = shown.state.screen(TradeOffChoices)
    choose(shown, "Equal PRC")
    shown.state.campaign = None
    shown.run()
    choices = shown.state.screen(TradeOffChoices)
    assert choices.attack is None
    assert choices.grid is None
    assert choices.picture != HEAT_MAP


def test_sliders_keep_their_place_from_page_to_page(shown):
    places = (
        ("findings", 2.0), ("trade-offs", 4.0), ("one_attack", 2.5), ("compare", 1.5),
        ("decision", 3.5)
    )  # fmt: skip
    for page, alpha in places:
        before = shown.widget("slider", "rescoring_alpha").value
        shown.go_to(page)
        slider = shown.widget("slider", "rescoring_alpha")
        assert slider.value == before
        assert list(slider.proto.value) == [before]
        assert slider.proto.set_value
        assert shown.widget("slider", "rescoring_at_risk").value == (0.5, 0.75)
        slider.set_value(alpha)
        shown.run()
        assert shown.state.rescoring["alpha"] == alpha
