"""What is behind the result of an attack: people, models, all numbers, parameters, software."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from alc_core.assessment.result import Assessment, TableSummary
from alc_core.assessment.target_words import targets_sentence
from alc_core.dashboard.markdown import Markdown, literal
from alc_core.phrasing import alc_number, count, listed
from alc_core.scoring.measuring import Measure
from alc_core.scoring.parameter_words import parameters_text
from alc_core.scoring.readings import READING_TITLES, READINGS


def draw_details(assessment: Assessment) -> None:
    """Draw what is behind the result."""
    scenario = assessment.scenario
    models = [f"{name} ({count(number)} people)" for name, number in assessment.models.items()]
    _draw_facts(
        "The run",
        [
            ("People", targets_sentence(assessment)),
            ("Known", listed(list(scenario.known))),
            ("Unknown", scenario.wanted),
            ("Attack", assessment.attack_name),
            ("Baseline models", listed(models)),
        ],
    )
    _draw_facts(
        "The numbers",
        [
            *(
                (
                    f"{READING_TITLES[name]}, not cut at 0",
                    "{} ({} to {})".format(
                        *(
                            alc_number(each, decimals=4)
                            for each in (assessment.loss_of(name), *assessment.interval_of(name))
                        )
                    ),
                )
                for name in READINGS
            ),
            ("Attack", _measure_facts(assessment.attack)),
            ("Baseline", _measure_facts(assessment.baseline)),
            ("Attack among the rest", _measure_facts(assessment.attack_rest)),
            ("Baseline among the rest", _measure_facts(assessment.baseline_rest)),
        ],
    )
    _draw_facts(
        "Parameters",
        [
            ("In force here", parameters_text(assessment.scoring)),
            ("Seed", str(assessment.seed)),
        ],
    )
    tables = [("Original", assessment.original), *(("Release", t) for t in assessment.release)]
    _draw_facts(
        "Data and software",
        [
            *(
                (
                    part,
                    f"{table.name}, {count(table.rows)} rows, {count(table.columns)} columns, "
                    f"SHA-256 {table.fingerprint}{_other_names(table)}",
                )
                for part, table in tables
            ),
            ("Versions", listed([f"{n} {v}" for n, v in assessment.versions.items()])),
        ],
    )


def _measure_facts(measure: Measure) -> str:
    low, high = measure.precision_interval
    capped = measure.precision < (low + high) / 2 - 1e-9
    used = "the most that counts; its" if capped else "the middle of its"
    return (
        f"PRC {measure.prc:.4f}; measured precision {measure.measured_precision:.4f} "
        f"({measure.true_predictions} of {measure.predictions}); precision used "
        f"{measure.precision:.4f}, {used} interval {low:.4f} to {high:.4f}; recall "
        f"{measure.recall:.4f}; {measure.attempts} attempts; rank score from "
        f"{measure.threshold:.4g}"
    )


def _other_names(table: TableSummary) -> str:
    pairs = [f"“{column}” taken as “{of}”" for column, of in table.same_columns.items()]
    return f", {listed(pairs)}" if pairs else ""


def _draw_facts(title: Markdown, facts: Sequence[tuple[str, str]]) -> None:
    lines = [f"- {literal(label)}: {literal(text)}" for label, text in facts]
    st.markdown("\n".join([f"**{title}**", "", *lines]))
