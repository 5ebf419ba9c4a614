"""What the user chose on the page on learning attacks, and what was found in this session."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from alc_core.campaign.file.store import CampaignStore
from alc_core.dashboard.choices.columns import usable_columns
from alc_core.dashboard.choices.one_attack import OneAttack
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.state.app_state import AppState
from alc_core.errors import AlcError
from alc_core.learning.example import CountsExample
from alc_core.learning.in_campaign_file import (
    keep_example,
    keep_study,
    kept_examples,
    kept_studies,
)
from alc_core.learning.results import LearningStudy
from alc_core.learning.settings import (
    EPSILONS,
    LEVELS,
    PARAMETERS,
    StudySettings,
    read_epsilons,
    written_epsilons,
)


def _default(name: str) -> float:
    return float(PARAMETERS[name].default)


@dataclass(slots=True, kw_only=True, eq=False)
class LearningChoices:
    """Choices as the widgets hold them; they may not fit together yet.

    Attributes
    ----------
    columns : OneAttack
        The unknown column and the known ones.
    epsilons : str
        Privacy budgets as text.
    levels : tuple of int
        Lowest and highest ℓ.
    merged : int
        How many groups become one, besides the tight ones.
    repetitions, belief, holdout_share, rounds, chains, ranges, bins
        As in :class:`StudySettings`.
    epsilon : float
        Of the worked example.
    studies : dict of str to LearningStudy
        Of this session, by unknown column.
    examples : dict of str to CountsExample
        Worked examples of this session, by unknown column.
    shown : str
        Unknown column of the study that is shown.
    convergence : int
        Of which groups convergence is shown: 1 for tight ones.
    study_done, example_done : bool
        Whether the page is to be drawn again with what was found.
    message : str
        What went wrong in keeping a study.
    """

    columns: OneAttack = field(default_factory=OneAttack)
    epsilons: str = written_epsilons(EPSILONS)
    levels: tuple[int, int] = (LEVELS[0], LEVELS[-1])
    merged: int = 2
    repetitions: int = int(_default("repetitions"))
    belief: float = _default("belief")
    holdout_share: float = _default("holdout_share")
    rounds: int = int(_default("rounds"))
    chains: int = int(_default("chains"))
    ranges: int = int(_default("ranges"))
    bins: int = int(_default("bins"))
    epsilon: float = _default("epsilon")
    studies: dict[str, LearningStudy] = field(default_factory=dict)
    examples: dict[str, CountsExample] = field(default_factory=dict)
    shown: str = ""
    convergence: int = 1
    study_done: bool = False
    example_done: bool = False
    message: str = ""

    def adapt(self, state: AppState) -> dict[str, list[str]]:
        """Keep what the original allows, and suggest columns where nothing is left.

        Returns
        -------
        dict of str to list of str
            Each column that can be unknown, with those that can then be known.
        """
        original = state.original_table()
        usable = usable_columns(original)
        attackable = {c: [other for other in usable if other != c] for c in usable}
        self.columns.adapt(attackable, original, state.column_roles(), start=state.start)
        return attackable

    def settings(self, state: AppState) -> StudySettings:
        """Return what a study is to try out.

        Raises
        ------
        InputError
            If the choices do not fit together; the message says what to change.
        """
        run = state.run_choices
        unknown, known = self.columns.columns()
        return StudySettings(
            unknown=unknown,
            known=known,
            missing=tuple(run.missing[unknown]) if unknown in run.missing else None,
            person=run.person if run.person not in (unknown, *known) else None,
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
    """Return the studies of this session and those in the campaign's file, by unknown column.

    What this session found about the campaign's original is kept in the file as soon as there is
    one.
    """
    if state.campaign is None:
        return dict(choices.studies)
    store = state.campaign.view.store
    kept = kept_studies(store)
    for study in choices.studies.values():
        if _is_new(study, kept.get(study.settings.unknown), store):
            with _kept_or_said(choices):
                keep_study(store, study)
    return {**kept, **choices.studies}


def known_examples(state: AppState, choices: LearningChoices) -> dict[str, CountsExample]:
    """Return the worked examples likewise; see :func:`known_studies`."""
    if state.campaign is None:
        return dict(choices.examples)
    store = state.campaign.view.store
    kept = kept_examples(store)
    for example in choices.examples.values():
        if _is_new(example, kept.get(example.unknown), store):
            with _kept_or_said(choices):
                keep_example(store, example)
    return {**kept, **choices.examples}


def _is_new(
    found: LearningStudy | CountsExample,
    kept: LearningStudy | CountsExample | None,
    store: CampaignStore,
) -> bool:
    """Return whether something is of the campaign's original, and not in its file."""
    return found.fingerprint == store.settings.original.fingerprint and found != kept


@contextmanager
def _kept_or_said(choices: LearningChoices) -> Iterator[None]:
    """Say it on the page where something could not be kept."""
    try:
        yield
    except AlcError as error:
        choices.message = literal(f"{error} The result is kept for this session only.")
