"""The command lines that make a campaign, and a report about it, again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import PurePath

from alc_core.campaign.file.annotations import accepted_codes
from alc_core.campaign.file.store import CampaignReader
from alc_core.campaign.model import CampaignSettings
from alc_core.releases.release import USUAL_KIND
from alc_core.releases.samples.demo import demo_file
from alc_core.report.options import ReportOptions, kept_details
from alc_core.report.sections import Depth

_RENAMED = " (release)"
"""What the dashboard puts behind a release's file that has the original's name."""


def campaign_command(store: CampaignReader, campaign_file: str) -> str:
    """Return the command that runs a campaign's attacks again into a new file."""
    settings = store.settings
    original = settings.original.name
    first = "alc demo .\n" if demo_file(original) else ""
    arguments = ["alc campaign", _option("--original", demo_file(original) or original)]
    arguments += [
        _option("--release", _named(name, _file(table.name, settings)))
        for name, tables in settings.releases.items()
        for table in tables
    ]
    arguments += [
        _option("--release-type", _named(name, kind))
        for name, kind in settings.release_kinds.items()
        if kind != USUAL_KIND
    ]
    arguments.append(_option("--like", campaign_file))
    if codes := accepted_codes(store):
        arguments.append(_option("--accept", ",".join(map(_in_list, codes))))
    path = PurePath(campaign_file)
    arguments.append(_option("--out", f"{path.stem}-again{path.suffix}"))
    return first + _joined(arguments)


def report_command(store: CampaignReader, options: ReportOptions) -> str:
    """Return the command that makes a report again."""
    arguments = [f"alc report {shlex.quote(options.campaign_file)}"]
    arguments += [
        _option(f"--{kind}", name)
        for kind, name in (("html", options.html), ("pdf", options.pdf))
        if name
    ]
    if options.depth is not Depth.FULL:
        arguments.append(_option("--depth", options.depth))
    if options.sections is not None:
        arguments += [_option("--section", section) for section in options.shown]
    before, details = store.settings.scoring.to_dict(), options.details
    arguments += [
        _option(f"--{name.replace('_', '-')}", str(value))
        for name, value in options.scoring.to_dict().items()
        if value != before[name]
    ]
    # The date always: without one it is that of the day.
    texts = details.differing(kept_details(store)) | (
        {"date": details.date} if details.date else {}
    )
    arguments += [_option(f"--{name}", text) for name, text in sorted(texts.items())]
    return _joined(arguments)


def _option(name: str, value: str) -> str:
    quoted = shlex.quote(value)
    return f"{name}={quoted}" if value.startswith("-") else f"{name} {quoted}"


def _in_list(text: str) -> str:
    """Return a text as it stands in a list with commas."""
    return '"' + text.replace('"', '""') + '"' if "," in text or '"' in text else text


def _joined(arguments: Sequence[str]) -> str:
    return " \\\n    ".join(arguments)


def _named(name: str, file: str) -> str:
    """Return a release's argument; a name with an equals sign cannot precede one."""
    return file if "=" in name else f"{name}={file}"


def _file(table: str, settings: CampaignSettings) -> str:
    original = settings.original.name
    return original if table == f"{original}{_RENAMED}" else demo_file(table) or table
