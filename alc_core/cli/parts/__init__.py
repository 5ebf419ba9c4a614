"""Options, reading and printing of several commands."""
