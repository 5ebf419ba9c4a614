"""The part of benchmarks/peers.py that runs anonymity-loss-coefficient, in the peers' environment.

Reads a job (JSON), writes what it measured (JSON). The attack is the package's own call,
``BrmAttack.run_one_attack``, without its plots. Where its own criteria would halt it is noted; it
then goes on to as many targets as the product attacked, unless the job's limit of seconds is
reached. Afterwards, not timed as part of it, the package's chosen baseline model predicts the
product's targets, each block of them by a model fitted without it, as the package does with its
own.
"""

from __future__ import annotations

import json
import random
import signal
import sys
import tempfile
import time
import warnings
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.exceptions import ConvergenceWarning

START = time.perf_counter()
from anonymity_loss_coefficient import BrmAttack  # noqa: E402
from anonymity_loss_coefficient.alc.baseline_predictor import BaselinePredictor  # noqa: E402
from anonymity_loss_coefficient.alc.score_interval import ScoreInterval  # noqa: E402

IMPORT_SECONDS = time.perf_counter() - START

FITTED: list[BaselinePredictor] = []
"""The package drops its baseline when the attack ends; it is kept here."""


class OutOfTimeError(BaseException):
    """Not an Exception: the package catches those and goes on."""


def keep_baselines() -> None:
    build = BaselinePredictor.build_model

    def build_and_keep(self: BaselinePredictor, *args: Any, **named: Any) -> None:
        FITTED[:] = [self]
        build(self, *args, **named)

    BaselinePredictor.build_model = build_and_keep


def go_on_until(targets: int, halts: list[dict[str, Any]], started: tuple[float, float]) -> None:
    """Note where the package's own criteria halt first, and let it halt only at so many targets."""
    own_criteria = ScoreInterval.ok_to_halt

    def ok_to_halt(self: ScoreInterval, *args: Any, **named: Any) -> dict[str, Any]:
        found = own_criteria(self, *args, **named)
        if found["halted"] and not halts:
            halts.append({**found, **spent(started), "targets": len(self.df_attack)})
        if not halts:
            return found
        done = len(self.df_attack) >= targets
        return {**halts[0], **found, "halted": done, "data": found["data"] or halts[0]["data"]}

    ScoreInterval.ok_to_halt = ok_to_halt


def spent(started: tuple[float, float]) -> dict[str, float]:
    return {
        "seconds": time.perf_counter() - started[0],
        "processor_seconds": time.process_time() - started[1],
    }


def stop(*_: object) -> None:
    raise OutOfTimeError


def outcomes(predictions: pd.DataFrame, score: str) -> dict[str, list[float]]:
    return {
        "correct": [bool(value) for value in predictions["prediction"]],
        "scores": [float(value) for value in predictions[score]],
    }


def attack(job: dict[str, Any], original: pd.DataFrame, release: pd.DataFrame) -> tuple[Any, dict]:
    """Run the package's attack; return its attack object and what came of it."""
    signal.signal(signal.SIGALRM, stop)
    halts: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        signal.setitimer(signal.ITIMER_REAL, job["limit"])
        started = time.perf_counter(), time.process_time()
        go_on_until(len(job["target_rows"]), halts, started)
        attack = BrmAttack(original, release, results_path=folder, flush=True)
        attack.alcm.summarize_results = lambda **_: None  # saves and draws, measures nothing
        try:
            attack.run_one_attack(job["unknown"], list(job["known"]))
            finished = True
        except OutOfTimeError:
            finished = False
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        total = spent(started)
    manager = attack.alcm
    rows = pd.DataFrame(manager.rep.list_results_done + manager.rep.list_results)
    made = {
        kind: rows[rows["predict_type"] == kind] if len(rows) else rows
        for kind in ("base", "attack")
    }
    report = {
        "finished": finished,
        **total,
        "targets": len(made["attack"]),
        "ended": (manager.halt_info or {}).get("reason"),
        "model": manager.model_name,
        "expected_prc": manager.expected_prc,
        "predictions": {
            kind: outcomes(some, f"{kind}_confidence") if len(some) else None
            for kind, some in made.items()
        },
        "own": halted(halts[0]) if halts else None,
    }
    return attack, report


def halted(halt: dict[str, Any]) -> dict[str, Any]:
    """Return where the package's own criteria halt, and its own table there."""
    names = ("alc", "base_prc", "base_prec", "base_recall")
    names += ("attack_prc", "attack_prec", "attack_recall")
    return {
        **{name: halt[name] for name in ("seconds", "processor_seconds", "targets", "halt_code")},
        "table": {name: float(halt["data"][name]) for name in names if name in halt["data"]},
    }


def predict_targets(attack: Any, job: dict[str, Any]) -> dict[str, Any] | None:
    """Let the chosen baseline predict the product's targets, block by block."""
    rows = np.array(job["baseline_rows"], dtype=int)
    if not FITTED or not len(rows):
        return None
    data, baseline = attack.alcm.df, FITTED[0]
    predicted = []
    start = time.perf_counter()
    for first in range(0, len(rows), data.cntl_size):
        block = rows[first : first + data.cntl_size]
        rest = np.setdiff1d(np.arange(len(data.orig_all)), block)
        baseline.build_model(data.orig_all.iloc[rest], data.orig_all.iloc[block])
        predicted.append(baseline.df_pred_conf)
    return {
        **outcomes(pd.concat(predicted), "confidence"),
        "attempts": len(rows),
        "seconds": time.perf_counter() - start,
    }


def main() -> None:
    job = json.loads(Path(sys.argv[1]).read_text())
    warnings.simplefilter("ignore", ConvergenceWarning)
    random.seed(job["seed"])
    np.random.seed(job["seed"])  # noqa: NPY002 - the package draws from the global generator
    keep_baselines()
    original, release = (
        pd.read_csv(job[which], dtype=job["dtypes"], keep_default_na=False)
        for which in ("original", "release")
    )
    done, report = attack(job, original, release)
    report["classified"] = {
        column: done.alcm.get_column_classification(column) for column in job["known"]
    }
    report["version"] = version("anonymity-loss-coefficient")
    report["pandas"] = pd.__version__
    report["import_seconds"] = IMPORT_SECONDS
    Path(job["result"]).write_text(json.dumps({**report, "same_targets": None}))
    report["same_targets"] = predict_targets(done, job)
    Path(job["result"]).write_text(json.dumps(report))


if __name__ == "__main__":
    main()
