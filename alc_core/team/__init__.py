"""One server for several people: its settings, who may log in, the audit log, whose turn it is."""
