"""Tables: reading files, column kinds, pre-flight checks, suggested roles."""

from alc_core.tables.checks import Finding, Severity, TableChecker, check_tables
from alc_core.tables.kinds import infer_kind, infer_kinds
from alc_core.tables.read import MAX_UNCOMPRESSED_BYTES, read_table, table_from_frame
from alc_core.tables.roles import Role, RoleSuggestion, suggest_roles
from alc_core.tables.table import ColumnKind, KindGuess, Table

__all__ = [
    "MAX_UNCOMPRESSED_BYTES",
    "ColumnKind",
    "Finding",
    "KindGuess",
    "Role",
    "RoleSuggestion",
    "Severity",
    "Table",
    "TableChecker",
    "check_tables",
    "infer_kind",
    "infer_kinds",
    "read_table",
    "suggest_roles",
    "table_from_frame",
]
