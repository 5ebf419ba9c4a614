"""What a campaign found: parts that several pages show."""
