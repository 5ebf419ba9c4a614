"""Where do RAPID and ALC disagree, and does RAPID's interval cover?

``python benchmarks/rapid.py --adult FILE --synthetic FILE`` takes the Adult table and a synthetic
version of it (CSV); without them it takes the survey of the demo. Releases are the synthetic table,
and the original with 20 and 80% of each column swapped. For each it prints RAPID of occupation and
marital_status (normalized gain above 0.3) and of hours_per_week and age (symmetric error below
10%), the same without the person, and ALC of the model attack in the same scenario.

For the first column it also draws people from the original, 200 times, and counts how often the
interval of RAPID from those people covers RAPID of all people, for the same models. Exit code 1
where it does in fewer than 93%. ``--rows N`` takes a random part of the original.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
import pandas as pd

import alc_core as alc
from alc_core.phrasing import alc_number
from alc_core.releases.microdata import Microdata
from alc_core.studies.rapid.measuring import measure_rapid, percentile_interval, resampled, with_few
from alc_core.studies.rapid.result import MeasuredRapid, RapidSettings

ADULT = ("age", "workclass", "education", "marital_status", "occupation", "race", "sex",
         "hours_per_week", "income")  # fmt: skip
ADULT_UNKNOWN = ("occupation", "marital_status", "hours_per_week", "age")
SURVEY = ("age", "yrs_married", "children", "religious", "educ", "occupation", "occupation_husb")
SURVEY_UNKNOWN = ("occupation", "religious", "yrs_married", "age")
SAMPLES, PEOPLE, LEAST = 200, 2_000, 0.93


def releases_of(frame: pd.DataFrame, synthetic: pd.DataFrame | None) -> dict[str, pd.DataFrame]:
    """Return the releases by name."""
    found = {} if synthetic is None else {"synthetic": synthetic}
    for share in (0.2, 0.8):
        found[f"{share:.0%} swapped"] = alc.swap_columns(frame, share, seed=1)
    return {"original itself": frame, **found}


def main() -> int:
    """Print the table and the coverage."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--adult", type=Path)
    parser.add_argument("--synthetic", type=Path)
    parser.add_argument("--rows", type=int)
    parser.add_argument("--learner", default="random forest")
    options = parser.parse_args()
    columns, unknown = (ADULT, ADULT_UNKNOWN) if options.adult else (SURVEY, SURVEY_UNKNOWN)
    frame = pd.read_csv(options.adult) if options.adult else alc.load_demo("fair").original.frame
    frame = frame[list(columns)]
    if options.rows:
        frame = frame.sample(options.rows, random_state=1).reset_index(drop=True)
    synthetic = pd.read_csv(options.synthetic)[list(columns)] if options.synthetic else None
    original = alc.table_from_frame(frame, name="original")
    releases = {
        name: Microdata(tables=(alc.table_from_frame(each, name=name),), name=name)
        for name, each in releases_of(frame, synthetic).items()
    }
    covered: list[float] = []
    print(f"{'release':16}{'unknown':16}{'RAPID':>8}{'without':>9}{'ALC':>10}  verdict")
    for column in unknown:
        scenario = alc.Scenario([name for name in columns if name != column], column)
        like: MeasuredRapid | None = None
        for name, release in releases.items():
            settings = RapidSettings(learner=options.learner)
            like = measure_rapid(original, release, scenario, settings, like=like)
            found = like.result
            result = alc.assess(original, release, scenario, attack="model")
            print(
                f"{name:16}{column:16}{found.rapid.value:8.3f}{found.reference.value:9.3f}"
                f"{alc_number(result.decisive_alc):>10}  {result.verdict}",
                flush=True,
            )
            if column == unknown[0]:
                covered.append(coverage(like))
                print(f"{'':16}interval of {PEOPLE} people covers: {covered[-1]:.1%}", flush=True)
    return 0 if min(covered) >= LEAST else 1


def coverage(found: MeasuredRapid) -> float:
    """Return in how many samples of people the interval covers the share among all of them."""
    risk, rng = found.at_risk.astype(float), np.random.default_rng(0)
    hits = 0
    for _ in range(SAMPLES):
        some = risk[rng.choice(len(risk), size=min(PEOPLE, len(risk) // 3), replace=False)]
        shares = resampled(
            np.arange(len(some)),
            lambda weights, some=some: np.array([np.average(some, weights=weights)]),
            resamples=1_000,
            rng=rng,
        )
        ends = percentile_interval(shares)
        low, high = with_few(some.mean(keepdims=True), *ends, len(some))
        hits += bool(low[0] <= risk.mean() <= high[0])
    return hits / SAMPLES


if __name__ == "__main__":
    sys.exit(main())
