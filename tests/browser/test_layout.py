"""What must stay in sight: narrow windows, long names, scrolling, the keyboard."""

import pytest
from playwright.sync_api import Page, expect

import alc_core as alc
from tests.browser.steps import ORIGINAL, drawn, open_campaign, open_page, upload, visit
from tests.toys.campaigns import run_quickly

pytestmark = pytest.mark.browser

NARROW, WIDE = {"width": 800, "height": 900}, {"width": 1440, "height": 900}
LONG = "a_column_whose_name_a_machine_has_made"
TOUCHING = """() => {
  const chart = document.querySelector("[class*=st-key-chart_]:has(.annotation) .js-plotly-plot");
  const edge = chart.getBoundingClientRect();
  const boxes = [...chart.querySelectorAll(".annotation text")].map(e => e.getBoundingClientRect());
  const cut = boxes.filter(e => e.left < edge.left || e.right > edge.right || e.top < edge.top);
  const both = boxes.flatMap((a, at) => boxes.slice(at + 1).filter(
    b => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom));
  return [boxes.length, cut.length, both.length];
}"""
"""Heads of the matrix: how many there are, are cut, and overlap."""
PAST = """region => [...region.querySelectorAll("th, td")].filter(each =>
  each.getBoundingClientRect().right > region.getBoundingClientRect().right + 1).length"""
"""Cells of the table of columns beyond its right edge."""


@pytest.fixture(scope="module")
def review(people, tmp_path_factory):
    """A review of four releases with names as tools write them."""
    frame, folder = people(400), tmp_path_factory.mktemp("layout")
    names = ("synthetic_cart_depth_12_seed_1", "adult_swapped_80_percent", "microaggregated", "x")
    releases = {
        name: alc.swap_columns(frame, 0.2 * place, seed=1) for place, name in enumerate(names)
    }
    run_quickly(frame, releases, folder / "review.alc", unknown=["job"]).close()
    return folder / "review.alc"


@pytest.mark.parametrize("size", [NARROW, WIDE])
def test_heads_of_the_matrix_neither_touch_nor_are_cut(page: Page, server, review, size):
    page.set_viewport_size(size)
    page.goto(server.address)
    open_campaign(page, review)
    expect(page.locator(".annotation").first).to_be_attached()
    drawn(page)
    page.wait_for_function(f"() => ({TOUCHING})()[0] >= 4")
    assert page.evaluate(TOUCHING)[1:] == [0, 0]


def test_the_report_stays_in_sight_beside_the_releases(page: Page, server, review):
    page.set_viewport_size(WIDE)
    page.goto(server.address)
    open_campaign(page, review)
    visit(page, "Decision")
    expect(page.get_by_test_id("stDownloadButton").filter(has_text="HTML")).to_be_visible()
    for label in ("More",) * 4:
        page.get_by_role("button", name=label).first.click()
        drawn(page)
    main = page.get_by_test_id("stMain")
    assert main.evaluate("e => e.scrollHeight > 1.5 * e.clientHeight"), (
        "there is something to scroll"
    )
    main.evaluate("e => e.scrollTo(0, (e.scrollHeight - e.clientHeight) / 2)")
    expect(page.get_by_role("heading", name="Report", exact=True)).to_be_in_viewport()


def test_role_and_reason_stay_in_sight_in_a_narrow_window(page: Page, server, people, tmp_path):
    page.set_viewport_size(NARROW)
    people(300).rename(columns={"job": LONG, "city": f"{LONG}_2"}).to_csv(
        tmp_path / "original.csv", index=False
    )
    page.set_viewport_size(WIDE)  # where the sidebar is open
    open_page(page, server)
    page.set_viewport_size(NARROW)
    upload(page, ORIGINAL, tmp_path / "original.csv")
    expect(page.get_by_label(f"Role of {LONG}", exact=True)).to_be_visible()
    drawn(page)
    assert page.get_by_role("region", name="Columns of the original").evaluate(PAST) == 0


def test_what_has_the_focus_in_the_sidebar_is_ringed(page: Page, server):
    page.goto(server.address)
    drawn(page)
    side = page.get_by_test_id("stSidebar")
    first = side.get_by_role("link", name="Start")
    first.focus()
    seen = set()
    for _ in range(7):
        page.keyboard.press("Tab")
        style, width = page.evaluate(
            "() => { const s = getComputedStyle(document.activeElement);"
            " return [s.outlineStyle, parseFloat(s.outlineWidth)]; }"
        )
        if side.locator(":focus").count():
            seen.add(page.evaluate("document.activeElement.innerText.trim()"))
            assert (style, width >= 2) == ("solid", True), seen
    assert len(seen) >= 4
