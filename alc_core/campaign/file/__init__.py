"""A campaign's SQLite file, which never holds data of people."""
