"""One server for several people: settings, who may log in, audit log, turns, the shelf."""
