"""A whole study of learning attacks on one original."""

from __future__ import annotations

import numpy as np
import pandas as pd

from alc_core.attacks.naive_bayes import NaiveBayesModel
from alc_core.learning.data import study_data
from alc_core.learning.groups import study_groups
from alc_core.learning.noise import accuracy_of, exact_counts, study_noise
from alc_core.learning.results import LearningStudy
from alc_core.learning.settings import StudySettings
from alc_core.releases.registry import as_table
from alc_core.runtime.progress import CancelCallback, ProgressCallback, Reporter
from alc_core.tables.table import Table


def study_learning(
    original: Table | pd.DataFrame,
    settings: StudySettings,
    *,
    holdout: Table | pd.DataFrame | None = None,
    progress: ProgressCallback | None = None,
    cancel: CancelCallback | None = None,
) -> LearningStudy:
    """Measure what attacks learn from published counts and from groups of an original.

    Parameters
    ----------
    original : Table or DataFrame
        The table of real people. Nothing made of it leaves this function but shares and counts.
    settings : StudySettings
        What is tried.
    holdout : Table or DataFrame, optional
        People who are not in the original; without it some of the original are held out.
    progress, cancel : callable, optional
        Receives the progress; asked whether to stop.

    Returns
    -------
    LearningStudy
        The same for the same original, settings and holdout.

    Raises
    ------
    InputError
        If columns or values do not allow it; the message says what to change.
    CancelledError
        If `cancel` returns true.

    References
    ----------
    Cormode (2011), sections 2.3 and 3.2.
    """
    table = as_table(original, name="original")
    others = None if holdout is None else as_table(holdout, name="holdout")
    reporter = Reporter(progress=progress, cancel=cancel)
    reporter.report("Reading columns")
    of_data, of_noise, of_groups = np.random.SeedSequence(settings.seed).spawn(3)
    data = study_data(table, settings, holdout=others, rng=np.random.default_rng(of_data))
    exact = NaiveBayesModel.of_counts(exact_counts(data))
    belief = settings.belief
    return LearningStudy(
        original=table.name,
        fingerprint=table.fingerprint,
        settings=settings,
        members=len(data.members),
        held_out=0 if data.holdout is None else len(data.holdout),
        own_holdout=holdout is not None,
        values=data.values,
        commonest=data.commonest,
        noiseless_members=accuracy_of(exact, data.members, belief=belief),
        noiseless_holdout=None
        if data.holdout is None
        else accuracy_of(exact, data.holdout, belief=belief),
        noise=study_noise(data, settings, seed=of_noise, reporter=reporter)
        if settings.epsilons
        else None,
        groups=study_groups(data, settings, seed=of_groups, reporter=reporter)
        if settings.levels
        else None,
        notes=data.notes,
    )
