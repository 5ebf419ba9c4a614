"""The study of a holdout: people in neither table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from alc_core.attacks.registry import attack_type, refusal, usual_attacks
from alc_core.errors import InputError
from alc_core.phrasing import alc_number, count, facts_words, numbered, percent
from alc_core.present import blocks as show
from alc_core.releases.release import Release
from alc_core.runtime.progress import Reporter
from alc_core.scoring.verdict import VERDICT_TITLES, Verdict
from alc_core.studies.holdout.figures import closest_records_figure, holdout_attacks
from alc_core.studies.holdout.measuring import MOST_PEOPLE, AskedAttack, measure_holdout
from alc_core.studies.holdout.result import (
    KEPT_HOLDOUTS,
    Closest,
    HoldoutAttack,
    HoldoutResult,
    closest_sentence,
    risk_words,
)
from alc_core.studies.study import (
    MOST,
    Asked,
    CampaignStanding,
    Given,
    Kind,
    Measuring,
    Need,
    Study,
    StudyData,
    Takes,
    Viewpoint,
)

_MOST_ROWS = 20  # Of the report's table
_MOST_SENTENCES = 3
_NAMED = 4
_LITTLE = 0.1


class HoldoutStudy(Study[HoldoutResult]):
    """The same attacks on members and others, and distances to the closest record."""

    name = "holdout"
    title = "Holdout"
    sentence = "Are members' values guessed correctly more often than others'?"
    explanation = (
        "Members are in the original, others in the holdout. Residual risk: what being in the "
        "release adds."
    )
    methods = "Holdout"
    icon, button = ":material/group_off:", "Compare members and others"
    needs = (Need.ORIGINAL, Need.RELEASE, Need.HOLDOUT)
    takes = (Takes.MISSING, Takes.SEED)
    kept = KEPT_HOLDOUTS
    section = "holdout"
    unmeasured = "The holdout was not compared."
    example = "--holdout others.csv --known age,sex --unknown job"
    parameters = (
        Asked(
            name="unknown", title="Unknown column", kind=Kind.COLUMNS,
            help="Columns to infer.",
        ),
        Asked(
            name="known", title="Known columns", kind=Kind.COLUMNS,
            help="Known columns; empty: only distances.",
        ),
        Asked(
            name="source", title="Attacks", optional=True, choices=("campaign", "columns"),
            titles={"campaign": "The review's, worst first", "columns": "On columns I choose"},
            help="Which attacks to run.",
            usual="columns, if named",
        ),
        MOST,
        Asked(
            name="attack", title="Attack", kind=Kind.TEXTS, where="command",
            metavar="NAME[: PARAMETERS]",
            help="Run this attack; repeatable.",
            usual="rows: best row match and record linkage; else all but bayesian",
        ),
        Asked(
            name="people", title="People", default=MOST_PEOPLE, low=1, where="command",
            help="Maximum members, maximum others.",
        ),
    )  # fmt: skip

    def suggest(self, data: StudyData, given: Given) -> Given:
        return super().suggest(data, given) if data.page else given

    def choices(self, asked: Asked, data: StudyData, given: Given) -> Sequence[str]:  # noqa: ARG002
        """Offer the campaign's attacks where there is one."""
        if asked.name == "source" and data.standing is None:
            return asked.choices[1:]
        return asked.choices

    def check(self, data: StudyData, given: Given) -> None:
        for release in data.releases.values():
            _asked(data, given, release)

    def measuring(self, data: StudyData, given: Given) -> Measuring[HoldoutResult]:
        """Compare for each release."""

        def measured(release: Release, reporter: Reporter) -> list[HoldoutResult]:
            attacks, left_out = _asked(data, given, release)
            found = measure_holdout(
                data.original, release, data.others, attacks, people=given["people"],
                seed=data.seed, progress=reporter.progress, cancel=reporter.cancel,
            )  # fmt: skip
            note = (
                f"{numbered(left_out, 'attack')} of the review "
                f"{'is' if left_out == 1 else 'are'} left out: not on exact columns."
            )
            return [replace(found, notes=(*found.notes, *[note] * bool(left_out)))]

        return measured

    def plain(self, found: HoldoutResult) -> Any:
        return found.to_dict()

    def label(self, found: HoldoutResult) -> str:
        people = count(found.resemblance.people)
        return f"{found.release}, holdout {found.holdout} ({people} people)"

    def side_by_side(self, found: Sequence[HoldoutResult]) -> Iterator[show.Block]:
        """Show all releases in one table."""
        if len(found) < 2:
            return
        rows = []
        for each in found:
            worst = max(each.attacks, key=lambda attack: attack.risk.value, default=None)
            leaking = sum(attack.leaks for attack in each.attacks)
            of_all = f"{count(leaking)} of {numbered(len(each.attacks), 'attack')}"
            row = {
                "Release": each.release,
                "Highest residual risk": "" if worst is None else risk_words(worst.risk),
                "Holdout share": "" if each.closest is None else each.closest.share.ranged,
                "Members guessed more in": "" if worst is None else of_all,
            }
            rows.append(row)
        yield show.Grid.of(rows, alt="Residual risk and holdout share of each release.")

    def blocks(self, found: HoldoutResult, look: Viewpoint) -> Iterator[show.Block]:
        """Show the attacks on both, and the distances."""
        sentences = [overall_sentence(found)]
        if found.closest is not None:
            sentences.append(closest_sentence(found.closest))
        yield show.Remark(" ".join(filter(None, sentences)))
        for note in found.notes:
            yield show.Remark(note, show.Tone.WARNING)
        if found.attacks:
            yield from _attacks(found.worst_first(), look)
        if found.closest is not None:
            closest = found.closest
            yield show.Heading("Distance to the closest record")
            yield show.Figure("closest-records", lambda: closest_records_figure(closest))
            yield show.Text(
                f"{equal_sentence(closest)} Single values may still leak.",
                quiet=True,
            )


