"""The page on which a release is decided on."""
