"""Objects of R packages that hold tables: of sdcMicro, synthpop and simPop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
# Slots with places of columns, and their roles; none for the household. Strata are last, as they
# can be set after columns were deleted
_BY_PLACE = {
    "weightVar": "survey weight",
    "sensibleVar": "to be protected",
    "hhId": "",
    "strataVar": "may be known",
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
    gone = {*_deleted(value)}
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
    """Return the roles of changed columns by name, and of others by place.

    Places are those at the object's creation. Key and numeric variables, whose names are known,
    and the numbers in a weight bound how many columns sdcMicro deleted before a place.
    """
    created = _created(value)
    frame = _frame(created, "origData") or original
    columns = dict(frame.items())
    names = [*columns]

    def places(slot: str) -> list[int]:
        found = created.attribute(slot)
        return [] if found is None else [int(each) for each in found.numbers() if each >= 1]

    known: dict[int, int] = {}
    for slot in ("keyVars", "numVars"):
        found = _frame(created, _CHANGED[slot])
        if found is not None:
            called = (name for name, _ in found.items())
            pairs = zip(places(slot), called, strict=False)
            known |= {place: names.index(name) for place, name in pairs if name in columns}
    n_deleted = len({*_deleted(created)} - {*names})
    roles = dict.fromkeys(changed, "may be known")
    household, unclear = "", dict[str, list[str]]()
    for slot, role in _BY_PLACE.items():
        for place in places(slot):
            meant = _meant(place, names, known, n_deleted)
            if slot == "weightVar":
                meant = [each for each in meant if _is_number(columns[each])]
            if len(meant) > 1:
                unclear.setdefault(slot, []).extend(meant)
                continue
            for each in meant:
                known[place] = names.index(each)
                roles |= {each: role} if role else {}
                household = household if role else household or each
    now = {name for name, _ in original.items()}
    return Project(
        tool="sdcMicro",
        roles={name: role for name, role in roles.items() if name in now},
        household=household,
        both=True,
        unclear=unclear,
    )


def _created(value: RValue) -> RValue:
    """Return the earliest state of an object that it keeps."""
    before = value.attribute("prev")
    return value if before is None or _frame(before, "origData") is None else _created(before)


def _deleted(value: RValue) -> list[str | None]:
    """Return the names of columns that sdcMicro deleted."""
    found = value.attribute("deletedVars")
    return [] if found is None else found.texts()


def _is_number(value: RValue) -> bool:
    return value.type in ("INT", "REAL") and "factor" not in value.classes


def _meant(place: int, names: Sequence[str], known: Mapping[int, int], deleted: int) -> list[str]:
    """Return the columns that a place may mean, in order between those whose places are known."""
    if place in known:
        return [names[known[place]]]
    before = max((each for each in known if each < place), default=0)
    after = min((each for each in known if each > place), default=len(names) + deleted + 1)
    low, high = known.get(before, -1), known.get(after, len(names))
    return [*names[max(low + 1, high - after + place) : min(high, low + place - before + 1)]]


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
