"""The study of the prior approach."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from alc_core.assessment.loop import RunSettings
from alc_core.assessment.prepare import ScenarioData
from alc_core.assessment.result import Assessment
from alc_core.assessment.run import Run
from alc_core.campaign.file.annotations import (
    KeptResults,
    MeasuredLater,
    keep_measured,
    measured_later,
)
from alc_core.campaign.file.store import CampaignReader, CampaignStore
from alc_core.campaign.findings.other_measures import (
    columns_like_alc,
    disagreement_rows,
    disagreement_sentence,
)
from alc_core.errors import InputError
from alc_core.explain.trace import attack_of
from alc_core.measures.full_recall import HOLDOUT, OWN_ROW_OUT, loss_of_all
from alc_core.measures.measure import Measured
from alc_core.note import ROW_ORDER
from alc_core.phrasing import alc_number, listed, percent
from alc_core.present import blocks as show
from alc_core.releases.registry import ReleaseLike, as_release
from alc_core.releases.release import AttackView, Release, with_data, without_rows
from alc_core.runtime.progress import CancelCallback, ProgressCallback, Reporter
from alc_core.studies.holdout.data import HoldoutData
from alc_core.studies.holdout.measuring import attack_both
from alc_core.studies.members import answers, each_attack
from alc_core.studies.study import (
    MOST,
    Asked,
    Given,
    Need,
    Study,
    StudyData,
    Takes,
    Viewpoint,
    beside_alc,
)
from alc_core.tables.apart.read import as_table
from alc_core.tables.checks.facts import verbatim
from alc_core.tables.checks.links import check_links
from alc_core.tables.checks.profile import Profiles
from alc_core.tables.same_rows import row_keys
from alc_core.tables.table import Table

_MOST_OUT = 0.05  # Largest share of released rows removed at once
# Loss, and how often the attack is right about either
Prior = dict[str, Measured]


# Keys of the original's people and of released rows
_Own = tuple[NDArray[np.uint64], NDArray[np.uint64]]


def _own_rows(original: Table, release: Table) -> _Own | None:
    """Return each released row's person, by order or identical rows; None if unknown."""
    lengths = {len(table) + len(table.empty_rows) for table in (original, release)}
    if len(lengths) == 1 and any(
        found.code == ROW_ORDER for found in check_links(original, release, Profiles())
    ):
        return original.places.astype(np.uint64), release.places.astype(np.uint64)
    found = verbatim(original, release)
    if found is None or not found.beyond_chance:
        return None
    columns = list(found.columns)
    return row_keys(original.frame[columns], release.frame[columns])


def _rows_left(own: _Own, gone: NDArray[np.intp]) -> NDArray[np.intp]:
    people, released = own
    keys, times = np.unique(people[gone], return_counts=True)
    order = np.argsort(released, kind="stable")
    first = np.searchsorted(released[order], keys)
    last = np.searchsorted(released[order], keys, side="right")
    out = [order[a : min(a + n, z)] for a, n, z in zip(first, times, last, strict=True)]
    return np.delete(np.arange(len(released)), np.concatenate(out))


# Runs a result's attack on members and others, at recall 1
Measure = Callable[[Assessment, Reporter], Prior]


def on_non_members(original: Table, release: Release, holdout: Table | None) -> Measure:
    """Return a comparison with a holdout, or with members without their own rows."""
    if holdout is not None:
        return partial(_on_holdout, original, release, holdout)
    if refused := without_rows(release, "Without a holdout, the prior approach needs"):
        raise InputError(refused)
    found = [_own_rows(original, table) for table in release.tables]
    own = [each for each in found if each is not None]
    if len(own) < len(found):
        raise InputError(f"'{release.name}' has no traceable rows. Add a holdout.")
    return partial(_without_own_rows, original, release, own)


def _on_holdout(
    original: Table, release: Release, holdout: Table, run: Assessment, _: Reporter
) -> Prior:
    columns = run.scenario.columns
    data = HoldoutData.of(original, release, holdout, columns=columns, seed=run.seed)
    both = attack_both(data, run.scenario, attack=run.attack_name, most=run.attempts, seed=run.seed)
    members, others = ((each.right, each.people) for each in (both.members, both.others))
    return loss_of_all(members, others, run.scoring)


