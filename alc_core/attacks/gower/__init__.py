"""The released rows nearest to a target by Gower distance."""
