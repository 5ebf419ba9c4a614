"""The product against its peers: the same work, one after the other, on the same machine.

``python benchmarks/peers.py`` installs anonymity-loss-coefficient (the reference package of the
ALC) and anonymeter in an environment of their own, once, and then runs the product and each peer
in a process of its own on the same tables, known columns, unknown column and release. It takes
the demo randhie; for another table name file and columns, such as the Adult census data::

    python benchmarks/peers.py --csv adult.csv --rows 30000 --unknown occupation \\
        --known age,workclass,education,marital_status,race,sex,hours_per_week

The reference takes minutes to hours. It is stopped after ``--peer-limit`` seconds, and the ratio is
then a lower bound. ``--quick`` takes 3 000 rows.

What is timed, without reading files and without imports:

- product: the call of ``alc.assess``, which checks and encodes the tables and ends with the
  interval of ALC. *Warm* is the median of further calls, *first* the first call of a process, and
  *new* the first call of all, which compiles the scan.
- reference: constructing ``BrmAttack``, which encodes the tables, and its ``run_one_attack``,
  without saving and drawing; once up to where its own criteria halt it, which may be after a few
  hundred targets, and once up to the number of targets that the product attacked.
- anonymeter: constructing and evaluating ``InferenceEvaluator``; compiling is not counted. It finds
  one nearest row for each target and has neither baseline models, nor recall, nor halting, so that
  it is compared with the product's scan of the same targets, not with an assessment.

Processor time (of all threads) is printed, too: on a busy machine its ratio is the steadier one.
The reference's boosting waits actively for its threads and takes ten times as long where other
programs hold a processor: on such a machine, ``--threads 1``.

All see the same kinds of columns: continuous columns are passed as floats, all others as text, and
a missing label as a label, because the reference drops rows with missing values.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import alc_core as alc

HERE = Path(__file__).parent
REQUIREMENTS = HERE / "peers-requirements.txt"
MISSING_LABELS = ("", "?")
MOST_CONTROLS = 2000
Result = dict[str, Any]


def peers_python(folder: Path, base: str) -> Path:
    """Return the interpreter of the peers' environment, made where it is missing or outdated."""
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    made_from = folder / "made-from.txt"
    wanted = REQUIREMENTS.read_text()
    if python.exists() and made_from.exists() and made_from.read_text() == wanted:
        return python
    print(f"Installing the peers in {folder}, once", flush=True)
    try:
        subprocess.run([base, "-m", "venv", "--clear", str(folder)], check=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, "-r", str(REQUIREMENTS)], check=True)
    except subprocess.CalledProcessError:
        sys.exit(
            "The peers could not be installed. anonymeter needs numpy below 1.27, which is there "
            "for Python 3.11 and 3.12: name one with --peers-python."
        )
    (folder / ".gitignore").write_text("*\n")
    made_from.write_text(wanted)
    return python


@dataclass(frozen=True)
class Work:
    """The same work for everyone: tables as CSV files in a folder, and what to do with them."""

    folder: Path
    name: str
    rows: int
    control_rows: int
    kinds: dict[str, str]
    known: tuple[str, ...]
    unknown: str

    @classmethod
    def of(
        cls, table: alc.Table, scenario: alc.Scenario, folder: Path, options: argparse.Namespace
    ) -> Work:
        """Draw the rows, hold a control out, and write both."""
        kinds = {
            column: "continuous" if table.kind(column).is_numeric else "categorical"
            for column in scenario.columns
        }
        frame = pd.DataFrame({column: plain(table, column) for column in scenario.columns})
        complete = frame.dropna()
        if options.present:
            named = complete[scenario.unknown]
            complete = complete[~named.isin([*MISSING_LABELS, "missing"])]
        alone = complete[scenario.unknown].map(complete[scenario.unknown].value_counts()) < 2
        # The reference cannot split a table where a value occurs once.
        complete = complete[~alone | (kinds[scenario.unknown] == "continuous")]
        if left_out := len(frame) - len(complete):
            print(f"{left_out} rows left out (missing number, unknown value nobody shares, ...)")
        drawn = complete.sample(frac=1, random_state=options.seed)
        if options.rows and options.rows < len(drawn):
            held_out = min(MOST_CONTROLS, len(drawn) - options.rows)
            rows = options.rows
        else:
            held_out = min(MOST_CONTROLS, len(drawn) // 10)
            rows = len(drawn) - held_out
        work = cls(folder, table.name, rows, held_out, kinds, scenario.known, scenario.unknown)
        drawn.head(rows).to_csv(folder / "original.csv", index=False)
        drawn.tail(held_out).to_csv(folder / "control.csv", index=False)
        for share in options.swapped:
            release = alc.swap_columns(drawn.head(rows), share, seed=options.seed + 1)
            release.to_csv(work.release(share), index=False)
        return work

    def release(self, share: float) -> Path:
        return self.folder / f"release_{round(100 * share)}.csv"

    def job(self, share: float, options: argparse.Namespace) -> dict[str, Any]:
        types = {"continuous": "float64", "categorical": "str"}
        return {
            "original": str(self.folder / "original.csv"),
            "control": str(self.folder / "control.csv"),
            "release": str(self.release(share)),
            "dtypes": {column: types[kind] for column, kind in self.kinds.items()},
            "kinds": self.kinds,
            "known": self.known,
            "unknown": self.unknown,
            "seed": options.seed,
            "threads": options.threads,
            "attacks": options.attacks,
            "repeats": options.repeats,
            "limit": options.peer_limit,
        }


def plain(table: alc.Table, column: str) -> pd.Series:
    """Return a column as numbers, or as text in which a missing value is a label."""
    values = table.frame[column]
    if table.kind(column).is_numeric:
        return pd.to_numeric(values).astype(np.float64)
    return values.astype(object).where(values.notna(), "missing").map(str)


def run(script: str, python: Path, job: dict[str, Any], work: Work, **variables: str) -> Result:
    """Run a script on a job in a process of its own and return what it measured."""
    given, result = work.folder / "job.json", work.folder / "result.json"
    log = work.folder / "log.txt"
    result.unlink(missing_ok=True)
    given.write_text(json.dumps({**job, "result": str(result)}))
    threads = str(job["threads"])
    limits = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "LOKY_MAX_CPU_COUNT")
    environment = {**os.environ, **dict.fromkeys(limits, threads), **variables}
    with log.open("w") as stream:
        done = subprocess.run(
            [str(python), str(HERE / "peer_scripts" / script), str(given)],
            stdout=stream,
            stderr=subprocess.STDOUT,
            env=environment,
            check=False,
        )
    if not result.exists():
        lines = log.read_text().splitlines()
        sys.exit("\n".join([*lines[-15:], f"{script} failed with code {done.returncode}."]))
    measured: Result = json.loads(result.read_text())
    return measured


