"""The ``alc`` command: reads arguments, calls the package, prints."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from alc_core.cli.campaign import campaign, findings, plan
from alc_core.cli.others import dashboard, demo
from alc_core.cli.report import report
from alc_core.cli.single import assess, check
from alc_core.cli.utility import utility
from alc_core.errors import AlcError
from alc_core.version import __version__

__all__ = ["cli", "main"]


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="alc")
def cli() -> None:
    """Measure what a release tells an attacker about people that could not be learned anyway."""


for _command in (assess, check, plan, campaign, findings, report, demo, dashboard, utility):
    cli.add_command(_command)


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
