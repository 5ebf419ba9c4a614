"""Columns that are known to determine each other."""

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.campaign.findings.view import CampaignView
from alc_core.releases.registry import as_table
from alc_core.scenario.relations import RelationCode, find_relations, relation_among
from tests.toys.campaigns import run_quickly


@pytest.fixture(scope="module")
def original():
    rng = np.random.default_rng(0)
    n = 3000
    education, noise = rng.integers(0, 8, n), rng.random(n)
    a, b, number = rng.integers(0, 4, n), rng.integers(0, 4, n), rng.normal(size=n)
    return pd.DataFrame(
        {
            "education": education, "level": education // 2,
            "noisy": np.where(noise < 0.97, education // 2, rng.integers(0, 4, n)),
            "loose": np.where(noise < 0.8, education // 2, rng.integers(0, 4, n)),
            "a": a, "b": b, "sum": (a + b) % 4, "number": number,
            "band": np.digitize(number, [-1, 0, 1]), "rare": rng.random(n) < 0.02,
            "own": np.arange(n),
        }
    ).astype({"education": str, "a": str, "b": str, "own": str})  # fmt: skip


def relations(original, unknown, *known):
    known = known or tuple(c for c in original.columns if c != unknown)
    scenario = alc.Scenario(known, unknown)
    return find_relations(as_table(original, name="o"), [scenario])[unknown]


def test_a_function_of_a_column_is_found_exact_or_nearly(original):
    exact = relations(original, "level", "education", "a")
    assert [(e.code, e.columns, e.share) for e in exact] == [("two-way", ("education",), 1.0)]
    (noisy,) = relations(original, "noisy", "education", "a")
    assert noisy.columns == ("education",)
    assert noisy.share == pytest.approx(0.97 + 0.03 / 4, abs=0.01)


def test_what_is_no_function_is_none(original):
    assert relations(original, "a", "education", "b", "number", "own") == ()
    assert relations(original, "loose", "education", "a") == ()
    # Another direction: four levels do not tell eight kinds of education.
    assert relations(original, "education", "level") == ()


def test_a_column_in_which_everybody_differs_determines_nothing(original):
    assert relations(original, "level", "own") == ()


def test_two_columns_can_do_what_neither_can(original):
    assert relations(original, "sum", "a") == relations(original, "sum", "b") == ()
    (both,) = relations(original, "sum", "education", "a", "b")
    assert (both.columns, both.share) == (("a", "b"), 1.0)


def test_numbers_determine_by_hundredths(original):
    (found,) = relations(original, "band", "number", "education")
    assert found.columns == ("number",)
    assert found.share > 0.98


def test_a_value_that_nearly_all_have_needs_no_column(original):
    (found,) = relations(original, "rare")
    assert (found.code, found.columns) == (RelationCode.ONE_WAY, ())
    assert found.share == pytest.approx(0.98, abs=0.01)


def test_the_simplest_relation_that_is_known_counts(original):
    found = relations(original, "level")
    assert relation_among(found, ["a", "education", "noisy"]).columns == ("education",)
    assert relation_among(found, ["noisy", "a"]).columns == ("noisy",)
    assert relation_among(found, ["a", "b"]) is None


def test_a_campaign_says_it_beside_the_finding(original, tmp_path):
    frame = original[["education", "level", "a", "noisy"]]
    release = alc.swap_columns(frame, 0.2, seed=1)
    named = [["education", "a"], ["a", "noisy"]]
    with run_quickly(
        frame, {"r": release}, tmp_path / "c.alc", unknown=["level", "a"], named=named
    ) as store:
        view = CampaignView(store)
        found = view.frame(view.settings.scoring)
        columns = ["unknown", "known", "relation", "relation_columns"]
        told = {tuple(row[:2]): row[2:] for row in found[columns].fillna("").to_numpy().tolist()}
        assert told["level", "education, a"] == ["two-way", "education"]
        assert told["level", "a, noisy"] == ["two-way", "noisy"]
        assert all(row == ["", ""] for (unknown, _), row in told.items() if unknown == "a")
        assert found["relation_share"].max() == 1
