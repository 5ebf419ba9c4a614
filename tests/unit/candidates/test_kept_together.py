"""A release that holds single people's values, and the attacks that say what that tells."""

import numpy as np
import pytest

from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.gate import gate
from alc_core.candidates.line import Reason
from alc_core.candidates.lines import candidate_lines
from alc_core.review.campaign_words import candidates_title, stopped_sentences
from alc_core.review.release_words import harm_sentence
from alc_core.scoring.verdict import Outcome, Publishing
from benchmarks.people import made_up_people
from tests.toys.campaigns import run_quickly
from tests.unit.tables.test_own_together import PEOPLE, apart

OTHERS = made_up_people(len(PEOPLE), seed=4)
SET = ("age", "district", "hours", "job")


def run(path, released, unknown, known):
    return run_quickly(
        PEOPLE, {"r": released}, path, unknown=[unknown], named=[known],
        accept=["own-together", "other-original"],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("released", "unknown", "known", "reason"),
    [
        (apart(*SET), "income", list(SET), Reason.TOGETHER),
        (apart(*SET), "job", ["age", "district", "hours"], Reason.EXPOSED),
        (apart(), "income", list(SET), None),
        (OTHERS, "income", list(SET), None),
    ],
    ids=["another column", "one of them", "all apart", "other people"],
)
def test_it_is_examined_unless_an_attack_says_what_it_tells(
    tmp_path, released, unknown, known, reason
):
    with run(tmp_path / "c.alc", released, unknown, known) as store:
        view = CampaignView(store)
        scoring = view.settings.scoring
        (line,) = candidate_lines(view, scoring, {})
        assert bool(line.together) == (reason is Reason.TOGETHER)
        if reason is None:
            assert line.publishing in (Publishing.CLEAR, Publishing.UNKNOWN)
            return
        assert line.reason is reason
        assert line.publishing is not Publishing.CLEAR
        assert gate(view).outcome is Outcome.FOUND
        if reason is Reason.TOGETHER:
            assert "before publishing" in candidates_title([line])
            assert "one person" in stopped_sentences([line])[0]
            assert harm_sentence(line).startswith("It publishes single people's age, ")
            assert "nobody" not in harm_sentence(line)


@pytest.mark.parametrize("own", [True, False], ids=["people's own", "other people's"])
def test_numbers_on_another_scale_are_examined_though_that_was_accepted(tmp_path, own):
    rng = np.random.default_rng(3)
    weights = PEOPLE["weight"] if own else rng.integers(20_000, 900_000, len(PEOPLE))
    released = apart().assign(weight=(rng.permutation(weights) * 0.873).round(1))
    with run_quickly(
        PEOPLE, {"r": released}, tmp_path / "c.alc", unknown=["job"], named=[["age", "district"]],
        accept=["own-together", "other-original", "scale-changed:weight"],
    ) as store:  # fmt: skip
        view = CampaignView(store)
        (line,) = candidate_lines(view, view.settings.scoring, {})
        assert [fact.columns for fact in line.together] == [("weight",)] * own
        assert (gate(view).outcome is Outcome.FOUND) == own
        if own:
            assert line.publishing is Publishing.EXAMINE
            said = stopped_sentences([line])[0]
            assert "single people's 'weight' return on another scale. Match its scale" in said
