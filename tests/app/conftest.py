"""Running the app without a browser."""

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import ClassVar, Self

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.testing.v1 import AppTest

from alc_core import LoopParameters, Targets, plan_campaign, run_campaign, swap_columns
from alc_core.baselines.families import NaiveBayes
from alc_core.campaign.file.database import saved_campaign
from alc_core.campaign.file.store import CampaignStore
from alc_core.campaign.findings.view import CampaignView
from alc_core.dashboard.app.launch import site_directory
from alc_core.dashboard.decision import report as decision_report
from alc_core.dashboard.parts.header import Focus
from alc_core.dashboard.state import session
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.campaign_state import CampaignFolder, CampaignResult
from alc_core.dashboard.state.session import PART
from alc_core.dashboard.statistics.page import Part
from alc_core.dashboard.work import campaign_runs, evidence
from alc_core.dashboard.work.study_results import OneStudy, StudyChoices
from alc_core.dashboard.work.uploads import NO_OPTIONS, read_into
from alc_core.studies.holdout import data as holdout_data
from alc_core.studies.registry import with_parts
from alc_core.studies.utility import measuring
from tests.conftest import baselines_of_room, reading_of_room
from tests.toys.campaigns import run_quickly

_baselines, _reading = baselines_of_room(), reading_of_room()

TIMEOUT = 300
"""Seconds, for a machine that has other work: what is waited for ends it, not the clock."""

NASTY = "<b>city</b> **x** $y$"
"""A name of a column that would be markup."""

SESSION = "test session id"
"""How AppTest calls its session."""

LOOP = LoopParameters(resamples=100, min_targets=300, folds=3)


class App:
    """An app under test, spoken to by labels.

    It has a session's state at once, and draws a page when one is asked for: Data, where nothing
    else is said.
    """

    pages: ClassVar[dict[str, object]] = {}
    """As app.py names them, which is run for that once."""

    def __init__(self) -> None:
        self._test = AppTest.from_file(str(site_directory() / "app.py"), default_timeout=TIMEOUT)
        self._begun = False
        if not App.pages:
            App.pages.update(self._test.run()._registered_pages)
        self._test._registered_pages = dict(App.pages)
        state = AppState()
        token = session.REGISTRY.add(state, session=SESSION, browser=None)
        self._test.session_state[session._KEY] = state
        self._test.session_state[session._TOKEN] = token

    @property
    def test(self) -> AppTest:
        if not self._begun:
            self.go_to("data")
        return self._test

    @property
    def state(self) -> AppState:
        return self._test.session_state[session._KEY]

    @property
    def title(self) -> str:
        (title,) = self.test.title
        return title.value

    @property
    def texts(self) -> str:
        """All running text and messages of the page, without the escapes."""
        kinds = (
            "markdown",
            "caption",
            "error",
            "warning",
            "info",
            "success",
            "header",
            "subheader",
        )
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
    def links(self) -> list[str]:
        return [link.proto.label for link in self.test.get("page_link")]

    @property
    def popovers(self) -> list[str]:
        return [block.proto.popover.label for block in self.test.get("popover")]

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
        self._begun = True
        self.test._page_hash = self.test._finished_page_script_hash = ""
        self.run()

    def go_to(self, page: str) -> None:
        """Draw a page, or a part of the Statistics page or a study, by its address."""
        self._begun = True
        self.test.query_params.pop(PART, None)
        if page in list(Part) or page in {each.name for each in with_parts()}:
            self.test.query_params[PART] = page
            page = "statistics"
        self.test.switch_page(f"pages/{page}.py")
        self.run()
        self.test._page_hash = ""  # from here on where the app itself leads

    def open_study(self, name: str) -> OneStudy:
        """Go to a study; return what is chosen and found there."""
        self.go_to(name)
        return self.state.screen(StudyChoices).studies[name]

    def run_study(self, name: str, label: str) -> None:
        """Click the button that runs a study, and wait for its end."""
        self.click(label)
        self.finish_task(name)
        self.run()

    @property
    def focus(self) -> Focus:
        """What the review looks at."""
        return self.state.screen(Focus)

    def take(self, store: CampaignStore, page: str, inputs: object = None) -> Self:
        """Let a campaign's file be the session's, and draw a page on it."""
        folder = SimpleNamespace(path=store.path, discard=lambda: None)
        self.state.campaign = CampaignResult(
            view=CampaignView(store, approximate=True), inputs=inputs, folder=folder
        )
        self.go_to(page)
        return self

    def table(self, column: str):
        """The first table that has a column."""
        return next(t.value for t in self.test.dataframe if column in t.value.columns)

    def open_attack(self, number: int) -> None:
        """Open an attack as a click on its mark, cell or row does."""
        self.focus.open(number)
        self.run()
        assert self.title == "One attack"

    @property
    def helps(self) -> str:
        """What the help icons of the running text say, without the escapes."""
        found = [each.proto.help for each in (*self.test.markdown, *self.test.caption)]
        return "\n".join(found).replace("\\", "").replace("\u2060", "")

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
        if self._begun:
            self.run()

    def upload(self, slot: str, *files: tuple[str, bytes]) -> None:
        key = f"upload_{slot}_{self.state.uploads[slot]}"
        (uploader,) = (u for u in self.test.file_uploader if u.key == key)
        given = [(name, data, "text/csv") for name, data in files]
        uploader.set_value(given[0] if slot == "holdout" else given)
        self.run()

    def upload_later(self, key: str, name: str, data: bytes) -> None:
        """Let a file come to an upload that the browser still shows while the page runs."""
        widget, context = self.widget("file_uploader", key).proto.id, get_script_run_ctx()
        late = UploadedFileRec(name, name, "text/csv", data)
        context.uploaded_file_mgr.add_file(context.session_id, late)
        states = WidgetStates()
        value = states.widgets.add(id=widget).file_uploader_state_value
        value.uploaded_file_info.add(file_id=name, name=name, size=len(data))
        context.script_requests.request_rerun(
            RerunData(widget_states=states, page_script_hash=context.page_script_hash)
        )

    def widget(self, kind: str, name: str):
        return next(w for w in self.test.get(kind) if w.key == name)

    def choose(self, kind: str, name: str, value: object) -> None:
        """Set a widget and run the page."""
        self.widget(kind, name).set_value(value)
        self.run()


