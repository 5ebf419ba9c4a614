"""The study of relative threat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Any

import pandas as pd

from alc_core.errors import AlcError, InputError
from alc_core.group_posterior.released import READABLE
from alc_core.group_posterior.settings import PARAMETERS, RANGES, SamplerSettings
from alc_core.phrasing import count, percent, split_names
from alc_core.present import blocks as show
from alc_core.releases.release import Release
from alc_core.runtime.progress import Reporter
from alc_core.scenario.scenario import Scenario
from alc_core.studies.relative_threat.figures import threat_levels, threat_scatter, victim_bars
from alc_core.studies.relative_threat.measuring import (
    MeasuredThreat,
    PreparedThreat,
    measure_threat,
)
from alc_core.studies.relative_threat.result import (
    CHANCES,
    ESTIMATES,
    KEPT_THREATS,
    MembersAndOthers,
    ThreatResult,
    ThreatSummary,
)
from alc_core.studies.study import (
    KNOWN,
    UNKNOWN,
    Asked,
    Given,
    Measuring,
    Study,
    StudyData,
    Takes,
    Viewpoint,
    asked_as,
)

MEANINGS = {
    "gt_attacker": "People the attacker guesses.",
    "gt_learner": "The same for the learner.",
    "gt_random_worlds": "If all possible tables are equally likely.",
    "rgt_attacker": "What the attacker gains over the learner.",
    "rf": "What the release teaches; 1 is all.",
    "baseline": "People with the most frequent released value.",
    "ideal": "People with the original's likeliest value.",
    "abs": "Distance of beliefs from the truth.",
    "level": "Attacker's over learner's probability of the truth.",
}

NOT_KNOWN = "(not known)"

_SHARES = ("gt_attacker", "gt_learner", "gt_random_worlds", "rgt_attacker")

# With what questions need if measured in this session
Found = MeasuredThreat | ThreatSummary


class ToyThreat(Study[ThreatResult]):
    """The paper's example: eight people, published in groups."""

    name = "relative-threat-example"
    title = "Example from the paper"
    sentence = "Eight people, 2-anonymous: what can be inferred about one?"
    icon, button = ":material/science:", "Run the example"
    needs = ()

    def run(self, data: StudyData, given: Given, reporter: Reporter) -> list[ThreatResult]:  # noqa: ARG002
        found = measure_threat(
            toy_original(), toy_release(), Scenario(_TOLD, _DISEASE), victim=_VICTIM,
            settings=SamplerSettings(stop_early=False),
            progress=reporter.progress, cancel=reporter.cancel,
        )  # fmt: skip
        return [found]

    def label(self, found: ThreatResult) -> str:  # noqa: ARG002
        return "First person"

    def further(self, look: Viewpoint) -> Iterator[show.Block]:  # noqa: ARG002
        """Show the two tables."""
        original, release = (
            show.Grid(
                header=tuple(frame.columns), rows=tuple(map(tuple, frame.to_numpy().tolist())),
                title=title, alt=alt,
            )
            for frame, title, alt in (
                (toy_original(), "The original", "Eight people."),
                (toy_release(), "Published, 2-anonymous", "The same in groups."),
            )
        )  # fmt: skip
        yield show.Beside(((original,), (release,)))

    def blocks(self, found: ThreatResult, look: Viewpoint) -> Iterator[show.Block]:  # noqa: ARG002
        yield from _about(found)


