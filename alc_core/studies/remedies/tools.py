"""Changes as code for tools that make releases."""

from __future__ import annotations

import json
from collections.abc import Sequence

from alc_core.phrasing import decimal
from alc_core.studies.remedies.changes import (
    Change,
    CoarsenNumbers,
    DropColumn,
    MergeRare,
    SwapColumn,
    UseLevel,
)

TOOLS = ("pandas", "sdcMicro", "ARX")
_HALF = 0.5


def in_tools(change: Change) -> dict[str, str]:
    """Return a change's code by tool, if it has a way.

    Examples
    --------
    >>> in_tools(DropColumn(column="zip"))["sdcMicro"]
    'sdc <- removeDirectID(sdc, var = "zip")'
    """
    made = {"pandas": _in_pandas(change), "sdcMicro": _in_sdcmicro(change), "ARX": _in_arx(change)}
    return {tool: line for tool, line in made.items() if line}


def _in_pandas(change: Change) -> str:
    column = f"release[{change.column!r}]"
    match change:
        case DropColumn():
            return f"release = release.drop(columns={change.column!r})"
        case CoarsenNumbers(of_dates=False):
            bounds = ", ".join(f"{each:.15g}" for each in change.bounds[:-1])
            ends, labels = f'[{bounds}, float("inf")]', list(change.labels)
            return f"{column} = pd.cut({column}, {ends}, right=False, labels={labels})"
        case MergeRare():
            return f"{column} = {column}.replace({list(change.rare)}, {change.label!r})"
        case UseLevel():
            label_of = {value: label for label, values in change.labels for value in values}
            return f"{column} = {column}.replace({label_of})"
        case SwapColumn():
            return (
                f"rows = {column}.sample(frac={change.share:g}); "
                f"release.loc[rows.index, {change.column!r}] = rows.sample(frac=1).array"
            )
    return ""


def _in_sdcmicro(change: Change) -> str:
    column = _quoted(change.column)
    match change:
        case DropColumn():
            return f"sdc <- removeDirectID(sdc, var = {column})"
        case CoarsenNumbers(of_dates=False):
            # R's intervals hold their upper end, ours the lower
            whole = change.covers[0].closed_bounds[1] <= change.bounds[1] - 1
            ends = [f"{each - _HALF * whole:.15g}" for each in change.bounds[:-1]]
            return (
                f"sdc <- globalRecode(sdc, column = {column}, breaks = c({', '.join(ends)}, Inf), "
                f"labels = {_vector(change.labels)})"
            )
        case MergeRare():
            return _renamed(column, change.rare, change.label)
        case UseLevel():
            return "\n".join(_renamed(column, values, label) for label, values in change.labels)
        case SwapColumn():
            return (
                f"sdc <- pram(sdc, variables = {column}, pd = {1 - change.share:.15g}, alpha = 1)"
            )
    return ""


def _in_arx(change: Change) -> str:
    column = f"'{change.column}'"
    match change:
        case DropColumn():
            return f"Set the type of {column} to identifying."
        case CoarsenNumbers(of_dates=False, width=width) if width:
            return (
                f"Create intervals for {column}, from {decimal(change.bounds[0])} in steps of "
                f"{decimal(width)}, and choose level 1."
            )
        case UseLevel():
            return f"Set minimum and maximum generalization of {column} to {change.level}."
        case MergeRare():
            return f"In level 1 of {column}, write '{change.label}' for rare ones."
    return ""


def _renamed(column: str, values: Sequence[str], label: str) -> str:
    return (
        f"sdc <- groupAndRename(sdc, var = {column}, before = {_vector(values)}, "
        f"after = {_quoted(label)})"
    )


def _vector(texts: Sequence[str]) -> str:
    return f"c({', '.join(map(_quoted, texts))})"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
