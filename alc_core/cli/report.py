"""``alc report``: the report of a campaign as HTML and PDF."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import click

from alc_core.cli.parts.campaign_file import open_campaign, within_seconds
from alc_core.cli.parts.command import command
from alc_core.cli.parts.options import scoring_of, scoring_options
from alc_core.cli.parts.printing import Outputs, ProgressPrinter, out_option
from alc_core.errors import InputError
from alc_core.report.sections import Depth, Section

_DECLARED = ("assessor", "purpose", "date", "description", "assumptions")


@command(usual="html pdf dpia release depth assessor purpose date description assumptions")
@click.argument("file", type=click.Path(), metavar="FILE")
@out_option("html", "Write the report as HTML here.")
@out_option("pdf", "Write PDF here; needs Chromium, Chrome or Edge.")
@out_option("dpia", "Write a DPIA for CNIL's PIA tool (JSON) here.")
@out_option("dpia-text", "Write this DPIA as plain text here.")
@click.option(
    "--release",
    metavar="NAME",
    help="Write one page about this release.",
)
@click.option(
    "--depth",
    type=click.Choice([each.value for each in Depth]),
    default="full",
    show_default=True,
    help="Report length; short: first page and annexes.",
)
@click.option(
    "--section",
    "sections",
    type=click.Choice([each.value for each in Section]),
    multiple=True,
    metavar="SECTION",
    help=f"Only this section; repeatable: {', '.join(Section)}. [default: all]",
)
@click.option("--assessor", help="Who reviews and decides. [default: as in FILE]")
@click.option("--purpose", help="What the release is for. [default: as in FILE]")
@click.option(
    "--date",
    help="Date, such as 2025-12-31. [default: as in FILE, else today]",
)
@click.option("--description", help="How the release was made. [default: as in FILE]")
@click.option("--assumptions", help="Assumptions about attackers. [default: as in FILE]")
@scoring_options("as in FILE")
@click.option("-q", "--quiet", is_flag=True, help="No progress on stderr.")
def report(file: str, **options: Any) -> None:
    """Write the report as HTML or PDF.

    Example: alc report review.alc --html review.html --pdf review.pdf --purpose "Open data"
    """
    from alc_core.campaign.findings.view import CampaignView
    from alc_core.report.dpia import dpia_json, dpia_text
    from alc_core.report.html.document import release_page, report_html
    from alc_core.report.options import ReportOptions, kept_details
    from alc_core.report.pdf import pdf_of
    from alc_core.runtime.progress import Reporter

    outputs = Outputs(options)
    document_wanted = "html" in outputs or "pdf" in outputs
    if not (document_wanted or "dpia" in outputs or "dpia_text" in outputs):
        raise InputError("Nothing to write. Pass --html, --pdf, --dpia or --dpia-text.")
    if (release := options["release"]) and options["sections"]:
        raise InputError("A page about one release has no sections. Remove --section.")
    reporter = Reporter(progress=None if options["quiet"] else ProgressPrinter())
    with open_campaign(file) as store, within_seconds(store):
        kept = kept_details(store)
        said = {name: options[name] for name in _DECLARED}
        if said["date"] is None and not kept.date:
            said["date"] = date.today().isoformat()
        details = replace(kept, **{name: text for name, text in said.items() if text is not None})
        view = CampaignView(store)
        chosen = ReportOptions(
            scoring=scoring_of(options, store.settings.scoring),
            depth=Depth(options["depth"]),
            sections=tuple(Section(each) for each in options["sections"]) or None,
            details=details,
            campaign_file=Path(file).name,
            html=_named(options["html_out"]),
            pdf=_named(options["pdf_out"]),
        )
        outputs.write("dpia", lambda: dpia_json(view, chosen.scoring, chosen.details).encode())
        outputs.write("dpia_text", lambda: dpia_text(view, chosen.scoring, chosen.details))
        document = ""
        if document_wanted:
            document = (
                release_page(view, release, chosen, reporter=reporter)
                if release
                else report_html(view, chosen, reporter=reporter)
            )
    outputs.write("html", document.encode)
    outputs.write("pdf", lambda: pdf_of(document, reporter=reporter))
    outputs.tell()


def _named(out: str | None) -> str:
    return Path(out).name if out and out != "-" else ""
