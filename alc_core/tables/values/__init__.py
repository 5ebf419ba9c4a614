"""Values of columns: text, dates, generalized values, distinct values."""
