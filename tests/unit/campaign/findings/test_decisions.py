"""What a reviewer adds to a campaign: annotations, decisions, tables that carry them."""

import io
import pickle

import numpy as np
import openpyxl
import pandas as pd
import pytest

import alc_core as alc
from alc_core.campaign.findings.decisions import (
    Choice,
    Decision,
    decide,
    decision_sentence,
    decisions,
    progress_sentence,
    undecided_attacks,
    with_decisions,
)
from alc_core.errors import InputError
from alc_core.plain_values import from_plain
from alc_core.spreadsheet import csv_text, findings_workbook
from tests.toys.campaigns import run_quickly

SCORING = alc.ScoringParameters()


@pytest.fixture(scope="module")
def finished(people, tmp_path_factory):
    """A campaign whose release is the original itself: every attack succeeds."""
    frame = people(900)
    path = tmp_path_factory.mktemp("campaign") / "campaign.alc"
    run_quickly(
        frame,
        {"copy": frame.copy()},
        path,
        unknown=["job", "city"],
        loop=alc.LoopParameters(folds=2, resamples=200),
    ).close()
    return path


@pytest.fixture
def path(finished, tmp_path):
    copy = tmp_path / "review.alc"
    copy.write_bytes(finished.read_bytes())
    return copy


def test_a_view_is_pickled_and_read_again_from_its_file(path):
    with alc.CampaignView(path) as view, pickle.loads(pickle.dumps(view.only("copy"))) as again:
        assert again.release == "copy"
        pd.testing.assert_frame_equal(again.frame(SCORING), view.frame(SCORING))


def test_a_decision_stands_in_the_file_when_it_is_opened_again(path):
    with alc.CampaignStore.open(path) as store:
        about = {"standing": "serious", "alc": 0.9, "scoring": SCORING}
        decide(store, 1, Choice.REDUCE, note=" Drop hours ", **about)
    with alc.CampaignStore.open(path) as store:
        ((number, made),) = decisions(store).items()
    assert number == 1
    assert (made.choice, made.note, made.standing, made.alc) == (
        Choice.REDUCE, "Drop hours", "serious", 0.9,
    )  # fmt: skip
    assert made.scoring == SCORING


def test_a_later_decision_replaces_and_an_empty_one_takes_back(path):
    with alc.CampaignStore.open(path) as store:
        about = {"standing": "serious", "alc": 0.9, "scoring": SCORING}
        decide(store, 0, Choice.REDUCE, note="", **about)
        decide(store, 0, None, note="Only a note", **about)
        assert decisions(store)[0].choice is None
        assert decide(store, 0, None, note="  ", **about) is None
        assert not decisions(store)


def test_a_decision_about_an_attack_that_is_not_there_is_refused(path):
    with alc.CampaignStore.open(path) as store, pytest.raises(InputError, match="no attack 99"):
        decide(store, 99, Choice.REDUCE, note="", standing="below limit", alc=0.1, scoring=SCORING)


def test_how_many_attacks_are_decided_is_said_and_which_are_not(path):
    with alc.CampaignStore.open(path) as store:
        overview = alc.CampaignView(store).overview(SCORING)
        assert set(overview.results["standing"]) == {"serious"}
        assert progress_sentence(overview, {}) == (
            "Decided: 0 of 2 attacks that ask for a decision."
        )
        standing, loss = overview.stands(0)
        decide(store, 0, Choice.ACCEPTED, note="", standing=standing, alc=loss, scoring=SCORING)
        made = decisions(store)
    assert progress_sentence(overview, made) == (
        "Decided: 1 of 2 attacks that ask for a decision (1 accepted risk)."
    )
    assert undecided_attacks(overview, made) == [1]
    now = made[0].made
    assert decision_sentence(made[0], "serious") == (
        f"Accepted risk on {now[:10]} at {now[11:16]} UTC, when it was “serious” (ALC {loss:.2f})."
    )
    assert "check the decision" in decision_sentence(made[0], "below limit")


def test_tables_carry_decisions_and_none_of_their_cells_is_a_formula(path):
    with alc.CampaignStore.open(path) as store:
        note = '=HYPERLINK("http://evil")\x07'
        decide(store, 0, Choice.REDUCE, note=note, standing="serious", alc=0.9, scoring=SCORING)
        frame = with_decisions(alc.CampaignView(store).frame(SCORING), decisions(store), {})
    assert sorted(frame["decision"]) == ["", "to be reduced"]
    read = pd.read_csv(io.StringIO(csv_text(frame)), keep_default_na=False)
    assert set(read["decision_note"]) == {"", f"'{note}"}

    sheet = openpyxl.load_workbook(io.BytesIO(findings_workbook(frame))).active
    rows = list(sheet.iter_rows())
    assert len(rows) == 1 + len(frame)
    assert "f" not in {cell.data_type for row in rows for cell in row}
    heads = [cell.value for cell in rows[0]]
    notes = {row[heads.index("decision_note")].value for row in rows[1:]}
    assert '=HYPERLINK("http://evil")' in notes
    alcs = [row[heads.index("alc")].value for row in rows[1:]]
    np.testing.assert_allclose(alcs, frame["alc"])


def test_a_standing_that_is_none_any_more_is_told_as_it_was():
    plain = {
        "choice": "accepted risk", "note": "", "standing": "mixed evidence", "alc": 0.1,
        "scoring": SCORING.to_dict(), "made": "2026-01-01T00:00:00+00:00",
    }  # fmt: skip
    decision = from_plain(plain, Decision)
    told = decision_sentence(decision, "serious")
    assert ", when it was “mixed evidence”" in told
    assert "check the decision" in told
