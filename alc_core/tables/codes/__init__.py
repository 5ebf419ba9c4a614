"""Tables as arrays of codes and numbers."""
