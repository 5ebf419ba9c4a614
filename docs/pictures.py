"""Make the pictures of these pages from the dashboard on its demo data: python docs/pictures.py.

Needs Playwright, Pillow and Chromium (on the path, or named by ALC_CHROMIUM).
"""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import (
    Browser,
    Locator,
    Page,
    expect,
    sync_playwright,
)

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from tests.browser.steps import ORIGINAL, RELEASE  # noqa: E402
from tests.toys.arx import arx, exported  # noqa: E402

IMAGES = ROOT / "docs" / "images"
COLOURS = 256
SIDEBAR = 264
LONG = 300_000
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-sync",
]


@contextmanager
def dashboard() -> Iterator[str]:
    """Run the dashboard in an empty folder and yield its address."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PYTHONUNBUFFERED": "1",
    }
    command = [
        sys.executable,
        "-m",
        "alc_core",
        "dashboard",
        "--no-browser",
    ]
    with (
        tempfile.TemporaryDirectory() as folder,
        (Path(folder) / "log").open("w+") as log,
    ):
        process = subprocess.Popen(  # noqa: S603
            command, cwd=folder, env=environment, stdout=log, stderr=log
        )
        try:
            yield _address(Path(log.name))
        finally:
            process.terminate()
            process.wait()


def _address(log: Path) -> str:
    """Wait until the dashboard says that it is there."""
    for _ in range(120):
        text = log.read_text(encoding="utf-8")
        if found := re.search(r"http://127\S+", text):
            return found.group()
        time.sleep(0.5)
    raise TimeoutError(text)


def save(name: str, picture: bytes) -> None:
    """Write a PNG with few colours, which text and charts do not need more of."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    small = image.quantize(COLOURS, kmeans=2, dither=Image.Dither.NONE)
    small.save(IMAGES / f"{name}.png", optimize=True)


def shoot(name: str, part: Locator) -> None:
    """Take a picture of a part of a page once it has come to rest."""
    part.scroll_into_view_if_needed()
    part.page.wait_for_timeout(2_500)
    save(name, part.screenshot())


def shoot_top(name: str, page: Page, *, height: int) -> None:
    """Take a picture of the upper part of a page, without the sidebar."""
    page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, 0)")
    page.wait_for_timeout(2_500)
    width = page.viewport_size["width"] if page.viewport_size else 0
    box = {
        "x": SIDEBAR + 60,
        "y": 60,
        "width": width - SIDEBAR - 120,
        "height": height,
    }
    save(name, page.screenshot(clip=box))


def visit(page: Page, name: str) -> None:
    """Open a page of the dashboard."""
    page.get_by_test_id("stSidebar").get_by_role(
        "link", name=name
    ).first.click()
    expect(
        page.get_by_role("heading", name=name, exact=True).first
    ).to_be_visible(timeout=LONG)


def show_part(page: Page, name: str) -> None:
    """Open a part of the Statistics page."""
    visit(page, "Statistics")
    page.get_by_role("radio", name=name).click()


def around(part: Locator, block: str) -> Locator:
    """Return the nearest block of Streamlit's layout around a part."""
    return part.locator(f"xpath=ancestor::div[@data-testid='{block}'][1]")


def run_demo(page: Page) -> None:
    """Attack all three releases of the demo."""
    page.get_by_role("button", name="Try the demo").click(timeout=LONG)
    expect(
        page.get_by_role("button", name="Run the attacks")
    ).to_be_visible(timeout=LONG)
    shoot_top("campaign", page, height=780)
    page.get_by_role("button", name="Run the attacks").click(timeout=LONG)
    chart = page.locator(".st-key-chart_risk_and_use .js-plotly-plot")
    # While the page is drawn anew there may be two for a moment
    expect(chart).to_have_count(1, timeout=LONG)
    expect(chart).to_be_visible(timeout=LONG)


def show_findings(page: Page) -> None:
    """Picture the releases, the decision, and the worst attack."""
    shoot_top("findings", page, height=1_255)
    visit(page, "Decision")
    expect(page.get_by_role("button", name="PDF")).to_be_enabled(
        timeout=LONG
    )
    shoot_top("decision", page, height=522)
    visit(page, "Findings")
    shoot("risk-and-use", page.locator(".st-key-chart_risk_and_use"))
    page.get_by_role("button", name="Worst attack").first.click()
    scale = page.locator(".st-key-chart_attack_loss-scale")
    expect(scale).to_be_visible(timeout=LONG)
    shoot("verdict", around(scale, "stVerticalBlock"))
    page.get_by_text("Evidence").click()
    shoot("numbers", page.locator("[class*=st-key-numbers_attack]").first)
    shoot("curves", page.locator(".st-key-chart_attack_precision-recall"))


def show_others(page: Page) -> None:
    """Picture the trade-offs and the report on one page."""
    show_part(page, "Trade-offs")
    expect(page.get_by_text("Does the verdict depend on")).to_be_visible(
        timeout=LONG
    )
    page.wait_for_timeout(4_000)
    shoot_top("trade-offs", page, height=960)
    visit(page, "Decision")
    with page.expect_download(timeout=LONG) as started:
        page.get_by_role("button", name="HTML", exact=True).last.click(
            timeout=LONG
        )
    report = page.context.browser.new_page(
        viewport={"width": 820, "height": 1_120}
    )
    document = Path(started.value.path()).rename(
        Path(tempfile.mkdtemp()) / "report.html"
    )
    report.goto(document.as_uri())
    report.wait_for_timeout(2_000)
    save("report", report.screenshot())


def show_tools(browser: Browser, address: str) -> None:
    """Picture the files of sdcMicro and ARX on the Data page."""
    project, export = (
        Path(tempfile.mkdtemp()) / name
        for name in ("project.deid", "export.csv")
    )
    project.write_bytes(arx())
    export.write_bytes(exported())
    for name, files in {
        "from-sdcmicro": [ROOT / "tests" / "data" / "r" / "sdcmicro.rds"],
        "from-arx": [project, export],
    }.items():
        page = browser.new_page(viewport={"width": 1280, "height": 1_400})
        page.goto(address)
        page.get_by_role("button", name="Assess my data").click(
            timeout=LONG
        )
        for label, file in zip(
            (ORIGINAL, RELEASE),
            files,
            strict=False,
        ):
            region = page.get_by_role("region", name=label, exact=True)
            region.locator("input[type=file]").set_input_files(
                file, timeout=LONG
            )
            if file is not files[-1]:
                expect(page.get_by_text("60 rows").first).to_be_visible(
                    timeout=LONG
                )
        expect(page.get_by_role("button", name="Continue")).to_be_visible(
            timeout=LONG
        )
        page.wait_for_timeout(2_500)
        page.get_by_text("1 Files").click(timeout=LONG)
        expect(page.get_by_text("roles from").first).to_be_visible(
            timeout=LONG
        )
        shoot_top(name, page, height=560)
        page.close()


def main() -> None:
    """Make all pictures."""
    chromium = os.environ.get("ALC_CHROMIUM") or shutil.which("chromium")
    IMAGES.mkdir(exist_ok=True)
    with dashboard() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=FLAGS
        )
        page = browser.new_page(
            viewport={"width": 1280, "height": 1_400}, accept_downloads=True
        )
        page.set_default_timeout(60_000)
        page.goto(address)
        show_tools(browser, address)
        run_demo(page)
        show_findings(page)
        show_others(page)
        browser.close()


if __name__ == "__main__":
    main()
