"""The study of dependent rows: what households and copies do to the loss."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from alc_core.assessment.words import VERDICT_TITLES
from alc_core.errors import InputError
from alc_core.figures.studies import dependence_figure
from alc_core.phrasing import alc_number, count, listed, percent
from alc_core.present.blocks import Block, Figure, Note, Table, Tone
from alc_core.releases.release import Release
from alc_core.runtime.progress import Reporter
from alc_core.studies.dependence.measuring import KEPT_DEPENDENCE, DependenceResult, both_ways
from alc_core.studies.study import Asked, Given, Kind, Look, Measuring, Need, Study, StudyData
from alc_core.tables.households import kept_together, likely_dependents

_MATERIAL = 0.1
_NAMED = 4


class DependenceStudy(Study[DependenceResult]):
    """Attacks run once more with dependent rows together, or apart."""

    name = "dependence"
    title = "Dependent rows"
    sentence = (
        "How much does the guess learn from copies of a person's row or from the household, and "
        "how far does that hide a loss?"
    )
    explanation = (
        "The guess that attacks are compared with must not know the person. If it learns from a "
        "copy of the person's row, or from who lives there, too, it is too good, and the loss "
        "looks too small. Each attack is run once with such rows on one side of every split, once "
        "without that.",
    )
    icon, button = ":material/family_restroom:", "Attack both ways"
    needs = (Need.ORIGINAL, Need.RELEASE, Need.CAMPAIGN)
    kept = KEPT_DEPENDENCE
    section = "studies"
    costs = "Each attack is run once more, with a guess of its own."
    example = "--together region,rooms --save"
    parameters = (
        Asked(
            name="together", title="Rows belong together that agree in", kind=Kind.COLUMNS,
            help="All of these columns. A campaign that was run with a household keeps to that.",
            usual="the household of the campaign, or what the check suspects",
        ),
        Asked(
            name="most", title="Attacks for each release, at most", default=5, low=1, high=1000,
            help="The worst by ALC.",
        ),
    )  # fmt: skip

    def suggest(self, data: StudyData, given: Given) -> Given:
        """Suggest the campaign's household, or rows that look dependent."""
        together = given["together"] or _of_campaign(data)
        if not together and (found := likely_dependents(data.original, data.person)):
            together = found.columns
        return {**given, "together": together}

    def check(self, data: StudyData, given: Given) -> None:  # noqa: ARG002
        if not given["together"]:
            raise InputError(
                "No rows look like a household's or like copies. Name the columns in which rows "
                "that belong together agree."
            )

    def measuring(self, data: StudyData, given: Given) -> Measuring[DependenceResult]:
        """Run the worst attacks of each release the other way."""
        campaign, columns = data.campaign, _of_campaign(data) or tuple(given["together"])
        groups = kept_together(data.original, columns)
        rows = int((np.bincount(groups)[groups] > 1).sum())

        def measure(release: Release, reporter: Reporter) -> Iterator[DependenceResult]:
            attacks = tuple(
                both_ways(
                    number, campaign.view.assessment(number), data.original, release, columns,
                    reporter=reporter.of(f"attack {number}"),
                )
                for number in campaign.worst_first(release.name)[: given["most"]]
            )  # fmt: skip
            if attacks:
                yield DependenceResult(
                    release=release.name, fingerprint=data.original.fingerprint, columns=columns,
                    rows=rows, of=len(data.original), attacks=attacks,
                )  # fmt: skip

        return measure

    def blocks(self, found: DependenceResult, look: Look) -> Iterator[Block]:  # noqa: ARG002
        """Show how far ALC and the guess differ."""
        gaps = [each.together.alc.value - each.apart.alc.value for each in found.attacks]
        most = max(range(len(gaps)), key=lambda place: abs(gaps[place]))
        worst, number = found.attacks[most], len(found.columns)
        columns = listed(list(found.columns)) if number <= _NAMED else f"{count(number)} columns"
        yield Note(
            f"{count(found.rows)} of {count(found.of)} rows belong with another by "
            f"{columns}. The difference is largest in attack {worst.number}: "
            f"ALC {alc_number(worst.together.alc.value)} with them together, "
            f"{alc_number(worst.apart.alc.value)} with them apart, where the guess is right about "
            f"{percent(worst.together.guess)} and {percent(worst.apart.guess)}.",
            Tone.WARNING if abs(gaps[most]) >= _MATERIAL else Tone.WELL,
        )
        yield Figure("dependent-rows", lambda: dependence_figure(found))
        yield Table.of(
            [
                {
                    "Attack": f"{each.number}: {each.unknown}",
                    "ALC together": alc_number(each.together.alc.value),
                    "ALC apart": alc_number(each.apart.alc.value),
                    "Verdict together": VERDICT_TITLES[each.together.verdict],
                    "Verdict apart": VERDICT_TITLES[each.apart.verdict],
                    "Guess together": percent(each.together.guess),
                    "Guess apart": percent(each.apart.guess),
                }
                for each in found.attacks
            ],
            alt="ALC, verdict and guess of each attack both ways.",
        )


def _of_campaign(data: StudyData) -> tuple[str, ...]:
    """Return the household of a campaign's attacks; empty where there is none."""
    attacks = () if data.standing is None else data.standing.view.attacks
    found = next((each.scenario.household for each in attacks if each.scenario.household), ())
    return (found,) if isinstance(found, str) else found
