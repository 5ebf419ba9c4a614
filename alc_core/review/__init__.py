"""What was found, as blocks and sentences: of an attack, a release, a campaign."""
