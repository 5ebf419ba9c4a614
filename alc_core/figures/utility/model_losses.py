"""Where models lose by being trained on a release."""

from __future__ import annotations

from typing import TYPE_CHECKING

from alc_core.figures.palette import GUIDE, RELEASED
from alc_core.figures.short_names import short, wrapped
from alc_core.figures.template import LEGEND_BELOW, line, marks, new_figure, rows_axis, whiskers
from alc_core.phrasing import count, percent
from alc_core.utility.learning import LearnedTarget
from alc_core.utility.utility import Utility
from alc_core.utility.utility_text import losses_sentence

if TYPE_CHECKING:
    import plotly.graph_objects as go

_ROW, _LABEL = 34, 24


def model_losses_figure(utility: Utility) -> go.Figure:
    """Draw how well models predict each column trained on the original and on the release."""
    targets = utility.worst_targets
    rows = list(range(len(targets)))
    texts = [_hover(target) for target in targets]
    own = [target.original_accuracy for target in targets]
    theirs = [target.release_accuracy for target in targets]
    bounds = [target.interval for target in targets]
    most_frequent = [target.majority_accuracy for target in targets]
    between: list[float | None] = []
    for pair in zip(own, theirs, strict=True):
        between += [*pair, None]
    levels = [level for row in rows for level in (row, row, None)]
    left = min([*most_frequent, *(low for low, _ in bounds), *own], default=0.0)
    return new_figure(
        [
            line(between, levels, "Loss", width=3),
            marks(most_frequent, rows, "Most frequent value", colour=GUIDE, symbol="line-ns-open",
                  size=14, texts=texts),
            marks(own, rows, "Trained on the original", colour=GUIDE, size=13, texts=texts),
            marks(theirs, rows, "Trained on the release", colour=RELEASED, symbol="diamond",
                  size=13, texts=texts, error_x=whiskers(theirs, bounds, RELEASED)),
        ],
        title="Accuracy on people held out",
        height=150 + _ROW * len(targets),
        x={"title": "Share predicted right", "tickformat": ".0%", "showgrid": True,
           "range": [max(0.0, left - 0.04), 1.01]},
        y=rows_axis([short(target.target, _LABEL) for target in targets]),
        margin={"b": 84},
        legend=LEGEND_BELOW,
    )  # fmt: skip


def model_losses_alt(utility: Utility) -> str:
    """Say what :func:`model_losses_figure` shows."""
    each = "; ".join(
        f"{target.target}: {percent(target.original_accuracy)} and "
        f"{percent(target.release_accuracy)}"
        for target in utility.worst_targets
    )
    return (
        "Accuracy of models trained on the original and on the release, by predicted column, "
        f"greatest loss first. {losses_sentence(utility)} {each}."
    )


def _hover(target: LearnedTarget) -> str:
    low, high = target.interval
    points = f"{-100 * target.loss:+.1f}".replace("-", "\u2212")
    return (
        f"<b>{wrapped(target.target)}</b><br>trained on the original "
        f"{percent(target.original_accuracy)}<br>on the release {percent(target.release_accuracy)} "
        f"(95 % interval {percent(low)} to {percent(high)})<br>{points} percentage points<br>"
        f"most frequent value {percent(target.majority_accuracy)}<br>"
        f"{count(target.train_rows)} rows to train, {count(target.test_rows)} to test"
    )
