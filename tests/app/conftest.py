"""Running the app without a browser."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from alc_core import LoopParameters, run_campaign, swap_columns
from alc_core.baselines.families import NaiveBayes
from alc_core.dashboard.app.launch import site_directory
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.work import campaign_runs
from alc_core.dashboard.work.uploads import NO_OPTIONS, read_into

TIMEOUT = 300
"""Seconds, for a machine that has other work: what is waited for ends it, not the clock."""

LOOP = LoopParameters(resamples=100, min_targets=300, folds=3)


class App:
    """An app under test, spoken to by labels."""

    def __init__(self) -> None:
        self.test = AppTest.from_file(str(site_directory() / "app.py"), default_timeout=TIMEOUT)
        self.test.run()
        self.go_to("data")
        self.test._page_hash = ""  # from here on where the app itself leads

    @property
    def state(self) -> AppState:
        return self.test.session_state["alc_state"]

    @property
    def title(self) -> str:
        (title,) = self.test.title
        return title.value

    @property
    def texts(self) -> str:
        """All running text and messages of the page, without the escapes."""
        kinds = ("markdown", "caption", "error", "warning", "info", "success", "subheader")
        found = [element.value for kind in kinds for element in self.test.get(kind)]
        return "\n".join(found).replace("\\", "").replace("\u2060", "")

    @property
    def html(self) -> str:
        """All that is drawn as HTML: chips and tiles."""
        return "\n".join(element.value for element in self.test.get("html"))

    @property
    def charts(self) -> list[str]:
        """What the charts show, in words."""
        return [chart.proto.alt for chart in self.test.get("plotly_chart")]

    @property
    def downloads(self) -> list[str]:
        return [button.label for button in self.test.get("download_button")]

    @property
    def buttons(self) -> dict[str, object]:
        return {button.label: button for button in self.test.button}

    def click(self, label: str) -> None:
        self.buttons[label].click()
        self.run()

    def run(self) -> None:
        self.test.run()
        assert not self.test.exception

    def finish_task(self, task: str) -> None:
        """Wait for work in the background, unless the page has taken its result already."""
        if task in self.state.tasks:
            assert self.state.tasks[task].job.wait(300)
            self.run()

    def run_framed(self) -> None:
        """Run the Start page with its sidebar; AppTest runs a page again without app.py."""
        self.test._page_hash = self.test._finished_page_script_hash = ""
        self.run()

    def go_to(self, page: str) -> None:
        self.test.switch_page(f"pages/{page}.py")
        self.run()

    def finish(self) -> None:
        """Wait for the end of the running campaign and draw the page that follows."""
        run = self.state.campaign_run
        if run is not None:  # else it has ended already, and the page is drawn
            assert run.job.wait(TIMEOUT)
            self.run()

    def load(self, original: tuple[str, bytes], *releases: tuple[str, bytes]) -> None:
        """Put tables into the session without the page that uploads them."""
        for slot, (name, data) in (("original", original), *(("release", r) for r in releases)):
            assert read_into(self.state, slot, name, data, NO_OPTIONS)
        self.run()

    def upload(self, slot: str, *files: tuple[str, bytes]) -> None:
        key = f"upload_{slot}_{self.state.uploads[slot]}"
        (uploader,) = (u for u in self.test.file_uploader if u.key == key)
        given = [(name, data, "text/csv") for name, data in files]
        uploader.set_value(given if slot == "release" else given[0])
        self.run()

    def widget(self, kind: str, name: str):
        return next(w for w in self.test.get(kind) if w.key == name)

    def choose(self, kind: str, name: str, value: object) -> None:
        """Set a widget and run the page."""
        self.widget(kind, name).set_value(value)
        self.run()


def csv(frame) -> bytes:
    return frame.to_csv(index=False).encode()


class QuickRun:
    """Runs campaigns in this process, with a cheap baseline and few targets."""

    families = (NaiveBayes(),)

    def __call__(self, *args, jobs=None, **kwargs):
        return run_campaign(*args, loop=LOOP, families=self.families, jobs=1, **kwargs)


@pytest.fixture(scope="session")
def quick_run():
    return QuickRun()


@pytest.fixture(autouse=True)
def _quick(monkeypatch, quick_run):
    monkeypatch.setattr(campaign_runs, "run_campaign", quick_run)


@pytest.fixture
def app():
    return App()


@pytest.fixture(scope="session")
def uploads(people):
    """An original and a release as uploaded files."""
    frame = people(800)
    return (
        ("people.csv", csv(frame)),
        ("release.csv", csv(swap_columns(frame, 0.2, seed=1))),
    )


@pytest.fixture
def loaded(app, uploads):
    """An app with two tables."""
    app.load(*uploads)
    return app
