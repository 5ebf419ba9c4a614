"""Checks of missing, renamed and additional columns, and single ones."""

from __future__ import annotations

import difflib
import itertools
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from alc_core.tables.checks.finding import Finding, Offer, Severity
from alc_core.tables.checks.profile import ColumnProfile, Profiles
from alc_core.tables.checks.pseudonyms.sides import is_sequence
from alc_core.tables.checks.shapes import (
    UNRELATED,
    LikelyColumn,
    Linked,
    as_ages,
    coarser,
    distance,
    one_name_holds,
    other_number,
    worked_out,
)
from alc_core.tables.households import joined
from alc_core.tables.labels.intervals import days_like, missing_days
from alc_core.tables.one_hot import one_hot_sets
from alc_core.tables.recode import ONE_OF
from alc_core.tables.role_names import weight_reason
from alc_core.tables.table import ColumnKind, Table
from alc_core.tables.truth import is_truth
from alc_core.tables.values.texts import LARGEST_NUMBER, bare_text, numeric_values

KEPT_IDENTIFIER, IDENTIFIER_LIKE = "identifier-released", "identifier-like"
_WORKED_OUT = "worked-out-column"
# Other findings on a pseudonym that can be undone
SAID_OF_UNDONE = frozenset({KEPT_IDENTIFIER, _WORKED_OUT})
_MOST_DISTINCT = 0.1  # Most distinct values, as a share of rows, to show that columns go together
_LINKED_SHARE = 0.5  # Share of released identifiers that are the original's


def check_shared_columns(
    original: Table,
    release: Table,
    scope: Sequence[str],
    *,
    shapes: Callable[[], Sequence[Finding]],
    known: Sequence[str] | None,
    unknown: str | None,
    as_rows: bool,
) -> Iterator[Finding]:
    """Find missing and additional columns of a release.

    With findings of :func:`check_shapes` in scope. No attack uses an additional column of rows, so
    it is asked about.
    """
    if not set(release.columns) & set(original.columns):
        same = tuple(offer for found in shapes() for offer in found.offers)
        yield Finding.of(Severity.ERROR, "no-common-columns", release.name, offers=same)
        return
    lacks = not {*scope} <= {*release.columns} or any(
        text.startswith(ONE_OF) for text in release.same_columns
    )
    found = shapes() if lacks else ()
    asked = [f for f in found if not {f.column, *f.facts.get("of", ())}.isdisjoint(scope)]
    yield from asked
    told, named = {finding.column for finding in asked}, known or ()
    for column in scope:
        is_key = original.overrides.get(column) is ColumnKind.IDENTIFIER and column not in named
        if column not in release.columns and column not in told and not is_key:
            case = "known" if column in named else ""
            yield Finding.of(Severity.INFO, "missing-column", release.name, column, case=case)
    if known is not None or unknown is not None:
        return
    answering: set[str | None] = set()  # Columns that are asked about already
    for each in found:
        if each.blocking:
            facts = each.facts
            answering |= {each.column, facts.get("likely"), *facts.get("names", ())}
    extra = [
        name
        for name in release.columns
        if name not in original.columns
        and name not in answering
        and release.same_columns.get(name) != name
        and release.kind(name) is not ColumnKind.IGNORE
        and release.overrides.get(name) is not ColumnKind.IDENTIFIER
    ]
    own = [name for name in extra if as_rows and _may_tell(release.frame[name])]
    if names := own or extra:
        level = Severity.QUESTION if own else Severity.WARNING
        yield Finding.of(level, "extra-column", release.name, extra=len(names), names=tuple(names))


def _may_tell(values: pd.Series) -> bool:
    distinct = len(values.drop_duplicates())
    return distinct > 1 and not (distinct == len(values) and is_sequence(values))


def check_truth(release: Table, column: str) -> Iterator[Finding]:
    """Note a column that writes True and False otherwise, such as 1 and 0."""
    if any(of == column and is_truth(text) for text, of in release.same_columns.items()):
        yield Finding.of(Severity.INFO, "true-and-false", release.name, column)


def check_shapes(original: Table, release: Table, profiles: Profiles) -> Iterator[Finding]:
    """Find released columns that may be the original's in another form or name."""
    for text, of in release.same_columns.items():
        if text.startswith(ONE_OF):
            yield Finding.of(Severity.INFO, "one-hot", release.name, of)
    own = {name for name, of in release.same_columns.items() if name == of}
    sets = [s for s in one_hot_sets(original, release, apart=own) if not s.certain]
    taken: set[str] = set()
    for found in sets:
        for of, source in found.sources.items():
            taken |= {of, *source.columns}
            yield Finding.of(
                Severity.QUESTION, "missing-column", release.name, of, case="one-hot",
                offers=(Offer("same", f"{source.text}={of}"),), names=source.columns,
                unclear=found.unclear or None,
            )  # fmt: skip
    likely = [
        each
        for each in likely_columns(original, release, profiles)
        if {each.of, each.column}.isdisjoint(taken)
    ]
    for each in likely:
        taken |= {each.of, each.column}
        yield Finding.of(
            Severity.QUESTION if each.sure else Severity.WARNING, "missing-column", release.name,
            each.of, case="likely", offers=(each.offer,), likely=each.column, why=each.why or None,
        )  # fmt: skip
    yield from _worked_out(original, release, profiles, taken | own)


