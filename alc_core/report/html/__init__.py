"""A campaign's report: one HTML file without requests, and its PDF."""
