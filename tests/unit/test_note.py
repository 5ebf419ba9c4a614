"""Facts go by code, whatever their words are; sentences of earlier versions are read once."""

import pytest

import alc_core as alc
from alc_core.baselines.families import NaiveBayes
from alc_core.candidates.decision import ReleaseChoice, objections
from alc_core.candidates.lines import candidate_lines
from alc_core.note import Note, keeps_rows, notes_of_any_version
from alc_core.scenario import preflight

FACTS = {"row-order", "identical-release", "copied-rows"}


def codes(notes):
    return [note.code for note in notes]


def shown(line):
    """What a release's line decides, without its words."""
    copied = line.copied and (line.copied.code, line.copied.numbers)
    return line.release, line.publishing, line.standing, line.linked, copied, line.untried


@pytest.fixture(scope="module")
def tables(people):
    frame = people(400)
    half = frame.copy()
    half.loc[:120, list(frame)] = people(400, seed=9).loc[:120, list(frame)].to_numpy()
    return frame, {
        "ordered": alc.swap_columns(frame, 0.6, seed=2),
        "shuffled": alc.swap_columns(frame, 1.0, seed=1).sample(frac=1, random_state=1),
        "half": half.sample(frac=1, random_state=2),
        "copy": frame.copy(),
    }


@pytest.fixture
def lines_of(tables, tmp_path):
    frame, releases = tables

    def run(name):
        plan = alc.plan_campaign(
            frame, releases, unknown=["job"], known_sets=0, named=[["age", "hours"]],
            all_others=False, targets=alc.Targets(count=200),
        )  # fmt: skip
        store = alc.run_campaign(
            frame, releases, tmp_path / name, plan=plan, families=(NaiveBayes(),), jobs=1
        )
        with store:
            view = alc.CampaignView(store)
            notes = [store.assessment(each.number).notes for each in store.attacks]
            return candidate_lines(view, alc.ScoringParameters(), {}), notes, view

    return run


def test_other_words_give_the_same_advice_in_the_same_order(lines_of, monkeypatch):
    lines, notes, _ = lines_of("as_it_is.alc")
    assert {line.linked for line in lines} == {True, False}
    assert {line.copied.code for line in lines if line.copied} == {
        "identical-release",
        "copied-rows",
    }
    assert {line.untried for line in lines} == {True, False}
    words = iter(range(10_000))
    monkeypatch.setattr(
        preflight, "Note", lambda text, **facts: Note(text=f"Said {next(words)} ways.", **facts)
    )
    others, reworded, view = lines_of("reworded.alc")
    assert list(map(shown, others)) == list(map(shown, lines))
    assert [[n.code for n in each] for each in reworded] == [
        [n.code for n in each] for each in notes
    ]
    for one, other in zip(lines, others, strict=True):
        overview = view.only(other.release).overview(alc.ScoringParameters())
        assert len(objections(other, overview, {}, ReleaseChoice.PUBLISH)) >= one.linked


def test_sentences_of_earlier_files_give_the_same_facts(lines_of):
    _, notes, _ = lines_of("today.alc")
    told = {note.code for each in notes for note in each}
    assert told >= FACTS
    for note in (note for each in notes for note in each):
        (older,) = notes_of_any_version([note.text])
        assert older.text == note.text
        if older.code or note.code in FACTS:
            assert (older.code, older.table, older.column) == (note.code, note.table, note.column)
            assert keeps_rows(older.code, older.numbers) is keeps_rows(note.code, note.numbers)


@pytest.mark.parametrize(
    ("said", "code", "column", "most"),
    [
        ("71 % of the rows also occur in the original, with the same", "copied-rows", "", True),
        ("The release has exactly the original's rows in all 4", "identical-release", "", True),
        ("1\u202f100 rows (18 %) are rows of the original as they are", "copied-rows", "", False),
        ("under 0.1 % of the rows have an identifier that is also in the original:", "", "", False),
        ("Found, which undoes all anonymization.", "row-number", "x: 'y'", False),
    ],
)
def test_words_of_earlier_versions(said, code, column, most):
    place = f", column '{column}'" if column else ""
    (note,) = notes_of_any_version([f"Warning: 'a, b: c'{place}: {said}"])
    assert (note.code, note.column if code else "") == (code, column)
    assert keeps_rows(note.code, note.numbers) is most


def test_a_note_comes_back_from_plain_values_as_it_was():
    note = Note(text="So.", code="copied-rows", table="r", numbers=(("share", 0.25),))
    plain = {"text": "So.", "code": "copied-rows", "table": "r", "numbers": [["share", 0.25]]}
    assert notes_of_any_version([plain, "Other."]) == [note, Note(text="Other.")]
