"""Tables: reading files, column kinds, pre-flight checks, suggested roles."""