def _without_own_rows(
    original: Table, release: Release, own: Sequence[_Own], run: Assessment, reporter: Reporter
) -> Prior:
    """Attack targets without their own and dependents' rows, part by part."""
    attack, scenario = attack_of(run), run.scenario
    data = ScenarioData.of(original, release, scenario)
    targets = Run.on(data, scenario, RunSettings.again(run)).prepared.targets
    attacked = np.concatenate(targets.plan.targets)[: run.attempts]
    encoded, tables = data.encoded, data.encoded.data.released
    sizes = [len(released) for _, released in own]
    if [len(table) for table in tables] != sizes:
        raise InputError(f"No row of '{release.name}' can be removed. Add a holdout.")
    most = _MOST_OUT * min(sizes)
    parts = np.array_split(attacked, max(1, int(np.ceil(len(attacked) / most))))
    units = targets.plan.units

    def right(view: AttackView, rows: NDArray[np.intp]) -> int:
        side = targets.known.take(rows), targets.unknown[rows]
        (found,), _ = answers(attack, view, scenario, side, seed=run.seed)
        return found.guesses().right

    members, others = int(run.outcomes.attack.true_predictions[-1]), 0
    if run.abstentions:
        members = right(encoded.view(scenario), attacked)
    for number, rows in enumerate(parts):
        reporter.report("Attacking without their own rows", number, len(parts))
        gone = np.flatnonzero(np.isin(units, units[rows]))
        left = tuple(
            table.take(_rows_left(keys, gone)) for table, keys in zip(tables, own, strict=True)
        )
        view = with_data(encoded, replace(encoded.data, released=left)).view(scenario)
        others += right(view, rows)
    return loss_of_all((members, run.attempts), (others, run.attempts), run.scoring)


def _measure_name(holdout: Table | None) -> str:
    return OWN_ROW_OUT if holdout is None else HOLDOUT


def prior_approach(
    run: Assessment,
    original: Table,
    release: ReleaseLike,
    *,
    holdout: Table | None = None,
    progress: ProgressCallback | None = None,
    cancel: CancelCallback | None = None,
) -> Assessment:
    """Add the prior approach's measure to a result.

    Parameters
    ----------
    run : Assessment
        Of an attack on `release`.
    original : Table or DataFrame
        Real people.
    release : Release, Table or DataFrame
        The release attacked.
    holdout : Table or DataFrame, optional
        People in neither table. Without them, targets are attacked without their own rows, which
        must be in the original's order or identical to it.
    progress, cancel
        As in :func:`~alc_core.assessment.run.assess`.

    Returns
    -------
    Assessment
        With "prior approach", or "prior approach with holdout", in `measured`: "alc" is the gain
        over non-members at recall 1, "attack" and "other" the accuracies on members and
        non-members.

    Raises
    ------
    InputError
        If no row can be removed, or the holdout cannot be compared.

    References
    ----------
    Giomi, Boenisch, Wehmeyer and Tasnádi (2022); Francis and Wagner (2025), section 6.1.

    Examples
    --------
    >>> import alc_core as alc
    >>> women = alc.load_demo("fair").original.frame[:400]
    >>> run = alc.assess(women, women, alc.Scenario(["age", "educ"], "religious"))
    >>> "prior approach" in prior_approach(run, women, women).measured
    True
    """
    others = None if holdout is None else as_table(holdout, name="holdout")
    table = as_table(original, name="original")
    measure = on_non_members(table, as_release(release, table), others)
    numbers = measure(run, Reporter(progress=progress, cancel=cancel))
    return structs.replace(run, measured={**run.measured, _measure_name(others): numbers})


@dataclass(frozen=True, slots=True, kw_only=True)
class PriorResult:
    """The prior approach on a campaign's attacks on one release."""

    release: str
    fingerprint: str  # Of the original
    measure: str  # The measure's name says which non-members
    attacks: Mapping[int, Prior]  # By number
    refused: tuple[str, ...] = ()  # Why others could not run; not kept in a file


class KeptPriors(KeptResults[PriorResult]):
    """Keeps them in a campaign's file as measures of attacks."""

    def __init__(self) -> None:
        self.key = lambda found: f"{found.release}: {found.measure}"

    def read(self, store: CampaignReader) -> dict[str, PriorResult]:
        """Return the results in the file."""
        releases = {attack.number: attack.release for attack in store.attacks}
        parts: dict[tuple[str, str], dict[int, Prior]] = {}
        for each in measured_later(store):
            if each.measure in (OWN_ROW_OUT, HOLDOUT):
                of = parts.setdefault((releases[each.number], each.measure), {})
                of[each.number] = each.numbers
        original = store.settings.original.fingerprint
        found = [
            PriorResult(release=release, fingerprint=original, measure=measure, attacks=attacks)
            for (release, measure), attacks in parts.items()
        ]
        return {self.key(each): each for each in found}

    def _put(self, store: CampaignStore, found: PriorResult) -> None:
        for number, numbers in found.attacks.items():
            keep_measured(
                store, MeasuredLater(number=number, measure=found.measure, numbers=numbers)
            )


KEPT_PRIORS = KeptPriors()


_TITLES = {"own rows": "Members without their own rows", "holdout": "People of the holdout"}


