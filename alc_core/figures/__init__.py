"""Plotly figures of results, with alternative texts."""
