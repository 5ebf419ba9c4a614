"""The table of attacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from alc_core.campaign.findings.decisions import Decision, decision_label
from alc_core.campaign.findings.findings_table import measure_columns
from alc_core.campaign.findings.overview import (
    STANDINGS,
    CampaignOverview,
    below_limit_exposing,
    bounds_text,
)
from alc_core.campaign.findings.subsets import through_text
from alc_core.campaign.findings.view import CampaignView
from alc_core.dashboard.markdown import Markdown, literal
from alc_core.figures.looks import LOOKS
from alc_core.glossary import explain
from alc_core.phrasing import alc_number, count, numbered, sentence_case
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import Perhaps, Verdict, perhaps, standing_words

_ROWS_SHOWN = 10
# Colours of verdicts that leave something open
_OPEN = {
    f"{LOOKS[standing].icon} {standing_words(standing, more)}": LOOKS[standing].colour
    for standing in (Verdict.AT_RISK, Verdict.INCONCLUSIVE)
    for more in Perhaps
}
_EXPOSING = "▲ exposes many"  # Beside a verdict below the limit
_THROUGH = ["standing", "standing_alc", "through", "through_known"]
_ROW, _HEAD = 35, 38
_FAILURES_SHOWN = 200

APPROXIMATED = "≈: approximate."


def draw_attacks(
    table: pd.DataFrame,
    *,
    alt: str,
    key: str | None = None,
    order: Sequence[str] | None = None,
    extra: Mapping[str, Any] | None = None,
    scoring: ScoringParameters | None = None,
    on_select: Callable[[], None] | None = None,
) -> None:
    """Draw attacks in a table."""
    selecting: Any = "ignore" if on_select is None else on_select
    st.dataframe(
        table,
        key=key,
        hide_index=True,
        lazy=False,
        height=table_height(len(table)),
        column_order=order,
        column_config={**_columns(scoring), **(extra or {})},
        selection_mode=["single-row", "single-cell"],
        on_select=selecting,
        alt=alt,
    )


def table_of(
    shown: pd.DataFrame, overview: CampaignOverview, made: Mapping[int, Decision]
) -> pd.DataFrame:
    """Return the table's rows of attacks, with decisions."""
    # An ALC without anything left to learn, or without convergence, means nothing
    told = ~shown["standing"].isin((Verdict.NOT_TESTABLE, Verdict.NOT_CONVERGED))
    bounds = ["standing_low", "standing_high", "interval_exact"]
    table = pd.DataFrame(
        {
            "verdict": _verdict_chips(shown, overview.scoring),
            "unknown": shown["unknown"],
            "release": shown["release"],
            # As elsewhere: never up to a limit
            "alc": shown["standing_alc"].clip(lower=0.0).map(alc_number).astype(float).where(told),
            "exposed": shown["exposed"].round(),
            "at_most": shown["exposed_high"].clip(lower=0).round(),
            "decision": [decision_label(made.get(number)) for number in shown["number"].tolist()],
            "through": [
                sentence_case(through_text(row)) for row in shown[_THROUGH].to_dict("records")
            ],
            "attack": shown["attack"],
            "interval": [
                bounds_text(low, high, exact=exact) if tested else ""
                for low, high, exact, tested in _rows(shown[bounds].assign(told=told))
            ],
            "precision": per_cent(shown["deciding_measured_precision"]),
            "compared": per_cent(shown["compared_measured_precision"]),
            "recall": per_cent(shown["deciding_recall"]),
            **{
                column.title: shown[column.name]
                for column in measure_columns(shown, like_alc=False)
            },
            "n_known": shown["n_known"],
            "known": shown["known"],
            "reason": shown["reason"],
            "number": shown["number"],
        }
    )
    left_out = {
        "reason": table["reason"].isna().all(),
        "release": len(overview.releases) < 2,
        "attack": overview.results["attack"].nunique() < 2,
        "decision": not made,
        "through": overview.results["through"].isna().all(),
    }
    return table.drop(columns=[column for column, spare in left_out.items() if spare])


def _verdict_chips(shown: pd.DataFrame, scoring: ScoringParameters) -> list[list[str]]:
    chips = [
        [f"{LOOKS[standing].icon} {standing_words(standing, more)}"]
        for standing, alc, low, high in _rows(
            shown[["standing", "standing_alc", "standing_low", "standing_high"]]
        )
        for more in [perhaps(standing, alc, low, high, scoring)]
    ]
    for chip, many in zip(chips, below_limit_exposing(shown), strict=True):
        if many:
            chip.append(_EXPOSING)
    return chips


