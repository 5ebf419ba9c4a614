"""Planning a campaign: attacks, reasons, durations."""
