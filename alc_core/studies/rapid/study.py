"""The study of RAPID."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from alc_core.campaign.findings.other_measures import disagreements, rapid_column
from alc_core.errors import AlcError, ParameterError
from alc_core.measures.rapid import ABSOLUTE, CONDITIONAL, ENTROPY, GAIN, SCORES, fitting_scores
from alc_core.phrasing import alc_number, count, decimal, listed, percent, quoted
from alc_core.plain_values import plain_of
from alc_core.present import blocks as show
from alc_core.releases.release import Release, without_rows
from alc_core.runtime.progress import Reporter
from alc_core.scoring.verdict import VERDICT_TITLES, Verdict
from alc_core.spreadsheet import csv_text
from alc_core.studies.rapid.figures import rapid_curve, rapid_drivers, rapid_groups, rapid_releases
from alc_core.studies.rapid.learners import LEARNERS
from alc_core.studies.rapid.measuring import measure_rapid
from alc_core.studies.rapid.result import (
    KEPT_RAPID,
    MeasuredRapid,
    Rapid,
    RapidSettings,
    with_groups,
)
from alc_core.studies.study import (
    KNOWN,
    UNKNOWN,
    Asked,
    Extra,
    Given,
    Kind,
    Measuring,
    Study,
    StudyData,
    Takes,
    Viewpoint,
    beside_alc,
)
from alc_core.tables.table import Table

ALC_TITLE = "ALC of the same facts"

# With each person's risk if measured in this session
Found = MeasuredRapid | Rapid


_SHOWN = 3
_COMPARED = {
    GAIN: "a much higher probability than its overall share",
    CONDITIONAL: "more probability than others who have it get",
    ENTROPY: "a high probability",
}


def people_table(results: Sequence[MeasuredRapid]) -> str:
    """Return the risk of every person as CSV."""
    frames = [
        pd.DataFrame(
            {
                "release": found.result.release,
                "unknown": found.result.unknown,
                "row": found.rows + 1,
                "score": np.round(found.scores, 6),
                "score_without_the_person": np.round(found.reference, 6),
                "at_risk": found.at_risk,
            }
        )
        for found in results
    ]
    return csv_text(pd.concat(frames, ignore_index=True))


class RapidStudy(Study[Found]):
    """RAPID of each release and unknown column, with its reference."""

    name = "rapid"
    title = "RAPID"
    sentence = "How many people can a model predict with confidence?"
    explanation = "“Without the person”: trained on others. Only the difference is a risk."
    methods = "RAPID"
    icon, button = ":material/speed:", "Measure RAPID"
    takes = (Takes.MISSING, Takes.SEED)
    kept = KEPT_RAPID
    section = "rapid"
    unmeasured = "RAPID was not measured."
    costs = "Trains one model per release, and five on the original."
    example = "--known age,sex --unknown job"
    parameters = (
        replace(UNKNOWN, kind=Kind.COLUMNS),
        KNOWN,
        Asked(
            name="learner", title="Learner", default="random forest", choices=tuple(LEARNERS),
            help="Model the attacker trains.",
        ),
        Asked(
            name="score", title="Score", optional=True,
            titles={name: score.title for name, score in SCORES.items()},
            help=(
                "Score of categories: 'gain', 'conditional', 'cross-entropy'; of numbers: "
                "'symmetric', 'relative', 'absolute'."
            ),
            usual="gain, symmetric; absolute for dates, in days",
        ),
        Asked(
            name="threshold", title="Threshold", default=0.3, optional=True, where="command",
            help="Categories: at risk above this score.", usual="0.3",
        ),
        Asked(
            name="tolerance", title="Tolerance", default=0.1, optional=True, where="command",
            help="Numbers: at risk below this error.", usual="0.1",
        ),
        Asked(
            name="by", title="By", kind=Kind.COLUMNS, where="command",
            help="Share at risk by these.",
        ),
    )  # fmt: skip
    extras = (
        Extra(
            option="people", title="Each person's risk (CSV)", file="rapid-people.csv",
            help="Each person's risk as CSV (personal data).",
            page_help="By row number. Personal data.",
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
        found = self.keepable(found)
        cut = "tolerance" if found.scoring.numeric else "threshold"
        return {
            **plain_of(found, "release", "known", "unknown"),
            "learner": found.settings.learner,
            "score": found.score,
            cut: found.cut,
            "rapid": found.rapid.value,
            "interval": [found.rapid.low, found.rapid.high],
            "reference": found.reference.value,
            "reference_interval": [found.reference.low, found.reference.high],
            "beyond_reference": found.beyond.to_list(),
            "curve": {
                cut: list(found.curve.cuts),
                "rapid": list(found.curve.shares),
                **plain_of(found.curve, "low", "high", "reference"),
            },
            "drivers": {driver.column: driver.drop.value for driver in found.drivers},
            "groups": [
                {
                    "column": part.column,
                    "value": part.label,
                    "people": part.n_people,
                    "rapid": part.share.value,
                    "interval": [part.share.low, part.share.high],
                    "reference": part.reference,
                }
                for part in found.parts
            ],
            "people": found.n_people,
            "left_out": found.left_out,
            **plain_of(found, "not_released", "notes"),
            "seed": found.settings.seed,
        }

    def label(self, found: Found) -> str:
        rapid = self.keepable(found)
        known = quoted(rapid.known, most=3)
        return f"{rapid.release}: {rapid.unknown} from {known}, {rapid.settings.learner}"

    def side_by_side(self, found: Sequence[Found]) -> Iterator[show.Block]:
        every = [self.keepable(each) for each in found]
        if len(every) > 1:
            yield show.Figure("rapid-releases", lambda: rapid_releases(every))

    def blocks(self, found: Found, look: Viewpoint) -> Iterator[show.Block]:
        rapid = self.keepable(found)
        yield from _numbers(rapid, look)
        yield show.Remark(shares_sentence(rapid), lead=beyond_sentence(rapid))
        if lacking := rapid.not_released:
            words = f"People with {quoted(lacking)} cannot be at risk: the release lacks the value."
            yield show.Text(words, quiet=True)
        yield from (show.Text(note, quiet=True) for note in rapid.notes)
        if rapid.left_out:
            words = f"{count(rapid.left_out)} people with a missing value are left out."
            yield show.Text(words, quiet=True)
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
                yield show.Figure("rapid-groups", partial(rapid_groups, rapid, column))
        yield show.Items(tuple(group_sentence(rapid, column) for column in rapid.grouped))
        yield from drivers

    def further(self, look: Viewpoint) -> Iterator[show.Block]:
        if look.standing is None:
            return
        overview = look.standing.overview
        yield show.Heading("All attacks in the review")
        column = rapid_column(overview)
        if column is None:
            words = "RAPID needs probabilities: run “model”."
            yield show.Text(words, quiet=True)
            return
        yield from beside_alc("rapid-and-alc", column, look, look.standing)
        yield show.Items(disagreements(overview))


def _settings(original: Table, given: Given, unknown: str, seed: int) -> RapidSettings:
    numeric = unknown in original.columns and original.kind(unknown).is_numeric
    cut, other = ("tolerance", "threshold") if numeric else ("threshold", "tolerance")
    if given[cut] is None and given[other] is not None and len(given["unknown"]) == 1:
        raise ParameterError(
            f"'{unknown}' holds {'numbers' if numeric else 'categories'}: use --{cut}, not "
            f"--{other}."
        )
    return RapidSettings(
        learner=given["learner"], score=given["score"] or None, cut=given[cut], seed=seed
    )


def _numbers(found: Rapid, look: Viewpoint) -> Iterator[show.Block]:
    numbers: list[int] = []
    alc = show.Metric(
        ALC_TITLE, "none",
        "No attack has the same columns.",
    )  # fmt: skip
    if look.standing is not None:
        numbers = look.standing.worst_first(found.release, unknown=found.unknown, known=found.known)
        if numbers:
            row = look.standing.overview.row(numbers[0])
            value, standing = alc_number(float(row["decisive_alc"])), Verdict(str(row["standing"]))
            said = f"{VERDICT_TITLES[standing].lower()} (attack {row['number']}, {row['attack']})"
            alc = show.Metric(ALC_TITLE, value, f"{ALC_TITLE}: {value}, {said}.")
    more = f"{100 * found.beyond.value:+.1f} points"
    shares = (
        show.Metric("At risk from the release", percent(found.rapid.value)),
        show.Metric("Without the person", percent(found.reference.value)),
        show.Metric("Difference", more.replace("-", "\N{MINUS SIGN}"), beyond_sentence(found)),
    )
    yield show.Metrics((*shares, alc) if look.page or look.standing is not None else shares)
    if numbers:
        yield show.Way(show.Place.ATTACK, f"Open attack {count(numbers[0])}", numbers[0])
    else:
        yield show.Way(show.Place.CAMPAIGN, "Plan it")


def _curve(found: Rapid, look: Viewpoint) -> Iterator[show.Block]:
    low, high = float(found.curve.cuts[0]), float(found.curve.cuts[-1])
    cut = look.number("cut", found.cut)
    cut = cut if low <= cut <= high else found.cut
    yield show.Slide(
        name="cut", title="Tolerance" if found.scoring.numeric else "Threshold τ", value=cut,
        low=low, high=high, step=(high - low) / 100, help=found.scoring.help,
    )  # fmt: skip
    yield show.Figure("rapid-curve", lambda: rapid_curve(found, cut))
    yield show.Text(moved_sentence(found, cut), quiet=True)


def _groups(found: Found, look: Viewpoint) -> Iterator[show.Block]:
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
    yield show.Control(
        name="by", title="Who is at risk, by", value=by, options={each: each for each in columns},
        help="Fewer than 20 people are pooled or left out.",
    )  # fmt: skip
    if by not in rapid.grouped and isinstance(found, MeasuredRapid) and original is not None:
        try:
            rapid = with_groups(found, original, [by]).result
        except AlcError as error:
            yield show.Remark(str(error), show.Tone.WARNING)
            return
    yield show.Figure("rapid-groups", lambda: rapid_groups(rapid, by))
    yield show.Text(group_sentence(rapid, by), quiet=True)


def shares_sentence(found: Rapid) -> str:
    """Say how many people are at risk, with and without the release."""
    if found.scoring.numeric:
        within = decimal(found.cut) if found.score == ABSOLUTE else percent(found.cut)
        does = f"predicts '{found.unknown}' within {within}"
    else:
        does = (
            f"gives the true '{found.unknown}' {_COMPARED[found.score]} "
            f"({found.scoring.title.lower()} above {found.cut:g})"
        )
    share, without = (
        f"{percent(each.value)} (95% interval {percent(low)} to {percent(high)})"
        for each in (found.rapid, found.reference)
        for low, high in (each.interval,)
    )
    return (
        f"{share} of {count(found.n_people)} people are at risk: a {found.settings.learner} "
        f"trained on the release {does} (on others: {without})."
    )


def beyond_sentence(found: Rapid) -> str:
    """Say whether the release adds to what other people's data reveal."""
    if found.rapid.value == found.reference.value == 0:
        return "Nobody is at risk either way."
    low, high = found.beyond.interval
    if low > 0:
        return f"The release puts {100 * found.beyond.value:.1f} percentage points more at risk."
    if high < 0:
        return "The release reveals less than other people's data."
    return "The release adds no measurable risk."


