"""The paper's loop for attacks on one target at a time."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from typing import cast

import numpy as np
import pandas as pd

from alc_core.arrays import CodeArray
from alc_core.assessment.loop import RunSettings, attack_loop
from alc_core.assessment.result import Assessment
from alc_core.assessment.run import Run
from alc_core.attacks.protocol import Predictions
from alc_core.attacks.registry import refusal
from alc_core.baselines.families import Family
from alc_core.errors import AlcError, InputError
from alc_core.releases.microdata import Microdata, RowsView
from alc_core.releases.registry import ReleaseLike, as_release
from alc_core.scenario.scenario import Scenario
from alc_core.scenario.targets import KnownValues
from alc_core.scoring.parameters import LoopParameters, ScoringParameters
from alc_core.tables.apart.read import TableLike, as_table
from alc_core.tables.codes.encode import CategoricalCodes


class RowLoop:
    """Yields each target's known attributes, and takes one answer for each.

    Parameters
    ----------
    original, release, scenario, families, scoring, loop, seed, accept
        As for :func:`assess`.
    name : str
        Of the attack.

    Attributes
    ----------
    released : tuple of DataFrame
        Released tables with the unknown attribute and a known one, with those columns. Categories
        are labels, and a continuous unknown attribute is its bin's label. A generalized known value
        is its label, empty for an empty cell; an unknown one is its likeliest value.

    Raises
    ------
    PreflightError, InputError
        As :func:`assess`.

    Examples
    --------
    >>> loop = RowLoop(original, release, scenario)  # doctest: +SKIP
    >>> for target in loop:  # doctest: +SKIP
    ...     table = loop.released[0]
    ...     same = table[table["age"] == target["age"]]
    ...     if len(same):
    ...         loop.predict(same["income"].mode()[0], score=1 / len(same))
    ...     else:
    ...         loop.abstain()
    >>> loop.assessment.alc  # doctest: +SKIP

    References
    ----------
    Francis and Wagner (2025), section 5.
    """

    def __init__(
        self,
        original: TableLike,
        release: ReleaseLike,
        scenario: Scenario,
        *,
        name: str = "own attack",
        families: Sequence[Family] | None = None,
        scoring: ScoringParameters | None = None,
        loop: LoopParameters | None = None,
        seed: int = 0,
        accept: Collection[str] = (),
    ) -> None:
        table = as_table(original, name="original")
        published = as_release(release, table)
        if reason := refusal((Microdata,), published):
            raise InputError(f"A loop over rows {reason}. Choose another release.")
        settings = RunSettings(
            scoring=scoring or ScoringParameters(),
            loop=loop or LoopParameters(),
            seed=seed,
            families=families,
        )
        run = Run.of(table, published, scenario, settings, accept=accept)
        self._batches = attack_loop(run.prepared, run.baseline, settings, attack_name=name)
        view = cast(RowsView, run.prepared.view)
        self._labels = view.unknown
        self._codes = {label: code for code, label in enumerate(self._labels.labels)}
        self.released = tuple(
            _decode(part.known).assign(**{scenario.unknown: _labels(self._labels, part.unknown)})
            for part in view.tables
        )
        self._answers: list[tuple[int, float] | None] = []
        self._assessment: Assessment | None = None

    def __iter__(self) -> Iterator[dict[str, object]]:
        """Yield each target's known attributes by column; None if missing."""
        targets = next(self._batches)
        while True:
            self._answers = []
            for number, row in enumerate(_decode(targets).to_dict("records"), start=1):
                yield {str(column): value for column, value in row.items()}
                if len(self._answers) != number:
                    raise AlcError(
                        f"{len(self._answers)} answers for {number} targets. Call predict() or "
                        "abstain() for each."
                    )
            try:
                abstained = [answer is None for answer in self._answers]
                answers = (answer or (0, 0.0) for answer in self._answers)
                values, scores = zip(*answers, strict=True)
                targets = self._batches.send(Predictions.of(values, scores, abstained))
            except StopIteration as stop:
                self._assessment = stop.value
                return

    def predict(self, value: object, *, score: float) -> None:
        """Predict the current target's label of the unknown attribute.

        Raises
        ------
        InputError
            If neither original nor release has the label, or the score is not finite.
        """
        if not math.isfinite(score):
            raise InputError(f"A score must be a finite number, not {score}. Call abstain().")
        missing = value is None or value != value
        code = len(self._codes) if missing else self._codes.get(str(value))
        if code is None:
            raise InputError(
                f"The predicted value of '{self._labels.name}' is unknown. Predict a value of "
                "`released`."
            )
        self._answers.append((code, float(score)))

    def abstain(self) -> None:
        """Make no prediction for the current target."""
        self._answers.append(None)

    @property
    def assessment(self) -> Assessment:
        """The result of the finished loop.

        Raises
        ------
        AlcError
            If it has not finished.
        """
        if self._assessment is None:
            raise AlcError("The loop has not ended: iterate until it stops.")
        return self._assessment


def _labels(codes: CategoricalCodes, values: CodeArray) -> np.ndarray:
    return np.array([*codes.labels, None], dtype=object)[values]


def _decode(known: KnownValues) -> pd.DataFrame:
    decoded: dict[str, np.ndarray] = {}
    for column, spec in known.specs.items():
        sets = known.set_columns.get(column)
        if sets is None and column not in known.columns:
            continue
        values = known.columns[column] if sets is None else sets.single
        if isinstance(spec, CategoricalCodes):
            decoded[column] = _labels(spec, np.asarray(values, dtype=np.int32))
        else:
            decoded[column] = values
        if sets is not None:
            labels = np.array([*sets.labels, None], dtype=object)[sets.codes]
            decoded[column] = np.where(sets.labelled, labels, decoded[column].astype(object))
    return pd.DataFrame(decoded)
