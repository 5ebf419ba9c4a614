"""The releases of a campaign as candidates for publication, and what was decided about each."""
