"""From a campaign to what to change in one of its releases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from alc_core.baselines.families import Family
from alc_core.campaign.findings.decisions import ASKING
from alc_core.campaign.findings.findings_table import FINISHED
from alc_core.campaign.findings.view import CampaignView
from alc_core.errors import InputError
from alc_core.explain.drivers import attack_losses, attack_pairs, contributions
from alc_core.phrasing import numbered
from alc_core.releases.release import Release, without_rows
from alc_core.remedies.proposing import candidate_columns, coarser
from alc_core.remedies.results import RemedyStudy
from alc_core.remedies.searching import Search, SearchLimits
from alc_core.remedies.trying import FlaggedAttack, Trials
from alc_core.runtime.progress import CancelCallback, ProgressCallback, Reporter
from alc_core.scoring.parameters import ScoringParameters
from alc_core.tables.table import Table

_NOTHING_ADDED: Mapping[str, float] = MappingProxyType({})


def untried(release: Release) -> str:
    """Say why no changes of a release can be tried; empty where they can."""
    return without_rows(release, "Changes cannot be tried: that needs")


def flagged_numbers(
    view: CampaignView, release: str, *, scoring: ScoringParameters | None = None
) -> tuple[int, ...]:
    """Return the attacks on a release that are :data:`ASKING`, worst first."""
    frame = view.frame(scoring or view.settings.scoring)
    here = (frame["release"] == release) & (frame["status"] == FINISHED)
    flagged = frame[here & frame["verdict"].isin(ASKING)]
    worst_first = flagged.sort_values(["decisive_alc", "number"], ascending=[False, True])
    return tuple(worst_first["number"].tolist())


def flagged_attacks(
    view: CampaignView, release: str, *, scoring: ScoringParameters | None = None
) -> tuple[FlaggedAttack, ...]:
    """Return what :func:`flagged_numbers` names, with what came of them."""
    numbers = flagged_numbers(view, release, scoring=scoring)
    return tuple(
        FlaggedAttack(planned=view.attack(number), run=view.assessment(number, scoring))
        for number in numbers
    )


def column_contributions(view: CampaignView, attacks: Sequence[FlaggedAttack]) -> dict[str, float]:
    """Return the most that each known column adds to the ALC of flagged attacks, where known."""
    losses = attack_losses(view.rescored(view.settings.scoring))
    pairs = attack_pairs(view.attacks, losses)
    added: dict[str, float] = {}
    for attack in attacks:
        for each in contributions(attack.planned.number, pairs, losses):
            added[each.attribute] = max(added.get(each.attribute, 0.0), each.difference)
    return added


def try_changes(
    original: Table,
    release: Release,
    attacks: Sequence[FlaggedAttack],
    *,
    scoring: ScoringParameters | None = None,
    added: Mapping[str, float] = _NOTHING_ADDED,
    limits: SearchLimits | None = None,
    families: Sequence[Family] | None = None,
    progress: ProgressCallback | None = None,
    cancel: CancelCallback | None = None,
) -> RemedyStudy:
    """Try which changes of a release bring its flagged attacks below the limit.

    Every change is made in memory and the same attacks are run on the changed release, with the
    targets, seed, scoring and baselines of the campaign.
    """
    if reason := untried(release):
        raise InputError(reason)
    if not attacks:
        raise InputError(f"No attack on '{release.name}' is flagged, so nothing is to be changed.")
    limits, run = limits or SearchLimits(), attacks[0].run
    chosen = _worst_of_each(attacks)[: limits.attacks]
    trials = Trials.of(
        original, release, chosen, scoring=scoring or run.scoring, seed=run.seed, families=families
    )
    columns = candidate_columns(
        release,
        [(each.planned.scenario.unknown, each.planned.scenario.known, each.run.decisive_alc)
         for each in chosen],
        added,
    )  # fmt: skip
    search = Search(
        trials=trials,
        columns=columns,
        unknown=tuple(dict.fromkeys(each.planned.scenario.unknown for each in chosen)),
        ladders={each: coarser(original, release, each) for each in columns},
        limits=limits,
        reporter=Reporter(progress=progress, cancel=cancel),
    )
    found = search.run()
    return RemedyStudy(
        fingerprint=original.fingerprint,
        release=release.name,
        release_fingerprints=tuple(table.fingerprint for table in release.tables),
        at_risk=trials.scoring.at_risk,
        numbers=tuple(each.planned.number for each in chosen),
        n_flagged=len(attacks),
        before=trials.utility.unchanged(),
        trials=found,
        seed=run.seed,
        notes=tuple(filter(None, (_left_out(len(attacks), len(chosen)), search.ended))),
    )


def _worst_of_each(attacks: Sequence[FlaggedAttack]) -> list[FlaggedAttack]:
    """Return the worst attack of each unknown column first, then the others."""
    first: dict[str, FlaggedAttack] = {}
    for attack in attacks:
        first.setdefault(attack.planned.scenario.unknown, attack)
    leading = {each.planned.number for each in first.values()}
    return [*first.values(), *(each for each in attacks if each.planned.number not in leading)]


def _left_out(n_flagged: int, n_chosen: int) -> str:
    if n_chosen == n_flagged:
        return ""
    return f"Of {numbered(n_flagged, 'flagged attack')} the worst {n_chosen} were run again."
