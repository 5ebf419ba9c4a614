"""A review from the first page to the report, by clicks alone, as a new user would do it."""

import re
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from alc_core.campaign.file.store import CampaignStore
from alc_core.candidates.decision import ReleaseChoice, release_decisions
from tests.browser.steps import (
    ORIGINAL,
    RELEASE,
    ask_for_everything,
    download,
    drawn,
    enter,
    pick,
    unfold,
    visit,
)
from tests.toys.arx import arx, exported
from tests.toys.files import DATA
from tests.toys.five_candidates import candidates, original

pytestmark = pytest.mark.browser


def click_mark(page: Page, chart: str, trace: str) -> None:
    """Click the first mark of a trace of a figure, once it is drawn and in sight."""
    find = "document.querySelector(`.st-key-chart_${chart} .js-plotly-plot`)"
    page.wait_for_function(
        f"([chart, trace]) => {find}?._fullData?.some(each => each.name === trace)",
        arg=[chart, trace],
    )
    # What is drawn late moves what is below it: wait until the chart stays where it is.
    page.wait_for_function(
        f"""([chart]) => {{
          const plot = {find};
          plot.scrollIntoView({{block: 'center'}});
          const now = plot.getBoundingClientRect().top, still = window.chartAt === now;
          window.chartStill = still ? (window.chartStill || 0) + 1 : 0;
          window.chartAt = now;
          return window.chartStill >= 10 && !document.querySelector('[data-stale=true]');
        }}""",
        arg=[chart],
        polling=100,
    )
    place = page.evaluate(
        f"""([chart, trace]) => {{
          const plot = {find};
          const shown = plot._fullData.find(each => each.name === trace);
          const {{xaxis, yaxis}} = plot._fullLayout, box = plot.getBoundingClientRect();
          return [box.x + xaxis._offset + xaxis.d2p(shown.x[0]),
                  box.y + yaxis._offset + yaxis.d2p(shown.y[0])];
        }}""",
        [chart, trace],
    )
    page.mouse.move(*place)
    page.mouse.click(*place)


def saved(page: Page, name: str, folder: Path) -> Path:
    got = download(page.get_by_role("button", name=name))
    path = folder / got.suggested_filename
    got.save_as(path)
    return path


def test_from_the_start_page_to_the_report(
    page: Page, real_server, outside, tmp_path, chromium: Browser
):
    # Start, data, campaign
    page.goto(real_server.address)
    page.get_by_role("button", name="Try the demo").click()
    expect(page.get_by_role("heading", name="Attack", exact=True)).to_be_visible()
    visit(page, "Data")
    expect(page.get_by_role("heading", name="3 Columns")).to_be_visible()
    page.get_by_role("button", name="Continue", exact=True).click()
    page.get_by_role("button", name="Run the attacks").click()

    # Findings: the releases, with what is measured in the background; an attack by a click
    expect(page.get_by_role("heading", name="Findings", exact=True)).to_be_visible()
    title = page.get_by_role(
        "heading", name=re.compile(r"\d of 3 releases should not be published")
    )
    expect(title).to_be_visible()
    expect(page.locator(".st-key-chart_risk_and_use .js-plotly-plot").first).to_be_visible()
    expect(page.locator(".st-key-chart_findings_matrix .js-plotly-plot").first).to_be_visible()
    page.get_by_role("button", name="Worst attack").first.click()
    expect(page.get_by_role("heading", name="One attack", exact=True)).to_be_visible()
    unfold(page, "Evidence")
    click_mark(page, "attack_attacks", "fair 20% swapped")
    expect(page.get_by_text("From fair 20% swapped.")).to_be_visible()
    expect(page.get_by_text(re.compile(r"^\d of 9$"))).to_be_visible()
    pick(page, "To be reduced")
    expect(page.get_by_text(re.compile("^To be reduced on .*, when it was"))).to_be_visible()
    page.get_by_role("button", name=re.compile("Next$")).click()
    expect(page.get_by_text("None yet.")).to_be_visible()

    # Trade-offs: the answer in words, and a slider
    visit(page, "Trade-offs")
    expect(page.get_by_text("Does the verdict depend on")).to_be_visible()
    drawn(page)
    slider = page.get_by_role("slider", name="alpha")
    slider.press("Home")
    expect(slider).to_have_value("0.5")
    page.get_by_text("Which attacks cross a limit", exact=True).first.click()
    expect(page.get_by_text(re.compile(r"\d from serious to at risk"))).to_be_visible()

    # The same what-if holds on the pages that follow
    visit(page, "Compare")
    expect(page.get_by_text("fair 80% swapped").first).to_be_visible()
    expect(page.get_by_text(re.compile("^What if: alpha 0.5"))).to_be_visible()
    expect(page.get_by_text("What improved, what worsened")).to_be_visible()

    # The report in both formats
    visit(page, "Decision")
    enter(page.get_by_label("Decided by"), "A. <b>Reviewer</b>")
    ask_for_everything(page)
    expect(page.get_by_text("Updating")).to_be_visible()
    expect(page.get_by_test_id("stDownloadButton").filter(has_text="PDF")).to_be_visible()
    html = saved(page, "HTML", tmp_path)
    pdf = saved(page, "PDF", tmp_path)
    assert pdf.read_bytes().startswith(b"%PDF")
    assert html.stat().st_size < 8e6
    assert outside == []

    offline = chromium.new_context(offline=True)
    report, errors = offline.new_page(), []
    report.on("pageerror", lambda error: errors.append(error))
    report.goto(html.as_uri())
    expect(report.get_by_text("A. <b>Reviewer</b>").first).to_be_visible()
    expect(report.get_by_role("heading", name="Decisions about attacks").first).to_be_visible()
    expect(report.get_by_text("To be reduced").first).to_be_visible()
    report.locator(".chart").first.scroll_into_view_if_needed()
    expect(report.locator(".chart .main-svg").first).to_be_visible()
    offline.close()
    assert errors == []


