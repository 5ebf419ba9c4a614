"""A measure for tests: how often the attack is right about everyone, and how sure it is of it."""

import numpy as np

from alc_core.measures.measure import Measured, MeasureNumber
from alc_core.phrasing import percent
from alc_core.scoring.intervals import wilson_interval


class ToyHits:
    name = "toy hits"
    title = "Toy hits"
    method = "The share of people about whom the attack, always answering, is right."
    reference = "Nobody (2026)"
    numbers = (
        MeasureNumber(name="share", title="Toy hit share", help="Higher is riskier."),
        MeasureNumber(
            name="belief", title="Toy belief", help="Mean probability of the truth.",
            has_interval=False,
        ),
    )  # fmt: skip

    def applies(self, predicted):
        return len(predicted) > 0

    def measure(self, predicted):
        hits, people = int(predicted.attack_right.sum()), len(predicted)
        low, high = wilson_interval(hits, people, confidence=predicted.scoring.confidence)
        numbers = {"share": Measured(hits / people, float(low), float(high))}
        if predicted.probability is not None:
            numbers["belief"] = Measured(float(np.nanmean(predicted.probability)))
        return numbers

    def sentence(self, measured, scenario):
        return f"The toy hits {scenario.unknown} in {percent(measured['share'].value)} of cases."
