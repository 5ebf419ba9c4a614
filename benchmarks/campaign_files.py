"""Small sound campaign files for ``fuzz_campaigns.py``; two calls make the same bytes."""

from __future__ import annotations

import contextlib
import dataclasses
import sqlite3
import tempfile
from pathlib import Path

import alc_core as alc
from alc_core.baselines.families import NaiveBayes
from alc_core.campaign.file.schema import FORMAT_VERSION
from alc_core.campaign.file.seals import seal_all
from alc_core.campaign.findings.decisions import Choice, decide
from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.decision import ReleaseChoice, decide_release
from alc_core.candidates.lines import candidate_lines
from alc_core.releases.registry import read_release
from alc_core.report.options import ReportDetails, keep_details
from alc_core.studies.holdout.result import KEPT_HOLDOUTS
from alc_core.studies.learning.result import KEPT_STUDIES
from alc_core.studies.rapid.result import KEPT_RAPID
from alc_core.studies.relative_threat.result import KEPT_THREATS
from alc_core.studies.risk_numbers.result import (
    KEPT_RISK_NUMBERS,
    RiskSettings,
    measure_risk_numbers,
)
from alc_core.tables.apart.read import as_table
from tests.toys.holdout import made_holdout
from tests.toys.learning import made_study
from tests.toys.rapid import made_rapid
from tests.toys.survey import make_survey
from tests.toys.threat import made_threat

ACCEPTED = ["recoded-integers", "unknown-labels"]
MADE = "2026-01-01T00:00:00+00:00"


def sound_files() -> dict[str, bytes]:
    """Return files by name: a whole review, one of each type of release."""
    frame = make_survey(600, seed=0)[["AGEP", "SEX", "MSP", "EDU"]]
    group = [row // 3 for row in range(len(frame))]
    values = frame[["MSP"]].assign(group=group).value_counts(sort=False).rename("n").reset_index()
    of_kinds = {
        "rows": [frame.sample(frac=1, random_state=1)],
        "groups": [frame[["AGEP", "SEX"]].assign(group=group), values],
        "counts": [frame.value_counts(["SEX", "MSP"]).rename("n").reset_index()],
    }
    found = {"review.alc": _file(frame, _swapped(frame), attacks=6, add=_reviewed)}
    for kind, frames in of_kinds.items():
        tables = [as_table(each, name=f"{kind} {n}.csv") for n, each in enumerate(frames)]
        original = as_table(frame, name="people.csv")
        release = read_release(tables, name=kind, original=original, kind=kind)
        found[f"{kind}.alc"] = _file(frame, {kind: release}, attacks=2)
    return found


def _swapped(frame):
    return {"weak": alc.swap_columns(frame, 0.1, seed=1), "strong": alc.swap_columns(frame, 0.9)}


def _file(frame, releases, *, attacks, add=None):
    plan = alc.plan_campaign(
        frame, releases, unknown=["MSP"], known_sets=0, named=[["AGEP", "SEX"], ["SEX"]],
        attacks=None if add is None else ["best row match", "naive bayes"],
        targets=alc.Targets(count=300),
    )  # fmt: skip
    first, late = plan.attacks[:attacks], plan.attacks[attacks : attacks + 1]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "campaign.alc"
        with alc.run_campaign(
            frame, releases, path, plan=dataclasses.replace(plan, attacks=first), jobs=1, seed=5,
            families=(NaiveBayes(),), loop=alc.LoopParameters(folds=2, resamples=100),
            accept=ACCEPTED,
        ) as store:  # fmt: skip
            if add is not None:
                store.extend(late)
                add(store, frame, releases)
        return _the_same_whenever(path)


def _reviewed(store, frame, releases):
    """Add all that a review may: decisions, notes, kept studies, a failure."""
    store.add_failure(len(store.attacks) - 1, "Too few rows have a value of 'MSP'.", seconds=1)
    scoring = store.settings.scoring
    for number, choice, note in (
        (0, Choice.REDUCE, "Drop “SEX”."), (1, Choice.ACCEPTED, "Known anyway."), (2, None, "Ask."),
    ):  # fmt: skip
        decide(store, number, choice, note=note, standing="serious", alc=0.9, scoring=scoring)
    line = candidate_lines(CampaignView(store), scoring, {})[0]
    decide_release(
        store, line, ReleaseChoice.NOT, scoring=scoring, reasons="It leaks.", name="A. Person"
    )
    keep_details(
        store, ReportDetails(assessor="The Office", purpose="Open data", date="2026-01-31")
    )
    original = store.settings.original.fingerprint
    KEPT_RAPID.keep(store, made_rapid(original=original))
    KEPT_THREATS.keep(store, made_threat("weak", original=original))
    KEPT_HOLDOUTS.keep(store, made_holdout(original=original))
    KEPT_STUDIES.keep(store, made_study(original="people.csv", fingerprint=original))
    table = as_table(frame, name="people.csv")
    weak = read_release([as_table(releases["weak"], name="weak")], name="weak", original=table)
    (numbers,) = measure_risk_numbers(table, weak, RiskSettings(known=("AGEP", "SEX")))
    KEPT_RISK_NUMBERS.keep(store, dataclasses.replace(numbers, fingerprint=original))


def _the_same_whenever(path):
    """Return the file with fixed times and in a fixed order of pages."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE result SET seconds = number")
        connection.execute(f"UPDATE meta SET value = '{MADE}' WHERE key = 'created'")
        connection.execute(
            f"UPDATE annotation SET content = json_set(content, '$.made', '{MADE}') "
            "WHERE content LIKE '{%' AND content ->> '$.made' NOT NULL"
        )
        seal_all(connection)
        fresh = path.with_name("fresh.alc")
        connection.execute("VACUUM INTO ?", (str(fresh),))
    with contextlib.closing(sqlite3.connect(fresh)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version != FORMAT_VERSION:
            raise ValueError(version)
    return fresh.read_bytes()
