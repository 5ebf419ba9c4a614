"""The registered measures."""

from __future__ import annotations

from collections.abc import Mapping

from alc_core.measures.anonymity_loss import AnonymityLoss
from alc_core.measures.attacker_and_learner import RelativeThreatMeasure
from alc_core.measures.full_recall import HOLDOUT, OWN_ROW_OUT, NoRecall, PriorApproach
from alc_core.measures.measure import Measure, Measured
from alc_core.measures.rapid import RapidMeasure
from alc_core.measures.rows_traced import RowsTraced
from alc_core.runtime.plugins import add_plugged, check_plugged
from alc_core.scenario.scenario import Scenario

_MEASURES: dict[str, Measure] = {}


def register_measure(measure: Measure) -> Measure:
    """Register a measure by its name.

    Raises
    ------
    InputError
        If another one has the name.

    Examples
    --------
    >>> from alc_core.measures.registry import measures
    >>> own = measures()["rapid"]
    >>> register_measure(own) is own
    True
    """
    members = "name", "title", "method", "reference", "numbers", "applies", "measure", "sentence"
    check_plugged(measure, "measure", members)
    add_plugged(_MEASURES, measure.name, measure, "measure")
    return measure


def measures() -> dict[str, Measure]:
    """Return the measures by name, the anonymity loss first."""
    return dict(_MEASURES)


def other_measures() -> tuple[Measure, ...]:
    """Return the measures except the anonymity loss."""
    return tuple(measure for measure in _MEASURES.values() if measure is not ANONYMITY_LOSS)


def measured_sentence(name: str, found: Mapping[str, Measured], scenario: Scenario) -> str:
    """Return a measure's sentence; empty if a file lacks some of its numbers."""
    measure = measures()[name]
    try:
        return measure.sentence(dict(found), scenario)
    except KeyError:
        if all(number.name in found for number in measure.numbers):
            raise  # A fault of the measure
        return ""


ANONYMITY_LOSS = register_measure(AnonymityLoss())
register_measure(RapidMeasure())
register_measure(RelativeThreatMeasure())
ROWS_TRACED = register_measure(RowsTraced())
register_measure(NoRecall())
register_measure(PriorApproach(OWN_ROW_OUT, "the same people without their own rows"))
register_measure(PriorApproach(HOLDOUT, "people in neither table"))
