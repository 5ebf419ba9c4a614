"""The campaign that examples in docstrings open: ``review.alc`` in their working directory."""

from pathlib import Path

import pytest

import alc_core as alc
from alc_core.baselines.families import NaiveBayes
from alc_core.runtime import plugins


@pytest.fixture(scope="session")
def _campaign(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Run a small campaign on the demo."""
    demo, path = alc.load_demo("fair"), tmp_path_factory.mktemp("campaign") / "review.alc"
    releases = {"strong": demo.releases["80% swapped"]}
    plan = alc.plan_campaign(
        demo.original, releases, unknown=["religious"], named=[["age", "educ"]], known_sets=0,
        all_others=False, attacks=["best row match"], targets=alc.Targets(count=200),
    )  # fmt: skip
    alc.run_campaign(
        demo.original, releases, path, plan=plan, families=[NaiveBayes()], jobs=1
    ).close()
    return path.read_bytes()


@pytest.fixture(autouse=True)
def _review(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run an example in a directory of its own, with the campaign's file if it names it.

    The plug-ins that it loads are not those of the tests that follow.
    """
    if (example := getattr(request.node, "dtest", None)) is None:
        return
    monkeypatch.setattr(plugins, "_loaded", dict(plugins._loaded))
    monkeypatch.chdir(request.getfixturevalue("tmp_path"))
    if "review.alc" in example.docstring:
        Path("review.alc").write_bytes(request.getfixturevalue("_campaign"))
