"""What the user chose on the page on RAPID, and what was measured in this session."""

from __future__ import annotations

from dataclasses import dataclass, field

from alc_core.dashboard.choices.one_attack import OneAttack
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.work.beside_attacks import with_kept
from alc_core.studies.rapid.groups import with_groups
from alc_core.studies.rapid.result import KEPT_RAPID, MeasuredRapid, Rapid, RapidSettings
from alc_core.studies.rapid.words import people_table


@dataclass(slots=True, kw_only=True, eq=False)
class RapidChoices:
    """Choices as the widgets hold them; they may not fit together yet."""

    columns: OneAttack = field(default_factory=OneAttack)  # The unknown column and the known ones
    learner: str = "random forest"  # What is trained
    score: str | None = None  # How people are scored; None for the usual of the column's kind
    measured: dict[str, MeasuredRapid] = field(default_factory=dict)  # Of this session
    shown: str = ""  # Key of the result that is shown
    # Where the line stands on the curve; None where the result was measured
    cut: float | None = None
    by: str = ""  # Column by whose values the share at risk is shown
    picked: int | None = None  # Number of the attack that was clicked
    done: bool = False  # Whether the page is to be drawn again with what was found
    message: str = ""  # What went wrong in keeping a result

    def settings(self, state: AppState) -> RapidSettings:
        """Return how it is measured."""
        return RapidSettings(learner=self.learner, score=self.score, seed=state.run_choices.seed)

    def take(self, found: tuple[MeasuredRapid, ...]) -> None:
        """Take over what was measured."""
        for each in found:
            self.measured[KEPT_RAPID.key(each.result)] = each
        if found:
            self.shown, self.cut = KEPT_RAPID.key(found[0].result), None
        self.done, self.message = True, ""

    def further_columns(self, state: AppState) -> list[str]:
        """Return columns by which the shown result can be told besides those of its own."""
        there = self.measured.get(self.shown)
        if there is None or not state.ready:
            return []
        original = state.original_table()
        if original.fingerprint != there.result.fingerprint:
            return []
        return [c for c in original.compared if c not in there.result.grouped]

    def told_by(self, state: AppState, column: str) -> Rapid:
        """Tell the shown result by a further column, too."""
        found = with_groups(self.measured[self.shown], state.original_table(), [column])
        self.measured[self.shown] = found
        return found.result

    def people_csv(self) -> str:
        """Return each person's risk of what this session measured."""
        return people_table(list(self.measured.values()))


def known_results(state: AppState, choices: RapidChoices) -> dict[str, Rapid]:
    """Return the results of this session and of the campaign's file."""
    own = {key: found.result for key, found in choices.measured.items()}
    return with_kept(state, choices, own, KEPT_RAPID)
