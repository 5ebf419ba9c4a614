"""Choosing what an attacker is taken to know, one unknown column at a time."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np

from alc_core.campaign.model import KnownSet, KnownSetKind
from alc_core.campaign.plan.set_search import MOST, Columns, SmallestSets, budget_set, smallest_sets
from alc_core.campaign.plan.settings import PlanSettings
from alc_core.campaign.plan.uniqueness import HashedRows
from alc_core.phrasing import percent, sentence_case


def choose_known_sets(
    rows: HashedRows,
    candidates: Sequence[str],
    settings: PlanSettings,
    *,
    unknown: str,
    knowable: Sequence[str] | None = None,
) -> tuple[KnownSet, ...]:
    """Choose the sets of columns that an attacker is taken to know."""
    few = candidates if knowable is None else knowable
    those = "" if len(few) == len(candidates) else " that may be known"
    at_most = len(candidates) if settings.max_known is None else settings.max_known
    found = [_named(rows, columns, unknown) for columns in settings.named if {*columns} - {unknown}]
    if settings.all_others and len(candidates) <= at_most:
        found.append(_all_others(rows, tuple(candidates)))
    there_already = settings.all_others and len(few) == len(candidates)
    if settings.asks_for_knowable and few and not there_already and len(few) <= at_most:
        found.append(_knowable(rows, tuple(few)))
    if settings.known_sets and few:
        smallest = smallest_sets(
            rows,
            few,
            wanted=settings.known_sets,
            at_most=at_most,
            rng=np.random.default_rng([settings.seed, zlib.crc32(unknown.encode())]),
            seed=settings.seed,
        )
        found += [
            _singling_out(rows, few, columns, found=smallest, those=those)
            for columns in smallest.sets
        ]
    if settings.max_known is not None and few:
        found.append(_budget(rows, few, settings.max_known, settings.seed))
    first: dict[frozenset[str], KnownSet] = {}
    for known in found:
        first.setdefault(frozenset(known.columns), known)
    return tuple(first.values())


def _named(rows: HashedRows, columns: Sequence[str], unknown: str) -> KnownSet:
    known = tuple(column for column in rows.keys if column in columns and column != unknown)
    without = f" '{unknown}' is not among them here: it is attacked." if unknown in columns else ""
    reason = f"Named by you. {_singled_out_by(rows, known)}.{without}"
    return _known(rows, known, KnownSetKind.NAMED, reason)


def _all_others(rows: HashedRows, columns: Columns) -> KnownSet:
    who = _all(len(columns))
    how = "It singles out" if len(columns) == 1 else "Together they single out"
    whom = _whom(rows.uniqueness(columns).singled_out)
    reason = f"{sentence_case(who)}: an attacker who knows everything else. {how} {whom}."
    return _known(rows, columns, KnownSetKind.ALL_OTHERS, reason)


def _knowable(rows: HashedRows, columns: Columns) -> KnownSet:
    reason = (
        "All columns that may be known: an attacker who knows what others can know. "
        f"{_singled_out_by(rows, columns)}."
    )
    return _known(rows, columns, KnownSetKind.KNOWABLE, reason)


def _singling_out(
    rows: HashedRows,
    candidates: Sequence[str],
    columns: Columns,
    *,
    found: SmallestSets,
    those: str,
) -> KnownSet:
    start, size = _singled_out_by(rows, columns), len(columns)
    everything = rows.uniqueness(candidates).singled_out
    if found.most:
        reason = f"{start}{_no_smaller(size, exhaustive=found.exhaustive, those=those)}."
    elif everything <= MOST:
        reason = f"{start}. Most people cannot be singled out"
        if size < len(candidates):
            reason += f": {_all(len(candidates), those)} together single out {_whom(everything)}"
        reason += "."
    else:
        reason = f"{start}, {_the_most(size, proven=found.exhaustive)}. No more may be known."
    return _known(rows, columns, KnownSetKind.SINGLES_OUT, reason)


def _budget(rows: HashedRows, candidates: Sequence[str], max_known: int, seed: int) -> KnownSet:
    columns, proven = budget_set(rows, candidates, size=max_known, seed=seed)
    most = _the_most(max_known, proven=proven)
    if len(candidates) <= max_known:
        most = "and there are no others"
    may = f"At most {max_known} column{'' if max_known == 1 else 's'} may be known"
    reason = f"{may}. {_singled_out_by(rows, columns)}, {most}."
    return _known(rows, columns, KnownSetKind.BUDGET, reason)


def _known(rows: HashedRows, columns: Columns, kind: KnownSetKind, reason: str) -> KnownSet:
    share = rows.uniqueness(columns).singled_out
    return KnownSet(columns=columns, kind=kind, singled_out=share, reason=reason)


def _singled_out_by(rows: HashedRows, columns: Columns) -> str:
    """Begin a sentence on whom columns single out."""
    whom = _whom(rows.uniqueness(columns).singled_out)
    if len(columns) == 1:
        return f"This column alone singles out {whom}"
    return f"These {len(columns)} columns together single out {whom}"


def _all(others: int, those: str = "") -> str:
    if those:
        return f"all {others} columns{those}" if others > 2 else f"both columns{those}"
    if others < 3:
        return "the only other column" if others == 1 else "both other columns"
    return f"all {others} other columns"


def _whom(share: float) -> str:
    if share == 0:
        return "nobody"
    return "everybody" if share == 1 else f"{percent(share)} of the people"


def _no_smaller(size: int, *, exhaustive: bool, those: str) -> str:
    if size == 1:
        return ""
    if not exhaustive:
        return "; no smaller set that was tried singles out most"
    if size == 2:
        return f"; no column{those} alone singles out most"
    return f"; no {size - 1} columns{those} single out most"


def _the_most(size: int, *, proven: bool) -> str:
    sets = "columns" if size == 1 else f"sets of {size}"
    return f"the most of all {sets}{'' if proven else ' that were tried'}"
