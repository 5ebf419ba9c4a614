"""Named sets of scoring parameters with the reason for them; own ones go with the campaign."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from alc_core.campaign.file.reader import CampaignReader
from alc_core.campaign.file.store import CampaignStore
from alc_core.errors import InputError, ParameterError
from alc_core.scoring.parameters import ScoringParameters

_KIND = "preset"
_LONGEST_NAME = 60
_LONGEST_RATIONALE = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A set of scoring parameters.

    Attributes
    ----------
    name : str
        By which it is known.
    rationale : str
        Why one would score so, and what that does.
    scoring : ScoringParameters
        The parameters.
    """

    name: str
    rationale: str
    scoring: ScoringParameters

    def to_dict(self) -> dict[str, Any]:
        """Return plain values; with :meth:`from_dict` lossless."""
        return {
            "name": self.name,
            "rationale": self.rationale,
            "scoring": self.scoring.to_dict(),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Build from :meth:`to_dict`'s result."""
        return cls(
            name=str(data["name"]),
            rationale=str(data["rationale"]),
            scoring=ScoringParameters.from_dict(data["scoring"]),
        )


BUILT_IN: tuple[Preset, ...] = (
    Preset(
        name="Paper's default",
        rationale="What the authors of the measure propose and call conservative: alpha 3, R_min "
        "0.0001, at risk from 0.5, serious from 0.75 (Francis and Wagner 2025, sections 4.1, 4.2 "
        "and 6.1). Start here, and say so where you depart from it.",
        scoring=ScoringParameters(),
    ),
    Preset(
        name="Stricter limits",
        rationale="At risk from 0.3, serious from 0.5; alpha and R_min as in the paper. For "
        "sensitive attributes, motivated attackers or a release that cannot be called back. Every "
        "attack has the same ALC as by default, so by its ALC none is judged more mildly.",
        scoring=ScoringParameters(at_risk=0.3, serious=0.5),
    ),
    Preset(
        name="Stricter, also for few people",
        rationale="As “Stricter limits”, and being right about few people counts more: alpha 4, "
        "R_min 0.00001. For releases where harm to a handful of people is one too many. An attack "
        "whose baseline does best by answering for everyone is never judged more mildly; where "
        "the baseline, too, does best on few people, it gains as well, and ALC can fall.",
        scoring=ScoringParameters(alpha=4.0, r_min=1e-5, at_risk=0.3, serious=0.5),
    ),
    Preset(
        name="Laxer limits",
        rationale="At risk from 0.75, serious from 0.9; alpha and R_min as in the paper. For data "
        "that harm little, given to few under contract: the paper's appendix A.3 argues that even "
        "ALC 0.89 can leave people enough to deny. By its ALC no attack is judged more severely "
        "than by default.",
        scoring=ScoringParameters(at_risk=0.75, serious=0.9),
    ),
)
"""The paper's parameters, and stricter and laxer ones."""


def make_preset(name: str, rationale: str, scoring: ScoringParameters) -> Preset:
    """Return a preset of one's own.

    Parameters
    ----------
    name : str
        Not that of a built-in one; at most 60 characters.
    rationale : str
        The reason, so that others can follow it; at most 1000 characters.
    scoring : ScoringParameters
        The parameters.

    Raises
    ------
    ParameterError
        If name or rationale is missing, too long, or the name is taken.
    """
    name, rationale = " ".join(name.split()), rationale.strip()
    if not name:
        raise ParameterError("The preset has no name. Give one, such as 'Health data, public'.")
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


def keep_preset(store: CampaignStore, preset: Preset) -> None:
    """Keep a preset in the campaign's file, in place of one of the same name.

    Raises
    ------
    CampaignFileError
        If the file cannot be written.
    """
    store.annotate(_KIND, preset.name, preset.to_dict())


def remove_preset(store: CampaignStore, name: str) -> None:
    """Remove a preset from the campaign's file; nothing happens where there is none.

    Raises
    ------
    CampaignFileError
        If the file cannot be written.
    """
    store.annotate(_KIND, name, None)


def kept_presets(store: CampaignReader) -> tuple[Preset, ...]:
    """Return the presets in a campaign's file, by name.

    Raises
    ------
    InputError
        If one of them cannot be read.
    """
    found = []
    for name, content in store.annotations(_KIND).items():
        try:
            found.append(Preset.from_dict(content))
        except (KeyError, TypeError, ParameterError) as error:
            raise InputError(
                f"The preset '{name}' in '{store.path}' cannot be read. Remove it, or open another "
                "copy of the campaign."
            ) from error
    return tuple(found)
