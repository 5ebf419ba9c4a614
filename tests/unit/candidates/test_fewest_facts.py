from dataclasses import replace

import pandas as pd

import alc_core as alc
from alc_core.candidates.lines import candidate_lines
from alc_core.review.release_words import learned_sentence
from tests.conftest import make_people
from tests.toys.campaigns import run_quickly


def test_the_fewest_facts_that_suffice_are_named_beside_a_worst_attack_with_more(tmp_path):
    people = make_people(600).assign(number=lambda frame: range(len(frame)))
    people["number"] = people["number"].sample(frac=1, random_state=0).to_numpy() * 7 + 1000
    kept = people.sample(frac=0.5, random_state=1)
    others = make_people(300, seed=9).assign(number=lambda frame: range(1003, 3103, 7))
    release = {"half": pd.concat([kept, others]).sample(frac=1, random_state=2)}
    sets = [["age", "hours", "city", "number"], ["number"]]
    with run_quickly(people, release, tmp_path / "c.alc", named=sets, targets=300) as store:
        view = alc.CampaignView(store)
        scoring = view.settings.scoring
        (line,) = candidate_lines(view, scoring, {})
        said = learned_sentence(view, line, scoring)
        assert line.flagged
        assert line.worst.attack.scenario.known == ("number",)
        assert "Knowing only" not in said
        whole = next(a for a in view.attacks if len(a.scenario.known) == 4)
        line = replace(line, worst=replace(line.worst, attack=whole))
        said = learned_sentence(view, line, scoring)
        exposed = round(line.worst.exposed)
        assert said.endswith(f"Knowing only number is enough for about {exposed} people.")


def test_nearly_as_many_facts_are_not_called_few(tmp_path):
    people = make_people(600).assign(number=lambda frame: frame.index * 7 % 601)
    shuffled = {"copy": people.sample(frac=1, random_state=2)}
    sets = [["age", "hours", "city", "number"], ["age", "hours", "number"]]
    with run_quickly(people, shuffled, tmp_path / "c.alc", named=sets, targets=300) as store:
        view = alc.CampaignView(store)
        scoring = view.settings.scoring
        (line,) = candidate_lines(view, scoring, {})
        whole = next(a for a in view.attacks if len(a.scenario.known) == 4)
        line = replace(line, worst=replace(line.worst, attack=whole), linked=False)
        assert line.flagged
        assert "Knowing only" not in learned_sentence(view, line, scoring)
