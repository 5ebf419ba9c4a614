"""Named sets of scoring parameters, each with its reason."""

from __future__ import annotations

from dataclasses import dataclass

from alc_core.campaign.file.annotations import Annotations
from alc_core.errors import ParameterError
from alc_core.scoring.parameters import ScoringParameters

_LONGEST_NAME = 60
_LONGEST_RATIONALE = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A set of scoring parameters."""

    name: str  # By which it is known
    rationale: str  # Why one would score so, and what that does
    scoring: ScoringParameters  # The parameters


# The presets that a campaign's file keeps, by name
PRESETS = Annotations("preset", str, Preset, belongs=lambda _, name, preset: name == preset.name)


# The paper's parameters, and stricter and laxer ones
BUILT_IN: tuple[Preset, ...] = (
    Preset(
        name="Paper's default",
        rationale="What the authors of the measure propose and call conservative: alpha 3, R_min "
        "0.0001, at risk from 0.5, serious from 0.75 (Francis and Wagner 2025, sections 4.1, 4.2 "
        "and 6.1). Start here, and say so if you depart from it.",
        scoring=ScoringParameters(),
    ),
    Preset(
        name="Stricter limits",
        rationale="At risk from 0.3, serious from 0.5; alpha and R_min as in the paper. For "
        "sensitive attributes, motivated attackers or a release that cannot be recalled. Every "
        "attack has the same ALC as by default, so by its ALC none is judged more mildly.",
        scoring=ScoringParameters(at_risk=0.3, serious=0.5),
    ),
    Preset(
        name="Stricter, also for few people",
        rationale="As “Stricter limits”, and being right about few people counts more: alpha 4, "
        "R_min 0.00001. For releases where harm to even a handful of people is too much. An attack "
        "whose baseline does best by answering for everyone is never judged more mildly; where "
        "the baseline, too, does best on few people, it gains as well, and ALC can fall.",
        scoring=ScoringParameters(alpha=4.0, r_min=1e-5, at_risk=0.3, serious=0.5),
    ),
    Preset(
        name="Laxer limits",
        rationale="At risk from 0.75, serious from 0.9; alpha and R_min as in the paper. For data "
        "that can do little harm, shared with few under contract: the paper's appendix A.3 argues "
        "that even ALC 0.89 can leave people enough to deny. By its ALC no attack is judged more "
        "severely than by default.",
        scoring=ScoringParameters(at_risk=0.75, serious=0.9),
    ),
)


def make_preset(name: str, rationale: str, scoring: ScoringParameters) -> Preset:
    """Return a new preset."""
    name, rationale = " ".join(name.split()), rationale.strip()
    if not name:
        raise ParameterError("The preset has no name. Enter one, such as 'Health data, public'.")
    if not rationale:
        raise ParameterError(
            f"The preset '{name}' has no rationale. Say in a sentence why you score so."
        )
    for what, text, longest in (
        ("name", name, _LONGEST_NAME),
        ("rationale", rationale, _LONGEST_RATIONALE),
    ):
        if len(text) > longest:
            raise ParameterError(
                f"The preset's {what} has {len(text)} characters, but at most {longest} are kept. "
                "Shorten it."
            )
    if name.casefold() in {preset.name.casefold() for preset in BUILT_IN}:
        raise ParameterError(f"'{name}' is built in. Choose another name.")
    return Preset(name=name, rationale=rationale, scoring=scoring)
