"""Do releases as real tools write them get the right verdict, as they come?

``python benchmarks/tool_releases.py --folder FOLDER`` takes a folder with the original,
``adult10k.csv.gz``, releases of it made with ARX, anjana, sdcMicro, SynDiffix, synthpop, SDV, and
tables that are no rows of people (``RELEASES`` below has the file names; those that are missing are
left out, and named). Each is checked and attacked as a custodian would: nothing is said about
columns or labels, nothing is accepted.

It prints a row per scenario: what the check says, both readings of ALC with their intervals, the
verdict, and what an independent attack found on the same file. That figure is another reading: the
paper's ALC, with no cap on the precision that counts, against a baseline that sees the original
generalized like the release. So for comparison the same reading is taken of our attack, on an
original whose values are replaced by the labels that cover them. The verdict rests on the original
as it is: who knows an exact age guesses better by it, without the release, and an attack has to
beat that.

Exit code 1 where a file that can be attacked is refused, asks a question, or lands farther than 0.1
below the independent figure in its reading; or where a table that is no rows of people is attacked.
It takes about two and a half minutes on two cores.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from verdicts import table_of

import alc_core as alc
from alc_core.errors import PreflightError
from alc_core.phrasing import alc_number
from alc_core.releases.release import Release
from alc_core.scoring.curves import PrecisionRecallCurve, measure_curve
from alc_core.scoring.formulas import anonymity_loss, recall_weight
from alc_core.tables.checks.finding import Finding
from alc_core.tables.table import Table
from alc_core.tables.value_sets import AnyValue, LabelSet

ORIGINAL = "adult10k.csv.gz"
CLOSE = 0.1
"""At most so far below the independent figure."""

QUASI_IDENTIFIERS = ("age", "education", "marital_status", "race", "sex", "native_country")
EIGHT = (*QUASI_IDENTIFIERS, "workclass", "occupation")
TEN = (*QUASI_IDENTIFIERS, "workclass", "relationship", "hours_per_week", "income")


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """A scenario, and what an independent attack found in it.

    Attributes
    ----------
    known : tuple of str
        Known columns.
    unknown : str
        Unknown column.
    independent : float or None
        The paper's ALC, not capped, on the original cut like the release; None where nobody
        measured it.
    """

    known: tuple[str, ...]
    unknown: str
    independent: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolRelease:
    """A release as a tool wrote it.

    Attributes
    ----------
    files : tuple of str
        Its tables, without ".csv.gz".
    tool, trait : str
        What made it, and what is special about it.
    scenarios : tuple of Expected
        What is attacked; empty for a table that must be refused.
    refused : str
        Code of the error by which it is refused.
    """

    files: tuple[str, ...]
    tool: str
    trait: str
    scenarios: tuple[Expected, ...] = ()
    refused: str = ""


OCCUPATION = Expected(known=QUASI_IDENTIFIERS, unknown="occupation")
HOURS = Expected(known=EIGHT, unknown="hours_per_week")

RELEASES = (
    ToolRelease(
        files=("arx_k5l3_adult",), tool="ARX 3.9.2",
        trait="k = 5, 3-diverse: `20-39`, rows of all `*`, semicolons, row order kept",
        scenarios=(
            Expected(known=QUASI_IDENTIFIERS, unknown="occupation", independent=0.04),
            Expected(known=EIGHT, unknown="hours_per_week", independent=0.91),
        ),
    ),
    ToolRelease(
        files=("anjana_k5_adult",), tool="anjana 1.2.3",
        trait="k = 5: `[20, 40)` that holds 40 and not 20, row numbers",
        scenarios=(OCCUPATION, HOURS),
    ),
    ToolRelease(
        files=("sdc_ls_adult",), tool="sdcMicro 5.8.0",
        trait="local suppression: `NA` where a value was",
        scenarios=(Expected(known=QUASI_IDENTIFIERS, unknown="occupation", independent=0.83),),
    ),
    ToolRelease(
        files=("sdc_recode_ls_adult",), tool="sdcMicro 5.8.0",
        trait="ages as codes 1 to 7 of intervals, row names",
        scenarios=(Expected(known=QUASI_IDENTIFIERS, unknown="occupation", independent=0.61),),
    ),
    ToolRelease(
        files=("sdc_topcode_adult",), tool="sdcMicro 5.8.0",
        trait="top-coded: 65 stands for 65 and over",
        scenarios=(Expected(known=TEN, unknown="occupation", independent=0.99),),
    ),
    ToolRelease(
        files=("sdx_adult_7",), tool="SynDiffix 1.0.8", trait="`*2` in 0.2% of the rows",
        scenarios=(OCCUPATION,),
    ),
    ToolRelease(
        files=("synthpop_adult",), tool="synthpop 1.9-2", trait="synthetic, by CART",
        scenarios=(OCCUPATION,),
    ),
    ToolRelease(
        files=("sdv_gc_adult",), tool="SDV 2.0.0",
        trait="synthetic, one column squeezed to a 38th of its spread",
        scenarios=(OCCUPATION,),
    ),
    ToolRelease(
        files=("anatomy_qi_adult", "anatomy_sens_adult"), tool="Anatomy",
        trait="two tables that only a group joins", refused="anatomy-pair",
    ),
    ToolRelease(
        files=("counts_adult",), tool="counts", trait="a row is a combination, with a count",
        refused="table-of-counts",
    ),
    ToolRelease(
        files=("crosstab_adult",), tool="cross table", trait="a column per value, with totals",
        refused="cross-table",
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A row of the table, and what is wrong with it; empty if nothing."""

    cells: tuple[str, ...]
    fault: str = ""


