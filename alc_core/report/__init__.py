"""Results as documents: text, CSV, JSON."""
