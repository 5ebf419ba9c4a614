"""Options of several commands, and what they mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from alc_core.cli.parts.codes import ColumnOption, before_sign, behind, conditions
from alc_core.cli.parts.command import Decorator, together
from alc_core.cli.parts.linked import LINKED, originals
from alc_core.cli.parts.plugs import (
    DATES,
    SAME,
    parsed,
)
from alc_core.errors import InputError
from alc_core.phrasing import listed_name, name_and_values, split_names
from alc_core.scoring.parameters import SCORING_PARAMETERS

if TYPE_CHECKING:
    from alc_core.scenario.scenario import Targets, Tolerance
    from alc_core.scoring.parameters import LoopParameters, ScoringParameters
    from alc_core.scoring.verdict import Verdict
    from alc_core.tables.households import Household


ORIGINAL = click.option(
    "--original",
    required=True,
    multiple=True,
    callback=parsed(originals),
    type=click.Path(),
    metavar="[TABLE=]FILE",
    help=(
        "Original table: file, folder, quoted pattern ('parts/*.csv'), book.xlsx::Sheet1 or '-' "
        "(stdin). Linked tables: people=FILE, visits=FILE."
    ),
)
RELEASES = click.option(
    "--release",
    "releases",
    required=True,
    multiple=True,
    type=click.Path(),
    metavar="[NAME=]FILE",
    help=(
        "Released table; repeatable. Files of one NAME form one release. Linked tables: "
        "visits=FILE, or NAME/visits=FILE."
    ),
)
PUBLISHED = click.option(
    "--published",
    multiple=True,
    type=click.Path(),
    metavar="FILE",
    help="Earlier edition; repeatable, earliest first. Each release is the next.",
)
SEED = click.option(
    "--seed",
    type=click.IntRange(min=0),
    help="Random seed. [default: the campaign's, else 0]",
)
BASELINE_ROWS = click.option(
    "--baseline-rows",
    type=click.IntRange(min=100),
    help="Train baselines on at most N random rows. [default: 500000]",
)
QUIET = click.option("-q", "--quiet", is_flag=True, help="No progress or findings on stderr.")


def _household(text: str | None) -> Household:
    if not text:
        return None
    from alc_core.tables.households import household_of

    return household_of(split_names(text))


def _tolerances(texts: Sequence[str]) -> dict[str, Tolerance]:
    if not texts:
        return {}
    from alc_core.scenario.scenario import read_tolerances

    return read_tolerances(texts)


def column_option(*names: str, metavar: str = "COLUMNS", **options: Any) -> Decorator:
    """Return an option of comma-separated names, repeatable."""
    read = parsed(lambda texts: tuple(name for text in texts for name in split_names(text)))
    return click.option(
        *names, cls=ColumnOption, multiple=True, callback=read, metavar=metavar, **options
    )


KNOWN = column_option(
    "--known",
    required=True,
    help='Columns the attacker knows, such as age,sex. Quote a name with a comma: "a, b".',
)
UNKNOWN = click.option(
    "--unknown",
    cls=ColumnOption,
    callback=parsed(listed_name),
    required=True,
    metavar="COLUMN",
    help=(
        "Column to infer. Also 'job & income', 'diagnosis in C50|C51', 'income >= 50000' or 'mean "
        "cost per patient'."
    ),
)
ACCEPT = column_option(
    "--accept",
    reads=behind(":"),
    metavar="CODE:COLUMN",
    help="Accept what 'alc check' asks; CODE:TABLE:COLUMN for one table.",
)


_KINDS = {
    "continuous": "numbers with a distance",
    "categorical": "categories",
    "datetime": "points in time",
    "ignore": "absent",
}

# Reading of tables, and treatment of columns
table_options = together(
    *(
        column_option(f"--{kind}", help=f"Columns to treat as {words}, such as a,b.")
        for kind, words in _KINDS.items()
    ),
    *(
        column_option(
            f"--{part}-first",
            help=f"Columns whose dates have the {part} first, such as {example}.",
        )
        for part, example in (("day", "31/01/1985"), ("month", "01/31/1985"))
    ),
    DATES,
    click.option(
        "--person",
        cls=ColumnOption,
        metavar="COLUMN",
        help="Column that identifies a person.",
    ),
    click.option(
        "--household",
        cls=ColumnOption,
        metavar="COLUMNS",
        callback=parsed(_household),
        help="Column that identifies a household, or several.",
    ),
    click.option(
        "--delimiter",
        multiple=True,
        metavar="[TABLE=]MARK",
        help="Field delimiter. [default: detected]",
    ),
    click.option("--encoding", help="Text encoding. [default: detected]"),
    click.option(
        "--decimal",
        multiple=True,
        metavar="[TABLE=]MARK",
        help="Decimal mark. [default: detected]",
    ),
    click.option(
        "--thousands",
        multiple=True,
        metavar="[TABLE=]MARK",
        help="Thousands mark. [default: detected]",
    ),
    click.option("--sheet", help="Sheet or database table. [default: the only one]"),
    click.option(
        "--header-row",
        multiple=True,
        metavar="[TABLE=]ROW",
        help="Row with column names, such as 3, or 1-2 to join two. [default: detected]",
    ),
    click.option(
        "--skip-rows",
        multiple=True,
        metavar="[TABLE=]ROWS",
        help="Rows to skip, such as 2,3,-1 (the last); 'none' keeps all. [default: detected]",
    ),
    click.option(
        "--names",
        type=click.Path(exists=True, dir_okay=False),
        metavar="FILE",
        help="Codebook: column and label, or column, code and label. [default: the campaign's]",
    ),
    click.option(
        "--metadata",
        type=click.Path(exists=True, dir_okay=False),
        metavar="FILE",
        help="SDV metadata (JSON) for the original's kinds.",
    ),
    SAME,
    *LINKED,
    group="Tables and columns",
)


def scoring_options(usual: str = "") -> Decorator:
    """Return scoring options; `usual` is their default."""
    return together(
        *(
            click.option(
                f"--{parameter.name.replace('_', '-')}",
                parameter.name,
                type=click.Choice(parameter.choices) if parameter.choices else parameter.type,
                help=f"{parameter.help} [default: {usual or parameter.default}]",
            )
            for parameter in SCORING_PARAMETERS
        ),
        group="Scoring",
    )


_MISSING = (
    click.option(
        "--missing",
        cls=ColumnOption,
        reads=before_sign,
        multiple=True,
        metavar="COLUMN=VALUES",
        help="Values that mean 'missing', such as job=?,n/a; repeatable. [default: recognized; see "
        "'alc check']",
    ),
    click.option(
        "--include-missing", is_flag=True, help="Also attack people with a missing value."
    ),
)

missing_options = together(*_MISSING, group="Who is attacked")  # Say who has no value

# Who is attacked, and tolerance of answers
target_options = together(
    click.option(
        "--targets",
        metavar="N",
        help="Attack this many people, or 'all'. [default: as many as needed]",
    ),
    click.option(
        "--pretarget",
        cls=ColumnOption,
        reads=conditions,
        multiple=True,
        metavar="CONDITION",
        help="Attack only region=N,S, 'income >= quantile 0.99' or 'age in 20..25'; repeatable.",
    ),
    click.option(
        "--recall",
        type=click.Choice(["population", "group"]),
        default="population",
        show_default=True,
        help="Recall of selected people: of everyone or of the group.",
    ),
    click.option(
        "--down-sample/--no-down-sample",
        default=True,
        show_default=True,
        help="Half the attempts for a value in over half the rows.",
    ),
    *_MISSING,
    click.option(
        "--tolerance",
        cls=ColumnOption,
        multiple=True,
        callback=parsed(_tolerances),
        metavar="COLUMN=DISTANCE",
        help="Tolerance, such as income=2000 or income=10%; repeatable. [default: the same of 20 "
        "ranges]",
    ),
    group="Who is attacked",
)


def scoring_changes(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the scoring parameters that are given."""
    given = {parameter.name: options[parameter.name] for parameter in SCORING_PARAMETERS}
    return {name: value for name, value in given.items() if value is not None}


