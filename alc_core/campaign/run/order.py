"""In which order a campaign runs: first what is likely to settle a release."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from alc_core.assessment.result import Assessment
from alc_core.campaign.model import KnownSetKind
from alc_core.campaign.run.worker import AttackGroup
from alc_core.scoring.formulas import on_scale
from alc_core.scoring.intervals import normal_quantile
from alc_core.scoring.verdict import Verdict
from alc_core.tables.roles import ColumnRole, Roles, suggested_unknown
from alc_core.tables.table import Table

# The more is known, the more an attack finds; what was added to look closer settles nothing
_MOST_TELLING = (
    KnownSetKind.ALL_OTHERS,
    KnownSetKind.KNOWABLE,
    KnownSetKind.NAMED,
    KnownSetKind.BUDGET,
    KnownSetKind.SINGLES_OUT,
    KnownSetKind.ONE_LESS,
)


def settling_first(
    groups: Sequence[AttackGroup], original: Table, roles: Roles
) -> list[AttackGroup]:
    """Put first what tells most: of every release something, then by facts known and by secret.

    Secrets that are only to be protected come before those that seem sensitive, and these before
    the others. Results do not depend on the order.
    """
    columns = list(dict.fromkeys(group.scenario.unknown for group in groups))
    sensitive = set(suggested_unknown(original, roles, columns))

    def place(group: AttackGroup) -> tuple[int, int]:
        column = group.scenario.unknown
        protected = roles.role(column) is ColumnRole.PROTECTED
        secret = 0 if protected else 1 if column in sensitive else 2
        return _MOST_TELLING.index(group.kind), secret

    ordered, first, seen = sorted(groups, key=place), [], set[str]()
    for group in ordered:
        releases = {attack.release for attack in group.attacks}
        if releases - seen:
            first.append(group)
            seen |= releases
    return [*first, *(group for group in ordered if group not in first)]


def settles(found: Assessment, attacks: int) -> bool:
    """Return whether an attack alone shows a serious loss, among as many as the campaign has.

    Where verdicts allow for many attacks, its distance to the limit must do for all of them.
    """
    if found.verdict is not Verdict.SERIOUS:
        return False
    scoring = found.scoring
    if scoring.control == "none":
        return True
    alc, low, limit = (
        float(on_scale(np.asarray(each), scoring.loss))
        for each in (found.decisive_alc, found.decisive_interval[0], scoring.serious)
    )
    needed = normal_quantile(1 - (1 - scoring.confidence) / attacks)
    return (alc - limit) * normal_quantile(scoring.confidence) >= needed * (alc - low)
