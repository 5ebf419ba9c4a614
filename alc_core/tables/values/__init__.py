"""Values of columns: texts, numbers, dates, generalized values, and those that are none."""
