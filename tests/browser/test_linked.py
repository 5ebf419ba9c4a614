"""A workbook of two sheets: from files to planned attacks by clicks."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import ORIGINAL, RELEASE, open_page, upload

pytestmark = pytest.mark.browser

N = 200


@pytest.fixture
def books(tmp_path: Path) -> tuple[Path, Path]:
    """People and their visits, and both as published with fresh pseudonyms."""
    rng = np.random.default_rng(4)
    owner = np.repeat(np.arange(N), rng.integers(1, 4, N))
    people = pd.DataFrame({"id": np.arange(N), "age": rng.integers(20, 80, N)})
    visits = pd.DataFrame({"id": owner, "disease": rng.choice(list("abcd"), len(owner))})
    files = tmp_path / "people.xlsx", tmp_path / "public.xlsx"
    names = rng.permutation(N) + 7_000
    for file in files:
        with pd.ExcelWriter(file) as book:
            for name, table in (("people", people), ("visits", visits)):
                if file is files[1]:
                    table = table.assign(pid=names[table["id"]]).drop(columns="id")
                table.to_excel(book, sheet_name=name, index=False)
    return files


def test_a_workbook_of_two_sheets_goes_from_files_to_planned_attacks(page: Page, server, books):
    open_page(page, server)
    upload(page, ORIGINAL, books[0])
    upload(page, RELEASE, books[1])
    main = page.get_by_test_id("stMain")
    expect(main.get_by_text("by pid")).to_be_visible()
    page.get_by_role("button", name="Continue", exact=True).click()
    expect(page.get_by_text(re.compile(r"attacks on \d+ unknown column"))).to_be_visible()
    expect(main.get_by_text("joined by 'pid'").first).to_be_visible()
    expect(page.get_by_role("button", name="Run the attacks")).to_be_enabled()
