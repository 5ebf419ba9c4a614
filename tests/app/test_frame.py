"""Whatever breaks, a page keeps its frame and offers ways out."""

import pytest
import streamlit as st

from alc_core.campaign.findings.view import CampaignView
from alc_core.dashboard.app.launch import site_directory

PAGES = sorted(path.stem for path in (site_directory() / "pages").glob("*.py"))
ASKED = ("overview", "curves", "frame", "assessment", "only", "results", "pairs", "standings")


@pytest.fixture
def broken(review, monkeypatch):
    """An app whose campaign holds what nobody can score."""

    def fail(*args, **settings):
        raise ZeroDivisionError("all counts are zero")

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
        assert {"Start", "1  Data", "Report"} <= set(app.links)

    return run


@pytest.mark.parametrize("page", PAGES)
def test_every_page_keeps_its_frame(broken, framed, page):
    framed(broken, page)
    if "Something went wrong" in broken.texts:
        assert "Close the campaign" in broken.buttons


def test_closing_the_campaign_heals_the_session(broken, framed):
    framed(broken, "findings")
    assert "Something went wrong" in broken.texts
    folder = broken.state.campaign.folder.path
    broken.click("Close the campaign")
    assert broken.state.campaign is None
    assert not folder.exists()
    framed(broken, "findings")
    assert "Something went wrong" not in broken.texts
