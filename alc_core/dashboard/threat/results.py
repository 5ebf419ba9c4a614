"""What was found: numbers, pictures, one person, and whether the chains can be relied on."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.charts import draw_chart
from alc_core.dashboard.state.session import bind
from alc_core.dashboard.threat.choices import Measured, ThreatChoices
from alc_core.errors import AlcError
from alc_core.figures.relative_threat import (
    threat_levels,
    threat_levels_alt,
    threat_scatter,
    threat_scatter_alt,
    victim_alt,
    victim_bars,
)
from alc_core.studies.relative_threat.result import (
    ThreatResult,
    ThreatSummary,
    level_sentence,
    threat_sentence,
)
from alc_core.studies.relative_threat.words import (
    MEANINGS,
    card_texts,
    comparison_sentences,
    summary_rows,
    victim_sentence,
)

NOT_KNOWN = "(not known)"


def draw_kept(threats: Mapping[str, ThreatSummary]) -> None:
    """Draw all measured threats in one table."""
    st.subheader("Measured releases")
    st.dataframe(
        pd.DataFrame(summary_rows(list(threats.values()))), hide_index=True, lazy=False,
        alt="Relative threat of each measured release.",
    )  # fmt: skip


def draw_measured(choices: ThreatChoices, found: Measured) -> None:
    """Draw the threat that was measured last."""
    st.subheader(f"{literal(found.summary.release)}: {literal(found.summary.unknown)}")
    draw_summary(found.summary)
    if found.result.comparison is not None:
        st.markdown("**Members and people of the holdout**")
        for sentence in comparison_sentences(found.result.comparison):
            st.markdown(literal(sentence))
    _draw_level(choices, found)
    left, right = st.columns(2)
    for column, who in ((left, "attacker"), (right, "learner")):
        with column:
            draw_chart(threat_scatter(found.result, who), key=f"threat_scatter_{who}",
                       name=f"threat-{who}", alt=threat_scatter_alt(found.result, who))  # fmt: skip
            histogram = found.summary.of_attacker if who == "attacker" else found.summary.of_learner
            if histogram is not None:
                level = choices.level if who == "attacker" else None
                draw_chart(threat_levels(histogram, who, level), key=f"threat_levels_{who}",
                           name=f"threat-levels-{who}",
                           alt=threat_levels_alt(histogram, who, level))  # fmt: skip
    _draw_victim(choices, found)


def draw_summary(found: ThreatSummary) -> None:
    """Draw the numbers of a threat, and first of all whether they can be relied on."""
    if found.converged:
        st.caption(literal(found.chains))
    else:
        st.error(literal(found.notes[0]), icon=":material/error:")
        st.caption(literal(found.chains))
    st.info(literal(threat_sentence(found)), icon=":material/lightbulb:")
    cards = card_texts(found)
    with st.container(key="numbers"):
        columns = st.columns(4)
    for number, (title, value, meaning) in enumerate(cards):
        columns[number % 4].metric(literal(title), literal(value), help=literal(meaning))
    for note in found.notes[0 if found.converged else 1 :]:
        st.caption(literal(note))


def _draw_level(choices: ThreatChoices, found: Measured) -> None:
    st.slider(
        "Relative threat level from which on a person counts", 1.0, 20.0, step=0.25,
        help=literal(MEANINGS["level"]), **bind(choices, "level"),
    )  # fmt: skip
    st.caption(literal(level_sentence(found.result, choices.level)))


def _draw_victim(choices: ThreatChoices, found: Measured) -> None:
    st.subheader("What if: one person")
    st.markdown(
        "Say what is known of a person who is in the release, and see what attacker and learner "
        "conclude. Nothing of this is kept."
    )
    options = found.prepared.release.coding.options()
    columns = st.columns(min(4, len(options)))
    for number, (name, values) in enumerate(options.items()):
        chosen = columns[number % len(columns)].selectbox(
            literal(name), [NOT_KNOWN, *values], key=f"threat_victim_{number}"
        )
        choices.victim.pop(name, None)
        if chosen != NOT_KNOWN:
            choices.victim[name] = str(chosen)
    if not choices.victim:
        return
    try:
        about = found.about(choices.victim)
    except AlcError as error:
        st.warning(literal(error), icon=":material/warning:")
        return
    draw_about(about, key="threat_victim")


def draw_about(result: ThreatResult, *, key: str) -> None:
    """Draw what is concluded about a person."""
    draw_chart(victim_bars(result), key=key, name="victim", alt=victim_alt(result))
    st.caption(literal(victim_sentence(result)))