def _rows(table: pd.DataFrame) -> Iterator[tuple[Any, ...]]:
    return zip(*(table[column].tolist() for column in table), strict=True)


def as_chips(standings: pd.Series) -> pd.Series:
    """Return lists of one label, drawn as chips."""
    return standings.map(lambda standing: [LOOKS[standing].label]).astype(object)


def table_height(rows: int) -> int:
    """Return the height of a table showing all, or the first rows."""
    return _HEAD + _ROW * min(max(rows, 1), _ROWS_SHOWN) + 2


def draw_failures(view: CampaignView) -> None:
    """Draw failed attacks with reasons, folded if several."""
    failures = view.failures
    if not failures:
        return
    words = f"{numbered(len(failures), 'attack')} failed"
    with st.expander(words, icon=":material/error:", expanded=len(failures) == 1):
        first = list(failures.items())[:_FAILURES_SHOWN]
        rows = [(view.attack(number), reason) for number, reason in first]
        table = pd.DataFrame(
            {
                "reason": [reason for _, reason in rows],
                "unknown": [attack.scenario.wanted for attack, _ in rows],
                "known": [", ".join(attack.scenario.known) for attack, _ in rows],
                "release": [attack.release for attack, _ in rows],
            }
        )
        draw_attacks(table, alt="Attacks that failed.")
        if len(failures) > len(first):
            st.caption(literal(f"The first {count(len(first))}; all are in the CSV file."))


def _columns(scoring: ScoringParameters | None) -> dict[str, Any]:
    config = st.column_config
    limits = (
        ""
        if scoring is None
        else (f" At risk: {scoring.at_risk:g} or higher; serious: {scoring.serious:g}.")
    )
    chip: dict[str, Any] = {
        "options": [LOOKS[each].label for each in STANDINGS],
        "color": [LOOKS[each].colour for each in STANDINGS],
        "width": 125,
    }
    return {
        "verdict": config.MultiselectColumn(
            "Verdict", options=[*chip["options"], *_OPEN, _EXPOSING], width=282,
            color=[*chip["color"], *_OPEN.values(), LOOKS[Verdict.AT_RISK].colour],
            help="“Perhaps”: the interval reaches the next limit.",
        ),
        "through": config.TextColumn(
            "With fewer facts", width=200,
            help="The attack with fewer facts that sets this verdict.",
        ),
        "before": config.MultiselectColumn("Before", **chip),
        "after": config.MultiselectColumn("Now", **chip),
        "alc": config.ProgressColumn(
            "ALC", min_value=0.0, max_value=1.0, format="%.2f", width=88,
            help=f"{explain('ALC')}{limits}",
        ),
        "unknown": config.TextColumn("Unknown", help=explain("unknown column"), width=115),
        "known": config.TextColumn("Known", help=explain("known columns"), width=200),
        "n_known": config.NumberColumn("Facts", width=58),
        "release": config.TextColumn("Release", help=explain("release"), width=130),
        "attack": config.TextColumn("Attack", help=explain("attack"), width=122),
        "exposed": config.NumberColumn(
            "Exposed", help=explain("people exposed"), format="%d", width=72
        ),
        "at_most": config.NumberColumn(
            "At most", format="%d", width=72
        ),
        "precision": config.NumberColumn(
            "Precision", help=explain("precision"), format="%.3g%%", width=76
        ),
        "compared": config.NumberColumn(
            "Guess", format="%.3g%%", width=66,
            help="Precision of the best guess.",
        ),
        "recall": config.NumberColumn("Recall", help=explain("recall"), format="%.3g%%", width=76),
        "interval": config.TextColumn(
            "ALC interval", help=f"{explain('interval')} {APPROXIMATED}", width=100
        ),
        "decision": config.TextColumn(
            "Decision", width=105
        ),
        "number": config.NumberColumn(
            "No.", width=48
        ),
        "reason": config.TextColumn("Why", width="large"),
    }  # fmt: skip


def per_cent(shares: pd.Series) -> pd.Series:
    """Return percentages, never rounded to a false 100."""
    return (100 * shares).mask(shares < 1, (100 * shares).clip(upper=99.9))


def table_caption(shown: pd.DataFrame, overview: CampaignOverview) -> Markdown:
    """Say how many of the attacks with a result are shown, unless all."""
    total, part = len(overview.results), len(shown)
    some = f"{count(part)} of {count(total)} attacks." if part < total else ""
    approximated = "" if overview.interval_exact else f" {APPROXIMATED}"
    return f"{some}{approximated}"
