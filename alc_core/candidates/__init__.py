"""A campaign's releases as candidates, and the decisions about them."""
