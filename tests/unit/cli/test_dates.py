"""How dates are read, said on the command line and kept in a campaign's file."""

import json

import numpy as np
import pandas as pd
import pytest

from alc_core.campaign.file.store import CampaignStore
from tests.unit.cli.conftest import ended


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """An original whose dates fit either order, in truth month first, and what tells it."""
    folder = tmp_path_factory.mktemp("dates")
    rng = np.random.default_rng(0)
    born = pd.Series(pd.to_datetime(rng.integers(-3000, 9000, 600), unit="D"))
    born = born.dt.to_period("M").dt.to_timestamp()
    job = rng.choice(["clerk", "smith", "baker"], 600)
    frame = pd.DataFrame({"born": born.dt.strftime("%m/%d/%Y"), "sex": rng.choice(2, 600)})
    frame["job"] = job
    frame.to_csv(folder / "original.csv", index=False)
    released = frame.assign(born=born.dt.strftime("%Y-%m-%d")).sample(frac=0.9, random_state=1)
    released.to_csv(folder / "release.csv", index=False)
    days = (born - pd.Timestamp("1960-01-01")).dt.days
    frame.assign(born=days).to_csv(folder / "counted.csv", index=False)
    return folder


def given(files, original="original.csv"):
    return ("--original", files / original, "--release", files / "release.csv")


def asked(files, capsys, *options, original="original.csv"):
    """Return whether the check asks, and what stops a run by code and column, with its offers."""
    ended("check", *given(files, original), *options, "--json", "-", "--quiet")
    out, err = capsys.readouterr()
    found = json.loads(out)["findings"]
    return "to fix or answer" in err, {f["code"]: f["offers"] for f in found if f["blocking"]}


def test_an_order_that_is_said_is_the_answer(files, capsys):
    asks, found = asked(files, capsys)
    assert asks
    assert {"option": "month-first", "value": "born"} in found["dates-order"]
    assert asked(files, capsys, "--month-first", "born") == (False, {})
    assert asked(files, capsys, "--day-first", "born")[1].keys().isdisjoint({"dates-order"})


@pytest.mark.parametrize("options", [
    ("--dates", "born=lotus"), ("--day-first", "birth"),
    ("--day-first", "born", "--month-first", "born"),
])  # fmt: skip
def test_what_cannot_be_is_refused(files, options, capsys):
    assert ended("check", *given(files), *options) == 2
    assert "born" in capsys.readouterr().err


def test_a_campaign_reads_dates_as_before(files, capsys):
    out = files / "dates.alc"
    plan = (
        "--unknown", "job", "--known-sets", 0, "--known", "born,sex", "--no-all-others",
        "--targets", 100, "--max-interval-width", 0.3, "--jobs", 1, "--quiet",
    )  # fmt: skip
    assert ended("campaign", *given(files), "--out", out, *plan, "--month-first", "born") == 0
    with CampaignStore.open(out) as store:
        assert dict(store.settings.original.date_readings) == {"born": "month-first"}
    again = files / "again.alc"
    assert ended("campaign", *given(files), "--out", again, "--like", out, "--jobs", 1) == 0
    with CampaignStore.open(again) as store:
        assert dict(store.settings.original.date_readings) == {"born": "month-first"}
    capsys.readouterr()
