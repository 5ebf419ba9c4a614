import numpy as np
import pytest

from alc_core.errors import ParameterError
from alc_core.scoring.calculator import EXAMPLES, calculate, needed_precision
from alc_core.scoring.formulas import anonymity_loss, prc
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import Verdict

PAPER = ScoringParameters()


def of(example, scoring=PAPER):
    return calculate(
        example.attack_precision,
        example.attack_recall,
        baseline_precision=example.baseline_precision,
        baseline_recall=example.baseline_recall,
        scoring=scoring,
    )


def test_the_examples_of_table_3_are_near_one_half_as_the_paper_says():
    table = [example for example in EXAMPLES if "table 3" in example.source]
    assert len(table) == 4
    losses = [of(example).alc for example in table]
    assert losses == pytest.approx([0.5158, 0.5, 0.5, 0.4968], abs=1e-4)


def test_other_examples_have_the_papers_losses():
    losses = {example.name: of(example).alc for example in EXAMPLES}
    assert losses["The same difference, low baseline"] == pytest.approx(0.2222, abs=1e-4)
    assert losses["The same difference, high baseline"] == pytest.approx(0.8)
    assert losses["One in a thousand, from 10% to 92%"] == pytest.approx(0.5032, abs=1e-4)
    assert len(losses) == len(EXAMPLES)


def test_parameters_and_limits_count():
    example = EXAMPLES[3]
    strict = ScoringParameters(alpha=2, r_min=1e-3 / 2, at_risk=0.1, serious=0.2, loss="absolute")
    found = of(example, strict)
    attack = prc(0.96, 0.001, alpha=2, r_min=5e-4)
    baseline = prc(0.2, 0.001, alpha=2, r_min=5e-4)
    assert found.attack_prc == attack
    assert found.alc == anonymity_loss(attack, baseline, kind="absolute")
    assert found.scoring is strict


def test_the_sentence_says_what_was_given_and_found():
    found = of(EXAMPLES[3])
    assert found.sentence == (
        "Attack: 0.1% of people, 96% correct (PRC 0.5550). Baseline: 0.1%, 20% correct (PRC "
        "0.1156): ALC 0.4968, below limit."
    )


def test_no_loss_and_a_perfect_baseline_are_said_plainly():
    harmless = calculate(0.4, 1, baseline_precision=0.6, baseline_recall=1, scoring=PAPER)
    assert harmless.sentence.endswith("ALC not above 0, no loss.")
    perfect = calculate(0.9, 1, baseline_precision=1, baseline_recall=1, scoring=PAPER)
    assert perfect.alc == -np.inf
    assert perfect.sentence.endswith("ALC not above 0, no loss.")


@pytest.mark.parametrize("recall", [1.0, 0.1, 0.002])
@pytest.mark.parametrize("baseline", [0.0, 0.3])
def test_with_the_needed_precision_the_limit_is_reached(recall, baseline):
    found = calculate(0.5, recall, baseline_precision=baseline, baseline_recall=1, scoring=PAPER)
    needed = found.needed_precision
    there = calculate(needed, recall, baseline_precision=baseline, baseline_recall=1, scoring=PAPER)
    assert there.alc == pytest.approx(0.5)
    assert f"if {needed:.1%} are correct" in found.needed_sentence


def test_where_no_precision_is_enough_that_is_said():
    found = calculate(1, 2e-4, baseline_precision=0.2, baseline_recall=1, scoring=PAPER)
    assert np.isnan(found.needed_precision)
    assert "cannot reach ALC 0.5" in found.needed_sentence
    below = calculate(1, 1e-5, baseline_precision=0.2, baseline_recall=1, scoring=PAPER)
    assert np.isnan(below.needed_precision)


def test_needed_precision_takes_arrays():
    found = needed_precision(np.array([0.05, 0.5, 1.0]), 1.0, PAPER)
    assert found == pytest.approx([0.525, 0.75, 1.0])


def test_shares_out_of_bounds_are_refused():
    with pytest.raises(ParameterError, match=r"precision must lie in \[0, 1\]"):
        calculate(1.2, 1, baseline_precision=0.1, baseline_recall=1, scoring=PAPER)


def test_a_loss_at_the_limit_is_at_risk_and_shares_are_told_as_given():
    at_limit = of(EXAMPLES[1])  # 0.95 against 0.9: in binary fractions a little less than 0.5
    assert at_limit.verdict is Verdict.AT_RISK
    assert at_limit.sentence.endswith("ALC 0.5000, at risk.")
    found = calculate(0.925, 0.008, baseline_precision=0.61, baseline_recall=0.12, scoring=PAPER)
    assert "Attack: 0.8% of people, 92.5% correct" in found.sentence
