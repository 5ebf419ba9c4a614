"""The report of a campaign: one HTML file that makes no request, and its PDF."""
