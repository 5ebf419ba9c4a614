"""The ``alc`` command: reads arguments, calls the package, prints."""

from __future__ import annotations

import csv
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from alc_core.errors import AlcError, InputError
from alc_core.version import __version__

_ORIGINAL = click.option(
    "--original", required=True, metavar="FILE", help="The table of real people."
)
_RELEASE = click.option(
    "--release",
    "releases",
    required=True,
    multiple=True,
    metavar="FILE",
    help="What is published. Repeat it for several tables of one release.",
)


def _names(text: str) -> tuple[str, ...]:
    """Split comma-separated names; a name with a comma is put in double quotes."""
    names = next(csv.reader([text], skipinitialspace=True), [])
    return tuple(name.strip() for name in names if name.strip())


def _split(
    context: click.Context,  # noqa: ARG001
    parameter: click.Parameter,  # noqa: ARG001
    value: tuple[str, ...],
) -> tuple[str, ...]:
    return tuple(name for text in value for name in _names(text))


def _columns(*names: str, metavar: str = "COLUMNS", **options: Any) -> Callable[..., Any]:
    """Return an option that takes comma-separated names and may be repeated."""
    return click.option(*names, multiple=True, callback=_split, metavar=metavar, **options)


def _table_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say how to read tables and take their columns."""
    options = [
        *(
            _columns(
                f"--{kind}",
                help=f"Columns to take as {words}, whatever they look like; such as a,b.",
            )
            for kind, words in (
                ("continuous", "numbers with a distance"),
                ("categorical", "categories"),
                ("datetime", "points in time"),
                ("ignore", "not there"),
            )
        ),
        click.option("--id", "person", metavar="COLUMN", help="Column naming the person."),
        click.option(
            "--household", metavar="COLUMN", help="Column naming people who depend on each other."
        ),
        click.option("--delimiter", help="Field delimiter of text files, if not found out."),
        click.option("--encoding", help="Encoding of text files, if not found out."),
        click.option(
            "--decimal", type=click.Choice([".", ","]), help="Decimal mark of text files."
        ),
        click.option("--sheet", help="Sheet of Excel files, by default the first."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="alc")
def cli() -> None:
    """Measure what a release tells an attacker about people that could not be learned anyway."""


@cli.command()
@_ORIGINAL
@_RELEASE
@_columns(
    "--known",
    required=True,
    help='What the attacker knows, such as age,sex; a name with a comma as "a, b".',
)
@click.option(
    "--unknown", required=True, metavar="COLUMN", help="What the attacker wants to learn."
)
@_table_options
@click.option(
    "--alpha", type=float, default=3.0, show_default=True, help="How little low recall counts."
)
@click.option(
    "--r-min",
    type=float,
    default=1e-4,
    show_default=True,
    help="Recall at which precision stops counting.",
)
@click.option("--confidence", type=float, default=0.95, show_default=True, help="Of all intervals.")
@click.option(
    "--max-interval-width",
    type=float,
    default=0.1,
    show_default=True,
    help="Widest precision interval that counts.",
)
@click.option("--at-risk", type=float, default=0.5, show_default=True, help="ALC to examine.")
@click.option("--serious", type=float, default=0.75, show_default=True, help="ALC of serious loss.")
@click.option(
    "--loss",
    type=click.Choice(["relative", "absolute"]),
    default="relative",
    show_default=True,
    help="ALC as a share of what was left to learn, or as a difference.",
)
@click.option(
    "--targets", metavar="N", help="Attack this many people, or 'all'. [default: as many as needed]"
)
@click.option(
    "--pretarget",
    multiple=True,
    metavar="COLUMN=VALUES",
    help="Attack only people with one of these values. Repeat it for further conditions.",
)
@click.option(
    "--recall",
    type=click.Choice(["population", "group"]),
    default="population",
    show_default=True,
    help="What recall of pre-targeted people is relative to.",
)
@click.option(
    "--down-sample/--no-down-sample",
    default=True,
    show_default=True,
    help="Take a value that is in over half of the rows in half of the attempts.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Same seed, same result.",
)
@_columns(
    "--accept",
    metavar="CODES",
    help="Codes of questions of the check that you answer: it is as it should be.",
)
@click.option("--json", "json_out", metavar="OUT", help="Write the result here; '-' for stdout.")
@click.option("--csv", "csv_out", metavar="OUT", help="Write both curves here.")
@click.option("--quiet", is_flag=True, help="No progress and no findings on stderr.")
def assess(**options: Any) -> None:
    """Attack a release and compare the attack with its baseline.

    Example: alc assess --original people.csv --release published.csv --known age,sex --unknown job
    """
    from alc_core.assess import assess as run
    from alc_core.report import measures_csv, summary_text

    for out in (options["json_out"], options["csv_out"]):
        _check_writable(out)
    scenario, scoring = _scenario(options), _scoring(options)
    original, release = _read_tables(options)
    quiet = options["quiet"]
    result = run(
        original,
        release,
        scenario,
        scoring=scoring,
        seed=options["seed"],
        accept=options["accept"],
        tell=None if quiet else _print_findings,
        progress=None if quiet else _ProgressPrinter(),
    )
    if options["csv_out"]:
        Path(options["csv_out"]).write_text(measures_csv(result), encoding="utf-8")
    if options["json_out"] == "-":
        click.echo(result.to_json(indent=1))
        return
    if options["json_out"]:
        Path(options["json_out"]).write_text(result.to_json(indent=1), encoding="utf-8")
    click.echo(summary_text(result))


@cli.command()
@_ORIGINAL
@_RELEASE
@_columns("--known", help="What the attacker would know.")
@click.option("--unknown", metavar="COLUMN", help="What the attacker would want to learn.")
@_table_options
def check(**options: Any) -> None:
    """Check original against release without attacking it; exit 1 if something must be answered."""
    from alc_core.tables import check_tables

    original, release = _read_tables(options)
    findings = check_tables(
        original,
        release.tables,
        known=options["known"] or None,
        unknown=options["unknown"],
        person=options["person"],
        household=options["household"],
    )
    for table in (original, *release.tables):
        click.echo(f"{table.name}: {len(table)} rows, {len(table.columns)} columns")
        for note in table.notes:
            click.echo(f"  {note}")
    for finding in findings:
        click.echo(_finding_line(finding))
    if not findings:
        click.echo("Nothing to mend.")
    if any(finding.blocking for finding in findings):
        raise click.exceptions.Exit(1)


@cli.command()
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Overwrite files that are there.")
def demo(directory: Path, *, force: bool) -> None:
    """Write the demo originals and releases into DIRECTORY as CSV files."""
    from alc_core.demo import write_demos

    for line in write_demos(directory, overwrite=force):
        click.echo(line)


@cli.command()
@click.option("--port", type=click.IntRange(1, 65535), help="[default: the first free from 8501]")
@click.option("--browser/--no-browser", default=True, help="Open a browser window.")
def dashboard(port: int | None, *, browser: bool) -> None:
    """Start the dashboard on this machine."""
    from alc_core.dashboard.launch import run_dashboard

    run_dashboard(port=port, open_browser=browser)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command; bad input ends with exit code 2 and one line on stderr."""
    try:
        code = cli.main(args=arguments, prog_name="alc", standalone_mode=False)
    except click.ClickException as error:
        _fail(error.format_message())
    except AlcError as error:
        _fail(str(error))
    except (click.Abort, KeyboardInterrupt):
        click.echo("Stopped.", err=True)
        sys.exit(130)
    sys.exit(code if isinstance(code, int) else 0)


