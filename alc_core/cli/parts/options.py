"""Options of several commands, and what they make."""

from __future__ import annotations

import glob
import itertools
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from alc_core.cli.parts.codes import ColumnOption, before_sign, behind, conditions, take_codes
from alc_core.cli.parts.linked import LINKED, originals, read_linked, read_original_tables
from alc_core.cli.parts.plugs import (
    DATES,
    SAME,
    parsed,
    release_kinds,
    said_columns,
    said_dates,
)
from alc_core.cli.parts.printing import ReadingPrinter, echo
from alc_core.cli.parts.settings_file import FILE, settings_of
from alc_core.errors import InputError, TableReadError
from alc_core.phrasing import listed, listed_name, name_and_values, quoted, split_names
from alc_core.scoring.parameters import SCORING_PARAMETERS

if TYPE_CHECKING:
    from alc_core.releases.release import Release
    from alc_core.scenario.scenario import Targets, Tolerance
    from alc_core.scoring.parameters import LoopParameters, ScoringParameters
    from alc_core.scoring.verdict import Verdict
    from alc_core.tables.formats.source import Purpose
    from alc_core.tables.households import Household
    from alc_core.tables.names import Names
    from alc_core.tables.table import Table

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
MOST_OF_STDIN = 512 * 2**20  # Bytes