def _worked_out(
    original: Table, release: Table, profiles: Profiles, taken: Collection[str]
) -> Iterator[Finding]:
    missing = [c for c in original.compared if c not in release.columns and c not in taken]
    of_numbers = {c: profiles.of(original, c) for c in original.compared}
    numeric = {c: p for c, p in of_numbers.items() if p.kind.is_numeric or p.is_stored_as_number}
    others = [c for c in release.columns if c not in original.columns and c not in taken]
    if not (missing and others):
        return
    linked = Linked(original, release, profiles).credible
    days = missing_days(original, missing)
    for column in others:
        after = profiles.of(release, column)
        if after.is_stored_as_number and (interval := days_like(days, after.numbers)):
            yield after.found(Severity.QUESTION, _WORKED_OUT, "days", of=tuple(interval))
        elif linked and (found := worked_out(numeric, missing, after)):
            yield Finding.of(
                Severity.QUESTION, _WORKED_OUT, release.name, column,
                of=found.of, share=found.share,
                sum=found.how == "sum", product=found.how == "product",
            )  # fmt: skip


def same_content(original: Table, profiles: Profiles) -> tuple[tuple[str, str], ...]:
    """Return pairs of compared columns that correspond one to one."""
    alike: dict[int, list[str]] = {}
    for column in original.compared:
        distinct = len(profiles.of(original, column).labels)
        if 1 < distinct <= _MOST_DISTINCT * len(original):
            alike.setdefault(distinct, []).append(column)
    codes = {
        column: pd.factorize(original.frame[column], use_na_sentinel=False)[0].astype(np.int64)
        for group in alike.values()
        for column in group
    }
    return tuple(
        (one, other)
        for group in alike.values()
        for one, other in itertools.combinations(group, 2)
        if codes[one].max() == codes[other].max() == joined(codes[one], codes[other]).max()
    )


def check_same_content(
    original: Table,
    pairs: Sequence[tuple[str, str]],
    known: Sequence[str] | None,
    unknown: str | None,
) -> Iterator[Finding]:
    """Warn of columns with the same content if one reveals the other."""
    for one, other in pairs:
        told = (unknown == one and (known is None or other in known)) or (
            unknown == other and (known is None or one in known)
        )
        if unknown is None or told:
            yield Finding.of(Severity.WARNING, "same-content", original.name, other, other=one)


def check_known_weight(original: Table, column: str) -> Iterator[Finding]:
    """Warn of a known column that looks like a survey weight."""
    if column in original.columns and weight_reason(
        column, original.frame[column], original.columns
    ):
        yield Finding.of(Severity.WARNING, "known-weight", original.name, column)


def check_column(profile: ColumnProfile, *, is_known: bool, is_unknown: bool) -> Iterator[Finding]:
    """Check one column of one table by itself."""
    if _are_amounts(profile):
        yield profile.found(Severity.WARNING, "amounts-as-text")
    if is_unknown:
        yield from _infinite(profile)
        return
    if not profile.n_present:
        yield profile.found(Severity.WARNING, "all-missing")
        return
    yield from _infinite(profile)
    overridden = profile.column in profile.table.overrides
    if profile.kind is ColumnKind.IDENTIFIER and (is_known or not overridden):
        why = "as chosen" if overridden else profile.table.guesses[profile.column].reason
        level, case = (Severity.WARNING, "known") if is_known else (Severity.INFO, "")
        yield profile.found(level, IDENTIFIER_LIKE, case, why=why)


_FEWEST_AMOUNTS = 5  # Distinct amounts
_AMOUNT = re.compile(
    r"[-+(]?[$€£¥]\s?[-+]?\d[\d.,\s']*\)?|[-+(]?\d[\d.,\s']*([$€£¥%‰]|EUR|USD|GBP|CHF)\)?"
)


def _are_amounts(profile: ColumnProfile) -> bool:
    if not profile.is_stored_as_text or not len(profile.head):
        return False

    def amounts(labels: pd.Series | pd.Index) -> bool:
        return all(_AMOUNT.fullmatch(str(label).strip()) for label in labels)

    few = len(set(profile.head)) < _FEWEST_AMOUNTS
    return not few and amounts(profile.head) and amounts(profile.labels.index)


