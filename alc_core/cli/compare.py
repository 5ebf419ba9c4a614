"""``alc compare``: what got worse between two campaigns."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import click

from alc_core.cli.parts.campaign_file import open_campaign
from alc_core.cli.parts.command import command
from alc_core.cli.parts.options import scoring_of, scoring_options
from alc_core.cli.parts.printing import Outputs, echo, ended, out_option


@command()
@click.argument("old", type=click.Path(), metavar="OLD")
@click.argument("new", type=click.Path(), metavar="NEW")
@out_option("json", "Write JSON here; '-' for stdout.")
@scoring_options("as in NEW")
def compare(old: str, new: str, **options: Any) -> int:
    """Compare two campaigns.

    A change counts only if intervals do not overlap. The exit code is 0 if nothing got worse, 1 if
    something did, 3 if an attack has no result in OLD or NEW. Both use NEW's scoring.

    Example: alc compare last-year.alc this-year.alc
    """
    from alc_core.compare.campaigns import compare_campaigns

    outputs = Outputs(options)
    with ExitStack() as stack:
        before, after = (stack.enter_context(open_campaign(file)) for file in (old, new))
        scoring = scoring_of(options, after.settings.scoring)
        found = compare_campaigns(before, after, scoring)
    outputs.write_json("compare", lambda: found)
    if not outputs.on_stdout:
        echo(found.text())
    return ended(found.exit_code, found.why)
