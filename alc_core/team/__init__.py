"""One server for several people: settings, login, log, turns, folder."""
