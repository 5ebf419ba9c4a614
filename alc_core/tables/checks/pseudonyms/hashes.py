"""Pseudonyms that spell a value otherwise: hashes and codes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from alc_core.arrays import spread_out
from alc_core.tables.checks.pseudonyms.sides import SHORTEST, Origin, Owners, Released, Undone, Ways
from alc_core.tables.table import ColumnKind
from alc_core.tables.values.digests import (
    CODES,
    HASHES,
    NAMED,
    OF_NUMBERS,
    TWICE,
    Digest,
    base64_forms,
    decoys,
    encodings,
    hex_forms,
    number_forms,
    plain_forms,
    sized_digests,
)
from alc_core.tables.values.texts import canonical_labels

# Limits; see tests/unit/tables/checks/test_pseudonyms.py
_MOST_CODED = 50_000  # People whose value is spelled
_FEWEST_HITS = 4  # People found beyond chance
_STANDARD_ERRORS = 6.0  # Of chance
_JOINED_HASHES = ("MD5", "SHA-1", "SHA-256", "SHA-512")
_SCREENED = 4  # People per person tried first
_MOST_LIKELY = 5  # Ways examined after that
_SPELLINGS_CODED = 5  # Spellings that are coded
_SPELLINGS_ENCODED = 20  # Spellings in other encodings; later ones have a country

_Key = tuple[tuple[str, ...], str]  # A pseudonym's sources, and how it is made
_Candidates = dict[str, tuple[_Key, int]]  # Pseudonyms to look up, with the person


def _hits(among: pa.Array, candidates: _Candidates) -> dict[_Key, set[int]]:
    """Return people found among released pseudonyms, by key."""
    if not candidates:
        return {}
    texts = [*candidates]
    found = pc.unique(pc.index_in(among, value_set=pa.array(texts, pa.string())).drop_null())
    hits: dict[_Key, set[int]] = {}
    for place in found.to_pylist():
        key, person = candidates[texts[place]]
        hits.setdefault(key, set()).add(person)
    return hits


def _most(expected: float) -> float:
    return expected + _STANDARD_ERRORS * math.sqrt(expected) + _FEWEST_HITS - 1


def hashed(released: Released, people: Owners) -> Undone | None:
    """Return the columns whose values are hashed."""
    form: Callable[[bytes], tuple[str, ...]]
    digests: dict[str, tuple[Digest, ...]]
    if released.digits >= SHORTEST:
        if released.is_dense:
            return None
        size, space, form = 0, 10.0**released.digits, partial(number_forms, digits=released.digits)
        texts, digests = released.plain, {name: (HASHES[name],) for name in OF_NUMBERS}
    elif (view := released.hexadecimal) is not None:
        texts, length = view
        size, space, form = length // 2, 16.0**length, partial(hex_forms, length=length)
        digests = _digests(size)
    elif (view := released.base64) is not None:
        texts, length = view
        size, space, form = length * 3 // 4, 64.0**length, partial(base64_forms, length=length)
        digests = _digests(size)
    else:
        return None
    for several in (False, True) if size else (False,):
        ways = people.joined if several else people.alone
        made = {
            name: each
            for name, each in digests.items()
            if not several or name in _JOINED_HASHES or len(each[0](b"")) == size
        }
        step = _SCREENED * (1 + several + (size == 0))
        for of, how in _likely(texts, _of_texts(ways, made, form, step=step)):
            candidates = _of_texts({of: ways[of]}, {how: made[how]}, form)
            hits = len(_hits(texts, candidates).get((of, how), ()))
            expected = len(candidates) * len(texts) / space
            if not size:  # Amounts crowd like numbers of hashes
                salted = {of: [tuple(f"{text}~" for text in each) for each in ways[of]]}
                chance = _hits(texts, _of_texts(salted, {how: made[how]}, form))
                expected = max(expected, 2 * len(chance.get((of, how), ())))
            if hits > _most(expected):
                return "hash", {
                    "of": of, "how": how, "share": min(hits / len(ways[of]) / people.seen, 1.0),
                    "joined": several, "cut": 0 < size < len(made[how][0](b"")),
                }  # fmt: skip
    return None


def _digests(size: int) -> dict[str, tuple[Digest, ...]]:
    found = {
        name: (each,)
        for name, each in HASHES.items()
        if (own := len(each(b""))) == size or (own > size and name not in TWICE)
    }
    sized = {name: (each, *found.get(name, ())) for name, each in sized_digests(size).items()}
    return {**found, **sized, **(NAMED if size == 16 else {})}


def _of_texts(
    ways: Ways,
    digests: Mapping[str, tuple[Digest, ...]],
    form: Callable[[bytes], tuple[str, ...]],
    *,
    step: int = 1,
) -> _Candidates:
    found: _Candidates = {}
    for of, people in ways.items():
        makers = [((of, name), make) for name, each in digests.items() for make in each]
        for person in range(0, len(people), step):
            for place, text in enumerate(people[person]):
                encoded = len(of) == 1 and place < _SPELLINGS_ENCODED
                for written in encodings(text) if encoded else (text.encode(),):
                    for key, make in makers:
                        for each in form(make(written)):
                            found.setdefault(each, (key, person))
    return found


def _likely(among: pa.Array, candidates: _Candidates) -> list[_Key]:
    hits = _hits(among, candidates)
    return sorted(hits, key=lambda each: -len(hits[each]))[:_MOST_LIKELY]


def coded(released: Released, people: Owners) -> Undone | None:
    """Return the column the values spell otherwise."""
    sources = {each.column: each for each in people.sources if each.distinct >= 0.5}
    coded = [
        (source, how)
        for source in sources.values()
        for how in CODES
        if how or source.kind is ColumnKind.IDENTIFIER
    ]
    screened: _Candidates = {}
    for source, how in coded:
        screened |= _of_code(source, how, step=_SCREENED)
    least = 0.5 * min(1.0, len(people.release) / len(people.original))
    for (column,), how in _likely(released.plain, screened):
        source, key = sources[column], ((column,), how)

        def hits(candidates: _Candidates, key: _Key = key) -> int:
            return len(_hits(released.plain, candidates).get(key, ()))

        found = hits(_of_code(source, how))
        expected = max(hits(_of_code(source, how, decoy=decoy)) for decoy in (0, 1))
        share = min(found / len(source.spelled) / people.seen, 1.0)
        if not how and share < least:
            continue
        facts = {"of": (column,), "how": how or None}
        beyond_chance = found > max(_most(expected), 2 * expected)
        if how and beyond_chance and not released.is_dense:  # a sequence has any small number
            return "code", {**facts, "share": share}
        if (beyond_chance or share >= least) and (how or not released.is_unchanged(source)):
            led = _led_by_code(released, people, column, how)
            if led is not None:
                return ("code" if how else "kept"), {**facts, "share": led}
    return None


def _of_code(source: Origin, how: str, *, step: int = 1, decoy: int | None = None) -> _Candidates:
    code, key = CODES[how], ((source.column,), how)
    found: _Candidates = {}
    for person in range(0, len(source.spelled), step):
        spelled = source.spelled[person][:_SPELLINGS_CODED]
        texts = spelled if decoy is None else [decoys(text)[decoy] for text in spelled]
        for text, each in zip(texts, plain_forms(map(code, texts)), strict=True):
            if len(each) > 1 and (not how or code(text) != text):
                found[each] = (key, person)
    return found


def _led_by_code(released: Released, people: Owners, column: str, how: str) -> float | None:
    """Return agreement of rows with those whose value they spell."""
    if len(people.original) > _MOST_CODED:
        return None
    labels = [label or "" for label in canonical_labels(people.original.frame[column])]
    own = pd.Series(plain_forms(map(CODES[how], labels)))
    rows = spread_out(len(people.release), 4_000)
    start = len(released.start)
    theirs = [text[start:] for text in canonical_labels(released.series.iloc[rows]).fillna("")]
    first = pd.Index(own.drop_duplicates(keep=False))
    places = own.drop_duplicates(keep=False).index.to_numpy()
    at = first.get_indexer(pd.Index(plain_forms(theirs)))
    return people.share_led(places[at[at >= 0]], rows[at >= 0])
