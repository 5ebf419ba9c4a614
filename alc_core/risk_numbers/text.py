"""Risk numbers as text and as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from alc_core.phrasing import listed
from alc_core.plain_values import to_plain
from alc_core.risk_numbers.class_sizes import ClassSizes, least_size
from alc_core.risk_numbers.result import RiskNumbers
from alc_core.risk_numbers.tables import numbers_frame, protected_frame
from alc_core.risk_numbers.words import notes, risk_sentence


def risk_text(results: Sequence[RiskNumbers]) -> str:
    """Return what was found as text: a table of all releases, then each of them."""
    settings = results[0].settings
    blocks = [
        f"Known: {listed(settings.known)}. Protected: {listed(settings.protected) or 'none'}.",
        _table(numbers_frame(results)),
    ]
    for found in results:
        lines = [found.label, risk_sentence(found), *notes(found)]
        if found.diversity:
            lines.append(_table(protected_frame(found)))
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def plain_risk(found: RiskNumbers) -> dict[str, Any]:
    """Return a result as plain values for JSON, with what follows from the class sizes.

    Examples
    --------
    >>> import pandas as pd, alc_core as alc
    >>> from alc_core.risk_numbers.measuring import measure_risk_numbers
    >>> from alc_core.risk_numbers.settings import RiskSettings
    >>> people = alc.table_from_frame(pd.DataFrame({"age": [20, 30, 30], "job": ["a", "b", "b"]}))
    >>> release = alc.Microdata(tables=(people,), name="release")
    >>> (found,) = measure_risk_numbers(people, release, RiskSettings(known=("age",)))
    >>> plain = plain_risk(found)
    >>> plain["rows_are"], plain["released"]["k"], plain["released"]["unique"]
    ('people', 1, 0.3333333333333333)
    """
    plain: dict[str, Any] = to_plain(found)
    least = least_size(found.settings.threshold)
    for name in ("original", "released", "any_value", "in_original"):
        sizes: ClassSizes | None = getattr(found, name)
        plain[name] = None if sizes is None else _sizes(sizes, least)
    for name, sizes in (("original", found.original), ("released", found.released)):
        if sizes is not None:
            plain[name]["population"] = to_plain(found.in_population(sizes))
    return plain


def _sizes(sizes: ClassSizes, least: int) -> dict[str, Any]:
    return {
        "k": sizes.smallest,
        "rows": sizes.total,
        "unique": sizes.unique,
        "below": {str(size): sizes.below(size) for size in (2, 3, 5, 10)},
        "above_threshold": sizes.below(least),
        "highest_risk": sizes.highest_risk,
        "mean_risk": sizes.mean_risk,
        "histogram": {band.label: band.rows for band in sizes.bands()},
        "rows_by_size": dict(zip(map(str, sizes.sizes), sizes.rows, strict=True)),
    }


def _table(frame: Any) -> str:
    """Return a table in columns of one width each."""
    rows = [list(frame.columns), *frame.to_numpy().tolist()]
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    lines = (
        "  ".join([row[0].ljust(widths[0]), *(map(str.rjust, row[1:], widths[1:]))]) for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)
