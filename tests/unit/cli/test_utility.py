import pytest

from alc_core.campaign.file.store import CampaignStore
from alc_core.plain_values import from_plain
from alc_core.studies.utility.result import Utility, stored_utilities
from tests.unit.cli.conftest import ended, results


@pytest.fixture(scope="module")
def files(written, people):
    return written(people(600), weak=0.1, strong=0.9, stranger=people(600, seed=5))


def tables(files, *names):
    return (
        "utility", "--original", files / "original.csv",
        *(part for name in names for part in ("--release", f"{name}={files / name}.csv")),
    )  # fmt: skip


@pytest.fixture(scope="module")
def campaign(files):
    out = files / "review.alc"
    ended(
        "campaign", "--original", files / "original.csv",
        "--release", f"weak={files / 'weak.csv'}", "--release", f"s={files / 'strong.csv'}",
        "--out", out, "--unknown", "job", "--known-sets", 0, "--known", "age,city",
        "--no-all-others", "--targets", 600, "--jobs", 1, "--quiet",
    )  # fmt: skip
    return out


def test_it_prints_a_row_per_release_and_writes_all_numbers(files, run, tmp_path):
    out = tmp_path / "utility.json"
    code, text, err = run(*tables(files, "weak", "strong"), "--target", "job", "--json", out)
    assert code == 0
    weak, strong = from_plain(results(out.read_text()), list[Utility])
    assert (weak.release, strong.release) == ("weak", "strong")
    assert weak.pair_distance < strong.pair_distance
    assert {one for pair in weak.pairs for one in pair[:2]} == set(weak.columns)
    assert [target.target for target in weak.targets] == ["job"]
    lines = text.splitlines()
    assert lines[1].split()[:3] == ["weak", "0.0000", f"{weak.pair_distance:.4f}"]
    assert lines[2].startswith("strong ")
    assert "weak: training models" in err


def test_the_campaigns_file_keeps_it_under_its_own_name_for_the_release(files, campaign, run):
    code, _, _ = run(
        *tables(files, "strong"), "--campaign", campaign, "--quiet", "--bins", 5,
        "--equal-width",
    )  # fmt: skip
    assert code == 0
    with CampaignStore.open(campaign) as store:
        kept = stored_utilities(store)
    assert list(kept) == ["s"]
    assert (kept["s"].release, kept["s"].bins, kept["s"].binning) == ("s", 5, "equal width")
    assert [target.target for target in kept["s"].targets] == ["job"]


def test_other_tables_than_the_campaigns_are_refused(files, campaign, run):
    code, _, err = run(
        *tables(files, "stranger"), "--campaign", campaign, "--quiet", "--target", "job"
    )
    assert code == 2
    assert "has no release" in err
    code, _, err = run(
        "utility", "--original", files / "stranger.csv", "--release",
        files / "weak.csv", "--campaign", campaign,
    )  # fmt: skip
    assert code == 2
    assert "'stranger.csv' is not the original of" in err
