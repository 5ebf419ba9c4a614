"""Context, calibration, drivers and groups behind an attack's ALC."""
