"""Objects of R packages that hold tables: of sdcMicro, synthpop and simPop."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from alc_core.tables.formats.r_values import RValue
from alc_core.tables.formats.source import Project

_SDCMICRO, _SYNTHPOP, _SIMPOP = "sdcMicroObj", "synds", "simPopObj"
# Slots with columns of sdcMicro, and what they were changed to
_CHANGED = {
    "keyVars": "manipKeyVars",
    "pramVars": "manipPramVars",
    "numVars": "manipNumVars",
    "ghostVars": "manipGhostVars",
}


@dataclass(frozen=True, slots=True)
class RTable:
    """A table in an R file: columns, and row names."""

    columns: Sequence[tuple[str, RValue]]
    row_names: RValue | None = None
    project: Project | None = None


@dataclass(frozen=True, slots=True)
class RTables:
    """The tables of an object by name."""

    tables: Mapping[str, RTable] = field(default_factory=dict)
    together: bool = False  # Whether they are one release
    lacks: str = ""  # Purpose for which it has none


def is_frame(value: RValue) -> bool:
    """Return whether an object is a data frame, tibble or data.table."""
    return value.type == "VEC" and "data.frame" in value.classes


def frame_table(value: RValue, project: Project | None = None) -> RTable:
    """Return a data frame as a table."""
    return RTable(value.items(), value.attribute("row.names"), project)


def object_tables(value: RValue) -> RTables:
    """Return an object's tables, such as sdcMicro's."""
    classes = value.classes
    if _SDCMICRO in classes:
        return RTables(_of_sdcmicro(value))
    if _SYNTHPOP in classes:
        return _of_synthpop(value)
    if _SIMPOP in classes:
        return RTables(_of_simpop(value))
    return RTables()


def _of_sdcmicro(value: RValue) -> dict[str, RTable]:
    """Return the original, and the release: the original with what was changed."""
    original = _frame(value, "origData")
    if original is None:
        return {}
    changed: dict[str, RValue] = {}
    for slot in _CHANGED.values():
        found = _frame(value, slot)
        changed |= {} if found is None else dict(found.items())
    deleted = value.attribute("deletedVars")
    gone = {*deleted.texts()} if deleted is not None else set()
    released = dict(original.items()) | changed
    kept = [(name, each) for name, each in released.items() if name not in gone]
    table = frame_table(original, _sdcmicro_project(value, original, [*changed]))
    return {
        "original": table,
        "release": RTable(kept, table.row_names, Project(tool="sdcMicro", both=True)),
    }


def _frame(value: RValue | None, slot: str) -> RValue | None:
    """Return the data frame in a slot; None if there is none."""
    found = None if value is None else value.attribute(slot)
    return found if found is not None and is_frame(found) else None


def _sdcmicro_project(value: RValue, original: RValue, changed: Sequence[str]) -> Project:
    """Return the roles of columns: of changed ones by name, of others by place.

    Places are those before sdcMicro deleted columns, whose number before a changed column shows.
    """
    names = [name for name, _ in original.items()]

    def places(slot: str) -> list[int]:
        found = value.attribute(slot)
        return [] if found is None else [int(each) for each in found.numbers() if each >= 1]

    deleted_before = {0: 0}
    for slot, frame in _CHANGED.items():
        found = _frame(value, frame)
        if found is not None and slot != "ghostVars":
            for place, (name, _) in zip(places(slot), found.items(), strict=False):
                if name in names:
                    deleted_before[place] = place - 1 - names.index(name)

    def columns(slot: str) -> Iterator[str]:
        for place in places(slot):
            known = max(each for each in deleted_before if each <= place)
            yield names[min(place - deleted_before[known], len(names)) - 1]

    roles = dict.fromkeys([*changed, *columns("strataVar")], "may be known")
    roles |= dict.fromkeys(columns("sensibleVar"), "to be protected")
    roles |= dict.fromkeys(columns("weightVar"), "survey weight")
    household = next(columns("hhId"), "")
    return Project(tool="sdcMicro", roles=roles, household=household, both=True)


def _of_synthpop(value: RValue) -> RTables:
    """Return syntheses: a data frame, or a list of several."""
    found = dict(value.items()).get("syn")
    if found is None:
        return RTables()
    frames = [found] if is_frame(found) else [each for _, each in found.items() if is_frame(each)]
    tables = {f"syn{number}": frame_table(each) for number, each in enumerate(frames, 1)}
    return RTables(tables, together=len(tables) > 1, lacks="original")


def _of_simpop(value: RValue) -> dict[str, RTable]:
    """Return the sample as the original, and the synthetic population as its release."""
    sample = value.attribute("sample")
    original, release = _frame(sample, "data"), _frame(value.attribute("pop"), "data")
    if sample is None or original is None or release is None:
        return {}

    def names(of: RValue, slot: str) -> list[str]:
        found = of.attribute(slot)
        return [] if found is None else [name for name in found.texts() if name]

    known = [*names(sample, "strata"), *names(sample, "hhsize"), *names(value, "basicHHvars")]
    roles = dict.fromkeys(known, "may be known")
    roles |= dict.fromkeys(names(sample, "pid"), "identifier")
    roles |= dict.fromkeys(names(sample, "weight"), "survey weight")
    household = next(iter(names(sample, "hhid")), "")
    project = Project(tool="simPop", roles=roles, household=household, both=True)
    return {
        "original": frame_table(original, project),
        "release": frame_table(release, Project(tool="simPop", both=True)),
    }
