"""The intersection against its formula."""

import numpy as np
import pandas as pd
import pytest

from alc_core import Scenario
from alc_core.assessment.prepare import ScenarioData, prepare_scenario
from alc_core.attacks.intersection import Intersection
from alc_core.attacks.registry import usual_attacks
from alc_core.releases.registry import read_release
from alc_core.tables.read import table_from_frame
from tests.toys.editions import register, shuffled

KNOWN = ["sex", "area"]


def predicted(original, editions):
    table = table_from_frame(original, name="original")
    tables = [table_from_frame(each, name=name) for each, name in zip(editions, "ab", strict=True)]
    release = read_release(tables, name="both", original=table, kind="series")
    scenario = Scenario(KNOWN, "status")
    prepared = prepare_scenario(ScenarioData.of(table, release, scenario), scenario)
    predict = Intersection().prepare(prepared.view, np.random.default_rng(0))
    return prepared.view.unknown.labels, predict(prepared.targets.known)


def test_it_is_the_product_of_the_shares_over_the_overall_share():
    people = register(400, statuses=30)[[*KNOWN, "status"]]
    other = people.assign(status=np.where(people.index % 3, people["status"], "S1"))
    labels, found = predicted(people, [shuffled(people), shuffled(other)])
    overall = pd.concat([people, other])["status"].value_counts(normalize=True)
    shares = [
        each.groupby(KNOWN)["status"].value_counts(normalize=True) for each in (people, other)
    ]
    for number, person in enumerate(people[KNOWN].itertuples(index=False)):
        one, two = (each.loc[tuple(person)] for each in shares)
        chances = (one * two / overall).dropna()
        assert found.scores[number] == pytest.approx(chances.max() / chances.sum())
        chosen = labels[found.values[number]]
        assert chances[chosen] == pytest.approx(chances.max())


def test_it_abstains_where_the_editions_share_no_value():
    people = register(400, statuses=3)[[*KNOWN, "status"]]
    other = people.assign(status=people["status"].where(people["area"] != "A0", "S9"))
    _, found = predicted(people, [people, other])
    assert (found.abstained == (people["area"] == "A0")).all()


def test_it_runs_by_default_on_a_series_only():
    people = table_from_frame(register(400), name="a")
    other = table_from_frame(register(400), name="b")
    for kind, runs in {"series": True, "new-edition": True, "rows": False}.items():
        release = read_release([people, other], name="r", original=people, kind=kind)
        assert ("intersection" in usual_attacks(release)) is runs
