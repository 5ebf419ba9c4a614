"""Shapes of commands' JSON, behind their JSON Schemas."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, NotRequired, TypedDict, get_args, get_type_hints

import msgspec

from alc_core.assessment.result import COMPUTED, FORMAT, UNKEPT, Assessment
from alc_core.candidates.gate import FoundJson, GateLine
from alc_core.compare.campaigns import CampaignChanges
from alc_core.note import Note
from alc_core.plain_values import to_plain
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import Verdict
from alc_core.tables.checks.finding import Severity


def _assessment_json() -> Any:
    """Return the shape of a result: derived values, and fields."""
    own = get_type_hints(Assessment) | {
        "scenario": dict[str, Any],
        "outcomes": dict[str, Any],
        "measured": dict[str, dict[str, list[float | None]]],
    }
    computed = {n: get_type_hints(getattr(Assessment, n).fget)["return"] for n in COMPUTED}
    kept = {n: own[n] for n in Assessment.__struct_fields__ if n not in UNKEPT}
    shape: list[Any] = [("format", Literal[FORMAT]), *(computed | kept).items()]
    # In `alc assess --json` with the release's name
    doc = {"__doc__": "One attack on one release; `alc_core.Assessment.from_dict` reads it."}
    named = [*shape, ("release_name", str, "")]
    return msgspec.defstruct("AssessmentJson", named, namespace=doc, kw_only=True)


if TYPE_CHECKING:
    AssessmentJson = dict[str, Any]
else:
    AssessmentJson = _assessment_json()


class AssessedJson(TypedDict):
    """What stands above all attacks on one release."""

    release: str  # Its name, as `release_name` of its results
    verdict: Verdict  # Of its worst attack
    stopped_by: list[Note]  # Notes of the check that stop it whatever attacks find


class AssessJson(TypedDict):
    """What `alc assess --json` writes."""

    format: Literal["alc-assess/1"]
    releases: NotRequired[list[AssessedJson]]  # The worst first
    results: list[AssessmentJson]  # By release in that order
    without_household: NotRequired[list[AssessmentJson]]  # See --household-effect


class AttackJson(TypedDict):
    """An attack and its parameters."""

    name: str
    method: str
    reference: str
    reads: list[str]
    parameters: list[dict[str, Any]]


class AttacksJson(TypedDict):
    """What `alc attacks --json` writes."""

    format: Literal["alc-attacks/1"]
    attacks: list[AttackJson]


class FindingJson(TypedDict):
    """What the check noticed."""

    severity: Severity
    code: str
    table: str
    column: str | None
    columns: list[str]
    message: str
    action: str
    offers: list[dict[str, str]]  # Each an option and its value
    numbers: dict[str, float]
    blocking: bool  # Stops a run until answered or fixed
    stops_release: bool  # Whatever attacks find
    release_name: NotRequired[str]  # The release, in `alc check`


class CheckJson(TypedDict):
    """What `alc check --json` writes."""

    format: Literal["alc-check/1"]
    findings: list[FindingJson]
    sets: dict[str, dict[str, dict[str, Any]]]  # By table and column


class GateJson(TypedDict):
    """What `alc gate --json` writes."""

    format: Literal["alc-gate/1"]
    outcome: str
    exit: Literal[0, 1, 3]
    fail_on: Verdict
    scoring: ScoringParameters
    releases: list[GateLine]


class PlanJson(TypedDict):
    """What `alc plan --json` writes."""

    format: Literal["alc-plan/1"]
    attacks: int
    columns: dict[str, dict[str, Any]]  # Role of each, and why
    known_sets: dict[str, list[dict[str, Any]]]  # By unknown column
    notes: list[str]


class StudyJson(TypedDict):
    """What each study's command writes."""

    format: Literal["alc-study/1"]
    study: str
    results: list[Any]


# By command; all studies share one
SHAPES: Mapping[str, Any] = {
    "assess": AssessJson,
    "attacks": AttacksJson,
    "check": CheckJson,
    "compare": CampaignChanges,
    "findings": FoundJson,
    "gate": GateJson,
    "plan": PlanJson,
    "study": StudyJson,
}


def schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema of a command's output.

    >>> schema("gate")["$ref"]
    '#/$defs/GateJson'
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **msgspec.json.schema(SHAPES[name]),
    }


def json_text(name: str, content: object) -> str:
    """Return a command's output, its format first."""
    (written,) = get_args(get_type_hints(SHAPES[name])["format"])
    whole = {"format": written, **to_plain(content)}
    return f"{json.dumps(whole, ensure_ascii=False, allow_nan=False, indent=1)}\n"
