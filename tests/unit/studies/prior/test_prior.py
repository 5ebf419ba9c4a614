"""What other measures would have said, on releases whose rows are known to be whose."""

import dataclasses
import json

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.attacks.protocol import AttackType, Predictions
from alc_core.attacks.registry import _TYPES, register_attack
from alc_core.baselines.families import NaiveBayes
from alc_core.campaign.findings.other_measures import disagreement_rows
from alc_core.campaign.findings.view import CampaignView
from alc_core.errors import CampaignMismatchError, InputError
from alc_core.measures.full_recall import HOLDOUT, NO_RECALL, OWN_ROW_OUT, loss_of_all
from alc_core.present.blocks import Figure, Remark
from alc_core.runtime.progress import Reporter
from alc_core.scoring.intervals import wilson_interval
from alc_core.studies.prior import KEPT_PRIORS, PriorResult, prior_approach
from alc_core.studies.registry import studies
from alc_core.studies.study import CampaignStanding, StudyData, Viewpoint, checked, usual_values
from alc_core.tables.read import read_table, table_from_frame
from tests.toys.campaigns import run_quickly

KNOWN, UNKNOWN = ("age", "city", "hours"), "job"


def crowd(rows, seed):
    """Four columns that tell people apart, and one that only the person's own row tells."""
    rng = np.random.default_rng(seed)
    columns = {name: rng.integers(0, 30, rows) for name in KNOWN}
    return pd.DataFrame({**columns, UNKNOWN: rng.choice(list("abcd"), rows)}).astype(str)


@pytest.fixture(scope="module")
def original():
    return crowd(1500, 1)


def assessed(original, release, **more):
    scenario = alc.Scenario(KNOWN, UNKNOWN, targets=alc.Targets(count=600), **more)
    accept = ("identical-release", "copied-rows")
    return alc.assess(
        original, release, scenario, families=(NaiveBayes(),), seed=1, accept=accept
    )  # fmt: skip


@pytest.mark.parametrize("order", ["kept", "mixed"])
def test_verbatim_rows_are_flagged_by_every_measure_and_strangers_by_none(original, order):
    release = original if order == "kept" else original.sample(frac=1, random_state=2)
    release, others = release.reset_index(drop=True), crowd(800, 3)
    run = assessed(original, release)
    run = prior_approach(run, original, release)
    run = prior_approach(run, original, release, holdout=others)
    for name in (NO_RECALL, OWN_ROW_OUT, HOLDOUT):
        found = run.measured[name]
        assert found["alc"].value > 0.75
        assert found["attack"].value > 0.95
        assert found["other"].value == pytest.approx(0.25, abs=0.06)
    assert json.loads(json.dumps(run.to_dict()))["measured"][OWN_ROW_OUT]["alc"]


def test_strangers_rows_are_nobodys_and_lose_nothing(original):
    strangers = crowd(1500, 4)
    run = assessed(original, strangers)
    assert run.measured[NO_RECALL]["alc"].value < 0.1
    with pytest.raises(InputError, match="traceable rows"):
        prior_approach(run, original, strangers)
    apart = prior_approach(run, original, strangers, holdout=crowd(800, 3))
    assert abs(apart.measured[HOLDOUT]["alc"].value) < 0.1


def test_rows_that_stay_in_place_are_taken_out_though_values_were_exchanged(original):
    swapped = alc.swap_columns(original, 0.3, seed=5)
    run = prior_approach(assessed(original, swapped), original, swapped)
    found = run.measured[OWN_ROW_OUT]
    assert found["other"].value == pytest.approx(0.25, abs=0.06)
    assert found["attack"].value > found["other"].value + 0.1
    # The attack is sure of those whose row is whole: recall shows more than everybody does.
    assert run.alc > found["alc"].value + 0.2
    assert run.alc > run.measured[NO_RECALL]["alc"].value + 0.2


def test_groups_need_a_holdout(original):
    release = alc.anatomize(original, unknown=UNKNOWN, known=KNOWN, level=2)
    assert not studies()["prior"].refusal(release)  # there may be one
    with pytest.raises(InputError, match="the prior approach needs rows of people"):
        prior_approach(assessed(original, original), original, release)
    run = prior_approach(assessed(original, release), original, release, holdout=crowd(800, 3))
    assert run.measured[HOLDOUT]["attack"].value > run.measured[HOLDOUT]["other"].value


def test_empty_rows_of_a_release_in_the_originals_order_are_nobodys(original):
    released = alc.swap_columns(original, 0.3, seed=5)
    released[np.random.default_rng(3).random(len(released)) < 0.1] = np.nan
    tables = [
        read_table(frame.to_csv(index=False).encode(), name="a.csv")
        for frame in (original, released)
    ]
    assert len(tables[1]) < len(original)
    found = prior_approach(assessed(*tables), *tables).measured[OWN_ROW_OUT]
    assert found["other"].value == pytest.approx(0.25, abs=0.06)
    assert found["attack"].value > found["other"].value + 0.1


class Halting:
    # Says the first value of everybody of an even age, and nothing of the others.

    name = "halting"
    accepts = (alc.Microdata,)

    def prepare(self, view, rng):
        def predict(targets):
            n = len(targets)
            return Predictions.of(np.zeros(n), np.ones(n), targets.columns["age"] % 2 == 0)

        return predict


