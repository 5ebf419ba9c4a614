"""The frame around pages, and the server's start."""
