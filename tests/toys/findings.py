"""Rows as those of a campaign's findings, made up."""

import numpy as np
import pandas as pd


def findings_rows(losses, **columns):
    """Attacks of some ALC, numbered from 10, all on one release; `columns` replace or add to it."""
    losses = np.asarray(losses, dtype=float)
    limits = [losses >= 0.75, losses >= 0.5, losses > 0]
    verdicts = np.select(limits, ["serious", "at risk", "below limit"], "no loss").tolist()
    standings = pd.array(verdicts, dtype="str")
    rows = {
        "number": np.arange(len(losses)) + 10, "verdict": standings, "standing": standings,
        "standing_alc": losses, "through": pd.array([pd.NA] * len(losses), dtype="Int64"),
        "through_known": pd.array([None] * len(losses), dtype="str"), "decisive": "alc_rest",
        "decisive_alc": losses, "decisive_low": losses - 0.1, "decisive_high": losses + 0.05,
        "alc": losses - 0.2, "alc_rest": losses,
        "interval_exact": pd.array([True] * len(losses), dtype="boolean"), "release": "v1.csv",
        "unknown": "income", "known": "age, sex",
    }  # fmt: skip
    return pd.DataFrame(rows).assign(**columns)
