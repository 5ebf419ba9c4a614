"""One line for each release of a campaign: what its attacks say of publishing it, and its use."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from alc_core.assessment.exposed import exposed_words
from alc_core.assessment.words import loss_text
from alc_core.attacks.registry import fits_model, model_attack
from alc_core.campaign.findings.overview import (
    bounds_text,
    untested_columns,
    untested_sentence,
)
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.model import PlannedAttack
from alc_core.note import IDENTICAL, Note, keeps_rows, leads_back, tells_copies
from alc_core.phrasing import count, listed, numbered, percent, quoted, sentence_case
from alc_core.releases.registry import of_rows
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import Verdict
from alc_core.studies.utility.result import Utility
from alc_core.tables.checks.finding import Finding


def asks_for_model(kind: str, attacks: Iterable[str], said: Iterable[Finding | Note]) -> bool:
    """Return whether a model trained on a release may find what the attacks on it cannot.

    It may where none of them fits one and the rows are not the original's own.

    Examples
    --------
    >>> asks_for_model("rows", ["best row match"], [])
    True
    >>> asks_for_model("rows", ["best row match", "model: family=boosting"], [])
    False
    """
    attacked = list(attacks)
    made_up = not any(keeps_rows(each.code, each.numbers) for each in said)
    return of_rows(kind) and bool(attacked) and not any(map(fits_model, attacked)) and made_up


def model_advice(releases: Sequence[str] = (), *, ran: bool = True) -> str:
    """Advise to run a model, too.

    Examples
    --------
    >>> model_advice(ran=False)[:19]
    'No model is chosen:'
    """
    what = "was tried" if ran else "is chosen"
    where = f" on {listed(list(releases))}" if releases else ""
    return (
        f"No model {what}{where}: it may find more where rows are made up. Run "
        f"“{model_attack()}”, too."
    )


class Publishing(enum.StrEnum):
    """What the attacks on a release say of publishing it."""

    CLEAR = "nothing found against it"
    EXAMINE = "examine first"
    CHANGE = "do not publish as it is"
    UNKNOWN = "not known yet"


_BY_STANDING: Mapping[str, Publishing] = {
    Verdict.SERIOUS: Publishing.CHANGE,
    Verdict.AT_RISK: Publishing.EXAMINE,
    Verdict.NOT_CONVERGED: Publishing.EXAMINE,
    Verdict.UNDECIDED: Publishing.EXAMINE,
    Verdict.SAFE: Publishing.CLEAR,
    Verdict.NO_LOSS: Publishing.CLEAR,
    Verdict.NOTHING_LEFT: Publishing.UNKNOWN,
}
_ORDER = tuple(Publishing)
_BY_CONCERN = (Publishing.CHANGE, Publishing.EXAMINE, Publishing.CLEAR, Publishing.UNKNOWN)


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateLine:
    """One release of a campaign."""

    release: str  # Its name
    standing: str | None  # Of its worst attack; None without a result
    counts: Mapping[str, int]  # Its attacks by standing
    worst: PlannedAttack | None  # The one that stands worst
    worst_alc: float | None  # The ALC that it stands on
    worst_interval: str  # The interval of that, for show; empty where there is none
    worst_exposed: str  # How many people it exposes, for show; empty where there is none
    exposed: float  # The same as a number with its interval; 0 without a result
    exposed_low: float
    exposed_high: float
    people: int  # How many people the original has
    finished: int  # Attacks on it
    failed: int
    skipped: int  # Not run as the release was settled before
    planned: int
    # Whether the order of its rows or a column leads to the original's rows, by the check
    linked: bool
    untested: tuple[str, ...]  # Unknown columns of which no attack on it had anything left to learn
    # What the check said of rows that are the original's; None where it found none
    copied: Note | None
    not_attacked: tuple[str, ...]  # Columns that are attacked on other releases alone
    # Whether a model trained on it may find what the attacks on it cannot, by what the check says
    # of it, wherever it stands
    untried: bool
    utility: Utility | None  # What the release is still good for; None where it was not measured

    @property
    def to_run(self) -> int:
        """Attacks that are still to come."""
        return self.planned - self.finished - self.failed - self.skipped

    @property
    def so_far(self) -> bool:
        """Whether there is a result, and attacks that may still change what it says."""
        return self.standing is not None and self.to_run > 0

    @property
    def provisional(self) -> str:
        """How many attacks the line rests on while others are still to come; else empty."""
        if not self.so_far:
            return ""
        return f"provisional: {count(self.finished)} of {numbered(self.planned, 'attack')} so far"

    @property
    def words(self) -> str:
        """What to do with the release, or how many attacks are waited for."""
        if self.so_far and self.publishing is Publishing.UNKNOWN:
            return f"wait for {numbered(self.to_run, 'more attack')}"
        if self.untried and self.publishing is Publishing.CLEAR:
            return "no model tried yet"
        return self.publishing

    @property
    def publishing(self) -> Publishing:
        """What attacks and check say of publishing: all must have a result for nothing found.

        What links rows to people undoes whatever the attacks, which do not use it, leave unlearned.
        """
        if self.standing is None:
            return Publishing.UNKNOWN
        found = _BY_STANDING[self.standing]
        if found is not Publishing.CHANGE and self.linked:
            return Publishing.EXAMINE
        missing = self.to_run or self.failed
        return Publishing.UNKNOWN if found is Publishing.CLEAR and missing else found


def candidate_lines(
    view: CampaignView, scoring: ScoringParameters, utilities: Mapping[str, Utility]
) -> tuple[CandidateLine, ...]:
    """Return the releases of a campaign, what may be published first."""
    attacked: dict[str, set[str]] = {name: set() for name in view.attacked_releases}
    for attack in view.judged:
        attacked[attack.release].add(attack.scenario.unknown)
    unknown = dict.fromkeys(attack.scenario.unknown for attack in view.judged)
    lines = []
    for name, own in attacked.items():
        missing = tuple(column for column in unknown if column not in own)
        lines.append(
            _line(name, view.only(name), scoring, utilities.get(name), not_attacked=missing)
        )
    if any(line.to_run for line in lines):
        return tuple(lines)
    clear = [line for line in lines if line.publishing is Publishing.CLEAR]
    by_use = bool(clear) and all(_distance(line) is not None for line in clear)

    def place(line: CandidateLine) -> tuple[int, float]:
        loss = max(line.worst_alc or 0.0, 0.0)
        useful = by_use and line.publishing is Publishing.CLEAR
        return _ORDER.index(line.publishing), (_distance(line) or 0.0) if useful else loss

    return tuple(sorted(lines, key=place))


def candidates_title(lines: Sequence[CandidateLine]) -> str:
    """Say in a sentence how many releases should not be published."""
    if all(line.standing is None for line in lines):
        return "No attack has a result yet"
    found = Counter(line.publishing for line in lines)
    one, so_far = len(lines) == 1, any(line.to_run for line in lines)

    def of_all(number: int) -> str:
        return "The release" if one else f"{count(number)} of {numbered(len(lines), 'release')}"

    refused, examined, clear, unknown = (found[each] for each in _BY_CONCERN)
    parts = []
    if refused:
        none = refused == len(lines) and not one
        which = f"None of {numbered(len(lines), 'release')}" if none else of_all(refused)
        parts.append(f"{which} should {'' if none else 'not '}be published")
    if examined:
        which = count(examined) if parts else of_all(examined)
        parts.append(f"{which} should be examined first")
    if clear and not parts:
        parts.append(f"Nothing found against {of_all(clear)[0].lower()}{of_all(clear)[1:]}")
    title = ", ".join(parts)
    if so_far:
        return f"{title or 'Nothing found against a release'} so far"
    if unknown:
        title = f"{title}; {count(unknown)} not known yet" if title else "Not known yet"
    return title


def line_sentence(line: CandidateLine) -> str:
    """Say what the attacks found of a release, with its worst attack."""
    if line.standing is None:
        return "No attack has a result yet."
    tested = line.finished - line.counts[Verdict.NOTHING_LEFT]
    parts = [f"{count(number)} {standing}" for standing, number in line.counts.items() if number]
    text = f"{listed(parts)} of {numbered(line.finished, 'attack')}"
    if len(parts) == 1:
        text = (
            "nothing was left to learn" if not tested
            else f"{line.standing} in {'all ' if tested > 1 else ''}{numbered(tested, 'attack')}"
        )  # fmt: skip
    found = f"{sentence_case(text)}{_missing(line)}."
    untested = untested_sentence(line.untested) if tested else ""
    more = (worst_sentence(line), untested, checked_sentence(line), not_attacked_sentence(line))
    return " ".join(filter(None, (found, *more)))


def checked_sentence(line: CandidateLine) -> str:
    """Say what the check found of the rows that decides by itself; empty where nothing does."""
    linked = (
        "Its rows can be led back to the original's, which undoes all anonymization."
        if line.linked
        else ""
    )
    return " ".join(filter(None, (linked, _copied(line))))


def not_attacked_sentence(line: CandidateLine) -> str:
    """Say which columns only other releases were attacked on; empty where there is none."""
    if not line.not_attacked:
        return ""
    return (
        f"Attacked on other releases alone: {quoted(line.not_attacked)}. "
        "If this one has them under other names, say which they are and run again."
    )


def untried_sentence(lines: Sequence[CandidateLine]) -> str:
    """Say of which releases the verdict lacks an attack by a model; empty where of none."""
    names = [line.release for line in lines if line.untried]
    return model_advice(names if len(names) < len(lines) else ()) if names else ""


def utility_sentence(line: CandidateLine) -> str:
    """Say what a release is good for; empty where that was not measured."""
    found = line.utility
    if found is None:
        return ""
    parts = []
    if found.pair_distance is not None:
        parts.append(f"pairs of columns are {found.pair_distance:.2f} from the original's (0 same)")
    if found.accuracy is not None and found.original_accuracy is not None:
        parts.append(
            f"models are right for {percent(found.accuracy)}, the original's own for "
            f"{percent(found.original_accuracy)}"
        )
    return f"Utility: {'; '.join(parts)}." if parts else ""


def _line(
    name: str,
    view: CampaignView,
    scoring: ScoringParameters,
    utility: Utility | None,
    *,
    not_attacked: tuple[str, ...],
) -> CandidateLine:
    overview = view.overview(scoring)
    summary = overview.summary
    # What the check said of a release is noted by each attack on it.
    first = None if overview.worst is None else overview.row(overview.worst)
    notes = () if overview.worst is None else view.assessment(overview.worst).notes
    chosen = {attack.attack for attack in view.judged}
    return CandidateLine(
        release=name,
        standing=overview.standing,
        counts=overview.counts,
        worst=summary.worst,
        worst_alc=summary.worst_alc,
        worst_interval="" if first is None else _interval(first, scoring),
        worst_exposed=""
        if first is None
        else exposed_words(first["exposed"], first["exposed_low"]),
        exposed=0.0 if first is None else first["exposed"],
        exposed_low=0.0 if first is None else first["exposed_low"],
        exposed_high=0.0 if first is None else first["exposed_high"],
        people=view.settings.original.rows,
        finished=summary.finished,
        failed=summary.failed,
        skipped=summary.skipped,
        planned=summary.planned,
        linked=any(leads_back(note.code) for note in notes),
        untested=untested_columns(overview.results),
        copied=next((note for note in notes if tells_copies(note.code)), None),
        not_attacked=not_attacked,
        untried=overview.standing is not None
        and asks_for_model(view.settings.release_kind(name), chosen, notes),
        utility=utility,
    )


def _copied(line: CandidateLine) -> str:
    """Say from what was counted that rows of a release are the original's; empty where none are."""
    if line.copied is None:
        return ""
    table, found = line.copied.table, dict(line.copied.numbers)
    if line.copied.code == IDENTICAL:
        return f"All rows of '{table}' are the original's, in all columns that both have."
    if "expected" not in found:  # an earlier version kept no counts
        return f"Rows of '{table}' are also in the original: see the notes on its attacks."
    return (
        f"Of '{table}', {numbered(int(found['rows']), 'row')} ({percent(found['share'])}) "
        f"{'is' if found['rows'] == 1 else 'are'} also in the original; among people who are not "
        f"in it {percent(found['expected'])} would be."
    )


