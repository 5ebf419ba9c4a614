"""A column that an attack could not use is said, and never ends in an all-clear."""

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.baselines.families import NaiveBayes
from alc_core.campaign.columns import Columns
from alc_core.campaign.findings.findings_table import UNMATCHED
from alc_core.campaign.findings.view import CampaignView
from alc_core.errors import NothingToAttackError, PreflightError
from alc_core.review.attack_words import verdict_explanation, verdict_title
from alc_core.scoring.verdict import Verdict

SCENARIO = alc.Scenario(["age", "city"], "job", targets=alc.Targets(count=500))
QUICK = {"families": (NaiveBayes(),), "seed": 0}


@pytest.fixture(scope="module")
def original(people):
    return people(2_000)


def independent(original, **changed):
    """Rows of nobody: each column in an order of its own."""
    rng = np.random.default_rng(1)
    return original.apply(lambda column: rng.permutation(column.to_numpy())).assign(**changed)


def renamed(original):
    return independent(original, city=lambda frame: "X" + frame["city"])


def assessed(original, release, **options):
    return alc.assess(original, release, SCENARIO, **QUICK, **options)


def test_a_release_without_a_column_can_be_clear_and_says_so(original):
    result = assessed(original, independent(original).drop(columns="city"))
    assert result.verdict in (Verdict.NO_LOSS, Verdict.BELOW_LIMIT)
    assert (result.absent, result.unmatched) == (("city",), ())
    said = "Only the best guess uses it: the release has no values of 'city' beside 'job'."
    assert said in verdict_explanation(result)
    constant = assessed(original, independent(original, city="nowhere"), accept=["unknown-labels"])
    assert (constant.absent, constant.unmatched) == (("city",), ())


def test_a_column_that_could_not_be_matched_is_never_clear(original):
    with pytest.raises(PreflightError, match="the column's results clear nothing"):
        assessed(original, renamed(original))
    result = assessed(original, renamed(original), accept=["unknown-labels:city"])
    assert result.decisive_alc < 0.5
    assert (result.verdict, result.unmatched) == (Verdict.INCONCLUSIVE, ("city",))
    assert verdict_title(result).startswith("Inconclusive")
    words = verdict_explanation(result)
    assert "This does not clear it." in words
    assert words.startswith("Some values of ")
    assert alc.Assessment.from_json(result.to_json()).verdict is Verdict.INCONCLUSIVE
    assert result.rescore(alpha=2.0).verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize(("share", "unmatched"), [(0.01, ()), (0.05, ("city",)), (0.45, ("city",))])
def test_a_column_partly_in_words_that_nothing_explains_is_never_clear(original, share, unmatched):
    rows = np.random.default_rng(1).random(len(original)) < share
    release = independent(
        original, city=lambda frame: frame["city"].mask(rows, "X" + frame["city"])
    )
    result = assessed(original, release, accept=["unknown-labels:city"])
    assert result.unmatched == unmatched
    assert (result.verdict is Verdict.INCONCLUSIVE) == bool(unmatched)
    assert verdict_explanation(result).startswith("Some values of") == bool(unmatched)


def test_what_matches_is_as_before(original):
    result = assessed(original, independent(original))
    assert (result.absent, result.unmatched) == ((), ())
    assert result.verdict in (Verdict.NO_LOSS, Verdict.BELOW_LIMIT)


def test_numbers_elsewhere_could_not_be_matched(original):
    far = independent(original, age=lambda frame: frame["age"] + 1000)
    result = assessed(original, far, accept=["scale-changed:age"])
    assert (result.verdict, result.unmatched) == (Verdict.INCONCLUSIVE, ("age",))


def test_a_campaign_does_not_clear_it_either(original, tmp_path):
    releases = {"fine": independent(original), "renamed": renamed(original)}
    plan = alc.plan_campaign(
        original, releases, unknown=["job"], known_sets=0, targets=alc.Targets(count=500)
    )
    with alc.run_campaign(
        original, releases, tmp_path / "c.alc", plan=plan, jobs=1,
        accept=["unknown-labels:renamed:city", "unknown-labels"], **QUICK,
    ) as store:  # fmt: skip
        numbers = {attack.release: attack.number for attack in store.attacks}
        assert store.assessment(numbers["renamed"]).unmatched == ("city",)
        curves = Columns.concat([store.columns()])
        place = {n: k for k, n in enumerate(curves.numbers.tolist())}
        assert curves.unmatched[place[numbers["renamed"]]]
        assert not curves.unmatched[place[numbers["fine"]]]
        view = CampaignView(store)
        for scoring in (store.settings.scoring, alc.ScoringParameters(alpha=2.0)):
            frame = view.frame(scoring).set_index("release")
            assert frame.loc["renamed", "verdict"] == "inconclusive"
            assert frame.loc["fine", "verdict"] in ("no loss", "below limit")
            assert frame.loc["renamed", "decisive_high"] < scoring.at_risk
            assert frame.loc["renamed", "reason"] == UNMATCHED
            assert pd.isna(frame.loc["fine", "reason"])
        assert view.overview(store.settings.scoring).standing == Verdict.INCONCLUSIVE


def test_a_campaign_in_which_nothing_can_run_gives_one_reason(original, tmp_path):
    columns = ["age", "city", "job"]
    counts = original[columns].groupby(columns).size().rename("n").reset_index()
    with pytest.raises(
        NothingToAttackError, match=r"None of \d+ attacks can run. 'cells'.* counts"
    ):
        alc.run_campaign(
            original, {"cells": alc.Microdata(
                tables=(alc.table_from_frame(counts, name="cells"),), name="cells"
            )}, tmp_path / "c.alc", **QUICK,
        )  # fmt: skip
    assert not (tmp_path / "c.alc").exists()


def test_a_plan_leaves_out_what_no_release_tells(original):
    release = independent(original, hours="*")
    plan = alc.plan_campaign(original, release)
    assert all("hours" not in scenario.columns for scenario in plan.scenarios)
    note = "Excluded: 'hours' (constant in every release)."
    assert note in plan.notes
    both = {"all": independent(original), "starred": release}
    plan = alc.plan_campaign(original, both, unknown=["hours"])
    assert plan.releases == ("all",)
