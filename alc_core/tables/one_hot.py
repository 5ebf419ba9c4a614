"""Yes-or-no columns, one per label of the other table's column."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np
import pandas as pd

from alc_core.plain_values import read_only
from alc_core.tables.recode import YES_AND_NO, Recoded, flag_values, one_of_columns
from alc_core.tables.table import Table
from alc_core.tables.values.texts import bare_text, label_counts

_MOST_LABELS = 300  # Labels of a column
_HEAD = 1_000  # Rows tried first
_SAMPLED = 100_000  # Rows whose labels are counted
_NEAR = 0.1  # Distance from 0 and 1 a model may write
_FEW_UNCLEAR = 0.05  # Share of rows with no or several columns at 1
_UNSEEN = 0.1  # Share of the original's rows with labels not released
_NONE = 0.02  # Share of rows without a 1 that mean the remaining label
# Total variation of labels' shares, at most and without a question: if names are complete, less so,
# or absent
_BY_NAME, _BY_LABELS, _BY_SHARES = (1.0, 1.0), (0.25, 0.1), (0.1, -1.0)
_MOST_SUM = 1.2  # Mean sum of the columns in a row; more are several answers
_NO_VALUE = frozenset({"nan", "na", "none", "null", "missing"})

# Spellings of labels within names
_SPELLINGS: tuple[Callable[[str], str], ...] = (
    lambda label: label,
    lambda label: re.sub(r"[^\w.]", ".", label),
    lambda label: re.sub(r"\W", "_", label),
    lambda label: bare_text(_plain(label)),
)
_FORMULA = re.compile(r"(?:C\()?(?P<column>[^(),]+)(?:,.*)?\)?\[(?:T\.)?(?P<label>.+)\]\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class OneHot:
    """Released columns that are one original column, or the reverse."""

    sources: Mapping[str, Recoded]  # By column of the original
    certain: bool = True
    unclear: float = 0.0  # Share of rows with no or several 1


def certain_sources(
    original: Table, release: Table, *, apart: Set[str], known: Collection[str]
) -> dict[str, Recoded]:
    """Return certain sources by original column.

    `apart` are other released columns, `known` original ones already found.
    """
    sets = one_hot_sets(original, release, apart=apart, known=known)
    return {of: source for each in sets if each.certain for of, source in each.sources.items()}


def one_hot_sets(
    original: Table,
    release: Table,
    *,
    apart: Set[str] = frozenset(),
    known: Collection[str] = (),
) -> Iterator[OneHot]:
    """Yield yes-or-no columns named after a column's labels."""
    missing = [c for c in original.compared if c not in release.columns and c not in known]
    others = [c for c in release.columns if c not in original.columns]
    if not missing or not others:
        return
    flags = _flags(release, others)
    for of in sorted(missing, key=len, reverse=True):
        if (labels := _labels(original, of)) is None or not flags:
            continue
        for found, limits in _named(of, labels, flags):
            made = _put_together(original, release, of, labels, found, limits)
            if made is not None:
                flags = [flag for flag in flags if flag not in found]
                if apart.isdisjoint(found):
                    yield made
                break
    labelled = [column for column in others if column not in flags and column not in apart]
    yield from _taken_apart(original, release, missing, labelled)


def _flags(table: Table, columns: Iterable[str]) -> list[str]:
    found = []
    for column in columns:
        values = flag_values(table.frame[column].iloc[:_HEAD])
        present = values[np.isfinite(values)]
        near = (present >= -_NEAR) & (present <= 1 + _NEAR)
        if len(present) and near.mean() == 1 and (present > 0.5).mean() < 1:
            found.append(column)
    return found


def _labels(table: Table, column: str) -> pd.Series | None:
    if table.frame[column].iloc[:_HEAD].nunique() > _MOST_LABELS:
        return None
    counts = label_counts(table.frame[column])
    return counts if 2 <= len(counts) <= _MOST_LABELS else None


# From column to its label; empty for missing
Named = Mapping[str, str]
Limits = tuple[float, float]  # Differences of shares, at most and without a question


def _named(of: str, labels: pd.Series, flags: Sequence[str]) -> Iterator[tuple[Named, Limits]]:
    """Yield columns by labels in their names, clearest first."""
    own = {flag: rest for flag in flags if (rest := _after(_written(flag), of))}
    spelled = [_spelled(labels.index, spelling) for spelling in _SPELLINGS]
    best = max((_matched(own, each) for each in spelled), key=len)
    if any(best.values()):
        yield best, _BY_NAME
    yield from _numbered(own, labels)
    for each in spelled[1:]:
        ends = {flag: _ends(_written(flag), each) for flag in flags}
        for prefix in sorted({begin for found in ends.values() for begin in found}):
            found = {flag: labels[prefix] for flag, labels in ends.items() if prefix in labels}
            named = {*found.values()}
            words = sum(not label.isdigit() and label.lower() not in YES_AND_NO for label in named)
            if words >= 2 and len(named) == len(found) >= max(2, len(labels) - 1):
                short = not prefix or _abbreviates(prefix, of)
                yield found, _BY_LABELS if short else _BY_SHARES


def _written(flag: str) -> str:
    """Return a name without a formula's additions."""
    match = _FORMULA.match(flag)
    return f"{match['column']}_{match['label']}" if match else flag


def _after(flag: str, of: str) -> str:
    """Return what follows a column's name, also behind a pipeline step."""
    place = flag.lower().rfind(of.lower()) if "__" in flag else 0
    if flag.lower()[max(place, 0) :].startswith(of.lower()):
        return flag[max(place, 0) + len(of) :]
    letters = [number for number, letter in enumerate(flag) if letter.isalnum()]
    bare, size = bare_text(of), len(bare_text(of))
    begins = bool(bare) and bare_text(flag).startswith(bare) and len(letters) > size
    return flag[letters[size - 1] + 1 :] if begins else ""


