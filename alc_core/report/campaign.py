"""A campaign's findings as readable text."""

from __future__ import annotations

import textwrap
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import pandas as pd

from alc_core.campaign.codes import OUTCOMES
from alc_core.campaign.rescoring import Flips
from alc_core.parameters import ScoringParameters
from alc_core.phrasing import count
from alc_core.wording import loss_text, parameters_text


def campaign_text(
    frame: pd.DataFrame,
    headline: str,
    *,
    scoring: ScoringParameters,
    flips: Flips | None = None,
    shown: int | None = None,
    width: int = 88,
) -> str:
    """Return what a campaign found, as lines for a terminal.

    Parameters
    ----------
    frame : DataFrame
        From :func:`~alc_core.campaign.findings.findings_frame`, worst first.
    headline : str
        From :func:`~alc_core.campaign.findings.headline`.
    scoring : ScoringParameters
        How the attacks are scored.
    flips : Flips, optional
        Which verdicts differ from those of the run.
    shown : int, optional
        How many attacks are listed; by default all.
    width : int
        Of the lines.

    Returns
    -------
    str
    """
    parameters = f"Parameters: {parameters_text(scoring)}"
    lines = [*textwrap.wrap(headline, width), "", *textwrap.wrap(parameters, width)]
    if flips is not None and len(flips.numbers):
        lines += ["", f"{count(len(flips.numbers))} verdicts differ from those of the run:"]
        lines += _flip_lines(flips)
    lines += ["", *_table(frame if shown is None else frame.head(shown))]
    if shown is not None and len(frame) > shown:
        lines.append(f"... and {count(len(frame) - shown)} more")
    return "\n".join(lines)


def _flip_lines(flips: Flips) -> list[str]:
    return [
        f"  {count(int(number))} from {before} to {after}"
        for before, row in zip(OUTCOMES, flips.counts, strict=True)
        for after, number in zip(OUTCOMES, row, strict=True)
        if number and before != after
    ]


def _table(frame: pd.DataFrame) -> list[str]:
    head = ["verdict", "ALC", "interval", "precision", "recall", "release", "unknown", "known"]
    rows = [head, *(_cells(row) for row in frame.to_dict("records"))]
    widths = [max(len(row[place]) for row in rows) for place in range(len(head) - 1)]
    return [_line(row, widths) for row in rows]


def _cells(row: Mapping[Hashable, Any]) -> list[str]:
    names = [str(row["release"]), str(row["unknown"]), str(row["known"])]
    if pd.isna(row["alc"]):
        return [str(row["status"]), "", "", "", "", *names[:2], f"{names[2]}: {row['reason']}"]
    about = "" if row["interval_exact"] else "~"
    return [
        str(row["verdict"]),
        loss_text(row["alc"]),
        about + _interval(row["alc_low"], row["alc_high"]),
        f"{row['attack_precision']:.3f}",
        f"{row['attack_recall']:.4f}",
        *names,
    ]


def _interval(low: float, high: float) -> str:
    return "no loss" if high <= 0 else f"{loss_text(low)} to {loss_text(high)}"


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [cell.ljust(width) for cell, width in zip(cells, widths, strict=False)]
    return "  ".join([*padded, cells[-1]]).rstrip()
