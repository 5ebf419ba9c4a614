"""The frame around the pages, and the start of the server."""