def _spelled(labels: Iterable[str], spelling: Callable[[str], str]) -> dict[str, str]:
    """Return labels by spelling; duplicates are numbered."""
    found: dict[str, str] = {}
    for label in sorted(map(str, labels)):
        text, number = spelling(label).lower(), 1
        while text in found:
            number += 1
            text = f"{spelling(label).lower()}{number}"
        found[text] = label
        if spelling(label) == label and label.lstrip("-").isdigit():
            found[f"{label}.0"] = label
    return found


def _plain(text: str) -> str:
    parts = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


def _matched(rests: Mapping[str, str], spelled: Mapping[str, str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for flag, rest in rests.items():
        lower = rest.lower()
        begins = next((n for n, letter in enumerate(lower) if letter.isalnum()), 0)
        tried = [*(lower[n:] for n in range(min(begins, 2) + 1)), bare_text(_plain(rest))]
        label = next((spelled[text] for text in tried if text in spelled), None)
        if label is not None and label not in found.values():
            found[flag] = label
        elif label is None and bare_text(rest) in _NO_VALUE:
            found[flag] = ""
    return found


def _numbered(rests: Mapping[str, str], labels: pd.Series) -> Iterator[tuple[Named, Limits]]:
    bare = {flag: bare_text(rest) for flag, rest in rests.items()}
    numbers = {flag: int(rest) for flag, rest in bare.items() if re.fullmatch("[0-9]{1,4}", rest)}
    if sorted(numbers.values()) == [*range(1, len(labels) + 1)]:
        ordered = sorted(map(str, labels.index))
        yield {flag: ordered[number - 1] for flag, number in numbers.items()}, _BY_SHARES


def _ends(flag: str, spelled: Mapping[str, str]) -> dict[str, str]:
    """Return the label each beginning may end with."""
    texts = {flag.lower(), bare_text(_plain(flag))}
    return {
        bare_text(text.removesuffix(end)): label
        for text in texts
        for end, label in spelled.items()
        if end and text.endswith(end)
    }


def _abbreviates(prefix: str, of: str) -> bool:
    bare = bare_text(of)
    return bool(prefix) and (bare.startswith(prefix) or prefix.startswith(bare))


def _put_together(
    original: Table, release: Table, of: str, labels: pd.Series, found: Named, limits: Limits
) -> OneHot | None:
    """Return the columns as an original one, if rows fit."""
    step = max(1, len(release) // _SAMPLED)
    flags = [flag_values(release.frame[flag].iloc[::step]) for flag in found]
    chosen, clear = one_of_columns(flags)
    rows = max(1, len(chosen))
    none = float(np.mean(clear & (chosen < 0)))
    unclear = float(1 - np.mean(clear))
    shares = labels / labels.sum()
    left = shares[~labels.index.isin([*found.values()])]
    written, unseen = dict(found), float(left.sum())
    if not len(left):
        unclear += max(0.0, none - float(original.frame[of].isna().mean()))
    elif len(left) == 1 or none >= _NONE:  # One column fewer than labels: no 1 is the last label
        written[""], unseen = str(left.index[0]), float(left.iloc[1:].sum())
    else:
        unclear += none
    counted = np.bincount(chosen[clear] + 1, minlength=len(found) + 1) / rows
    by_label = dict(zip(found.values(), counted[1:].tolist(), strict=True))
    by_label[written.get("", "")] = none
    apart = 0.5 * sum(
        abs(by_label.get(label, 0.0) - share)
        for label, share in zip(map(str, shares.index), shares, strict=True)
    )
    total = float(np.mean(np.sum([np.nan_to_num(each) for each in flags], axis=0)))
    most, most_certain = limits
    if total > _MOST_SUM or apart > most:
        return None
    columns = tuple(column for column in written if column)
    source = Recoded(columns=columns, form="one of", labels=read_only(written))
    certain = unseen <= _UNSEEN and unclear <= _FEW_UNCLEAR and apart <= most_certain
    return OneHot(sources={of: source}, certain=certain, unclear=unclear)


def _taken_apart(
    original: Table, release: Table, missing: Sequence[str], others: Sequence[str]
) -> Iterator[OneHot]:
    """Yield released columns whose labels are yes-or-no columns of the original."""
    flags = _flags(original, missing)
    for column in others if flags else ():
        if (labels := _labels(release, column)) is None:
            continue
        found, limits = next(_named(column, labels, flags), ({}, _BY_SHARES))
        found = {flag: label for flag, label in found.items() if label}
        if limits is not _BY_NAME or len(found) < min(2, len(labels) - 1):
            continue
        _, clear = one_of_columns([flag_values(original.frame[flag]) for flag in found])
        if 1 - clear.mean() > _FEW_UNCLEAR:
            continue
        flags = [flag for flag in flags if flag not in found]
        yield OneHot(
            sources={
                flag: Recoded(columns=(column,), form="labels", labels=read_only(
                    _yes_and_no(original.frame[flag], label, labels.index)
                ))
                for flag, label in found.items()
            }
        )  # fmt: skip


def _yes_and_no(flag: pd.Series, label: str, labels: Iterable[str]) -> dict[str, str]:
    """Return what a yes-or-no column holds, by label."""
    counts = label_counts(flag)
    values = flag_values(pd.Series(counts.index.astype(str), dtype=object))
    yes, no = (str(counts.index[int(np.nanargmin(np.abs(values - each)))]) for each in (1, 0))
    return {str(each): yes if str(each) == label else no for each in labels}
