"""Several candidate releases of one original side by side: risk from a campaign, and utility."""
