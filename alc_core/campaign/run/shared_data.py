"""The tables of a campaign, encoded once and shared by all of its attacks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from alc_core.assessment.prepare import ScenarioData, summarize_table
from alc_core.assessment.result import TableSummary
from alc_core.releases.answers import answered
from alc_core.releases.release import EncodedRelease, Release
from alc_core.scenario.people import People
from alc_core.scenario.scenario import Scenario
from alc_core.tables.encode import encode_releases
from alc_core.tables.households import Household
from alc_core.tables.table import Table

PeopleKey = tuple[str | None, Household, tuple[tuple[str, tuple[str, ...]], ...]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CampaignData:
    """An original and its releases as arrays; processes share them without copies."""

    encoded: Mapping[str, EncodedRelease]  # By release; the original's arrays are the same in all
    people: Mapping[PeopleKey, People]  # By person column, household column and selection
    original: TableSummary
    releases: Mapping[str, tuple[TableSummary, ...]]  # Of the tables of each release

    @classmethod
    def of(
        cls, original: Table, releases: Sequence[Release], scenarios: Iterable[Scenario]
    ) -> CampaignData:
        """Encode what the scenarios need."""
        distinct = list(scenarios)
        columns = {column: None for scenario in distinct for column in scenario.columns}
        encoded = encode_releases(
            original, [release.coded_tables() for release in releases], columns=list(columns)
        )
        people: dict[PeopleKey, People] = {}
        for scenario in distinct:
            key = _people_key(scenario)
            if key not in people:
                people[key] = People.of(original, scenario)
        return cls(
            encoded={r.name: r.encoded(data) for r, data in zip(releases, encoded, strict=True)},
            people=people,
            original=summarize_table(original),
            releases=summarize_releases(releases),
        )

    def scenario_data(self, release: str, scenario: Scenario) -> ScenarioData:
        """Return what a scenario needs for one release."""
        return ScenarioData(
            encoded=answered(self.encoded[release], scenario),
            people=self.people[_people_key(scenario)],
            original=self.original,
            release=self.releases[release],
        )


def summarize_releases(releases: Sequence[Release]) -> dict[str, tuple[TableSummary, ...]]:
    """Return what results say of each release's tables."""
    return {release.name: tuple(map(summarize_table, release.tables)) for release in releases}


def _people_key(scenario: Scenario) -> PeopleKey:
    where = tuple(sorted(scenario.selection.where.items()))
    return scenario.person, scenario.household, where
