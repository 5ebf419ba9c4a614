"""The figures of the trade-offs: how to read each, and what it says of one's own attacks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pandas as pd

from alc_core.campaign.findings.sensitivity import (
    FlagGrid,
    GridCells,
    f_beta_sentence,
    few_people_sentence,
    limit_sentence,
    needed_sentence,
    prc_sentence,
)
from alc_core.figures.prc_curves import (
    equal_prc_figure,
    f_beta_figure,
    prc_parameter_figure,
)
from alc_core.figures.trade_offs import (
    equal_loss_figure,
    needed_precision_figure,
)
from alc_core.scoring.parameters import ScoringParameters

if TYPE_CHECKING:
    import plotly.graph_objects as go

HEAT_MAP = "Attacks above the limit"
"""The figure that needs a campaign."""


@dataclass(slots=True, kw_only=True)
class TradeOffChoices:
    """What the user chose on the page."""

    picture: str = HEAT_MAP  # Which figure
    level: float = 0.5  # PRC, or F-beta, of the curves that are drawn for several parameters
    same_recall: bool = False  # Whether the baseline answers for as few people as the attack
    attack: int | None = None  # Number of the attack that was clicked
    cells: GridCells = field(default_factory=GridCells)  # What was scored
    grid: FlagGrid | None = None  # As it was last drawn


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Attacks:
    """The user's attacks, as the figures take them."""

    # Finished attacks; None without a campaign or before the first result
    results: pd.DataFrame | None = None
    selected: int | None = None  # The one that is ringed
    grid: FlagGrid | None = None  # The attacks over alpha and R_min


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Picture:
    """A figure of the paper."""

    title: str  # On the button
    reading: str  # How to read it
    draw: Callable[..., go.Figure]
    # What it is given, of choices, scoring and attacks
    arguments: Callable[[TradeOffChoices, ScoringParameters, Attacks], tuple[object, ...]]
    # What it says about the user's attacks
    says: Callable[[pd.DataFrame, TradeOffChoices, ScoringParameters, int | None], str]
    leveled: bool = False  # Whether the curves' level can be chosen
    # Whether the baseline can be asked to answer for as few people as the attack
    as_in_paper: bool = False

    def made(
        self, choices: TradeOffChoices, scoring: ScoringParameters, attacks: Attacks
    ) -> go.Figure:
        """Return the figure."""
        given = self.arguments(choices, scoring, attacks)
        settings: dict[str, object] = {"selected": attacks.selected}
        if self.leveled:
            settings["level"] = choices.level
        if self.as_in_paper:
            settings["same_recall"] = choices.same_recall
        return self.draw(*given, **settings)


PICTURES: tuple[Picture, ...] = (
    Picture(
        title="Equal PRC",
        reading="Each curve joins attacks that count as equally strong: being right often about "
        "few people, at the left, or less often about everyone, at the right. Until recall is very "
        "low the curves are flat: precision decides.",
        draw=equal_prc_figure,
        arguments=lambda _, scoring, own: (scoring, own.results),
        says=lambda results, *_: prc_sentence(results),
    ),
    Picture(
        title="Effect of alpha",
        reading="The same curve for several alpha. The higher alpha, the further the curve stays "
        "flat to the left: being right about few people counts more.",
        draw=prc_parameter_figure,
        arguments=lambda _, scoring, own: (scoring, "alpha", own.results),
        says=lambda results, *_: few_people_sentence(results),
        leveled=True,
    ),
    Picture(
        title="Effect of R_min",
        reading="The same curve for several R_min, the recall at which an attack stops to count. "
        "The lower R_min, the further left the curve ends.",
        draw=prc_parameter_figure,
        arguments=lambda _, scoring, own: (scoring, "r_min", own.results),
        says=lambda results, *_: few_people_sentence(results),
        leveled=True,
    ),
    Picture(
        title="Equal ALC",
        reading="Up is a stronger attack, right a stronger baseline. On the diagonal the release "
        "gives nothing away. The better the baseline already is, the less an attack has to add to "
        "reach a limit.",
        draw=equal_loss_figure,
        arguments=lambda _, scoring, own: (own.results, scoring),
        says=lambda results, _, scoring, __: limit_sentence(results, scoring),
    ),
    Picture(
        title="Precision needed",
        reading="How right an attack has to be to count as at risk, for attacks that answer for "
        "everyone, for 1 person in 10 and so on. Each mark is to be compared with the curve of its "
        "own recall, which its text says.",
        draw=needed_precision_figure,
        arguments=lambda _, scoring, own: (scoring, own.results),
        says=lambda results, _, scoring, number: needed_sentence(results, number, scoring),
        as_in_paper=True,
    ),
    Picture(
        title="F-beta, for contrast",
        reading="What the usual F-beta would make of it. It falls with recall from the start "
        "unless beta is small, and beta alone cannot set both how late and how sharply it falls. "
        "No verdict here uses it.",
        draw=f_beta_figure,
        arguments=lambda _, scoring, own: (scoring, own.results),
        says=lambda results, _, __, number: f_beta_sentence(results, number),
        leveled=True,
    ),
)
"""In the order of the paper."""
