from __future__ import annotations

from alc_core.assessment.result import Assessment
from alc_core.assessment.words import changed_verdict, verdict_title
from alc_core.errors import TooFewTargetsError


def html(app) -> str:
    return "\n".join(element.value for element in app.test.get("html"))


def test_before_a_run_it_says_where_to_go(app):
    app.test.switch_page("pages/findings.py")
    app.run()
    assert app.title == "Findings"
    assert "There is no result yet." in app.texts


def test_a_run_ends_in_a_verdict_with_its_numbers(done):
    result = done.state.result.assessment
    assert verdict_title(result) in html(done)
    assert "Someone who knows age and city of a person" in done.texts
    labels = [metric.label for metric in done.test.metric]
    assert labels == ["ALC", "Precision", "Recall", "Precision", "Recall"]
    assert [chart.proto.alt for chart in done.test.get("plotly_chart")]
    assert "SHA-256" in done.texts
    assert [button.label for button in done.test.get("download_button")] == [
        "Data (CSV)",
        "Download JSON",
        "Download CSV",
    ]


def test_sliders_rescore_at_once_and_go_back(done):
    before = done.state.result.assessment
    assert done.buttons["Back to the run's parameters"].disabled
    done.widget("slider", "Rescoring_alpha").set_value(1.0)
    done.run()
    shown = before.rescore(alpha=1.0)
    assert f"ALC **{'no loss' if shown.alc <= 0 else f'{shown.alc:.2f}'}**" in done.texts
    assert "alpha 1, R_min 0.0001" in done.texts
    done.click("Back to the run's parameters")
    assert "alpha 3, R_min 0.0001" in done.texts
    assert done.widget("slider", "Rescoring_alpha").value == 3.0


def test_a_changed_verdict_is_told(done):
    run = done.state.result.assessment
    done.widget("slider", "Rescoring_limits").set_range(0.05, 0.06)
    done.run()
    sentence = changed_verdict(run, run.rescore(at_risk=0.05, serious=0.06))
    assert ("under the run's parameters" in done.texts) == bool(sentence)
    assert sentence in done.texts


def test_impossible_parameters_keep_the_page(done):
    done.widget("slider", "Rescoring_limits").set_range(0.5, 0.5)
    done.run()
    assert done.title == "Findings"
    assert "The thresholds must satisfy" in done.texts
    assert "Move the sliders, or go back" in done.texts
    done.click("Back to the run's parameters")
    assert "The thresholds must satisfy" not in done.texts


def test_too_few_targets_after_a_higher_confidence(done, monkeypatch):
    def fail(self, **changes):
        raise TooFewTargetsError("No threshold is precise enough. Attack more targets.")

    monkeypatch.setattr(Assessment, "rescore", fail)
    done.run()
    assert "No threshold is precise enough" in done.texts
    assert not done.test.metric


def test_results_of_earlier_inputs_stay_and_are_marked(done):
    done.state.choices.known = ["age"]
    done.run()
    assert "Out of date: since this run you changed the columns or people attacked" in done.texts
    assert done.test.metric


def test_terms_are_explained(done):
    for term in ("Precision", "Recall", "Baseline", "PRC", "ALC", "Rank score"):
        assert f"**{term}**:" in done.texts


def test_slider_values_survive_a_visit_to_another_page(done):
    done.widget("slider", "Rescoring_alpha").set_value(2.0)
    done.run()
    done.test.switch_page("pages/attack.py")
    done.run()
    done.test.switch_page("pages/findings.py")
    done.run()
    assert done.widget("slider", "Rescoring_alpha").value == 2.0
