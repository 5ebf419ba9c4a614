"""Parameters, comparison and studies."""
