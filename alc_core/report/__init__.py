"""Results as documents: text, CSV, JSON."""

from alc_core.report.summary import measures_csv, spreadsheet_safe, summary_text

__all__ = ["measures_csv", "spreadsheet_safe", "summary_text"]
