"""What several commands share: options, reading, printing."""
