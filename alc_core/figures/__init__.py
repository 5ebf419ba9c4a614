"""Figures: functions from results to plotly figures, with a text for those who cannot see them."""

from alc_core.figures.attack_matrix import loss_matrix, loss_matrix_alt
from alc_core.figures.campaign import loss_scatter, loss_scatter_alt
from alc_core.figures.closer import (
    breakdown_alt,
    breakdown_figure,
    marks_alt,
    marks_figure,
)
from alc_core.figures.compare import (
    loss_changes,
    loss_changes_alt,
    loss_distributions,
    loss_distributions_alt,
)
from alc_core.figures.drivers import (
    contribution_alt,
    contribution_figure,
    effect_alt,
    effect_figure,
    known_count_alt,
    known_count_figure,
)
from alc_core.figures.equal_loss import equal_loss_alt, equal_loss_figure
from alc_core.figures.flag_heat_map import flag_heat_map, flag_heat_map_alt
from alc_core.figures.loss_scale import loss_scale_alt, loss_scale_figure
from alc_core.figures.needed_precision import needed_precision_alt, needed_precision_figure
from alc_core.figures.palette import VERDICT_COLOURS
from alc_core.figures.prc_curves import (
    equal_prc_alt,
    equal_prc_figure,
    f_beta_alt,
    f_beta_figure,
    prc_parameter_alt,
    prc_parameter_figure,
)
from alc_core.figures.precision_recall import precision_recall_alt, precision_recall_figure
from alc_core.figures.risk_utility import risk_utility_alt, risk_utility_map

__all__ = [
    "VERDICT_COLOURS",
    "breakdown_alt",
    "breakdown_figure",
    "contribution_alt",
    "contribution_figure",
    "effect_alt",
    "effect_figure",
    "equal_loss_alt",
    "equal_loss_figure",
    "equal_prc_alt",
    "equal_prc_figure",
    "f_beta_alt",
    "f_beta_figure",
    "flag_heat_map",
    "flag_heat_map_alt",
    "known_count_alt",
    "known_count_figure",
    "loss_changes",
    "loss_changes_alt",
    "loss_distributions",
    "loss_distributions_alt",
    "loss_matrix",
    "loss_matrix_alt",
    "loss_scale_alt",
    "loss_scale_figure",
    "loss_scatter",
    "loss_scatter_alt",
    "marks_alt",
    "marks_figure",
    "needed_precision_alt",
    "needed_precision_figure",
    "prc_parameter_alt",
    "prc_parameter_figure",
    "precision_recall_alt",
    "precision_recall_figure",
    "risk_utility_alt",
    "risk_utility_map",
]
