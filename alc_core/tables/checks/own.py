"""Checks of columns that are a person's own together, and of values that single people out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from alc_core.phrasing import in_list
from alc_core.tables.checks.coding import plain_columns
from alc_core.tables.checks.finding import Finding, Offer, Severity
from alc_core.tables.few_facts import copied_numbers
from alc_core.tables.own_together import OwnTogether, own_together
from alc_core.tables.role_names import weight_reason
from alc_core.tables.rows_by_value import LEAST_STRENGTH, rows_by_value
from alc_core.tables.table import Table, once_of_both

OWN_TOGETHER, OWN_VALUE = "own-together", "own-value"
COPIED_NUMBERS = "copied-numbers"
_ATTACKED = "attacked"
_LEADING = "leading"  # Case of numbers by which rows are found

_DROWNING = 4  # Times as many facts of a set as others keep people recognisable by all facts
_LEAST_SINGLED = 0.05  # Share of people whom the known part of a set must single out
_NEARLY = 0.9  # Share of them that some of its facts may single out in place of all

# Takes columns; returns the share of people whose combination nobody else has
SinglesOut = Callable[[frozenset[str]], float]


@once_of_both
def plain_together(original: Table, release: Table) -> tuple[OwnTogether, ...]:
    """Return the sets of plain columns that are people's own together."""
    return own_together(original, release, plain_columns(original, release))


def check_own(original: Table, release: Table) -> Iterator[Finding]:
    """Ask about columns that are people's own together, unless whole rows show it."""
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


def check_copied_numbers(original: Table, release: Table) -> Iterator[Finding]:
    """Report numbers that only one person has and that the release has as well.

    Whether they are in that person's row is another finding.
    """
    found = copied_numbers(original, release)
    led = [each for each in found if _leads(original, release, each.columns[0])]
    for case, numbers in ((_LEADING, led), ("", [each for each in found if each not in led])):
        if numbers:
            most = max(numbers, key=lambda each: each.share)
            yield Finding.of(
                Severity.WARNING, COPIED_NUMBERS, release.name, case=case,
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
    """Return what a finding says about a scenario; None if it is about other columns.

    An attacker who knows only a set's columns answers the question about it.
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
    """Return the columns that findings say lead to rows, alone or together."""
    own = (finding for finding in findings if finding.code in (OWN_TOGETHER, OWN_VALUE))
    return {c for finding in own for c in (finding.column, *finding.facts["columns"]) if c}


def _answered(finding: Finding) -> Finding:
    return replace(finding, severity=Severity.WARNING, case=_ATTACKED, offers=())


def own_in_plan(findings: Iterable[Finding], told: Collection[Finding]) -> Iterator[Finding]:
    """Yield findings of an attack; a question that another attack answers becomes a note.

    `told` are the findings of all attacks. A set is offered as a whole: the plan takes it with each
    of its columns as the unknown one.
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
    """Yield findings of tables; questions about planned sets become notes."""
    chosen = [frozenset(each) for each in sets]
    for finding in findings:
        asked = finding.code == OWN_TOGETHER and finding.severity is Severity.QUESTION
        yield _answered(finding) if asked and {*finding.facts["columns"]} in chosen else finding
