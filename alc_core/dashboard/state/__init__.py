"""The session's typed state, its uploads and background jobs."""
