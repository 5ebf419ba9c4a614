"""The list for the person who anonymizes, and what a campaign's file keeps."""

import csv
import io

from alc_core.plain_values import from_plain, to_plain
from alc_core.scoring.verdict import Verdict
from alc_core.studies.remedies.changes import DropColumn, SwapColumn, remedy_words
from alc_core.studies.remedies.result import (
    AttackAfter,
    ChangeDone,
    Distances,
    Reading,
    RemedyStudy,
    RemedyTrial,
    in_order,
)
from alc_core.studies.remedies.study import (
    LIMITS,
    attack_table,
    flagged_text,
    study_sentence,
    to_do_csv,
    to_do_markdown,
    worst_text,
)
from tests.toys.shown import shown

BEFORE = Reading(alc=0.8, low=0.76, high=0.85, verdict=Verdict.SERIOUS)
SAFE = Reading(alc=0.312, low=0.24, high=0.38, verdict=Verdict.SAFE)
STILL = Reading(alc=0.62, low=0.55, high=0.7, verdict=Verdict.AT_RISK)


def attack(number, after, problem=""):
    return AttackAfter(number=number, unknown="job", before=BEFORE, after=after, problem=problem)


def trial(changes, attacks, *, loss, n_attacks=2):
    done = tuple(
        ChangeDone(
            column=each.column, kind=each.kind, words=each.words, instruction=each.instruction
        )
        for each in changes
    )
    return RemedyTrial(
        words=remedy_words(changes), changes=done, attacks=tuple(attacks), n_attacks=n_attacks,
        utility=Distances(columns=0.1, pairs=0.1 + loss), loss=loss,
    )  # fmt: skip


def study(*trials):
    return RemedyStudy(
        fingerprint="f", release="=weak*", release_fingerprints=("r",), at_risk=0.5,
        numbers=(4, 7), n_flagged=2, before=Distances(columns=0.1, pairs=0.1),
        trials=in_order(list(trials)), seed=0,
    )  # fmt: skip


SWAP = tuple(SwapColumn(column=column, share=0.2) for column in ("=job", "zip_code"))
ENOUGH = trial(SWAP, [attack(4, SAFE), attack(7, None)], loss=0.033)
DROPPED = trial((DropColumn(column="zip_code"),), [attack(4, SAFE), attack(7, SAFE)], loss=0.2)
STOPPED = trial((DropColumn(column="age"),), [attack(4, STILL)], loss=0.1)
REFUSED = trial(
    (DropColumn(column="sex"),), [attack(4, SAFE), attack(7, None, "No rows.")], loss=0.1
)


def test_what_suffices_with_the_least_loss_comes_first():
    found = study(STOPPED, REFUSED, DROPPED, ENOUGH)
    assert found.trials == (ENOUGH, DROPPED, REFUSED, STOPPED)
    assert study_sentence(found) == (
        "“Swap 20 % of each of 2 columns (=job and zip_code)” brings both attacks to look at below "
        "0.5; the worst ALC is then 0.31 (0.24 to 0.38). Loss of utility: 0.033. 1 other change "
        "would do, too."
    )


def test_what_was_not_run_is_no_success():
    assert not STOPPED.suffices
    assert flagged_text(STOPPED) == "at least 1 of 2"
    assert worst_text(STOPPED) == "0.62 (0.55 to 0.70) or more"
    assert not REFUSED.suffices
    assert attack_table(REFUSED).rows[1][3] == "No rows."
    assert study_sentence(study(STOPPED)) == (
        "The change tried does not bring both attacks to look at below 0.5. “Drop age” comes "
        "closest: at least 1 of 2 still ask for a look, the worst at 0.62 (0.55 to 0.70) or more."
    )


def test_nothing_left_to_attack_is_said():
    gone = trial((DropColumn(column="job"),), [attack(4, None)], loss=0.2, n_attacks=1)
    assert study_sentence(study(gone)) == (
        "“Drop job” brings the attack to look at below 0.5; the release then has nothing that it "
        "attacks. Loss of utility: 0.200."
    )
    assert worst_text(gone) == "nothing to attack"


def test_the_csv_has_a_row_per_column_and_no_formula():
    rows = list(csv.DictReader(io.StringIO(to_do_csv(study(ENOUGH, DROPPED, STOPPED)))))
    assert [row["option"] for row in rows] == ["1", "1", "2"]
    assert [row["column"] for row in rows] == ["'=job", "zip_code", "zip_code"]
    assert {row["release"] for row in rows} == {"'=weak*"}
    assert rows[0]["worst alc"] == "0.312"
    assert rows[2]["to do"] == "Leave column 'zip_code' out of the release."


def test_the_markdown_has_boxes_and_limits():
    text = to_do_markdown(study(ENOUGH, STOPPED))
    assert text.startswith("# What to change in =weak\\*\n")
    assert "- [ ] Permute the values of 'zip\\_code' at random among 20 % of the rows" in text
    assert "Expected: 0 of 2 attacks still ask for a look; worst ALC 0.31 (0.24 to 0.38)" in text
    assert "Drop age" not in text
    assert LIMITS in text


def test_the_best_is_listed_where_nothing_suffices():
    assert "Drop age" in to_do_markdown(study(STOPPED))


def test_text_for_the_command_line_ends_with_the_limits():
    lines = shown("remedies", study(ENOUGH, STOPPED)).splitlines()
    assert any(line.startswith("Enough") for line in lines)
    assert lines[-1] == LIMITS


def test_a_study_survives_its_plain_form():
    found = study(ENOUGH, REFUSED)
    assert from_plain(to_plain(found), RemedyStudy) == found