HEAD = (
    "tool", "trait", "what the check says", "scenario", "ALC", "ALC among the rest", "verdict",
    "as the independent one", "independent attack", "within 0.1",
)  # fmt: skip


def paper_alc(result: alc.Assessment) -> float:
    """ALC as the paper has it: the best PRC of the narrow thresholds, precision not capped."""
    attack, baseline = (
        _paper_prc(curve, result.scoring)
        for curve in (result.outcomes.attack, result.outcomes.baseline)
    )
    return anonymity_loss(attack, baseline, kind="relative")


def _paper_prc(curve: PrecisionRecallCurve, scoring: alc.ScoringParameters) -> float:
    measures = measure_curve(curve, scoring)
    weight = recall_weight(measures.recall, scoring.alpha, scoring.r_min)
    return float(
        (weight * (measures.precision_low + measures.precision_high) / 2)[measures.narrow].max()
    )


def said(findings: tuple[Finding, ...]) -> str:
    """What a check says, in one line: the codes by severity."""
    told = [f"{f.severity}: {f.code}" for f in findings if f.severity != "info"]
    notes = [f.code for f in findings if f.severity == "info"]
    return "; ".join([*dict.fromkeys(told), *(["info: " + ", ".join(dict.fromkeys(notes))])])


def refused_row(original: Table, release: Release, tool: ToolRelease) -> Outcome:
    """A table that is no rows of people must be refused, by the right word."""
    findings = release.checker(original).findings()
    blocking = {finding.code for finding in findings if finding.blocking}
    fault = "" if blocking == {tool.refused} else f"not refused as {tool.refused}"
    cells = (tool.tool, tool.trait, said(findings), "none", "", "", "refused", "", "", "")
    return Outcome(cells=cells, fault=fault)


def cut_alike(original: Table, release: Table, columns: tuple[str, ...]) -> Table:
    """The original with each value replaced by a label of the release that covers it."""
    frame = original.frame.copy()
    for column, sets in alc.column_sets(original, release).items():
        if column in columns:
            frame[column] = frame[column].map(partial(_label_of, labels=sets.labels))
    return alc.table_from_frame(frame, name=original.name)


def _label_of(value: Any, labels: Sequence[LabelSet]) -> Any:
    for each in labels:
        if not isinstance(each.covers, AnyValue) and value in each.covers:
            return float(each.label) if each.label.isdecimal() else each.label
    return value


def attacked_row(original: Table, release: Release, tool: ToolRelease, seen: Expected) -> Outcome:
    """Check and attack a release in one scenario, as it comes."""
    findings: list[Finding] = []
    scenario = alc.Scenario(seen.known, seen.unknown)
    place = f"{len(seen.known)} known, {seen.unknown}"
    try:
        result = alc.assess(original, release, scenario, tell=findings.extend)
    except PreflightError as error:
        cells = (tool.tool, tool.trait, said(tuple(findings)), place, *["-"] * 6)
        return Outcome(cells=cells, fault=str(error))
    alike, near, fault = "", "", ""
    if seen.independent is not None:
        cut = cut_alike(original, release.tables[0], seen.known)
        found = paper_alc(alc.assess(cut, release, scenario))
        alike = alc_number(found)
        near = _nearness(found, seen.independent)
        fault = f"{found:.2f} instead of {seen.independent:.2f}" if near == "lower" else ""
    cells = (
        tool.tool, tool.trait, said(tuple(findings)), place,
        _reading(result.alc, result.alc_interval),
        _reading(result.alc_rest, result.alc_rest_interval),
        str(result.verdict), alike, "" if seen.independent is None else f"{seen.independent:.2f}",
        near,
    )  # fmt: skip
    return Outcome(cells=cells, fault=fault)


def _reading(value: float, interval: tuple[float, float]) -> str:
    low, high = map(alc_number, interval)
    return f"{alc_number(value)} ({low} to {high})"


def _nearness(found: float, independent: float) -> str:
    if abs(found - independent) <= CLOSE:
        return "yes"
    return "stronger" if found > independent else "lower"


def outcomes(folder: Path, only: str) -> Iterator[Outcome]:
    """Check and attack all releases of the folder."""
    original = alc.read_table(folder / ORIGINAL)
    for tool in RELEASES:
        paths = [folder / f"{name}.csv.gz" for name in tool.files]
        if only not in " ".join(tool.files):
            continue
        if missing := [path.name for path in paths if not path.exists()]:
            print(f"left out, not in the folder: {', '.join(missing)}", file=sys.stderr)
            continue
        release = alc.Microdata(name=tool.tool, tables=tuple(map(alc.read_table, paths)))
        if tool.refused:
            yield refused_row(original, release, tool)
        for scenario in tool.scenarios:
            yield attacked_row(original, release, tool, scenario)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folder", type=Path, help="with the original and the releases")
    parser.add_argument("--only", default="", help="files whose name has this")
    options = parser.parse_args()
    if options.folder is None:
        names = ", ".join(f"{name}.csv.gz" for tool in RELEASES for name in tool.files)
        print(f"Needs --folder with {ORIGINAL} and any of: {names}.")
        return
    found = list(outcomes(options.folder, options.only))
    print(table_of([outcome.cells for outcome in found], HEAD))
    faults = [f"{o.cells[0]}, {o.cells[3]}: {o.fault}" for o in found if o.fault]
    print("\n".join(faults) if faults else "Every release gets the verdict that it should.")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
