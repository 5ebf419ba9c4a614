"""The report of a campaign: one HTML file that makes no request, and its PDF."""

from alc_core.document.options import (
    SECTION_TITLES,
    SECTIONS,
    Depth,
    Details,
    ReportOptions,
    Section,
    keep_details,
    kept_details,
)
from alc_core.document.pdf import HOW_TO_PRINT, find_chromium, pdf_of
from alc_core.document.report import report_html

__all__ = [
    "HOW_TO_PRINT",
    "SECTIONS",
    "SECTION_TITLES",
    "Depth",
    "Details",
    "ReportOptions",
    "Section",
    "find_chromium",
    "keep_details",
    "kept_details",
    "pdf_of",
    "report_html",
]
