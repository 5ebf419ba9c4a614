"""What the user chose on the page on risk numbers, and what was counted in this session."""

from __future__ import annotations

from dataclasses import dataclass, field

from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.work.beside_attacks import row_releases, with_kept
from alc_core.releases.release import released_columns
from alc_core.risk_numbers.class_sizes import USUAL_THRESHOLD
from alc_core.risk_numbers.in_campaign_file import KEPT_RISK_NUMBERS
from alc_core.risk_numbers.result import RiskNumbers
from alc_core.risk_numbers.settings import RiskSettings, RowsAre, chosen_columns


@dataclass(slots=True, kw_only=True, eq=False)
class RiskChoices:
    """Choices as the widgets hold them; they may not fit together yet."""

    of: str = ""  # Fingerprint of the original that columns were suggested for
    roles: dict[str, str] = field(default_factory=dict)  # Roles that the user had chosen then
    known: list[str] = field(default_factory=list)  # The columns
    protected: list[str] = field(default_factory=list)
    threshold: float = USUAL_THRESHOLD  # Of risk
    population: int | None = None  # People of whom the original is a sample
    rows_are: RowsAre = RowsAre.UNKNOWN  # What the user says of the rows
    measured: dict[str, RiskNumbers] = field(default_factory=dict)  # Of this session
    shown: str = ""  # Key of the result that is shown
    done: bool = False  # Whether the page is to be drawn again with what was found
    message: str = ""  # What went wrong in keeping a result

    def adapt(self, state: AppState) -> list[str]:
        """Suggest columns for another original or other roles; return those that can be chosen."""
        original, roles = state.original_table(), state.column_roles()
        releases = row_releases(state)
        released = frozenset().union(*map(released_columns, releases.values()))
        possible = [column for column in original.compared if column in released]
        said = {column: str(role) for column, role in roles.by_user.items()}
        if (self.of, self.roles) != (original.fingerprint, said):
            known, protected = chosen_columns(original, roles, possible)
            self.known, self.protected = list(known), list(protected)
            self.of, self.roles = original.fingerprint, said
        self.known = [column for column in self.known if column in possible]
        self.protected = [column for column in self.protected if column in possible]
        return possible

    def settings(self, state: AppState) -> RiskSettings:
        """Return what is asked for."""
        settings = RiskSettings(
            known=tuple(self.known),
            protected=tuple(self.protected),
            threshold=self.threshold,
            population=self.population,
            rows_are=self.rows_are,
            person=state.run_choices.person,
        )
        settings.check(state.original_table())
        return settings

    def take_known(self, columns: tuple[str, ...]) -> None:
        """Choose known columns; those that are protected stay so."""
        self.known = [column for column in columns if column not in self.protected]

    def take(self, found: tuple[RiskNumbers, ...]) -> None:
        """Take over what was counted, in place of all before."""
        self.measured = {KEPT_RISK_NUMBERS.key(each): each for each in found}
        self.shown, self.done, self.message = next(iter(self.measured), ""), True, ""


def known_results(state: AppState, choices: RiskChoices) -> dict[str, RiskNumbers]:
    """Return the risk numbers of this session, else those of the campaign's file.

    Those of one table in a file may be of other columns than those of another.
    """
    found = with_kept(state, choices, choices.measured, KEPT_RISK_NUMBERS)
    first = next(iter(choices.measured.values()), None) or next(iter(found.values()), None)
    if first is None:
        return {}
    return {
        key: each
        for key, each in found.items()
        if (each.fingerprint, each.settings) == (first.fingerprint, first.settings)
    }
