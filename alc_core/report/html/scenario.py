"""What a campaign attacked and how, its notes, and how to repeat it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import PurePath

from alc_core.assessment.result import TableSummary
from alc_core.campaign.file.annotations import accepted_codes, kept_names, kept_roles
from alc_core.campaign.file.store import CampaignReader
from alc_core.campaign.findings.open_foreign import store_warnings
from alc_core.campaign.findings.overview import CampaignOverview
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.model import CampaignSettings, PlannedAttack
from alc_core.phrasing import count, facts_words, few_facts, in_list, listed, numbered
from alc_core.present.blocks import Block, Grid, Heading, Items, Text
from alc_core.releases.registry import release_types
from alc_core.releases.release import USUAL_KIND
from alc_core.releases.samples.demo import demo_file
from alc_core.report.options import ReportOptions, kept_details
from alc_core.report.sections import Depth
from alc_core.runtime.plugins import loaded_plugins
from alc_core.scenario.scenario import Scenario
from alc_core.scoring.parameters import ScoringParameters, parameters_text
from alc_core.scoring.verdict import Verdict
from alc_core.tables.households import Household

THINNED_OUT = "reduced to half or two thirds of attempts"


def scenario_facts(view: CampaignView, scoring: ScoringParameters) -> tuple[tuple[str, str], ...]:
    """Return what was attacked and how it was scored, as labels and texts."""
    settings, attacks = view.settings, view.judged
    scenarios = [attack.scenario for attack in attacks]
    unknown = list(dict.fromkeys(scenario.wanted for scenario in scenarios))
    known = sorted({len(scenario.known) for scenario in scenarios})
    sizes = f"{known[0]} to {known[-1]}" if len(known) > 1 else "".join(map(str, known))
    sets = len({frozenset(scenario.known) for scenario in scenarios})
    kinds = listed(sorted({str(attack.kind) for attack in attacks}))
    thinned = {True: THINNED_OUT, False: "not reduced"}
    common = sorted({thinned[scenario.down_sample] for scenario in scenarios})
    facts = [
        ("Attacks planned", _planned_text(view)),
        ("What attackers want to infer", listed(unknown)),
        ("Sets of known columns", f"{count(sets)} different ({kinds}), of {sizes} columns"),
        ("Attack", listed(sorted({attack.attack for attack in attacks}))),
        ("People attacked", "; ".join(dict.fromkeys(map(_targets, attacks)))),
        ("Dominant value", listed(common)),
        ("People with missing values", _left_out(scenarios)),
        *_long_sets(scenarios),
        *_roles(view),
        *_people(attacks),
        ("Parameters of the run", parameters_text(settings.scoring)),
    ]
    if scoring != settings.scoring:
        facts.append(("Parameters of this report", parameters_text(scoring)))
    return tuple(facts)


def added_later(view: CampaignView) -> int:
    """Count judged attacks added after first results."""
    return len(view.store.added_later() & {attack.number for attack in view.judged})


def _planned_text(view: CampaignView) -> str:
    left_out = sum(len(each.attacks) for each in view.left_out.values())
    planned, added = count(len(view.judged) + left_out), len(view.attacks) - len(view.judged)
    if left_out:
        planned += f", {count(left_out)} excluded"
    if later := added_later(view):
        planned += f", {count(later)} added later"
    if not added:
        return planned
    return (
        f"{planned}. Later, {numbered(added, 'attack')} with one fact fewer "
        f"{'was' if added == 1 else 'were'} added, without verdicts."
    )


def notes_blocks(view: CampaignView, overview: CampaignOverview) -> Iterator[Block]:
    """Yield notes of planning and runs, and attacks without a result."""
    results = overview.results
    noted: dict[str, list[int]] = {}
    for number in results["number"].tolist():
        for note in view.store.assessment(number).notes:
            noted.setdefault(note.text, []).append(number)
    nothing = results["number"][results["standing"] == Verdict.NOT_TESTABLE].tolist()
    to_run, skipped = (numbered(n, "planned attack") for n in (overview.to_run, overview.skipped))
    parts = (
        ("Run notes", "",
         [f"{text} ({_numbers_text(found, len(results))})" for text, found in noted.items()]),
        ("Notes of planning", "", [*store_warnings(view.store), *view.store.notes]),
        ("Attacks that failed", "",
         [f"{view.attack(number).words}: {reason}" for number, reason in view.failures.items()]),
        ("Attacks that are not testable",
         "Nearly everyone is easy to guess.",
         [view.attack(number).words for number in nothing]),
    )  # fmt: skip
    for title, said, texts in parts:
        if texts:
            yield Heading(title)
            yield from [Text(said, quiet=True)] if said else []
            yield Items(tuple(texts))
    if overview.to_run:
        yield Text(f"{to_run} {'has' if overview.to_run == 1 else 'have'} not run yet.")
    if overview.skipped:
        yield Text(f"{skipped} skipped: the release was settled.")
    if not (any(texts for *_, texts in parts) or overview.to_run or overview.skipped):
        yield Text("None: every planned attack has a result.")


def campaign_tables(settings: CampaignSettings) -> list[tuple[str, TableSummary]]:
    """Return a campaign's tables, with their part."""
    return [
        ("Original", settings.original),
        *(
            (f"Release {name}{_type_words(settings.release_kind(name))}", table)
            for name, tables in settings.releases.items()
            for table in tables
        ),
    ]


