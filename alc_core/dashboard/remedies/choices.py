"""What was tried in this session, together with what the campaign's file holds."""

from __future__ import annotations

from dataclasses import dataclass, field

from alc_core.campaign.findings.view import CampaignView
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.work.beside_attacks import with_kept
from alc_core.studies.remedies.result import KEPT_REMEDIES, RemedyStudy


@dataclass(slots=True, kw_only=True, eq=False)
class RemedyChoices:
    """What was tried in this session."""

    studies: dict[str, RemedyStudy] = field(default_factory=dict)  # By release
    done: bool = False  # Whether the page is to be drawn again with what was found
    message: str = ""  # What went wrong in keeping a result

    def take(self, study: RemedyStudy) -> None:
        """Take over what was found."""
        self.studies[study.release] = study
        self.done, self.message = True, ""


def known_study(
    state: AppState, choices: RemedyChoices, view: CampaignView, release: str
) -> RemedyStudy | None:
    """Return what was tried on a release as the campaign attacks it; None where nothing was."""
    found = with_kept(state, choices, choices.studies, KEPT_REMEDIES).get(release)
    prints = tuple(table.fingerprint for table in view.settings.releases.get(release, ()))
    if found is None or not KEPT_REMEDIES.is_of(view.store, found):
        return None
    return found if found.release_fingerprints == prints else None
