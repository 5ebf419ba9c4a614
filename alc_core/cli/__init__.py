"""The ``alc`` command.

Each command is a module of its name, imported when used.
"""

from __future__ import annotations

import re
import signal
import sys
import threading
import traceback
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from typing import Any

import click

from alc_core.cli.parts.plugs import with_plugins
from alc_core.cli.parts.printing import echo, options_of
from alc_core.errors import AlcError, InputError, NothingToAttackError, PreflightError
from alc_core.phrasing import error_line
from alc_core.version import __version__

__all__ = ["COMMANDS", "cli", "main"]

# Commands by group, with their texts in ``alc --help``
GROUPS = {
    "Assess and review": {
        "check": "Check the tables for problems first.",
        "assess": "Attack a release and report the anonymity loss.",
        "plan": "List the attacks a campaign would run.",
        "campaign": "Run many attacks on one or more releases.",
        "findings": "Show the results of a campaign.",
        "compare": "Compare two campaigns.",
        "report": "Write the report as HTML or PDF.",
        "gate": "Pass or fail releases (for CI).",
    },
    "Studies of a release as a whole": {
        "holdout": "Attack people not in the data.",
        "improve": "Search for changes that lower risk.",
        "rapid": "Measure RAPID: confident predictions.",
        "risk": "Compute k-anonymity and related measures.",
        "threat": "Compare attacker with learner.",
        "utility": "Measure the utility of releases.",
        "study": "Run a study of a whole release.",
    },
    "Dashboard, server and the rest": {
        "dashboard": "Start the dashboard.",
        "audit": "Verify the audit log of a team server.",
        "demo": "Write the demo tables to a directory.",
        "attacks": "List the available attacks and parameters.",
        "schema": "Print the JSON Schema of a command's output.",
    },
}
COMMANDS = {name: does for commands in GROUPS.values() for name, does in commands.items()}
# Studies with their own command
SHORT = {
    "holdout": "holdout",
    "improve": "remedies",
    "rapid": "rapid",
    "risk": "risk-numbers",
    "threat": "relative-threat",
    "utility": "utility",
}


_NOBODY_READS = 141  # What shells give for SIGPIPE


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        if cmd_name in SHORT:
            made = import_module("alc_core.cli.study").study_command
            return with_plugins(made(SHORT[cmd_name], cmd_name, COMMANDS[cmd_name]))
        return with_plugins(getattr(import_module(f"alc_core.cli.{cmd_name}"), cmd_name))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        for group, commands in GROUPS.items():
            with formatter.section(group):
                formatter.write_dl(list(commands.items()))


@click.group(
    cls=_Commands,
    epilog=(
        "'alc.toml' in the working directory sets options. Precedence: command line, the "
        "command's table, other keys, the review's file, defaults."
    ),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="alc")
def cli() -> None:
    """Measure what a release reveals about people that could not be learned without it."""


cli.commands = dict.fromkeys(COMMANDS, cli)  # For suggestions only: each is imported when used


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command; bad input ends with exit code 2 and one line on stderr.

    Exit code 1: a gate found a release at the limit, or a check a question or what stops a release;
    3: a gate has no clear result, or nothing could be attacked; 4: the program or a plug-in failed.
    Polite signals end it like Ctrl+C, with 128 and the signal's number.
    """
    stopped_by = [signal.SIGINT]

    def stop(number: int, _: object) -> None:
        stopped_by[0] = signal.Signals(number)
        raise KeyboardInterrupt

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name) and threading.current_thread() is threading.main_thread():
            signal.signal(getattr(signal, name), stop)
    try:
        code = cli.main(args=arguments, prog_name="alc", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        echo(error.format_message(), err=True)
        sys.exit(2)
    except (click.ClickException, AlcError) as error:
        _fail(error)
    except SystemExit as end:  # click's 1 if nobody reads on; a gate uses it differently
        sys.exit(_NOBODY_READS if end.code == 1 else end.code)
    except (click.Abort, KeyboardInterrupt):
        echo("Stopped.", err=True)
        sys.exit(128 + stopped_by[0])
    except Exception as error:  # noqa: BLE001 - 1 would say that a release is at the limit
        if isinstance(error, OSError) and isinstance(error.filename, str):
            _fail(
                InputError(f"'{error.filename}' cannot be used: {error.strerror}. Check the path.")
            )
        _tell_fault(error)
        sys.exit(4)
    sys.exit(code if isinstance(code, int) else 0)


def _tell_fault(error: Exception) -> None:
    from alc_core.runtime.plugins import place_in_plugin

    what = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(".")
    place = place_in_plugin(error)
    said = (
        f"{place}, raised {what}. Fix the plug-in there."
        if place
        else f"{what}. This is a bug. Report the traceback without your data."
    )
    traced = "".join(traceback.format_exception(error)).rstrip()
    echo(f"{error_line(f'Error: {said}')}\n\n{traced}", err=True)


def _fail(error: click.ClickException | AlcError) -> None:
    message = _message(error) if isinstance(error, click.ClickException) else str(error)
    lines = [f"Error: {message}"]
    if isinstance(error, PreflightError):  # a line per question
        use = options_of(_answers(error.findings)) or _option(error.findings)
        lines = [*lines[0].split("\n"), *([f"Use: {use}"] if use else [])]
    echo("\n".join(map(error_line, lines)), err=True)
    sys.exit(3 if isinstance(error, NothingToAttackError) else 2)


def _message(error: click.ClickException) -> str:
    """Return click's message in plain words; of similar options the nearest first."""
    if isinstance(error, click.NoSuchOption) and error.possibilities:
        nearest = " or ".join(map(repr, error.possibilities))
        return f"{error.message.rstrip('.')}. Did you mean {nearest}?"
    said = re.sub(
        r"(\S+) is not in the range (?:(\d+)<=x<=|x>=)(\d+)",
        lambda of: f"must be {f'{of[2]} to {of[3]}' if of[2] else f'{of[3]} or more'}, not {of[1]}",
        error.format_message(),
    )
    return re.sub(
        r"a valid (integer|float)( range)?",
        lambda kind: "a whole number" if kind[1] == "integer" else "a number",
        said,
    )


def _answers(findings: Iterable[Any]) -> Iterator[tuple[str, str]]:
    for finding in findings:
        for offer in finding.offers:
            yield offer.option, offer.value_for(finding.table)


def _option(findings: Iterable[Any]) -> str:
    """Return the first finding's option: the error tells what to do about it."""
    return next((found.sentence.option for found in findings), "")
