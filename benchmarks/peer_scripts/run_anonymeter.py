"""The part of benchmarks/peers.py that runs anonymeter, in the peers' environment.

Reads a job (JSON), writes what it measured (JSON). Its inference evaluator attacks the very
targets that the product's scan is timed on, with and without a control table.
"""

from __future__ import annotations

import json
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

START = time.perf_counter()
from anonymeter.evaluators import InferenceEvaluator  # noqa: E402

IMPORT_SECONDS = time.perf_counter() - START


def evaluate(
    job: dict[str, Any],
    targets: pd.DataFrame,
    release: pd.DataFrame,
    control: pd.DataFrame | None = None,
) -> dict[str, Any]:
    start, busy = time.perf_counter(), time.process_time()
    evaluator = InferenceEvaluator(
        ori=targets,
        syn=release,
        aux_cols=list(job["known"]),
        secret=job["unknown"],
        regression=job["kinds"][job["unknown"]] == "continuous",
        n_attacks=len(targets),
        control=control,
    )
    evaluator.evaluate(n_jobs=job["threads"])
    seconds, worked = time.perf_counter() - start, time.process_time() - busy
    counts = evaluator.results()
    return {
        "seconds": seconds,
        "processor_seconds": worked,
        "attacks": len(targets),
        "correct": int(counts.n_success) / len(targets),
        "correct_naive": int(counts.n_baseline) / len(targets),
        "correct_control": None if control is None else int(counts.n_control) / len(control),
        "risk": float(evaluator.risk().value),
    }


def main() -> None:
    job = json.loads(Path(sys.argv[1]).read_text())
    np.random.seed(job["seed"])  # noqa: NPY002 - the package draws from the global generator
    original, release, control = (
        pd.read_csv(job[which], dtype=job["dtypes"], keep_default_na=False)
        for which in ("original", "release", "control")
    )
    targets = original.iloc[job["target_rows"][: job["attacks"]]]
    compiling = evaluate(job, targets.head(2), release.head(100))
    report = {
        "version": version("anonymeter"),
        "import_seconds": IMPORT_SECONDS,
        "compile_seconds": compiling["seconds"],
        "without_control": evaluate(job, targets, release),
        "with_control": evaluate(job, targets, release, control.head(len(targets))),
        "control_rows": min(len(control), len(targets)),
    }
    Path(job["result"]).write_text(json.dumps(report))


if __name__ == "__main__":
    main()
