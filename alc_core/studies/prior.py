"""The study of the prior approach: what other measures would have said of a campaign's attacks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from alc_core.assessment.loop import RunSettings
from alc_core.assessment.prepare import ScenarioData
from alc_core.assessment.result import Assessment
from alc_core.assessment.run import Run
from alc_core.attacks.protocol import Attack
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
from alc_core.phrasing import alc_number, listed, percent
from alc_core.present import blocks as show
from alc_core.releases.registry import ReleaseLike, as_release
from alc_core.releases.release import AttackView, Release, with_data, without_rows
from alc_core.runtime.progress import CancelCallback, ProgressCallback, Reporter
from alc_core.studies.holdout.data import Checked, HoldoutData
from alc_core.studies.holdout.measuring import attack_both
from alc_core.studies.study import Asked, Given, Look, Need, Study, StudyData, Takes, beside_alc
from alc_core.tables.apart.read import as_table
from alc_core.tables.checks.rows import OwnRows, own_rows
from alc_core.tables.table import Table

_MOST_OUT = 0.05  # Share of the release's rows that is taken out at once, at most
# The numbers of the measure: loss, and how often the attack is right about either
Prior = dict[str, Measured]


@dataclass(slots=True, eq=False)
class NonMembers:
    """People who are not in a release, to run its attacks on; looked up once for all of them.

    Refused where there is no holdout and the release's rows do not belong to people.
    """

    original: Table
    release: Release
    holdout: Table | None = None  # Other people; without them members, their own rows taken out
    checked: Checked = field(default_factory=dict, init=False)
    own: tuple[OwnRows, ...] = field(default=(), init=False)

    def __post_init__(self) -> None:
        if self.holdout is not None:
            return
        if refused := without_rows(self.release, "Without a holdout, the prior approach needs"):
            raise InputError(refused)
        own = [own_rows(self.original, table) for table in self.release.tables]
        self.own = tuple(each for each in own if each is not None)
        if len(self.own) < len(own):
            raise InputError(
                f"The rows of '{self.release.name}' cannot be told to be people's own: they do not "
                "stand in the original's order, and no more of them than by chance are the "
                "original's as they are. So no person's row can be taken out. Add a holdout."
            )

    @property
    def measure(self) -> str:
        """Name of the measure."""
        return OWN_ROW_OUT if self.holdout is None else HOLDOUT

    def measured(self, run: Assessment, reporter: Reporter | None = None) -> Prior:
        """Run the attack of a result on non-members, and compare where everybody is guessed."""
        if self.holdout is None:
            right = self._right(run, attack_of(run), reporter or Reporter())
            counted = (right[0], run.attempts), (right[1], run.attempts)
        else:
            data = HoldoutData.of(
                self.original, self.release, self.holdout, columns=run.scenario.columns,
                seed=run.seed, checked=self.checked,
            )  # fmt: skip
            found = attack_both(
                data, (self.original, self.holdout), self.release, run.scenario,
                attack=run.attack_name, most=run.attempts, seed=run.seed,
            )  # fmt: skip
            members, others = ((each.right, each.people) for each in (found.members, found.others))
            counted = members, others
        return loss_of_all(*counted, run.scoring)

    def _right(self, run: Assessment, attack: Attack, reporter: Reporter) -> tuple[int, int]:
        """Count the targets whom the attack guesses right with their own rows, and without them.

        They are taken out a part of the targets at a time, with the rows of people who depend on
        them. Where the attack abstains it is not right, though the run has the baseline's guess.
        """
        data, scenario = ScenarioData.of(self.original, self.release, run.scenario), run.scenario
        targets = Run.on(data, scenario, RunSettings.again(run)).prepared.targets
        attacked = np.concatenate(targets.plan.targets)[: run.attempts]
        sizes = [len(each.released) for each in self.own]
        if [len(table) for table in data.encoded.data.released] != sizes:
            raise InputError(
                f"The records of '{self.release.name}' are taken together by person for "
                f"'{scenario.unknown}', so no person's row can be taken out. Add a holdout."
            )
        least = min(sizes)
        parts = np.array_split(attacked, max(1, int(np.ceil(len(attacked) / (_MOST_OUT * least)))))
        units = targets.plan.units

        def right(view: AttackView, rows: NDArray[np.intp]) -> int:
            predict = attack.prepare(view, np.random.default_rng([run.seed, 1]))
            found = predict(targets.known.take(rows))
            guessed = scenario.is_right(found.values, truth=targets.unknown[rows])
            return int((guessed & ~found.abstained).sum())

        members, without = int(run.outcomes.attack.true_predictions[-1]), 0
        if run.abstentions:
            members = right(data.encoded.view(scenario), attacked)
        for number, rows in enumerate(parts):
            reporter.report("Attacking without their own rows", number, len(parts))
            gone = np.flatnonzero(np.isin(units, units[rows]))
            encoded = data.encoded.data
            released = tuple(
                table.take(own.without(gone))
                for table, own in zip(encoded.released, self.own, strict=True)
            )
            view = with_data(data.encoded, replace(encoded, released=released)).view(scenario)
            without += right(view, rows)
        return members, without


def prior_approach(
    run: Assessment,
    original: Table,
    release: ReleaseLike,
    *,
    holdout: Table | None = None,
    progress: ProgressCallback | None = None,
    cancel: CancelCallback | None = None,
) -> Assessment:
    """Add to a result what the prior approach says of the same attack.

    Parameters
    ----------
    run : Assessment
        Of an attack on `release`.
    original : Table or DataFrame
        The table of real people.
    release : Release, Table or DataFrame
        What was attacked.
    holdout : Table or DataFrame, optional
        People who are in neither, to run the same attack on. Without them it is run on the same
        targets, each time with their own rows taken out of the release. That needs rows that are
        people's own: in the original's order, or the original's as they are.
    progress, cancel
        As :func:`~alc_core.assessment.run.assess` takes them.

    Returns
    -------
    Assessment
        The same with a measure "prior approach", or "prior approach with holdout", in `measured`:
        "alc" is the attack's gain over non-members at recall 1, "attack" and "other" are how often
        it is right about members and about them.

    Raises
    ------
    InputError
        If no row can be taken out, or the holdout cannot be compared.

    References
    ----------
    Giomi, Boenisch, Wehmeyer and Tasnádi (2022); Francis and Wagner (2025), section 6.1.
    """
    others = None if holdout is None else as_table(holdout, name="holdout")
    table = as_table(original, name="original")
    published = as_release(release, table)
    asked = NonMembers(table, published, others)
    numbers = asked.measured(run, Reporter(progress=progress, cancel=cancel))
    return replace(run, measured={**run.measured, asked.measure: numbers})


@dataclass(frozen=True, slots=True, kw_only=True)
class PriorResult:
    """What the prior approach says of a campaign's attacks on one release."""

    release: str
    fingerprint: str  # Of the original
    measure: str  # Which non-members: the name of the measure
    attacks: Mapping[int, Prior]  # By number
    refused: tuple[str, ...] = ()  # Why others could not be run; not kept in a file


