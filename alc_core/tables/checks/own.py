"""Checks of people's own column combinations, and values of single people."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from alc_core.phrasing import in_list
from alc_core.tables.checks.finding import Finding, Offer, Severity
from alc_core.tables.few_facts import copied_numbers
from alc_core.tables.labels.find import plain_columns
from alc_core.tables.labels.intervals import kept_intervals
from alc_core.tables.own_together import OwnTogether, own_together
from alc_core.tables.role_names import weight_reason
from alc_core.tables.rows_by_value import LEAST_STRENGTH, rows_by_value
from alc_core.tables.table import Table, once_of_both

OWN_TOGETHER, OWN_VALUE = "own-together", "own-value"
COPIED_NUMBERS = "copied-numbers"
SHIFTED_DATES = "shifted-dates"
_ATTACKED = "attacked"

_DROWNING = 4  # Ratio of sets' facts at which people stay recognisable by all
_LEAST_SINGLED = 0.05  # Least share of people singled out by a set's known part
_NEARLY = 0.9  # Share of them that some facts may single out for all

# From columns to the share of people with a unique combination
SinglesOut = Callable[[frozenset[str]], float]


@once_of_both
def plain_together(original: Table, release: Table) -> tuple[OwnTogether, ...]:
    """Return sets of plain columns that are people's own together."""
    return own_together(original, release, plain_columns(original, release))


def check_own(original: Table, release: Table) -> Iterator[Finding]:
    """Ask about people's own column sets, unless whole rows are copied."""
    columns = len(plain_columns(original, release))
    for found in plain_together(original, release):
        together, own = found.together, found.together.columns
        asked = bool(found.others) and _drown(columns - len(own), len(own))
        if found.others:
            yield Finding.of(
                Severity.QUESTION if asked else Severity.WARNING, OWN_TOGETHER, release.name,
                offers=(_known(own),), columns=own, others=found.others,
                singled=together.singled_out, share=together.share, expected=together.expected,
            )  # fmt: skip
        for alone in () if asked else found.alone:
            (column,) = alone.columns
            rest = tuple(each for each in own if each != column)
            yield Finding.of(
                Severity.WARNING, OWN_VALUE, release.name, column, columns=rest,
                singled=alone.singled_out, share=alone.share, expected=alone.expected,
            )  # fmt: skip


def check_intervals(original: Table, release: Table) -> Iterator[Finding]:
    """Report dates that are shifted together."""
    if (found := kept_intervals(original, release)) is not None:
        yield Finding.of(
            Severity.WARNING, SHIFTED_DATES, release.name, columns=found.together.columns,
            dates=tuple(dict.fromkeys(itertools.chain(*found.intervals))),
            singled=found.together.singled_out, share=found.together.share,
            expected=found.together.expected,
        )  # fmt: skip


def check_copied_numbers(original: Table, release: Table) -> Iterator[Finding]:
    """Report released numbers of single people."""
    found = copied_numbers(original, release)
    led = [each for each in found if _leads(original, release, each.columns[0])]
    for leading, numbers in ((True, led), (False, [each for each in found if each not in led])):
        if numbers:
            most = max(numbers, key=lambda each: each.share)
            yield Finding.of(
                Severity.WARNING, COPIED_NUMBERS, release.name, leading=leading,
                columns=tuple(each.columns[0] for each in numbers), share=most.share,
                expected=most.expected,
            )  # fmt: skip


def _leads(original: Table, release: Table, column: str) -> bool:
    by_value = rows_by_value(original, release, column, alone=True)
    return by_value is not None and by_value.strength >= LEAST_STRENGTH


def _drown(others: int, own: int) -> bool:
    return _DROWNING * others > own


def _known(columns: Iterable[str]) -> Offer:
    return Offer("known", ",".join(map(in_list, columns)))


def of_scenario(
    finding: Finding,
    original: Table,
    singles_out: SinglesOut,
    *,
    known: Sequence[str] | None,
    unknown: str | None,
) -> Finding | None:
    """Return a finding's part about a scenario, if any.

    An attacker knowing only a set's columns answers its question.
    """
    if known is None and unknown is None:
        return finding
    asked = original.base([] if unknown is None else [unknown])
    told = original.base(original.own_compared if known is None else known) - asked
    if finding.column is not None:
        in_scope = finding.column in told | asked or _is_weight(original, finding.column)
        return finding if in_scope else None
    own = frozenset(finding.facts["columns"])
    if (asked and own.isdisjoint(asked)) or singles_out(own - asked) < _LEAST_SINGLED:
        return None
    if finding.severity is Severity.QUESTION:
        facts = told & own
        answered = not _drown(len(told - own), len(facts)) and singles_out(
            facts
        ) >= _NEARLY * singles_out(own - asked)
        rest = (column for column in finding.facts["columns"] if column not in asked)
        return _answered(finding) if answered else replace(finding, offers=(_known(rest),))
    return finding


def _is_weight(original: Table, column: str) -> bool:
    return bool(weight_reason(column, original.frame[column], original.columns))


def people_have_alone(findings: Iterable[Finding]) -> set[str]:
    """Return columns found to lead to rows, alone or together."""
    own = (finding for finding in findings if finding.code in (OWN_TOGETHER, OWN_VALUE))
    return {c for finding in own for c in (finding.column, *finding.facts["columns"]) if c}


def _answered(finding: Finding) -> Finding:
    return replace(finding, severity=Severity.WARNING, case=_ATTACKED, offers=())


def own_in_plan(findings: Iterable[Finding], told: Collection[Finding]) -> Iterator[Finding]:
    """Yield an attack's findings; questions other attacks answer become notes.

    `told` are all attacks' findings. Sets are offered as a whole.
    """
    answered = {f.facts["columns"] for f in told if f.case == _ATTACKED}
    for finding in findings:
        if finding.code != OWN_TOGETHER or finding.severity is not Severity.QUESTION:
            yield finding
        elif finding.facts["columns"] in answered:
            yield _answered(finding)
        else:
            yield replace(finding, offers=(_known(finding.facts["columns"]),))


def planned(findings: Iterable[Finding], sets: Collection[Collection[str]]) -> Iterator[Finding]:
    """Yield tables' findings; questions on planned sets become notes."""
    chosen = [frozenset(each) for each in sets]
    for finding in findings:
        asked = finding.code == OWN_TOGETHER and finding.severity is Severity.QUESTION
        yield _answered(finding) if asked and {*finding.facts["columns"]} in chosen else finding
