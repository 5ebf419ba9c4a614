"""Several unknown columns in turn, each known for the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from alc_core.attacks.best_row_match import BestRowMatch
from alc_core.attacks.model import ModelAttack
from alc_core.attacks.protocol import Attack, AttackType, Predictions, Predictor
from alc_core.parameter import Parameter
from alc_core.releases.microdata import Microdata, RowsView
from alc_core.scenario.targets import KnownValues
from alc_core.tables.codes.columns import CategoricalCodes
from alc_core.tables.table import TOGETHER

_Told = frozenset[int]  # Parts already predicted
_OVER: Mapping[str, Callable[[], Attack]] = {
    each.name: each for each in (BestRowMatch, ModelAttack)
}


class ChainedAttack:
    """Predict several columns in turn, the most certain first.

    The column with the highest rank score is predicted first, and then known. The joint rank score
    is the product of the scores: for a model's probabilities, the probability that all are correct
    (chain rule); for best row match 1 if rows agree in all columns.

    A combination in neither table is a wrong answer.

    Parameters
    ----------
    over : {"best row match", "model"}, default "best row match"
        The attack on each column.
    alone : bool, default False
        Attack each column without the others' predictions.

    Examples
    --------
    >>> ChainedAttack(alone=True).alone
    True
    """

    name: str = "chained"
    accepts = (Microdata,)

    def __init__(self, *, over: str = BestRowMatch.name, alone: bool = False) -> None:
        self.over, self.alone = over, alone

    def prepare(self, view: RowsView, rng: np.random.Generator) -> Predictor:
        """Return the predictor; each step learns when first needed."""
        attack, parts = _OVER[self.over](), _Parts.of(view.unknown)
        seed, every = int(rng.integers(2**31)), range(len(parts.specs))
        prepared: dict[tuple[_Told, int], Predictor] = {}

        def ask(targets: KnownValues, told: _Told, part: int) -> Predictions:
            if (told, part) not in prepared:
                own = np.random.default_rng([seed, part, *sorted(told)])
                prepared[told, part] = attack.prepare(parts.view(view, told, part), own)
            return prepared[told, part](targets)

        def predict(targets: KnownValues) -> Predictions:
            codes = np.full((len(targets), len(every)), -1, dtype=np.int32)
            scores = np.ones(len(targets))
            for _ in every:
                done = codes >= 0
                for pattern in np.unique(done, axis=0):
                    rows = np.flatnonzero((done == pattern).all(axis=1))
                    told = (
                        frozenset() if self.alone else frozenset(np.flatnonzero(pattern).tolist())
                    )
                    left = np.flatnonzero(~pattern)
                    some = parts.known(targets.take(rows), codes[rows], told)
                    made = [ask(some, told, int(part)) for part in left]
                    each = np.stack([predictions.scores for predictions in made])
                    best = each.argmax(axis=0), np.arange(len(rows))
                    values = np.stack([predictions.values for predictions in made])
                    codes[rows, left[best[0]]] = values[best]
                    scores[rows] *= each[best]
            return Predictions.of(parts.whole(codes), scores)

        return predict


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Parts:
    specs: tuple[CategoricalCodes, ...]
    of_code: NDArray[np.int32]  # Each column's code by joint code

    @classmethod
    def of(cls, unknown: CategoricalCodes) -> Self:
        names = unknown.together or (unknown.name,)
        apart = bool(unknown.together)
        pieces = [label.split(TOGETHER) if apart else [label] for label in unknown.labels]
        specs, columns = [], []
        for name, labels in zip(names, zip(*pieces, strict=True), strict=True):
            own = tuple(sorted(set(labels)))
            place = {label: code for code, label in enumerate(own)}
            specs.append(CategoricalCodes(name=name, labels=own))
            columns.append([*(place[label] for label in labels), len(own)])
        return cls(specs=tuple(specs), of_code=np.array(columns, dtype=np.int32).T)

    def view(self, view: RowsView, told: _Told, part: int) -> RowsView:
        """Return the view of an attack on one part, given predicted parts."""
        tables = tuple(
            replace(
                table,
                known=self.known(table.known, self.of_code[table.unknown], told),
                unknown=self.of_code[table.unknown, part],
                spread=None,
            )
            for table in view.tables
        )
        known = {**view.known, **{self.specs[each].name: self.specs[each] for each in sorted(told)}}
        return replace(view, tables=tables, known=known, unknown=self.specs[part], suppressed={})

    def known(self, known: KnownValues, codes: NDArray[np.int32], told: _Told) -> KnownValues:
        more = {self.specs[each].name: each for each in sorted(told)}
        return replace(
            known,
            specs={**known.specs, **{name: self.specs[each] for name, each in more.items()}},
            columns={**known.columns, **{name: codes[:, each] for name, each in more.items()}},
        )

    def whole(self, codes: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return each combination's code; the missing value's if unknown."""
        place = {tuple(each): code for code, each in enumerate(self.of_code.tolist())}
        none = len(self.of_code) - 1
        return np.array([place.get(tuple(each), none) for each in codes.tolist()], dtype=np.int64)


CHAINED = AttackType(
    name=ChainedAttack.name,
    method="Predicts several unknown columns in turn, the most certain first.",
    reference="Classifier chains: Read, Pfahringer, Holmes and Frank (2011)",
    accepts=ChainedAttack.accepts,
    make=ChainedAttack,
    seconds=(0.1, 0.01),
    chains=True,
    parameters=(
        Parameter(
            name="over",
            title="Attack on each column",
            help="Attack that predicts each column.",
            default=BestRowMatch.name,
            choices=tuple(_OVER),
        ),
        Parameter(
            name="alone",
            title="Each column alone",
            help="Attacks each column separately.",
            default=False,
        ),
    ),
)