class KeptPriors(KeptResults[PriorResult]):
    """Keeps them in a campaign's file as measures of its attacks."""

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


_TITLES = {"own rows": "Members, their own rows taken out", "holdout": "People of the holdout"}


class PriorStudy(Study[PriorResult]):
    """The same attacks on non-members, without recall, beside ALC."""

    name = "prior"
    title = "Prior approach"
    sentence = (
        "What would measures say that compare an attack on people in the release with one on "
        "other people?"
    )
    explanation = (
        "**Without recall** compares the same predictions as ALC, attack and baseline, where both "
        "guess everybody. It costs nothing.",
        "**The prior approach** (Giomi and others, 2022) has no baseline: the same attack is run "
        "on non-members. They are people of a holdout, or the members themselves with their own "
        "rows taken out of the release. The latter needs rows that are people's own.",
        "Where ALC is higher, the attack is sure of few people and right about them, which an "
        "average over everybody hides. Where the other is higher, the attack guesses worse than a "
        "good model of other people's data.",
    )
    icon, button = ":material/history:", "Attack non-members"
    needs = (Need.ORIGINAL, Need.RELEASE, Need.CAMPAIGN)
    takes = (Takes.HOLDOUT,)
    kept = KEPT_PRIORS
    section = ""  # The report has it among the other measures.
    costs = "Each attack is run once more."
    example = "--most 50 --save"
    parameters = (
        Asked(
            name="non_members", title="Non-members", optional=True, choices=tuple(_TITLES),
            titles=_TITLES,
            help="People of the holdout, or members with their own rows taken out of the release.",
            usual="the holdout, where there is one",
        ),
        Asked(
            name="most", title="Attacks for each release, at most", default=20, low=1, high=1000,
            step=10, help="The worst by ALC.",
        ),
    )  # fmt: skip

    def choices(self, asked: Asked, data: StudyData, given: Given) -> Sequence[str]:  # noqa: ARG002
        """Offer the holdout first where there is one, else not at all."""
        if asked.name != "non_members":
            return asked.choices
        return asked.choices[:1] if data.holdout is None else asked.choices[::-1]

    def check(self, data: StudyData, given: Given) -> None:
        if given["non_members"] == "holdout":
            _ = data.others

    def run(self, data: StudyData, given: Given, reporter: Reporter) -> list[PriorResult]:
        """Run the worst attacks of each release on non-members."""
        campaign = data.campaign
        holdout = None if given["non_members"] == "own rows" else data.holdout
        found = []
        for name, release in data.releases.items():
            numbers = campaign.worst_first(name)[: given["most"]]
            telling = reporter.of(name)
            attacks, refused = dict[int, Prior](), dict[str, list[str]]()
            try:
                others = NonMembers(data.original, release, holdout)
            except InputError as error:
                numbers, refused[str(error)] = [], []
            for place, number in enumerate(numbers):
                telling.report("Attacking non-members", place, len(numbers))
                try:
                    attacks[number] = others.measured(
                        campaign.view.assessment(number), Reporter(cancel=reporter.cancel)
                    )
                except InputError as error:
                    refused.setdefault(str(error), []).append(str(number))
            if attacks or refused:
                found.append(
                    PriorResult(
                        release=name, fingerprint=data.original.fingerprint,
                        measure=OWN_ROW_OUT if holdout is None else HOLDOUT, attacks=attacks,
                        refused=tuple(
                            f"Attack {listed(of)}: {why}" if of else why
                            for why, of in refused.items()
                        ),
                    )
                )  # fmt: skip
        if found and not any(each.attacks for each in found):
            raise InputError(found[0].refused[0])
        return found

    def blocks(self, found: PriorResult, look: Look) -> Iterator[show.Block]:
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
                    "Right about members": percent(numbers["attack"].value),
                    "About non-members": percent(numbers["other"].value),
                }
            )
        if rows:
            yield show.Table.of(rows, alt="ALC and the prior approach of each attack.")
        for why in found.refused:
            yield show.Note(why, show.Tone.WARNING)

    def further(self, look: Look) -> Iterator[show.Block]:
        """Show ALC against each other measure on its scale, and the paper's table 2."""
        if look.standing is None:
            return
        overview = look.standing.overview
        columns = {each.name: each for each in columns_like_alc(overview.results)}
        if not columns:
            yield show.Text(
                "The attacks of this campaign were run before these measures were taken."
            )
            return
        yield show.Heading("Where the measures disagree")
        chosen = look.text("measure", columns, default=next(reversed(columns)))
        if len(columns) > 1:
            yield show.Choice(
                name="measure", title="Beside ALC", value=chosen, few=True,
                options={name: each.title for name, each in columns.items()},
            )  # fmt: skip
        column = columns[chosen]
        yield from beside_alc(f"alc-and-{chosen.replace('_', '-')}", column, look, look.standing)
        yield show.Items(tuple(filter(None, [disagreement_sentence(overview, column)])))
        yield show.Table.of(
            disagreement_rows(overview), alt="Attacks on whose safety two measures disagree.",
            title="Shares of attacks", words="Each measure over the attacks that have it.",
        )  # fmt: skip
