"""Findings as files: of all attacks, and the campaign itself."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import BinaryIO

import pandas as pd
import streamlit as st

from alc_core.campaign.findings.decisions import decisions, with_decisions
from alc_core.campaign.findings.findings_table import findings_csv, write_findings_parquet
from alc_core.dashboard.parts.campaign_file import draw_save
from alc_core.dashboard.parts.widgets import draw_download
from alc_core.dashboard.state.campaign_state import CampaignResult
from alc_core.dashboard.state.files import campaign_file_stem
from alc_core.scoring.parameters import ScoringParameters
from alc_core.spreadsheet import write_findings_workbook


def draw_campaign_downloads(campaign: CampaignResult, scoring: ScoringParameters) -> None:
    """Draw the downloads of all attacks under a scoring, and that of the campaign's file."""
    view = campaign.view
    with st.spinner("Scoring all attacks"):
        frame = with_decisions(view.frame(scoring), decisions(view.store))
    what = "findings" if scoring == view.settings.scoring else "findings what-if"
    stem = campaign_file_stem(view.settings.original.name, what)
    with st.container(horizontal=True):
        draw_download(
            "All attacks (CSV)",
            lambda: findings_csv(frame),
            f"{stem}.csv",
            key="campaign_csv",
            help="All attacks, whatever the filters, with every number unrounded, under the "
            "parameters in force here. No rows of people: counts, scores and column names.",
        )
        draw_download(
            "All attacks (Excel)",
            lambda: _written(write_findings_workbook, frame),
            f"{stem}.xlsx",
            key="campaign_excel",
            help="The same as a workbook; no cell can act as a formula.",
        )
        draw_download(
            "All attacks (Parquet)",
            lambda: _written(write_findings_parquet, frame),
            f"{stem}.parquet",
            key="campaign_parquet",
            help="The same for pandas, R and other software that keeps types.",
        )
        draw_save(campaign)


def _written(write: Callable[[pd.DataFrame, BinaryIO], None], frame: pd.DataFrame) -> bytes:
    buffer = io.BytesIO()
    write(frame, buffer)
    return buffer.getvalue()