def _type_words(kind: str) -> str:
    found = release_types().get(kind)
    return "" if kind == USUAL_KIND else f" ({found.title if found else kind})"


def data_blocks(view: CampaignView, _: CampaignOverview) -> Iterator[Block]:
    """Yield a campaign's tables, and how columns and labels were read."""
    settings, codes = view.settings, kept_names(view.store).codes
    tables = campaign_tables(settings)
    yield Text(
        "This report contains no person's values, but may name values of a release or "
        "selection.", quiet=True,
    )  # fmt: skip
    sizes = [
        {"Part": part, "Table": table.name, "Rows": count(table.rows),
         "Columns": count(table.columns), "Fingerprint (SHA-256)": table.fingerprint}
        for part, table in tables
    ]  # fmt: skip
    read = [
        {"Column of the original": column,
         **({"Code in the file": codes.get(column, column)} if codes else {}), "Kind": str(kind)}
        for column, kind in settings.kinds.items()
    ]  # fmt: skip
    renamed = [
        {"Part": part, "Table": table.name, "Column of the release": column, "Read as": of}
        for part, table in tables
        for column, of in table.same_columns.items()
    ]
    labels = [
        {"Release": release, "Column": column, "Label": label or "(empty)",
         "Covers": "only itself" if plain is None else plain if isinstance(plain, str)
         else " | ".join(map(str, plain))}
        for release, of_tables in settings.told_sets.items()
        for told in of_tables
        for column, sets in told.items()
        for label, plain in sets.items()
    ]  # fmt: skip
    yield Grid.of(sizes, alt="The tables.")
    yield Heading("How the columns were read")
    yield Grid.of(read, alt="The columns of the original.")
    if renamed:
        yield Heading("Renamed columns")
        yield Grid.of(renamed, alt="Renamed columns.")
    if labels:
        yield Heading("Labels, as the reviewer declared")
        yield Grid.of(labels, alt="Labels and the values they cover.")


def _targets(attack: PlannedAttack) -> str:
    selection = attack.scenario.selection
    if selection.count == "all":
        who = "everyone"
    elif selection.count is None:
        who = "enough for precision, or everyone"
    else:
        who = f"{count(selection.count)} people"
    if not selection.where:
        return f"{who}, chosen at random"
    return f"{who} with {listed(selection.conditions)}; recall relative to the {selection.recall}"


def _left_out(scenarios: Sequence[Scenario]) -> str:
    """Say who is excluded for a missing value, by unknown column."""
    markers = {s.unknown: s.markers for s in scenarios if s.selection.missing is not None}
    columns = "; ".join(
        f"{column} ({listed(['empty cells', *(f'“{value}”' for value in values)])})"
        for column, values in markers.items()
    )
    nothing = f"not attacked: {columns}"
    return nothing if columns else "also attacked"


def _long_sets(scenarios: Sequence[Scenario]) -> list[tuple[str, str]]:
    """Name the facts of sets that are only counted elsewhere."""
    sets = dict.fromkeys(tuple(s.known) for s in scenarios if not few_facts(s.known))
    found: dict[str, list[str]] = {}
    for known in sorted(sets, key=len):
        wanted = [s.wanted for s in scenarios if tuple(s.known) == known]
        learned = listed(list(dict.fromkeys(wanted)))
        found.setdefault(facts_words(known), []).append(f"{listed(known)} (to infer {learned})")
    return [(f"Which {words}", "; ".join(sets)) for words, sets in found.items()]


