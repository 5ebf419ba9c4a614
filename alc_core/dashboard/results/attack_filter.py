"""Which attacks of a campaign are shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
import streamlit as st

from alc_core.campaign.findings.decisions import Choice, Decision, choice_label, decision_label
from alc_core.campaign.findings.overview import STANDINGS, CampaignOverview
from alc_core.campaign.findings.view import CampaignView
from alc_core.dashboard.state.session import bind
from alc_core.figures.standings import LOOKS
from alc_core.glossary import explain


@dataclass(slots=True, kw_only=True, eq=False)
class AttackFilter:
    """Which attacks are shown; what is empty lets all through."""

    # Where attacks stand, what they learn, from which releases, which they are, what was decided
    standings: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    releases: list[str] = field(default_factory=list)
    attacks: list[str] = field(default_factory=list)
    decisions: list[str] = field(default_factory=list)
    text: str = ""  # To be found in a column's or release's name

    def clear(self) -> None:
        """Let all attacks through."""
        self.standings, self.unknown, self.releases = [], [], []
        self.attacks, self.decisions, self.text = [], [], ""

    def fit(self, view: CampaignView) -> None:
        """Let go of columns, releases and attacks that are not in a view, which offers no such."""
        attacks = view.attacks
        unknown = {attack.scenario.wanted for attack in attacks}
        releases, names = {a.release for a in attacks}, {a.attack for a in attacks}
        self.unknown = [each for each in self.unknown if each in unknown]
        self.releases = [each for each in self.releases if each in releases]
        self.attacks = [each for each in self.attacks if each in names]

    def apply(self, results: pd.DataFrame, made: Mapping[int, Decision]) -> pd.DataFrame:
        """Return the attacks that are let through, in their order."""
        kept = np.ones(len(results), dtype=bool)
        chosen = {
            "standing": self.standings,
            "unknown": self.unknown,
            "release": self.releases,
            "attack": self.attacks,
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
    releases = view.attacked_releases
    unknown = list(dict.fromkeys(attack.scenario.wanted for attack in attacks))
    with st.container(horizontal=True):
        st.multiselect(
            "Verdict",
            [s for s in STANDINGS if overview.counts[s] or s in chosen.standings],
            format_func=lambda standing: LOOKS[standing].label,
            placeholder="All",
            **bind(chosen, "standings"),
        )
        st.multiselect(
            "Unknown column", unknown, placeholder="All",
            help=explain("unknown attribute"), **bind(chosen, "unknown"),
        )  # fmt: skip
        if len(releases) > 1:
            st.multiselect("Release", releases, placeholder="All", **bind(chosen, "releases"))
        names = list(dict.fromkeys(attack.attack for attack in attacks))
        if len(names) > 1:
            st.multiselect("Attack", names, placeholder="All", **bind(chosen, "attacks"))
        if made:
            labels = ["", *(choice_label(choice) for choice in Choice)]
            st.multiselect(
                "Decision", labels, format_func=lambda label: label or "None yet",
                placeholder="All", **bind(chosen, "decisions"),
            )  # fmt: skip
        st.text_input(
            "Search", placeholder="A name", icon=":material/search:", **bind(chosen, "text")
        )