SAME = SimpleNamespace(differences=lambda other: (), data=None)
"""Inputs of a campaign that are as they were."""


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


@pytest.fixture(autouse=True)
def _few_trees(monkeypatch):
    """Measure utility and holdouts with small models, here: unit/studies tests the usual ones."""
    monkeypatch.setattr(measuring, "TREES", 10)
    monkeypatch.setattr(measuring, "available_threads", lambda: 1)
    monkeypatch.setattr(holdout_data, "_TREES", 10)


@pytest.fixture(autouse=True)
def _no_evidence(monkeypatch):
    """Measure nothing in the background: test_evidence.py does that."""
    monkeypatch.setattr(evidence, "gather_evidence", lambda state: None)


@pytest.fixture(autouse=True)
def _no_report(monkeypatch):
    """Make no report in the background: test_report_page.py does that."""
    monkeypatch.setattr(decision_report, "ask", lambda *given: None)


@pytest.fixture(scope="session")
def manifests():
    """What the installed packages say of Streamlit's components."""
    return manifest_scanner.scan_component_manifests()


@pytest.fixture(autouse=True)
def _scanned_once(monkeypatch, manifests):
    """AppTest would look through all installed packages at each run: a quarter of its time."""
    monkeypatch.setattr(manifest_scanner, "scan_component_manifests", lambda: manifests)


@pytest.fixture
def app():
    return App()


@pytest.fixture(scope="session", name="uploads")
def two_files(people):
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


@pytest.fixture(scope="session")
def review_file(people, tmp_path_factory, quick_run):
    """The file of a finished campaign on three releases, the one that nobody may publish first."""
    frame = people(2500)
    releases = {
        "copy": frame.copy(),
        "weak": swap_columns(frame, 0.95, seed=2),
        "strong": swap_columns(frame, 1.0, seed=1),
    }
    plan = plan_campaign(
        frame, releases, unknown=["job", "city"], known_sets=0, named=[["age", "hours"]],
        all_others=False, targets=Targets(count=2000),
    )  # fmt: skip
    path = tmp_path_factory.mktemp("review") / "campaign.alc"
    quick_run(frame, releases, path, plan=plan).close()
    return path


@pytest.fixture(scope="session")
def mixed_file(people, tmp_path_factory):
    """The file of a finished campaign: two releases, one of them the original, and a name."""
    frame = people(900).rename(columns={"city": NASTY})
    releases = {"copy": frame.copy(), "strong": swap_columns(frame, 0.9, seed=1)}
    path = tmp_path_factory.mktemp("mixed") / "campaign.alc"
    run_quickly(frame, releases, path, unknown=["job", NASTY]).close()
    return path


@pytest.fixture(scope="session")
def small_file(people, tmp_path_factory, quick_run):
    """The file of a campaign of one finished attack."""
    frame, path = people(800), tmp_path_factory.mktemp("small") / "campaign.alc"
    release = {"release": swap_columns(frame, 0.2, seed=1)}
    plan = plan_campaign(
        frame, release, unknown=["job"], named=[["age", "city"]], known_sets=0, all_others=False
    )
    quick_run(frame, release, path, plan=plan).close()
    return path


@pytest.fixture
def mixed(mixed_file, tmp_path):
    """A copy of that file, opened, with two attacks more that have not run."""
    path = tmp_path / "mixed.alc"
    path.write_bytes(saved_campaign(mixed_file))
    with CampaignStore.open(path) as store:
        one = store.attacks[0]
        hours = dataclasses.replace(one.scenario, unknown="hours", known=("age",))
        store.extend(
            [dataclasses.replace(one, release=name, scenario=hours) for name in ("copy", "strong")]
        )
        yield store


@contextmanager
def opened(app, file) -> Iterator[None]:
    """Open a copy of a campaign's file in an app's session."""
    folder = CampaignFolder()
    folder.path.write_bytes(saved_campaign(file))
    with CampaignStore.open(folder.path) as store:
        app.state.campaign = CampaignResult(
            view=CampaignView(store, approximate=True), folder=folder, name="review.alc"
        )
        yield
    folder.discard()


@pytest.fixture
def review(app, review_file):
    """An app with that campaign, opened from its file."""
    with opened(app, review_file):
        yield app