def _distance(line: CandidateLine) -> float | None:
    return None if line.utility is None else line.utility.pair_distance


def _missing(line: CandidateLine) -> str:
    parts = [
        f"{count(number)} {words}"
        for number, words in (
            (line.failed, "failed"),
            (line.skipped, "skipped, as this settles the release"),
            (line.to_run, "still to run"),
        )
        if number
    ]
    return f" ({listed(parts)})" if parts else ""


def worst_sentence(line: CandidateLine) -> str:
    """Say what the worst attack learns; empty where it learns nothing."""
    if line.worst is None or line.worst_alc is None or line.worst_alc <= 0:
        return ""
    interval = f" ({line.worst_interval})" if line.worst_interval else ""
    found = f"ALC {loss_text(line.worst_alc)}{interval}"
    return f"The worst learns {line.worst.scenario.wanted}: {found}, {line.worst_exposed}."


def _interval(worst: Mapping[str, Any], scoring: ScoringParameters) -> str:
    """Return the interval of the worst attack; where it decides the verdict, by which limit."""
    low, high, standing = worst["standing_low"], worst["standing_high"], worst["standing"]
    text = bounds_text(low, high, exact=bool(worst["interval_exact"]))
    limit = scoring.at_risk if standing == Verdict.UNDECIDED else scoring.serious
    near = standing == Verdict.UNDECIDED or (
        standing == Verdict.AT_RISK and worst["standing_alc"] >= limit
    )
    return f"{text}, on both sides of {limit:g}" if near and low < limit <= high else text
