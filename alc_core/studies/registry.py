"""All studies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from alc_core.errors import InputError
from alc_core.report.sections import Section
from alc_core.runtime.plugins import add_plugged, check_plugged
from alc_core.studies.dependence import DependenceStudy
from alc_core.studies.holdout.study import HoldoutStudy
from alc_core.studies.learning.study import LearningAttacksStudy
from alc_core.studies.prior import PriorStudy
from alc_core.studies.rapid.study import RapidStudy
from alc_core.studies.relative_threat.study import RelativeThreatStudy
from alc_core.studies.remedies.study import RemediesStudy
from alc_core.studies.risk_numbers.study import RiskNumbersStudy
from alc_core.studies.study import Study
from alc_core.studies.utility.study import UtilityStudy

_STUDIES: dict[str, Study[Any]] = {}


def register_study(study: Study[Any]) -> Study[Any]:
    """Register a study.

    Raises
    ------
    InputError
        If the name is taken or the section unknown.

    Examples
    --------
    >>> from alc_core.studies.registry import studies
    >>> own = studies()["utility"]
    >>> register_study(own).name
    'utility'
    """
    check_plugged(study, "study", ("name", "title", "sentence", "parts", "blocks"))
    for each in (study, *study.parts):
        if each.section and each.section not in list(Section):
            raise InputError(f"The report has no section '{each.section}' for '{each.name}'.")
    add_plugged(_STUDIES, study.name, study, "study")
    return study


def studies() -> dict[str, Study[Any]]:
    """Return the studies by name, in order of registration."""
    return dict(_STUDIES)


def with_parts() -> Iterator[Study[Any]]:
    """Yield the studies, each before its parts."""
    for study in _STUDIES.values():
        yield study
        yield from study.parts


for _study in (
    RiskNumbersStudy(), UtilityStudy(), RapidStudy(), RelativeThreatStudy(), LearningAttacksStudy(),
    HoldoutStudy(), PriorStudy(), DependenceStudy(), RemediesStudy(),
):  # fmt: skip
    register_study(_study)
