"""The study of risk numbers: k-anonymity and what guidelines and other tools speak of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from alc_core.figures.risk_numbers import class_size_histogram
from alc_core.phrasing import count, listed
from alc_core.plain_values import to_plain
from alc_core.present.blocks import (
    Ask,
    Beside,
    Block,
    Figure,
    Items,
    Note,
    Place,
    Text,
    Way,
)
from alc_core.releases.release import Release, without_rows
from alc_core.runtime.progress import Reporter
from alc_core.studies.risk_numbers.beside_alc import alc_sentence, disagreement, worst_attack
from alc_core.studies.risk_numbers.classes import USUAL_THRESHOLD, ClassSizes, least_size
from alc_core.studies.risk_numbers.measuring import measure_risk_numbers
from alc_core.studies.risk_numbers.population import check_population
from alc_core.studies.risk_numbers.result import (
    KEPT_RISK_NUMBERS,
    RiskNumbers,
    RiskSettings,
    RowsAre,
    chosen_columns,
)
from alc_core.studies.risk_numbers.words import (
    EXPLANATION,
    NONE,
    POPULATION_HELP,
    ROWS_HELP,
    THRESHOLD_HELP,
    notes,
    numbers_table,
    protected_table,
    risk_sentence,
)
from alc_core.studies.study import Asked, Given, Kind, Look, Study, StudyData, Takes


class RiskNumbersStudy(Study[RiskNumbers]):
    """Classes of equal rows, of the original and of each released table."""

    name = "risk-numbers"
    title = "Risk numbers"
    sentence = (
        "The numbers of guidelines and other tools, from k-anonymity to t-closeness, with ALC "
        "beside."
    )
    explanation = EXPLANATION
    icon, button = ":material/groups:", "Count classes"
    takes = (Takes.SETS,)
    kept = KEPT_RISK_NUMBERS
    section = "risk-numbers"
    unmeasured = "k-anonymity and the other risk numbers of guidelines were not measured."
    gathers = False
    example = "--known age,sex --protected job"
    parameters = (
        Asked(
            name="known", title="Known to others", kind=Kind.COLUMNS,
            help="Columns that others can know: quasi-identifiers, key variables. Rows that are "
            "alike in them are a class.",
            usual="by their roles; 'alc check' shows them",
        ),
        Asked(
            name="protected", title="Protected", kind=Kind.COLUMNS,
            help="Columns that nobody should learn, for ℓ-diversity and "
            "t-closeness.",
            usual="by their roles",
        ),
        Asked(
            name="threshold", title="Threshold of risk", default=USUAL_THRESHOLD, low=0.0,
            low_open=True, high=1.0, step=0.01, help=THRESHOLD_HELP,
        ),
        Asked(
            name="population", title="People in the population", default=1, low=1, optional=True,
            step=1, usual="not estimated", help=POPULATION_HELP, metavar="N",
        ),
        Asked(
            name="rows", title="Rows of the releases are", default="unknown",
            choices=("unknown", "people", "changed"), help=ROWS_HELP, usual="found out",
            titles={"unknown": "Find out", "people": "People", "changed": "Changed or made up"},
        ),
    )  # fmt: skip

    def refusal(self, release: Release) -> str:
        return without_rows(release, "Risk numbers need")

    def suggest(self, data: StudyData, given: Given) -> Given:
        """Take columns that are not named by their roles."""
        known, protected = chosen_columns(
            data.original, data.roles, data.released,
            known=given["known"], protected=given["protected"],
        )  # fmt: skip
        return {**given, "known": known, "protected": protected}

    def check(self, data: StudyData, given: Given) -> None:
        settings = _settings(data, given)
        settings.check(data.original)
        if settings.population is not None:
            check_population(settings.population, len(data.original))

    def run(self, data: StudyData, given: Given, reporter: Reporter) -> list[RiskNumbers]:
        """Count the classes of all releases that have a known column."""
        settings, found = _settings(data, given), list[RiskNumbers]()
        fitting = [
            release
            for release in data.releases.values()
            if set(settings.known) & {c for table in release.tables for c in table.columns}
        ]
        # Without any, measuring says so.
        for release in fitting or data.releases.values():
            found += measure_risk_numbers(data.original, release, settings, reporter=reporter)
        return found

    def label(self, found: RiskNumbers) -> str:
        return found.label

    def plain(self, found: RiskNumbers) -> Any:
        plain: dict[str, Any] = to_plain(found)
        least = least_size(found.settings.threshold)
        for name in ("original", "released", "any_value", "in_original"):
            sizes: ClassSizes | None = getattr(found, name)
            plain[name] = None if sizes is None else _plain_sizes(sizes, least)
        for name, sizes in (("original", found.original), ("released", found.released)):
            if sizes is not None:
                plain[name]["population"] = to_plain(found.in_population(sizes))
        return plain

    def side_by_side(self, found: Sequence[RiskNumbers]) -> Iterator[Block]:
        """Show the numbers of all releases that were asked for alike."""
        alike: dict[RiskSettings, list[RiskNumbers]] = {}
        for each in found:
            alike.setdefault(each.settings, []).append(each)
        for settings, results in alike.items():
            table = numbers_table(results)
            columns = listed(settings.known)
            empty = any(NONE in row for row in table.rows)
            yield table
            yield Text(
                f"Classes of rows with the same {columns}. Protected: "
                f"{listed(settings.protected) or 'none'}. Original: as if it were published."
                + (f" {NONE}: it means nothing there." if empty else ""),
                quiet=True,
            )

    def blocks(self, found: RiskNumbers, look: Look) -> Iterator[Block]:
        """Show what was counted in a table, and why ALC may say another thing."""
        yield Note("", lead=risk_sentence(found))
        yield from _beside_alc(found, look)
        if found.treated and len(found.treated) < len(found.known):
            taken = tuple(c for c in found.treated if c not in found.settings.protected)
            yield Ask(
                f"Take the {count(len(found.treated))} coarser or suppressed columns only",
                {"known": taken},
            )
        figure = Figure("class-sizes", lambda: class_size_histogram(found))
        if found.diversity:
            yield Beside(((figure,), (protected_table(found),)))
        else:
            yield figure
        yield Items(notes(found), quiet=True)


def _settings(data: StudyData, given: Given) -> RiskSettings:
    return RiskSettings(
        known=given["known"],
        protected=given["protected"],
        threshold=given["threshold"],
        population=given["population"],
        rows_are=RowsAre(given["rows"]),
        person=data.person,
    )


def _beside_alc(found: RiskNumbers, look: Look) -> Iterator[Block]:
    """Show the verdict of the worst attack on the release, and the way to it."""
    at = look.standing
    beside = None if at is None else worst_attack(at.view, at.overview.scoring, found)
    if beside is None:
        what = "What the release tells about people is for attacks to say."
        yield Way(Place.CAMPAIGN, "Plan attacks on it", lead=what)
        return
    yield Text(f"{alc_sentence(beside)} {disagreement(found, beside)}".strip())
    yield Way(Place.ATTACK, "Open the attack", beside.number)


def _plain_sizes(sizes: ClassSizes, least: int) -> dict[str, Any]:
    return {
        "k": sizes.smallest,
        "rows": sizes.total,
        "unique": sizes.unique,
        "below": {str(size): sizes.below(size) for size in (2, 3, 5, 10)},
        "above_threshold": sizes.below(least),
        "highest_risk": sizes.highest_risk,
        "mean_risk": sizes.mean_risk,
        "histogram": {band.label: band.rows for band in sizes.bands()},
        "rows_by_size": dict(zip(map(str, sizes.sizes), sizes.rows, strict=True)),
    }
