"""Every page with the demo: few words that stand out, one title; narrow: no sidebar."""

import logging
import re
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import drawn, faint_texts, visit

pytestmark = pytest.mark.browser

MOST_WORDS = {
    "Start": 80, "Data": 150, "Attack": 90, "Findings": 180, "One attack": 180,
    "Decision": 180, "Trade-offs": 220, "Compare": 120, "All studies": 150,
}  # fmt: skip
"""By page in the order of a review; where releases are judged, with what stops one of them."""

STATISTICS = ("Trade-offs", "Compare", "All studies")
JARGON = re.compile(r"\bPRC\b|rank score|equal recall|R_min|\bTVD\b|fresh draws|\? 0")
"""What asks for a glossary."""

MAIN = "document.querySelector('[data-testid=stMain]')"
SETTLED = f"""() => {{
  const words = {MAIN}.innerText, same = words === window.words;
  window.still = same && !document.querySelector('[data-stale=true]') ? window.still + 1 : 0;
  window.words = words;
  return window.still >= 15;
}}"""
"""The same words for a while: a page that was just asked for shows its title first."""

UNREAD = f"""() => [...{MAIN}.querySelectorAll(
  '[data-testid=stIconMaterial], button .stMarkdownColoredText')].flatMap(
  each => each.innerText.trim().split(/\\s+/).filter(Boolean)).length"""
"""Names of icons, and what a button says to screen readers alone."""

GROUND = "e => getComputedStyle(e).backgroundColor"
SIDEWAYS = f"{MAIN}.scrollWidth - {MAIN}.clientWidth"


@pytest.fixture
def demo(page: Page, evident_server) -> Page:
    """The demo's findings, with what is measured after its campaign."""
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(evident_server.address)
    page.get_by_role("button", name="Try the demo").click()
    page.get_by_role("button", name="Run the attacks").click()
    expect(page.get_by_role("heading", name="Findings", exact=True)).to_be_visible()
    expect(page.locator(".st-key-chart_risk_and_use .js-plotly-plot").first).to_be_visible()
    return page


def show(page: Page, name: str) -> None:
    """Go to a page; to that of one attack by its address, as the findings open it."""
    if name == "One attack":
        visit(page, "Findings")
        address, _, session = page.url.partition("?")
        page.goto(f"{address.replace('findings', 'one_attack')}?{session}")
        expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
    elif name == "Start":
        page.get_by_test_id("stSidebar").get_by_role("link", name=name).click()
        expect(page.get_by_role("heading", name="What does your release")).to_be_visible()
    else:
        visit(page, name)
    drawn(page)
    page.evaluate("() => { window.words = null; window.still = 0; }")
    page.wait_for_function(SETTLED, polling=100)


HEADINGS = """e => [...e.querySelectorAll("h1, h2, h3, h4, h5, h6")]
  .filter(each => each.checkVisibility()).map(each => Number(each.tagName[1]))"""


def test_pages_have_few_words_plain_ones_and_those_stand_out(demo: Page):
    too_many, unexplained, titles, faint, gaps = {}, {}, {}, {}, {}
    side = demo.get_by_test_id("stSidebarContent")
    here, other = (side.get_by_role("link", name=name) for name in ("Attack", "Statistics"))
    high, room = side.evaluate("e => [e.scrollHeight, e.clientHeight]")
    assert high <= room, "the sidebar fits"
    told = logging.getLogger(__name__).info  # shown by --log-cli-level=INFO
    for name, most in MOST_WORDS.items():
        show(demo, name)
        text, unread = demo.get_by_test_id("stMain").inner_text(), demo.evaluate(UNREAD)
        words = len(text.split()) - unread
        height = demo.evaluate(f"{MAIN}.scrollHeight")
        told(f"{name}: {words} words, {height} px")
        if words > most:
            too_many[name] = words
        if name not in STATISTICS and (found := JARGON.findall(text)):
            unexplained[name] = found
        if (number := demo.get_by_test_id("stMain").locator("h1").count()) != 1:
            titles[name] = number
        levels = demo.get_by_test_id("stMain").evaluate(HEADINGS)
        if any(level > before + 1 for before, level in pairwise([0, *levels])):
            gaps[name] = levels
        for scheme in ("light", "dark"):
            demo.emulate_media(color_scheme=scheme)
            if found := faint_texts(demo):
                faint[name, scheme] = found
            if name == "Attack":
                assert here.evaluate(GROUND) != other.evaluate(GROUND)
    assert faint == {}
    assert too_many == {}
    assert unexplained == {}
    assert titles == {}
    assert gaps == {}, "headings leave no level out"


def test_in_a_narrow_window_the_sidebar_is_closed_until_it_is_asked_for(page: Page, server):
    page.set_viewport_size({"width": 800, "height": 900})
    page.goto(server.address)
    side = page.get_by_test_id("stSidebar")
    expect(side).to_have_attribute("data-collapsed", "true")
    drawn(page)
    title = page.get_by_role("heading", name="What does your release reveal?").bounding_box()
    opener = page.get_by_test_id("stExpandSidebarButton")
    assert opener.bounding_box()["y"] + opener.bounding_box()["height"] <= title["y"]
    assert page.evaluate(SIDEWAYS) == 0
    opener.click()
    expect(side).to_have_attribute("data-collapsed", "false")
    side.get_by_role("link", name="Statistics").click()
    expect(page.get_by_role("heading", name="Statistics", exact=True)).to_be_visible()
    expect(side).to_have_attribute("data-collapsed", "true")
    page.set_viewport_size({"width": 1440, "height": 900})
    page.reload()
    expect(side).to_have_attribute("data-collapsed", "false")
