"""What each study says on its page."""

import re
from pathlib import Path

import pytest

from alc_core.studies.registry import with_parts

METHODS = Path(__file__).parents[3] / "docs" / "methods.md"


@pytest.mark.parametrize("study", [*with_parts()], ids=lambda study: study.name)
def test_a_study_asks_one_question_explains_it_in_two_sentences_and_names_where_docs_say_more(
    study,
):
    assert study.sentence.endswith("?")
    said = re.split(r"(?<=[.?]) ", f"{study.sentence} {study.explanation}".strip())
    assert len(said) <= 3
    assert [each for each in said if len(each.split()) > 20] == []
    if study.methods:
        assert f"\n## {study.methods}\n" in METHODS.read_text("utf-8") or (
            f"\n### {study.methods}\n" in METHODS.read_text("utf-8")
        )
