"""The Methods page: read beside app.py, in a checkout and in a wheel, without dead links."""

import re

import pytest

from alc_core.dashboard import methods
from alc_core.dashboard.app import launch
from alc_core.glossary import GLOSSARY
from alc_core.studies.registry import with_parts


def test_links_lead_to_places_on_the_page_or_to_the_web():
    targets = re.findall(r"\]\(([^)]*)\)", methods.methods_text())
    assert {each.split(":")[0][:1] for each in targets} == {"#", "h"}
    assert "[Measured](" not in methods.methods_text()
    assert "Measured coverage." in methods.methods_text()


def test_a_wheels_page_is_found_beside_its_app(tmp_path, monkeypatch):
    site = tmp_path / "dashboard" / "site"
    (site / "docs").mkdir(parents=True)
    (site / "pages").mkdir()
    (site / "app.py").touch()
    (site / "docs" / "methods.md").write_text(
        "# Methods\n![A chart](images/a.png) of [rows](releases.md#rows), [terms](#terms).\n"
    )
    monkeypatch.setattr(launch, "__file__", str(tmp_path / "dashboard" / "app" / "launch.py"))
    assert methods.methods_text() == "A chart of rows, [terms](#terms).\n"


HEADINGS = re.findall(r"^#+ (.+)$", methods.methods_text(), re.MULTILINE)


def test_every_term_and_every_study_has_a_section():
    sections = {term.section for term in GLOSSARY.values()}
    assert sections | {study.methods for study in with_parts() if study.methods} <= {*HEADINGS}


@pytest.mark.parametrize("heading", HEADINGS)
def test_streamlit_and_hosts_of_repositories_make_the_same_anchor(heading):
    """Streamlit parts words at a change of case, and hashes what is beyond ASCII."""
    assert heading.isascii()
    assert not re.search("[a-z][A-Z]", heading)
