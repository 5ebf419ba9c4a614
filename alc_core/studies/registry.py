"""The studies that there are; page, command, files and report have all of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from alc_core.errors import InputError
from alc_core.studies.risk_numbers.study import RiskNumbersStudy
from alc_core.studies.study import Study

_STUDIES: dict[str, Study[Any]] = {}


def register_study(study: Study[Any]) -> Study[Any]:
    """Make a study known by its name.

    Raises
    ------
    InputError
        If another one has the name.
    """
    if _STUDIES.setdefault(study.name, study) is not study:
        raise InputError(f"There is a study called '{study.name}' already.")
    return study


def studies() -> dict[str, Study[Any]]:
    """Return the studies by name, the first registered first."""
    return dict(_STUDIES)


def with_parts() -> Iterator[Study[Any]]:
    """Yield the studies, each before the smaller ones that belong to it."""
    for study in _STUDIES.values():
        yield study
        yield from study.parts


register_study(RiskNumbersStudy())
