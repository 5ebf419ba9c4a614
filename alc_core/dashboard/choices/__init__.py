"""The user's choices, as widgets hold them."""
