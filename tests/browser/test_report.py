"""The report in Chromium with the network cut off, on screen and on paper."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route

import alc_core as alc
from alc_core.phrasing import percent
from alc_core.report.html.document import report_html
from alc_core.report.options import ReportDetails, ReportOptions
from alc_core.report.pdf import pdf_of
from alc_core.report.sections import Depth
from tests.toys.campaigns import run_quickly

pytestmark = pytest.mark.browser

NASTY = "</script><script>document.title='run'</script><img src=http://example.org/x>"


@pytest.fixture(scope="module")
def reports(people, tmp_path_factory) -> dict[Depth, str]:
    """Reports about a column, a release and a purpose that would like to be code."""
    frame = people(900).rename(columns={"city": NASTY})
    releases = {f"copy {NASTY}": frame.copy(), "strong": alc.swap_columns(frame, 0.9, seed=1)}
    path = tmp_path_factory.mktemp("campaign") / "review.alc"
    details = ReportDetails(date="2026-01-31", purpose=NASTY)
    with run_quickly(frame, releases, path, unknown=["job", NASTY]) as store:
        view = alc.CampaignView(store)
        return {
            depth: report_html(
                view, ReportOptions(scoring=store.settings.scoring, depth=depth, details=details)
            )
            for depth in Depth
        }


class Watched:
    """A page that can reach nothing, with all that it wanted and complained of."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.wanted: list[str] = []
        self.complaints: list[str] = []
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.route("**/*", self._guard)

    def _guard(self, route: Route) -> None:
        if route.request.url.startswith("file://"):
            route.continue_()
        else:
            self.wanted.append(route.request.url)
            route.abort()

    def undrawn(self) -> int:
        return self.page.locator("[data-chart]:not(:has(.main-svg))").count()

    @property
    def charts(self) -> int:
        return self.page.locator("[data-chart]").count()


@pytest.fixture
def offline(chromium: Browser) -> Iterator[Watched]:
    context = chromium.new_context(
        viewport={"width": 1000, "height": 800}, offline=True, color_scheme="dark"
    )
    context.set_default_timeout(300_000)
    yield Watched(context.new_page())
    context.close()


def opened(offline: Watched, tmp_path: Path, document: str, mark: str = "") -> Page:
    file = tmp_path / "report.html"
    file.write_text(document, encoding="utf-8")
    offline.page.goto(f"{file.as_uri()}{mark}")
    return offline.page


def test_it_opens_offline_draws_every_chart_in_sight_and_runs_no_name(offline, reports, tmp_path):
    page = opened(offline, tmp_path, reports[Depth.FULL])
    assert offline.charts >= 4
    assert offline.undrawn()  # far away: not yet
    for chart in page.locator("[data-chart]").all():
        chart.scroll_into_view_if_needed()
        chart.locator(".main-svg").first.wait_for()
    assert not offline.undrawn()
    assert page.get_by_text("Allow scripts for the charts").is_hidden()
    assert page.title().startswith("Privacy review of ")
    assert NASTY in page.locator("#declared + p + dl").inner_text()
    assert page.locator(".card h3", has_text=NASTY).count()
    assert not page.locator("main img").count()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert (offline.wanted, offline.complaints) == ([], [])


def test_curves_are_what_was_measured(offline, reports, tmp_path):
    page = opened(offline, tmp_path, reports[Depth.FULL])
    chart = page.locator("[data-chart^=attack-]").first
    chart.scroll_into_view_if_needed()
    chart.locator(".main-svg").first.wait_for()
    chosen = chart.evaluate(
        "e => e.data.filter(t => (t.name || '').includes('best point')).map(t => [t.x[0], t.y[0]])"
    )
    told = page.locator(".card figcaption").first.inner_text()
    for recall, precision in chosen:
        drawn = rf"(precision|drawn at) {percent(precision)}[^.]* at recall {percent(recall)}"
        assert re.search(drawn, told)
    assert len(chosen) == 2
    lines = chart.evaluate("e => e.data.filter(t => t.name === 'Attack').map(t => t.x.length)")
    assert lines[0] >= 2


def test_for_paper_all_charts_are_drawn_at_once_in_light_colours(offline, reports, tmp_path):
    page = opened(offline, tmp_path, reports[Depth.FULL], "#print")
    assert not offline.undrawn()
    ink = "document.querySelector('[data-chart]').layout.template.layout.font.color"
    assert page.evaluate(ink) == "#17252e"
    page = opened(offline, tmp_path, reports[Depth.FULL], "?again")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert not offline.undrawn()
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    page.locator("[data-chart]").first.scroll_into_view_if_needed()
    page.locator("[data-chart] .main-svg").first.wait_for()
    assert (offline.wanted, offline.complaints) == ([], [])


def test_without_scripts_every_number_is_there_and_the_missing_charts_are_told(
    chromium, reports, tmp_path
):
    context = chromium.new_context(java_script_enabled=False, offline=True)
    page = context.new_page()
    file = tmp_path / "report.html"
    file.write_text(reports[Depth.FULL], encoding="utf-8")
    page.goto(file.as_uri())
    assert page.get_by_text("Allow scripts for the charts").is_visible()
    assert page.locator("#attacks ~ .wide tbody tr").count() == 4
    context.close()


def test_the_pdf_has_the_pages_of_its_depth(chromium, reports):
    pages = {}
    for depth, document in reports.items():
        pdf = pdf_of(document)
        assert pdf.startswith(b"%PDF-")
        pages[depth] = len(re.findall(rb"/Type\s*/Page\b", pdf))
        assert b"/URI" not in pdf
    assert 3 <= pages[Depth.SHORT] <= 5
    assert pages[Depth.FULL] >= 5
