import csv
import io

import pytest

import alc_core as alc
from alc_core.campaign.file.store import CampaignStore
from alc_core.candidates.lines import candidate_lines
from alc_core.cli import main
from alc_core.studies.remedies.searching import KEPT_REMEDIES, flagged_attacks
from tests.unit.cli.conftest import results


@pytest.fixture(scope="module")
def files(tmp_path_factory, people):
    folder = tmp_path_factory.mktemp("improve")
    frame = people(500)
    frame.to_csv(folder / "original.csv", index=False)
    frame.assign(city="Ulm").to_csv(folder / "stranger.csv", index=False)
    for name, share in (("weak", 0.02), ("strong", 1.0)):
        alc.swap_columns(frame, share, seed=1).to_csv(folder / f"{name}.csv", index=False)
    call("campaign", "--original", folder / "original.csv",
         "--release", f"weak={folder / 'weak.csv'}", "--release", f"strong={folder / 'strong.csv'}",
         "--out", folder / "review.alc", "--unknown", "job", "--known-sets", 0,
         "--known", "age,city,hours", "--no-all-others", "--jobs", 1, "--quiet")  # fmt: skip
    return folder


def call(*arguments):
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    return ended.value.code


def improve(files, release, *extra):
    return call(
        "improve", files / "review.alc", "--original", files / "original.csv",
        "--release", files / release, *extra,
    )  # fmt: skip


def test_it_says_what_suffices_writes_the_list_and_keeps_it(files, capsys):
    to_do, text = files / "to-do.csv", files / "to-do.md"
    code = improve(files, "weak.csv", "--csv", to_do, "--markdown", text, "--save")
    printed = capsys.readouterr()
    assert code == 0
    assert "brings the attack below 0.5" in printed.out
    assert "weak: trying changes: 0 of at most 80 steps. Drop job." in printed.err
    rows = list(csv.DictReader(io.StringIO(to_do.read_text(encoding="utf-8"))))
    assert {row["release"] for row in rows} == {"weak"}
    assert {row["suffices"] for row in rows} == {"yes"}
    assert text.read_text(encoding="utf-8").startswith("# Changes to weak\n")
    with CampaignStore.open(files / "review.alc") as store:
        kept = KEPT_REMEDIES.read(store)["weak"]
    assert kept.trials[0].suffices
    assert kept.trials[0].words in printed.out


def test_json_holds_every_trial(files, capsys):
    code = improve(files, "weak.csv", "--trials", 2, "--json", "-", "--quiet")
    printed = capsys.readouterr()
    (study,) = results(printed.out)
    assert (code, printed.err) == (0, "")
    assert len(study["trials"]) == 2
    assert study["notes"] == ["The search ended after 2 trials."]


def test_what_is_inconclusive_is_counted_alike_in_campaign_and_improve(files):
    """No limit makes the number of attacks to look at differ between the two."""
    seen = set()
    with CampaignStore.open(files / "review.alc") as store:
        view = alc.CampaignView(store)
        low, high = view.assessment(0).decisive_interval
        for limit in (low - 0.1, (low + high) / 2, high + 0.1):
            if not 0 < limit < 1:
                continue
            scoring = alc.ScoringParameters(at_risk=limit, serious=1.0)
            counts = view.overview(scoring).counts
            (line,) = (e for e in candidate_lines(view, scoring, {}) if e.release == "weak")
            seen |= {verdict for verdict, n in counts.items() if n}
            asking = view.overview(scoring).asking
            assert len(flagged_attacks(view, "weak", scoring=scoring)) == line.asking == asking
    assert {"inconclusive", "at risk"} <= seen


def test_nothing_is_to_be_changed_where_nothing_is_flagged(files, capsys):
    assert improve(files, "strong.csv") == 0
    assert "clearly exposes anyone" in capsys.readouterr().out
