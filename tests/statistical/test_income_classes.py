"""A coarsened income with a heavy tail and a code among its numbers: what the bands leak."""

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.baselines.families import NaiveBayes
from alc_core.scoring.verdict import FLAGGED

PEOPLE = 3_000
BAND = 20_000
FACTS = ("age", "place", "trade", "hours")


def survey(seed: int) -> pd.DataFrame:
    """People whose income has little to do with the facts that single most of them out."""
    rng = np.random.default_rng(seed)
    income = np.round(rng.lognormal(10.6, 0.7, PEOPLE), -2).astype(int)
    income[:3] = 1_900_000  # one range of twenty equal ones holds nearly everybody
    texts = income.astype(str).astype(object)
    texts[rng.random(PEOPLE) < 0.1] = "N"
    return pd.DataFrame(
        {
            "age": rng.integers(16, 90, PEOPLE), "place": rng.integers(0, 30, PEOPLE).astype(str),
            "trade": rng.integers(0, 12, PEOPLE).astype(str), "hours": rng.integers(10, 60, PEOPLE),
            "income": texts,
        }
    )  # fmt: skip


def in_bands(frame: pd.DataFrame) -> pd.DataFrame:
    def band(text: str) -> str:
        low = int(text) // BAND * BAND if text != "N" else 0
        return text if text == "N" else f"{low}-{low + BAND - 1}"

    return frame.assign(income=frame["income"].map(band)).sample(frac=1, random_state=1)


@pytest.fixture(scope="module")
def found():
    """By release and level, the attacks on income by someone who knows everything else."""
    original = alc.table_from_frame(survey(1), name="survey.csv")
    releases = {"bands": in_bands(survey(1)), "strangers": in_bands(survey(2))}
    plan = alc.plan_campaign(original, releases, unknown=["income"], known_sets=0)
    return {
        (attack.release, attack.scenario.level): alc.assess(
            original,
            alc.table_from_frame(releases[attack.release], name=attack.release),
            attack.scenario, seed=1, loop=alc.LoopParameters(folds=3, resamples=200),
            families=(NaiveBayes(),),
        )
        for attack in plan.attacks
    }  # fmt: skip


def test_bands_of_the_very_people_are_flagged_and_those_of_strangers_are_not(found):
    assert len(found) == 4
    assert found["bands", "release"].verdict in FLAGGED
    assert found["bands", "release"].alc_rest > 0.75
    assert found["bands", "release"].exposed > 0.2 * PEOPLE
    for level in ("exact", "release"):
        assert found["strangers", level].verdict not in FLAGGED


def test_the_result_names_its_classes(found):
    assert 19 <= found["bands", "exact"].unknown_bins <= 21
    assert any("about as many people each" in n.text for n in found["bands", "exact"].notes)
    assert any("release's class of" in n.text for n in found["bands", "release"].notes)
