"""Options about releases and attacks."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from alc_core.attacks import BUILT_IN
from alc_core.cli.parts.codes import ColumnOption, before_sign, behind, completions
from alc_core.errors import InputError
from alc_core.parameter import check_name
from alc_core.releases import KINDS

if TYPE_CHECKING:
    from alc_core.tables.table import Table

Name = TypeVar("Name", bound=str | None)


class _Registered(click.Option):
    def __init__(
        self,
        *names: Any,
        choices: Callable[[], str],
        values: Callable[[], Iterable[str]],
        **options: Any,
    ) -> None:
        super().__init__(*names, **options)
        self._choices, self._names = choices, values

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        record = super().get_help_record(ctx)
        return record and (record[0], f"{record[1]} {self._choices()}")

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        return completions(self._names(), incomplete)


def parsed(read: Callable[[Any], Any]) -> Callable[..., Any]:
    """Return a callback that parses an option's texts."""
    return lambda _context, _option, value: read(value)


def _names(texts: Sequence[str]) -> tuple[str, ...]:
    if not texts:
        return ()
    from alc_core.attacks.registry import make_attack

    return tuple(make_attack(text).name for text in texts)


def _confined(texts: Iterable[str]) -> dict[str, tuple[str, ...]]:
    confined: dict[str, tuple[str, ...]] = {}
    for text in texts:
        attack, _, release = (part.strip() for part in text.partition("="))
        if not (attack and release):
            raise InputError(
                f"--only-on takes ATTACK=RELEASE, such as 'model=synthetic', not '{text}'."
            )
        confined[attack] = (*confined.get(attack, ()), release)
    return confined


def _attack_names() -> Iterable[str]:
    if "alc_core.attacks.registry" not in sys.modules:  # A plug-in may have registered one
        return BUILT_IN
    from alc_core.attacks.registry import attack_types

    return attack_types()


def _attacks() -> str:
    return f"One of: {', '.join(_attack_names())}; see 'alc attacks'."


def _release_titles() -> Mapping[str, str]:
    if "alc_core.releases.registry" not in sys.modules:
        return KINDS
    from alc_core.releases.registry import release_types

    return {kind: found.title for kind, found in release_types().items()}


def _release_types() -> str:
    types = ", ".join(f"{kind} ({title})" for kind, title in _release_titles().items())
    return f"One of: {types}. [default: rows]"


def _load(_context: object, _option: object, names: Collection[str]) -> None:
    from alc_core.runtime.plugins import load_plugins

    load_plugins(names)


PLUGIN = click.Option(
    ["--plugin"],
    multiple=True,
    is_eager=True,
    expose_value=False,
    callback=_load,
    metavar="FILE|MODULE",
    help="Load your own attacks or measures; repeatable.",
)


def with_plugins(command: click.Command) -> click.Command:
    """Return a command that first loads plug-ins."""
    if PLUGIN not in command.params:
        command.params.append(PLUGIN)
    return command


ATTACK = click.option(
    "--attack",
    "attacks",
    cls=_Registered,
    choices=_attacks,
    values=_attack_names,
    callback=parsed(_names),
    multiple=True,
    metavar="NAME[: PARAMETER=VALUE, …]",
    help=(
        "Attack to run; repeatable. [default: best row match and record linkage; groups and "
        "counts: all but bayesian]"
    ),
)
ONLY_ON = click.option(
    "--only-on",
    multiple=True,
    callback=parsed(_confined),
    metavar="ATTACK=RELEASE",
    help="Attack on this release only, such as 'model=synthetic'; repeatable.",
)
RELEASE_TYPE = click.option(
    "--release-type",
    cls=_Registered,
    choices=_release_types,
    values=_release_titles,
    multiple=True,
    metavar="[NAME=]TYPE",
    help="Type of the releases, or of one; repeatable.",
)


def release_kinds(options: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    """Return each release's kind: by name, for all, or rows."""
    from alc_core.releases.release import USUAL_KIND

    texts = [text.rpartition("=") for text in options["release_type"]]
    said = one_each(
        "--release-type",
        [(of.strip() if equals else None, kind.strip()) for of, equals, kind in texts],
    )
    for name in said:
        if name is not None:
            check_name("release", name, names, option="--release-type")
    return [said.get(name, said.get(None, USUAL_KIND)) for name in names]


def one_each(option: str, said: Iterable[tuple[Name, str]]) -> dict[Name, str]:
    """Return an option's texts by name; refuse contradictions."""
    found: dict[Name, str] = {}
    for name, what in said:
        if found.setdefault(name, what) != what:
            of = f"'{name}'" if name else "the release"
            raise InputError(f"{option} gives {of} both '{found[name]}' and '{what}'. Choose one.")
    return found


SAME = click.option(
    "--same",
    cls=ColumnOption,
    reads=behind("="),
    multiple=True,
    metavar="[TABLE=]NAME=COLUMN",
    help="Released column for an original one: pay_class=income, or 'income / 1.08=income'; "
    "repeatable. 'alc check' suggests them.",
)


DATES = click.option(
    "--dates",
    cls=ColumnOption,
    reads=before_sign,
    multiple=True,
    metavar="COLUMN=SYSTEM",
    help=(
        "How numbers encode dates, such as born=excel. Also yyyymmdd, ddmmyy, excel1904, sas, "
        "stata, unix (days), unix-seconds, unix-ms, spss, sas-seconds, stata-ms, stata-months, "
        "years."
    ),
)


def said_dates(options: Mapping[str, Any]) -> dict[str, str]:
    """Return given date readings by column."""
    from alc_core.tables.labels.date_readings import reading_of

    pairs = [
        *((c, order) for order in ("day-first", "month-first")
          for c in options[order.replace("-", "_")]),
        *map(reading_of, options["dates"]),
    ]  # fmt: skip
    return one_each("A date option", pairs)


def said_columns(options: Mapping[str, Any], original: Table) -> dict[str, str]:
    """Return given original columns by released column."""
    from alc_core.tables.names import name_and_column

    pairs = [name_and_column(text, original.columns) for text in options["same"]]
    return one_each("--same", pairs)