def test_where_the_attack_abstains_it_is_right_about_neither_side(original):
    register_attack(
        AttackType(
            name="halting", method="", reference="", accepts=(alc.Microdata,), make=Halting
        )
    )  # fmt: skip
    try:
        scenario = alc.Scenario(KNOWN, UNKNOWN, targets=alc.Targets(count=600))
        run = alc.assess(
            original, original, scenario, attack="halting", families=(NaiveBayes(),), seed=1,
            accept=("identical-release", "copied-rows"),
        )  # fmt: skip
        assert run.abstentions > 0
        found = prior_approach(run, original, original).measured[OWN_ROW_OUT]
    finally:
        _TYPES.pop("halting")
    assert found["attack"].value == found["other"].value


def test_all_rows_of_a_person_go(original):
    twice = pd.concat([original, original], ignore_index=True)
    twice = twice.assign(who=np.tile(np.arange(len(original)), 2).astype(str))
    release = twice.drop(columns="who")
    run = prior_approach(assessed(twice, release, person="who"), twice, release)
    assert run.measured[OWN_ROW_OUT]["other"].value == pytest.approx(0.25, abs=0.06)


def test_the_loss_is_that_of_the_midpoints_at_recall_1():
    scoring = alc.ScoringParameters()
    found = loss_of_all((80, 100), (50, 100), scoring)
    attack, other = (sum(wilson_interval(right, 100)) / 2 for right in (80, 50))
    assert found["alc"].value == pytest.approx((attack - other) / (1 - other))
    assert found["alc"].low < found["alc"].value < found["alc"].high
    absolute = loss_of_all((80, 100), (50, 100), dataclasses.replace(scoring, loss="absolute"))
    assert absolute["alc"].value == pytest.approx(attack - other)
    sure = loss_of_all((1000, 1000), (1000, 1000), scoring)
    assert sure["alc"].value == 0


def test_a_campaign_keeps_it_in_findings_file_and_view(original, tmp_path):
    swapped = alc.swap_columns(original, 0.3, seed=5)
    releases = {"swapped": swapped}
    with run_quickly(original, releases, tmp_path / "c.alc", named=[KNOWN]) as store:
        view = CampaignView(store)
        scoring = view.settings.scoring
        before = view.frame(scoring)
        assert before["no_recall_alc"].notna().all()
        assert "prior_approach_alc" not in before
        run = prior_approach(view.assessment(0), original, swapped)
        numbers = run.measured[OWN_ROW_OUT]
        result = PriorResult(
            release="swapped", fingerprint=store.settings.original.fingerprint,
            measure=OWN_ROW_OUT, attacks={0: numbers},
        )  # fmt: skip
        KEPT_PRIORS.keep(store, result)
        with pytest.raises(CampaignMismatchError):
            KEPT_PRIORS.keep(store, dataclasses.replace(result, fingerprint="another"))
        assert list(KEPT_PRIORS.read(store).values()) == [result]
        assert view.refresh()
        assert not view.refresh()
        after = view.frame(scoring)
        assert after["prior_approach_alc"].tolist() == [numbers["alc"].value]
        assert after["prior_approach_other"].tolist() == [numbers["other"].value]
        rows = disagreement_rows(view.overview(scoring))
        assert [list(row.values())[:2] for row in rows] == [
            ["0.5 to 0.75", "Below 0.5"], ["0.75 or more", "Below 0.5"],
            ["Below 0.5", "0.5 to 0.75"], ["Below 0.5", "0.75 or more"],
        ]  # fmt: skip
        assert set(rows[0]) == {"ALC", "Other measure", "ALC without recall", "Prior approach"}


def test_the_study_attacks_non_members_and_shows_where_measures_disagree(original, tmp_path):
    swapped, strangers = alc.swap_columns(original, 0.3, seed=5), crowd(1500, 4)
    tables = {name: table_from_frame(frame, name=name)
              for name, frame in (("swapped", swapped), ("strangers", strangers))}  # fmt: skip
    with run_quickly(
        original, {name: table.frame for name, table in tables.items()}, tmp_path / "c.alc",
        named=[KNOWN],
    ) as store:  # fmt: skip
        view = CampaignView(store)
        data = StudyData(
            table=table_from_frame(original, name="o"),
            releases={n: alc.Microdata(tables=(t,), name=n) for n, t in tables.items()},
            standing=CampaignStanding(view=view, overview=view.overview(view.settings.scoring)),
        )
        study = studies()["prior"]
        given = {**usual_values(study), "non_members": "own rows"}
        checked(study, data, given)
        found, nobody = study.run(data, given, Reporter())  # no stranger's row is anybody's
        assert (nobody.release, nobody.attacks) == ("strangers", {})
        assert [type(block) for block in study.blocks(nobody, Viewpoint())] == [Remark]
        assert "traceable" in nobody.refused[0]
        assert (found.release, found.measure, len(found.attacks)) == ("swapped", OWN_ROW_OUT, 1)
        only = dataclasses.replace(data, releases={"strangers": data.releases["strangers"]})
        with pytest.raises(InputError, match="traceable"):
            study.run(only, given, Reporter())
        study.kept.keep(store, found)
        view.refresh()
        overview = view.overview(view.settings.scoring)
        look = Viewpoint(standing=CampaignStanding(view=view, overview=overview))
        kinds = [type(block).__name__ for block in study.further(look)]
        assert kinds == ["Heading", "Control", "Figure", "Text", "Items", "Grid"]
        (figure,) = [each.draw() for each in study.further(look) if isinstance(each, Figure)]
        number = next(iter(found.attacks))
        assert list(figure.data[1].customdata) == [number]
        with pytest.raises(InputError, match="needs a holdout"):
            checked(study, data, {**given, "non_members": "holdout"})
