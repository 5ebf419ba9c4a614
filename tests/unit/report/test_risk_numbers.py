from __future__ import annotations

from dataclasses import replace

import pytest

from alc_core.errors import CampaignMismatchError
from alc_core.report.html.document import report_html
from alc_core.report.sections import Section
from alc_core.studies.risk_numbers.result import KEPT_RISK_NUMBERS
from alc_core.studies.risk_numbers.words import risk_sentence
from tests.unit.report.test_learning import plain
from tests.unit.studies.risk_numbers.test_classes import PEOPLE, decades, measured

NASTY = "<script>alert(1)</script>"


@pytest.fixture
def view(made_up):
    return made_up([0.9, 0.4])


def made(view, release):
    found = measured(PEOPLE, decades(), protected=("job",))
    fingerprint = view.settings.original.fingerprint
    return replace(found, release=release, table=release, fingerprint=fingerprint)


def section(view, options, **more):
    document = report_html(view, options(view, sections=(Section.RISK_NUMBERS,), **more))
    return document[document.index('<h2 id="risk-numbers"') :]


def test_a_campaign_without_risk_numbers_says_so(view, options):
    assert "were not measured" in section(view, options)
    assert 'id="risk-numbers"' not in report_html(view, options(view))


def test_numbers_stand_with_their_sentence_their_histogram_and_the_alc(view, options):
    (release,) = view.attacked_releases
    for name in (release, NASTY):
        KEPT_RISK_NUMBERS.keep(view.store, made(view, name))
    found = section(view, options)
    assert plain(risk_sentence(made(view, release))) in plain(found)
    assert "Smallest class (k)" in found
    assert "The worst attack on this release learns" in plain(found)
    assert "class-sizes" in found
    assert NASTY not in found


def test_numbers_of_another_original_are_refused(view):
    with pytest.raises(CampaignMismatchError, match="not of the original"):
        KEPT_RISK_NUMBERS.keep(view.store, measured(PEOPLE, decades()))
