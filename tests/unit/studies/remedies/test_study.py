"""Planted leaks: what closes them is found, and what does not is said."""

import csv
import io
from dataclasses import replace
from types import SimpleNamespace

import pandas as pd
import pytest

from alc_core.errors import CancelledError, InputError
from alc_core.plain_values import from_plain, to_plain
from alc_core.present.blocks import Code, Fold, Text
from alc_core.releases.counts import Counts
from alc_core.runtime.progress import Reporter
from alc_core.scoring.verdict import Verdict
from alc_core.studies.remedies import study as study_module
from alc_core.studies.remedies.changes import DropColumn, SwapColumn, in_words, remedy_words
from alc_core.studies.remedies.searching import (
    RemedyStudy,
    SearchLimits,
    in_order,
    try_changes,
    untried,
)
from alc_core.studies.remedies.study import (
    LIMITS,
    RemediesStudy,
    attack_table,
    flagged_text,
    study_sentence,
    to_do_csv,
    to_do_markdown,
    worst_text,
)
from alc_core.studies.remedies.tools import in_tools
from alc_core.studies.remedies.trying import (
    AttackAfter,
    DecisiveLoss,
    RemedyTrial,
    Trials,
)
from alc_core.studies.study import Viewpoint
from alc_core.tables.formats.source import Project
from alc_core.tables.read import table_from_frame
from tests.toys.shown import shown
from tests.unit.studies.remedies.conftest import FAMILIES, as_release, secret_people, shuffled

KNOWN = ("code", "age", "region")


@pytest.fixture(scope="module")
def original():
    return table_from_frame(secret_people(), name="people")


@pytest.fixture(scope="module")
def code_leaks(original):
    return as_release(shuffled(original.frame, ["age", "region", "other"]))


@pytest.fixture(scope="module")
def verbatim(original):
    return as_release(original.frame)


def kinds(trial):
    return {(change.column, str(change.kind)) for change in trial.changes}


def test_a_column_that_leaks_is_found_and_milder_ways_are_tried(original, code_leaks, attacked):
    attacks = attacked(original, code_leaks, {"secret": KNOWN})
    assert attacks[0].run.verdict is Verdict.AT_RISK
    study = try_changes(original, code_leaks, attacks, families=FAMILIES)
    enough = [kinds(trial) for trial in study.sufficient]
    assert {("code", "drop")} in enough
    assert {("secret", "drop")} in enough
    assert {("age", "drop")} not in enough
    assert {("region", "drop")} not in enough
    best = study.trials[0]
    assert best.suffices
    assert best.loss < next(t.loss for t in study.trials if kinds(t) == {("code", "drop")})
    assert study_sentence(study).startswith(f"“{best.words}” brings the attack below 0.5")
    losses = [trial.loss for trial in study.sufficient]
    assert losses == sorted(losses)


def test_where_every_column_leaks_the_unknown_one_is_swapped_strongly(original, verbatim, attacked):
    attacks = attacked(original, verbatim, {"secret": (*KNOWN, "other")})
    study = try_changes(original, verbatim, attacks, families=FAMILIES)
    assert all(kinds(trial) & {("secret", "drop"), ("secret", "swap"), ("secret", "coarsen")}
               for trial in study.sufficient)  # fmt: skip
    swapped = [trial for trial in study.trials if kinds(trial) == {("secret", "swap")}]
    shares = [trial.words for trial in swapped if trial.suffices]
    assert shares in (["Swap 40% of secret"], ["Swap 60% of secret"])
    milder = next(trial for trial in swapped if trial.words == "Swap 10% of secret")
    assert milder.n_flagged == 1


def test_several_secrets_are_swapped_alike(original, verbatim, attacked):
    attacks = attacked(original, verbatim, {"secret": KNOWN, "other": KNOWN})
    study = try_changes(original, verbatim, attacks, families=FAMILIES)
    assert study.trials[0].words.startswith("Swap ")
    assert "of each of 2 columns (secret and other)" in study.trials[0].words
    assert not any(len(trial.changes) == 1 for trial in study.sufficient)


def test_nothing_that_suffices_is_said(original, verbatim, attacked):
    attacks = attacked(original, verbatim, {"secret": KNOWN, "other": KNOWN})
    study = try_changes(
        original, verbatim, attacks, families=FAMILIES, limits=SearchLimits(trials=3),
        added={"age": 0.3, "region": 0.2, "code": 0.1},
    )  # fmt: skip
    assert not study.sufficient
    assert study.notes == ("The search ended after 3 trials.",)
    sentence = study_sentence(study)
    assert sentence.startswith("None of the 3 changes tried brings both attacks below 0.5.")
    assert "comes closest: 2 of 2 remain, the worst at" in sentence
    assert flagged_text(study.trials[0]) == "2 of 2"


