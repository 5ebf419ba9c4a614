import alc_core as alc
from alc_core.candidates.lines import candidate_lines
from tests.conftest import make_people
from tests.toys.campaigns import run_quickly
from tests.toys.reworded import reword_findings


def decided(path):
    """What a campaign says of releases that the check speaks of, without its words."""
    frame = make_people(400)
    half = frame.copy()
    half.loc[:120] = make_people(400, seed=9).loc[:120]
    releases = {
        "ordered": alc.swap_columns(frame, 0.6, seed=2),
        "shuffled": alc.swap_columns(frame, 1.0, seed=1).sample(frac=1, random_state=1),
        "half": half.sample(frac=1, random_state=2),
        "copy": frame.copy(),
    }
    with run_quickly(frame, releases, path, named=[["age", "hours"]], targets=200) as store:
        view = alc.CampaignView(store)
        lines = candidate_lines(view, view.settings.scoring, {})
        notes = [note for n in view.frame()["number"] for note in store.assessment(n).notes]
    facts = [
        (
            e.release,
            e.publishing,
            e.standing,
            e.linked,
            e.untried,
            e.counts,
            e.copied and e.copied.code,
        )
        for e in lines
    ]
    return facts, [(n.code, n.table, n.column, n.numbers) for n in notes], [str(n) for n in notes]


def test_a_campaign_decides_nothing_from_words(monkeypatch, tmp_path):
    before = decided(tmp_path / "as_it_is.alc")
    reword_findings(monkeypatch)
    after = decided(tmp_path / "other.alc")
    assert after[:2] == before[:2]
    assert after[2] != before[2]
    assert {"row-order", "copied-rows", "identical-release"} <= {code for code, *_ in before[1]}
