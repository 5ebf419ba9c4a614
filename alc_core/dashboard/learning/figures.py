"""The figures of a study, each with a sentence on what it shows."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from alc_core.dashboard.learning.choices import LearningChoices
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.charts import draw_chart
from alc_core.dashboard.state.session import bind
from alc_core.figures.learning import (
    belief_alt,
    belief_figure,
    convergence_alt,
    convergence_figure,
    groups_alt,
    groups_figure,
    noise_alt,
    noise_figure,
)
from alc_core.studies.learning.result import PREDICTORS, LearningStudy
from alc_core.studies.learning.words import (
    PREDICTOR_MEANINGS,
    belief_sentence,
    convergence_sentence,
    groups_sentence,
    impossible_sentence,
    merged_words,
    noise_sentence,
    run_sentence,
)


def draw_choice(choices: LearningChoices, studies: Mapping[str, LearningStudy]) -> LearningStudy:
    """Draw the choice among several studies; return the one to show."""
    names = list(studies)
    if choices.shown not in studies:
        choices.shown = names[-1]
    if len(names) > 1:
        st.segmented_control(
            "Study of the unknown column", names, format_func=literal, required=True,
            **bind(choices, "shown"),
        )  # fmt: skip
    return studies[choices.shown]


def draw_study(choices: LearningChoices, study: LearningStudy) -> None:
    """Draw the figures of a study."""
    st.caption(literal(run_sentence(study)))
    if study.notes:
        st.caption(literal(" ".join(study.notes)))
    if study.noise is not None:
        _draw_noise(study)
    if study.groups is not None:
        _draw_groups(choices, study)


def _draw_noise(study: LearningStudy) -> None:
    st.subheader("Published counts with noise")
    st.markdown(
        "For each known column one table is published: how many people have each of its values "
        "together with each value of the unknown column, with the noise that ε-differential "
        "privacy asks for. From these tables alone the attacker learns a naive Bayes classifier."
    )
    draw_chart(noise_figure(study), key="learning_noise", name="accuracy-by-epsilon",
               alt=noise_alt(study))  # fmt: skip
    _say(noise_sentence(study))
    draw_chart(belief_figure(study), key="learning_belief", name="accuracy-above-belief",
               alt=belief_alt(study))  # fmt: skip
    _say(belief_sentence(study))


def _draw_groups(choices: LearningChoices, study: LearningStudy) -> None:
    st.subheader("Groups in which values are shuffled")
    st.markdown(
        "Anatomy publishes everybody's known columns as they are, and for each group of people "
        "which values of the unknown column occur in it, but not who has which. The deFinetti "
        "attack guesses who has which, learns a classifier from its guesses, and guesses anew."
    )
    merged = list(study.merged)
    if not merged:
        st.info(literal(impossible_sentence(study)), icon=":material/info:")
        return
    with st.expander("The three predictors"):
        st.markdown(
            "\n".join(
                f"- **{literal(each.capitalize())}** {literal(PREDICTOR_MEANINGS[each])}."
                for each in PREDICTORS
            )
        )
    for number in merged:
        draw_chart(groups_figure(study, number), key=f"learning_groups_{number}",
                   name=f"accuracy-by-l-{number}", alt=groups_alt(study, number))  # fmt: skip
        _say(groups_sentence(study, number))
    if choices.convergence not in merged:
        choices.convergence = merged[0]
    if len(merged) > 1:
        st.segmented_control(
            "Convergence of", merged, format_func=merged_words, required=True,
            **bind(choices, "convergence"),
        )  # fmt: skip
    draw_chart(convergence_figure(study, choices.convergence), key="learning_convergence",
               name="convergence", alt=convergence_alt(study, choices.convergence))  # fmt: skip
    _say(convergence_sentence(study, choices.convergence))


def _say(sentence: str) -> None:
    """Draw what a figure shows."""
    st.info(literal(sentence), icon=":material/lightbulb:")
