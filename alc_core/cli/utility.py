"""``alc utility``: how useful releases still are."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from alc_core.cli.parts.campaign_file import as_attacked, columns_as_attacked, open_campaign
from alc_core.cli.parts.options import (
    ORIGINAL,
    QUIET,
    RELEASES,
    SEED,
    check_writable,
    column_option,
    read_original,
    read_releases,
    table_options,
)
from alc_core.cli.parts.plugs import RELEASE_TYPE
from alc_core.cli.parts.printing import StagePrinter, echo
from alc_core.errors import InputError

if TYPE_CHECKING:
    from alc_core.campaign.file.store import CampaignStore


@click.command()
@ORIGINAL
@RELEASES
@RELEASE_TYPE
@column_option(
    "--target",
    help="Columns to predict. [default: up to 10 categorical ones, with --campaign those attacked]",
)
@table_options
@click.option("--bins", type=click.IntRange(min=2), default=20, show_default=True,
              help="Number of bins for numbers and dates.")  # fmt: skip
@click.option("--equal-width", is_flag=True, help="Bins of equal width instead of quantiles.")
@SEED
@click.option(
    "--json", "json_out", metavar="OUT", help="Write all numbers as JSON here; '-' for stdout."
)
@click.option(
    "--campaign",
    "campaign_file",
    metavar="FILE",
    help="Save the result in this campaign's file; the tables must be the ones that it attacks.",
)
@QUIET
def utility(**options: Any) -> None:
    """Measure how useful releases still are.

    It compares the distributions of columns and of pairs of columns, and trains models on each
    release to predict people of the original.

    Example: alc utility --original people.csv --release weak=v1.csv --release strong=v2.csv
    """
    from alc_core.plain_values import to_plain
    from alc_core.studies.utility.measuring import measure_utility, unmeasured
    from alc_core.studies.utility.result import keep_utility
    from alc_core.studies.utility.words import utility_text

    check_writable(options["json_out"])
    original = read_original(options)
    releases = read_releases(options, original)
    reasons = [reason for each in releases.values() if (reason := unmeasured(each))]
    if len(reasons) == len(releases):
        raise InputError(" ".join(reasons))
    for reason in reasons:
        echo(reason, err=True)
    with ExitStack() as stack:
        store = _open_campaign(options["campaign_file"])
        among = None
        if store is not None:
            stack.enter_context(store)
            original = as_attacked(store, original)
            releases = {
                name: columns_as_attacked(store.settings, original, release)
                for name, release in releases.items()
            }
            among = sorted({attack.scenario.unknown for attack in store.attacks})
        measured = []
        for name, release in releases.items():
            if unmeasured(release):
                continue
            report = None if options["quiet"] else StagePrinter(name)
            found = measure_utility(
                original, release, targets=options["target"] or None, among=among,
                bins=options["bins"], seed=options["seed"] or 0, progress=report, name=name,
                binning="equal width" if options["equal_width"] else "quantile",
            )  # fmt: skip
            measured.append(found)
            if store is not None:
                keep_utility(store, found)
    contents = json.dumps(to_plain(measured), indent=1)
    if options["json_out"] == "-":
        echo(contents)
        return
    if options["json_out"]:
        Path(options["json_out"]).write_text(contents, encoding="utf-8")
    echo(utility_text(measured))


def _open_campaign(file: str | None) -> CampaignStore | None:

    return None if file is None else open_campaign(file)
