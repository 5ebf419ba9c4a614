"""The risk of each person as a table, when the user asks for it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from alc_core.measures.rapid.result import MeasuredRapid
from alc_core.spreadsheet import csv_text


def people_table(results: Sequence[MeasuredRapid]) -> str:
    """Return the risk of every person as CSV.

    Parameters
    ----------
    results : sequence of MeasuredRapid
        Of any releases and unknown columns.

    Returns
    -------
    str
        A line a person and result: release, unknown column, row of the original (from 1), score,
        score without the person, and whether at risk by the release. No value of the original is
        in it, but it says of real people how well they are predicted: it is personal data.
    """
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
