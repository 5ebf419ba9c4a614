from __future__ import annotations

import re
from dataclasses import replace

import pytest

from alc_core.report.html.document import report_html
from alc_core.report.sections import Section
from alc_core.scoring.verdict import Verdict
from alc_core.studies.learning.example import CountsExample
from alc_core.studies.learning.kept import KEPT_EXAMPLES, KEPT_STUDIES
from alc_core.studies.learning.words import groups_sentence, noise_sentence
from tests.toys.learning import made_study

NASTY = "<script>alert(1)</script>"


@pytest.fixture
def view(made_up):
    return made_up([0.9, 0.4])


def section(view, options):
    document = report_html(view, options(view, sections=(Section.LEARNING,)))
    return document[document.index('<h2 id="learning"') :]


def plain(html):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html)).replace("&#39;", "'")


def test_a_campaign_without_a_study_says_so(view, options):
    assert "was not studied" in section(view, options)


def test_a_study_stands_with_its_figures_and_sentences(view, options):
    study = replace(made_study(), fingerprint=view.settings.original.fingerprint)
    KEPT_STUDIES.keep(view.store, study)
    found = section(view, options)
    assert noise_sentence(study) in plain(found)
    for merged in (1, 2):
        assert groups_sentence(study, merged) in plain(found)
    for key in ("accuracy-by-epsilon", "accuracy-by-l-1", "accuracy-by-l-2"):
        assert key in found


def test_an_example_stands_alone_too_and_names_are_escaped(view, options):
    KEPT_EXAMPLES.keep(
        view.store,
        CountsExample(
            original="people.csv", fingerprint=view.settings.original.fingerprint, unknown=NASTY,
            known=("age",), epsilon=1.0, people=900, accuracy=0.34, baseline_accuracy=0.36,
            commonest=0.13, alc=-0.4, interval=(-0.6, -0.1), verdict=Verdict.NO_LOSS,
        ),
    )  # fmt: skip
    found = section(view, options)
    assert "34 % of the people, 2.6 times as often" in plain(found)
    assert NASTY not in found
