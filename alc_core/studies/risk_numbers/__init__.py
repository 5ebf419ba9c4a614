"""Risk numbers of laws, guidelines and other tools: classes of equal rows and what follows."""
