"""How useful a release is: marginals, and models trained on it."""
