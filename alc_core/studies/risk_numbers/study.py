"""The study of risk numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from alc_core.phrasing import count, loss_text, percent, quoted
from alc_core.plain_values import to_plain
from alc_core.present.blocks import Ask, Beside, Block, Figure, Items, Place, Remark, Text, Way
from alc_core.releases.release import Release, released_columns, without_rows
from alc_core.runtime.progress import Reporter
from alc_core.scoring.verdict import FLAGGED, VERDICT_TITLES, Verdict
from alc_core.studies.risk_numbers import words
from alc_core.studies.risk_numbers.classes import USUAL_THRESHOLD, ClassSizes, least_size
from alc_core.studies.risk_numbers.figures import class_size_histogram
from alc_core.studies.risk_numbers.result import (
    KEPT_RISK_NUMBERS,
    RiskNumbers,
    RiskSettings,
    RowsAre,
    measure_risk_numbers,
)
from alc_core.studies.study import (
    Asked,
    CampaignStanding,
    Given,
    Kind,
    Measuring,
    Study,
    StudyData,
    Takes,
    Viewpoint,
)
from alc_core.tables.roles import known_and_protected


class RiskNumbersStudy(Study[RiskNumbers]):
    """Classes of equal rows, of original and released tables."""

    name = "risk-numbers"
    title = "Risk numbers"
    sentence = "Do known columns identify a person's row?"
    explanation = "Rows in a class share known values; k is the smallest class."
    methods = "Risk numbers"
    icon, button = ":material/groups:", "Count classes"
    takes = (Takes.SETS,)
    kept = KEPT_RISK_NUMBERS
    section = "risk-numbers"
    unmeasured = "Risk numbers were not measured."
    gathers = False
    example = "--known age,sex --protected job"
    parameters = (
        Asked(
            name="known", title="Known to others", kind=Kind.COLUMNS,
            help="Known columns.",
            usual="by their roles ('alc check')",
        ),
        Asked(
            name="protected", title="Protected", kind=Kind.COLUMNS,
            help="Sensitive columns.",
            usual="by their roles",
        ),
        Asked(
            name="threshold", title="Risk threshold", default=USUAL_THRESHOLD, low=0.0,
            low_open=True, high=1.0, step=0.01,
            help="0.09 for EMA and Health Canada.",
        ),
        Asked(
            name="population", title="People in the population", default=1, low=1, optional=True,
            step=1, usual="not estimated",
            help="To estimate uniqueness.",
            metavar="N",
        ),
        Asked(
            name="rows", title="Rows of the releases are", default="unknown",
            choices=("unknown", "people", "changed"),
            help="Whether rows are people.",
            usual="detected",
            titles={"unknown": "Detect", "people": "People", "changed": "Changed or synthetic"},
        ),
    )  # fmt: skip

    def refusal(self, release: Release) -> str:
        return without_rows(release, "Risk numbers need")

    def suggest(self, data: StudyData, given: Given) -> Given:
        original, known, protected = data.original, given["known"], given["protected"]
        possible = [
            column
            for column in original.columns
            if column in data.released and data.roles.role(column).takes_part
        ]
        by_role = known_and_protected(data.roles, possible)
        known = tuple(known) or tuple(c for c in by_role[0] if c not in protected)
        protected = tuple(protected) or tuple(c for c in by_role[1] if c not in known)
        return {**given, "known": known, "protected": protected}

    def check(self, data: StudyData, given: Given) -> None:
        _settings(data, given).check(data.original)

    def measuring(self, data: StudyData, given: Given) -> Measuring[RiskNumbers]:
        settings = _settings(data, given)
        none_fits = not data.released.intersection(settings.known)

        def measure(release: Release, reporter: Reporter) -> Sequence[RiskNumbers]:
            if none_fits or not released_columns(release).isdisjoint(settings.known):
                return measure_risk_numbers(data.original, release, settings, reporter=reporter)
            return ()  # Where none fits, measuring says so.

        return measure

    def label(self, found: RiskNumbers) -> str:
        return found.label

    def plain(self, found: RiskNumbers) -> Any:
        plain: dict[str, Any] = to_plain(found)
        for name in ("original", "released", "any_value", "in_original"):
            sizes: ClassSizes | None = getattr(found, name)
            plain[name] = sizes and {
                "k": sizes.smallest,
                "rows": sizes.total,
                "unique": sizes.unique,
                "below": {str(size): sizes.below(size) for size in (2, 3, 5, 10)},
                "above_threshold": sizes.above_threshold(found.settings.threshold),
                "highest_risk": sizes.highest_risk,
                "mean_risk": sizes.mean_risk,
                "histogram": {band.label: band.rows for band in sizes.bands()},
                "rows_by_size": dict(zip(map(str, sizes.sizes), sizes.rows, strict=True)),
            }
            if sizes and name in ("original", "released"):
                plain[name]["population"] = to_plain(found.in_population(sizes))
        return plain

    def side_by_side(self, found: Sequence[RiskNumbers]) -> Iterator[Block]:
        """Show the numbers of all releases by settings."""
        alike: dict[RiskSettings, list[RiskNumbers]] = {}
        for each in found:
            alike.setdefault(each.settings, []).append(each)
        for settings, results in alike.items():
            table = words.numbers_table(results)
            empty = any(words.NONE in row for row in table.rows)
            yield table
            yield Text(
                f"Classes by {quoted(settings.known)}. Protected: "
                f"{quoted(settings.protected) or 'none'}."
                + (f" {words.NONE}: not applicable." if empty else ""),
                quiet=True,
            )

    def blocks(self, found: RiskNumbers, look: Viewpoint) -> Iterator[Block]:
        yield Remark("", lead=words.risk_sentence(found))
        yield from _beside_alc(found, look)
        if found.treated and len(found.treated) < len(found.known):
            taken = tuple(c for c in found.treated if c not in found.settings.protected)
            yield Ask(
                f"Use only the {count(len(found.treated))} coarser or suppressed columns",
                {"known": taken},
            )
        figure = Figure("class-sizes", lambda: class_size_histogram(found))
        if found.diversity:
            yield Beside(((figure,), (words.protected_table(found),)))
        else:
            yield figure
        yield Items(words.notes(found), quiet=True)


def _settings(data: StudyData, given: Given) -> RiskSettings:
    return RiskSettings(
        known=given["known"],
        protected=given["protected"],
        threshold=given["threshold"],
        population=given["population"],
        rows_are=RowsAre(given["rows"]),
        person=data.person,
    )


def _beside_alc(found: RiskNumbers, look: Viewpoint) -> Iterator[Block]:
    beside = None if look.standing is None else worst_attack(look.standing, found)
    if beside is None:
        yield Way(Place.CAMPAIGN, "Plan attacks on it")
        return
    yield Text(f"{alc_sentence(beside)} {disagreement(found, beside)}".strip())
    yield Way(Place.ATTACK, "Open the attack", beside.number)


_HARMLESS = (Verdict.BELOW_LIMIT, Verdict.NO_LOSS)


@dataclass(frozen=True, slots=True, kw_only=True)
class AlcBeside:
    """The worst attack on a release."""

    number: int  # Of the attack
    unknown: str  # The column that it attacks
    wanted: str  # The unknown column, or its class in the release
    standing: str  # Its verdict
    alc: float  # The ALC that it stands on
    knows_no_more: bool  # Whether it knows only the risk numbers' known columns


def worst_attack(at: CampaignStanding, found: RiskNumbers) -> AlcBeside | None:
    """Return the worst attack on the release, preferably one that knows no more."""
    numbers = at.worst_first(found.release)
    if not numbers or found.fingerprint != at.view.settings.original.fingerprint:
        return None
    known = {*found.settings.known}
    alike = [number for number in numbers if {*at.view.attack(number).scenario.known} <= known]
    number = (alike or numbers)[0]
    standing, alc = at.overview.stands(number)
    return AlcBeside(
        number=number,
        unknown=at.view.attack(number).scenario.unknown,
        wanted=at.view.attack(number).scenario.wanted,
        standing=standing,
        alc=alc,
        knows_no_more=bool(alike),
    )


def alc_sentence(beside: AlcBeside) -> str:
    """Say what the worst attack found."""
    which = "that knows no more than these columns" if beside.knows_no_more else "on this release"
    more = "" if beside.knows_no_more else (" Every attack uses additional columns.")
    alc = f", ALC {loss_text(beside.alc)}" if beside.alc > 0 else ""
    title = VERDICT_TITLES[Verdict(beside.standing)].lower()
    return f"The worst attack {which} infers '{beside.wanted}': {title}{alc}.{more}"


def disagreement(found: RiskNumbers, beside: AlcBeside) -> str:
    """Say why risk numbers and ALC disagree; empty if they do not."""
    flagged, harmless = beside.standing in FLAGGED, beside.standing in _HARMLESS
    if found.rows_are is RowsAre.CHANGED or found.released is None:
        if not harmless or not found.original.unique:
            return ""
        return (
            f"{percent(found.original.unique)} of people are unique in these columns, but no row "
            "leads to them."
        )
    least = least_size(found.settings.threshold)
    above = found.released.below(least)
    if harmless and above:
        return f"{percent(above)} of rows are in classes below {least}, which reveal little."
    if not flagged or above:
        return ""
    start = f"No class is smaller than {least}, but the attack infers '{beside.wanted}':"
    spread = next((each for each in found.diversity if each.column == beside.unknown), None)
    if spread is not None and spread.one_value:
        return (
            f"{start} {percent(spread.one_value)} of rows are in classes with a single value (ℓ = "
            "1)."
        )
    if not beside.knows_no_more:
        return f"{start} it uses additional columns."
    far = "" if spread is None else f" (t = {spread.closeness:.2f})"
    return f"{start} classes differ in its values{far}."
