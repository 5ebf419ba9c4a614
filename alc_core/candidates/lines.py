"""Each release's line, from its attacks and the check."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from alc_core.assessment.result import Assessment
from alc_core.attacks.registry import fits_model
from alc_core.campaign.file.annotations import kept_facts, kept_settings
from alc_core.campaign.findings.overview import CampaignOverview, bounds_text, untested_columns
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.model import PlannedAttack
from alc_core.candidates.line import WORST_FIRST, AttackNumbers, CandidateLine, TracedRows
from alc_core.measures.registry import ROWS_TRACED
from alc_core.note import (
    COPIED,
    PSEUDONYM,
    REPLAYED,
    ROW_NUMBER,
    ROW_ORDER,
    Note,
    keeps_rows,
    leads_back,
    stops,
    tells_copies,
)
from alc_core.releases.registry import of_rows
from alc_core.review.attack_words import verdict_title
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import (
    OUTCOMES,
    PUBLISHING,
    SEVERITY,
    Perhaps,
    Publishing,
    Verdict,
    perhaps,
)
from alc_core.studies.utility.result import Utility
from alc_core.tables.checks.facts import Fact, FactKind, FileFacts, Weight, fact_meaning
from alc_core.tables.checks.finding import Finding

_LEAST_TRACED = 0.01  # Lower ends up to this count as none
# Codes of findings from a release's file counts
CODES = {
    FactKind.VERBATIM: COPIED,
    FactKind.VERBATIM_BUT: COPIED,
    FactKind.SAME_ORDER: ROW_ORDER,
    FactKind.ROW_NUMBER: ROW_NUMBER,
    FactKind.PSEUDONYM: PSEUDONYM,
    FactKind.TEXTS: REPLAYED,
}


def asks_for_model(kind: str, attacks: Iterable[str], said: Iterable[Finding | Note]) -> bool:
    """Return whether a model may find what the attacks cannot.

    It may if none fits a model and rows are not the original's own.

    Examples
    --------
    >>> asks_for_model("rows", ["best row match"], [])
    True
    >>> asks_for_model("rows", ["best row match", "model: family=boosting"], [])
    False
    """
    attacked = list(attacks)
    made_up = not any(keeps_rows(each.code, each.numbers) for each in said)
    return of_rows(kind) and bool(attacked) and not any(map(fits_model, attacked)) and made_up


def candidate_lines(
    view: CampaignView, scoring: ScoringParameters, utilities: Mapping[str, Utility]
) -> tuple[CandidateLine, ...]:
    """Return a campaign's releases in display order: refused ones first.

    While attacks are open, in the campaign's order.
    """
    facts, chosen = kept_facts(view.store), chosen_releases(view)
    key = ("lines", scoring, chosen, tuple(facts.items()))
    lines = view.keep(key, lambda: _lines(view, scoring, chosen, facts))
    return tuple(replace(line, utility=utilities.get(line.release)) for line in lines)


def _lines(
    view: CampaignView,
    scoring: ScoringParameters,
    chosen: Sequence[str],
    facts: Mapping[str, tuple[FileFacts, ...]],
) -> list[CandidateLine]:
    part_of = view.settings.part_of
    attacked: dict[str, set[str]] = {part_of.get(name, name): set() for name in chosen}
    for attack in view.judged:
        attacked[part_of.get(attack.release, attack.release)].add(attack.scenario.unknown)
    unknown = dict.fromkeys(attack.scenario.unknown for attack in view.judged)
    lines = [
        _line(
            name, view.only(name), scoring, facts=facts.get(name, ()),
            not_attacked=tuple(c for c in unknown if c not in attacked[part_of.get(name, name)]),
        )
        for name in chosen
    ]  # fmt: skip
    if any(line.to_run for line in lines):
        return lines
    ordered = sorted(lines, key=_place)
    first = {line.whole: place for place, line in reversed([*enumerate(ordered)])}
    return sorted(ordered, key=lambda line: first[line.whole])


def chosen_releases(view: CampaignView) -> tuple[str, ...]:
    """Return the releases chosen, even if no attack was possible."""
    plan = kept_settings(view.store)
    chosen = plan.attacked if plan is not None and plan.attacked else view.settings.releases
    seen = (view.release,) if view.release else chosen
    return (*view.attacked_releases, *(n for n in seen if n not in view.attacked_releases))


def title_on_release(view: CampaignView, attack: PlannedAttack, shown: Assessment) -> str:
    """Return an attack's verdict, "so far" if its release awaits more."""
    title = verdict_title(shown)
    if PUBLISHING[shown.verdict] is not Publishing.CLEAR:
        return title
    (line,) = candidate_lines(view.only(attack.release), shown.scoring, {})
    return f"{title} so far" if line.so_far or line.awaits_model else title


