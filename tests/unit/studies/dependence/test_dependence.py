"""Tables with planted copies: an honest guess only where they are kept together."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from msgspec import structs

import alc_core as alc
from alc_core.baselines.forest import Forest
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.run.start import run_campaign
from alc_core.phrasing import split_names
from alc_core.runtime.progress import Reporter
from alc_core.scenario.derived import with_derived
from alc_core.scenario.targets import People
from alc_core.studies.dependence import KEPT_DEPENDENCE, OneWay, dependence_figure
from alc_core.studies.registry import studies
from alc_core.studies.study import CampaignStanding, StudyData, checked, usual_values
from alc_core.tables.checks.checker import check_tables
from alc_core.tables.checks.facts import verbatim
from alc_core.tables.households import (
    LikelyCopies,
    kept_together,
    likely_copies,
    likely_dependents,
    likely_households,
)
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


@pytest.mark.parametrize("times", [2, 5, 9, 20])
def test_copies_are_told_from_people_who_are_alike(times):
    found = found_in(copied(times))
    assert (found.rows, found.of) == (600 * times, 600 * times)
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
    assert isinstance(likely_dependents(table), LikelyCopies)
    assert likely_households(table) is None
    assert likely_dependents(table, person="a") is None


def test_the_check_says_so_and_names_the_columns_unless_they_are_kept_together():
    table, release = (table_from_frame(copied(3), name=name) for name in ("o", "r"))
    (told,) = [f for f in check_tables(table, [release]) if f.code == "duplicate-people"]
    assert told.case == "copies"
    household = split_names(told.offers[0].value)
    assert set(household) == {*KNOWN, "secret"}
    kept = check_tables(table, [release], household=household)
    assert [f.case for f in kept if f.code == "duplicate-people"] == [""]


@pytest.mark.parametrize("times", [2, 9])
def test_a_table_of_copies_is_asked_about_until_they_are_kept_together(times):
    table, release = (table_from_frame(copied(times), name=name) for name in ("o", "r"))
    (asked,) = [f for f in check_tables(table, [release]) if f.code == "duplicate-people"]
    assert asked.blocking
    assert asked.answers[0] == "duplicate-people"
    assert asked.sentence.option == "--person COLUMN or --household COLUMNS"
    kept = check_tables(table, [release], household=split_names(asked.offers[0].value))
    assert not any(f.blocking for f in kept if f.code == "duplicate-people")


@pytest.mark.parametrize("columns", [4, 6, 8])
@pytest.mark.parametrize("rows", [300, 3_000])
def test_people_who_are_alike_in_few_categories_are_not_asked_about(columns, rows):
    rng = np.random.default_rng(0)
    same = rng.normal(size=rows)
    frame = pd.DataFrame(
        {
            f"c{k}": np.clip((0.7 * same + rng.normal(size=rows)).round(), -1, 1)
            for k in range(columns)
        }
    ).astype(str)
    table = table_from_frame(frame, name="o")
    found = [f for f in check_tables(table, [table]) if f.code == "duplicate-people"]
    assert not any(each.blocking for each in found)


def nearly_copied(cells, rows=500):
    """Each row twice, the second time with so many cells of other people; and whose rows they are.

    Nothing tells the secret, and people are alike by chance in groups of columns.
    """
    rng = np.random.default_rng(3)
    once = pd.concat(
        [people(rows), people(rows, seed=4).drop(columns="secret").add_suffix("2")], axis=1
    )
    once["group"] = rng.integers(0, 3, rows).astype(str)
    again = once.copy()
    columns = [c for c in once if c not in ("secret", "group")]
    for row in range(rows):
        for column in rng.choice(columns, cells, replace=False):
            again.loc[row, column] = once.loc[rng.integers(rows), column]
    order = rng.permutation(2 * rows)
    both = pd.concat([once, again], ignore_index=True).iloc[order].reset_index(drop=True)
    return once, both, np.tile(np.arange(rows), 2)[order]


@pytest.mark.parametrize("cells", [1, 2])
def test_copies_that_differ_elsewhere_from_pair_to_pair_are_kept_on_one_side(cells):
    once, both, person = nearly_copied(cells)
    assert found_in(once) is None
    assert both.duplicated(keep=False).mean() < 0.1
    table = table_from_frame(both, name="t")
    found = likely_copies(table)
    assert found.rows > 0.95 * len(both)
    assert found.expected < 0.02 * found.pairs
    known = tuple(c for c in both if c != "secret")
    scenario = alc.Scenario(known, "secret", household=found.columns)
    units = People.of(table, scenario).units
    together = pd.DataFrame({"unit": units, "person": person}).drop_duplicates()
    assert len(together) < 1.05 * len(once)
    assert not together["unit"].duplicated().any()
    assert len(np.unique(People.of(table, replace(scenario, household=known)).units)) > 600


def test_copies_that_nearly_agree_hide_a_loss_unless_they_are_kept_together():
    _, both, _ = nearly_copied(1)
    scenario = alc.Scenario([c for c in both if c != "secret"], "secret", targets=500)
    apart, together = (
        alc.assess(
            both,
            both,
            replace(scenario, household=household),
            families=(Forest("forest", 1),),
            accept=("duplicate-people",),
        )
        for household in (None, tuple(both))
    )
    assert apart.baseline.measured_precision > 0.85  # looked up at the copy
    assert together.baseline.measured_precision == pytest.approx(0.25, abs=0.1)
    assert apart.alc < 0.4
    assert together.alc > 0.85


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
        accept=("identical-release", "copied-rows", "duplicate-people"),
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
    run = view.assessment(attack.number)
    assert OneWay.of(structs.replace(run, measured={})) == OneWay.of(run), "of older files"
    assert list(dependence_figure(found).data[1].x) == [attack.together.alc.value]
    assert list(KEPT_DEPENDENCE.read(view.store)) == []
    KEPT_DEPENDENCE.keep(view.store, found)
    assert KEPT_DEPENDENCE.read(view.store) == {"r": found}
    (by_fact,) = study.run(data, {**given, "together": (KNOWN[0],)}, Reporter())
    assert by_fact.attacks[0].apart == attack.apart


def test_what_is_worked_out_of_columns_tells_no_rows_apart():
    frame = copied(2)
    table = table_from_frame(frame.assign(a=frame["a"].astype(int)), name="t")
    with_more = with_derived(table, table, ["a >= 20", "b & c"])
    columns = [*table.columns]
    assert len(np.unique(kept_together(with_more, columns))) == 600
    raw, more = likely_copies(table), likely_copies(with_more)
    assert (more.rows, set(more.columns)) == (raw.rows, set(raw.columns))
    release = table_from_frame(people(seed=5), name="r")
    asked = with_derived(with_more, release, ["b & c"])
    assert verbatim(with_more, asked) == verbatim(table, release)
