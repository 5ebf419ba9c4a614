from __future__ import annotations

import pytest

from alc_core.errors import CampaignMismatchError
from alc_core.report.html.document import report_html
from alc_core.report.sections import Section
from alc_core.studies.rapid.beside_alc import same_facts_sentence
from alc_core.studies.rapid.result import KEPT_RAPID
from alc_core.studies.rapid.words import rapid_sentence
from tests.toys.rapid import made_rapid
from tests.unit.report.test_learning import plain

NASTY = "<script>alert(1)</script>"


@pytest.fixture
def view(made_up):
    return made_up([0.9, 0.4])


def section(view, options):
    document = report_html(view, options(view, sections=(Section.RAPID,)))
    return document[document.index('<h2 id="rapid"') :]


def test_a_campaign_without_rapid_says_so(view, options):
    assert "was not measured" in section(view, options)


def test_results_stand_side_by_side_with_their_sentences(view, options):
    fingerprint = view.settings.original.fingerprint
    for name in ("weak", NASTY):
        KEPT_RAPID.keep(view.store, made_rapid(name, original=fingerprint))
    found = section(view, options)
    assert plain(rapid_sentence(made_rapid())) in plain(found)
    for key in ("rapid-releases", "rapid-curve", "rapid-drivers"):
        assert key in found
    assert NASTY not in found


def test_a_later_result_of_the_same_takes_the_place_of_the_earlier(view):
    fingerprint = view.settings.original.fingerprint
    for share in (0.2, 0.3):
        KEPT_RAPID.keep(view.store, made_rapid(original=fingerprint, share=share))
    (kept,) = KEPT_RAPID.read(view.store).values()
    assert kept == made_rapid(original=fingerprint, share=0.3)


def test_a_result_of_another_original_is_refused(view):
    with pytest.raises(CampaignMismatchError, match="not of the original"):
        KEPT_RAPID.keep(view.store, made_rapid(original="other"))


def test_who_is_at_risk_and_the_alc_of_the_same_facts_stand_beside_it(view, options):
    attack = next(iter(view.attacks))
    result = made_rapid(
        attack.release,
        original=view.settings.original.fingerprint,
        unknown=attack.scenario.unknown,
        known=attack.scenario.known,
    )
    KEPT_RAPID.keep(view.store, result)
    found = section(view, options)
    assert "rapid-groups" in found
    sentence = same_facts_sentence(view.attacks, view.overview(view.settings.scoring), result)
    assert sentence.startswith("ALC of the same facts: ")
    assert plain(sentence) in plain(found)
