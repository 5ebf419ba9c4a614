"""The study of the prior approach: what other measures would have said of a campaign's attacks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from alc_core.campaign.findings.other_measures import (
    columns_like_alc,
    disagreement_rows,
    disagreement_sentence,
)
from alc_core.errors import InputError
from alc_core.figures.attacks import measure_scatter
from alc_core.measures.full_recall import HOLDOUT, OWN_ROW_OUT
from alc_core.phrasing import alc_number, percent
from alc_core.present.blocks import (
    Block,
    Choice,
    Figure,
    Heading,
    Items,
    Place,
    Table,
    Text,
    Way,
)
from alc_core.releases.release import Release
from alc_core.runtime.progress import Reporter
from alc_core.studies.prior.measuring import KEPT_PRIORS, NonMembers, PriorResult, cannot_take_out
from alc_core.studies.study import Asked, Given, Look, Need, Study, StudyData, Takes, told_of

_TITLES = {"own rows": "Members, their own rows taken out", "holdout": "People of the holdout"}
_MEASURES = {"own rows": OWN_ROW_OUT, "holdout": HOLDOUT}


class PriorStudy(Study[PriorResult]):
    """The same attacks on non-members, without recall, beside ALC."""

    name = "prior"
    title = "Prior approach"
    sentence = (
        "What would other measures have said, which compare an attack on people in the release "
        "with one on others?"
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

    def refusal(self, release: Release) -> str:
        return cannot_take_out(release)

    def choices(self, asked: Asked, data: StudyData, given: Given) -> Sequence[str]:  # noqa: ARG002
        """Offer the holdout first where there is one, else not at all."""
        if asked.name != "non_members":
            return asked.choices
        return asked.choices[:1] if data.holdout is None else asked.choices[::-1]

    def check(self, data: StudyData, given: Given) -> None:
        if given["non_members"] == "holdout" and data.holdout is None:
            raise InputError("There is no holdout yet. Add one.")

    def run(self, data: StudyData, given: Given, reporter: Reporter) -> list[PriorResult]:
        """Run the worst attacks of each release on non-members."""
        if data.standing is None:
            raise InputError("There is no campaign yet. Run one.")
        view, results = data.standing.view, data.standing.overview.results
        holdout = None if given["non_members"] == "own rows" else data.holdout
        found, refused = [], []
        for name, release in data.releases.items():
            numbers = results.loc[results["release"] == name, "number"].tolist()[: given["most"]]
            telling = told_of(reporter, name)
            try:
                others = NonMembers.of(data.original, release, holdout)
            except InputError as error:
                refused.append(str(error))
                continue
            attacks = {}
            for place, number in enumerate(numbers):
                telling.report("Attacking non-members", place, len(numbers))
                try:
                    attacks[number] = others.measured(view.assessment(number))
                except InputError as error:
                    refused.append(f"Attack {number}: {error}")
            if attacks:
                found.append(
                    PriorResult(
                        release=name, fingerprint=data.original.fingerprint,
                        measure=others.measure, attacks=attacks,
                    )
                )  # fmt: skip
        if refused and not found:
            raise InputError(refused[0])
        return found

    def blocks(self, found: PriorResult, look: Look) -> Iterator[Block]:
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
        yield Table.of(rows, alt="ALC and the prior approach of each attack.")

    def further(self, look: Look) -> Iterator[Block]:
        """Show ALC against each other measure on its scale, and the paper's table 2."""
        if look.standing is None:
            return
        overview = look.standing.overview
        columns = {each.name: each for each in columns_like_alc(overview.results)}
        if not columns:
            yield Text("The attacks of this campaign were run before these measures were taken.")
            return
        yield Heading("Where the measures disagree")
        chosen = look.text("measure", columns, default=next(reversed(columns)))
        if len(columns) > 1:
            yield Choice(
                name="measure", title="Beside ALC", value=chosen, few=True,
                options={name: each.title for name, each in columns.items()},
            )  # fmt: skip
        column = columns[chosen]
        there = {str(number): number for number in overview.results["number"].tolist()}
        picked = there.get(str(look.chosen.get("picked", "")))
        yield Figure(
            f"alc-and-{chosen.replace('_', '-')}",
            lambda: measure_scatter(
                overview.results, overview.scoring, column=column, selected=picked
            ),
            picks="picked",
        )
        if picked is not None:
            yield Way(Place.ATTACK, f"Open attack {picked}", picked)
        yield Items(tuple(filter(None, [disagreement_sentence(overview, column)])))
        yield Table.of(
            disagreement_rows(overview), alt="Attacks on whose safety two measures disagree.",
            title="Shares of attacks", words="Each measure over the attacks that have it.",
        )  # fmt: skip