def test_without_a_change_an_attack_comes_out_as_it_did(original, verbatim, attacked):
    attacks = attacked(original, verbatim, {"secret": KNOWN})
    run = attacks[0].run
    trials = Trials(
        original, verbatim, attacks, scoring=run.scoring, seed=run.seed, families=FAMILIES
    )
    (after,) = trials.attempt((SwapColumn(column="age", share=0.0),)).attacks
    assert after.after == after.before
    low, high = run.decisive_interval
    assert (after.after.alc, after.after.low, after.after.high) == (run.decisive_alc, low, high)


def test_verdicts_follow_the_scoring_asked_for(original, code_leaks, attacked):
    attacks = attacked(original, code_leaks, {"secret": KNOWN})
    scoring = type(attacks[0].run.scoring)(at_risk=0.97, serious=0.98)
    trials = Trials(original, code_leaks, attacks, scoring=scoring, seed=3, families=FAMILIES)
    assert trials.attempt((SwapColumn(column="age", share=0.0),)).suffices


def test_tables_of_the_session_stay_as_they_are(original, code_leaks, attacked):
    attacks = attacked(original, code_leaks, {"secret": KNOWN})
    (table,) = code_leaks.tables
    before = pd.util.hash_pandas_object(table.frame).sum(), table.columns, table.fingerprint
    people = pd.util.hash_pandas_object(original.frame).sum()
    try_changes(original, code_leaks, attacks, families=FAMILIES, limits=SearchLimits(trials=4))
    after = pd.util.hash_pandas_object(table.frame).sum(), table.columns, table.fingerprint
    assert after == before
    assert dict(table.value_sets) == {}
    assert pd.util.hash_pandas_object(original.frame).sum() == people


def test_the_same_is_found_again(original, code_leaks, attacked):
    attacks = attacked(original, code_leaks, {"secret": KNOWN})
    limits = SearchLimits(trials=4)
    first, second = (
        try_changes(original, code_leaks, attacks, families=FAMILIES, limits=limits)
        for _ in range(2)
    )
    assert first == second


def test_what_is_dropped_is_lost_in_full(original, code_leaks, attacked):
    attacks = attacked(original, code_leaks, {"secret": KNOWN})
    trials = Trials(original, code_leaks, attacks, scoring=attacks[0].run.scoring, seed=0)
    dropped = as_release(code_leaks.tables[0].frame.drop(columns=["age", "region"]))
    assert trials.utility.loss(dropped) >= 0.35  # 2 of 5 columns, and their relations
    assert trials.attempt((DropColumn(column="secret"),)).attacks[0].after is None


def test_an_attack_limit_keeps_the_worst_of_every_unknown_column(original, verbatim, attacked):
    attacks = attacked(original, verbatim, {"secret": KNOWN, "other": KNOWN})
    study = try_changes(
        original, verbatim, attacks, families=FAMILIES, limits=SearchLimits(trials=1, attacks=1)
    )
    assert study.numbers == (0,)
    assert study.notes[0] == "The worst 1 of 2 attacks were run again."


def test_it_can_be_cancelled(original, code_leaks, attacked):
    attacks = attacked(original, code_leaks, {"secret": KNOWN})
    told = []
    with pytest.raises(CancelledError):
        try_changes(
            original, code_leaks, attacks, families=FAMILIES,
            progress=told.append, cancel=lambda: len(told) > 1,
        )  # fmt: skip
    assert told[0].stage == "Trying changes"
    assert told[0].remark.startswith("Drop ")


def test_counts_cannot_be_changed_and_unflagged_releases_need_not(original, verbatim):
    counts = Counts.of_tables(
        [table_from_frame(original.frame.groupby(["region", "secret"]).size()
                          .reset_index(name="count"), name="counts")],
        name="counts", original=original,
    )  # fmt: skip
    assert untried(counts).endswith("release 'counts' is published counts.")
    with pytest.raises(InputError, match="Changes need rows of people"):
        try_changes(original, counts, ())
    with pytest.raises(InputError, match="clearly exposes anyone"):
        try_changes(original, verbatim, ())


BEFORE = DecisiveLoss(alc=0.8, low=0.76, high=0.85, verdict=Verdict.SERIOUS)
SAFE = DecisiveLoss(alc=0.312, low=0.24, high=0.38, verdict=Verdict.BELOW_LIMIT)
STILL = DecisiveLoss(alc=0.62, low=0.55, high=0.7, verdict=Verdict.AT_RISK)


def attack(number, after, problem=""):
    return AttackAfter(number=number, unknown="job", before=BEFORE, after=after, problem=problem)


def trial(changes, attacks, *, loss, n_attacks=2):
    done = tuple(map(in_words, changes))
    return RemedyTrial(
        words=remedy_words(changes), changes=done, attacks=tuple(attacks), n_attacks=n_attacks,
        loss=loss,
    )  # fmt: skip


def study(*trials):
    return RemedyStudy(
        fingerprint="f", release="=weak*", release_fingerprints=("r",), at_risk=0.5,
        numbers=(4, 7), n_flagged=2,
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
        "“Swap 20% of each of 2 columns (=job and zip_code)” brings both attacks below 0.5; the "
        "worst ALC is then 0.31 (0.24 to 0.38). Loss of utility: 0.033. 1 other change also "
        "suffice."
    )


