"""Attack by release: why a cell has no result, and what a filter leaves."""

from dataclasses import replace

import numpy as np
import pytest

import alc_core as alc
from alc_core.compare.comparison import NO_RESULT, NOT_PLANNED
from alc_core.compare.layout import compare_releases, find_gaps, only_attacks
from alc_core.figures.comparison import loss_matrix
from tests.toys.campaigns import run_quickly

SCORING = alc.ScoringParameters()


@pytest.fixture(scope="module")
def view(people, tmp_path_factory):
    """A column that one release lacks, an attack that fails, and one that was not run."""
    frame = people(400)
    releases = {"whole": frame.copy(), "short": frame.drop(columns="city")}
    path = tmp_path_factory.mktemp("gaps") / "campaign.alc"
    with run_quickly(frame, releases, path, unknown=["job", "city"], targets=100) as store:
        yield alc.CampaignView(store)


def test_a_cell_says_that_the_column_is_not_there(view):
    comparison = compare_releases(view, SCORING)
    row, place = comparison.unknown.index("city"), comparison.place("short")
    (cell,) = find_gaps(view, comparison).items()
    assert cell[0] == (row, place)
    assert cell[1].mark == "\u2013"
    assert cell[1].reason == ("Not planned: this release does not have city, or it was not chosen.")
    figure = loss_matrix(comparison, gaps=find_gaps(view, comparison))
    assert [trace.name for trace in figure.data] == ["Standing", "Without a result", "Attacks"]
    marks = figure.data[1]
    assert (list(marks.x), list(marks.y), list(marks.text)) == ([place], [row], ["\u2013"])
    assert "does not have city" in marks.hovertext[0]
    assert marks.customdata is None, "it opens nothing"


def test_a_cell_says_that_the_attack_failed_or_has_not_run(view, monkeypatch):
    comparison = compare_releases(view, SCORING)
    failing, waiting = 900, 901
    number, standing = comparison.number.copy(), comparison.standing.copy()
    number[0], standing[0] = [failing, waiting], NO_RESULT
    changed = replace(comparison, number=number, standing=standing)
    monkeypatch.setattr(type(view), "failures", {failing: "It has no <b>rows</b>."})
    gaps = find_gaps(view, changed)
    assert (gaps[0, 0].mark, gaps[0, 0].reason) == ("failed", "Failed: It has no <b>rows</b>.")
    assert (gaps[0, 1].mark, gaps[0, 1].reason) == (
        "not run", "Not run yet, or the run was stopped before.",
    )  # fmt: skip
    assert "<b>rows" not in loss_matrix(changed, gaps=gaps).to_json().replace("\\u003c", "<")


def test_a_cell_says_that_another_attack_runs_on_the_release(view):
    comparison = compare_releases(view, SCORING)
    number = comparison.number.copy()
    number[0, 1], standing = NOT_PLANNED, comparison.standing.copy()
    standing[0, 1] = NO_RESULT
    changed = replace(
        comparison, number=number, standing=standing, attack=("model",) * len(comparison)
    )
    assert find_gaps(view, changed)[0, 1].reason == (
        "Not planned: model is not run on this release."
    )


def test_a_filter_leaves_rows_and_releases_with_an_attack_that_it_lets_through(view):
    comparison = compare_releases(view, SCORING)
    job = comparison.unknown.index("job")
    kept = int(comparison.number[job, comparison.place("short")])
    part = only_attacks(comparison, [kept])
    assert (part.unknown, part.releases) == (("job",), ("short",))
    assert part.number.tolist() == [[kept]]
    assert part.alc.tolist() == [[comparison.alc[job, comparison.place("short")]]]
    both = [int(comparison.number[1 - job, comparison.place("whole")]), kept]
    part = only_attacks(comparison, both)
    assert len(part) == 2
    assert part.releases == comparison.releases
    assert (part.standing != NO_RESULT).sum() == 2
    (left_out,) = [g for g in find_gaps(view, part).values() if g.reason.startswith("Left out")]
    assert left_out.mark == ""
    assert len(only_attacks(comparison, [])) == 0
    assert np.isnan(part.alc).sum() == 2
