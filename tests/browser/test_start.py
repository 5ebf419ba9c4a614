"""From the Start page to a verdict on the demo; saving charts; saving and opening a campaign."""

import base64
import csv
import io
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.steps import drawn, faint_texts, open_campaign, unfold

pytestmark = pytest.mark.browser

MATRIX = ".st-key-chart_findings_matrix .js-plotly-plot"
CHART = ".st-key-chart_attack_attacks .js-plotly-plot"
SVG = "{http://www.w3.org/2000/svg}"

CORNER = """async (data) => {
  const picture = new Image();
  picture.src = "data:image/png;base64," + data;
  await picture.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [picture.width, picture.height];
  const pen = canvas.getContext("2d");
  pen.drawImage(picture, 0, 0);
  const colours = new Set();
  const pixels = pen.getImageData(0, 0, picture.width, picture.height).data;
  for (let i = 0; i < pixels.length; i += 400) {
    colours.add(pixels.slice(i, i + 4).join());
  }
  return [picture.width, [...pixels.slice(0, 4)], colours.size];
}"""
"""Width, colour of the first pixel and number of colours of a PNG."""


def open_start(page: Page, server) -> None:
    page.goto(server.address)
    expect(page.get_by_role("heading", name="What does your release reveal?")).to_be_visible()


def demo_findings(page: Page) -> None:
    page.get_by_role("button", name="Try the demo").click()
    page.get_by_role("button", name="Run the attacks").click()
    expect(page.get_by_role("heading", name="Findings", exact=True)).to_be_visible()
    expect(page.locator(MATRIX).first).to_be_visible()


def save_chart(page: Page, how: str, folder: Path) -> Path:
    """Save the chart of all attacks by the keyboard alone."""
    opener = page.locator(".st-key-save_attack_attacks").get_by_role("button").first
    button = page.get_by_role("button", name=how)
    opener.focus()
    page.keyboard.press("Enter")
    expect(button).to_be_visible()
    button.focus()
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    target = folder / download.value.suggested_filename
    download.value.save_as(target)
    page.keyboard.press("Escape")
    expect(button).to_be_hidden()
    return target


def test_the_demo_leads_to_a_verdict_in_two_clicks_and_back_from_its_file(
    page: Page, server, outside, tmp_path
):
    page.emulate_media(color_scheme="dark")
    open_start(page, server)
    demo_findings(page)
    expect(
        page.get_by_role("heading", name=re.compile(r"\d of 3 releases should not be published"))
    ).to_be_visible()
    page.get_by_role("button", name="Worst attack").first.click()
    expect(page.get_by_role("heading", name="One attack", exact=True)).to_be_visible()
    unfold(page, "Evidence")
    expect(page.locator(CHART).first).to_be_visible()
    expect(page.locator(CHART)).to_have_count(1)
    fonts = "[...document.fonts].filter(f => f.status === 'loaded').map(f => f.family)"
    assert any("IBM Plex Sans" in family for family in page.evaluate(fonts))

    before = page.evaluate(f"document.querySelector('{CHART}').layout.paper_bgcolor || ''")
    picture = save_chart(page, "Picture (PNG)", tmp_path)
    assert picture.name == "attacks.png"
    width, corner, colours = page.evaluate(CORNER, base64.b64encode(picture.read_bytes()).decode())
    shown = page.locator(CHART).first.evaluate("e => e.getBoundingClientRect().width")
    assert width == pytest.approx(2 * shown, abs=4)
    assert corner == [255, 255, 255, 255], "white, also in the dark"
    assert colours > 10
    drawing = save_chart(page, "Picture (SVG)", tmp_path)
    root = ET.parse(drawing).getroot()
    assert root.tag == f"{SVG}svg"
    words = [text for each in root.iter(f"{SVG}text") for text in each.itertext()]
    assert "Loss of each attack" in words
    assert "rgb(230, 237, 240)" not in drawing.read_text("utf-8"), "no words for dark paper"
    data = save_chart(page, "Data (CSV)", tmp_path).read_text("utf-8")
    rows = list(csv.DictReader(io.StringIO(data)))
    assert len(rows) >= 6
    assert all(float(row["ALC (higher is riskier)"]) <= 1 for row in rows)
    now = page.evaluate(f"document.querySelector('{CHART}').layout.paper_bgcolor || ''")
    assert now == before, "the chart in the page stays as it is"

    page.keyboard.press("Escape")
    page.get_by_role("link", name="All attacks").click()
    expect(page.get_by_role("heading", name="Findings", exact=True)).to_be_visible()
    unfold(page, "More")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save review").first.click()
    file = tmp_path / "review.alc"
    download.value.save_as(file)
    page.get_by_role("button", name="Remove all data").click()
    page.get_by_role("button", name="Yes, remove all").click()
    expect(page.get_by_text("All data removed.")).to_be_visible()
    drawn(page)
    side = page.get_by_test_id("stSidebar")
    side.get_by_role("link", name="Start").click()
    expect(page.get_by_role("button", name="Assess my data")).to_be_visible()
    expect(page.get_by_text("All data removed.")).to_be_visible()
    open_campaign(page, file)
    expect(page.get_by_text("All data removed.")).to_have_count(0)
    expect(page.get_by_text("To continue it, or to view records")).to_be_visible()
    expect(page.locator(MATRIX).first).to_be_visible()
    page.reload()
    expect(page.get_by_text("To continue it, or to view records")).to_be_visible()
    assert outside == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_also_before_the_style_of_the_app_is_there(page: Page, server, scheme):
    # The script by which Streamlit draws a style, and that of charts, which take their ink of it
    held: list[Route] = []
    page.route(re.compile(r"/(Html|PlotlyChart)\.[^/]*\.js"), lambda route: held.append(route))
    page.emulate_media(color_scheme=scheme)
    open_start(page, server)
    assert faint_texts(page) == []
    padding = "e => getComputedStyle(e).paddingLeft"
    caption = page.locator(".st-key-steps").get_by_test_id("stCaptionContainer").first
    assert caption.evaluate(padding) == "0px", "the style is held back"
    assert held
    for route in held:
        route.continue_()
    expect(caption).not_to_have_css("padding-left", "0px")
