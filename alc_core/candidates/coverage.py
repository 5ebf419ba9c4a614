"""Attempted attacks by release."""

from __future__ import annotations

import pandas as pd

from alc_core.campaign.findings.findings_table import FINISHED
from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.lines import chosen_releases, release_order
from alc_core.scenario.derived import base_columns
from alc_core.scoring.parameters import ScoringParameters


def tried_columns(view: CampaignView) -> dict[str, int]:
    """Count the attacked columns with a result on each release."""
    found: dict[str, set[str]] = {release: set() for release in chosen_releases(view)}
    for attack in view.tested:
        found[attack.release] |= {*base_columns([attack.scenario.unknown], view.settings.kinds)}
    return {release: len(columns) for release, columns in found.items()}


UNLIKE = "Releases were attacked on different columns. Results:"


def unlike_coverage(view: CampaignView, scoring: ScoringParameters) -> pd.DataFrame | None:
    """Count attacks with a result if releases were tried on different columns.

    Returns
    -------
    DataFrame or None
        Unknown columns by releases in display order; None if all were tried alike.
    """
    frame = view.frame(scoring)
    done = frame[frame["status"] == FINISHED]
    counts = pd.crosstab(done["unknown"], done["release"])
    counts = counts.reindex(columns=list(release_order(view, scoring)), fill_value=0)
    tried = counts.gt(0)
    return None if tried.all(axis=1).eq(tried.any(axis=1)).all() else counts
