"""``alc gate``: whether the releases of a campaign pass a limit."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from alc_core.cli.parts.campaign_file import open_campaign
from alc_core.cli.parts.command import command
from alc_core.cli.parts.options import fail_on, scoring_of, scoring_options
from alc_core.cli.parts.printing import Outputs, echo, ended, out_option, write_out
from alc_core.errors import CampaignMismatchError, InputError
from alc_core.phrasing import listed
from alc_core.runtime.files import check_file

if TYPE_CHECKING:
    from alc_core.campaign.file.store import CampaignStore


@command()
@click.argument("file", type=click.Path(), metavar="FILE")
@fail_on(default="at-risk", show_default=True)
@click.option("--allow", multiple=True, metavar="COLUMN", help="Ignore attacks on this column.")
@click.option(
    "--allow-inconclusive",
    is_flag=True,
    help="Pass what is inconclusive, failed or not tested.",
)
@click.option(
    "--allow-decided",
    is_flag=True,
    help="Pass releases approved in FILE, unless they got worse.",
)
@click.option(
    "--data", multiple=True, metavar="TABLE", type=click.Path(exists=True, dir_okay=False),
    help="Require this original table or release; repeatable.",
)  # fmt: skip
@out_option("junit", "Write JUnit XML here.")
@out_option("json", "Write JSON here; '-' for stdout.")
@out_option("markdown", "Write a summary in Markdown here.")
@scoring_options("as in FILE")
def gate(file: str, **options: Any) -> int:
    """Pass or fail releases (for CI).

    The exit code is 0 if all pass; 1 if one reaches the limit, or contains original or traceable
    rows; 3 if one is inconclusive, failed or was not tested. GITHUB_STEP_SUMMARY may name a file
    for the summary.

    Example: alc gate review.alc --fail-on at-risk --junit gate.xml
    """
    return print_gate(file, **options)


def print_gate(file: Path | str, **options: Any) -> int:
    """Print and write the gate's result; return the exit code."""
    from alc_core.campaign.file.annotations import kept_names
    from alc_core.candidates import gate as candidates
    from alc_core.tables.names import column_named

    if options["fail_on"] == "inconclusive" and options.get("allow_inconclusive"):
        raise InputError("--fail-on inconclusive contradicts --allow-inconclusive. Remove one.")
    outputs = Outputs(options)
    outputs.remove_old()
    with open_campaign(file) as store:
        _check_data(store, options.get("data", ()))
        names = kept_names(store)
        found = candidates.gate(
            store,
            scoring_of(options, store.settings.scoring),
            fail_on=options["fail_on"],
            allow=[
                column_named(column, store.settings.kinds, names.codes)
                for column in options.get("allow", ())
            ],
            allow_inconclusive=options.get("allow_inconclusive", False),
            allow_decided=options.get("allow_decided", False),
        )
    outputs.write("junit", lambda: f"{found.junit()}\n")
    outputs.write("markdown", lambda: f"{found.markdown()}\n")
    outputs.write_json("gate", found.to_dict)
    if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
        write_out(summary, f"{found.markdown()}\n", append=True)
    if not outputs.on_stdout:
        echo(found.text())
    stopped = [
        f"{line.release}: {line.outcome} ({listed([str(each.cause) for each in line.grounds])})"
        for line in found.stopped
    ]
    return ended(found.exit_code, "; ".join(stopped))


def _check_data(store: CampaignStore, files: Sequence[str]) -> None:
    settings = store.settings
    tables = (settings.original, *(t for release in settings.releases.values() for t in release))
    known = {table.fingerprint for table in tables}
    for file in files:
        check_file(file)
        with Path(file).open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        if digest not in known:
            raise CampaignMismatchError(
                f"'{store.path}' has no table '{file}' with this content. Run it again."
            )