def release_order(view: CampaignView, scoring: ScoringParameters) -> tuple[str, ...]:
    """Return release names in display order."""
    return tuple(line.release for line in candidate_lines(view, scoring, {}))


def shown_standings(view: CampaignView, scoring: ScoringParameters) -> dict[str, str]:
    """Return the standing that colours each release."""
    return {line.release: line.shown_standing for line in candidate_lines(view, scoring, {})}


def _place(line: CandidateLine) -> tuple[object, ...]:
    worst = line.worst
    exposed = line.most.exposed if line.most is not None and line.exposes else 0
    return (
        WORST_FIRST.index(line.publishing),
        -1 if line.standing is None else -SEVERITY.index(Verdict(line.shown_standing)),
        not (line.linked or line.texts),
        -1 if worst is None or worst.perhaps is None else list(Perhaps).index(worst.perhaps),
        -exposed,
        not line.verbatim,
        0.0 if worst is None else -worst.alc,
    )


def asking_for_model(lines: Sequence[CandidateLine]) -> list[str]:
    """Return the releases that need a model attack, except refused ones."""
    return [
        line.release for line in lines if line.untried and line.publishing is not Publishing.CHANGE
    ]


def _line(
    name: str,
    view: CampaignView,
    scoring: ScoringParameters,
    *,
    facts: tuple[FileFacts, ...],
    not_attacked: tuple[str, ...],
) -> CandidateLine:
    overview = view.overview(scoring)
    # Each attack notes the check's finding; without one, counts show it
    if overview.worst is not None:
        notes = view.assessment(overview.worst).notes
    else:
        # Texts that return await an answer: there is no attack until then
        notes = tuple(n for n in _counted(facts) if n.code == REPLAYED or not overview.to_run)
    chosen = {attack.attack for attack in view.judged}
    worst = most = None
    if overview.worst is not None:
        through = overview.row(overview.worst)["through"]  # With fewer facts, if that decides
        worst = attack_numbers(view, overview.worst if through is None else through, scoring)
        most = _exposing_most(view, overview, worst)
    if worst and most and (most.exposes or overview.standing == Verdict.INCONCLUSIVE):
        # Subset attacks that decide
        taken = overview.results.loc[overview.results["through"].notna(), "number"].tolist()
        own = most is worst or most.attack.number not in taken
        equal = own and (most.standing, most.perhaps) == (worst.standing, worst.perhaps)
        worst = most if equal else worst
    return CandidateLine(
        release=name,
        standing=overview.standing,
        counts=overview.counts,
        worst=worst,
        most=most,
        finished=overview.finished,
        asking=overview.asking,
        exposing=overview.exposing,
        concerned=overview.concerned,
        failed=overview.failed,
        skipped=overview.skipped,
        planned=overview.planned,
        left_out=overview.left_out,
        linked=any(leads_back(note.code) for note in notes),
        untested=untested_columns(overview.results),
        copied=next((note for note in notes if tells_copies(note.code)), None),
        texts=next((note for note in notes if note.code == REPLAYED), None),
        not_attacked=not_attacked,
        absent=view.absent(name),
        untried=overview.standing is not None
        and asks_for_model(view.settings.release_kind(name), chosen, notes),
        utility=None,
        facts=facts,
        # If whole rows are the original's, all columns are together
        together=() if any(map(stops, notes)) else tuple(_unattacked(facts, view.judged)),
        traced=traced_rows(view),
        part_of=view.settings.part_of.get(name, ""),
    )


def _unattacked(facts: Iterable[FileFacts], attacks: Sequence[PlannedAttack]) -> Iterator[Fact]:
    """Yield single people's values that no attack tests: on another scale, or kept together."""
    of_attacks = [(a.scenario.unknown, {a.scenario.unknown, *a.scenario.known}) for a in attacks]
    for fact in (fact for file in facts for fact in file.facts):
        own = {*fact.columns}
        tested = any(unknown in own and own <= columns for unknown, columns in of_attacks)
        if fact.kind is FactKind.RESCALED or (fact.kind is FactKind.OWN_TOGETHER and not tested):
            yield fact