def _roles(view: CampaignView) -> list[tuple[str, str]]:
    roles = kept_roles(view.store)
    marked = {
        column: f"{column} (set by hand)" if found.by_user else column
        for column, found in roles.of_columns.items()
    }
    groups = [
        f"{role} ({role.meaning}): {listed([marked[column] for column in columns])}"
        for role, columns in roles.columns_by_role.items()
    ]
    return [("Roles of the columns", "; ".join(groups))] if groups else []


def _people(attacks: tuple[PlannedAttack, ...]) -> list[tuple[str, str]]:
    columns: dict[str, set[Household]] = {
        "Person column": {a.scenario.person for a in attacks},
        "Household column": {a.scenario.household for a in attacks},
    }
    named = {
        label: sorted(n if isinstance(n, str) else " with ".join(n) for n in found if n is not None)
        for label, found in columns.items()
    }
    return [(label, listed(names)) for label, names in named.items() if names]


def _numbers_text(numbers: list[int], finished: int) -> str:
    if len(numbers) == finished:
        return "all attacks"
    if len(numbers) > 12:
        return f"{count(len(numbers))} of {count(finished)} attacks"
    words = listed([str(number) for number in sorted(numbers)])
    return f"attack{'' if len(numbers) == 1 else 's'} {words}"


_NEXT_LINE = " \\\n    "
# The dashboard's suffix of a release named like the original
_RENAMED = " (release)"


def campaign_command(store: CampaignReader, campaign_file: str) -> str:
    """Return the command that repeats a campaign in a new file."""
    settings = store.settings
    original = settings.original.name
    first = "alc demo .\n" if demo_file(original) else ""
    arguments = ["alc campaign", _option("--original", demo_file(original) or original)]
    arguments += [
        _option("--release", _named(name, _file(table.name, settings)))
        for name, tables in settings.releases.items()
        for table in tables
    ]
    arguments += [
        _option("--release-type", _named(name, kind))
        for name, kind in settings.release_kinds.items()
        if kind != USUAL_KIND
    ]
    arguments.append(_option("--like", campaign_file))
    if codes := accepted_codes(store):
        arguments.append(_option("--accept", ",".join(map(in_list, codes))))
    arguments += _plugins()
    path = PurePath(campaign_file)
    arguments.append(_option("--out", f"{path.stem}-again{path.suffix}"))
    return first + _NEXT_LINE.join(arguments)


def report_command(store: CampaignReader, options: ReportOptions) -> str:
    """Return the command that makes a report again."""
    arguments = [f"alc report {shlex.quote(options.campaign_file)}"]
    arguments += [
        _option(f"--{kind}", name)
        for kind, name in (("html", options.html), ("pdf", options.pdf))
        if name
    ]
    if options.depth is not Depth.FULL:
        arguments.append(_option("--depth", options.depth))
    if options.sections is not None:
        arguments += [_option("--section", section) for section in options.shown]
    before, details = store.settings.scoring.to_dict(), options.details
    arguments += [
        _option(f"--{name.replace('_', '-')}", str(value))
        for name, value in options.scoring.to_dict().items()
        if value != before[name]
    ]
    # Always the date, whose default is today
    texts = details.differing(kept_details(store)) | (
        {"date": details.date} if details.date else {}
    )
    arguments += [_option(f"--{name}", text) for name, text in sorted(texts.items())]
    return _NEXT_LINE.join(arguments + _plugins())


def _plugins() -> list[str]:
    return [
        _option("--plugin", PurePath(each.name).name if each.source else each.name)
        for each in loaded_plugins()
    ]


def _option(name: str, value: str) -> str:
    quoted = shlex.quote(value)
    return f"{name}={quoted}" if value.startswith("-") else f"{name} {quoted}"


def _named(name: str, file: str) -> str:
    """Return a release's argument; names with an equals sign are left out."""
    return file if "=" in name else f"{name}={file}"


def _file(table: str, settings: CampaignSettings) -> str:
    original = settings.original.name
    return original if table == f"{original}{_RENAMED}" else demo_file(table) or table