def _infinite(profile: ColumnProfile) -> Iterator[Finding]:
    if not pd.api.types.is_float_dtype(profile.series.dtype):
        return
    values = profile.series.to_numpy(dtype=np.float64, na_value=np.nan)
    if count := int(np.count_nonzero(np.abs(values) > LARGEST_NUMBER)):
        yield profile.found(Severity.WARNING, "infinite-values", values=count)


def check_released_identifier(original: ColumnProfile, release: ColumnProfile) -> Iterator[Finding]:
    """Warn of released original identifiers, unless in sequence."""
    if original.kind is not ColumnKind.IDENTIFIER:
        return
    share = _shared_share(original, release)
    if share >= _LINKED_SHARE and not is_sequence(original.series):
        yield release.found(Severity.WARNING, KEPT_IDENTIFIER, share=share)


def _shared_share(original: ColumnProfile, release: ColumnProfile) -> float:
    before, after = original.series, release.series.dropna()
    if not len(after):
        return 0.0
    numeric = original.is_stored_as_number and release.is_stored_as_number
    if numeric and before.dtype != after.dtype:
        before, after = (pd.Series(numeric_values(values)) for values in (before, after))
    if isinstance(before.dtype, pd.StringDtype) and isinstance(after.dtype, pd.StringDtype):
        shared = pc.is_in(pa.array(after), value_set=pa.array(before.dropna()))
        return float(np.mean(np.asarray(shared)))
    if before.dtype == after.dtype and not isinstance(after.dtype, pd.CategoricalDtype):
        return float(after.isin(before.dropna()).mean())
    labels = release.labels
    return float(labels[labels.index.isin(original.labels.index)].sum()) / release.n_present


_NEAR_NAME = 0.8  # Similarity of names (difflib)
_SAME_LABELS = 0.8  # Share of labels, or rows, in common
_SAME_SPREAD = 0.9  # For numbers and two labels, which many columns have
_FEW_LABELS = 2  # Labels that many columns have
_EQUAL = 0.95  # Share of a column's rows in common
_POSSIBLE = 0.5  # Share of rows that may be a column of the name
_DOUBT = 0.02  # Difference of scores that leaves doubt


_Pair = tuple[float, LikelyColumn]  # Evidence for a column, and the column


def likely_columns(
    original: Table, release: Table, profiles: Profiles | None = None
) -> tuple[LikelyColumn, ...]:
    """Suggest the original's missing columns among the release's extra ones.

    By nearly equal names; then labels that cover values, and ages for dates of birth; then equal
    labels or distributions; then linked rows. Each column is only in its best suggestion, without
    ties. Columns not compared are suggested by name only.

    Parameters
    ----------
    original : Table
        Real people.
    release : Table
        One released table.
    profiles : Profiles or None
        Existing profiles.

    Returns
    -------
    tuple of LikelyColumn
        In the release's order, for the user to confirm.

    Examples
    --------
    >>> import pandas as pd, alc_core as alc
    >>> jobs = ["nurse", "teacher", "baker"] * 20
    >>> original = alc.table_from_frame(pd.DataFrame({"age": range(60), "job": jobs}), name="a")
    >>> release = alc.table_from_frame(pd.DataFrame({"age": range(60), "work": jobs}), name="b")
    >>> [(found.column, found.of, found.why) for found in likely_columns(original, release)]
    [('work', 'job', 'with the same values')]
    """
    profiles = Profiles() if profiles is None else profiles
    missing = [name for name in original.columns if name not in release.columns]
    others = [
        name
        for name in release.columns
        if name not in original.columns and release.same_columns.get(name) != name
    ]
    linked = Linked(original, release, profiles)
    found: list[LikelyColumn] = []

    def add(find: Callable[[list[ColumnProfile], list[ColumnProfile]], Sequence[_Pair]]) -> None:
        taken = {each.of for each in found}, {each.column for each in found}
        own, theirs = (
            [profiles.of(table, name) for name in names if name not in known]
            for table, names, known in zip(
                (original, release), (missing, others), taken, strict=True
            )
        )
        found.extend(_best(find(own, theirs)))

    add(_near_names)
    add(partial(_other_shapes, linked))
    add(lambda own, theirs: _without_doubt(_same_values(linked, own, theirs)))
    add(partial(_linked_values, linked))
    return tuple(sorted(found, key=lambda each: release.columns.index(each.column)))


def _compared(profiles: Sequence[ColumnProfile]) -> list[ColumnProfile]:
    return [profile for profile in profiles if profile.kind.is_compared]


def _near_names(own: Sequence[ColumnProfile], theirs: Sequence[ColumnProfile]) -> list[_Pair]:
    pairs = []
    for before, after in itertools.product(own, theirs):
        bare = (bare_text(before.column), bare_text(after.column))
        if other_number(before.column, after.column):
            continue
        score = difflib.SequenceMatcher(None, *bare).ratio()
        compared = before.kind.is_compared and after.kind.is_compared
        if score >= _NEAR_NAME and (not compared or _may_be(before, after)):
            likely = LikelyColumn(column=after.column, of=before.column, sure=compared)
            pairs.append((score, likely))
    return pairs


