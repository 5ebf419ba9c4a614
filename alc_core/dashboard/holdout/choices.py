"""What the user chose on the page on the holdout, and what was measured in this session."""

from __future__ import annotations

from dataclasses import dataclass, field

from alc_core.attacks.registry import attack_type, refusal, usual_attacks
from alc_core.dashboard.choices.one_attack import OneAttack
from alc_core.dashboard.rapid.beside_alc import judged
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.work.beside_attacks import chosen_scenario, with_kept
from alc_core.errors import InputError
from alc_core.studies.holdout.measuring import AskedAttack
from alc_core.studies.holdout.result import KEPT_HOLDOUTS, HoldoutResult
from alc_core.tables.table import Table

CAMPAIGN, COLUMNS = "campaign", "columns"


@dataclass(slots=True, kw_only=True, eq=False)
class HoldoutChoices:
    """Choices as the widgets hold them; they may not fit together yet."""

    source: str = CAMPAIGN  # Whether the campaign's attacks run, or one on the chosen columns
    most: int = 20  # Attacks of the campaign for each release, worst first
    columns: OneAttack = field(default_factory=OneAttack)  # The unknown column and the known ones
    measured: dict[str, HoldoutResult] = field(default_factory=dict)  # Of this session
    shown: str = ""  # Key of the result that is shown
    attack: int = 0  # Which of its attacks is shown in detail
    done: bool = False  # Whether the page is to be drawn again with what was found
    message: str = ""  # What went wrong in keeping a result

    def asked(self, state: AppState) -> dict[str, list[AskedAttack]]:
        """Return the attacks that run, by release."""
        if self.source == CAMPAIGN and has_campaign(state):
            return self._of_campaign(state)
        scenario = chosen_scenario(state, self.columns)
        return {
            name: [
                AskedAttack(scenario=scenario, attack=attack) for attack in usual_attacks(release)
            ]
            for name, release in state.releases().items()
        }

    def _of_campaign(self, state: AppState) -> dict[str, list[AskedAttack]]:
        there, releases = judged(state), state.releases()
        asked: dict[str, list[AskedAttack]] = {name: [] for name in releases}
        if there is None:
            return asked
        view, overview = there
        for number in overview.results["number"].tolist():
            attack = view.attack(number)
            found = asked.get(attack.release)
            kind = attack_type(attack.attack)
            if found is None or kind is None or refusal(kind.accepts, releases[attack.release]):
                continue
            if len(found) < self.most:
                found.append(AskedAttack(scenario=attack.scenario, attack=attack.attack))
        return asked

    def take(self, found: tuple[HoldoutResult, ...]) -> None:
        """Take over what was measured."""
        for each in found:
            self.measured[KEPT_HOLDOUTS.key(each)] = each
        if found:
            self.shown, self.attack = KEPT_HOLDOUTS.key(found[0]), 0
        self.done, self.message = True, ""


def has_campaign(state: AppState) -> bool:
    """Return whether the last campaign attacked the tables that are there."""
    return judged(state) is not None and state.campaign_tables() is not None


def holdout_table(state: AppState) -> Table:
    """Return the holdout."""
    if state.holdout is None:
        raise InputError("There is no holdout yet. Upload one on the Data page.")
    return state.holdout.table


def known_holdouts(state: AppState, choices: HoldoutChoices) -> dict[str, HoldoutResult]:
    """Return the results of this session and of the campaign's file."""
    return with_kept(state, choices, choices.measured, KEPT_HOLDOUTS)