def _asked(data: StudyData, given: Given, release: Release) -> tuple[list[AskedAttack], int]:
    known, unknown = given["known"], given["unknown"]
    if (given["source"] or ("columns" if known or unknown else "campaign")) == "columns":
        if bool(known) != bool(unknown):
            raise InputError("Name known and unknown columns, or neither.")
        attacks = given["attack"] or usual_attacks(release)
        scenarios = [data.scenario(known, each) for each in unknown]
        return [AskedAttack(scenario=s, attack=each) for s in scenarios for each in attacks], 0
    at = data.standing
    able = [
        AskedAttack(scenario=each.scenario, attack=each.attack)
        for each in (map(at.view.attack, at.worst_first(release.name)) if at else ())
        if (kind := attack_type(each.attack)) and not refusal(kind.accepts, release)
    ]
    compared = [
        each for each in able
        if each.scenario.tolerance is None and each.scenario.level == "exact"
        and set(each.scenario.named) <= {*data.original.columns} & {*data.others.columns}
    ]  # fmt: skip
    return compared[: given["most"]], len(able) - len(compared)


def _attacks(found: HoldoutResult, look: Viewpoint) -> Iterator[show.Block]:
    yield show.Heading("Attack on members, attack on others")
    yield show.Figure("holdout-attacks", lambda: holdout_attacks(found.attacks))
    rows = beside_rows(look.standing, found)
    shown = rows[:_MOST_ROWS] if look.short else rows
    yield show.Grid.of(shown, alt="Each attack on members and on others.")
    if more := len(rows) - len(shown):
        yield show.Text(f"{count(more)} more with lower residual risk.")
    if look.standing is not None:
        yield show.Items(disagreements(look.standing, found))
    if look.page:
        yield show.Fold("Most certain predictions of one attack", tuple(_surest(found, look)))
    elif not look.short:
        yield show.Items(tuple(map(attack_sentence, found.attacks)))


def _surest(found: HoldoutResult, look: Viewpoint) -> Iterator[show.Block]:
    names = {
        str(number): f"{each.unknown} from {facts_words(each.known)} ({each.attack})"
        for number, each in enumerate(found.attacks)
    }
    chosen = look.text("attack", names)
    if len(names) > 1:
        yield show.Control(name="attack", title="Attack", value=chosen, options=names)
    attack = found.attacks[int(chosen)]
    yield show.Text(attack_sentence(attack))
    equal = "Too few predictions, or all equally certain."
    if attack.surest:
        equal = "Members and others at the same rank score."
        yield show.Grid.of(
            [
                {
                    "Most certain": percent(part.share),
                    "Members predicted": percent(part.members.recall),
                    "Others predicted": percent(part.others.recall),
                    "Precision, members": part.members.precision.ranged,
                    "Precision, others": part.others.precision.ranged,
                    "Residual risk": risk_words(part.risk),
                }
                for part in attack.surest
            ],
            alt="Precision by rank score.",
        )
    yield from (show.Text(each, quiet=True) for each in (equal, *attack.notes))


