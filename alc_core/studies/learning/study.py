"""The study of learning attacks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from typing import Any

import numpy as np

from alc_core.assessment.run import assess
from alc_core.campaign.file.annotations import KeptResults
from alc_core.glossary import explain
from alc_core.phrasing import count, decimal, loss_text, percent, sentence_case
from alc_core.present import blocks as show
from alc_core.releases.samples.perturbed import noisy_counts
from alc_core.runtime.progress import CancelCallback, ProgressCallback, Reporter
from alc_core.scoring.verdict import HARMLESS, UNTESTED, Verdict
from alc_core.studies.learning import words
from alc_core.studies.learning.figures import (
    belief_figure,
    convergence_figure,
    groups_figure,
    noise_figure,
)
from alc_core.studies.learning.measuring import learning_data, study_learning
from alc_core.studies.learning.result import (
    EPSILONS,
    FULL_ROUNDS,
    KEPT_STUDIES,
    LEVELS,
    PARAMETERS,
    PREDICTORS,
    LearningStudy,
    StudySettings,
    read_epsilons,
)
from alc_core.studies.study import (
    KNOWN,
    UNKNOWN,
    Asked,
    Given,
    Need,
    Study,
    StudyData,
    Takes,
    Viewpoint,
    asked_as,
)
from alc_core.tables.apart.read import TableLike, as_table


@dataclass(frozen=True, slots=True, kw_only=True)
class CountsExample:
    """The naive Bayes attack on noisy counts, beside its baseline."""

    original: str  # Name and fingerprint of the original
    fingerprint: str
    unknown: str  # The column that is attacked
    known: tuple[str, ...]  # What the attacker knows
    epsilon: float  # Privacy budget of the counts
    people: int  # People attacked
    accuracy: float  # Share for which the attack is correct
    # Of the baseline, which never saw their records
    baseline_accuracy: float
    commonest: float  # Share of people with the most frequent value
    alc: float  # The reading of ALC that decides
    interval: tuple[float, float]
    verdict: Verdict  # What follows


KEPT_EXAMPLES = KeptResults("learning example", CountsExample, key=attrgetter("unknown"))


def counts_example(
    original: TableLike,
    settings: StudySettings,
    *,
    epsilon: float = 1.0,
    progress: ProgressCallback | None = None,
    cancel: CancelCallback | None = None,
) -> CountsExample:
    """Publish noisy counts in memory, and assess the naive Bayes attack."""
    PARAMETERS["epsilon"].check(epsilon)
    table = as_table(original, name="original")
    release = noisy_counts(
        table, unknown=settings.unknown, known=settings.known, epsilon=epsilon,
        ranges=settings.ranges, bins=settings.bins, person=settings.person, seed=settings.seed,
    )  # fmt: skip
    found = assess(
        table, release, settings.scenario, attack="naive bayes", seed=settings.seed,
        progress=progress, cancel=cancel,
    )  # fmt: skip
    everybody = replace(settings, holdout_share=0.0)
    people = learning_data(table, everybody, holdout=None, rng=np.random.default_rng(settings.seed))
    return CountsExample(
        original=table.name,
        fingerprint=table.fingerprint,
        unknown=settings.unknown,
        known=settings.known,
        epsilon=epsilon,
        people=found.attempts,
        accuracy=float(np.average(found.outcomes.joint[:, 1], weights=found.outcomes.weights)),
        baseline_accuracy=float(
            np.average(found.outcomes.joint[:, 3], weights=found.outcomes.weights)
        ),
        commonest=people.commonest,
        alc=found.loss_of(found.decisive),
        interval=found.interval_of(found.decisive),
        verdict=found.verdict,
    )


def example_sentence(example: CountsExample) -> str:
    """Say how often the attack is correct, and whether that is a loss."""
    start = (
        f"From counts with ε = {decimal(example.epsilon)}, the attack infers '{example.unknown}' "
        f"for {percent(example.accuracy)} of people. Best guess: "
        f"{percent(example.baseline_accuracy)}; "
        f"most frequent value: {percent(example.commonest)}."
    )
    alc = f"ALC {loss_text(example.alc)}" if example.alc > 0 else loss_text(example.alc)
    if example.verdict in (*HARMLESS, *UNTESTED):
        more = "hardly more" if example.verdict is Verdict.BELOW_LIMIT else "no more"
        return f"{start} The release reveals {more} about these people: {alc}."
    if example.verdict is Verdict.INCONCLUSIVE:
        low, high = map(loss_text, example.interval)
        return f"{start} Perhaps no loss: {alc}, interval {low} to {high}."
    return f"{start} {alc}: part of it concerns these very people."


class CountsExampleStudy(Study[CountsExample]):
    """Accuracy, baseline and ALC of one attack on private counts."""

    name = "learning-example"
    title = "Example: often correct, yet no loss"
    sentence = "How much of naive Bayes' success is a loss?"
    icon, button = ":material/science:", "Run the example"
    needs = (Need.ORIGINAL,)
    takes = (Takes.MISSING, Takes.SEED)
    kept = KEPT_EXAMPLES
    section = "learning"
    example = "--known age,sex --unknown job"
    parameters = (
        UNKNOWN,
        KNOWN,
        asked_as(PARAMETERS["epsilon"]),
        *(asked_as(PARAMETERS[name], apart=True) for name in ("ranges", "bins")),
    )

    def check(self, data: StudyData, given: Given) -> None:
        _settings(data, given)

    def run(self, data: StudyData, given: Given, reporter: Reporter) -> list[CountsExample]:
        found = counts_example(
            data.original, _settings(data, given), epsilon=given["epsilon"],
            progress=reporter.progress, cancel=reporter.cancel,
        )  # fmt: skip
        return [found]

    def label(self, found: CountsExample) -> str:
        return found.unknown

    def blocks(self, found: CountsExample, look: Viewpoint) -> Iterator[show.Block]:  # noqa: ARG002
        alc = sentence_case(loss_text(found.alc))
        numbers = (
            ("Attack is correct for", percent(found.accuracy), "attack"),
            ("Most frequent value", percent(found.commonest), "majority guess"),
            ("Best guess is correct for", percent(found.baseline_accuracy), "baseline"),
            ("Anonymity loss (ALC)", alc, "ALC"),
        )
        metrics = (show.Metric(title, value, explain(term)) for title, value, term in numbers)
        yield show.Metrics(tuple(metrics))
        yield show.Remark(example_sentence(found), lead=f"{sentence_case(found.verdict)}.")


class LearningAttacksStudy(Study[LearningStudy]):
    """Attacks on counts and on shuffled groups, of members and held-out people."""

    name = "learning-attacks"
    title = "Learning attacks"
    sentence = "What do counts or shuffled groups reveal about people?"
    explanation = "Attacks on others measure what a release teaches about the population."
    methods = "Learning about the population"
    icon, button = ":material/school:", "Run the study"
    needs = (Need.ORIGINAL,)
    takes = (Takes.MISSING, Takes.SEED)
    kept = KEPT_STUDIES
    section = "learning"
    unmeasured = "Learning attacks were not studied."
    costs = f"The paper's {count(FULL_ROUNDS)} rounds take longer."
    parts = (CountsExampleStudy(),)
    example = "--known age,sex --unknown job"
    parameters = (
        UNKNOWN,
        KNOWN,
        Asked(
            name="epsilons", title="Values of ε", apart=True,
            default=", ".join(map(decimal, EPSILONS)), help=PARAMETERS["epsilon"].help,
        ),
        *(asked_as(PARAMETERS[name], apart=True) for name in ("repetitions", "belief")),
        *(
            asked_as(
                replace(
                    PARAMETERS["level"],
                    name=name, title=title, default=level, help=f"{title} tested.",
                ),
                apart=True,
            )
            for name, title, level in (
                ("lowest_level", "Lowest ℓ", LEVELS[0]),
                ("highest_level", "Highest ℓ", LEVELS[-1]),
            )
        ),
        Asked(
            name="merged", title="Groups merged", default="2", choices=("2", "3"), apart=True,
            titles={"2": "two", "3": "three"}, help=PARAMETERS["merged"].help,
        ),
        *(
            asked_as(PARAMETERS[name], apart=True)
            for name in ("rounds", "chains", "holdout_share", "ranges", "bins")
        ),
    )  # fmt: skip

    def check(self, data: StudyData, given: Given) -> None:
        _settings(data, given)

    def run(self, data: StudyData, given: Given, reporter: Reporter) -> list[LearningStudy]:
        found = study_learning(
            data.original, _settings(data, given),
            progress=reporter.progress, cancel=reporter.cancel,
        )  # fmt: skip
        return [found]

    def label(self, found: LearningStudy) -> str:
        return found.settings.unknown

    def blocks(self, found: LearningStudy, look: Viewpoint) -> Iterator[show.Block]:
        yield show.Text(" ".join([words.run_sentence(found), *found.notes]), quiet=True)
        if found.noise is not None:
            yield from _noise(found)
        if found.groups is not None:
            yield from _groups(found, look)


def _settings(data: StudyData, given: Given) -> StudySettings:
    scenario = data.scenario(given["known"], given["unknown"])
    own: dict[str, Any] = {"ranges": given["ranges"], "bins": given["bins"]}
    if "epsilons" in given:
        names = ("repetitions", "belief", "holdout_share", "rounds", "chains")
        own |= {name: given[name] for name in names}
        own |= {
            "epsilons": read_epsilons(given["epsilons"]),
            "levels": tuple(range(given["lowest_level"], given["highest_level"] + 1)),
            "merged": (1, int(given["merged"])),
        }
    missing = (data.missing or {}).get(scenario.unknown)
    return StudySettings(
        unknown=scenario.unknown,
        known=tuple(scenario.known),
        missing=None if missing is None else tuple(missing),
        person=scenario.person,
        seed=data.seed,
        **own,
    )


def _noise(found: LearningStudy) -> Iterator[show.Block]:
    yield show.Heading("Published counts with noise")
    yield show.Text("Naive Bayes learns from ε-private counts.")
    yield show.Figure("accuracy-by-epsilon", lambda: noise_figure(found))
    yield show.Remark(words.noise_sentence(found))
    yield show.Figure("accuracy-above-belief", lambda: belief_figure(found))
    yield show.Remark(words.belief_sentence(found))


def _groups(found: LearningStudy, look: Viewpoint) -> Iterator[show.Block]:
    yield show.Heading("Groups with shuffled values")
    yield show.Text("The deFinetti attack guesses whose value is whose.")
    merged = list(found.merged)
    if not merged:
        yield show.Remark(words.impossible_sentence(found))
        return
    meanings = tuple(
        f"{each.capitalize()} {words.PREDICTOR_MEANINGS[each]}." for each in PREDICTORS
    )
    yield show.Fold("The three predictors", (show.Items(meanings),))
    for number in merged:
        yield show.Figure(f"accuracy-by-l-{number}", partial(groups_figure, found, number))
        yield show.Remark(words.groups_sentence(found, number))
    names = {str(number): words.merged_words(number) for number in merged}
    chosen = look.text("convergence", names)
    if len(names) > 1:
        yield show.Control(
            name="convergence", title="Convergence of", value=chosen, options=names, few=True
        )
    for number in [int(chosen)] if look.page else merged:
        yield show.Figure(f"convergence-{number}", partial(convergence_figure, found, number))
        yield show.Remark(words.convergence_sentence(found, number))