def moved_sentence(found: Rapid, cut: float) -> str:
    """Say what the curve shows at another cut."""
    curve, place = found.curve, found.curve.at(cut)
    word = "tolerance" if found.scoring.numeric else "threshold"
    return (
        f"At a {word} of {curve.cuts[place]:.3g}, {percent(curve.shares[place])} of people are at "
        f"risk ({percent(curve.low[place])} to {percent(curve.high[place])}), against "
        f"{percent(curve.reference[place])} without the person."
    )


def group_sentence(found: Rapid, column: str) -> str:
    """Say the range of shares by a column's values."""
    groups = found.groups(column)
    least = min(groups, key=lambda part: part.share.value)
    most = max(groups, key=lambda part: part.share.value)
    left = found.n_people - sum(part.n_people for part in groups)
    words = f"At risk by '{column}': {percent(least.share.value)} ({least.label})"
    if least.share.value == most.share.value:
        words = f"At risk by '{column}': {percent(most.share.value)} in every group"
    else:
        words += f" to {percent(most.share.value)} ({most.label})"
    who = "1 person" if left == 1 else f"{count(left)} people"
    rare = f"; {who} with rare values left out" if left else ""
    return f"{words}{rare}."


def driver_sentence(found: Rapid) -> str:
    """Say which known columns matter most."""
    leading = [driver for driver in found.drivers if driver.drop.value > 0.005][:_SHOWN]
    if not leading:
        return "No known column matters by itself."
    words = [f"'{driver.column}' ({100 * driver.drop.value:.1f} points)" for driver in leading]
    return f"The share at risk falls most without {listed(words, last='or')}."