def same_attack(
    standing: CampaignStanding, release: str, found: HoldoutAttack
) -> dict[str, Any] | None:
    """Return the campaign's result of the same attack, if any."""
    numbers = standing.worst_first(
        release, unknown=found.unknown, known=found.known, attack=found.attack
    )
    return standing.overview.row(numbers[0]) if numbers else None


def beside_rows(standing: CampaignStanding | None, result: HoldoutResult) -> list[dict[str, str]]:
    """Return a result's attacks as table rows, with any ALC."""
    rows = []
    for found in result.attacks:
        row = {"Unknown": found.unknown, "Residual risk": risk_words(found.risk)}
        if standing is not None:
            alc = same_attack(standing, result.release, found)
            row["ALC"] = "" if alc is None else alc_number(float(alc["decisive_alc"]))
            row["Standing"] = "" if alc is None else VERDICT_TITLES[Verdict(str(alc["standing"]))]
        row |= {
            "Members": found.members.success.ranged,
            "Others": found.others.success.ranged,
            "Known": facts_words(found.known),
            "Attack": found.attack,
        }
        rows.append(row)
    return rows


def disagreements(standing: CampaignStanding, result: HoldoutResult) -> tuple[str, ...]:
    """Say where residual risk and ALC of an attack disagree, and why."""
    limit = standing.overview.scoring.at_risk
    found, both = [], 0
    for attack in result.attacks:
        row = same_attack(standing, result.release, attack)
        if row is None or row["decisive_alc"] != row["decisive_alc"]:
            continue
        both += 1
        flagged = float(row["decisive_alc"]) >= limit
        if flagged != attack.leaks:
            found.append((abs(attack.risk.value - float(row["decisive_alc"])), attack, row))
    if not both:
        return ()
    if not found:
        return ("Residual risk and ALC agree for every attack.",)
    found.sort(key=lambda each: -each[0])
    return tuple(_why(attack, row, limit) for _, attack, row in found[:_MOST_SENTENCES])


def _why(attack: HoldoutAttack, row: dict[str, Any], limit: float) -> str:
    facts = (
        f"Attack {row['number']}, '{attack.unknown}': ALC "
        f"{alc_number(float(row['decisive_alc']))}, residual risk {risk_words(attack.risk)}."
    )
    if attack.leaks:
        return f"{facts} Members are guessed more often, but ALC is below {limit:g}."
    if attack.nothing_left:
        return f"{facts} Others are nearly always guessed ({attack.others.success.ranged})."
    recall = float(row["deciding_recall"])
    few = f" ALC covers the most certain {percent(recall)}." if recall < 1 else ""
    return f"{facts} Members are not guessed more often over all people.{few}"


def attack_sentence(found: HoldoutAttack) -> str:
    """Say whether an attack is correct more often on members."""
    if found.nothing_left:
        meaning = "others are nearly always guessed"
    elif found.leaks:
        little = " a little" if found.risk.value < _LITTLE else ""
        meaning = f"being in the release costs members{little}"
    elif found.risk.interval[1] < 0:
        meaning = "others more often, by chance or from another population"
    else:
        meaning = "no measurable difference"
    return (
        f"'{found.unknown}' ({found.attack}): correct for {found.members.success.ranged} of "
        f"members, {found.others.success.ranged} of others; {meaning}. Residual risk "
        f"{risk_words(found.risk)}."
    )


def overall_sentence(found: HoldoutResult) -> str:
    """Say what all attacks on a release found."""
    if not found.attacks:
        return ""
    leaking = [attack for attack in found.attacks if attack.leaks]
    if not leaking:
        return "No attack guesses members' values correctly more often."
    worst = max(leaking, key=lambda attack: attack.risk.value)
    return (
        f"Members are guessed more often in {count(len(leaking))} of "
        f"{numbered(len(found.attacks), 'attack')} (by chance 1 of 40). Highest: "
        f"{risk_words(worst.risk)}, '{worst.unknown}'."
    )


def equal_sentence(found: Closest) -> str:
    """Say how many people have an identical released row, and distances."""
    members, others = found.members, found.others
    return (
        f"{percent(members.equal / members.people)} of members and "
        f"{percent(others.equal / others.people)} of others have an identical row "
        f"({numbered(len(found.columns), 'column')}). Median distance: {members.median:.3f} and "
        f"{others.median:.3f}; 5% quantile: {members.low:.3f} and {others.low:.3f}."
    )
