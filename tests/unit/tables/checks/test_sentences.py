import numpy as np
import pandas as pd
import pytest

from alc_core.tables.checks import sentences
from alc_core.tables.checks.checker import check_tables
from alc_core.tables.checks.finding import grouped, patterns
from alc_core.tables.checks.sentences import Sentence, facts_in
from alc_core.tables.read import table_from_frame


def texts():
    for key, each in sentences.sentences().items():
        for text in (each.message, each.action, each.together):
            yield key, "".join((text,) if isinstance(text, str) else text)


def test_every_sentence_ends():
    for key, text in texts():
        whole = text.endswith((".", "?")) or text in ("", "{notes:sentences}")
        assert whole or text.endswith(" {column}, or the kind continuous on the Data page."), key


def test_what_is_not_written_is_refused_before_anybody_reads_it():
    with pytest.raises(KeyError):
        sentences.written("{share:percent} of the rows.", {})
    assert sentences.written(("All", " {share:percent}", "."), {}) == "All."
    assert facts_in(("{a:percent}", " of {b}")) == {"a", "b"}


def reworded(each):
    """Return a sentence of the same facts in other words, different ones for each."""
    return Sentence(*(_turned(text) for text in (each.message, each.action, each.together)))


def _turned(text):
    parts = (text,) if isinstance(text, str) else text
    turned = tuple(
        f"{hash(part)}" + "".join(f" {{{fact}}}" for fact in sorted(facts_in(part)))
        for part in parts
        if part
    )
    return turned or ""


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
    others = {key: reworded(each) for key, each in sentences.sentences().items()}
    monkeypatch.setattr(sentences, "sentences", lambda: others)
    after = decided()
    assert after[:2] == before[:2]
    assert after[2] != before[2]
