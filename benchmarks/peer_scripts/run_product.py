"""The product's part of benchmarks/peers.py: one release assessed, and its scan alone.

Reads a job (JSON), writes what it measured (JSON). Runs in the product's own environment.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

START = time.perf_counter()
import alc_core as alc  # noqa: E402
from alc_core.assessment.prepare import PreparedScenario, ScenarioData, prepare_scenario  # noqa: E402
from alc_core.releases.registry import as_release  # noqa: E402

IMPORT_SECONDS = time.perf_counter() - START


def read(job: dict[str, Any], which: str) -> alc.Table:
    frame = pd.read_csv(job[which], dtype=job["dtypes"], keep_default_na=False)
    return alc.table_from_frame(frame, name=which).with_kinds(job["kinds"])


def measure(measure: alc.Measure) -> dict[str, float]:
    return {name: getattr(measure, name) for name in ("precision", "recall", "prc", "predictions")}


def prepare(
    original: alc.Table, release: alc.Table, scenario: alc.Scenario, seed: int
) -> PreparedScenario:
    data = ScenarioData.of(original, as_release(release), scenario)
    return prepare_scenario(data, scenario, folds=alc.LoopParameters().folds, seed=seed)


def time_scan(
    original: alc.Table, release: alc.Table, scenario: alc.Scenario, job: dict[str, Any]
) -> dict[str, Any]:
    """Best row match alone, with and without encoding the tables."""
    with_encoding, alone, worked = [], [], []
    for _ in range(max(1, job["repeats"])):
        start, busy = time.perf_counter(), time.process_time()
        prepared = prepare(original, release, scenario, job["seed"])
        targets = prepared.targets
        rows = np.concatenate(targets.plan.targets)[: job["attacks"]]
        before = time.perf_counter()
        predict = alc.BestRowMatch().prepare(prepared.view, np.random.default_rng(0))
        predictions = predict(targets.known.take(rows))
        alone.append(time.perf_counter() - before)
        with_encoding.append(time.perf_counter() - start)
        worked.append(time.process_time() - busy)
    correct = targets.unknown[rows] == predictions.values  # noqa: PD011 - not a frame
    return {
        "seconds": float(np.median(alone)),
        "seconds_with_encoding": float(np.median(with_encoding)),
        "processor_seconds": float(np.median(worked)),
        "attacks": len(rows),
        "correct": float(np.mean(correct)),
    }


def main() -> None:
    job = json.loads(Path(sys.argv[1]).read_text())
    original, release = read(job, "original"), read(job, "release")
    scenario = alc.Scenario(job["known"], job["unknown"])
    found = alc.check_tables(original, [release], known=scenario.known, unknown=scenario.unknown)
    accept = sorted({finding.code for finding in found if finding.blocking})
    seconds, worked = [], []
    for _ in range(1 + job["repeats"]):
        start, before = time.perf_counter(), time.process_time()
        result = alc.assess(original, release, scenario, seed=job["seed"], accept=accept)
        seconds.append(time.perf_counter() - start)
        worked.append(time.process_time() - before)
    prepared = prepare(original, release, scenario, job["seed"])
    rows = np.concatenate(prepared.targets.plan.targets)[: result.attempts]
    curve = result.outcomes.baseline
    report = {
        "version": alc.__version__,
        "import_seconds": IMPORT_SECONDS,
        "first_seconds": seconds[0],
        "seconds": float(np.median(seconds[1:])) if job["repeats"] else None,
        "processor_seconds": float(np.median(worked[1:])) if job["repeats"] else None,
        "alc": result.alc,
        "alc_interval": result.alc_interval,
        "verdict": str(result.verdict),
        "halting": str(result.halting),
        "accepted": accept,
        "model": result.model,
        "targets": result.attempts,
        "attack": measure(result.attack),
        "baseline": measure(result.baseline),
        "baseline_accuracy": int(curve.true_predictions[-1]) / curve.attempts,
        "target_rows": rows.tolist(),
        "scan": time_scan(original, release, scenario, job) if job["repeats"] else None,
    }
    Path(job["result"]).write_text(json.dumps(report))


if __name__ == "__main__":
    main()