def _fail(message: str) -> None:
    click.echo(f"Error: {' '.join(message.split())}", err=True)
    sys.exit(2)


def _read_tables(options: dict[str, Any]) -> tuple[Any, Any]:
    from alc_core.release import Microdata
    from alc_core.tables import ColumnKind, read_table

    reading = {key: options[key] for key in ("delimiter", "encoding", "decimal", "sheet")}
    kinds = {
        column: kind
        for kind in (
            ColumnKind.CONTINUOUS,
            ColumnKind.CATEGORICAL,
            ColumnKind.DATETIME,
            ColumnKind.IGNORE,
        )
        for column in options[str(kind)]
    }
    original = read_table(options["original"], **reading).with_kinds(kinds)
    tables = tuple(read_table(path, **reading) for path in options["releases"])
    return original, Microdata(tables=tables, name=" + ".join(table.name for table in tables))


def _scenario(options: dict[str, Any]) -> Any:
    from alc_core.scenario import Scenario, Targets

    wanted: int | str | None = options["targets"]
    if wanted not in (None, "all"):
        try:
            wanted = int(str(wanted))
        except ValueError:
            raise InputError(f"--targets takes a whole number or 'all', not '{wanted}'.") from None
    where: dict[str, tuple[str, ...]] = {}
    for condition in options["pretarget"]:
        column, equals, values = condition.partition("=")
        if not equals:
            raise InputError(f"--pretarget takes COLUMN=VALUE, not '{condition}'.")
        where[column.strip()] = _names(values)
    return Scenario(
        options["known"],
        options["unknown"],
        targets=Targets(count=wanted, where=where, recall=options["recall"]),  # type: ignore[arg-type]
        down_sample=options["down_sample"],
        person=options["person"],
        household=options["household"],
    )


def _scoring(options: dict[str, Any]) -> Any:
    from dataclasses import fields

    from alc_core.parameters import ScoringParameters

    return ScoringParameters(**{f.name: options[f.name] for f in fields(ScoringParameters)})


def _check_writable(out: str | None) -> None:
    """Refuse an output that cannot be written before anything runs."""
    if out in (None, "-"):
        return
    path = Path(str(out))
    if path.is_dir():
        raise InputError(f"'{out}' is a directory. Name a file to write.")
    if not path.parent.is_dir():
        raise InputError(f"The directory of '{out}' does not exist. Make it, or name another.")


def _finding_line(finding: Any) -> str:
    text = f"{finding.severity} [{finding.code}] {finding.place}: {finding.message}"
    return f"{text} {finding.action}".rstrip()


def _print_findings(findings: Sequence[Any]) -> None:
    for finding in findings:
        if not finding.blocking:
            click.echo(_finding_line(finding), err=True)


class _ProgressPrinter:
    """Prints a line on stderr when the stage changes, and at most one a second within it."""

    def __init__(self) -> None:
        self._stage = ""
        self._printed = 0.0

    def __call__(self, progress: Any) -> None:
        now = time.monotonic()
        if progress.stage == self._stage and now < self._printed + 1:
            return
        self._stage, self._printed = progress.stage, now
        amount = f": {progress.done} of at most {progress.total} targets" if progress.done else ""
        click.echo(f"{progress.stage}{amount}", err=True)
