"""Groups and counts on the command line."""

import pytest

from alc_core.campaign.file.store import CampaignStore


@pytest.fixture(scope="module")
def files(people, tmp_path_factory):
    folder = tmp_path_factory.mktemp("kinds")
    frame = people(600).drop(columns="hours")
    group = [number // 3 for number in range(600)]
    frame.to_csv(folder / "people.csv", index=False)
    frame.sample(frac=1, random_state=1).to_csv(folder / "rows.csv", index=False)
    frame[["age", "city"]].assign(group=group).to_csv(folder / "qi.csv", index=False)
    values = frame[["job"]].assign(group=group).value_counts(sort=False).reset_index()
    values.to_csv(folder / "sensitive.csv", index=False)
    frame.value_counts(["city", "job"]).rename("n").reset_index().to_csv(
        folder / "counts.csv", index=False
    )
    return folder


def tables(files, **releases):
    """The original and releases, each of files."""
    given = ["--original", files / "people.csv"]
    for name, of in releases.items():
        for file in of:
            given += ["--release", f"{name}={files / file}" if name != "_" else files / file]
    return given


PAIR = ["qi.csv", "sensitive.csv"]
SCENARIO = ["--known", "age,city", "--unknown", "job", "--targets", "400", "--quiet"]


def test_what_is_no_table_of_rows_is_named(run, files):
    done = run("assess", *tables(files, r=PAIR), *SCENARIO)
    assert done.code == 2
    assert "Use: --release-type groups" in done.err
    done = run("assess", *tables(files, _=PAIR), *SCENARIO)
    assert done.code == 2
    assert "'qi.csv' and 'sensitive.csv' look like two parts" in done.err
    assert "such as --release groups=FILE, with --release-type groups" in done.err
    done = run("check", *tables(files, _=["counts.csv"]))
    assert done.code == 1
    assert "Use: --release-type counts" in done.out
    done = run("check", *tables(files, _=["counts.csv"]), "--release-type", "counts")
    assert done.code == 0, done.out


def test_an_attack_that_does_not_fit_is_refused(run, files):
    given = ["assess", *tables(files, _=["counts.csv"]), *SCENARIO, "--release-type", "counts"]
    done = run(*given, "--attack", "model")
    assert done.code == 2
    assert "Attack 'model' needs rows of people;" in done.err
    assert "this release is published counts" in done.err


def test_types_of_releases_that_are_not_there(run, files):
    given = tables(files, a=["rows.csv"])
    done = run("plan", *given, "--release-type", "b=groups")
    assert done.code == 2
    assert "Unknown release 'b' in --release-type. Choose one of" in done.err
    done = run("plan", *given, "--release-type", "a=heaps")
    assert "Unknown type of release 'heaps'. Choose one of rows, groups" in done.err


THREE = {"rows": ["rows.csv"], "anatomy": PAIR, "cells": ["counts.csv"]}
TYPES = ["--release-type", "anatomy=groups", "--release-type", "cells=counts"]


def test_a_campaign_on_three_types_goes_on_and_is_repeated(run, files, tmp_path):
    out = tmp_path / "c.alc"
    how = ["--jobs", "1", "--quiet"]
    plan = ["--unknown", "job", "--known", "age,city", "--no-all-others", "--known-sets", "0",
            "--targets", "300"]  # fmt: skip
    done = run("campaign", *tables(files, **THREE), *TYPES, *plan, *how, "--out", out)
    assert done.code == 0, done.err
    with CampaignStore.open(out) as store:
        kinds = dict(store.settings.release_kinds)
        planned = {(attack.release, attack.attack) for attack in store.attacks}
        assert store.counts().missing == store.counts().failed == 0
    assert kinds == {"rows": "rows", "anatomy": "groups", "cells": "counts"}
    assert {("rows", "best row match"), ("anatomy", "best row match")} <= planned
    assert {release for release, _ in planned} == set(THREE)

    as_rows = run("campaign", *tables(files, **THREE), *how, "--out", out)
    assert as_rows.code == 2
    assert "release 'anatomy' is of type 'rows' instead of 'groups'" in as_rows.err
    again = tmp_path / "again.alc"
    like = run("campaign", *tables(files, **THREE), *TYPES, "--like", out, *how, "--out", again)
    assert like.code == 0, like.err
    with CampaignStore.open(again) as store:
        assert {(attack.release, attack.attack) for attack in store.attacks} == planned


def test_utility_is_of_rows_only(run, files):
    done = run("utility", *tables(files, **THREE), *TYPES, "--target", "job", "--quiet")
    assert done.code == 0
    assert "Utility is not measured: that needs rows of people; release 'cells' is" in done.err
    done = run("utility", *tables(files, _=["counts.csv"]), "--release-type", "counts")
    assert done.code == 2