class RelativeThreatStudy(Study[Found]):
    """Attacker and learner of grouped releases, by chains of random draws."""

    name = "relative-threat"
    title = "Relative threat"
    sentence = "Does knowing who is in the release help?"
    explanation = "The attacker knows that; the learner does not."
    methods = "Relative threat and the Bayesian attacker"
    icon, button = ":material/group_work:", "Run the chains"
    takes = (Takes.HOLDOUT, Takes.SETS, Takes.MISSING, Takes.SEED, Takes.ACCEPT)
    kept = KEPT_THREATS
    section = "threat"
    unmeasured = "Relative threat was not measured."
    gathers = False
    goes_on = "Continue"
    parts = (ToyThreat(),)
    example = '--known age,sex --unknown job --victim "age=35,sex=f"'
    parameters = (
        UNKNOWN,
        KNOWN,
        Asked(
            name="victim", title="Victim", where="command", metavar="COLUMN=VALUE,…",
            help='One person, such as "age=35,sex=f".',
        ),
        *(asked_as(each, apart=True) for each in PARAMETERS),
        asked_as(RANGES, where="command"),
    )  # fmt: skip

    def refusal(self, release: Release) -> str:
        if isinstance(release, READABLE):
            return ""
        return f"Release '{release.name}' is {release.title}. Choose rows or groups of people."

    def check(self, data: StudyData, given: Given) -> None:
        data.scenario(given["known"], given["unknown"])
        _settings(data, given)

    def run(self, data: StudyData, given: Given, reporter: Reporter) -> Sequence[Found]:
        if not data.before:
            return super().run(data, given, reporter)
        return [
            MeasuredThreat.of(
                each.prepared, _settings(data, given), reporter, resume=each.posterior
            )
            for each in data.before
            if isinstance(each, MeasuredThreat)
        ]

    def measuring(self, data: StudyData, given: Given) -> Measuring[Found]:
        """Run the chains on each release."""
        settings, victim = _settings(data, given), _victim(given["victim"])
        scenario = data.scenario(given["known"], given["unknown"], person=False)

        def measure(release: Release, reporter: Reporter) -> Iterator[Found]:
            prepared = PreparedThreat.of(
                data.original, release, scenario, holdout=data.holdout,
                ranges=int(given["ranges"]), accept=data.accept, tell=data.tell, reporter=reporter,
            )  # fmt: skip
            yield MeasuredThreat.of(prepared, settings, reporter, victim=victim)

        return measure

    def keepable(self, found: Found) -> ThreatSummary:
        return found.result.summary if isinstance(found, MeasuredThreat) else found

    def plain(self, found: Found) -> Any:
        return found.result.to_dict() if isinstance(found, MeasuredThreat) else super().plain(found)

    def label(self, found: Found) -> str:
        summary = self.keepable(found)
        return f"{summary.release}: {summary.unknown}"

    def side_by_side(self, found: Sequence[Found]) -> Iterator[show.Block]:
        """Show all measured releases in one table."""
        if len(found) < 2:
            return
        rows = [
            {
                "Release": each.release,
                "Unknown": each.unknown,
                "Chains": "converged" if each.converged else "did not converge",
                **{ESTIMATES[name]: percent(each.estimates[name].value) for name in _SHARES},
                ESTIMATES["rf"]: f"{each.estimates['rf'].value:.3f}",
            }
            for each in map(self.keepable, found)
        ]
        alt = "Relative threat by release."
        yield show.Grid.of(rows, title="Measured releases", alt=alt)

    def blocks(self, found: Found, look: Viewpoint) -> Iterator[show.Block]:
        """Show whether the chains converged, then the numbers."""
        summary = self.keepable(found)
        result = found.result if isinstance(found, MeasuredThreat) else None
        if not summary.converged:
            yield show.Remark(summary.notes[0], show.Tone.ERROR)
        if result is not None and result.chances:
            yield from _victim_table(result)
        yield show.Text(summary.chains, quiet=True)
        yield show.Remark(threat_sentence(summary))
        yield _cards(summary)
        yield show.Fold(
            "All numbers, unrounded", (_estimates(summary), show.Text(levels_sentence(summary)))
        )
        for note in summary.notes[0 if summary.converged else 1 :]:
            yield show.Text(note, quiet=True)
        if result is not None and result.comparison is not None:
            yield show.Heading("Members and people of the holdout")
            yield from map(show.Text, comparison_sentences(result.comparison))
        level = look.number("level", 2.0)
        if result is not None:
            yield show.Slide(
                name="level", title="Relative threat level to count from",
                value=level, low=1.0, high=20.0, step=0.25, help=MEANINGS["level"],
            )  # fmt: skip
            number = int((result.threat.people.ratios >= level).sum())
            yield show.Text(
                f"The attacker is correct and at least {level:g} times as certain about "
                f"{count(number)} people ({percent(number / result.threat.n_people)}).",
                quiet=True,
            )
        yield show.Beside(
            (
                tuple(_figures(summary, result, "attacker", level if result else None)),
                tuple(_figures(summary, result, "learner", None)),
            )
        )
        if isinstance(found, MeasuredThreat) and look.page:
            yield from _what_if(found, look)


