"""Running the app without a browser."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from alc_core import swap_columns
from alc_core.dashboard.app.launch import site_directory
from alc_core.dashboard.state.state import AppState

TIMEOUT = 60


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
    def buttons(self) -> dict[str, object]:
        return {button.label: button for button in self.test.button}

    def click(self, label: str) -> None:
        self.buttons[label].click()
        self.run()

    def run(self) -> None:
        self.test.run()
        assert not self.test.exception

    def run_framed(self) -> None:
        """Run the Start page with its sidebar; AppTest runs a page again without app.py."""
        self.test._page_hash = self.test._finished_page_script_hash = ""
        self.run()

    def go_to(self, page: str) -> None:
        self.test.switch_page(f"pages/{page}.py")
        self.run()

    def upload(self, slot: str, *files: tuple[str, bytes]) -> None:
        key = f"upload_{slot}_{self.state.uploads[slot]}"
        (uploader,) = (u for u in self.test.file_uploader if u.key == key)
        given = [(name, data, "text/csv") for name, data in files]
        uploader.set_value(given if slot == "release" else given[0])
        self.run()

    def widget(self, kind: str, name: str):
        return next(w for w in self.test.get(kind) if w.key == name)


def csv(frame) -> bytes:
    return frame.to_csv(index=False).encode()


@pytest.fixture
def app():
    return App()


@pytest.fixture
def loaded(app, people):
    """An app with two uploaded tables."""
    frame = people(800)
    app.upload("original", ("people.csv", csv(frame)))
    app.upload("release", ("release.csv", csv(swap_columns(frame, 0.2, seed=1))))
    return app


@pytest.fixture
def attacking(loaded):
    """An app on the page of a single attack."""
    loaded.go_to("attack")
    assert loaded.title == "Single attack"
    return loaded


@pytest.fixture
def done(attacking):
    """An app on the Findings page after a run."""
    attacking.state.choices.known = ["age", "city"]
    attacking.click("Run the attack")
    assert attacking.state.job.wait(TIMEOUT)
    attacking.run()
    assert attacking.title == "Findings"
    attacking.go_to("findings")  # AppTest would go back to the page that it was sent to
    return attacking
