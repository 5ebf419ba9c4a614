"""Attacks as marks in a figure: colour and shape by standing."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cache
from typing import Any

import pandas as pd

from alc_core.campaign.findings.overview import count_standings
from alc_core.campaign.findings.subsets import through_text
from alc_core.figures.looks import ATTACK, BASELINE, LOOKS, counted
from alc_core.figures.template import Part, line, marks, wrapped
from alc_core.phrasing import count, loss_text, percent

MANY = 2000  # With more attacks, marks are smallest


DRAWN = "drawn"  # Column of ALC as drawn, on a scale with a lower end
_TOLD = [
    "unknown", "known", "release", "decisive_alc", "verdict", "standing", "standing_alc",
    "through", "through_known",
]  # fmt: skip
_SIDES, _SAID = ("deciding", "compared"), ("prc", "measured_precision", "recall")


def drawable(results: pd.DataFrame | None) -> pd.DataFrame:
    """Return the attacks that have an ALC."""
    if results is None:
        return pd.DataFrame({"number": pd.Series(dtype="int64")})
    return results[results["decisive_alc"].notna()]


def attack_marks(shown: pd.DataFrame, *, x: str, y: str, selected: int | None = None) -> list[Part]:
    """Return a trace of marks per standing, the worst on top, and a ring."""
    if not len(shown):
        return []
    texts = hover_texts(shown)
    traces = [
        points(
            shown, rows, texts, x=x, y=y,
            name=f"{look.word} ({count(len(rows))})", colour=look.mark, symbol=look.symbol,
        )
        for standing, look in reversed(list(LOOKS.items()))
        if len(rows := shown[shown["standing"] == standing])
    ]  # fmt: skip
    return traces + ring(shown, selected, texts, x=x, y=y)


def points(
    shown: pd.DataFrame, rows: pd.DataFrame, texts: pd.Series[Any], *, x: str, y: str, **look: Any
) -> Part:
    """Return a trace of some attacks, smaller if many are shown."""
    usual: Part = {"size": mark_size(shown), "cliponaxis": False, **_values(rows, y)}
    return marks(
        rows[x].to_numpy(), rows[y].to_numpy(), texts=texts[rows.index].tolist(),
        numbers=rows["number"].tolist(), **(usual | look),
    )  # fmt: skip


def mark_size(shown: pd.DataFrame) -> int:
    """Return the size of a mark."""
    return 11 if len(shown) <= 200 else 8 if len(shown) <= MANY else 6


def ring(
    shown: pd.DataFrame, selected: int | None, texts: pd.Series[Any], *, x: str, y: str
) -> list[Part]:
    """Return the ring around the selected attack, if shown."""
    rows = shown[shown["number"] == selected]
    if not len(rows):
        return []
    return [
        marks(
            rows[x].to_numpy(), rows[y].to_numpy(), "Selected", texts=texts[rows.index].tolist(),
            numbers=rows["number"].tolist(), size=mark_size(shown) + 11, colour=ATTACK,
            symbol="circle-open", edge={"width": 3, "color": ATTACK}, showlegend=False,
            cliponaxis=False, **_values(rows, y),
        )
    ]  # fmt: skip


def _values(rows: pd.DataFrame, y: str) -> Part:
    """Return ALCs drawn where the scale ends, for :func:`figure_csv`."""
    return {"meta": {"y": rows["decisive_alc"].tolist()}} if y == DRAWN else {}


def baseline_of(shown: pd.DataFrame, selected: int | None) -> list[Part]:
    """Return the selected attack's baseline, joined to it, by recall."""
    return [
        line(
            [row["compared_recall"], row["deciding_recall"]],
            [row["compared_precision"], row["deciding_precision"]],
            "Its baseline", dash="dot", mode="lines+markers", hoverinfo="text",
            text=[f"Its baseline<br>PRC {row['compared_prc']:.2f}", ""],
            marker={"symbol": "square", "size": [12, 0], "color": BASELINE},
        )
        for row in shown[shown["number"] == selected].to_dict("records")
    ]  # fmt: skip


def attacks_sentence(shown: pd.DataFrame, selected: int | None) -> str:
    """Say which attacks a figure shows; empty without any."""
    if not len(shown):
        return ""
    found = counted(count_standings(shown))
    kinds = ", ".join(f"{count(number)} {standing}" for standing, number in found)
    marked = "mark for 1 attack" if len(shown) == 1 else f"marks for {count(len(shown))} attacks"
    sentence = f"With {marked}: {kinds}."
    for row in shown[shown["number"] == selected].to_dict("records"):
        sentence += (
            f" Ringed: {row['unknown']} from {row['release']}, attack PRC "
            f"{row['deciding_prc']:.2f}, baseline PRC {row['compared_prc']:.2f}, ALC "
            f"{loss_text(row['decisive_alc'])}."
        )
    return sentence


def hover_texts(shown: pd.DataFrame) -> pd.Series[Any]:
    """Return each attack's hover text."""
    name = cache(wrapped)
    texts = [
        f"{learned(row, name)}<br>ALC <b>{loss_text(row['decisive_alc'])}</b>: "
        f"<b>{row['verdict']}</b>"
        f"{through_line(row, name)}{_side(row, 'attack', 'deciding', ' of people')}"
        f"{_side(row, 'baseline', 'compared')}"
        for row in told(shown, *(f"{side}_{name}" for side in _SIDES for name in _SAID))
    ]
    return pd.Series(texts, index=shown.index, dtype=object)


def told(shown: pd.DataFrame, *columns: str) -> list[dict[Hashable, Any]]:
    """Return hover values; with the attack only if attacks differ."""
    differ = "attack" in shown and len(set(shown["attack"])) > 1
    return shown[[*_TOLD, *(["attack"] if differ else []), *columns]].to_dict("records")


def learned(row: Any, name: Callable[[str], str]) -> str:
    """Return what an attack infers and knows, with names shown by `name`."""
    return (
        f"Learns <b>{name(row['unknown'])}</b><br>from {name(row['release'])}<br>"
        f"knowing {name(row['known'])}"
        + (f"<br>by {name(row['attack'])}" if "attack" in row else "")
    )


def through_line(row: Any, name: Callable[[str], str]) -> str:
    """Return a line with the subset attack that decides, if any."""
    text = through_text({**row, "through_known": name(str(row["through_known"]))})
    return f"<br><b>{text}</b>" if text else ""


def _side(row: Any, side: str, point: str, of: str = "") -> str:
    return (
        f"<br>{side}: PRC {row[f'{point}_prc']:.2f}, right for "
        f"{percent(row[f'{point}_measured_precision'])}, for {percent(row[f'{point}_recall'])}{of}"
    )
