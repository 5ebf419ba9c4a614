"""What labels stand for, from the command line into a campaign's file and out of it again."""

import json

import numpy as np
import pandas as pd
import pytest

from alc_core.campaign.file.annotations import kept_names
from alc_core.campaign.file.store import CampaignStore
from alc_core.cli import main


@pytest.fixture(scope="module")
def files(tmp_path_factory, people):
    folder = tmp_path_factory.mktemp("labels")
    frame = people(400)
    frame.to_csv(folder / "original.csv", index=False)
    ages = np.select([frame["age"] < 40, frame["age"] < 60], ["0-39", "40-59"], "60+")
    frame.assign(age=ages).to_csv(folder / "release.csv", index=False)
    (folder / "sets.json").write_text(json.dumps({"age": {"60+": "61..", "40-59": "0..99"}}))
    return folder


def campaign(files, out, *extra, planned=True):
    plan = (
        "--unknown", "job", "--known-sets", 0, "--known", "age,city", "--no-all-others",
        "--targets", 200, "--max-interval-width", 0.2,
    )  # fmt: skip
    arguments = (
        "campaign", "--original", files / "original.csv", "--release", files / "release.csv",
        "--out", files / out, "--quiet", *(plan if planned else ()), *extra,
    )  # fmt: skip
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    return ended.value.code


def settings(files, name):
    with CampaignStore.open(files / name) as store:
        assert store.counts().finished == store.counts().planned
        return store.settings


def loss(files, name):
    with CampaignStore.open(files / name) as store:
        found = store.assessment(0)
        return found.alc_rest_interval, found.exposed_interval


TOLD = {"release": ({"age": {"60+": "61..", "40-59": "0..99"}},)}


@pytest.fixture(scope="module", autouse=True)
def _campaigns(files):
    """A campaign that was told what labels stand for, and one that was not."""
    assert campaign(files, "told.alc", "--sets", files / "sets.json", "--jobs", 1) == 0
    assert campaign(files, "plain.alc", "--jobs", 1) == 0


def test_a_campaign_keeps_it_and_repeats_it(files, capsys):
    assert settings(files, "told.alc").told_sets == TOLD
    like = ("--like", files / "told.alc", "--jobs", 2)
    assert campaign(files, "again.alc", *like, planned=False) == 0
    assert settings(files, "again.alc").told_sets == TOLD
    assert settings(files, "plain.alc").told_sets == {}
    assert loss(files, "told.alc") != loss(files, "plain.alc")


def test_what_is_given_beside_a_model_counts_first(files):
    other = files / "other.json"
    other.write_text(json.dumps({"age": {"60+": "62.."}}))
    like = ("--like", files / "told.alc", "--sets", other, "--jobs", 1)
    assert campaign(files, "changed.alc", *like, planned=False) == 0
    told = {"age": {"60+": "62..", "40-59": "0..99"}}
    assert settings(files, "changed.alc").told_sets == {"release": (told,)}


def test_it_does_not_go_on_with_something_else(files, capsys):
    assert campaign(files, "plain.alc", "--sets", files / "sets.json", "--jobs", 1) == 2
    told = capsys.readouterr().err
    assert "label '60+' of column 'age' in release 'release' covers '61..'" in told


def test_the_report_shows_what_was_said(files):
    with pytest.raises(SystemExit) as ended:
        main(["report", str(files / "told.alc"), "--html", str(files / "shown.html")])
    assert ended.value.code == 0
    html = (files / "shown.html").read_text(encoding="utf-8")
    assert "Labels, as the reviewer declared" in html
    assert "<td>61..</td>" in html


