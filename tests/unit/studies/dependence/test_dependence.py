"""Tables with planted copies: an honest guess only where they are kept together."""

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.baselines.families import Forest
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.run.start import run_campaign
from alc_core.figures.studies import dependence_figure
from alc_core.runtime.progress import Reporter
from alc_core.studies.dependence.measuring import KEPT_DEPENDENCE
from alc_core.studies.registry import studies
from alc_core.studies.study import CampaignStanding, StudyData, checked, usual_values
from alc_core.tables.checks.checker import check_tables
from alc_core.tables.households import likely_copies, likely_dependents, likely_households
from alc_core.tables.read import table_from_frame

KNOWN = ("a", "b", "c", "d")


def people(rows=600, seed=1):
    """Columns that tell people apart, and one that nothing tells."""
    rng = np.random.default_rng(seed)
    columns = {name: rng.integers(0, 40, rows) for name in KNOWN}
    return pd.DataFrame({**columns, "secret": rng.choice(list("wxyz"), rows)}).astype(str)


def copied(times, **more):
    """Each row so many times, in random order."""
    rows = pd.concat([people(**more)] * times, ignore_index=True)
    return rows.sample(frac=1, random_state=2).reset_index(drop=True)


def found_in(frame):
    return likely_copies(table_from_frame(frame, name="t"))


@pytest.mark.parametrize("times", [2, 5])
def test_copies_are_told_from_people_who_are_alike(times):
    found = found_in(copied(times))
    assert (found.rows, found.of, found.copies) == (600 * times, 600 * times, True)
    assert set(found.columns) == {*KNOWN, "secret"}
    assert found_in(people()) is None
    crowd = people().apply(
        lambda column: column.astype(int) % 3 if column.name != "secret" else "w"
    )
    assert crowd.duplicated(keep=False).mean() > 0.9
    assert found_in(crowd.astype(str)) is None


def test_few_copies_are_none_and_a_person_column_says_it_all():
    rows = people()
    assert found_in(pd.concat([rows, rows.iloc[:10]])) is None
    assert found_in(pd.concat([rows, rows.iloc[:60]])).rows == 120
    table = table_from_frame(copied(5), name="t")
    assert likely_dependents(table).copies
    assert likely_households(table) is None
    assert likely_copies(table, person="a") is None


def test_the_check_says_so_and_names_the_columns_unless_they_are_kept_together():
    table, release = (table_from_frame(copied(3), name=name) for name in ("o", "r"))
    (told,) = [f for f in check_tables(table, [release]) if f.code == "duplicate-people"]
    assert told.case == "copies"
    assert set(told.household) == {*KNOWN, "secret"}
    kept = check_tables(table, [release], household=told.household)
    assert [f.case for f in kept if f.code == "duplicate-people"] == [""]


@pytest.fixture(scope="module")
def standing(tmp_path_factory):
    original = copied(5)
    plan = alc.plan_campaign(
        original, {"r": original}, unknown=["secret"], named=[KNOWN], known_sets=0,
        all_others=False, targets=alc.Targets(count=500),
    )  # fmt: skip
    path = tmp_path_factory.mktemp("copies") / "c.alc"
    with run_campaign(
        original, {"r": original}, path, plan=plan, jobs=1, families=(Forest("forest", 1),),
        accept=("identical-release", "copied-rows"),
    ) as store:  # fmt: skip
        view = CampaignView(store)
        yield (
            original,
            view,
            CampaignStanding(view=view, overview=view.overview(view.settings.scoring)),
        )


def test_copies_make_the_guess_sure_and_hide_the_loss_unless_they_are_kept_together(standing):
    original, view, stands = standing
    data = StudyData(
        table=table_from_frame(original, name="o"),
        releases={"r": alc.Microdata(tables=(table_from_frame(original, name="r"),), name="r")},
        standing=stands,
    )
    study = studies()["dependence"]
    given = study.suggest(data, usual_values(study))
    assert set(given["together"]) == {*KNOWN, "secret"}
    checked(study, data, given)
    (found,) = study.run(data, given, Reporter())
    (attack,) = found.attacks
    assert (found.rows, found.of) == (3000, 3000)
    assert attack.apart.guess > 0.9  # looked up at the copies
    assert attack.together.guess == pytest.approx(0.25, abs=0.08)
    assert attack.apart.alc.value < 0.3
    assert attack.together.alc.value > 0.9
    assert list(dependence_figure(found).data[1].x) == [attack.together.alc.value]
    assert list(KEPT_DEPENDENCE.read(view.store)) == []
    KEPT_DEPENDENCE.keep(view.store, found)
    assert KEPT_DEPENDENCE.read(view.store) == {"r": found}
