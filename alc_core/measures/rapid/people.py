"""The risk of each person as a table, when the user asks for it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from alc_core.measures.rapid.result import MeasuredRapid
from alc_core.spreadsheet import csv_text


def people_table(results: Sequence[MeasuredRapid]) -> str:
    """Return the risk of every person as CSV."""
    frames = [
        pd.DataFrame(
            {
                "release": found.result.release,
                "unknown": found.result.unknown,
                "row": found.people.rows + 1,
                "score": np.round(found.people.scores, 6),
                "score_without_the_person": np.round(found.people.reference, 6),
                "at_risk": found.people.at_risk,
            }
        )
        for found in results
    ]
    return csv_text(pd.concat(frames, ignore_index=True))