def _may_be(before: ColumnProfile, after: ColumnProfile) -> bool:
    if before.kind.is_numeric and before.kind is after.kind:
        return _spread(before, after) >= _POSSIBLE
    shared = after.labels.index.isin(before.labels.index)
    kept = after.labels[shared].sum() >= _POSSIBLE * after.labels.sum()
    return bool(kept) or coarser(before, after) is not None


def _other_shapes(
    linked: Linked, own: Sequence[ColumnProfile], theirs: Sequence[ColumnProfile]
) -> list[_Pair]:
    pairs = []
    for before, after in itertools.product(_compared(own), theirs):
        if (ages := as_ages(before, after)) is not None:
            pairs.append((1.0, ages))
        elif (
            after.kind.is_compared
            and (score := coarser(before, after)) is not None
            and not linked.contradict(before.column, after.column)
        ):
            why = "whose values cover the original column's"
            pairs.append((score, LikelyColumn(column=after.column, of=before.column, why=why)))
    return pairs


def _linked_values(
    linked: Linked, own: Sequence[ColumnProfile], theirs: Sequence[ColumnProfile]
) -> list[_Pair]:
    return [
        (linked.related(before.column, after.column) or 0.0, likely)
        for before, after in itertools.product(_compared(own), _compared(theirs))
        if (likely := linked.likely(before.column, after.column)) is not None
    ]


def _same_values(
    linked: Linked, own: Sequence[ColumnProfile], theirs: Sequence[ColumnProfile]
) -> list[_Pair]:
    pairs = []
    for before, after in itertools.product(_compared(own), _compared(theirs)):
        numbers = before.is_stored_as_number and after.is_stored_as_number
        few = before.has_few_values and after.has_few_values
        weak = numbers or (few and max(len(before.labels), len(after.labels)) <= _FEW_LABELS)
        if before.kind.is_numeric and before.kind is after.kind and not few:
            score, why, weak = _spread(before, after), "with numbers that are spread alike", True
            enough = score >= _SAME_SPREAD
        elif not numbers and (before.is_stored_as_number or after.is_stored_as_number):
            continue
        else:
            (score, labels), why = _shared(before, after), "with the same values"
            enough = score >= _SAME_SPREAD if weak else max(score, labels) >= _SAME_LABELS
        if not enough:
            continue
        related = linked.related(before.column, after.column)
        if related is None or related >= UNRELATED:
            held = [each.column for each in own if one_name_holds(each.column, after.column)]
            named = held == [before.column]
            equal = _shared(before, after)[0] >= _EQUAL and not few
            sure = named or equal or related is not None or not weak
            likely = LikelyColumn(column=after.column, of=before.column, why=why, sure=sure)
            pairs.append((score, likely))
    return pairs


def _shared(before: ColumnProfile, after: ColumnProfile) -> tuple[float, float]:
    own, other = before.labels, after.labels
    both = own.index.intersection(other.index)
    if len(both) < 2:
        return 0.0, 0.0
    shares = own[both].to_numpy() / own.sum(), other[both].to_numpy() / other.sum()
    return float(np.minimum(*shares).sum()), len(both) / (len(own) + len(other) - len(both))


def _spread(before: ColumnProfile, after: ColumnProfile) -> float:
    """Return one minus the Kolmogorov-Smirnov distance.

    The rest is also compared without a value of most rows.
    """
    own, other = before.spread, after.spread
    scores = [_alike(own, other)]
    if own.size and other.size and (common := float(np.median(own))) == float(np.median(other)):
        halves = [np.mean(values == common) > 0.5 for values in (own, other)]
        if all(halves):
            scores.append(_alike(own[own != common], other[other != common]))
    return min(scores)


def _alike(own: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    if own.size < 2 or other.size < 2:
        return 0.0
    return 1 - distance(own, other)


def _without_doubt(pairs: Sequence[_Pair]) -> list[_Pair]:
    return [
        (score, likely)
        for score, likely in pairs
        if not any(
            other is not likely
            and abs(its_score - score) <= _DOUBT
            and (other.of == likely.of or other.column == likely.column)
            for its_score, other in pairs
        )
    ]


def _best(pairs: Sequence[_Pair]) -> list[LikelyColumn]:
    found: list[LikelyColumn] = []
    taken: set[tuple[str, str]] = set()
    for _, likely in sorted(pairs, key=lambda pair: -pair[0]):
        sides = {("of", likely.of), ("column", likely.column)}
        if not sides & taken:
            taken |= sides
            found.append(likely)
    return found
