"""A review whose tables, releases, decisions and notes carry markup that would call elsewhere."""

from pathlib import Path

import pandas as pd

import alc_core as alc
from alc_core.campaign.findings.decisions import Choice, decide
from alc_core.candidates.decision import ReleaseChoice, decide_release
from alc_core.candidates.lines import candidate_lines
from tests.toys.campaigns import run_quickly

ELSEWHERE = "http://127.0.0.1:9"
PICTURE = f"![a]({ELSEWHERE}/md)"
TAG = f"<img src={ELSEWHERE}/tag onerror=alert(1)>"
LINK = f"[b]({ELSEWHERE}/link) www.example.com"
WORDS = ":red[x] $y$ `z` :material/home: # *h* _i_ ~k~"
FILE = "![r](http:&sol;&sol;127.0.0.1:9&sol;leak)"
NAMES = (PICTURE, TAG, LINK, WORDS, FILE)
COLUMNS = {"age": "age", "city": PICTURE, "hours": TAG, "job": WORDS}
VALUES = {"nurse": LINK, "clerk": TAG}


def hostile_tables(people: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return an original and a release with markup in column names and values."""
    frame = people.assign(job=people["job"].replace(VALUES)).rename(columns=COLUMNS)
    return frame, alc.swap_columns(frame, 0.3, seed=1)


def hostile_campaign(people: pd.DataFrame, path: Path) -> None:
    """Write the file of a finished campaign on them, with hostile names and words throughout."""
    frame, release = hostile_tables(people)
    original = alc.table_from_frame(frame, name=f"{TAG}.csv")
    releases = {FILE: release, PICTURE: alc.swap_columns(frame, 0.9, seed=2)}
    with run_quickly(
        original,
        releases,
        path,
        unknown=[WORDS],
        named=[["age", PICTURE], ["age", TAG]],
        targets=150,
        loop=alc.LoopParameters(resamples=100, min_targets=100, folds=3),
    ) as store:
        view, scoring = alc.CampaignView(store), store.settings.scoring
        decide(
            store, 0, Choice.REDUCE, note=f"{PICTURE} {TAG}", standing="serious", alc=0.9,
            scoring=scoring,
        )  # fmt: skip
        for line in candidate_lines(view, scoring, {}):
            decide_release(
                store, line, ReleaseChoice.CONDITIONS, scoring=scoring, reasons=f"{LINK} {TAG}",
                conditions=PICTURE, name=TAG, day="2026-01-31",
            )  # fmt: skip


WILD_NAMES = (
    "x" * 5_000,
    "no such word " * 500,
    "\x1b[31mred\x07\r\x9b2J",
    "two\nlines\u2028and\x85more",
    "a\u202ecod.exe\u2066",
    "'" * 900,
    "\udcff",
    "é👩‍🔬" * 300,
)
"""Names that would fill, move or steer a terminal."""
