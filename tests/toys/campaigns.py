"""Small campaigns that are really run."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import alc_core as alc
from alc_core.baselines.families import NaiveBayes


def run_quickly(
    original: Any,
    releases: Any,
    path: Path,
    *,
    unknown: Sequence[str] = ("job",),
    named: Sequence[Sequence[str]] = (("age", "hours"),),
    targets: int = 600,
    **options: Any,
) -> alc.CampaignStore:
    """Run attackers who know the named columns, with a cheap baseline, in this process."""
    plan = alc.plan_campaign(
        original, releases, unknown=list(unknown), named=[list(each) for each in named],
        known_sets=0, all_others=False, targets=alc.Targets(count=targets),
    )  # fmt: skip
    given = {"families": (NaiveBayes(),), "jobs": 1, **options}
    return alc.run_campaign(original, releases, path, plan=plan, **given)
