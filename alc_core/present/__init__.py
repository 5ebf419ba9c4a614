"""Results as blocks, drawn in a terminal, the report and pages."""