def run_product(share: float, work: Work, options: argparse.Namespace) -> Result:
    """Assess twice: with nothing compiled yet, and then in another process."""
    job = work.job(share, options)
    with tempfile.TemporaryDirectory() as compiled:
        cache = {"NUMBA_CACHE_DIR": compiled}
        python = Path(sys.executable)
        new = run("run_product.py", python, {**job, "repeats": 0}, work, **cache)
        result = run("run_product.py", python, job, work, **cache)
    return {**result, "new_seconds": new["first_seconds"]}


def scored(outcomes: Result | None) -> alc.Measure | None:
    """Score a peer's predictions by the product's formulas (alpha 3, R_min 1e-4, width 0.1)."""
    if not outcomes or not outcomes["scores"]:
        return None
    curve = alc.precision_recall_curve(
        outcomes["scores"], outcomes["correct"], attempts=outcomes.get("attempts")
    )
    try:
        return alc.best_measure(curve, alc.ScoringParameters())
    except ValueError:
        return None


def number(value: float | None, digits: int = 3) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def line(tool: str, seconds: float, ratio: str, *rest: object) -> None:
    print(f"  {tool:32s} {seconds:9.2f} s  {ratio:>14s}  ", *rest, flush=True)


def times(peer: Result, product: Result) -> str:
    """Return the ratio of processor times, in words."""
    ratio = peer["processor_seconds"] / product["processor_seconds"]
    return f"{peer['processor_seconds']:.2f} s of processor time, {ratio:.1f} times the product's"


def print_product(product: Result) -> None:
    line(
        "product, warm",
        product["seconds"],
        "1",
        f"{product['targets']} targets, PRC attack {product['attack']['prc']:.3f},"
        f" baseline {product['baseline']['prc']:.3f}, ALC {product['alc']:.3f}"
        f" ({product['verdict']}), baseline {product['model']};"
        f" {product['processor_seconds']:.2f} s of processor time",
    )
    for name, key in (("first of a process", "first_seconds"), ("new, compiling", "new_seconds")):
        line(f"product, {name}", product[key], f"{product[key] / product['seconds']:.2g}")


def print_reference(reference: Result, product: Result) -> None:
    own = reference["own"]
    if own:
        table = ", ".join(f"{name} {value:.3f}" for name, value in own["table"].items())
        line(
            "reference, as it halts itself",
            own["seconds"],
            f"{own['seconds'] / product['seconds']:.0f}",
            f"{own['targets']} targets, halted: {own['halt_code']}; its own table: {table};"
            f" {times(own, product)}",
        )
    least = "" if reference["finished"] else "at least "
    scores = {kind: scored(some) for kind, some in reference["predictions"].items()}
    attack, base = scores["attack"], scores["base"]
    loss = alc.anonymity_loss(attack.prc, base.prc) if attack and base else None
    line(
        "reference, as many targets" if reference["finished"] else "reference, stopped",
        reference["seconds"],
        f"{least}{reference['seconds'] / product['seconds']:.0f}",
        f"{reference['targets']} targets, PRC attack {number(attack and attack.prc)},"
        f" baseline {number(base and base.prc)}, ALC {number(loss)} (by the product's formulas),"
        f" baseline {reference['model']}; {least}{times(reference, product)}",
    )
    first = reference["seconds"] / product["first_seconds"]
    print(f"    {least}{first:.0f} times the product's first call of a process")
    same = reference["same_targets"]
    if same:
        theirs = scored(same)
        margin = product["baseline"]["prc"] - theirs.prc if theirs else None
        some = "the same" if same["attempts"] == product["targets"] else "of them"
        print(
            f"    baselines: PRC product {product['baseline']['prc']:.4f} on {product['targets']}"
            f" targets, reference {number(theirs and theirs.prc, 4)} on {some} {same['attempts']}"
            f" ({number(margin, 4)} for the product); accuracy at recall 1 product"
            f" {product['baseline_accuracy']:.4f}, reference"
            f" {sum(same['correct']) / same['attempts']:.4f}"
        )


