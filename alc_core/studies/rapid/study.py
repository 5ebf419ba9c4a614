"""The study of RAPID: how many people a model that learns from a release predicts too well."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from alc_core.assessment.words import VERDICT_TITLES
from alc_core.campaign.findings.other_measures import disagreements, rapid_column
from alc_core.errors import AlcError, ParameterError
from alc_core.figures.studies import rapid_curve, rapid_drivers, rapid_groups, rapid_releases
from alc_core.measures.rapid import SCORES, fitting_scores
from alc_core.phrasing import alc_number, count, percent, quoted
from alc_core.present import blocks as show
from alc_core.releases.release import Release, without_rows
from alc_core.runtime.progress import Reporter
from alc_core.scoring.verdict import Verdict
from alc_core.studies.rapid.learners import LEARNERS
from alc_core.studies.rapid.measuring import measure_rapid
from alc_core.studies.rapid.result import (
    EXPLANATION,
    KEPT_RAPID,
    MeasuredRapid,
    Rapid,
    RapidSettings,
    beyond_sentence,
    difference_words,
    driver_sentence,
    group_sentence,
    moved_sentence,
    not_released_sentence,
    people_table,
    plain_rapid,
    shares_sentence,
    with_groups,
)
from alc_core.studies.study import (
    KNOWN,
    UNKNOWN,
    Asked,
    Extra,
    Given,
    Kind,
    Look,
    Measuring,
    Study,
    StudyData,
    Takes,
    beside_alc,
)
from alc_core.tables.table import Table

ALC_TITLE = "ALC of the same facts"

Found = MeasuredRapid | Rapid
"""With each person's risk where it was measured in this session; what is kept has none."""


