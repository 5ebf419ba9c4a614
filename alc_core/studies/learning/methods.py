"""Methods for test releases: for experiments, not for publication."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from alc_core.parameter import Parameter, Value, check_name
from alc_core.phrasing import decimal, percent
from alc_core.releases.registry import as_release
from alc_core.releases.release import Release
from alc_core.releases.samples.groups import anatomize, mondrian
from alc_core.releases.samples.perturbed import noisy_counts, swap_columns
from alc_core.studies.learning.result import PARAMETERS
from alc_core.tables.read import table_from_frame
from alc_core.tables.table import Table

WARNING = "Do not publish: the seed is known."

Values = Mapping[str, Value]
Maker = Callable[..., Release]


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """One way to make a test release."""

    title: str  # Name, and what it does in a sentence
    explanation: str
    parameters: tuple[Parameter, ...]  # What it can be told
    # From parameters to a release's name
    named: Callable[[Values], str]
    make: Maker  # From original, `unknown`, `known`, `seed` and parameters
    by_person: bool = False  # Whether it takes `person`, too


def make_release(
    original: Table,
    method: str,
    *,
    unknown: str,
    known: Sequence[str],
    values: Values,
    person: str | None = None,
    seed: int = 0,
) -> Release:
    """Make a test release; `person` is the person column."""
    check_name("method", method, METHODS)
    found = METHODS[method]
    chosen = {each.name: values.get(each.name, each.default) for each in found.parameters}
    for each in found.parameters:
        each.check(chosen[each.name])
    own = {"person": person} if found.by_person else {}
    release = found.make(original, unknown=unknown, known=tuple(known), seed=seed, **chosen, **own)
    return release.renamed(found.named(chosen))


def _swapped(
    original: Table, *, unknown: str, known: Sequence[str], share: float, seed: int
) -> Release:
    frame = swap_columns(original.frame[[*known, unknown]], share, seed=seed)
    frame = frame.sample(frac=1, random_state=seed, ignore_index=True)
    name = f"{original.name} {share:.0%} swapped"
    return as_release(table_from_frame(frame, name=name))


_K = Parameter(
    name="k", title="Group size k", default=5, low=2, high=1000,
    help="Smallest group that shares the known columns.",
)  # fmt: skip
_SHARE = Parameter(
    name="share", title="Share swapped", default=0.2, low=0.0, high=1.0, step=0.05,
    help="Share of each column's values.",
)  # fmt: skip
_OPTIONAL_LEVEL = replace(
    PARAMETERS["level"], default=1, low=1,
    help="At most 1 in ℓ of a group has one unknown value.",
)  # fmt: skip

# By name, with the parameters' domains
METHODS: Mapping[str, Method] = MappingProxyType(
    {
        "anatomy": Method(
            title="Anatomy",
            explanation="Publishes unknown values by group.",
            parameters=(PARAMETERS["level"], PARAMETERS["merged"]),
            named=lambda values: (
                f"Anatomy ℓ = {values['level']}"
                + (f", {values['merged']} merged" if values["merged"] != 1 else "")
            ),
            make=anatomize,
        ),
        "mondrian": Method(
            title="k-anonymity (Mondrian)",
            explanation="Coarsens known columns until groups share them.",
            parameters=(_K, _OPTIONAL_LEVEL),
            named=lambda values: (
                f"k-anonymity k = {values['k']}"
                + (f", ℓ = {values['level']}" if values["level"] != 1 else "")
            ),
            make=mondrian,
        ),
        "counts": Method(
            title="Counts with differential privacy",
            explanation="Noisy counts of known columns by the unknown one.",
            parameters=(PARAMETERS["epsilon"],),
            named=lambda values: f"Counts ε = {decimal(float(values['epsilon']))}",
            make=noisy_counts,
            by_person=True,
        ),
        "swapping": Method(
            title="Swapping",
            explanation="Exchanges values between people.",
            parameters=(_SHARE,),
            named=lambda values: f"Swapped {percent(float(values['share']))}",
            make=_swapped,
        ),
    }
)
