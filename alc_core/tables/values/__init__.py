"""Values of columns: texts, numbers, dates, generalized values, and missing values."""