def print_anonymeter(anonymeter: Result, product: Result) -> None:
    scan = product["scan"]
    line(
        f"scan of {scan['attacks']} targets, product",
        scan["seconds_with_encoding"],
        "1",
        f"correct {scan['correct']:.3f} (the scan alone, tables encoded: {scan['seconds']:.3f} s)",
    )
    for name in ("without_control", "with_control"):
        found = anonymeter[name]
        control = found["correct_control"]
        line(
            f"anonymeter, {name.replace('_', ' ')}",
            found["seconds"],
            f"{found['seconds'] / scan['seconds_with_encoding']:.0f}",
            f"correct {found['correct']:.3f}, at random {found['correct_naive']:.3f},"
            f" control {number(control)}, risk {found['risk']:.3f}; {times(found, scan)}",
        )
    whole = anonymeter["with_control"]["seconds"] / product["seconds"]
    print(
        f"    its evaluation with {anonymeter['control_rows']} control rows takes {whole:.1f} times"
        f" the product's whole assessment of {product['targets']} targets (another measure)"
    )


def compare(share: float, work: Work, python: Path, options: argparse.Namespace) -> Result:
    """Run everyone on one release and print the figures."""
    print(f"\nRelease: {'a copy of the original' if share == 0 else f'{share:.0%} swapped'}")
    product = run_product(share, work, options)
    print_product(product)
    results = {"swapped": share, "product": product}
    job = {**work.job(share, options), "target_rows": product["target_rows"]}
    # Its baseline does not depend on the release: once is enough.
    first = share == options.swapped[0]
    job["baseline_rows"] = product["target_rows"][: options.baseline_targets] if first else []
    if "anonymeter" in options.peers:
        results["anonymeter"] = run("run_anonymeter.py", python, job, work)
        print_anonymeter(results["anonymeter"], product)
    if "reference" in options.peers:
        results["reference"] = run("run_reference.py", python, job, work)
        print_reference(results["reference"], product)
    return results


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--csv", help="table of people; by default the demo randhie")
    parser.add_argument("--known", help="known columns, separated by commas")
    parser.add_argument("--unknown", help="unknown column")
    parser.add_argument("--rows", type=int, help="rows drawn at random; others are the control")
    parser.add_argument("--present", action="store_true", help="only known values of the unknown")
    parser.add_argument("--swapped", default="0.2,0", help="releases: shares swapped, 0 a copy")
    parser.add_argument("--peers", default="reference,anonymeter")
    parser.add_argument("--attacks", type=int, default=2000, help="targets of anonymeter")
    parser.add_argument(
        "--baseline-targets", type=int, default=5000, help="of the reference's baseline; 0 for none"
    )
    parser.add_argument("--repeats", type=int, default=3, help="warm calls of the product")
    parser.add_argument("--peer-limit", type=float, default=1200, help="seconds for the reference")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="of everyone")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="3 000 rows, one release")
    parser.add_argument("--environment", type=Path, default=HERE.parent / ".bench" / "peers-venv")
    parser.add_argument("--peers-python", default=sys.executable, help="makes the environment")
    parser.add_argument("--json", type=Path, help="file to write all figures to")
    options = parser.parse_args()
    if options.quick:
        options.rows, options.swapped = options.rows or 3000, "0.2"
        options.peer_limit = min(options.peer_limit, 90)
    options.swapped = [float(share) for share in options.swapped.split(",")]
    options.peers = options.peers.split(",")
    return options


def main() -> None:
    options = parse_options()
    if options.csv:
        table = alc.read_table(options.csv)
        scenario = alc.Scenario(options.known.split(","), options.unknown)
    else:
        demo = alc.load_demo("randhie")
        table, scenario = demo.original, demo.scenario
    python = peers_python(options.environment, options.peers_python)
    with tempfile.TemporaryDirectory() as folder:
        work = Work.of(table, scenario, Path(folder), options)
        continuous = sum(work.kinds[column] == "continuous" for column in work.known)
        print(
            f"{work.name}: {work.rows} rows, {len(work.known)} known columns ({continuous}"
            f" continuous), unknown {work.unknown}; {work.control_rows} control rows;"
            f" threads {options.threads}"
        )
        results = [compare(share, work, python, options) for share in options.swapped]
    if options.json:
        for result in results:
            result["product"].pop("target_rows")
        options.json.write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
