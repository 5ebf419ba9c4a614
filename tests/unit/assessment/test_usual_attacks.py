"""What attacks rows by default: best row match and record linkage, and the worse is the answer."""

import json

import numpy as np
import pytest

import alc_core as alc
from alc_core.attacks.record_linkage import RecordLinkage
from alc_core.attacks.registry import LINKAGE, usual_attacks
from alc_core.cli import main
from alc_core.releases.samples.groups import anatomize
from benchmarks.people import made_up_people

pytestmark = pytest.mark.usefixtures("both_attacks")

PEOPLE, STRANGERS = made_up_people(1_500, seed=3), made_up_people(1_500, seed=4)
KNOWN = [column for column in PEOPLE if column != "condition"]
SCENARIO = alc.Scenario(KNOWN, "condition", targets="all")
OWN = ["age", "income", "district", "condition"]


def own_columns(people):
    rng = np.random.default_rng(0)
    release = people.sample(frac=1, random_state=0)
    for column in release.columns.difference(OWN):
        release[column] = rng.permutation(release[column].to_numpy())
    return release


def test_the_worse_of_both_is_the_answer_with_the_other_beside_it():
    found = alc.assess(PEOPLE, own_columns(PEOPLE), SCENARIO, accept=["own-together"])
    assert (found.attack_name, found.verdict) == (LINKAGE, "serious")
    (nearest,) = found.beside
    assert nearest.attack_name == "best row match"
    assert nearest.verdict in ("no loss", "below limit")
    alone = alc.assess(
        PEOPLE, own_columns(PEOPLE), SCENARIO, attack="best row match", accept=["own-together"]
    )
    assert alone.beside == ()
    assert alone.alc == nearest.alc


def test_of_strangers_neither_finds_anything():
    found = alc.assess(PEOPLE, own_columns(STRANGERS), SCENARIO)
    assert found.verdict in ("no loss", "below limit")
    assert len(found.beside) == 1


def test_the_command_says_what_both_find(tmp_path, capsys):
    PEOPLE.to_csv(tmp_path / "o.csv", index=False)
    own_columns(PEOPLE).to_csv(tmp_path / "r.csv", index=False)
    told = [
        "assess", "--original", str(tmp_path / "o.csv"), "--release", str(tmp_path / "r.csv"),
        "--known", ",".join(KNOWN), "--unknown", "condition", "--quiet", "--accept", "own-together",
    ]  # fmt: skip
    with pytest.raises(SystemExit, match="1"):
        main([*told, "--fail-on", "serious"])
    out = capsys.readouterr().out
    assert out.startswith("Verdict: Serious")
    assert out.count("Verdict: ") == 1
    assert "By best row match:" in out
    assert "only some values are people's own" in " ".join(out.split())
    with pytest.raises(SystemExit, match="0"):
        main([*told, "--json", "-"])
    results = json.loads(capsys.readouterr().out)["results"]
    assert sorted(each["attack_name"] for each in results) == ["best row match", LINKAGE]


def test_a_quick_campaign_runs_both_on_each_scenario():
    plan = alc.plan_campaign(PEOPLE, {"r": own_columns(PEOPLE)}, unknown=["condition"])
    by_attack = {
        name: {attack.scenario.key for attack in plan.attacks if attack.attack == name}
        for name in ("best row match", LINKAGE)
    }
    first, second = by_attack.values()
    assert first == second != set()
    assert sum(map(len, by_attack.values())) == len(plan.attacks)


def test_groups_are_attacked_by_both():
    release = anatomize(PEOPLE, unknown="condition", known=KNOWN, level=3)
    assert {"best row match", LINKAGE} <= {*usual_attacks(release)}
    found = alc.assess(PEOPLE, release, SCENARIO, attack=RecordLinkage())
    nearest = alc.assess(PEOPLE, release, SCENARIO, attack="best row match")
    assert found.alc > nearest.alc - 0.15