CODEBOOK = "column,value,label\nAGEP,,age\nPINCP,,personal income\nSEX,1,male\nSEX,2,female\n"
MOST_STEPS = 20
REASON = "40% of the people are in it. <b>Leave them out.</b>"


@dataclass
class Person:
    """Somebody at the browser, whose clicks, choices, uploads and entries are counted."""

    page: Page
    steps: int = 0

    def act(self) -> None:
        drawn(self.page)
        self.steps += 1

    def click(self, place: Locator) -> None:
        self.act()
        place.click()

    def upload(self, label: str, *files: Path) -> None:
        self.act()
        region = self.page.get_by_role("region", name=label, exact=True)
        region.locator("input[type=file]").set_input_files(files)


@pytest.mark.parametrize(("tool", "most"), [("sdcMicro", 4), ("ARX", 5)])
def test_files_of_a_tool_lead_to_a_verdict_in_few_clicks(page: Page, server, tmp_path, tool, most):
    project, export = tmp_path / "project.deid", tmp_path / "export.csv"
    project.write_bytes(arx())
    export.write_bytes(exported())
    person = Person(page)
    page.goto(server.address)
    person.click(page.get_by_role("button", name="Assess my data"))
    if tool == "ARX":
        person.upload(ORIGINAL, project)
        expect(page.get_by_text("hierarchies from ARX")).to_be_visible()
        person.upload(RELEASE, export)
    else:
        person.upload(ORIGINAL, DATA / "r" / "sdcmicro.rds")
    person.click(page.get_by_role("button", name="Continue", exact=True))
    person.click(page.get_by_role("button", name="Run the attacks"))
    expect(page.get_by_role("heading", name="Findings", exact=True)).to_be_visible()
    assert person.steps == most


def test_five_candidates_are_decided_and_signed_in_few_steps(page: Page, server, outside, tmp_path):
    began = date.today()
    people = original(800)[["PUMA", "AGEP", "SEX", "MSP", "PINCP"]]
    tables = {"survey": people, **candidates(people)}
    paths = {name: tmp_path / f"{name}.csv" for name in tables}
    for name, frame in tables.items():
        frame.to_csv(paths[name], index=False)
    book = tmp_path / "codebook.csv"
    book.write_text(CODEBOOK)
    person = Person(page)
    page.goto(server.address)
    person.click(page.get_by_role("button", name="Assess my data"))
    person.upload(ORIGINAL, paths.pop("survey"))
    expect(page.get_by_text("800 rows").first).to_be_visible()
    person.upload(RELEASE, *paths.values())
    person.upload("Codebook (optional)", book)
    expect(page.get_by_text("names of 2 columns and the values of 1 column")).to_be_visible()
    person.click(page.get_by_role("button", name="Yes, it is"))
    person.click(page.get_by_role("button", name="Continue", exact=True))
    person.click(page.get_by_role("button", name="Run the attacks"))
    expect(page.get_by_role("heading", name="Findings", exact=True)).to_be_visible()
    person.click(page.get_by_role("link", name="Decide", exact=True))
    expect(page.get_by_role("heading", name="Decision", exact=True)).to_be_visible()
    together = page.get_by_role("button", name=re.compile("Do not publish[: ]"))
    expect(together).to_be_visible()
    person.click(together)
    expect(together).to_have_count(0)
    for place in range(len(paths)):
        # A page that the report's end draws again takes no choice that is made just then.
        expect(page.get_by_text("Updating")).to_have_count(0)
        drawn(page)
        choices = page.locator(f".st-key-release_{place}").get_by_role("radiogroup").first
        if not choices.locator("[aria-checked=true]").count():
            person.click(choices.get_by_role("radio", name=re.compile("Publish with conditions")))
            expect(choices.locator("[aria-checked=true]")).to_have_count(1)
    expect(page.get_by_text("No decision yet")).to_have_count(0)
    person.act()
    enter(page.get_by_label("Decided by"), "The Office")
    person.act()
    assert saved(page, "PDF", tmp_path).read_bytes().startswith(b"%PDF")
    assert person.steps <= MOST_STEPS

    # Conditions and reasons reach the report and the campaign's file
    enter(page.get_by_role("textbox", name="Conditions for A"), "Under contract")
    enter(page.get_by_role("textbox", name="Reasons for B"), REASON)
    expect(page.get_by_text("Updating")).to_be_visible()
    opening = re.compile("^Publish .*A.* under conditions; do not publish")
    expect(page.locator(".st-key-report").get_by_text(opening).first).to_be_visible()
    expect(page.get_by_test_id("stDownloadButton").filter(has_text="PDF")).to_be_visible()
    for words in ("Under contract", REASON, "The Office"):
        expect(page.frame_locator("iframe").get_by_text(words).first).to_be_visible()
    visit(page, "Findings")
    unfold(page, "More")
    with CampaignStore.open(saved(page, "Save review", tmp_path)) as store:
        found = release_decisions(store)
    assert set(found) == set(paths)
    assert (found["A"].choice, found["A"].conditions) == (
        ReleaseChoice.CONDITIONS,
        "Under contract",
    )
    assert (found["B"].choice, found["B"].reasons) == (ReleaseChoice.NOT, REASON)
    assert {made.name for made in found.values()} == {"The Office"}
    days = {began.isoformat(), date.today().isoformat()}  # two at midnight
    assert {made.day for made in found.values()} <= days
    assert outside == []
