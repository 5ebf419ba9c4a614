"""Figures of the holdout study: success rates, distances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from alc_core.figures import template as draw
from alc_core.figures.looks import ATTACK, BASELINE
from alc_core.phrasing import count, facts_words
from alc_core.studies.holdout.result import Closest, HoldoutAttack, closest_sentence, risk_words

if TYPE_CHECKING:
    import plotly.graph_objects as go


_MOST = 20


def holdout_attacks(attacks: Sequence[HoldoutAttack]) -> go.Figure:
    """Draw success rates of members and others by attack."""
    shown = _drawn(attacks)
    labels = [_measure_label(attack, shown) for attack in shown]

    said = [
        f"{label}: {attack.members.success.ranged} of members, "
        f"{attack.others.success.ranged} of others"
        for label, attack in zip(labels, shown, strict=True)
    ]
    return draw.share_rows(
        "Correct answers",
        f"Correct answers. {'; '.join(said)}.",
        "Share of people",
        labels,
        ("Others", [attack.others.success for attack in shown]),
        ("Members", [attack.members.success for attack in shown]),
        height=150,
        more=[f"residual risk {risk_words(attack.risk)}" for attack in shown],
    )


def closest_records_figure(found: Closest) -> go.Figure:
    """Draw the share of members and others within each distance of a released row."""
    return draw.new_figure(
        [
            draw.line(
                [0.0, *found.grid], [0.0, *side.cumulative], name, colour=colour, width=3,
                dash=dash, showlegend=True, line_shape="hv",
                hovertemplate=f"<b>{name}</b><br>%{{y:.1%}} within %{{x:.3f}}<extra></extra>",
            )
            for name, colour, dash, side in (
                ("Others", BASELINE, "dash", found.others),
                ("Members", ATTACK, "solid", found.members),
            )
        ],
        title="People within each distance of a released row",
        alt="People by distance to the closest released row: median of members "
            f"{found.members.median:.3f}, of others {found.others.median:.3f}. "
            f"{closest_sentence(found)}",
        height=380,
        x={"title": f"Distance over {count(len(found.columns))} columns (0: equal)",
           "rangemode": "tozero"},
        y=draw.share_axis("Share of people", range=[0, 1.02]),
        **draw.BELOW,
    )  # fmt: skip


def _drawn(attacks: Sequence[HoldoutAttack]) -> list[HoldoutAttack]:
    if len(attacks) <= _MOST:
        return list(attacks)
    return sorted(attacks, key=lambda attack: -attack.risk.value)[:_MOST]


def _measure_label(attack: HoldoutAttack, among: Sequence[HoldoutAttack]) -> str:
    known = facts_words(attack.known)
    words = attack.unknown
    if sum(other.unknown == attack.unknown for other in among) > 1:
        words += f" from {known}"
    if len({other.attack for other in among}) > 1:
        words += f" ({attack.attack})"
    return words
