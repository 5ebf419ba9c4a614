"""Options that name columns, also by codebook codes."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from alc_core.phrasing import in_list, split_names

if TYPE_CHECKING:
    from alc_core.tables.table import Table

_PATIENCE = 3.0  # Seconds that reading column names for a completion may take

Named = Callable[[str], str]  # From texts on columns to the same by name


def _everywhere(value: Any, named: Named) -> Any:
    """Return names, in whatever structure."""
    if isinstance(value, str):
        return named(value)
    if isinstance(value, Mapping):
        return {named(name): kept for name, kept in value.items()}
    return tuple(_everywhere(each, named) for each in value)


def before_sign(value: Any, named: Named) -> Any:
    """Return texts such as COLUMN=VALUES."""
    return tuple(_before_sign(text, named) for text in value)


def _before_sign(text: str, named: Named) -> str:
    column, equals, rest = text.partition("=")
    return f"{named(column.strip())}{equals}{rest}" if equals else text


def in_parts(value: Any, named: Named) -> Any:
    """Return a text such as COLUMN=VALUE,COLUMN=VALUE."""
    return ",".join(in_list(_before_sign(part, named)) for part in split_names(value))


def behind(sign: str) -> Callable[[Any, Named], Any]:
    """Return a reader of texts that name a column after a sign's last occurrence."""

    def read(value: Any, named: Named) -> Any:
        return tuple(
            f"{start}{found}{named(column.strip())}"
            for start, found, column in (text.rpartition(sign) for text in value)
        )

    return read


def conditions(value: Any, named: Named) -> Any:
    """Return conditions: a column and values, or what :func:`named` reads."""
    from alc_core.scenario.scenario import SIGNS

    signs = [(text, SIGNS.search(text)) for text in value]
    return tuple(
        _before_sign(text, named) if sign and sign[0].strip() == "=" else named(text)
        for text, sign in signs
    )


class ColumnOption(click.Option):
    """An option that names columns by name or code; `reads` has its structure."""

    def __init__(
        self, *names: Any, reads: Callable[[Any, Named], Any] = _everywhere, **options: Any
    ) -> None:
        super().__init__(*names, **options)
        self.reads = reads

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete a column of the original, behind a comma the next one."""
        from alc_core.errors import AlcError
        from alc_core.tables.apart.read import ReadingLimits, read_table

        before, comma, _ = incomplete.rpartition(",")
        original = ctx.params.get("original")
        if not original or not isinstance(original, str) or self.reads is not _everywhere:
            return []
        try:
            columns = read_table(original, limits=ReadingLimits(seconds=_PATIENCE)).columns
        except AlcError:
            return []
        return completions([f"{before}{comma}{in_list(c)}" for c in columns], incomplete)


def completions(names: Iterable[str], incomplete: str) -> list[CompletionItem]:
    """Return the names that begin so, quoted for a shell that would take their spaces for ends."""
    is_bash = os.environ.get("_ALC_COMPLETE", "").startswith("bash")
    found = [name for name in names if name.startswith(incomplete)]
    return [CompletionItem(shlex.quote(name) if is_bash else name) for name in found]


def take_codes(options: dict[str, Any], original: Table) -> None:
    """Replace codes by names in the running command's options."""
    from alc_core.scenario.derived import with_names_for_codes

    if not original.codes:
        return
    for param in click.get_current_context().command.params:
        if isinstance(param, ColumnOption) and param.name and options.get(param.name):
            options[param.name] = param.reads(
                options[param.name], lambda text: with_names_for_codes(text, original)
            )
