"""Making test releases."""

from alc_core.anonymize.swapping import swap_columns

__all__ = ["swap_columns"]
