"""Demo data: real microdata from statsmodels, and releases swapped from it.

Number codes have their documented labels.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from alc_core.errors import InputError
from alc_core.parameter import check_name
from alc_core.releases.microdata import Microdata
from alc_core.releases.samples.perturbed import swap_columns
from alc_core.scenario.scenario import Scenario
from alc_core.tables.read import table_from_frame
from alc_core.tables.table import Table

SWAPPED_SHARES = (0.05, 0.2, 0.8)

_OCCUPATIONS = {
    1: "student",
    2: "farming or unskilled",
    3: "white-collar",
    4: "teacher, nurse, skilled",
    5: "managerial",
    6: "professional",
}
_EDUCATION = {
    9: "grade school",
    12: "high school",
    14: "some college",
    16: "college graduate",
    17: "some graduate school",
    20: "advanced degree",
}
_FAIR_LABELS = {
    "rate_marriage": {1: "very poor", 2: "poor", 3: "fair", 4: "good", 5: "very good"},
    "religious": {1: "not", 2: "mildly", 3: "fairly", 4: "strongly"},
    "educ": _EDUCATION,
    "occupation": _OCCUPATIONS,
    "occupation_husb": _OCCUPATIONS,
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Demo:
    """A real table, releases from it, and a scenario."""

    name: str  # Content and source
    title: str
    description: str
    source: str
    original: Table
    releases: Mapping[str, Microdata]  # Weakest anonymization first
    scenario: Scenario


def load_demo(name: str = "fair") -> Demo:
    """Load a demo.

    Parameters
    ----------
    name : {"fair", "randhie"}
        Data set of statsmodels.

    Returns
    -------
    Demo

    Raises
    ------
    ParameterError
        If there is no such demo.

    Examples
    --------
    >>> demo = load_demo("fair")
    >>> [*demo.releases][:2]
    ['5% swapped', '20% swapped']
    """
    check_name("demo", name, _DEMOS)
    return _DEMOS[name]()


def demo_file(table: str) -> str | None:
    """Return the file of a demo's table by :func:`write_demos`.

    >>> demo_file("fair"), demo_file("fair 5% swapped"), demo_file("people.csv")
    ('fair.csv', 'fair_swapped_5.csv', None)
    """
    for name in _DEMOS:
        if table == name:
            return f"{name}.csv"
        for share in SWAPPED_SHARES:
            if table == f"{name} {share:.0%} swapped":
                return f"{name}_swapped_{100 * share:.0f}.csv"
    return None


def write_demos(directory: Path, *, overwrite: bool = False) -> list[str]:
    """Write every demo's original and releases as CSV files."""
    files: dict[Path, pd.DataFrame] = {}
    lines: list[str] = []
    for name in _DEMOS:
        demo = load_demo(name)
        original = directory / str(demo_file(name))
        files[original] = demo.original.frame
        lines.append(f"{demo.title} ({demo.source})")
        for release in demo.releases.values():
            path = directory / str(demo_file(release.name))
            files[path] = release.tables[0].frame
            lines.append(
                f"  alc assess --original {original} --release {path} "
                f"--known {','.join(demo.scenario.known)} --unknown {demo.scenario.unknown}"
            )
    if not overwrite and (there := [path for path in files if path.exists()]):
        raise InputError(f"'{there[0]}' already exists. Overwrite it with --force.")
    directory.mkdir(parents=True, exist_ok=True)
    for path, frame in files.items():
        frame.to_csv(path, index=False)
    return [f"Wrote {len(files)} files to {directory}.", "Try:", *lines]


def _fair() -> Demo:
    from statsmodels.datasets import fair

    frame = fair.load_pandas().data
    for column, labels in _FAIR_LABELS.items():
        frame[column] = frame[column].astype(int).map(labels)
    return Demo(
        name="fair",
        title="Survey on marriage and extramarital affairs",
        description="A magazine's survey of 6,366 women in 1974.",
        source="R. Fair, A Theory of Extramarital Affairs, Journal of Political Economy 86, 1978; "
        "ships with statsmodels",
        original=table_from_frame(frame, name="fair"),
        releases=_swapped(frame, "fair"),
        scenario=Scenario(
            ["age", "yrs_married", "children", "educ", "occupation", "occupation_husb"],
            "religious",
        ),
    )


def _randhie() -> Demo:
    from statsmodels.datasets import randhie

    frame = randhie.load_pandas().data
    health = pd.Series("excellent", index=frame.index, dtype=object)
    for column, label in (("hlthg", "good"), ("hlthf", "fair"), ("hlthp", "poor")):
        health[frame[column] == 1] = label
    frame = frame.drop(columns=["hlthg", "hlthf", "hlthp"]).assign(
        self_rated_health=health, mdvis=frame["mdvis"].astype(int), idp=frame["idp"].astype(int)
    )
    return Demo(
        name="randhie",
        title="Health insurance experiment",
        description="20,190 yearly records (1974 to 1982), several per person, unlinked.",
        source=(
            "RAND Corporation; A. C. Cameron and P. K. Trivedi, Microeconometrics, 2005; ships "
            "with statsmodels, public domain"
        ),
        original=table_from_frame(frame, name="randhie"),
        releases=_swapped(frame, "randhie"),
        scenario=Scenario(
            ["lncoins", "idp", "lpi", "fmde", "physlm", "disea", "mdvis"], "self_rated_health"
        ),
    )


def _swapped(frame: pd.DataFrame, name: str) -> dict[str, Microdata]:
    releases = {}
    for share in SWAPPED_SHARES:
        swapped = swap_columns(frame, share, seed=1).sample(
            frac=1, random_state=1, ignore_index=True
        )
        table = table_from_frame(swapped, name=f"{name} {share:.0%} swapped")
        releases[f"{share:.0%} swapped"] = Microdata(tables=(table,), name=table.name)
    return releases


_DEMOS = {"fair": _fair, "randhie": _randhie}
DEMO_NAMES = tuple(_DEMOS)
