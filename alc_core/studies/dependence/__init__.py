"""How far rows of people who depend on each other change the loss."""
