"""What a report says, gathered from a campaign: plain texts and numbers for the template."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from alc_core.campaign.findings.decisions import ASKING
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.model import PlannedAttack
from alc_core.campaign.rescore.outcome_codes import TOO_FEW_TARGETS
from alc_core.phrasing import count, listed
from alc_core.report.html.attacks import Card, Line
from alc_core.report.html.options import ReportOptions
from alc_core.scoring.parameter_words import parameters_text


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLine:
    """A table as it was given; no value of it."""

    part: str
    name: str
    rows: str
    columns: str
    fingerprint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NotesPart:
    """What a reader must know besides.

    Attributes
    ----------
    planning : tuple of str
        What was decided when the campaign was planned.
    runs : tuple of tuple
        Each note of the runs, with the attacks that have it.
    failures : tuple of tuple of str
        Attack and reason.
    too_few : tuple of str
        Attacks on too few people.
    """

    planning: tuple[str, ...]
    runs: tuple[tuple[str, str], ...]
    failures: tuple[tuple[str, str], ...]
    too_few: tuple[str, ...]


def table_lines(view: CampaignView) -> tuple[TableLine, ...]:
    """Return the tables of a campaign: names, sizes and fingerprints."""
    settings = view.settings
    tables = [("Original", settings.original)]
    tables += [
        (f"Release {name}", table) for name, parts in settings.releases.items() for table in parts
    ]
    return tuple(
        TableLine(
            part=part,
            name=table.name,
            rows=count(table.rows),
            columns=count(table.columns),
            fingerprint=table.fingerprint,
        )
        for part, table in tables
    )


def scenario_facts(view: CampaignView, options: ReportOptions) -> tuple[tuple[str, str], ...]:
    """Return what was attacked and how it was scored, as labels and texts."""
    settings, attacks = view.settings, view.judged
    scenarios = [attack.scenario for attack in attacks]
    unknown = list(dict.fromkeys(scenario.unknown for scenario in scenarios))
    known = sorted({len(scenario.known) for scenario in scenarios})
    sizes = f"{known[0]} to {known[-1]}" if len(known) > 1 else "".join(map(str, known))
    facts = [
        ("Attacks planned", _planned_text(view)),
        ("What attackers want to learn", listed(unknown)),
        ("Sets of known attributes", f"{_known_sets(attacks)}, of {sizes} attributes"),
        ("Attack", listed(sorted({attack.attack for attack in attacks}))),
        ("Who is attacked", "; ".join(dict.fromkeys(map(_targets, attacks)))),
        *_people(attacks),
        ("Parameters of the run", parameters_text(settings.scoring)),
    ]
    if options.scoring != settings.scoring:
        facts.append(("Parameters of this report", parameters_text(options.scoring)))
    return tuple(facts)


def _planned_text(view: CampaignView) -> str:
    planned, added = count(len(view.judged)), len(view.attacks) - len(view.judged)
    if not added:
        return planned
    runs = "attack was" if added == 1 else "attacks were"
    return (
        f"{planned}. Later, {count(added)} {runs} added with one known fact less, to see what "
        "drives the risk; this report counts none of them."
    )


def notes_part(view: CampaignView, options: ReportOptions) -> NotesPart:
    """Return the notes of planning and runs, and the attacks without a result."""
    results = view.overview(options.scoring).results
    noted: dict[str, list[int]] = {}
    for number in results["number"].tolist():
        for note in view.store.assessment(number).notes:
            noted.setdefault(note, []).append(number)
    few = results["number"][results["standing"] == TOO_FEW_TARGETS].tolist()
    return NotesPart(
        planning=view.store.notes,
        runs=tuple((note, _numbers_text(found, len(results))) for note, found in noted.items()),
        failures=tuple(
            (view.attack(number).words, reason) for number, reason in view.failures.items()
        ),
        too_few=tuple(view.attack(number).words for number in few),
    )


def flagged_lines(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """Return the lines that ask for a decision, worst first."""
    return tuple(line for line in lines if line.standing.word.lower() in set(ASKING))


def fact_meanings(cards: tuple[Card, ...]) -> Mapping[str, str]:
    """Return what the familiar numbers of cards mean, each once."""
    return {fact.term: fact.meaning for card in cards for fact in reversed(card.facts)}


def _known_sets(attacks: tuple[PlannedAttack, ...]) -> str:
    sets = {frozenset(attack.scenario.known) for attack in attacks}
    kinds = listed(sorted({str(attack.kind) for attack in attacks}))
    return f"{count(len(sets))} different ({kinds})"


def _targets(attack: PlannedAttack) -> str:
    selection = attack.scenario.selection
    if selection.count == "all":
        who = "everyone"
    elif selection.count is None:
        who = "as many people as the halting criteria ask for"
    else:
        who = f"{count(selection.count)} people"
    if not selection.where:
        return f"{who}, chosen at random"
    conditions = [f"{c} = {listed(v, last='or')}" for c, v in selection.where.items()]
    return f"{who} with {listed(conditions)}; recall relative to the {selection.recall}"


def _people(attacks: tuple[PlannedAttack, ...]) -> list[tuple[str, str]]:
    columns = {
        "Column that tells whose record it is": {a.scenario.person for a in attacks},
        "Column that tells who depends on whom": {a.scenario.household for a in attacks},
    }
    return [
        (label, listed(names))
        for label, found in columns.items()
        if (names := sorted(name for name in found if name is not None))
    ]


def _numbers_text(numbers: list[int], finished: int) -> str:
    if len(numbers) == finished:
        return "all attacks"
    if len(numbers) > 12:
        return f"{count(len(numbers))} of {count(finished)} attacks"
    word = "attack" if len(numbers) == 1 else "attacks"
    return f"{word} {listed([str(number) for number in sorted(numbers)])}"
