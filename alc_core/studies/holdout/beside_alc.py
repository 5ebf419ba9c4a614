"""Residual risk beside the anonymity loss of the same attack: where they disagree, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from alc_core.assessment.words import VERDICT_TITLES
from alc_core.campaign.findings.overview import CampaignOverview
from alc_core.campaign.model import PlannedAttack
from alc_core.phrasing import alc_number, percent
from alc_core.scoring.verdict import Verdict
from alc_core.studies.holdout.result import HoldoutAttack, HoldoutResult
from alc_core.studies.holdout.words import attack_row, leaks, nothing_left, ranged, risk_words

ALC, STANDING = "ALC", "Standing"

_MOST_SENTENCES = 3


def same_attack(
    attacks: Sequence[PlannedAttack],
    overview: CampaignOverview,
    release: str,
    found: HoldoutAttack,
) -> dict[str, Any] | None:
    """Return what a campaign found by the same attack; None where it has none."""
    finished = set(overview.results["number"].tolist())
    for attack in attacks:
        scenario = attack.scenario
        if (
            attack.number in finished
            and (attack.release, attack.attack, scenario.unknown)
            == (release, found.attack, found.unknown)
            and set(scenario.known) == set(found.known)
        ):
            return overview.row(attack.number)
    return None


def beside_rows(
    attacks: Sequence[PlannedAttack], overview: CampaignOverview | None, result: HoldoutResult
) -> list[dict[str, str]]:
    """Return the attacks of a result as the rows of a table, with ALC where there is one."""
    rows = []
    for found in result.attacks:
        beside: dict[str, str] = {}
        if overview is not None:
            alc = same_attack(attacks, overview, result.release, found)
            beside[ALC] = "" if alc is None else alc_number(float(alc["decisive_alc"]))
            beside[STANDING] = "" if alc is None else VERDICT_TITLES[Verdict(str(alc["standing"]))]
        rows.append(attack_row(found, beside))
    return rows


def disagreements(
    attacks: Sequence[PlannedAttack], overview: CampaignOverview, result: HoldoutResult
) -> tuple[str, ...]:
    """Say where residual risk and ALC of the same attack point different ways, and why."""
    limit = overview.scoring.at_risk
    found, both = [], 0
    for attack in result.attacks:
        row = same_attack(attacks, overview, result.release, attack)
        if row is None or row["decisive_alc"] != row["decisive_alc"]:
            continue
        both += 1
        flagged = float(row["decisive_alc"]) >= limit
        if flagged != leaks(attack.risk):
            found.append((abs(attack.risk.value - float(row["decisive_alc"])), attack, row))
    if not both:
        return ()
    if not found:
        return ("Residual risk and ALC point the same way in every attack that has both.",)
    found.sort(key=lambda each: -each[0])
    return tuple(_why(attack, row, limit) for _, attack, row in found[:_MOST_SENTENCES])


def _why(attack: HoldoutAttack, row: dict[str, Any], limit: float) -> str:
    alc = alc_number(float(row["decisive_alc"]))
    facts = (
        f"Attack {row['number']}, '{attack.unknown}': ALC {alc}, residual risk "
        f"{risk_words(attack.risk)}."
    )
    if leaks(attack.risk):
        baseline = percent(float(row["compared_measured_precision"]))
        return (
            f"{facts} The release tells more of members than of others, but ALC stays below "
            f"{limit:g}: a model of other people's data is right in {baseline} as it is, or the "
            "gain is small."
        )
    if nothing_left(attack.others):
        return (
            f"{facts} Others are guessed almost always ({ranged(attack.others.success)}): little "
            "is left that members could be guessed better."
        )
    recall = float(row["deciding_recall"])
    few = (
        f" ALC counts the {percent(recall)} of people whom the attack is surest of, residual risk "
        "everybody."
    )
    return (
        f"{facts} Over all people, members are guessed no more often than others: what the attack "
        f"finds may be known of the population.{few if recall < 1 else ''}"
    )
