from __future__ import annotations

import pytest

from alc_core.errors import CampaignMismatchError
from alc_core.report.html.document import report_html
from alc_core.report.sections import Section
from alc_core.studies.relative_threat.result import KEPT_THREATS, threat_sentence
from tests.toys.threat import made_threat
from tests.unit.report.test_learning import plain

NASTY = "<script>alert(1)</script>"


@pytest.fixture
def view(made_up):
    return made_up([0.9, 0.4])


def section(view, options):
    document = report_html(view, options(view, sections=(Section.THREAT,)))
    return document[document.index('<h2 id="threat"') :]


def test_a_campaign_without_one_says_so(view, options):
    assert "was not measured" in section(view, options)


def test_a_threat_stands_with_its_numbers_and_meanings(view, options):
    KEPT_THREATS.keep(view.store, made_threat(NASTY, original=view.settings.original.fingerprint))
    found = section(view, options)
    assert plain(threat_sentence(made_threat())) in plain(found)
    assert "10 of 100 people more" in plain(found).replace("10.0", "10")
    assert "threat-levels-attacker" in found
    assert NASTY not in found
    assert "Do not rely" not in found


def test_chains_that_have_not_converged_say_so_first(view, options):
    fingerprint = view.settings.original.fingerprint
    KEPT_THREATS.keep(view.store, made_threat(original=fingerprint, converged=False))
    found = plain(section(view, options))
    assert found.index("Do not rely on these numbers.") < found.index("Who only learns")
    assert "What being in the release costs is not known" in found
    assert "people more" not in found


def test_a_threat_of_another_original_is_refused_and_a_later_one_replaces(view):
    with pytest.raises(CampaignMismatchError, match="not of the original"):
        KEPT_THREATS.keep(view.store, made_threat(original="other"))
    fingerprint = view.settings.original.fingerprint
    for converged in (False, True):
        KEPT_THREATS.keep(view.store, made_threat(original=fingerprint, converged=converged))
    (kept,) = KEPT_THREATS.read(view.store).values()
    assert kept == made_threat(original=fingerprint)
