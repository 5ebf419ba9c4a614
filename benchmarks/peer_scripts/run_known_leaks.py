"""The part of benchmarks/known_leaks.py that runs a peer on the cases, in the peers' environment.

A case is flagged by the peer's own rule where it has one: anonymeter's where the 95 % interval of
its risk, attack against control, lies above 0; the reference's where its ALC is 0.5 or more.
SDMetrics' documentation names no limit: its score, turned so that more is riskier, has no flag.
"""

from __future__ import annotations

import random
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

Answer = dict[str, Any]
ATTACKS = 1000


def anonymeter(case: Any, tables: dict[str, pd.DataFrame], _: float) -> Answer:
    from anonymeter.evaluators import InferenceEvaluator

    evaluator = InferenceEvaluator(
        ori=tables["original"],
        syn=tables["release"],
        control=tables["control"],
        aux_cols=case.known.split(";"),
        secret=case.unknown,
        regression=False,
        n_attacks=ATTACKS,
    )
    evaluator.evaluate(n_jobs=1)
    risk = evaluator.risk(confidence_level=0.95)
    return {"flagged": int(risk.ci[0] > 0), "score": risk.value}


def sdmetrics(case: Any, tables: dict[str, pd.DataFrame], _: float) -> Answer:
    from sdmetrics.single_table import DisclosureProtection

    known = case.known.split(";")
    numbers = [c for c in known if pd.api.types.is_numeric_dtype(tables["original"][c])]
    found = DisclosureProtection.compute_breakdown(
        real_data=tables["original"],
        synthetic_data=tables["release"],
        known_column_names=known,
        sensitive_column_names=[case.unknown],
        continuous_column_names=numbers,
    )
    return {"flagged": "", "score": 1 - found["score"]}


def reference(case: Any, tables: dict[str, pd.DataFrame], limit: float) -> Answer:
    from run_reference import ScoreInterval, attack

    own_criteria = ScoreInterval.ok_to_halt
    job = {"unknown": case.unknown, "known": case.known.split(";"), "target_rows": [],
           "limit": limit}  # fmt: skip
    _, report = attack(job, tables["original"], tables["release"])
    ScoreInterval.ok_to_halt = own_criteria  # the run has wrapped it, for its own targets
    own = report["own"]
    if not own or "alc" not in own["table"]:
        return {"flagged": "", "score": ""}
    return {"flagged": int(own["table"]["alc"] >= 0.5), "score": own["table"]["alc"]}


TOOLS = {"anonymeter": anonymeter, "sdmetrics": sdmetrics, "reference": reference}


def main() -> None:
    tool, folder, answers = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    first, limit = int(sys.argv[4]), float(sys.argv[5])
    warnings.simplefilter("ignore")
    cases = pd.read_csv(folder / "cases.csv", dtype=str)
    done = [] if not answers.exists() else pd.read_csv(answers, dtype=str).to_dict("records")
    there = {answer["case"] for answer in done}
    for case in cases.head(first or len(cases)).itertuples():
        if case.case in there:
            continue
        random.seed(0)
        np.random.seed(0)  # noqa: NPY002 - the packages draw from the global generator
        tables = {each: pd.read_csv(folder / getattr(case, each))
                  for each in ("original", "control", "release")}  # fmt: skip
        started = time.process_time()
        answer = TOOLS[tool](case, tables, limit)
        done.append({"case": case.case, **answer, "seconds": time.process_time() - started})
        pd.DataFrame(done).to_csv(answers, index=False)
        print(len(done), "cases", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
