"""The attacks of a campaign as a table: filters, the table itself, failures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from alc_core.campaign.findings.decisions import Choice, Decision, choice_label, decision_label
from alc_core.campaign.findings.overview import (
    STANDINGS,
    CampaignOverview,
    bounds_text,
    undecided_between,
)
from alc_core.campaign.findings.view import CampaignView
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.tiles import standing_label
from alc_core.dashboard.state.session import bind
from alc_core.glossary import explain
from alc_core.phrasing import count
from alc_core.scoring.verdict import Verdict

_ROWS_SHOWN = 10
_ROW, _HEAD = 35, 38
_FAILURES_SHOWN = 200

DETAILS = "attack"
"""Anchor of the heading below which the chosen attack stands."""

CARRIED_OVER = (
    "≈: carried over from the run's interval by an approximation. Open the attack for the exact "
    "one."
)


@dataclass(slots=True, kw_only=True, eq=False)
class AttackFilter:
    """Which attacks are shown; what is empty lets all through.

    Attributes
    ----------
    standings, unknown, releases, decisions : list of str
        Where attacks stand, what they learn, from which releases, what was decided.
    text : str
        To be found in a column's or release's name.
    """

    standings: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    releases: list[str] = field(default_factory=list)
    decisions: list[str] = field(default_factory=list)
    text: str = ""

    def clear(self) -> None:
        """Let all attacks through."""
        self.standings, self.unknown, self.releases = [], [], []
        self.decisions, self.text = [], ""

    def apply(self, results: pd.DataFrame, made: Mapping[int, Decision]) -> pd.DataFrame:
        """Return the attacks that are let through, in their order."""
        kept = np.ones(len(results), dtype=bool)
        chosen = {
            "standing": self.standings,
            "unknown": self.unknown,
            "release": self.releases,
        }
        for column, values in chosen.items():
            if values:
                kept &= results[column].isin(values).to_numpy()
        if self.decisions:
            kept &= (
                results["number"].map(lambda n: decision_label(made.get(n))).isin(self.decisions)
            )
        if text := self.text.strip().casefold():
            found = np.zeros(len(results), dtype=bool)
            for column in ("known", "unknown", "release"):
                found |= results[column].str.casefold().str.contains(text, regex=False).to_numpy()
            kept &= found
        return results[kept]


def draw_filter(
    chosen: AttackFilter,
    view: CampaignView,
    overview: CampaignOverview,
    made: Mapping[int, Decision],
) -> None:
    """Draw the widgets of the filter."""
    attacks = view.attacks
    releases = list(dict.fromkeys(attack.release for attack in attacks))
    unknown = list(dict.fromkeys(attack.scenario.unknown for attack in attacks))
    with st.container(horizontal=True):
        st.multiselect(
            "Verdict",
            [s for s in STANDINGS if overview.counts[s] or s in chosen.standings],
            format_func=standing_label,
            placeholder="All",
            **bind(chosen, "standings"),
        )
        st.multiselect(
            "Unknown column", unknown, placeholder="All",
            help=explain("unknown attribute"), **bind(chosen, "unknown"),
        )  # fmt: skip
        if len(releases) > 1:
            st.multiselect("Release", releases, placeholder="All", **bind(chosen, "releases"))
        if made:
            labels = ["", *(choice_label(choice) for choice in Choice)]
            st.multiselect(
                "Decision", labels, format_func=lambda label: label or "None yet",
                placeholder="All", **bind(chosen, "decisions"),
            )  # fmt: skip
        st.text_input(
            "Search", placeholder="A name", icon=":material/search:", **bind(chosen, "text")
        )


def table_of(
    shown: pd.DataFrame, overview: CampaignOverview, made: Mapping[int, Decision]
) -> pd.DataFrame:
    """Return what the table shows of attacks and the decisions made, in its order, nothing else."""
    exact = overview.interval_exact
    scoring = overview.scoring
    labels = {standing: standing_label(standing) for standing in STANDINGS}
    table = pd.DataFrame(
        {
            "verdict": [
                f"{labels[standing][0]} {_sentence_case(undecided_between(low, high, scoring))}"
                if standing == Verdict.UNDECIDED
                else labels[standing]
                for standing, low, high in zip(
                    shown["standing"].tolist(),
                    shown["alc_low"].tolist(),
                    shown["alc_high"].tolist(),
                    strict=True,
                )
            ],
            "decision": [decision_label(made.get(number)) for number in shown["number"].tolist()],
            "alc": shown["alc"].clip(lower=0.0),
            "interval": [
                bounds_text(low, high, exact=exact)
                for low, high in zip(
                    shown["alc_low"].tolist(), shown["alc_high"].tolist(), strict=True
                )
            ],
            "unknown": shown["unknown"],
            "release": shown["release"],
            "precision": _whole(shown["attack_measured_precision"]),
            "recall": _whole(shown["attack_recall"]),
            "n_known": shown["n_known"],
            "known": shown["known"],
            "number": shown["number"],
            "why": shown["known_reason"],
        }
    )
    left_out = []
    if len(overview.releases) < 2:
        left_out.append("release")
    if not made:
        left_out.append("decision")
    return table.drop(columns=left_out)


def table_columns(overview: CampaignOverview) -> dict[str, Any]:
    """Return how the columns of :func:`table_of` are shown."""
    config = st.column_config
    scoring = overview.scoring
    carried = "" if overview.interval_exact else f" {CARRIED_OVER}"
    return {
        "verdict": config.TextColumn(
            "Verdict", width=150,
            help="“?” with two verdicts: undecided between them. Treat it as the worse.",
        ),
        "alc": config.ProgressColumn(
            "ALC", min_value=0.0, max_value=1.0, format="%.2f", width=105,
            help=f"{explain('ALC')} At risk from {scoring.at_risk:g}, serious from "
            f"{scoring.serious:g}. 0.00 with the verdict “no loss” stands for no loss.",
        ),
        "unknown": config.TextColumn("Unknown", help=explain("unknown attribute"), width=115),
        "known": config.TextColumn("Known", help=explain("known attributes"), width=200),
        "n_known": config.NumberColumn("Facts", help="How many columns are known.", width=58),
        "release": config.TextColumn("Release", help=explain("release"), width=140),
        "precision": config.NumberColumn(
            "Precision", help=explain("precision"), format="%.3g %%", width=76
        ),
        "recall": config.NumberColumn("Recall", help=explain("recall"), format="%.3g %%", width=76),
        "interval": config.TextColumn(
            "Interval of ALC", help=f"{explain('interval')}{carried}", width=112
        ),
        "decision": config.TextColumn(
            "Decision", width=105, help="Of the reviewer; made where the attack is opened."
        ),
        "number": config.NumberColumn(
            "No.", help="Of the attack, as in the report and on the command line.", width=48
        ),
        "why": config.TextColumn("Why these facts", width="large"),
    }  # fmt: skip


def table_height(rows: int) -> int:
    """Return the height of a table that shows all of its rows, or the first few."""
    return _HEAD + _ROW * min(max(rows, 1), _ROWS_SHOWN) + 2


def draw_failures(view: CampaignView, failures: Mapping[int, str]) -> None:
    """Draw the attacks that failed with their reasons, folded away."""
    if not failures:
        return
    words = "1 attack failed" if len(failures) == 1 else f"{count(len(failures))} attacks failed"
    with st.expander(f"{words}: see why", icon=":material/error:"):
        st.caption("They are in no count above. All others are not affected.")
        first = list(failures.items())[:_FAILURES_SHOWN]
        rows = [(view.attack(number), reason) for number, reason in first]
        table = pd.DataFrame(
            {
                "reason": [reason for _, reason in rows],
                "unknown": [attack.scenario.unknown for attack, _ in rows],
                "known": [", ".join(attack.scenario.known) for attack, _ in rows],
                "release": [attack.release for attack, _ in rows],
            }
        )
        st.dataframe(
            table,
            hide_index=True,
            lazy=False,
            height=table_height(len(table)),
            column_config={
                "reason": st.column_config.TextColumn("Why it failed", width="large"),
                "unknown": "Unknown",
                "known": "Known",
                "release": "Release",
            },
            alt="Attacks that failed, with reasons.",
        )
        if len(failures) > len(first):
            st.caption(literal(f"The first {count(len(first))}; all are in the CSV file."))


def _sentence_case(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}"


def _whole(shares: pd.Series) -> pd.Series:
    """Return shares in per cent, and never a false 100."""
    return (100 * shares).mask(shares < 1, (100 * shares).clip(upper=99.9))
