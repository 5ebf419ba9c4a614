"""``alc threat``: the paper's example from files, JSON, and what it refuses."""

import numpy as np
import pandas as pd
import pytest

from alc_core.cli import main
from tests.unit.cli.conftest import results

PEOPLE = """nation,zip,illness
Malaysia,45501,Heart
Japan,45502,Flu
Japan,55503,Flu
Japan,55504,Stomach
China,66601,HIV
Japan,66601,Diabetes
India,77701,Flu
Malaysia,77701,Heart
"""
ANONYMOUS = """nation,zip,illness
"{Malaysia, Japan}",4550*,Heart
"{Malaysia, Japan}",4550*,Flu
Japan,5550*,Flu
Japan,5550*,Stomach
"{China, Japan}",66601,HIV
"{China, Japan}",66601,Diabetes
"{India, Malaysia}",77701,Flu
"{India, Malaysia}",77701,Heart
"""
ANATOMY = """group_id,nation,zip,illness
1,Japan,45502,Heart
1,Malaysia,45501,Flu
2,Japan,55504,Flu
2,Japan,55503,Stomach
3,Japan,66601,HIV
3,China,66601,Diabetes
4,Malaysia,77701,Flu
4,India,77701,Heart
"""


@pytest.fixture
def run(tmp_path, capsys):
    """Runs ``alc threat`` on the paper's example; returns what it prints."""
    for name, text in (("people", PEOPLE), ("anonymous", ANONYMOUS), ("anatomy", ANATOMY)):
        (tmp_path / f"{name}.csv").write_text(text)

    def call(*arguments, release="anonymous"):
        capsys.readouterr()
        with pytest.raises(SystemExit) as stop:
            main(
                ["threat", "--original", str(tmp_path / "people.csv"), "--release",
                 f"{release}={tmp_path / release}.csv", "--known", "nation,zip", "--unknown",
                 "illness", *arguments]
            )  # fmt: skip
        return stop.value.code, *capsys.readouterr()

    return call


def test_the_papers_victim_comes_out_as_json(run):
    code, out, _ = run("--victim", "nation=Malaysia,zip=45501", "--json", "-", "--seed", "3")
    assert code == 0
    (found,) = results(out)
    attacked = [found["p_attacker"][value] for value in ("Heart", "Flu", "HIV")]
    assert attacked == pytest.approx([0.58, 0.42, 0], abs=0.02)
    learned = [found["p_learner"][value] for value in ("Heart", "Flu", "HIV")]
    assert learned == pytest.approx([0.34, 0.32, 0.11], abs=0.02)
    assert found["p_random_worlds"]["Heart"] == 0.5
    assert sum(found["p_ideal"].values()) == pytest.approx(1)
    for name in ("gt_attacker", "gt_learner", "gt_random_worlds", "rgt_attacker", "rf", "abs"):
        assert np.isfinite(found[name])
        assert found[f"{name}_mcse"] >= 0
    assert 0 < found["p_attacker_mcse"]["Heart"] < 0.02
    assert {"geweke", "weiss", "r_hat", "ess", "converged"} <= set(found["diagnostics"])
    assert found["diagnostics"]["converged"] is True
    assert found["people"] == 8


def test_groups_are_read_and_a_victim_may_be_known_in_part(run):
    code, out, _ = run(
        "--release-type", "groups", "--victim", "nation=Malaysia", "--json", "-", release="anatomy"
    )
    assert code == 0
    (found,) = results(out)
    assert found["p_attacker"]["HIV"] == 0
    assert found["p_random_worlds"]["Heart"] == 0.5
    assert 0 < found["diagnostics"]["accepted"] < 1


def test_a_holdout_is_compared_with_the_people(run, tmp_path):
    (tmp_path / "others.csv").write_text(PEOPLE.replace("Heart", "Flu"))
    code, out, _ = run("--holdout", str(tmp_path / "others.csv"), "--json", "-")
    assert code == 0
    found = results(out)[0]["holdout"]
    assert found["members"]["fitting"] == found["non_members"]["fitting"] == 8
    assert found["members"]["attacker"]["value"] > found["non_members"]["attacker"]["value"]
    assert "log_posterior" in results(out)[0]["diagnostics"]


def test_chains_that_have_not_converged_say_so_first(run):
    short = ("--iterations", "100", "--chains", "2")
    _, out, _ = run(*short)
    assert out.splitlines()[1].startswith("Do not rely on these numbers. The chains have not")
    _, out, _ = run(*short, "--json", "-")
    (found,) = results(out)
    assert found["diagnostics"]["converged"] is False
    assert found["notes"][0].startswith("Do not rely on these numbers.")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--victim", "nation=Malaysia,zip=66601"],
         "fits the victim: nation = 'Malaysia' and zip = '66601' together"),
        (["--victim", "zip=99999"], "Column 'zip' has no value '99999'"),
        (["--victim", "age=3"], "'age' is not a known column of the release"),
        (["--victim", "Malaysia"], "--victim takes COLUMN=VALUE"),
        (["--chains", "1"], "chains must be between 2 and 32, not 1"),
        (["--ranges", "1"], "ranges must be between 2 and 1000, not 1"),
    ],
)  # fmt: skip
def test_bad_input_is_named(run, arguments, message):
    code, out, err = run(*arguments)
    assert code == 2
    assert message in err
    assert not out


def test_a_label_that_covers_nothing_is_named(run, tmp_path):
    frame = pd.read_csv(tmp_path / "anonymous.csv", dtype=str)
    frame.loc[:1, "zip"] = "999**"
    frame.to_csv(tmp_path / "anonymous.csv", index=False)
    code, _, err = run()
    assert code == 2
    assert "zip" in err
    assert "999**" in err


def test_a_group_without_rows_is_named(run, tmp_path):
    (tmp_path / "qi.csv").write_text("group_id,nation,zip\n1,Japan,45502\n1,Malaysia,45501\n")
    (tmp_path / "sens.csv").write_text("group_id,illness\n1,Heart\n1,Flu\n2,HIV\n")
    code, _, err = run(
        "--release", f"qi={tmp_path / 'sens.csv'}", "--release-type", "groups", release="qi"
    )
    assert code != 0
    assert "2" in err
    assert "group" in err
