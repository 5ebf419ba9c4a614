"""What was compared with a holdout, in the report; and beside ALC."""

from __future__ import annotations

import pytest

from alc_core.errors import CampaignMismatchError
from alc_core.report.html.document import report_html
from alc_core.report.sections import Section
from alc_core.studies.holdout.beside_alc import beside_rows, disagreements, same_attack
from alc_core.studies.holdout.result import KEPT_HOLDOUTS
from alc_core.studies.holdout.words import closest_sentence
from tests.toys.holdout import made_attack, made_closest, made_holdout
from tests.unit.report.test_learning import plain

NASTY = "<script>alert(1)</script>"


@pytest.fixture
def view(made_up):
    """Of each of two unknown columns an attack: one at risk, one without loss."""
    return made_up([0.9, 0.3])


def of(view, *attacks, release="weak.csv", **changes):
    fingerprint = view.settings.original.fingerprint
    return made_holdout(release, original=fingerprint, attacks=attacks, **changes)


def same(view, number, members, others):
    scenario = view.attacks[number].scenario
    return made_attack(members, others, known=tuple(scenario.known), unknown=scenario.unknown)


def section(view, options):
    document = report_html(view, options(view, sections=(Section.HOLDOUT,)))
    return document[document.index('<h2 id="holdout"') :]


def test_a_campaign_without_one_says_so_and_leaves_it_out_unless_asked(view, options):
    assert "were not compared" in section(view, options)
    assert '<h2 id="holdout"' not in report_html(view, options(view))


def test_it_stands_with_its_sentences_table_and_alc(view, options):
    found = of(view, same(view, 0, 600, 300), made_attack(unknown=NASTY), notes=("Beware.",))
    KEPT_HOLDOUTS.keep(view.store, found)
    text = section(view, options)
    assert plain(closest_sentence(made_closest())) in plain(text)
    assert "Beware." in text
    assert "closest-records" in text
    assert "<th>ALC</th>" in text
    assert NASTY not in text
    assert '<h2 id="holdout"' in report_html(view, options(view))


def test_it_is_kept_as_it_was(view):
    found = of(view, same(view, 0, 600, 300))
    KEPT_HOLDOUTS.keep(view.store, found)
    assert list(KEPT_HOLDOUTS.read(view.store).values()) == [found]
    with pytest.raises(CampaignMismatchError, match="not of the original"):
        KEPT_HOLDOUTS.keep(view.store, made_holdout(original="other"))


def test_alc_stands_beside_the_same_attack_only(view):
    overview = view.overview(view.settings.scoring)
    found = of(view, same(view, 0, 600, 300), made_attack(unknown="else"))
    first, second = beside_rows(view.attacks, overview, found)
    assert first["ALC"]
    assert first["Standing"]
    assert second["ALC"] == second["Standing"] == ""
    assert same_attack(view.attacks, overview, "other release", found.attacks[0]) is None
    assert "ALC" not in beside_rows((), None, found)[0]


def test_disagreements_are_computed_and_explained(view):
    overview = view.overview(view.settings.scoring)

    def said(*attacks):
        return " ".join(disagreements(view.attacks, overview, of(view, *attacks)))

    assert said(made_attack(unknown="else")) == ""
    assert "the same way" in said(same(view, 0, 600, 300), same(view, 1, 300, 300))
    more = said(same(view, 0, 300, 300))
    assert "Attack 0" in more
    assert "no more often than others" in more
    assert "almost always" in said(same(view, 0, 970, 970))
    assert "tells more of members than of others" in said(same(view, 1, 600, 300))
