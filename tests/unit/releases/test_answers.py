import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.baselines.families import NaiveBayes
from alc_core.campaign.findings.view import CampaignView
from alc_core.errors import ColumnError, InputError
from alc_core.releases.answers import levels
from alc_core.releases.registry import as_release
from alc_core.review.attack_words import plain_sentence
from alc_core.scenario.scenario import Tolerance

FLAGGED = {alc.Verdict.AT_RISK, alc.Verdict.SERIOUS, alc.Verdict.INCONCLUSIVE}
KNOWN = [*"abcdefgh"]
FAST = {"families": (NaiveBayes(),), "loop": alc.LoopParameters(resamples=200)}


def people(seed, n=1200):
    rng = np.random.default_rng(seed)
    sizes = (9, 8, 7, 6, 5, 4, 3, 12)
    frame = pd.DataFrame(
        {c: rng.integers(0, k, n).astype(str) for c, k in zip(KNOWN, sizes, strict=True)}
    )
    frame["income"] = 3_000 * frame["a"].astype(int) + rng.integers(0, 36_000, n)
    return frame


def coarsened(frame):
    low = frame["income"] // 10_000 * 10_000
    return frame.assign(income=low.astype(str) + "-" + (low + 9_999).astype(str))


def scenarios(original, release, **how):
    return levels(
        alc.table_from_frame(original, name="people"),
        as_release(release),
        alc.Scenario(KNOWN, "income", targets=alc.Targets(missing=None), **how),
    )


def test_a_coarsened_column_is_measured_in_its_classes_besides():
    original = people(1)
    exact, classes = scenarios(original, coarsened(original))
    assert (exact.level, classes.level) == ("exact", "release")
    own = [alc.assess(original, coarsened(original), each, **FAST) for each in (exact, classes)]
    assert own[0].verdict not in FLAGGED
    assert own[1].verdict is alc.Verdict.SERIOUS
    assert own[1].attack.measured_precision > 0.99
    assert own[1].unknown_bins == 6
    assert "“correct” means the release's class of 'income' (6 classes)." in plain_sentence(own[1])
    assert alc.Assessment.from_json(own[1].to_json()) == own[1]
    many, strangers = people(1, 6_000), coarsened(people(2, 6_000))
    harmless = [alc.assess(many, strangers, each, **FAST) for each in (exact, classes)]
    assert not {each.verdict for each in harmless} & FLAGGED


def test_a_column_as_it_was_has_no_other_level():
    original = people(1, 200)
    (exact,) = scenarios(original, original)
    assert exact.level == "exact"
    with pytest.raises(InputError, match="has no generalized 'income'"):
        alc.assess(original, original, alc.Scenario(KNOWN, "income", level="release"))


def test_within_a_tolerance_attack_and_baseline_are_judged_alike():
    original = people(3)
    original["income"] = np.exp(8 + original["income"] / 9_000)  # 4 000 to 2 000 000
    noised = original.assign(income=original["income"] * 1.01)
    near = Tolerance(0.1, relative=True)
    (scenario,) = scenarios(original, noised, tolerance=near)
    found = alc.assess(original, noised, scenario, **FAST, accept=["other-coding:income"])
    assert found.verdict is alc.Verdict.SERIOUS
    assert found.down_sampled_share is None
    assert found.baseline.measured_precision < 0.3
    assert "Here, “correct” means within 10% of the true value." in plain_sentence(found)
    assert alc.Assessment.from_json(found.to_json()) == found
    other = alc.assess(original, people(4).assign(income=noised["income"].sample(
        frac=1, random_state=1).to_numpy()), scenario, **FAST,
        accept=["scale-changed:income"])  # fmt: skip
    assert other.verdict not in FLAGGED


@pytest.mark.parametrize(
    "attack", ["best row match", "model:family=decision tree,exact_first=true"]
)
def test_what_is_near_the_truth_is_right_wherever_ranges_end(attack):
    original = people(6, 800)
    moved = original.assign(
        income=original["income"] + np.random.default_rng(1).uniform(-600, 600, 800)
    )
    scenario = alc.Scenario(KNOWN, "income", tolerance=Tolerance(1_000))
    found = alc.assess(original, moved, scenario, attack=attack, **FAST)
    assert found.attack.measured_precision > 0.99
    assert found.attack.recall > 0.9


def test_a_campaign_has_both_levels_as_lines_of_their_own(tmp_path):
    original = people(5, 500)
    releases = {
        "ranges": coarsened(original),
        "wide": coarsened(original).replace(
            {"income": {"0-9999": "0-19999", "10000-19999": "0-19999"}}
        ),
        "plain": original,
    }
    plan = alc.plan_campaign(
        original, releases, unknown=["income"], known_sets=0,
        tolerance={"income": Tolerance(1_000)},
    )  # fmt: skip
    assert [(a.release, a.scenario.level) for a in plan.attacks] == [
        ("ranges", "exact"), ("ranges", "release"), ("wide", "exact"), ("wide", "release"),
        ("plain", "exact"),
    ]  # fmt: skip
    assert [scenario.wanted for scenario in plan.scenarios] == ["income", "income class"]
    path = tmp_path / "review.alc"
    with alc.run_campaign(original, releases, path, plan=plan, jobs=1, **FAST) as store:
        table = CampaignView(store).frame(alc.ScoringParameters())
        assert store.attacks == plan.attacks
        results = {a.number: store.assessment(a.number) for a in plan.attacks}
    assert set(table["unknown"][table["release"] == "ranges"]) == {"income", "income class"}
    assert [results[n].unknown_bins for n in (1, 3)] == [6, 5]
    # The same as alone: the baseline is fitted in the classes of each release.
    alone = alc.assess(original, releases["wide"], plan.attacks[3].scenario, **FAST)
    assert alone.outcomes == results[3].outcomes


def test_a_tolerance_for_another_column_is_refused():
    with pytest.raises(ColumnError, match="'a' has a tolerance, but is not attacked"):
        alc.plan_campaign(
            people(1, 100), people(1, 100), unknown=["income"], tolerance={"a": Tolerance(2)}
        )
