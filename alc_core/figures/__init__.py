"""Figures: functions from results to plotly figures, with a text for those who cannot see them."""
