"""Tables as arrays of codes and numbers, the original and its releases alike."""
