"""Objects of R packages that hold tables: of sdcMicro and synthpop."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from alc_core.tables.formats.r_values import RValue
from alc_core.tables.formats.source import Project

_SDCMICRO, _SYNTHPOP = "sdcMicroObj", "synds"
_CHANGED = ("manipKeyVars", "manipPramVars", "manipNumVars", "manipGhostVars")
_KNOWN = ("keyVars", "numVars", "pramVars", "strataVar")


@dataclass(frozen=True, slots=True)
class RTable:
    """A table in an R file: its columns, and what its rows are called."""

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
    """Return the tables of an object that holds some, such as sdcMicro's."""
    classes = value.classes
    if _SDCMICRO in classes:
        return RTables(_of_sdcmicro(value))
    if _SYNTHPOP in classes:
        return _of_synthpop(value)
    return RTables()


def _of_sdcmicro(value: RValue) -> dict[str, RTable]:
    """Return the original, and the release: the original with what was changed."""
    original = value.attribute("origData")
    if original is None or not is_frame(original):
        return {}
    table = frame_table(original, _sdcmicro_project(value, original))
    changed: dict[str, RValue] = {}
    for slot in _CHANGED:
        changed |= dict(_slot_columns(value, slot))
    deleted = value.attribute("deletedVars")
    gone = {*deleted.texts()} if deleted is not None else set()
    released = dict(table.columns) | changed
    kept = [(name, each) for name, each in released.items() if name not in gone]
    return {
        "original": table,
        "release": RTable(kept, table.row_names, Project(tool="sdcMicro", both=True)),
    }


def _slot_columns(value: RValue, slot: str) -> list[tuple[str, RValue]]:
    found = value.attribute(slot)
    return found.items() if found is not None and is_frame(found) else []


def _sdcmicro_project(value: RValue, original: RValue) -> Project:
    names = [name for name, _ in original.items()]

    def columns(slot: str) -> Iterator[str]:
        """Yield the columns of a slot, which has their numbers or their names."""
        found = value.attribute(slot)
        if found is None:
            return
        if found.type == "STR":
            yield from (name for name in found.texts() if name)
        else:
            yield from (names[int(place) - 1] for place in found.numbers() if place >= 1)

    roles = {name: "may be known" for slot in _KNOWN for name in columns(slot)}
    roles |= dict.fromkeys(columns("sensibleVar"), "to be protected")
    roles |= dict.fromkeys(columns("weightVar"), "survey weight")
    household = next(columns("hhId"), "")
    return Project(tool="sdcMicro", roles=roles, household=household, both=True)


def _of_synthpop(value: RValue) -> RTables:
    """Return the syntheses; a single one is a data frame, several are a list."""
    found = dict(value.items()).get("syn")
    if found is None:
        return RTables()
    frames = [found] if is_frame(found) else [each for _, each in found.items() if is_frame(each)]
    tables = {f"syn{number}": frame_table(each) for number, each in enumerate(frames, 1)}
    return RTables(tables, together=len(tables) > 1, lacks="original")
