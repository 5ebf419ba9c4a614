"""The study of remedies: what to change in a release so that no attack is flagged any more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from alc_core.errors import InputError
from alc_core.present.blocks import Block, Details, Note, Saved, Text, Tone
from alc_core.releases.release import Release
from alc_core.runtime.progress import Reporter
from alc_core.studies.remedies.result import KEPT_REMEDIES, RemedyStudy
from alc_core.studies.remedies.searching import (
    SearchLimits,
    column_contributions,
    flagged_attacks,
    try_changes,
    untried,
)
from alc_core.studies.remedies.words import (
    LIMITS,
    attack_table,
    study_sentence,
    to_do_csv,
    to_do_markdown,
    trials_table,
)
from alc_core.studies.study import (
    Asked,
    Extra,
    Given,
    Look,
    Need,
    Study,
    StudyData,
    Takes,
    told_of,
)

_USUAL = SearchLimits()


def _csv(found: Sequence[RemedyStudy]) -> str:
    """Return the to-do lists as one; a header stands once."""
    texts = [to_do_csv(each) for each in found]
    return "".join(
        text if not place else text.partition("\n")[2] for place, text in enumerate(texts)
    )


class RemediesStudy(Study[RemedyStudy]):
    """Columns dropped, coarsened or swapped in memory, and flagged attacks run again."""

    name = "remedies"
    title = "What to change"
    sentence = (
        "What can be changed in a release so that its attacks to look at fall below the limit? "
        "Columns are dropped, coarsened or swapped in memory, and the attacks are run again."
    )
    icon, button = ":material/build:", "Try changes"
    needs = (Need.ORIGINAL, Need.RELEASE, Need.CAMPAIGN)
    takes = (Takes.SETS,)
    kept = KEPT_REMEDIES
    section = ""  # The report is about releases as they are.
    example = "--csv to-do.csv"
    parameters = (
        Asked(
            name="trials", title="Trials", default=_USUAL.trials, low=1, apart=True,
            help="Changes that are tried at most.",
        ),
        Asked(
            name="seconds", title="Seconds", default=_USUAL.seconds, low=1, apart=True,
            help="After this time nothing new is begun.",
        ),
    )  # fmt: skip
    extras = (
        Extra(option="csv", file="what-to-change.csv", help="Write the to-do list as CSV here.",
              make=_csv),
        Extra(option="markdown", file="what-to-change.md", help="The same list as Markdown.",
              make=lambda found: "\n".join(map(to_do_markdown, found))),
    )  # fmt: skip

    def refusal(self, release: Release) -> str:
        return untried(release)

    def nothing(self, data: StudyData) -> str:
        names = " or ".join(f"'{name}'" for name in data.releases)
        return f"No attack on {names} that asks for a look exposes anybody: nothing to change."

    def run(self, data: StudyData, given: Given, reporter: Reporter) -> list[RemedyStudy]:
        """Try changes of each release that has a flagged attack."""
        if data.standing is None:
            raise InputError("There is no campaign yet. Run one.")
        view, scoring = data.standing.view, data.standing.overview.scoring
        limits, found = SearchLimits(trials=given["trials"], seconds=given["seconds"]), []
        for name, release in data.releases.items():
            attacks = flagged_attacks(view, name, scoring=scoring)
            if not attacks:
                continue
            telling = told_of(reporter, name) if len(data.releases) > 1 else reporter
            study = try_changes(
                data.original, release, attacks, scoring=scoring, limits=limits,
                added=column_contributions(view, attacks),
                progress=telling.progress, cancel=telling.cancel,
            )  # fmt: skip
            found.append(study)
        return found

    def blocks(self, found: RemedyStudy, look: Look) -> Iterator[Block]:
        """Show what suffices, everything that was tried, and the to-do list."""
        yield Note(study_sentence(found), Tone.WELL if found.sufficient else Tone.WARNING)
        if not found.trials:
            return
        best = found.trials[0]
        yield trials_table(found.trials)
        if look.page:
            yield Details(f"Each attack before and after: {best.words}", (attack_table(best),))
        yield Text(" ".join([*found.notes, LIMITS]), quiet=True)
        yield Saved("To-do list (CSV)", "what-to-change.csv", lambda: to_do_csv(found))
        yield Saved("To-do list (Markdown)", "what-to-change.md", lambda: to_do_markdown(found))