class RapidStudy(Study[Found]):
    """RAPID of each release and unknown column, beside models that learned from other people."""

    name = "rapid"
    title = "RAPID"
    sentence = (
        "How many people does a model that learned from the release alone predict rightly and with "
        "confidence, and how many one that learned from other people?"
    )
    explanation = EXPLANATION
    icon, button = ":material/speed:", "Measure RAPID"
    takes = (Takes.MISSING, Takes.SEED)
    kept = KEPT_RAPID
    section = "rapid"
    unmeasured = "How many people a model trained on a release predicts too well was not measured."
    costs = "For each release a model is trained, and five on the original for the reference."
    example = "--known age,sex --unknown job"
    parameters = (
        replace(UNKNOWN, kind=Kind.COLUMNS),
        KNOWN,
        Asked(
            name="learner", title="Learner", default="random forest", choices=tuple(LEARNERS),
            help="What the attacker trains. Regression is logistic for categories, linear for "
            "numbers.",
        ),
        Asked(
            name="score", title="Score", optional=True,
            titles={name: score.title for name, score in SCORES.items()},
            help="'gain', 'conditional' or 'cross-entropy' of categories; 'symmetric', 'relative' "
            "or 'absolute' error of numbers.",
            usual="gain, symmetric; of dates absolute, in days",
        ),
        Asked(
            name="threshold", title="Threshold", default=0.3, optional=True, where="command",
            help="Of categories: at risk is who has a score above it.", usual="0.3",
        ),
        Asked(
            name="tolerance", title="Tolerance", default=0.1, optional=True, where="command",
            help="Of numbers: at risk is whose error is below it.", usual="0.1",
        ),
        Asked(
            name="by", title="By", kind=Kind.COLUMNS, where="command",
            help="Also give the share at risk for each value of these columns of the original. "
            "The known and unknown ones are always included.",
        ),
    )  # fmt: skip
    extras = (
        Extra(
            option="people", title="Each person's risk (CSV)", file="rapid-people.csv",
            help="Write the risk of every person of the original as CSV here. It is personal data.",
            page_help="Row numbers of the original with their scores: personal data. It is made "
            "when you click, and kept nowhere.",
            make=people_table,
        ),
    )  # fmt: skip

    def refusal(self, release: Release) -> str:
        return without_rows(release, "RAPID needs")

    def choices(self, asked: Asked, data: StudyData, given: Given) -> Sequence[str]:
        """Return the scores that fit the unknown column."""
        unknown = next((c for c in given["unknown"] if c in data.original.columns), None)
        if asked.name == "score" and unknown is not None:
            return fitting_scores(data.original.kind(unknown))
        return asked.choices

    def check(self, data: StudyData, given: Given) -> None:
        for unknown in given["unknown"] or (None,):
            data.scenario(given["known"], unknown)
            if unknown is not None:
                settings = _settings(data.original, given, unknown, data.seed)
                settings.score_of(unknown, data.original.kind(unknown))

    def measuring(self, data: StudyData, given: Given) -> Measuring[Found]:
        """Measure each release; the reference of an unknown column is measured once."""
        like: dict[str, MeasuredRapid] = {}

        def measure(release: Release, reporter: Reporter) -> Iterator[Found]:
            for unknown in given["unknown"]:
                like[unknown] = measure_rapid(
                    data.original,
                    release,
                    data.scenario(given["known"], unknown),
                    _settings(data.original, given, unknown, data.seed),
                    by=given["by"],
                    like=like.get(unknown),
                    reporter=reporter.of(f"'{unknown}'"),
                )
                yield like[unknown]

        return measure

    def keepable(self, found: Found) -> Rapid:
        return found.result if isinstance(found, MeasuredRapid) else found

    def plain(self, found: Found) -> Any:
        return plain_rapid(self.keepable(found))

    def label(self, found: Found) -> str:
        rapid = self.keepable(found)
        known = quoted(rapid.known, most=3)
        return f"{rapid.release}: {rapid.unknown} from {known}, {rapid.settings.learner}"

    def side_by_side(self, found: Sequence[Found]) -> Iterator[show.Block]:
        """Show the shares at risk of all results in one figure."""
        every = [self.keepable(each) for each in found]
        if len(every) > 1:
            yield show.Figure("rapid-releases", lambda: rapid_releases(every))

    def blocks(self, found: Found, look: Look) -> Iterator[show.Block]:
        """Show the shares, the curve, who is at risk, and what the risk rests on."""
        rapid = self.keepable(found)
        yield from _numbers(rapid, look)
        yield show.Note(shares_sentence(rapid), lead=beyond_sentence(rapid))
        left_out = (
            f"{count(rapid.left_out)} people without a value to predict were left out."
            if rapid.left_out
            else ""
        )
        for note in filter(None, (not_released_sentence(rapid), *rapid.notes, left_out)):
            yield show.Text(note, quiet=True)
        yield from _curve(rapid, look)
        drivers = (
            show.Figure("rapid-drivers", lambda: rapid_drivers(rapid)),
            show.Text(driver_sentence(rapid), quiet=True),
        )
        if look.page:
            yield show.Beside((tuple(_groups(found, look)), drivers))
            return
        for column in rapid.grouped:
            if column not in rapid.known:
                yield _by_group(rapid, column)
        yield show.Items(tuple(group_sentence(rapid, column) for column in rapid.grouped))
        yield from drivers

    def further(self, look: Look) -> Iterator[show.Block]:
        """Show RAPID against ALC of all attacks that have both, and where they disagree."""
        if look.standing is None:
            return
        overview = look.standing.overview
        yield show.Heading("All attacks of the campaign")
        column = rapid_column(overview)
        if column is None:
            yield show.Text(
                "No attack of the campaign gives probabilities, which RAPID needs. Run it with the "
                "attack “model” to compare the two over all scenarios.",
                quiet=True,
            )
            return
        yield from beside_alc("rapid-and-alc", column, look, look.standing)
        yield show.Items(disagreements(overview))


