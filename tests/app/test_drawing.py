"""Drawing a page changes nothing: a change belongs to an event, or to the end of a job."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from types import SimpleNamespace

import pytest

from alc_core.dashboard.choices.plan import OneAttack
from alc_core.dashboard.state.session import Page
from alc_core.dashboard.statistics.page import Part
from alc_core.dashboard.work.campaign_runs import collect_campaign, start_campaign
from alc_core.studies.registry import with_parts
from alc_core.studies.utility.result import KEPT_UTILITIES
from tests.app.conftest import TIMEOUT

PAGES = [
    *(page.name.lower() for page in Page if page is not Page.STATISTICS),
    *Part,
    *(study.name for study in with_parts()),
]
DERIVED = {"memo", "tasks", "reading", "grid"}
"""What is kept of a computation, what runs, and a lock: nothing that was said or found."""


def held(value):
    """What something of the dashboard holds, to be compared; all else is what it is."""
    if is_dataclass(value) and type(value).__module__.startswith("alc_core.dashboard"):
        names = [each.name for each in fields(value) if each.name not in DERIVED]
        return type(value).__name__, {name: held(getattr(value, name)) for name in names}
    if isinstance(value, SimpleNamespace):
        return held(vars(value))
    if isinstance(value, Mapping):
        return {key: held(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return type(value).__name__, [held(each) for each in value]
    return value if isinstance(value, str | int | float | None) else id(value)


def of_review(state):
    """What was said and found, besides how pages look."""
    view = state.campaign and state.campaign.view
    kept = view and (view.store.annotations_digest(), view.store.counts())
    return {**held(state)[1], "screens": None}, kept


@pytest.fixture
def reviewed(loaded):
    """An app with tables, a campaign on them, and a study's results."""
    loaded.state.choose(unknown=["job"], known_sets=0, model_by_user=True)
    loaded.go_to("attack")
    loaded.click("Run the attacks")
    loaded.finish()
    loaded.go_to("utility")
    loaded.run_study("utility", "Measure utility")
    return loaded


def unfit(state):
    """Choose what the tables do not allow."""
    state.choose(
        unknown=["gone", "job"], attacked=["release", "nobody"], attacks=["model", "bayesian"],
        only_on={"model": ["nobody"]}, sets={1: ("gone", "age"), 2: ()},
        one=OneAttack(unknown="gone", known=("age", "lost")),
    )  # fmt: skip
    return state


@pytest.mark.parametrize("mode", ["many", "one"])
def test_choices_that_the_tables_do_not_allow_stay_as_they_were_said(loaded, mode):
    unfit(loaded.state).choose(mode=mode)
    said = loaded.state.choices
    for page in ("data", "attack", "start"):
        loaded.go_to(page)
        loaded.run()
    assert loaded.state.choices is said
    assert loaded.state.chosen() != said, "what is drawn is what the tables allow"


def test_no_page_writes_while_it_is_drawn(reviewed):
    unfit(reviewed.state)
    for page in PAGES:
        before = of_review(reviewed.state)
        reviewed.go_to(page)
        assert of_review(reviewed.state) == before, page
        drawn = held(reviewed.state)
        reviewed.run()
        assert held(reviewed.state) == drawn, f"{page}, drawn again"


def test_what_was_measured_before_a_campaign_is_kept_as_it_begins(loaded, monkeypatch):
    kept = []
    keep = KEPT_UTILITIES.keep
    monkeypatch.setattr(
        KEPT_UTILITIES, "keep", lambda store, found: (kept.append(found), keep(store, found))
    )
    loaded.go_to("utility")
    loaded.run_study("utility", "Measure utility")
    assert not kept, "there is no campaign yet"
    loaded.state.choose(unknown=["job"], known_sets=0, model_by_user=True)
    assert start_campaign(loaded.state)
    assert loaded.state.campaign_run.job.wait(TIMEOUT)
    collect_campaign(loaded.state)
    assert len(kept) == 1
    assert list(KEPT_UTILITIES.read(loaded.state.campaign.view.store)) == ["release"]
    for page in ("utility", "studies", "findings"):
        loaded.go_to(page)
    assert len(kept) == 1, "pages only read it"