def traced_rows(view: CampaignView) -> TracedRows | None:
    """Return the own rows found by the attacker who finds most.

    None if none is found, which proves nothing. Attackers with equally many facts estimate nearly
    the same share; it is too high if other people's nearest rows often have the unknown value, so
    their lower quartile is used, and none that only one of several unknown columns shows.
    """
    tried: dict[int, set[str]] = {}
    found: dict[int, list[tuple[str, TracedRows]]] = {}
    for attack in view.judged:
        facts, unknown = len(attack.scenario.known), attack.scenario.unknown
        tried.setdefault(facts, set()).add(unknown)
        share = view.measured(attack.number).get(ROWS_TRACED.name, {}).get("rows_traced")
        rows = sum(table.rows for table in view.settings.releases[attack.release])
        if share is None or attack.scenario.selection.where:
            continue
        if share.interval[0] > max(_LEAST_TRACED, 1 / rows):
            traced = TracedRows(
                share=share, known=attack.scenario.known, absent=view.absent(attack.release),
                number=attack.number, rows=rows,
            )  # fmt: skip
            found.setdefault(facts, []).append((unknown, traced))
    typical = [
        sorted((each for _, each in alike), key=lambda each: each.share.value)[len(alike) // 5]
        for facts, alike in found.items()
        if len({unknown for unknown, _ in alike}) > 1 or len(tried[facts]) == 1
    ]
    return max(typical, key=lambda each: (each.share.interval[0], -len(each.known)), default=None)


def _counted(facts: Iterable[FileFacts]) -> Iterator[Note]:
    for file in facts:
        for fact in file.facts:
            if fact.weight is Weight.ALARM and fact.kind in CODES:
                numbers = {"rows": fact.count, "share": fact.count / max(fact.of, 1)}
                if fact.expected is not None:
                    numbers["expected"] = fact.expected / max(fact.of, 1)
                if fact.kind is FactKind.VERBATIM_BUT:
                    numbers["recoded"] = len(fact.columns)
                yield Note(
                    text=fact_meaning(fact), code=CODES[fact.kind], table=file.table,
                    column=fact.columns[0] if fact.columns else "", numbers=(*numbers.items(),),
                )  # fmt: skip


def attack_numbers(view: CampaignView, number: int, scoring: ScoringParameters) -> AttackNumbers:
    """Return what a finished attack found."""
    (place,) = np.flatnonzero(view.columns.numbers == number)
    stands, found, columns = view.standings(scoring), view.rescored(scoring), view.columns
    standing = str(OUTCOMES[stands.outcome[place]])
    alc, low, high = (float(each[place]) for each in (stands.alc, stands.low, stands.high))
    bounds = ("exposed_low", "exposed_high", "exposed_surely")
    return AttackNumbers(
        attack=view.attack(number),
        standing=standing,
        alc=alc,
        low=low,
        high=high,
        interval=_interval(standing, alc, low, high, bool(found.exact[place]), scoring),
        perhaps=perhaps(standing, alc, low, high, scoring),
        exposed=float(found.told_exposed[place]),
        **{name: float(getattr(found, name)[place]) for name in bounds},
        people=int(columns.people[place]),
        material=scoring.material,
        more=bool(columns.candidates[place] > columns.attempts[place]),
    )


def _exposing_most(
    view: CampaignView, overview: CampaignOverview, worst: AttackNumbers
) -> AttackNumbers:
    """Return the attack exposing most beyond chance, else the most that might."""
    results = overview.results
    seeming = results.loc[results["exposed_low"] > 0].sort_values("exposed", ascending=False)
    first = None
    for number in seeming["number"]:
        each = attack_numbers(view, int(number), overview.scoring)
        first = first or each
        if each.exposes:
            return worst if worst.exposes and worst.exposed >= each.exposed else each
    if overview.standing == Verdict.INCONCLUSIVE:
        inconclusive = results.loc[results["standing"] == Verdict.INCONCLUSIVE]
        number = inconclusive.sort_values("exposed_high")["number"].iloc[-1]
        return attack_numbers(view, int(number), overview.scoring)
    return first if first and not worst.exposed_low > 0 else worst


def _interval(
    standing: str, alc: float, low: float, high: float, exact: bool, scoring: ScoringParameters
) -> str:
    """Return an attack's interval, with the limit if it decides the verdict."""
    text = bounds_text(low, high, exact=exact)
    limit = scoring.at_risk if standing == Verdict.INCONCLUSIVE else scoring.serious
    near = standing == Verdict.INCONCLUSIVE or (standing == Verdict.AT_RISK and alc >= limit)
    return f"{text}, on both sides of {limit:g}" if near and low < limit <= high else text