def _settings(original: Table, given: Given, unknown: str, seed: int) -> RapidSettings:
    """Return what is measured for one unknown column, by its kind."""
    numeric = unknown in original.columns and original.kind(unknown).is_numeric
    cut, other = ("tolerance", "threshold") if numeric else ("threshold", "tolerance")
    if given[cut] is None and given[other] is not None and len(given["unknown"]) == 1:
        raise ParameterError(
            f"'{unknown}' holds {'numbers' if numeric else 'categories'}: give --{cut}, not"
            f" --{other}."
        )
    return RapidSettings(
        learner=given["learner"], score=given["score"] or None, cut=given[cut], seed=seed
    )


def _numbers(found: Rapid, look: Look) -> Iterator[show.Block]:
    """Show the shares, and the ALC of the worst attack with the same facts."""
    numbers: list[int] = []
    alc = show.Metric(
        ALC_TITLE, "none",
        "The campaign has no attack on this release with the same known and unknown columns.",
    )  # fmt: skip
    if look.standing is not None:
        numbers = look.standing.worst_first(found.release, unknown=found.unknown, known=found.known)
        if numbers:
            row = look.standing.overview.row(numbers[0])
            value, standing = alc_number(float(row["decisive_alc"])), Verdict(str(row["standing"]))
            said = f"{VERDICT_TITLES[standing].lower()} (attack {row['number']}, {row['attack']})"
            alc = show.Metric(ALC_TITLE, value, f"{ALC_TITLE}: {value}, {said}.")
    shares = (
        show.Metric("At risk from the release", percent(found.rapid.value)),
        show.Metric("Without the person", percent(found.reference.value)),
        show.Metric("Difference", difference_words(found), beyond_sentence(found)),
    )
    yield show.Metrics((*shares, alc) if look.page or look.standing is not None else shares)
    if numbers:
        yield show.Way(show.Place.ATTACK, f"Open attack {count(numbers[0])}", numbers[0])
    else:
        yield show.Way(show.Place.CAMPAIGN, "Plan it")


def _curve(found: Rapid, look: Look) -> Iterator[show.Block]:
    """Show the share at risk over thresholds, and what it is at the chosen one."""
    low, high = float(found.curve.cuts[0]), float(found.curve.cuts[-1])
    cut = look.number("cut", found.cut)
    cut = cut if low <= cut <= high else found.cut
    yield show.Slide(
        name="cut", title="Tolerance" if found.scoring.numeric else "Threshold τ", value=cut,
        low=low, high=high, step=(high - low) / 100, help=found.scoring.help,
    )  # fmt: skip
    yield show.Figure("rapid-curve", lambda: rapid_curve(found, cut))
    yield show.Text(moved_sentence(found, cut), quiet=True)


def _groups(found: Found, look: Look) -> Iterator[show.Block]:
    """Show who is at risk, by the column that is chosen: of a new result by any."""
    rapid = found.result if isinstance(found, MeasuredRapid) else found
    columns = [*rapid.grouped]
    original = None if look.data is None else look.data.table
    if (
        isinstance(found, MeasuredRapid)
        and original is not None
        and original.fingerprint == rapid.fingerprint
    ):
        columns += [column for column in original.compared if column not in columns]
    if not columns:
        return
    by = look.text("by", columns)
    yield show.Choice(
        name="by", title="Who is at risk, by", value=by, options={each: each for each in columns},
        help="Numbers are cut at their quintiles. Values of fewer than 20 people are taken "
        "together, or left out.",
    )  # fmt: skip
    if by not in rapid.grouped and isinstance(found, MeasuredRapid) and original is not None:
        try:
            rapid = with_groups(found, original, [by]).result
        except AlcError as error:
            yield show.Note(str(error), show.Tone.WARNING)
            return
    yield _by_group(rapid, by)
    yield show.Text(group_sentence(rapid, by), quiet=True)


def _by_group(found: Rapid, column: str) -> show.Figure:
    return show.Figure("rapid-groups", lambda: rapid_groups(found, column))
