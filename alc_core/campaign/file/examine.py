"""All that a campaign's file from elsewhere holds, read before it is trusted."""

from __future__ import annotations

import math
from contextlib import closing
from pathlib import Path

import statsmodels.stats.proportion  # noqa: F401 - takes seconds, which no file is to wait for

from alc_core.campaign.file.file_errors import content_errors, damaged, file_errors
from alc_core.campaign.file.mismatch import result_differences
from alc_core.campaign.file.opening import READ_ONLY, connect
from alc_core.campaign.file.reader import CampaignReader


def examine(path: str | Path) -> tuple[str, ...]:
    """Read all of a campaign's file once, and leave it as it is.

    Made to run in a process of its own: what is packed to burst, or takes for ever, ends that.

    Parameters
    ----------
    path : str or Path
        Of the file; nobody may write to it meanwhile.

    Returns
    -------
    tuple of str
        What of it is damaged, and is left out when it is opened.

    Raises
    ------
    CampaignFileError
        If it cannot be opened, or holds what no campaign can hold.
    """
    place = Path(path)
    with file_errors(place), closing(connect(place, options=READ_ONLY)) as connection:
        if connection.execute("PRAGMA quick_check(1)").fetchall() != [("ok",)]:
            raise damaged(place, "a part of it")
    with CampaignReader(place, read_only=True) as reader:
        with content_errors(place, "how long attacks took"):
            if not all(0 <= seconds < math.inf for seconds in reader.seconds().values()):
                raise ValueError
        planned = {attack.number: attack for attack in reader.attacks}
        if min(planned, default=0) < 0:
            raise damaged(place, "a planned attack")
        reader.failures()
        reader.measured()
        with content_errors(place, "the shared resamples"):
            reader.resamples()
        curves = reader.curves()
        if len(curves) != reader.counts().finished:
            raise damaged(place, "a result without all its parts")
        for number, attempts, scale in zip(
            curves.numbers.tolist(), curves.attempts.tolist(), curves.recall_scale, strict=True
        ):
            result = reader.assessment(number)
            with content_errors(place, f"the result of attack {number}"):
                outcomes = result.outcomes
                same = outcomes.attempts == attempts and outcomes.attack.recall_scale == scale
                if not same or result_differences(result, planned[number], reader.settings):
                    raise ValueError
                if not math.isfinite(result.alc + result.alc_rest + result.exposed):
                    raise ValueError
        return tuple(each.words for each in reader.damage)
