"""One server for several people: settings, login, audit log, turns, shared folder."""