def scoring_of(
    options: Mapping[str, Any], before: ScoringParameters | None = None
) -> ScoringParameters:
    """Return scoring parameters, by default `before` or the usual ones."""
    from alc_core.scoring.parameters import ScoringParameters

    return replace(before or ScoringParameters(), **scoring_changes(options))


def loop_of(options: Mapping[str, Any], before: LoopParameters | None) -> LoopParameters | None:
    """Return the loop's parameters, by default `before`."""
    from alc_core.scoring.parameters import LoopParameters

    rows = options["baseline_rows"]
    return before if rows is None else replace(before or LoopParameters(), max_training_rows=rows)


def targets_of(options: Mapping[str, Any]) -> Targets:
    """Return who is attacked."""
    from alc_core.scenario.scenario import Targets, read_where

    wanted: Any = options["targets"]
    if wanted not in (None, "all"):
        try:
            wanted = int(str(wanted))
        except ValueError:
            raise InputError(f"--targets takes a whole number or 'all', not '{wanted}'.") from None
    return Targets(
        count=wanted,
        where=read_where(options["pretarget"]),
        recall=options["recall"],
        missing=missing_of(options),
    )


def missing_of(options: Mapping[str, Any]) -> dict[str, tuple[str, ...]] | None:
    """Return "no value" markers; None if people without a value are attacked."""
    if options["include_missing"]:
        if options["missing"]:
            raise InputError("--missing excludes people, --include-missing does not. Choose one.")
        return None
    found: dict[str, tuple[str, ...]] = {}
    for condition in options["missing"]:
        column, equals, values = name_and_values(condition)
        if not equals:
            raise InputError(f"--missing takes COLUMN=VALUES, not '{condition}'.")
        found[column.strip()] = (*found.get(column.strip(), ()), *split_names(values))
    return found


def accepted_of(options: Mapping[str, Any]) -> tuple[str, ...]:
    """Return answers to questions; "no value" markers are answers."""
    from alc_core.scenario.no_value import NO_VALUE

    named = missing_of(options) if "missing" in options else None
    return (*options.get("accept", ()), *(f"{NO_VALUE}:{column}" for column in named or ()))


def said_kinds(options: Mapping[str, Any]) -> dict[str, str]:
    """Return the kinds of columns that are given."""
    kinds: dict[str, str] = {}
    for kind in _KINDS:
        for column in options[kind]:
            if kinds.setdefault(column, kind) != kind:
                raise in_two_options(column, f"--{kinds[column]}", f"--{kind}")
    return kinds


def in_two_options(column: str, first: str, second: str) -> InputError:
    """Return the error that a column is in two options."""
    return InputError(f"Column '{column}' is in {first} and in {second}. Remove it from one.")


class _Limit(click.Choice[str]):
    """A verdict, also as files write it: "at risk"."""

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> Verdict:
        from alc_core.scoring.verdict import Verdict

        return Verdict(super().convert(value.replace(" ", "-"), param, ctx).replace("-", " "))


def fail_on(**more: Any) -> Decorator:
    """Return the option for the limit."""
    return click.option(
        "--fail-on", type=_Limit(("serious", "at-risk", "inconclusive")), metavar="LIMIT",
        help="Exit with code 1 at this verdict or worse; 3 if inconclusive, failed or not tested.",
        **more,
    )  # fmt: skip
