"""Risk numbers of laws, guidelines and other tools."""
