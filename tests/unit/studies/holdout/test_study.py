"""Which of a campaign's attacks are compared with a holdout."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

import alc_core as alc
from alc_core.runtime.progress import Reporter
from alc_core.studies.registry import studies
from alc_core.studies.study import usual_values

EXACT = alc.Scenario(("age", "city"), "job")


@pytest.mark.parametrize(
    ("others", "said"),
    [
        ((), None),
        ((replace(EXACT, unknown="hours", tolerance=5),), "1 attack of the review is left out:"),
        (
            (replace(EXACT, level="release"), replace(EXACT, unknown="job & hours")),
            "2 attacks of the review are left out:",
        ),
        (
            (replace(EXACT, targets=alc.Targets(where={"hours >= 30": "yes"})),),
            "1 attack of the review is left out:",
        ),
    ],
)
def test_attacks_that_cannot_be_compared_are_left_out_and_counted(people, others, said):
    original, holdout = (
        alc.table_from_frame(people(150, seed), name=f"{seed}.csv") for seed in (1, 2)
    )
    release = alc.Microdata(tables=(original,), name="r")
    asked = [SimpleNamespace(scenario=each, attack="best row match") for each in (*others, EXACT)]
    standing = SimpleNamespace(
        view=SimpleNamespace(attack=asked.__getitem__), worst_first=lambda _: range(len(asked))
    )
    data = SimpleNamespace(
        original=original, others=holdout, releases={"r": release}, seed=1, standing=standing
    )
    study = studies()["holdout"]
    given = {**usual_values(study), "source": "campaign"}
    (found,) = study.measuring(data, given)(release, Reporter())
    assert [each.unknown for each in found.attacks] == ["job"]
    assert [
        note for note in found.notes if "left out" in note and note.startswith(said or "-")
    ] == [note for note in found.notes if "of the review" in note]
    assert any("of the review" in note for note in found.notes) is (said is not None)
