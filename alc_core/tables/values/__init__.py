"""Values of columns: texts, numbers, dates, generalized, missing."""