ORIGINAL = click.option(
    "--original",
    required=True,
    multiple=True,
    callback=parsed(originals),
    type=click.Path(),
    metavar="[TABLE=]FILE",
    help=(
        "Original table: file, folder, quoted pattern ('parts/*.csv'), book.xlsx::Sheet1 or '-' "
        "(stdin). Linked tables: people=FILE, and again visits=FILE."
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


def _show_all(ctx: click.Context, _option: object, value: bool) -> None:
    if value:
        ctx.meta[_ALL] = True
        click.echo(ctx.get_help())
        ctx.exit()


_ALL = "alc_core.help_all"
_HELP_ALL = click.Option(
    ["--help-all"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_all,
    help="Show all options.",
)


class Grouped(click.Command):
    """A command whose help shows the usual options; all with --help-all."""

    def __init__(self, *args: Any, usual: str = "", **options: Any) -> None:
        super().__init__(*args, **options)
        self._usual = usual.split()
        self.params.append(_HELP_ALL)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read options, those of the settings file where they are not given."""
        if ctx.resilient_parsing:
            return super().parse_args(ctx, args)
        ctx.default_map = settings_of(ctx)
        every = [*args]  # The parser empties its list
        try:
            rest = super().parse_args(ctx, args)
        except click.MissingParameter as error:
            given, _, _ = self.make_parser(ctx).parse_args(every)
            known = {*given, *ctx.default_map}
            missing = [p.opts[-1] for p in self.params if p.required and p.name not in known]
            if len(missing) < 2:
                raise
            raise click.UsageError(f"Missing options {quoted(missing)}.", ctx) from error
        except click.BadParameter as error:
            if error.param and _is_from_file(ctx, error.param):
                said = f"{error.message} It is from '{FILE}'."
                raise click.BadParameter(said, ctx, error.param) from error
            raise
        used = [param.opts[-1] for param in self.params if _is_from_file(ctx, param)]
        if used and not ctx.params.get("quiet"):
            echo(f"From '{FILE}': {listed(used)}.", err=True)
        return rest

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a section per group, in order."""
        options = [each for each in self.get_params(ctx) if isinstance(each, click.Option)]
        groups: dict[str, list[tuple[str, str]]] = {}
        for option in options if ctx.meta.get(_ALL) else self._shown(options):
            if (record := option.get_help_record(ctx)) is None:
                continue
            if ctx.meta.get(_ALL):
                groups.setdefault(getattr(option, "group", "Options"), []).append(record)
            else:
                short = _plain(record[0]), _first_sentence(record[1])
                groups.setdefault("Options", []).append(short)
        for group, records in groups.items():
            with formatter.section(group):
                formatter.write_dl(records)

    def _shown(self, options: Sequence[click.Option]) -> list[click.Option]:
        names = {option.opts[-1].strip("-"): option for option in options}
        usual = (
            self._usual
            or [
                name
                for name, option in names.items()
                if getattr(option, "group", "Options") == "Options" and name not in _RARE
            ][:_MOST_SHOWN]
        )
        return [names[name] for name in [*usual, "help-all"]]


def _is_from_file(ctx: click.Context, param: click.Parameter) -> bool:
    return ctx.get_parameter_source(param.name or "") is ParameterSource.DEFAULT_MAP


_RARE = ("release-type", "plugin", "help", "help-all")
_MOST_SHOWN = 10


def _plain(name: str) -> str:
    return name.replace("INTEGER RANGE", "N").partition("[:")[0].partition(": ")[0]


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=[^.]{2})[.;:](?: |$)|  ?\[", text, maxsplit=1)[0] + "."


command = partial(click.command, cls=Grouped)


def together(*options: Decorator, group: str = "Options") -> Decorator:
    """Return a decorator that adds options in order, as a help group."""

    def decorate(run: Any) -> Callable[..., Any]:
        before = len(getattr(run, "__click_params__", ()))
        for option in reversed(options):
            run = option(run)
        for param in run.__click_params__[before:]:
            vars(param).setdefault("group", group)
        return run  # type: ignore[no-any-return]

    return decorate


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


def read_original(options: dict[str, Any]) -> Table:
    """Read the original with given kinds; options then use its names."""
    from alc_core.tables.labels.date_readings import with_date_readings

    original = read_original_tables(
        options, lambda file: read_table_file(options, file, "original")
    )
    if isinstance(original, dict):
        review, kinds = read_linked(
            options, original, lambda file: read_table_file(options, file), _said_kinds(options)
        )
        options["linked"] = review.releases
        if not options.get("quiet"):
            for side in review.sides:
                click.echo(f"Keys of {side.name}: {side.described()}", err=True)
        take_codes(options, review.original)
        return review.original.with_kinds(kinds)
    if options["keys"] or options["known_rows"] or options["rarest_rows"]:
        raise InputError(
            "--key, --known-rows and --rarest-rows need linked tables: --original people=FILE "
            "--original visits=FILE."
        )
    project = original.project
    if project is not None and project.household and not options.get("household"):
        options["household"] = project.household
    take_codes(options, original)
    original = with_date_readings(original, readings := said_dates(options))
    original.require(*readings)
    if options["metadata"]:
        from alc_core.tables.apart.read import with_metadata

        original = with_metadata(original, options["metadata"])
    return original.with_kinds(_said_kinds(options))


def _said_kinds(options: Mapping[str, Any]) -> dict[str, str]:
    kinds: dict[str, str] = {}
    for kind in _KINDS:
        for column in options[kind]:
            if kinds.setdefault(column, kind) != kind:
                raise in_two_options(column, f"--{kinds[column]}", f"--{kind}")
    return kinds


def in_two_options(column: str, first: str, second: str) -> InputError:
    """Return the error that a column is in two options."""
    return InputError(f"Column '{column}' is in {first} and in {second}. Remove it from one.")


def read_releases(options: Mapping[str, Any], original: Table) -> dict[str, Release]:
    """Read releases by name, in order; equal names are one release."""
    from alc_core.releases.registry import read_release, tables_with_same_columns
    from alc_core.tables.labels.date_readings import with_date_readings, with_read_dates

    if "linked" in options:
        if options.get("published"):
            raise InputError("Linked tables cannot be compared with --published ones. Remove it.")
        return dict(options["linked"])
    given = _given_files(options["releases"])
    names = _names_of(given)
    earlier = options.get("published", ())
    files = [("", file) for file in earlier] + [
        (name, file) for name, (_, file) in zip(names, given, strict=True)
    ]
    parts = [(name, table) for name, file in files for table in _read_release_tables(options, file)]
    tables = tables_with_same_columns(
        original,
        [table for _, table in parts],
        said_columns(options, original),
        names=[{name, table.name} for name, table in parts],
    )
    readings = said_dates(options)
    read = [
        with_read_dates(original, with_date_readings(table, readings, original=original))
        for table in tables
    ]
    own: dict[str, list[Table]] = {}
    for (name, _), table in zip(parts, read, strict=True):
        own.setdefault(name, []).append(table)
    earlier = own.pop("", [])
    alone = [name for name, (said, _) in zip(names, given, strict=True) if not said]
    _refuse_parts(original, [*itertools.chain.from_iterable(own[name] for name in alone)])
    _ask_about_joins(options, original, own)
    kinds = release_kinds(options, [*own])
    if earlier:
        own, kinds = _next_editions(options, own, earlier)
    return {
        name: read_release(each, name=name, original=original, kind=kind)
        for (name, each), kind in zip(own.items(), kinds, strict=True)
    }


def _next_editions(
    options: Mapping[str, Any], own: Mapping[str, list[Table]], published: Sequence[Table]
) -> tuple[dict[str, list[Table]], list[str]]:
    """Return each release's tables behind published ones, and its kind."""
    from alc_core.releases.series import NewEdition

    if several := [name for name, tables in own.items() if len(tables) > 1]:
        raise InputError(
            f"'{several[0]}' has several tables, but --published takes one in each release. Name "
            "each file."
        )
    if options["release_type"]:
        raise InputError("--published says what the release is. Remove --release-type.")
    return {name: [*published, *new] for name, new in own.items()}, [NewEdition.kind] * len(own)


def _read_release_tables(options: Mapping[str, Any], file: str) -> list[Table]:
    """Read a file's table, or tables of one release."""
    from alc_core.tables.formats.source import PART

    try:
        return [read_table_file(options, file, "release")]
    except TableReadError as error:
        if not error.together:
            raise
        return [read_table_file(options, f"{file}{PART}{each}") for each in error.tables]


def _given_files(texts: Sequence[str]) -> list[tuple[str, str]]:
    given: list[tuple[str, str]] = []
    for text in texts:
        name, equals, file = text.partition("=")
        if not equals or Path(text).exists() or glob.glob(text):  # noqa: PTH207 - as it is read
            given.append(("", text))
        elif name.strip() and file:
            given.append((name.strip(), file))
        else:
            raise InputError(f"--release takes FILE or NAME=FILE, not '{text}'.")
    return given


def _names_of(given: Sequence[tuple[str, str]]) -> list[str]:
    """Return each file's release name: given, or like the file."""
    from alc_core.tables.names import plain_names

    plain = plain_names([_file_name(file) for name, file in given if not name])
    if twice := {name for name, _ in given}.intersection(plain):
        raise InputError(f"Two releases are called '{min(twice)}', one after its file. Name that.")
    taken: set[str] = set()
    alone = iter([_free(name, taken) for name in plain])
    return [name or next(alone) for name, _ in given]


def _refuse_parts(original: Table, tables: Sequence[Table]) -> None:
    """Refuse unnamed files that look like tables of one release."""
    from alc_core.releases.registry import recognise

    for found in recognise(original, tables) if len(tables) > 1 else ():
        if len(found.tables) > 1:
            raise InputError(
                f"{found.reason} For one release, name all files alike, such as --release "
                f"{found.kind}=FILE, with --release-type {found.kind}. Otherwise name each."
            )


def _ask_about_joins(
    options: Mapping[str, Any], original: Table, releases: Mapping[str, Sequence[Table]]
) -> None:
    """Refuse releases joined by a key, unless answered."""
    from alc_core.tables.checks.links import check_joins

    accepted = {text.partition(":")[0] for text in options.get("accept", ("joined-tables",))}
    if "joined-tables" in accepted:
        return
    for pair in itertools.combinations(releases.values(), 2):
        tables = tuple(table for of_release in pair for table in of_release)
        of = {table.name: number for number, tables in enumerate(pair) for table in tables}
        for found in check_joins(original, tables, options["person"]):
            other = found.facts["other"]
            if of[found.table] != of[other]:
                raise InputError(
                    f"'{found.table}' and '{other}' share '{found.column}', which joins a "
                    "person's rows. Name linked tables: --original people=FILE --original "
                    "visits=FILE --release people=FILE --release visits=FILE. If separate, "
                    f"--accept {found.code}."
                )


def _file_name(path: str) -> str:
    from alc_core.tables.formats.recognise import located

    label = "stdin" if path == "-" else located(path, None)[0]
    is_pattern = glob.has_magic(label) and not Path(path).exists()
    return (is_pattern and Path(path).parent.name) or label


def _free(name: str, taken: set[str]) -> str:
    numbered = (f"{name} ({number})" for number in itertools.count(2))
    free = next(each for each in itertools.chain([name], numbered) if each not in taken)
    taken.add(free)
    return free


def read_holdout(options: Mapping[str, Any], original: Table) -> Table:
    """Read the holdout with given date readings."""
    from alc_core.tables.labels.date_readings import with_date_readings

    table = read_table_file(options, options["holdout"])
    return with_date_readings(table, said_dates(options), original=original)


# Options that take [TABLE=]VALUE
_OF_TABLES = ("delimiter", "decimal", "thousands", "header_row", "skip_rows")


def _of_table(name: str, texts: Sequence[str]) -> str | None:
    """Return the last text for a table, or for all."""
    said: dict[str, str] = {}
    for text in texts:
        table, _, value = text.rpartition("=")
        said[table if value else ""] = value or text
    return said.get(name, said.get(""))


def read_table_file(options: Mapping[str, Any], path: str, purpose: Purpose | None = None) -> Table:
    """Read a file in its own process, reporting if slow."""
    from alc_core.tables.apart.read import read_table
    from alc_core.tables.formats.recognise import located
    from alc_core.tables.names import with_names

    label = "stdin" if path == "-" else located(path, None)[0]
    how = {key: options[key] for key in ("encoding", "sheet")} | {"purpose": purpose}
    how |= {key: _of_table(label, options[key]) for key in _OF_TABLES}
    waiting = None if options.get("quiet") else ReadingPrinter(Path(path).name)
    if path == "-":
        original = options["original"]
        own = original.values() if isinstance(original, dict) else (original,)
        given = (*own, options.get("holdout"), *options.get("releases", ()))
        if sum((text or "").rpartition("=")[2] == "-" for text in given) > 1:
            raise InputError("Two tables are '-' (stdin). Name a file for one.")
        data = sys.stdin.buffer.read(MOST_OF_STDIN + 1)
        if len(data) > MOST_OF_STDIN:
            raise InputError("Standard input exceeds 512 MiB. Save it as a file.")
        table = read_table(data, name="stdin", **how, waiting=waiting)
    else:
        table = read_table(path, **how, waiting=waiting)
    return with_names(table, _names(options["names"])) if options.get("names") else table


@cache
def _names(path: str) -> Names:
    from alc_core.tables.apart.read import read_codebook

    return read_codebook(path)


class _Limit(click.Choice[str]):
    """A verdict, also as files write it: "at risk"."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return super().convert(value.replace(" ", "-"), param, ctx)


def fail_on(**more: Any) -> Decorator:
    """Return the option for the limit."""
    return click.option(
        "--fail-on", type=_Limit(("serious", "at-risk", "inconclusive")), metavar="LIMIT",
        help="Exit with code 1 at this verdict or worse; 3 if inconclusive, failed or not tested.",
        **more,
    )  # fmt: skip


def limit_of(chosen: str) -> Verdict:
    """Return the verdict that an option's value means."""
    from alc_core.scoring.verdict import Verdict

    return Verdict(chosen.replace("-", " "))
