"""Two versions of the baseline on the same targets: PRC, verdicts and processor time, in turns.

``python benchmarks/family_choice.py --checkout ../older-checkout --adult FILE --paper FOLDER``
draws scenarios from the demos and these tables. For each, both versions choose, fit and predict
all targets, one after the other, and best row match attacks two releases with swapped values. It
prints by how much the baseline's PRC differs, the ratio of processor time, and the verdicts that
are not the same. PRC is the best of many thresholds, so few targets and other random numbers alone
move it: ``--seed 1`` shows how much if both versions are the same but for ``--other-seed 2``.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from verdicts import RealScenario, drawn_scenarios, real_tables, sharing_runs, table_of

import alc_core as alc
from alc_core.assessment.loop import RunSettings
from alc_core.assessment.run import Run
from alc_core.attacks.registry import make_attack
from alc_core.runtime.machine import limit_threads
from alc_core.scoring.curves import best_measure, precision_recall_curve
from alc_core.scoring.parameters import LoopParameters

SHARES = (0.2, 0.9)
# Whole folds at once, which the attacks find predicted
LOOP = LoopParameters(folds=4, batch=100_000)


def tasks(options: argparse.Namespace) -> tuple[dict[str, pd.DataFrame], list[RealScenario]]:
    tables = real_tables(options.adult, options.paper)
    for name, frame in tables.items():
        if len(frame) > options.most:
            tables[name] = frame.sample(options.most, random_state=0, ignore_index=True)
    return tables, drawn_scenarios(tables, each=options.each)


def measured(frame: pd.DataFrame, real: RealScenario, seed: int) -> dict[str, object]:
    """Predict all targets by the baseline, then attack."""
    scenario = alc.Scenario(real.known, real.unknown)
    releases = {f"{share:.0%}": alc.swap_columns(frame, share, seed=1) for share in SHARES}
    runs = sharing_runs(frame, releases, scenario, RunSettings(seed=seed, loop=LOOP))
    run = next(iter(runs.values()))
    begun = time.process_time()
    scores, right, models = predicted(run)
    seconds = time.process_time() - begun
    curve = precision_recall_curve(scores, right, max_thresholds=400)
    attack = make_attack("best row match")
    verdicts = [each.attack(attack).verdict for each in runs.values()]
    return {
        "seconds": seconds, "PRC": best_measure(curve, run.settings.scoring).prc,
        "precision": float(right.mean()), "targets": len(right), "models": models,
        "verdicts": verdicts,
    }  # fmt: skip


def predicted(run: Run) -> tuple[np.ndarray, np.ndarray, list[str]]:
    targets = run.prepared.targets
    parts, models = [], dict[str, None]()
    for fold, rows in enumerate(targets.plan.targets):
        found = run.baseline.predict(fold, rows)
        parts.append((found.scores, targets.scenario.is_right(found.values, targets.unknown[rows])))
        models[found.model] = None
    scores, right = map(np.concatenate, zip(*parts, strict=True))
    return scores, right, list(models)


def answer(options: argparse.Namespace) -> None:
    """Measure the scenarios whose numbers come in, one line each."""
    tables, scenarios = tasks(options)
    with limit_threads(1):
        measured(alc.load_demo("fair").original.frame, scenarios_of_demo(), 0)  # compiles
        for line in sys.stdin:
            number, seed = json.loads(line)
            real = scenarios[number]
            print(json.dumps(measured(tables[real.table], real, seed)), flush=True)


def scenarios_of_demo() -> RealScenario:
    demo = alc.load_demo("fair")
    return RealScenario(
        table="fair", known=tuple(demo.scenario.known), unknown=demo.scenario.unknown
    )


def compare(options: argparse.Namespace) -> Iterator[dict[str, object]]:
    """Yield what both versions find on each scenario."""
    here = Path(__file__).resolve().parents[1]
    workers = [
        subprocess.Popen(
            [sys.executable, __file__, *sys.argv[1:], "--answer"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(checkout)},
        )
        for checkout in (here, (options.checkout or here).resolve())
    ]  # fmt: skip
    for number, real in enumerate(tasks(options)[1]):
        found = []
        for worker, seed in zip(workers, (options.seed, options.other_seed), strict=True):
            print(json.dumps([number, seed]), file=worker.stdin, flush=True)
            found.append(json.loads(worker.stdout.readline()))
        yield {"scenario": f"{real.table}.{real.unknown}"} | {
            f"{key} {who}": each[key]
            for who, each in zip(("here", "other"), found, strict=True)
            for key in each
        }
    for worker in workers:
        worker.stdin.close()
        worker.wait()


def print_comparison(found: pd.DataFrame) -> None:
    gain = found["PRC here"] - found["PRC other"]
    ratio = found["seconds here"].sum() / found["seconds other"].sum()
    print(
        f"{len(found)} scenarios: PRC differs by {gain.mean():+.4f} on average, standard deviation "
        f"{gain.std():.4f}, from {gain.min():+.4f} to {gain.max():+.4f}; precision of all answers "
        f"by {(found['precision here'] - found['precision other']).mean():+.4f}; processor time "
        f"{ratio:.2f} times"
    )
    worst = found.assign(gain=gain)[gain < -0.01]
    columns = ["scenario", "gain", "targets here", "models here", "models other"]
    print(table_of([[str(each[c]) for c in columns] for each in worst.to_dict("records")], columns))
    for each in found[found["verdicts here"] != found["verdicts other"]].to_dict("records"):
        print(f"{each['scenario']}: {each['verdicts here']}, the other {each['verdicts other']}")


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checkout", type=Path, help="another version of the package")
    parser.add_argument("--adult", help="file of the Adult data, with a header")
    parser.add_argument("--paper", help="folder of the ALC paper's tables")
    parser.add_argument("--each", type=int, default=10, help="unknown columns of a table")
    parser.add_argument("--most", type=int, default=8_000, help="rows of a table")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--other-seed", type=int, default=0)
    parser.add_argument("--save", type=Path, help="JSON file for all figures")
    parser.add_argument("--answer", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.answer:
        answer(options)
        return
    found = []
    for each in compare(options):
        found.append(each)
        took = each["seconds here"], each["seconds other"]
        print(f"{each['scenario']}: {took[0]:.1f} s, {took[1]:.1f} s", file=sys.stderr, flush=True)
        if options.save:
            options.save.write_text(json.dumps(found))
    print_comparison(pd.DataFrame(found))


if __name__ == "__main__":
    main()
