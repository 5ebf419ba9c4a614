"""What was measured beside the anonymity loss, and kept in a campaign's file."""
