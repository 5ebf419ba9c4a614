"""An attack for tests: the most frequent value in the cells that agree with the person."""

import numpy as np

from alc_core.attacks.protocol import AttackType, Predictions
from alc_core.parameter import Parameter
from tests.toys.toy_release import ToyCells


class ToyLookup:
    name = "toy lookup"
    accepts = (ToyCells,)

    def __init__(self, *, smoothing: float = 1.0) -> None:
        self.smoothing = smoothing

    def prepare(self, view, rng):
        def predict(targets):
            found = np.full((len(targets), view.unknown.size), self.smoothing)
            for row in range(len(targets)):
                alike = np.ones(len(view.values), dtype=bool)
                for column, codes in view.cells.columns.items():
                    alike &= codes == targets.columns[column][row]
                np.add.at(found[row], view.values[alike], view.weights[alike])
            shares = found / found.sum(axis=1, keepdims=True)
            return Predictions.of(shares.argmax(axis=1), shares.max(axis=1), probabilities=shares)

        return predict


TOY_LOOKUP = AttackType(
    name=ToyLookup.name,
    method="Looks the person up in the cells and names their most frequent value.",
    reference="Nobody (2026)",
    accepts=ToyLookup.accepts,
    make=ToyLookup,
    parameters=(
        Parameter(
            name="smoothing", title="smoothing", help="People added to every cell.", default=1.0,
            low=0,
        ),
    ),
    seconds=(0.1, 0.01),
)  # fmt: skip
