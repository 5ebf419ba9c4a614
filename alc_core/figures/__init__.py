"""Figures: functions from results to plotly figures, with a text for those who cannot see them."""

from alc_core.figures.campaign import loss_scatter, loss_scatter_alt
from alc_core.figures.loss_scale import loss_scale_alt, loss_scale_figure
from alc_core.figures.palette import VERDICT_COLOURS
from alc_core.figures.precision_recall import precision_recall_alt, precision_recall_figure

__all__ = [
    "VERDICT_COLOURS",
    "loss_scale_alt",
    "loss_scale_figure",
    "loss_scatter",
    "loss_scatter_alt",
    "precision_recall_alt",
    "precision_recall_figure",
]