def test_what_was_not_run_is_no_success():
    assert not STOPPED.suffices
    assert flagged_text(STOPPED) == "at least 1 of 2"
    assert worst_text(STOPPED) == "0.62 (0.55 to 0.70) or more"
    assert not REFUSED.suffices
    assert attack_table(REFUSED).rows[1][3] == "No rows."
    assert study_sentence(study(STOPPED)) == (
        "The change tried does not bring both attacks below 0.5. “Drop age” comes closest: at "
        "least 1 of 2 remain, the worst at 0.62 (0.55 to 0.70) or more."
    )


def test_nothing_left_to_attack_is_said():
    gone = trial((DropColumn(column="job"),), [attack(4, None)], loss=0.2, n_attacks=1)
    assert study_sentence(study(gone)) == (
        "“Drop job” brings the attack below 0.5; the release then has nothing that it attacks. "
        "Loss of utility: 0.200."
    )
    assert worst_text(gone) == "nothing to attack"


def test_the_csv_has_a_row_per_column_and_no_formula():
    rows = list(csv.DictReader(io.StringIO(to_do_csv(study(ENOUGH, DROPPED, STOPPED)))))
    assert [row["option"] for row in rows] == ["1", "1", "2"]
    assert [row["column"] for row in rows] == ["'=job", "zip_code", "zip_code"]
    assert {row["release"] for row in rows} == {"'=weak*"}
    assert rows[0]["worst alc"] == "0.312"
    assert rows[2]["to do"] == "Remove column 'zip_code'."


def test_the_markdown_has_boxes_and_limits():
    text = to_do_markdown(study(ENOUGH, STOPPED))
    assert text.startswith("# Changes to =weak\\*\n")
    assert "- [ ] Permute 'zip\\_code' among 20% of rows, at random" in text
    assert "Expected: 0 of 2 attacks need attention; worst ALC 0.31 (0.24 to 0.38)" in text
    assert "Drop age" not in text
    assert LIMITS in text


def test_the_best_is_listed_where_nothing_suffices():
    assert "Drop age" in to_do_markdown(study(STOPPED))


def test_text_for_the_command_line_ends_with_the_limits():
    lines = shown("remedies", study(ENOUGH, STOPPED)).splitlines()
    assert any(line.startswith("Enough") for line in lines)
    assert lines[-1] == LIMITS


def test_the_words_of_the_tool_whose_file_was_given_come_first_and_open():
    drop = DropColumn(column="age")
    done = (replace(in_words(drop), in_tools=in_tools(drop)),)
    found = replace(study(replace(DROPPED, changes=done)), tool="sdcMicro")
    blocks = [*RemediesStudy().blocks(found, Viewpoint(page=True))]
    place = blocks.index(Code('sdc <- removeDirectID(sdc, var = "age")', "r"))
    assert blocks[place - 1] == Text("In sdcMicro: Drop zip_code")
    titles = [each.title for each in blocks[place + 1 :] if isinstance(each, Fold)]
    assert titles == ["In pandas: Drop zip_code", "In ARX: Drop zip_code"]
    needs = "removeDirectID refuses key, weight, strata and household variables: "
    assert blocks[place + 1].text == f"{needs}drop these after extractManipData."
    assert [*RemediesStudy().blocks(found, Viewpoint(short=True))].count(blocks[place]) == 0
    (printed,) = (
        each for each in RemediesStudy().blocks(found, Viewpoint()) if isinstance(each, Code)
    )
    assert printed == blocks[place]


def test_the_tool_is_the_one_that_wrote_a_file(original, code_leaks, attacked):
    attacks = attacked(original, code_leaks, {"secret": KNOWN})
    (table,) = code_leaks.tables
    release = replace(code_leaks, tables=(replace(table, project=Project(tool="sdcMicro")),))
    found = try_changes(
        original, release, attacks, limits=SearchLimits(trials=1), families=FAMILIES
    )
    assert found.tool == "sdcMicro"


def test_a_study_survives_its_plain_form():
    found = study(ENOUGH, REFUSED)
    assert from_plain(to_plain(found), RemedyStudy) == found


def test_what_is_flagged_is_decided_by_exact_intervals(monkeypatch, verbatim):
    done = []
    view = SimpleNamespace(settle=lambda *_, **told: done.append("settled"))
    monkeypatch.setattr(study_module, "flagged_attacks", lambda *_, **told: done.append("flagged"))
    campaign = SimpleNamespace(view=view, overview=SimpleNamespace(scoring=None))
    limits = {"trials": 1, "seconds": 1}
    measure = RemediesStudy().measuring(SimpleNamespace(campaign=campaign), limits)
    assert list(measure(verbatim, Reporter())) == []
    assert done == ["settled", "flagged"]
