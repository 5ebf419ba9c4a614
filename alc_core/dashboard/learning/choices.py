"""What the user chose on the page on learning attacks, and what was found in this session."""

from __future__ import annotations

from dataclasses import dataclass, field

from alc_core.dashboard.choices.one_attack import OneAttack
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.work.beside_attacks import chosen_scenario, with_kept
from alc_core.studies.learning.example import CountsExample
from alc_core.studies.learning.kept import KEPT_EXAMPLES, KEPT_STUDIES
from alc_core.studies.learning.result import (
    EPSILONS,
    LEVELS,
    PARAMETERS,
    LearningStudy,
    StudySettings,
    read_epsilons,
    written_epsilons,
)


def _default(name: str) -> float:
    return float(PARAMETERS[name].default)


@dataclass(slots=True, kw_only=True, eq=False)
class LearningChoices:
    """Choices as the widgets hold them; they may not fit together yet."""

    columns: OneAttack = field(default_factory=OneAttack)  # The unknown column and the known ones
    epsilons: str = written_epsilons(EPSILONS)  # Privacy budgets as text
    levels: tuple[int, int] = (LEVELS[0], LEVELS[-1])  # Lowest and highest ℓ
    merged: int = 2  # How many groups become one, besides the tight ones
    repetitions: int = int(_default("repetitions"))  # As in :class:`StudySettings`
    belief: float = _default("belief")
    holdout_share: float = _default("holdout_share")
    rounds: int = int(_default("rounds"))
    chains: int = int(_default("chains"))
    ranges: int = int(_default("ranges"))
    bins: int = int(_default("bins"))
    epsilon: float = _default("epsilon")  # Of the worked example
    # Of this session, by unknown column
    studies: dict[str, LearningStudy] = field(default_factory=dict)
    # Worked examples of this session, by unknown column
    examples: dict[str, CountsExample] = field(default_factory=dict)
    shown: str = ""  # Unknown column of the study that is shown
    convergence: int = 1  # Of which groups convergence is shown: 1 for tight ones
    study_done: bool = False  # Whether the page is to be drawn again with what was found
    example_done: bool = False
    message: str = ""  # What went wrong in keeping a study

    def settings(self, state: AppState) -> StudySettings:
        """Return what a study is to try out."""
        run = state.run_choices
        scenario = chosen_scenario(state, self.columns)
        unknown = scenario.unknown
        return StudySettings(
            unknown=unknown,
            known=tuple(scenario.known),
            missing=tuple(run.missing[unknown]) if unknown in run.missing else None,
            person=scenario.person,
            epsilons=read_epsilons(self.epsilons),
            repetitions=self.repetitions,
            belief=self.belief,
            holdout_share=self.holdout_share,
            levels=tuple(range(self.levels[0], self.levels[1] + 1)),
            merged=(1, self.merged),
            rounds=self.rounds,
            chains=self.chains,
            ranges=self.ranges,
            bins=self.bins,
            seed=run.seed,
        )


def known_studies(state: AppState, choices: LearningChoices) -> dict[str, LearningStudy]:
    """Return the studies of this session and of the campaign's file, by unknown column."""
    return with_kept(state, choices, choices.studies, KEPT_STUDIES)


def known_examples(state: AppState, choices: LearningChoices) -> dict[str, CountsExample]:
    """Return the worked examples likewise."""
    return with_kept(state, choices, choices.examples, KEPT_EXAMPLES)
