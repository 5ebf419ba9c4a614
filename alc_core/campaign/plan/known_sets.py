"""Choosing what an attacker is taken to know, one unknown column at a time."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from alc_core.campaign.model import KnownSet, KnownSetKind
from alc_core.campaign.plan.set_search import MOST, Columns, budget_set, smallest_sets
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
    hidden: Collection[str] = (),
) -> tuple[KnownSet, ...]:
    """Choose the sets of columns that an attacker is taken to know, none of them `hidden`."""
    few = tuple(candidates if knowable is None else knowable)
    choice = _Choice(rows, settings, unknown, tuple(candidates), few, {*hidden, unknown})
    found: dict[frozenset[str], KnownSet] = {}
    made = () if unknown in settings.job_list else choice.made()
    for known in (*choice.named(), *made):
        found.setdefault(frozenset(known.columns), known)
    return tuple(found.values())


@dataclass(frozen=True, slots=True)
class _Choice:
    """The sets of one unknown column, each with its reason."""

    rows: HashedRows
    settings: PlanSettings
    unknown: str
    candidates: Columns
    few: Columns  # Those of the candidates that may be known
    hidden: Collection[str]  # The unknown column, and what has a part in common with it

    def named(self) -> Iterator[KnownSet]:
        for named in self.settings.job_list.get(self.unknown, self.settings.named):
            columns = tuple(c for c in self.rows.keys if c in named and c not in self.hidden)
            if not columns:
                continue
            reason = f"Named by you. {self._start(columns)}."
            if self.unknown in named:
                reason += f" '{self.unknown}' is not among them here: it is attacked."
            yield self._known(KnownSetKind.NAMED, columns, reason)

    def made(self) -> Iterator[KnownSet]:
        yield from self.whole()
        yield from self.singling_out()
        yield from self.budget()

    def whole(self) -> Iterator[KnownSet]:
        """Yield all other columns, and all of them that may be known."""
        every, few = self.candidates, self.few
        if self.settings.all_others and len(every) <= self._at_most:
            how = "It singles out" if len(every) == 1 else "Together they single out"
            who = f"{sentence_case(_all(len(every)))}: an attacker who knows everything else."
            yield self._known(KnownSetKind.ALL_OTHERS, every, f"{who} {how} {self._whom(every)}.")
            if len(few) == len(every):
                return
        if self.settings.asks_for_knowable and few and len(few) <= self._at_most:
            who = "All columns that may be known: an attacker who knows what others can know."
            yield self._known(KnownSetKind.KNOWABLE, few, f"{who} {self._start(few)}.")

    def singling_out(self) -> Iterator[KnownSet]:
        few, seed = self.few, self.settings.seed
        if not self.settings.known_sets or not few:
            return
        those = "" if len(few) == len(self.candidates) else " that may be known"
        smallest = smallest_sets(
            self.rows,
            few,
            wanted=self.settings.known_sets,
            at_most=self._at_most,
            rng=np.random.default_rng([seed, zlib.crc32(self.unknown.encode())]),
            seed=seed,
        )
        for columns in smallest.sets:
            reason, size = self._start(columns), len(columns)
            if smallest.most:
                reason += f"{_no_smaller(size, exhaustive=smallest.exhaustive, those=those)}."
            elif self.rows.uniqueness(few).singled_out <= MOST:
                reason += ". Most people cannot be singled out"
                if size < len(few):
                    reason += f": {_all(len(few), those)} together single out {self._whom(few)}"
                reason += "."
            else:
                reason += f", {_the_most(size, proven=smallest.exhaustive)}. No more may be known."
            yield self._known(KnownSetKind.SINGLES_OUT, columns, reason)

    def budget(self) -> Iterator[KnownSet]:
        most = self.settings.max_known
        if most is None or not self.few:
            return
        columns, proven = budget_set(self.rows, self.few, size=most, seed=self.settings.seed)
        end = _the_most(most, proven=proven) if len(self.few) > most else "and there are no others"
        may = f"At most {most} column{'' if most == 1 else 's'} may be known"
        reason = f"{may}. {self._start(columns)}, {end}."
        yield self._known(KnownSetKind.BUDGET, columns, reason)

    @property
    def _at_most(self) -> int:
        most = self.settings.max_known
        return len(self.candidates) if most is None else most

    def _known(self, kind: KnownSetKind, columns: Columns, reason: str) -> KnownSet:
        share = self.rows.uniqueness(columns).singled_out
        return KnownSet(columns=columns, kind=kind, singled_out=share, reason=reason)

    def _start(self, columns: Columns) -> str:
        """Begin a sentence on whom columns single out."""
        if len(columns) == 1:
            return f"This column alone singles out {self._whom(columns)}"
        return f"These {len(columns)} columns together single out {self._whom(columns)}"

    def _whom(self, columns: Columns) -> str:
        share = self.rows.uniqueness(columns).singled_out
        if share == 0:
            return "nobody"
        return "everybody" if share == 1 else f"{percent(share)} of the people"


def _all(others: int, those: str = "") -> str:
    if those:
        return f"all {others} columns{those}" if others > 2 else f"both columns{those}"
    if others < 3:
        return "the only other column" if others == 1 else "both other columns"
    return f"all {others} other columns"


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
