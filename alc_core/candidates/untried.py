"""Which attack a release still asks for: rows that were made up need more than a best match."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from alc_core.attacks.best_row_match import BestRowMatch
from alc_core.attacks.model import ModelAttack
from alc_core.attacks.registry import plain_name
from alc_core.note import Note, keeps_rows
from alc_core.phrasing import listed
from alc_core.releases.microdata import Microdata
from alc_core.tables.checks.finding import Finding


def asks_for_model(kind: str, attacks: Iterable[str], said: Iterable[Finding | Note]) -> bool:
    """Return whether a model trained on a release may find what the attacks on it cannot.

    It may where best row match alone is run on rows that are not the original's own.

    Examples
    --------
    >>> asks_for_model("rows", ["best row match"], [])
    True
    >>> asks_for_model("rows", ["best row match", "model: family=boosting"], [])
    False
    """
    names = set(map(plain_name, attacks))
    made_up = not any(keeps_rows(each.code, each.numbers) for each in said)
    return kind == Microdata.kind and names == {BestRowMatch.name} and made_up


def model_advice(releases: Sequence[str] = (), *, ran: bool = True) -> str:
    """Advise to run a model, too.

    Examples
    --------
    >>> model_advice(ran=False)[:36]
    'Only best row match is chosen. Where'
    """
    what = "was tried" if ran else "is chosen"
    where = f" on {listed(list(releases))}" if releases else ""
    return (
        f"Only best row match {what}{where}. Where rows are made up or mostly swapped, a model "
        f"trained on the release can find what it misses: run “{ModelAttack.name}”, too."
    )
