"""``alc findings``: what a campaign found."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from alc_core.cli.parts.campaign_file import open_campaign
from alc_core.cli.parts.command import command
from alc_core.cli.parts.options import QUIET, scoring_of, scoring_options
from alc_core.cli.parts.printing import Outputs, ProgressPrinter, echo, out_option

_SHOWN = 20


def _print_columns(context: click.Context, _option: object, wanted: bool) -> None:
    if wanted:
        from alc_core.campaign.findings.findings_table import columns_legend

        for name, meaning in columns_legend().items():
            echo(f"{name}: {meaning}")
        context.exit()


@command()
@click.argument("file", type=click.Path(), metavar="FILE")
@click.option(
    "--columns",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_columns,
    help="Explain the table's columns.",
)
@scoring_options("as in FILE")
@out_option("csv", "Write the table here; '-' for stdout.")
@out_option("parquet", "The table as Parquet.")
@out_option("excel", "The table as an Excel workbook (.xlsx).")
@out_option("json", "The table and each release as JSON.")
@click.option("--all", "everything", is_flag=True, help="Print all attacks.")
@click.option("--verbose", is_flag=True, help="Name all known columns.")
@QUIET
def findings(file: str, **options: Any) -> None:
    """Show the results of a campaign.

    With other parameters, the same attacks are scored again.

    Example: alc findings review.alc --alpha 2 --csv findings.csv
    """
    print_campaign(file, options, shown=None if options["everything"] else _SHOWN)


def print_campaign(
    file: Path | str, options: Mapping[str, Any], *, shown: int | None = _SHOWN
) -> None:
    """Print and write a campaign's findings."""
    from alc_core.campaign.findings.decisions import decisions, with_decisions
    from alc_core.campaign.findings.view import CampaignView
    from alc_core.candidates.decision import release_choices
    from alc_core.candidates.gate import FoundJson
    from alc_core.candidates.lines import candidate_lines
    from alc_core.present.renderers import WIDTH, terminal_text
    from alc_core.review.campaign import campaign_blocks
    from alc_core.runtime.progress import Reporter
    from alc_core.spreadsheet import csv_text, findings_workbook

    outputs = Outputs(options)
    with open_campaign(file) as store:
        scoring = scoring_of(options, store.settings.scoring)
        view = CampaignView(store)
        view.settle(
            scoring, reporter=Reporter(progress=None if options["quiet"] else ProgressPrinter())
        )
        frame = with_decisions(view.frame(scoring), decisions(store), release_choices(store))
        releases = candidate_lines(view, scoring, {})
        outputs.write("csv", lambda: csv_text(frame))
        outputs.write("parquet", lambda: frame.to_parquet(index=False))
        outputs.write("excel", lambda: findings_workbook(frame))
        outputs.write_json("findings", lambda: FoundJson.of(scoring, releases, frame))
        if not outputs.on_stdout:
            verbose = bool(options.get("verbose"))
            blocks = campaign_blocks(view, scoring, shown=shown, verbose=verbose)
            echo(terminal_text(blocks, width=WIDTH))
            outputs.tell()
