"""ALC beside risk numbers: the worst attack on the same release, and where the two disagree."""

from __future__ import annotations

from dataclasses import dataclass

from alc_core.assessment.words import VERDICT_TITLES, loss_text
from alc_core.campaign.findings.view import CampaignView
from alc_core.phrasing import percent
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import FLAGGED, Verdict
from alc_core.studies.risk_numbers.classes import least_size
from alc_core.studies.risk_numbers.result import RiskNumbers, RowsAre

_HARMLESS = (Verdict.SAFE, Verdict.NO_LOSS)


@dataclass(frozen=True, slots=True, kw_only=True)
class AlcBeside:
    """The worst attack on a release."""

    number: int  # Of the attack
    unknown: str  # What it learns
    standing: str  # Its verdict
    alc: float  # The ALC that it stands on
    # Whether it knows none but the known columns of the risk numbers. Such an attack is taken where
    # there is one.
    knows_no_more: bool


def worst_attack(
    view: CampaignView, scoring: ScoringParameters, found: RiskNumbers
) -> AlcBeside | None:
    """Return the worst attack of a campaign on the release; None where none has a result."""
    if found.release not in view.attacked_releases:
        return None
    if found.fingerprint != view.settings.original.fingerprint:
        return None
    overview = view.only(found.release).overview(scoring)
    planned = {attack.number: attack for attack in view.judged}
    numbers = [number for number in overview.results["number"].tolist() if number in planned]
    known = set(found.settings.known)
    alike = [number for number in numbers if set(planned[number].scenario.known) <= known]
    if not numbers:
        return None
    number = (alike or numbers)[0]
    standing, alc = overview.stands(number)
    return AlcBeside(
        number=number,
        unknown=planned[number].scenario.unknown,
        standing=standing,
        alc=alc,
        knows_no_more=bool(alike),
    )


def alc_sentence(beside: AlcBeside) -> str:
    """Say what the worst attack found."""
    which = "that knows no more than these columns" if beside.knows_no_more else "on this release"
    more = "" if beside.knows_no_more else " Every attack of the campaign knows other columns, too."
    alc = f", ALC {loss_text(beside.alc)}" if beside.alc > 0 else ""
    title = VERDICT_TITLES[Verdict(beside.standing)].lower()
    return f"The worst attack {which} learns '{beside.unknown}': {title}{alc}.{more}"


def disagreement(found: RiskNumbers, beside: AlcBeside) -> str:
    """Say why risk numbers and ALC disagree; empty where they do not, or nothing is decided."""
    flagged, harmless = beside.standing in FLAGGED, beside.standing in _HARMLESS
    if found.rows_are is RowsAre.CHANGED or found.released is None:
        if not harmless or not found.original.unique:
            return ""
        return (
            f"{percent(found.original.unique)} of the original's people are unique in these "
            "columns, yet the attack gains little or nothing: the release's rows do not lead to "
            "them."
        )
    least = least_size(found.settings.threshold)
    above = found.released.below(least)
    if flagged and not above:
        return _hidden_yet_lost(found, beside, least)
    if harmless and above:
        return (
            f"{percent(above)} of the rows are in classes below {least}, yet the attack gains "
            "little or nothing over a guess: to find somebody's row tells little more than is "
            "known of people like them."
        )
    return ""


def _hidden_yet_lost(found: RiskNumbers, beside: AlcBeside, least: int) -> str:
    """Say why an attack learns something from large classes."""
    start = f"No class is smaller than {least}, yet the attack learns '{beside.unknown}':"
    spread = next((each for each in found.diversity if each.column == beside.unknown), None)
    if spread is not None and spread.one_value:
        return (
            f"{start} {percent(spread.one_value)} of the rows are in classes with one value of it "
            "(ℓ = 1). Who knows the class need not find the row."
        )
    if not beside.knows_no_more:
        extra = "it knows further columns, which make smaller classes."
        return f"{start} {extra}"
    far = "" if spread is None else f" (t = {spread.closeness:.2f})"
    return (
        f"{start} classes differ in its values{far}, and k says how many share a class, not what "
        f"they share."
    )
