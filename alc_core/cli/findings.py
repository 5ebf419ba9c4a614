"""``alc findings``: what a campaign found."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import click

from alc_core.cli.parts.campaign_file import open_campaign
from alc_core.cli.parts.options import Grouped, check_writable, scoring_changes, scoring_options
from alc_core.cli.parts.printing import echo, write_json, write_out

_SHOWN = 20


def _print_columns(context: click.Context, _option: object, wanted: bool) -> None:
    if wanted:
        from alc_core.campaign.findings.findings_table import columns_legend

        for name, meaning in columns_legend().items():
            echo(f"{name}: {meaning}")
        context.exit()


@click.command(cls=Grouped)
@click.argument("file", metavar="FILE")
@click.option(
    "--columns",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_columns,
    help="Say what each column of the table holds, and end.",
)
@scoring_options
@click.option(
    "--csv",
    "csv_out",
    metavar="OUT",
    help="Write a table here, one row per attack; '-' for stdout.",
)
@click.option("--parquet", "parquet_out", metavar="OUT", help="The same table as Parquet.")
@click.option(
    "--excel", "excel_out", metavar="OUT", help="The same table as an Excel workbook (.xlsx)."
)
@click.option("--json", "json_out", metavar="OUT", help="The same and each release, as JSON.")
@click.option("--all", "everything", is_flag=True, help="Print all attacks, not only the worst.")
def findings(file: str, **options: Any) -> None:
    """Show what a campaign found.

    With other parameters, the same attacks are scored again.

    Example: alc findings review.alc --alpha 2 --csv findings.csv
    """
    outs = {name: options[name] for name in ("csv_out", "parquet_out", "excel_out", "json_out")}
    for out in outs.values():
        check_writable(out)
    shown = None if options["everything"] else _SHOWN
    print_campaign(Path(file), scoring_changes(options), shown=shown, **outs)


def print_campaign(
    file: Path,
    changes: Mapping[str, Any],
    *,
    csv_out: str | None = None,
    parquet_out: str | None = None,
    excel_out: str | None = None,
    json_out: str | None = None,
    shown: int | None = _SHOWN,
) -> None:
    """Print a campaign's findings, and write them where that is asked for."""
    from alc_core.campaign.findings.decisions import decisions, with_decisions
    from alc_core.campaign.findings.findings_table import findings_csv, write_findings_parquet
    from alc_core.campaign.findings.view import CampaignView
    from alc_core.candidates.gate import FoundJson
    from alc_core.candidates.lines import candidate_lines
    from alc_core.report.campaign_text import campaign_text
    from alc_core.scoring.parameters import ScoringParameters
    from alc_core.spreadsheet import write_findings_workbook

    with open_campaign(file) as store:
        scoring = ScoringParameters.from_dict({**store.settings.scoring.to_dict(), **changes})
        view = CampaignView(store)
        frame = with_decisions(view.frame(scoring), decisions(store))
        releases = candidate_lines(view, scoring, {})
        if csv_out:
            write_out(csv_out, findings_csv(frame))
        for out, write in (
            (parquet_out, write_findings_parquet),
            (excel_out, write_findings_workbook),
        ):
            if out:
                write(frame, content := BytesIO())
                write_out(out, content.getvalue())
        if json_out:
            write_json(json_out, "findings", FoundJson.of(scoring, releases, frame))
        outs = [out for out in (csv_out, parquet_out, excel_out, json_out) if out]
        if "-" not in outs:
            overview, flips = view.overview(scoring), view.flips(scoring)
            echo(campaign_text(overview, frame, flips=flips, releases=releases, shown=shown))
            for out in outs:
                echo(f"Wrote {out}.", err=True)
