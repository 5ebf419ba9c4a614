"""Released labels that are beginnings of the original's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from alc_core.tables.value_sets import Domain

# Limits; see tests/unit/tables/labels/test_cut.py
_NEARLY_ALL = 0.9  # Share of labels that are codes, and of rows explained
_FEW = 0.02  # Share of expected rows that codes below a parent may keep
_FEWEST_ROWS = 10  # Rows expected below parents
_FEWEST_SHARED = 35  # Rows whose shares distinguish labels
_SHORT = 4  # Letters of an abbreviation
_MOST_WORDS = 200  # Words that are compared
_MISFIT = 0.1  # Total variation of a cut, beyond chance

Cut = Mapping[str, frozenset[str]]


def cut_labels(domain: Domain, rows: Mapping[str, int]) -> Cut:
    """Return original labels that released ones begin; empty if not cut.

    `rows` has labels without other notation, the original's included.
    """
    own = [str(label) for label in domain.labels.index]
    new = [label for label in rows if not domain.has(label)]
    if not own or not rows:
        return {}
    if all(label.isdecimal() for label in own):
        return _of_equal_width(domain, rows)
    coded = sum(any(map(str.isdigit, label)) for label in own) >= _NEARLY_ALL * len(own)
    begun = {label: _begun(label, domain) for label in new} if coded else _words(own, new)
    begun = {label: covers for label, covers in begun.items() if covers}
    parents = _parents(domain, rows) if coded else {}
    if new and _rows(begun, rows) >= (_NEARLY_ALL if coded else 1) * _rows(new, rows):
        return {**begun, **parents}
    return parents or _of_equal_width(domain, rows)


def _rows(labels: Iterable[str], rows: Mapping[str, int]) -> int:
    return sum(rows[label] for label in labels)


def _begun(label: str, domain: Domain) -> frozenset[str]:
    """Return labels a code begins; a number does not begin a longer one."""
    spelled = dict.fromkeys((label, label.upper(), label.lower()))
    found = next(filter(None, map(domain.labels_from, spelled)), [])
    if label.isdecimal():
        found = [each for each in found if not each[len(label) : len(label) + 1].isdigit()]
    return frozenset(found)


def _parents(domain: Domain, rows: Mapping[str, int]) -> Cut:
    """Return codes that cover others, if none of those is released."""
    below = {label: _begun(label, domain) for label in rows if domain.has(label)}
    below = {label: covers for label, covers in below.items() if len(covers) > 1}
    children = frozenset().union(*(covers - {label} for label, covers in below.items()))
    expected = domain.share(children) * sum(rows.values())
    still = sum(number for label, number in rows.items() if label in children)
    if expected < _FEWEST_ROWS or still > _FEW * expected:
        return {}
    itself = {label: frozenset({label}) for label in below}
    apart = [_misfit(domain, rows, covers) for covers in (below, itself)]
    return below if apart[0] <= apart[1] / 2 else {}


def _words(own: list[str], new: list[str]) -> dict[str, frozenset[str]]:
    if len(own) > _MOST_WORDS or len(new) > _MOST_WORDS:
        return {}
    begun = {
        label: frozenset(each for each in own if each.casefold().startswith(label.casefold()))
        for label in new
    }
    short = len(set(map(len, new))) == 1 and len(new[0]) <= _SHORT and len(new) > 1
    if short and all(len(covers) == 1 for covers in begun.values()):
        return begun if len(frozenset().union(*begun.values())) == len(new) else {}
    whole = all(
        not each[len(label)].isalnum() for label, covers in begun.items() for each in covers
    )
    return begun if whole else {}


def _of_equal_width(domain: Domain, rows: Mapping[str, int]) -> Cut:
    """Return what equally long codes cover, cut or filled with zeros.

    Labels' shares distinguish codes from rounded amounts.
    """
    own = [str(label) for label in domain.labels.index]
    width, digits = max(map(len, own)), all(label.isdecimal() for label in own)
    least = min(map(len, own))
    if width < 2 or least < width - digits or len(rows) < 2:
        return {}
    if digits and not all(label.isdecimal() for label in rows):
        return {}
    longest = max(map(len, rows))
    padded = {label: label.zfill(longest) if digits else label for label in rows}
    if longest > width or any(len(label) != longest for label in padded.values()):
        return {}
    kept = max(len(label.rstrip("0")) for label in padded.values())
    filled = longest == width
    if filled and not 0 < kept < width:
        return {}
    stems = {label: code[:kept] if filled else code for label, code in padded.items()}
    begin = kept if filled else longest
    covers: dict[str, set[str]] = {stem: set() for stem in stems.values()}
    for label in own:
        if (stem := label.zfill(width)[:begin]) in covers:
            covers[stem].add(label)
    found = {label: frozenset(covers[stem]) for label, stem in stems.items() if covers[stem]}
    total = sum(rows.values())
    itself = {label: frozenset({label} & covers) for label, covers in found.items()}
    if found == itself or _rows(found, rows) < _NEARLY_ALL * total or total < _FEWEST_SHARED:
        return {}
    others: list[Cut] = [itself]
    if filled and digits and (rounded := _rounded(own, found, width - kept)) != found:
        others.append(rounded)
    most = min(_misfit(domain, rows, each) / 2 for each in others)
    chance = np.sqrt(len(rows) / total) / 2
    return found if _misfit(domain, rows, found) <= min(_MISFIT + chance, most) else {}


def _rounded(own: list[str], found: Cut, zeros: int) -> Cut:
    """Return what the labels cover as rounded numbers."""
    unit = 10**zeros
    nearest: dict[int, set[str]] = {}
    for label in own:
        nearest.setdefault((int(label) + unit // 2) // unit, set()).add(label)
    return {label: frozenset(nearest.get(int(label) // unit, ())) for label in found}


def _misfit(domain: Domain, rows: Mapping[str, int], found: Cut) -> float:
    """Return the total variation of labels' and the original's rows."""
    shares = np.array([domain.share(found[label]) for label in found])
    own = np.array([rows[label] for label in found], dtype=np.float64) / sum(rows.values())
    return 0.5 * float(np.abs(shares - own).sum() + abs(shares.sum() - own.sum()))
