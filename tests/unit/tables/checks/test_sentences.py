import numpy as np
import pandas as pd
import pytest

from alc_core.tables.checks import finding
from alc_core.tables.checks.checker import check_tables
from alc_core.tables.checks.finding import facts_in, grouped, patterns
from alc_core.tables.read import table_from_frame
from tests.toys.reworded import reword_findings


def texts():
    for key, each in finding.sentences().items():
        for text in (each.message, each.action, each.together):
            yield key, "".join((text,) if isinstance(text, str) else text)


def test_every_sentence_ends():
    for key, text in texts():
        whole = text.endswith((".", "?")) or text in ("", "{notes:sentences}")
        assert whole or text.endswith(" {column}, or the kind continuous on the Data page."), key


def test_what_is_not_written_is_refused_before_anybody_reads_it():
    with pytest.raises(KeyError):
        finding.written("{share:percent} of the rows.", {})
    assert finding.written(("All", " {share:percent}", "."), {}) == "All."
    assert facts_in(("{a:percent}", " of {b}")) == {"a", "b"}


@pytest.mark.parametrize(
    ("code", "case", "facts", "message"),
    [
        (
            "copied-rows", "most",
            {"share": 0.7, "kept": 6, "of": 7, "recoded": ("age",), "expected": 0.002},
            "70% of the rows are identical to rows of the original in 6 of 7 shared columns (all"
            " but 'age'). By chance: 0.2%.",
        ),
        ("identical-release", "", {"columns": 2},
         "The rows equal the original's in both shared columns."),
        (
            "row-order", "", {"columns": ("sex", "job"), "several": True, "share": 1.0},
            "The rows are in the original's order: in 'sex' and 'job', up to 100% of the values"
            " match the row at the same place. Anyone who knows that order can identify every"
            " person.",
        ),
        (
            "unknown-labels", "", {"share": 0.1, "distinct": 1200, "labels": ("a", "b", "c", "d")},
            "10% of rows have values not in the original (1,200 distinct, such as 'a', 'b', 'c', "
            "...).",
        ),
        (
            "noisy-counts", "", {"negative": 2, "counts": 1200, "fractions": True},
            "Noise was added: 2 of 1,200 counts are below 0 and some counts are fractions.",
        ),
        ("noisy-counts", "", {"counts": 9, "fractions": True},
         "Noise was added: some counts are fractions."),
    ],
)  # fmt: skip
def test_facts_become_sentences(code, case, facts, message):
    assert finding.written(finding.sentence(code, case).message, facts) == message


def test_other_words_change_nothing_that_is_decided(monkeypatch):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({c: rng.integers(0, 40, 500) for c in "abcd"}).assign(job=["x", "y"] * 250)
    original = table_from_frame(frame, name="original")
    changed = frame.assign(a=frame["a"] * 100, job="z", d=np.nan)
    releases = [
        table_from_frame(f, name=name)
        for name, f in {"1": frame, "2": changed, "3": changed.drop(columns=["b", "c"])}.items()
    ]

    def decided():
        found = check_tables(original, releases)
        kinds = [(f.severity, f.code, f.table, f.columns, f.numbers) for f in found]
        told = [tuple(e.parts) for make in (grouped, patterns) for e in make(found)]
        return kinds, told, [f.message for f in found]

    before = decided()
    reword_findings(monkeypatch)
    after = decided()
    assert after[:2] == before[:2]
    assert after[2] != before[2]
