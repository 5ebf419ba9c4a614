"""Studies in the report: kept as they were, their sentences, tables and figures, and ALC beside."""

import re
from dataclasses import replace

import pytest

from alc_core.errors import CampaignMismatchError
from alc_core.report.html.document import report_html
from alc_core.report.sections import Section
from alc_core.scoring.verdict import Verdict
from alc_core.studies.holdout.result import KEPT_HOLDOUTS, closest_sentence
from alc_core.studies.holdout.study import beside_rows, disagreements, same_attack
from alc_core.studies.learning.result import KEPT_STUDIES
from alc_core.studies.learning.study import KEPT_EXAMPLES, CountsExample
from alc_core.studies.learning.words import groups_sentence, noise_sentence
from alc_core.studies.rapid.result import KEPT_RAPID
from alc_core.studies.relative_threat.result import KEPT_THREATS
from alc_core.studies.risk_numbers.result import KEPT_RISK_NUMBERS
from alc_core.studies.study import CampaignStanding
from tests.toys.holdout import made_attack, made_closest, made_holdout
from tests.toys.learning import made_study
from tests.toys.rapid import made_rapid
from tests.toys.threat import made_threat
from tests.unit.studies.risk_numbers.test_classes import PEOPLE, decades, measured

NASTY = "<script>alert(1)</script>"


@pytest.fixture
def view(made_up):
    """Of each of two unknown columns an attack: one at risk, one without loss."""
    return made_up([0.9, 0.3])


@pytest.fixture
def original(view):
    return view.settings.original.fingerprint


def made_numbers(release="weak.csv", *, original=""):
    found = measured(PEOPLE, decades(), protected=("job",))
    return replace(found, release=release, table=release, fingerprint=original)


def plain(html):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html)).replace("&#39;", "'")


@pytest.fixture
def section(view, options):
    """The section of the report on a kind of study."""

    def drawn(kind):
        document = report_html(view, options(view, sections=(kind,)))
        return document[document.index(f'<h2 id="{kind.value}"') :]

    return drawn


STUDIES = {
    Section.HOLDOUT: (KEPT_HOLDOUTS, made_holdout),
    Section.RAPID: (KEPT_RAPID, made_rapid),
    Section.THREAT: (KEPT_THREATS, made_threat),
    Section.RISK_NUMBERS: (KEPT_RISK_NUMBERS, made_numbers),
}


@pytest.mark.parametrize("kind", [*STUDIES, Section.LEARNING])
def test_a_campaign_without_one_says_so_and_leaves_it_out_unless_asked(
    view, options, section, kind
):
    assert re.search("(was|were) not (compared|measured|studied)", section(kind))
    assert f'<h2 id="{kind.value}"' not in report_html(view, options(view))


@pytest.mark.parametrize("kind", STUDIES)
def test_it_is_kept_as_it_was_in_place_of_an_earlier_one_and_of_this_original_only(
    view, original, kind
):
    kept, made = STUDIES[kind]
    for name in ("weak.csv", "strong.csv", "weak.csv"):
        kept.keep(view.store, made(name, original=original))
    assert sorted(each.release for each in kept.read(view.store).values()) == [
        "strong.csv", "weak.csv"
    ]  # fmt: skip
    assert made("weak.csv", original=original) in kept.read(view.store).values()
    with pytest.raises(CampaignMismatchError, match="is not of"):
        kept.keep(view.store, made("weak.csv", original="other"))


def test_no_name_is_markup(view, original, section):
    for kind, (kept, made) in STUDIES.items():
        kept.keep(view.store, made(NASTY, original=original))
        assert NASTY not in section(kind)


# Holdout


def of(view, *attacks, release="weak.csv", **changes):
    fingerprint = view.settings.original.fingerprint
    return made_holdout(release, original=fingerprint, attacks=attacks, **changes)


def same(view, number, members, others):
    scenario = view.attacks[number].scenario
    return made_attack(members, others, known=tuple(scenario.known), unknown=scenario.unknown)


def test_a_holdout_stands_with_its_sentences_table_and_alc(view, options, section):
    found = of(view, same(view, 0, 600, 300), made_attack(unknown=NASTY), notes=("Beware.",))
    KEPT_HOLDOUTS.keep(view.store, found)
    text = section(Section.HOLDOUT)
    assert plain(closest_sentence(made_closest())) in plain(text)
    for words in ("Beware.", "closest-records", "<th>ALC</th>"):
        assert words in text
    assert NASTY not in text
    assert '<h2 id="holdout"' in report_html(view, options(view))


def test_alc_stands_beside_the_same_attack_only(view):
    found = of(view, same(view, 0, 600, 300), made_attack(unknown="else"))
    first, second = beside_rows(standing(view), found)
    assert first["ALC"]
    assert first["Standing"]
    assert second["ALC"] == second["Standing"] == ""
    assert same_attack(standing(view), "other release", found.attacks[0]) is None
    assert "ALC" not in beside_rows(None, found)[0]


def standing(view):
    return CampaignStanding(view=view, overview=view.overview(view.settings.scoring))


def test_disagreements_are_computed_and_explained(view):
    def said(*attacks):
        return " ".join(disagreements(standing(view), of(view, *attacks)))

    assert said(made_attack(unknown="else")) == ""
    assert "agree for every attack" in said(same(view, 0, 600, 300), same(view, 1, 300, 300))
    more = said(same(view, 0, 300, 300))
    assert "Attack 0" in more
    assert "not guessed more often" in more
    assert "nearly always" in said(same(view, 0, 970, 970))
    assert "guessed more often, but" in said(same(view, 1, 600, 300))


# Learning


def test_a_study_stands_with_its_figures_and_sentences(view, original, section):
    study = replace(made_study(), fingerprint=original)
    KEPT_STUDIES.keep(view.store, study)
    found = section(Section.LEARNING)
    for sentence in (noise_sentence(study), groups_sentence(study, 1), groups_sentence(study, 2)):
        assert sentence in plain(found)
    for key in ("accuracy-by-epsilon", "accuracy-by-l-1", "accuracy-by-l-2"):
        assert key in found


def test_an_example_stands_alone_too_and_names_are_escaped(view, original, section):
    KEPT_EXAMPLES.keep(
        view.store,
        CountsExample(
            original="people.csv", fingerprint=original, unknown=NASTY, known=("age",), epsilon=1.0,
            people=900, accuracy=0.34, baseline_accuracy=0.36, commonest=0.13, alc=-0.4,
            interval=(-0.6, -0.1), verdict=Verdict.NO_LOSS,
        ),
    )  # fmt: skip
    found = section(Section.LEARNING)
    assert "34% of people. Best guess: " in plain(found)
    assert NASTY not in found


# RAPID


def test_who_is_at_risk_and_the_alc_of_the_same_facts_stand_beside_it(view, original, section):
    attack = view.attacks[0]
    facts = {"unknown": attack.scenario.unknown, "known": attack.scenario.known}
    result = made_rapid(attack.release, original=original, **facts)
    KEPT_RAPID.keep(view.store, result)
    found = section(Section.RAPID)
    assert "rapid-groups" in found
    assert f"(attack 0, {attack.attack})" in plain(found)


# Relative threat


def test_chains_that_have_not_converged_say_so_first(view, original, section):
    KEPT_THREATS.keep(view.store, made_threat(original=original, converged=False))
    found = plain(section(Section.THREAT))
    assert found.index("Do not rely on these numbers.") < found.index("by the learner")
    assert "The chains did not converge" in found
    assert "exposes" not in found


# Risk numbers
