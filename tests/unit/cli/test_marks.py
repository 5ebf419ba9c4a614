"""What marks in numbers separate, on the command line."""

import json

import numpy as np
import pandas as pd
import pytest

PAY = np.random.default_rng(0).integers(1000, 9000, 400)
JOBS = np.random.default_rng(1).choice(list("abc"), 400)


@pytest.fixture(params=[".", ","])
def files(request, tmp_path):
    """An original whose marks may be either, and a release without."""
    marked = [f"{number:,}".replace(",", request.param) for number in PAY]
    pd.DataFrame({"pay": marked, "job": JOBS}).to_csv(tmp_path / "o.csv", index=False, sep=";")
    pd.DataFrame({"pay": PAY + 3, "job": JOBS}).to_csv(tmp_path / "r.csv", index=False, sep=";")
    return tmp_path, request.param


def test_the_question_offers_options_that_answer_it(run, files):
    folder, mark = files
    tables = (
        "--original",
        folder / "o.csv",
        "--release",
        folder / "r.csv",
        "--json",
        "-",
        "--quiet",
    )

    def findings(*more):
        return {f["code"]: f for f in json.loads(run("check", *tables, *more).out)["findings"]}

    asked = findings()["maybe-thousands"]
    assert asked["severity"] == "question"
    offered = {offer["option"]: offer["value"] for offer in asked["offers"]}
    assert offered == {"thousands": f"o.csv={mark}", "decimal": f"o.csv={mark}"}
    answered = findings("--thousands", offered["thousands"])
    assert not [finding for finding in answered.values() if finding["blocking"]]
    assert "scale-changed" in findings("--decimal", offered["decimal"])
    assert "maybe-thousands" not in findings("--thousands", mark)
    assert "maybe-thousands" in findings("--thousands", f"r.csv={mark}")
    both = run("check", *tables, "--thousands", mark, "--decimal", mark)
    assert both.code == 2
    assert "are both" in both.err
    assert "must be" in run("check", *tables, "--thousands", "x").err
