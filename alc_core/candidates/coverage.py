"""What was tried on which release."""

from __future__ import annotations

import pandas as pd

from alc_core.campaign.findings.findings_table import FINISHED
from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.lines import chosen_releases, release_order
from alc_core.scenario.derived import base_columns
from alc_core.scoring.parameters import ScoringParameters


def tried_columns(view: CampaignView, scoring: ScoringParameters) -> dict[str, int]:
    """Count the original's columns that an attack on each release has a result about."""
    done = {int(number) for number in view.overview(scoring).results["number"]}
    found: dict[str, set[str]] = {release: set() for release in chosen_releases(view)}
    for attack in view.judged:
        if attack.number in done:
            found[attack.release] |= {*base_columns([attack.scenario.unknown], view.settings.kinds)}
    return {release: len(columns) for release, columns in found.items()}


UNLIKE = "Releases were attacked on different columns. Attacks with a result:"


def unlike_coverage(view: CampaignView, scoring: ScoringParameters) -> pd.DataFrame | None:
    """Count the attacks with a result, where releases were not tried on the same columns.

    Returns
    -------
    DataFrame or None
        A row for each unknown column, a column for each release in the order of all pages; None
        where all were tried alike.
    """
    frame = view.frame(scoring)
    done = frame[frame["status"] == FINISHED]
    counts = pd.crosstab(done["unknown"], done["release"])
    counts = counts.reindex(columns=list(release_order(view, scoring)), fill_value=0)
    tried = counts.gt(0)
    return None if tried.all(axis=1).eq(tried.any(axis=1)).all() else counts
