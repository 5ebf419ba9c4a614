"""The part of benchmarks/known_leaks.py that runs a peer on the cases, in the peers' environment.

A case is flagged by the peer's own rule where it has one: anonymeter's (inference, singling out,
linkability) where the 95% interval of its risk, attack against control, lies above 0; the
reference's where its ALC is 0.5 or more.
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
NOTHING: Answer = {"flagged": 0, "score": 0.0}


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
    return _risk(evaluator)


def _risk(evaluator: Any) -> Answer:
    risk = evaluator.risk(confidence_level=0.95)
    return {"flagged": int(risk.ci[0] > 0), "score": risk.value}


def singling_out(_: Any, tables: dict[str, pd.DataFrame], limit: float) -> Answer:
    """Return the riskier of predicates of one column and of several."""
    from anonymeter.evaluators import SinglingOutEvaluator

    found = []
    for mode in ("univariate", "multivariate"):
        evaluator = SinglingOutEvaluator(
            ori=tables["original"],
            syn=tables["release"],
            control=tables["control"],
            n_attacks=ATTACKS // 2,
            n_cols=3,
            max_attempts=int(100 * limit),
            seed=0,
        )
        try:
            evaluator.evaluate(mode=mode)
            found.append(_risk(evaluator))
        except RuntimeError:  # It found no predicate that singles anybody out.
            continue
    return max(found, key=lambda each: (each["flagged"], each["score"]), default=NOTHING)


def linkability(case: Any, tables: dict[str, pd.DataFrame], _: float) -> Answer:
    """Return how often two halves of the columns lead to the same released row."""
    from anonymeter.evaluators import LinkabilityEvaluator

    columns = [*case.known.split(";"), case.unknown]
    evaluator = LinkabilityEvaluator(
        ori=tables["original"],
        syn=tables["release"],
        control=tables["control"],
        aux_cols=(columns[::2], columns[1::2]),
        n_attacks=ATTACKS,
        n_neighbors=1,
    )
    evaluator.evaluate(n_jobs=1)
    return _risk(evaluator)


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


def cap(case: Any, tables: dict[str, pd.DataFrame], _: float) -> Answer:
    from sdmetrics.single_table import CategoricalCAP

    known = case.known.split(";")
    texts = {which: tables[which][[*known, case.unknown]].astype(str)
             for which in ("original", "release")}  # fmt: skip
    protected = CategoricalCAP.compute(
        real_data=texts["original"],
        synthetic_data=texts["release"],
        key_fields=known,
        sensitive_fields=[case.unknown],
    )
    return {"flagged": "", "score": 1 - protected}


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


TOOLS = {
    "anonymeter": anonymeter,
    "singling-out": singling_out,
    "linkability": linkability,
    "sdmetrics": sdmetrics,
    "cap": cap,
    "reference": reference,
}


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