def test_names_of_a_codebook_are_kept_and_come_back(files):
    book = files / "codes.csv"
    book.write_text("column,code,label\njob,,trade\njob,smith,Blacksmith\n")
    plan = (
        "--unknown", "trade", "--known-sets", 0, "--known", "age,city", "--no-all-others",
        "--targets", 200, "--max-interval-width", 0.2, "--jobs", 1,
    )  # fmt: skip
    assert campaign(files, "named.alc", "--names", book, *plan, planned=False) == 0
    like = ("--like", files / "named.alc", "--jobs", 1)
    assert campaign(files, "named again.alc", *like, planned=False) == 0
    for out in ("named.alc", "named again.alc"):
        assert "trade" in settings(files, out).kinds
        with CampaignStore.open(files / out) as store:
            assert kept_names(store).columns == {"job": "trade"}
            assert kept_names(store).labels == {"job": {"smith": "Blacksmith"}}


@pytest.fixture
def recoded(people, tmp_path):
    frame = people(600)
    frame.to_csv(tmp_path / "original.csv", index=False)
    hours = pd.cut(frame["hours"], [-1, 30, 45, 200], labels=["under 31", "31-45", "46+"])
    frame.assign(hours=hours.astype(str)).to_csv(tmp_path / "recoded.csv", index=False)
    return tmp_path / "recoded.csv"


def check(recoded, *more):
    original = recoded.with_name("original.csv")
    return ["check", "--original", original, "--release", recoded, *more]


def test_check_lists_and_saves_what_labels_cover(run, recoded, tmp_path):
    saved = tmp_path / "sets.json"
    done = run(*check(recoded, "--save-sets", str(saved)))
    out = done.out
    assert not done.asks
    assert "values: 'recoded.csv', column 'hours':" in out
    assert "31-45 -> 31 to 45 (" in out
    assert "of the rows; notation" in out
    assert json.loads(saved.read_text())["hours"]["31-45"] == "31..45"
    assert run(*check(recoded, "--save-sets", "-")).out == saved.read_text()
    saved.write_text('{"hours": {"31-45": "32..46"}}')
    _, out, _ = run(*check(recoded, "--sets", str(saved), "--json", "-"))
    labels = json.loads(out)["sets"]["recoded.csv"]["hours"]["labels"]
    found = {label["label"]: (label["covers"], label["found"]) for label in labels}
    assert found["31-45"][0].startswith("32 to ")
    assert found["31-45"][1] == "given"
    assert found["46+"][1] == "notation"
    assert not run(*check(recoded, "--sets", saved, "--save-sets", saved)).asks
    assert json.loads(saved.read_text())["hours"] == {
        "31-45": "32..46", "46+": "46..", "under 31": "..<31",
    }  # fmt: skip
    done = run(*check(recoded, "--sets", saved, "--json", saved))
    assert done.code == 2
    assert "is an input. Name another file." in done.err


def test_a_hierarchy_is_taken(run, recoded, tmp_path):
    file = tmp_path / "hours.csv"
    file.write_text("".join(f"{n};{'31-45' if n < 40 else '46+'}\n" for n in range(100)))
    arguments = check(recoded, "--hierarchy", f"hours={file}")
    done = run(*arguments)
    assert not done.asks
    assert " to 39 (" in done.out


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--hierarchy", "hours", "--hierarchy takes COLUMN=FILE, not 'hours'."),
        ("--hierarchy", "hour=x.csv", "has column 'hour' of --hierarchy or --sets"),
        ("--sets", "nowhere.json", "'nowhere.json' cannot be read: No such file"),
    ],
)
def test_what_cannot_be_used_is_refused(run, recoded, option, value, message):
    code, _, err = run(*check(recoded, option, value))
    assert code == 2
    assert message in " ".join(err.split())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--hierarchy", "hours=a.csv", "--hierarchy", "hours=b.csv"),
         "--hierarchy gives 'hours' both 'a.csv' and 'b.csv'. Choose one."),
        (("--release-type", "rows", "--release-type", "counts"),
         "--release-type gives the release both 'rows' and 'counts'. Choose one."),
        (("--continuous", "age", "--categorical", "age"),
         "Column 'age' is in --continuous and in --categorical."),
    ],
)  # fmt: skip
def test_two_answers_to_one_question_are_refused(run, recoded, options, message):
    code, _, err = run(*check(recoded, *options))
    assert code == 2
    assert message in " ".join(err.split())
