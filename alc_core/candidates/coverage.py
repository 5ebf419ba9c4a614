"""What was tried on which release."""

from __future__ import annotations

import pandas as pd

from alc_core.campaign.findings.findings_table import FINISHED
from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.lines import release_order
from alc_core.scoring.parameters import ScoringParameters

UNLIKE = "Not all releases were tried on the same columns. Attacks with a result:"


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