def _settings(data: StudyData, given: Given) -> SamplerSettings:
    return SamplerSettings(**{each.name: given[each.name] for each in PARAMETERS}, seed=data.seed)


def _victim(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in split_names(text):
        name, equals, value = part.partition("=")
        if not equals or not name.strip():
            raise InputError(f"--victim takes COLUMN=VALUE,COLUMN=VALUE, not '{part}'.")
        found[name.strip()] = value.strip()
    return found


def _cards(found: ThreatSummary) -> show.Metrics:
    shown = []
    for name in _SHARES:
        value, error = found.estimates[name].value, found.estimates[name].mcse
        plus_minus = f" \N{PLUS-MINUS SIGN} {100 * error:.1f}" if error else ""
        shown.append((ESTIMATES[name], f"{percent(value)}{plus_minus}", MEANINGS[name]))
    errors = f"{found.estimates['abs'].value:,.0f}"
    shown += [
        (ESTIMATES["rf"], f"{found.estimates['rf'].value:.3f}", MEANINGS["rf"]),
        (ESTIMATES["abs"], errors, MEANINGS["abs"]),
        ("Commonest value", percent(found.baseline_accuracy), MEANINGS["baseline"]),
        ("Ideal accuracy", percent(found.ideal_accuracy), MEANINGS["ideal"]),
    ]
    return show.Metrics(tuple(show.Metric(*each) for each in shown))


def _estimates(found: ThreatSummary) -> show.Grid:
    rows = [
        (ESTIMATES[name], f"{each.value:.4f}", f"± {each.mcse:.4f}" if each.mcse else "")
        for name, each in found.estimates.items()
    ]
    shares = (
        ("Commonest value", found.baseline_accuracy),
        ("Ideal accuracy", found.ideal_accuracy),
    )
    rows += [(title, f"{share:.4f}", "") for title, share in shares]
    return show.Grid(
        header=("Number", "Value", "Error"), rows=tuple(rows), alt="All numbers, unrounded.",
        help="± is the Monte Carlo standard error.",
    )  # fmt: skip


def _figures(
    summary: ThreatSummary, result: ThreatResult | None, who: str, level: float | None
) -> Iterator[show.Block]:
    if result is not None:
        yield show.Figure(f"threat-{who}", lambda: threat_scatter(result, who))
    levels = summary.of_attacker if who == "attacker" else summary.of_learner
    if levels is not None:
        yield show.Figure(f"threat-levels-{who}", lambda: threat_levels(levels, who, level))


def _what_if(found: MeasuredThreat, look: Viewpoint) -> Iterator[show.Block]:
    yield show.Heading("What if: one person")
    yield show.Text("Choose known values.")
    victim: dict[str, str] = {}
    controls: list[tuple[show.Block, ...]] = []
    for column, values in found.prepared.release.coding.options().items():
        options = [NOT_KNOWN, *map(str, values)]
        value = look.text(f"victim {column}", options)
        names = {each: each for each in options}
        controls.append(
            (show.Control(name=f"victim {column}", title=column, value=value, options=names),)
        )
        if value != NOT_KNOWN:
            victim[column] = value
    yield show.Beside(tuple(controls))
    if victim:
        try:
            yield from _about(found.about(victim))
        except AlcError as error:
            yield show.Remark(str(error), show.Tone.WARNING)


def _about(result: ThreatResult) -> Iterator[show.Block]:
    yield show.Figure("victim", lambda: victim_bars(result))
    said = []
    for name in ("p_attacker", "p_learner", "p_random_worlds", "p_ideal"):
        chances = result.chances[name].probabilities.tolist()
        share, value = max(zip(chances, result.values, strict=True), key=itemgetter(0))
        said.append(f"{CHANCES[name].lower()}: {value} ({percent(share)})")
    yield show.Text(f"Likeliest value: {'; '.join(said)}.", quiet=True)


def _victim_table(result: ThreatResult) -> Iterator[show.Block]:
    known = ", ".join(f"{name} = {value}" for name, value in result.victim_known.items())
    yield show.Grid(
        header=(result.unknown, *(CHANCES[name] for name in result.chances)),
        rows=tuple(
            (value, *(f"{each.probabilities[place]:.3f}" for each in result.chances.values()))
            for place, value in enumerate(result.values)
        ),
        title=f"Victim with {known}:",
        alt="Probabilities of the victim's value.",
    )


def threat_sentence(found: ThreatSummary) -> str:
    """Say what the numbers mean for a decision."""
    attacker, learner = (found.estimates[name].value for name in ("gt_attacker", "gt_learner"))
    more = found.estimates["rgt_attacker"]
    meaning = "Being in the release hardly matters."
    if more.value > 2 * more.mcse and more.value > 0:
        meaning = f"Being in the release exposes {100 * more.value:.1f} more of 100 people."
    if not found.converged:
        meaning = "The chains did not converge."
    return (
        f"'{found.unknown}' is correct for {percent(learner)} of {count(found.people)} people by "
        f"the learner, {percent(attacker)} by the attacker. {meaning}"
    )


def levels_sentence(summary: ThreatSummary) -> str:
    """Say how much more certain the attacker is than the learner when correct."""
    found = summary.levels
    if found["median"] is None:
        return "The attacker is correct about nobody."
    return (
        f"Relative threat level: median {found['median']:.2f}, 95th percentile {found['p95']:.2f}, "
        f"highest {found['max']:.1f}; at least 2 for {percent(found['at_least_2'] or 0.0)} of "
        f"people."
    )


def comparison_sentences(found: MembersAndOthers) -> tuple[str, str]:
    """Say whether people of the release are guessed more often than others."""
    inside, outside = found.members, found.non_members
    more = found.attacker_more.interval[0] > 0
    verdict = "are guessed more often than" if more else "are not clearly guessed more often than"
    return (
        f"Members {verdict} others: by the attacker {inside.attacker.ranged} against "
        f"{outside.attacker.ranged}, by the learner {inside.learner.ranged} against "
        f"{outside.learner.ranged}.",
        "Mean probability of the truth, members and others: attacker "
        f"{inside.attacker_belief.ranged} and {outside.attacker_belief.ranged}, learner "
        f"{inside.learner_belief.ranged} and {outside.learner_belief.ranged}. Rows fit "
        f"{count(inside.fitting)} of {count(inside.people)} and {count(outside.fitting)} of "
        f"{count(outside.people)}.",
    )


_TOLD, _DISEASE = ("nationality", "zip"), "disease"
_VICTIM = {"nationality": "Malaysia", "zip": "45501"}

_PEOPLE = (
    ("Malaysia", "45501", "Heart"),
    ("Japan", "45502", "Flu"),
    ("Japan", "55503", "Flu"),
    ("Japan", "55504", "Stomach"),
    ("China", "66601", "HIV"),
    ("Japan", "66601", "Diabetes"),
    ("India", "77701", "Flu"),
    ("Malaysia", "77701", "Heart"),
)
_PUBLISHED = (
    ("{Malaysia, Japan}", "4550*"),
    ("{Malaysia, Japan}", "4550*"),
    ("Japan", "5550*"),
    ("Japan", "5550*"),
    ("{China, Japan}", "66601"),
    ("{China, Japan}", "66601"),
    ("{India, Malaysia}", "77701"),
    ("{India, Malaysia}", "77701"),
)


def toy_original() -> pd.DataFrame:
    """Return the eight people (table I a)."""
    return pd.DataFrame(list(_PEOPLE), columns=[*_TOLD, _DISEASE])


def toy_release() -> pd.DataFrame:
    """Return the example as published: 2-anonymous, by local recoding (table I b)."""
    rows = [(*labels, person[-1]) for labels, person in zip(_PUBLISHED, _PEOPLE, strict=True)]
    return pd.DataFrame(rows, columns=[*_TOLD, _DISEASE])