class PriorStudy(Study[PriorResult]):
    """The same attacks on non-members, without recall, beside ALC."""

    name = "prior"
    title = "Prior approach"
    sentence = "Do other measures agree?"
    explanation = "The prior approach attacks a holdout, or members without their own rows."
    methods = "Prior approach"
    icon, button = ":material/history:", "Attack non-members"
    needs = (Need.ORIGINAL, Need.RELEASE, Need.CAMPAIGN)
    takes = (Takes.HOLDOUT,)
    kept = KEPT_PRIORS
    section = ""  # Among the report's other measures
    costs = "Runs each attack once more."
    example = "--most 50 --save"
    parameters = (
        Asked(
            name="non_members", title="Non-members", optional=True, choices=tuple(_TITLES),
            titles=_TITLES,
            help="People outside the original.",
            usual="the holdout, if given",
        ),
        MOST,
    )  # fmt: skip

    def choices(self, asked: Asked, data: StudyData, given: Given) -> Sequence[str]:  # noqa: ARG002
        if asked.name != "non_members":
            return asked.choices
        return asked.choices[:1] if data.holdout is None else asked.choices[::-1]

    def check(self, data: StudyData, given: Given) -> None:
        if given["non_members"] == "holdout":
            _ = data.others

    def run(self, data: StudyData, given: Given, reporter: Reporter) -> list[PriorResult]:
        holdout = None if given["non_members"] == "own rows" else data.holdout
        every = [
            _of_release(data, release.renamed(name), holdout, given["most"], reporter.of(name))
            for name, release in data.releases.items()
        ]
        found = [each for each in every if each.attacks or each.refused]
        if found and not any(each.attacks for each in found):
            raise InputError(found[0].refused[0])
        return found

    def blocks(self, found: PriorResult, look: Viewpoint) -> Iterator[show.Block]:
        """Show both numbers of each attack."""
        overview = None if look.standing is None else look.standing.overview
        order = {} if overview is None else {n: p for p, n in enumerate(overview.results["number"])}
        rows = []
        for number in sorted(found.attacks, key=lambda each: order.get(each, len(order) + each)):
            numbers = found.attacks[number]
            row = overview.row(number) if overview is not None and number in order else None
            rows.append(
                {
                    "Attack": f"{number}" if row is None else f"{number}: {row['unknown']}",
                    "ALC": "" if row is None else alc_number(float(row["decisive_alc"])),
                    "Prior approach": alc_number(numbers["alc"].value),
                    "Correct, members": percent(numbers["attack"].value),
                    "Correct, non-members": percent(numbers["other"].value),
                }
            )
        if rows:
            yield show.Grid.of(rows, alt="ALC and prior approach by attack.")
        for why in found.refused:
            yield show.Remark(why, show.Tone.WARNING)

    def further(self, look: Viewpoint) -> Iterator[show.Block]:
        if look.standing is None:
            return
        overview = look.standing.overview
        columns = {each.name: each for each in columns_like_alc(overview.results)}
        if not columns:
            yield show.Text("These measures are missing. Run the attacks again.")
            return
        yield show.Heading("Disagreements")
        chosen = look.text("measure", columns, default=next(reversed(columns)))
        if len(columns) > 1:
            yield show.Control(
                name="measure", title="Beside ALC", value=chosen, few=True,
                options={name: each.title for name, each in columns.items()},
            )  # fmt: skip
        column = columns[chosen]
        yield from beside_alc(f"alc-and-{chosen.replace('_', '-')}", column, look, look.standing)
        yield show.Items(tuple(filter(None, [disagreement_sentence(overview, column)])))
        yield show.Grid.of(
            disagreement_rows(overview), alt="Attacks on which two measures disagree.",
            title="Shares of attacks", words="Among attacks with this measure.",
        )  # fmt: skip


def _of_release(
    data: StudyData, release: Release, holdout: Table | None, most: int, reporter: Reporter
) -> PriorResult:
    attacks, why = list[tuple[int, Prior]](), dict[str, list[str]]()
    try:
        measure = on_non_members(data.original, release, holdout)
    except InputError as error:
        why[str(error)] = []
    else:

        def measured(number: int) -> tuple[int, Prior]:
            run = data.campaign.view.assessment(number)
            return number, measure(run, Reporter(cancel=reporter.cancel))

        numbers = data.campaign.worst_first(release.name)[:most]
        attacks, refused = each_attack(numbers, measured, reporter, "Attacking non-members")
        for number, reason in refused:
            why.setdefault(str(reason), []).append(str(number))
    return PriorResult(
        release=release.name,
        fingerprint=data.original.fingerprint,
        measure=_measure_name(holdout),
        attacks=dict(attacks),
        refused=tuple(f"Attack {listed(of)}: {each}" if of else each for each, of in why.items()),
    )
