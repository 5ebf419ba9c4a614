"""The study of remedies."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from alc_core.campaign.findings.overview import bounds_text
from alc_core.phrasing import count, decimal, loss_text, no_markdown, numbered
from alc_core.present.blocks import Block, Code, Fold, Grid, Remark, Saved, Text, Tone
from alc_core.releases.release import Release
from alc_core.runtime.progress import Reporter
from alc_core.spreadsheet import csv_text
from alc_core.studies.remedies.searching import (
    KEPT_REMEDIES,
    RemedyStudy,
    SearchLimits,
    column_contributions,
    flagged_attacks,
    nothing_to_change,
    try_changes,
    untried,
)
from alc_core.studies.remedies.tools import TOOLS
from alc_core.studies.remedies.trying import DecisiveLoss, RemedyTrial
from alc_core.studies.study import (
    Asked,
    Extra,
    Given,
    Measuring,
    Need,
    Study,
    StudyData,
    Takes,
    Viewpoint,
)

_USUAL = SearchLimits()
_LANGUAGES = {"pandas": "python", "sdcMicro": "r"}
_NEEDS = {
    "globalRecode": "globalRecode needs a key variable.",
    "groupAndRename": "groupAndRename needs a key variable.",
    "pram": "pram needs a factor and changes fewer values than were swapped here: test again.",
    "removeDirectID": "removeDirectID refuses key, weight, strata and household variables: drop "
    "these after extractManipData.",
}  # By function


class RemediesStudy(Study[RemedyStudy]):
    """Columns dropped, coarsened or swapped in memory, and flagged attacks rerun."""

    name = "remedies"
    title = "What to change"
    sentence = "Which changes bring attacks below the limit?"
    explanation = "Drops, coarsens or swaps columns in memory, then attacks again."
    methods = "What to change"
    icon, button = ":material/build:", "Try changes"
    needs = (Need.ORIGINAL, Need.RELEASE, Need.CAMPAIGN)
    takes = (Takes.SETS,)
    kept = KEPT_REMEDIES
    section = ""  # The report is about unchanged releases
    example = "--csv to-do.csv"
    parameters = (
        Asked(
            name="trials", title="Trials", default=_USUAL.trials, low=1, apart=True,
            help="Maximum changes to try.",
        ),
        Asked(
            name="seconds", title="Seconds", default=_USUAL.seconds, low=1, apart=True,
            help="Start no new change after this time.",
        ),
    )  # fmt: skip
    extras = (
        Extra(option="csv", file="what-to-change.csv", help="The to-do list as CSV.",
              make=lambda found: to_do_csv(*found)),
        Extra(option="markdown", file="what-to-change.md", help="The to-do list as Markdown.",
              make=lambda found: "\n".join(map(to_do_markdown, found))),
    )  # fmt: skip

    def refusal(self, release: Release) -> str:
        return untried(release)

    def nothing(self, data: StudyData) -> str:
        return nothing_to_change(data.releases)

    def measuring(self, data: StudyData, given: Given) -> Measuring[RemedyStudy]:
        view, scoring = data.campaign.view, data.campaign.overview.scoring
        limits = SearchLimits(trials=given["trials"], seconds=given["seconds"])

        def measure(release: Release, reporter: Reporter) -> Iterator[RemedyStudy]:
            view.settle(scoring, reporter=reporter)  # Flags need exact intervals
            attacks = flagged_attacks(view, release.name, scoring=scoring)
            if attacks:
                yield try_changes(
                    data.original, release, attacks, scoring=scoring, limits=limits,
                    added=column_contributions(view, attacks),
                    progress=reporter.progress, cancel=reporter.cancel,
                )  # fmt: skip

        return measure

    def blocks(self, found: RemedyStudy, look: Viewpoint) -> Iterator[Block]:
        yield Remark(study_sentence(found), Tone.WELL if found.sufficient else Tone.WARNING)
        if not found.trials:
            return
        best = found.trials[0]
        yield Grid.of(
            [
                {
                    "Enough": "✔ yes" if trial.suffices else "no",
                    "Change": trial.words,
                    "Still need attention": flagged_text(trial),
                    "Worst ALC (interval)": worst_text(trial),
                    "Loss of utility": f"{trial.loss:.3f}",
                }
                for trial in found.trials
            ],
            title="All changes tried",
            words=f"Loss of utility: {LOSS_HELP}",
            alt="Changes tried.",
        )
        if look.page:
            yield Fold(f"Each attack before and after: {best.words}", (attack_table(best),))
        tools = TOOLS if look.page else () if look.short else (found.tool,)
        for tool in sorted(tools, key=lambda each: each != found.tool):
            if lines := [line for each in best.changes if (line := each.in_tools.get(tool))]:
                text = "\n".join(lines)
                code: list[Block] = [Code(text, _LANGUAGES.get(tool, ""))]
                if needs := [said for name, said in _NEEDS.items() if f" {name}(" in text]:
                    code.append(Text(" ".join(needs), quiet=True))
                title = f"In {tool}: {best.words}"
                yield from (
                    (Text(title), *code) if tool == found.tool else [Fold(title, tuple(code))]
                )
        yield Text(" ".join([*found.notes, LIMITS]), quiet=True)
        yield Saved("To-do list (CSV)", "what-to-change.csv", lambda: to_do_csv(found))
        yield Saved("To-do list (Markdown)", "what-to-change.md", lambda: to_do_markdown(found))


LIMITS = "Review the changed release."
LOSS_HELP = "Share of columns or relations lost, whichever is more."


def flagged_text(trial: RemedyTrial) -> str:
    """Say how many attacks, or at least how many, still need attention."""
    at_least = "" if trial.complete else "at least "
    return f"{at_least}{count(trial.n_flagged)} of {count(trial.n_attacks)}"


def worst_text(trial: RemedyTrial) -> str:
    """Return the highest ALC afterwards, with its interval."""
    worst = trial.worst
    if worst is None or worst.after is None:
        return "nothing to attack" if trial.suffices else "not known"
    text = reading_text(worst.after)
    return text if trial.complete else f"{text} or more"


def reading_text(reading: DecisiveLoss) -> str:
    """Return an ALC with its interval."""
    if reading.high <= 0:
        return "no loss"
    return f"{loss_text(reading.alc)} ({bounds_text(reading.low, reading.high, exact=True)})"


def study_sentence(study: RemedyStudy) -> str:
    """Say what suffices at the least loss of usefulness, or comes closest."""
    limit = decimal(study.at_risk)
    if not study.trials:
        return "No change was possible."
    best = study.trials[0]
    what = f"“{best.words}”"
    if not best.suffices:
        tried = len(study.trials)
        several = f"None of the {count(tried)} changes tried brings"
        return (
            f"{several if tried > 1 else 'The change tried does not bring'} "
            f"{_all(best.n_attacks)} below {limit}. {what} comes closest: {flagged_text(best)} "
            f"remain, the worst at {worst_text(best)}."
        )
    others = len(study.sufficient) - 1
    more = f" {numbered(others, 'other change')} also suffice." if others else ""
    return (
        f"{what} brings {_all(best.n_attacks)} below {limit}; {_then(best)}. Loss of utility: "
        f"{best.loss:.3f}.{more}"
    )


def _all(n_attacks: int) -> str:
    return {1: "the attack", 2: "both attacks"}.get(n_attacks, f"all {count(n_attacks)} attacks")


def _then(trial: RemedyTrial) -> str:
    if trial.worst is None:
        them = "it attacks" if trial.n_attacks == 1 else "they attack"
        return f"the release then has nothing that {them}"
    which = "its ALC" if trial.n_attacks == 1 else "the worst ALC"
    return f"{which} is then {worst_text(trial)}"


def attack_table(trial: RemedyTrial) -> Grid:
    """Return each attack before and after."""
    return Grid.of(
        [
            {
                "Attack": str(attack.number),
                "Unknown column": attack.unknown,
                "ALC before": reading_text(attack.before),
                "ALC after": attack.problem
                or (reading_text(attack.after) if attack.after else "nothing to attack"),
                "Verdict after": "could not run"
                if attack.problem
                else str(attack.after.verdict if attack.after else "nothing to attack"),
            }
            for attack in trial.attacks
        ],
        alt="Each attack before and after.",
    )


# Of the CSV; one row per changed column of an option
COLUMNS = (
    "option", "release", "column", "kind", "to do", "suffices", "attacks", "run again",
    "still need attention", "worst alc", "worst alc low", "worst alc high", "utility loss",
)  # fmt: skip


def listed_trials(study: RemedyStudy) -> tuple[RemedyTrial, ...]:
    """Return sufficient trials, else the closest one."""
    return study.sufficient or study.trials[:1]


def to_do_csv(*studies: RemedyStudy) -> str:
    """Return the lists as CSV, safe for spreadsheets."""
    rows: list[tuple[object, ...]] = []
    for study in studies:
        for option, trial in enumerate(listed_trials(study), start=1):
            worst = trial.worst.after if trial.worst else None
            numbers = (None, None, None) if worst is None else (worst.alc, worst.low, worst.high)
            rows += [
                (
                    option, study.release, change.column, change.kind, change.instruction,
                    "yes" if trial.suffices else "no", trial.n_attacks, len(trial.attacks),
                    trial.n_flagged, *numbers, trial.loss,
                )
                for change in trial.changes
            ]  # fmt: skip
    return csv_text(pd.DataFrame(rows, columns=COLUMNS, dtype=object))


def to_do_markdown(study: RemedyStudy) -> str:
    """Return the list as Markdown with checkboxes."""
    lines = [
        f"# Changes to {no_markdown(study.release)}",
        "",
        no_markdown(study_sentence(study)),
        "",
    ]
    for option, trial in enumerate(listed_trials(study), start=1):
        lines += [f"## Option {option}: {no_markdown(trial.words)}", ""]
        lines += [f"- [ ] {no_markdown(change.instruction)}" for change in trial.changes]
        lines += [
            "",
            f"Expected: {flagged_text(trial)} attacks need attention; worst ALC "
            f"{worst_text(trial)}; loss of utility {trial.loss:.3f}.",
            "",
        ]
    lines += [*map(no_markdown, study.notes), LIMITS, "", f"Loss of utility: {LOSS_HELP}", ""]
    return "\n".join(lines)
