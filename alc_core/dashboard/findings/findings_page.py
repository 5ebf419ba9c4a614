"""Parts of the Findings page for a campaign: what-if, one attack of many, downloads."""

from __future__ import annotations

import io

import pandas as pd
import streamlit as st

from alc_core.assessment.result import Assessment
from alc_core.assessment.words import verdict_title
from alc_core.campaign.findings.decisions import decisions, with_decisions
from alc_core.campaign.findings.findings_table import findings_csv, write_findings_parquet
from alc_core.campaign.findings.overview import flips_sentence
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.rescore.outcome_codes import OUTCOMES
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.attack_table import DETAILS, table_height
from alc_core.dashboard.parts.campaign_progress import draw_save
from alc_core.dashboard.state.campaign_state import CampaignResult
from alc_core.dashboard.state.files import campaign_file_stem
from alc_core.phrasing import count, listed
from alc_core.scoring.parameters import ScoringParameters
from alc_core.spreadsheet import write_findings_workbook


def draw_flips(view: CampaignView, scoring: ScoringParameters) -> None:
    """Say how many attacks change their verdict against the run's parameters."""
    changed = view.flips(scoring)
    if not len(changed):
        words = "No verdict changes." if scoring != view.settings.scoring else ""
        st.caption(words or "These are the run's parameters.")
        return
    st.info(literal(flips_sentence(changed)), icon=":material/swap_horiz:")
    st.caption("They are listed below the table of all attacks.")


def draw_flips_table(view: CampaignView, scoring: ScoringParameters) -> None:
    """List the attacks that change their verdict, folded away; nothing where none does."""
    changed = view.flips(scoring)
    if not len(changed):
        return
    with st.expander("Which attacks change"):
        results = view.overview(scoring).results.set_index("number")
        rows = results.loc[changed.numbers]
        table = pd.DataFrame(
            {
                "Before": [OUTCOMES[code] for code in changed.before.tolist()],
                "Now": [OUTCOMES[code] for code in changed.after.tolist()],
                "ALC": rows["alc"].clip(lower=0.0).tolist(),
                "Release": rows["release"].tolist(),
                "Unknown": rows["unknown"].tolist(),
                "Known": rows["known"].tolist(),
            }
        )
        st.dataframe(
            table,
            hide_index=True,
            height=table_height(len(table)),
            column_config={
                "Before": st.column_config.TextColumn(width=110),
                "Now": st.column_config.TextColumn(width=110),
                "ALC": st.column_config.NumberColumn(format="%.2f", width=60),
                "Release": st.column_config.TextColumn(width=170),
                "Unknown": st.column_config.TextColumn(width=150),
                "Known": st.column_config.TextColumn(width=420),
            },
            alt="Attacks whose verdict changes, before and now.",
        )


def draw_progress(view: CampaignView) -> None:
    """Say that attacks are missing, with a button to look again; nothing where all ran."""
    counts = view.counts
    if not counts.missing:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            f"{count(counts.finished)} of {count(counts.planned)} attacks have a result so far."
        )
        st.button("Look again", icon=":material/refresh:")


def draw_attack_title(view: CampaignView, number: int, *, worst: bool) -> None:
    """Say which attack is opened: who knows what, wants what, from which release, and why it."""
    attack = view.attack(number)
    st.divider()
    title = "The worst attack in detail" if worst else "The chosen attack in detail"
    st.subheader(title, anchor=DETAILS)
    st.markdown(
        f"Wants to learn **{literal(attack.scenario.unknown)}** from "
        f"**{literal(attack.release)}**, knows "
        f"**{literal(listed(list(attack.scenario.known)))}**."
    )
    way_back = (
        " Click another mark or row above to open that attack here."
        if view.counts.finished > 1
        else ""
    )
    st.caption(literal(f"Attack {number}. Why these facts: {attack.reason}{way_back}"))


def draw_difference(view: CampaignView, number: int, shown: Assessment) -> None:
    """Say where the exact interval gives another verdict than the one carried over above."""
    rescored = view.rescored(shown.scoring)
    if rescored.interval_exact:
        return
    results = view.overview(shown.scoring).results
    above = str(results.loc[results["number"] == number, "verdict"].iloc[0])
    if above != str(shown.verdict):
        st.info(
            literal(
                f"With its exact interval this attack is {verdict_title(shown).lower()}. Above it "
                f"counts as {above}, because there intervals are carried over (≈)."
            ),
            icon=":material/approximation:",
        )


def draw_campaign_downloads(campaign: CampaignResult, scoring: ScoringParameters) -> None:
    """Draw the downloads of all attacks under a scoring, and that of the campaign's file."""
    view = campaign.view
    with st.spinner("Scoring all attacks"):
        frame = with_decisions(view.frame(scoring), decisions(view.store))
    what = "findings" if scoring == view.settings.scoring else "findings what-if"
    stem = campaign_file_stem(view.settings.original.name, what)
    with st.container(horizontal=True):
        st.download_button(
            "Download CSV",
            data=lambda: findings_csv(frame),
            file_name=f"{stem}.csv",
            mime="text/csv",
            icon=":material/download:",
            on_click="ignore",
            key="campaign_csv",
            help="All attacks, whatever the filters, with every number unrounded, under the "
            "parameters in force here. No rows of people: counts, scores and column names.",
        )
        st.download_button(
            "Download Excel",
            data=lambda: _workbook(frame),
            file_name=f"{stem}.xlsx",
            mime="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            icon=":material/download:",
            on_click="ignore",
            key="campaign_excel",
            help="The same as a workbook; no cell can act as a formula.",
        )
        st.download_button(
            "Download Parquet",
            data=lambda: _parquet(frame),
            file_name=f"{stem}.parquet",
            mime="application/vnd.apache.parquet",
            icon=":material/download:",
            on_click="ignore",
            key="campaign_parquet",
            help="The same for pandas, R and other software that keeps types.",
        )
        draw_save(campaign)


def _parquet(frame: pd.DataFrame) -> bytes:
    buffer = io.BytesIO()
    write_findings_parquet(frame, buffer)
    return buffer.getvalue()


def _workbook(frame: pd.DataFrame) -> bytes:
    buffer = io.BytesIO()
    write_findings_workbook(frame, buffer)
    return buffer.getvalue()
