"""Whatever breaks, a page keeps its frame and offers ways out."""

import threading

import pytest
import streamlit as st

from alc_core.campaign.findings.view import CampaignView
from alc_core.dashboard.app.launch import site_directory
from alc_core.dashboard.state.campaign_state import CampaignEnd, CampaignRun
from alc_core.dashboard.state.jobs import Job

PAGES = sorted(path.stem for path in (site_directory() / "pages").glob("*.py"))
ASKED = ("overview", "curves", "frame", "assessment", "only", "results", "pairs", "standings")


def fail(*args, **settings):
    raise ZeroDivisionError("all counts are zero")


@pytest.fixture
def broken(review, monkeypatch):
    """An app whose campaign holds what nobody can score."""

    for name in ASKED:
        monkeypatch.setattr(CampaignView, name, fail, raising=False)
    monkeypatch.setattr(CampaignView, "counts", property(fail))
    return review


@pytest.fixture
def framed(monkeypatch):
    """Runs app.py with a page in it, as a browser does; AppTest runs pages alone."""
    navigation = st.navigation

    def run(app, page):
        def to_page(pages, **settings):
            navigation(pages, **settings)
            (chosen,) = (each for each in pages if each._page.stem == page)
            chosen._can_be_called = True
            return chosen

        monkeypatch.setattr(st, "navigation", to_page)
        app.run_framed()
        assert "Remove all data" in app.popovers
        assert {"Start", "1 Data", "Statistics"} <= set(app.links)

    return run


@pytest.mark.parametrize("page", PAGES)
def test_every_page_keeps_its_frame(broken, framed, page):
    framed(broken, page)
    assert "Part of this page failed." in broken.texts
    assert "Close the review" in broken.buttons


def test_closing_the_campaign_heals_the_session(broken, framed):
    framed(broken, "findings")
    assert "Something went wrong" in broken.texts
    folder = broken.state.campaign.folder.path
    broken.click("Close the review")
    assert broken.state.campaign is None
    assert not folder.exists()
    framed(broken, "findings")
    assert "Part of this page failed" not in broken.texts
    assert "Something went wrong" not in broken.texts


def test_a_run_ends_whose_file_cannot_be_read(review, framed, monkeypatch):
    last = review.state.campaign
    job = Job(lambda progress, cancel: CampaignEnd(counts=last.view.counts))
    assert job.wait(60)
    run = CampaignRun(job=job, inputs=None, plan=last.whole_plan(), folder=last.folder)
    review.state.campaign_run = run
    monkeypatch.setattr(CampaignView, "refresh", fail)
    framed(review, "findings")
    assert "Something went wrong" in review.texts
    assert "Close the review" in review.buttons
    assert review.state.campaign_run is None


def test_what_a_fragment_of_the_running_campaign_meets_is_told(broken, framed):
    last, over = broken.state.campaign, threading.Event()
    job = Job(lambda progress, cancel: CampaignEnd() if over.wait(60) else None)
    run = CampaignRun(job=job, inputs=None, plan=last.whole_plan(), folder=last.folder)
    broken.state.campaign_run = run
    framed(broken, "attack")
    over.set()
    assert "Something went wrong" in broken.texts
    assert "Close the review" in broken.buttons
