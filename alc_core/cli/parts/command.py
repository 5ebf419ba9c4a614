"""Commands: help in groups, and a settings file for what is not given."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import click
from click.core import ParameterSource

from alc_core.cli.parts.printing import echo
from alc_core.cli.parts.settings_file import FILE, settings_of
from alc_core.phrasing import listed, quoted

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def _show_all(ctx: click.Context, _option: object, value: bool) -> None:
    if value:
        ctx.meta[_ALL] = True
        click.echo(ctx.get_help())
        ctx.exit()


_ALL = "alc_core.help_all"
_HELP_ALL = click.Option(
    ["--help-all"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_all,
    help="Show all options.",
)


class Grouped(click.Command):
    """A command whose help shows the usual options; all with --help-all."""

    def __init__(self, *args: Any, usual: str = "", **options: Any) -> None:
        super().__init__(*args, **options)
        self._usual = usual.split()
        self.params.append(_HELP_ALL)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read options, those of the settings file where they are not given."""
        if ctx.resilient_parsing:
            return super().parse_args(ctx, args)
        ctx.default_map = settings_of(ctx)
        every = [*args]  # The parser empties its list
        try:
            rest = super().parse_args(ctx, args)
        except click.MissingParameter as error:
            given, _, _ = self.make_parser(ctx).parse_args(every)
            known = {*given, *ctx.default_map}
            missing = [p.opts[-1] for p in self.params if p.required and p.name not in known]
            if len(missing) < 2:
                raise
            raise click.UsageError(f"Missing options {quoted(missing)}.", ctx) from error
        except click.BadParameter as error:
            if error.param and _is_from_file(ctx, error.param):
                said = f"{error.message} It is from '{FILE}'."
                raise click.BadParameter(said, ctx, error.param) from error
            raise
        used = [param.opts[-1] for param in self.params if _is_from_file(ctx, param)]
        if used and not ctx.params.get("quiet"):
            echo(f"From '{FILE}': {listed(used)}.", err=True)
        return rest

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a section per group, in order."""
        options = [each for each in self.get_params(ctx) if isinstance(each, click.Option)]
        groups: dict[str, list[tuple[str, str]]] = {}
        for option in options if ctx.meta.get(_ALL) else self._shown(options):
            if (record := option.get_help_record(ctx)) is None:
                continue
            if ctx.meta.get(_ALL):
                groups.setdefault(getattr(option, "group", "Options"), []).append(record)
            else:
                short = _plain(record[0]), _first_sentence(record[1])
                groups.setdefault("Options", []).append(short)
        for group, records in groups.items():
            with formatter.section(group):
                formatter.write_dl(records)

    def _shown(self, options: Sequence[click.Option]) -> list[click.Option]:
        names = {option.opts[-1].strip("-"): option for option in options}
        usual = (
            self._usual
            or [
                name
                for name, option in names.items()
                if getattr(option, "group", "Options") == "Options" and name not in _RARE
            ][:_MOST_SHOWN]
        )
        return [names[name] for name in [*usual, "help-all"]]


def _is_from_file(ctx: click.Context, param: click.Parameter) -> bool:
    return ctx.get_parameter_source(param.name or "") is ParameterSource.DEFAULT_MAP


_RARE = ("release-type", "plugin", "help", "help-all")
_MOST_SHOWN = 10


def _plain(name: str) -> str:
    return name.replace("INTEGER RANGE", "N").partition("[:")[0].partition(": ")[0]


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=[^.]{2})[.;:](?: |$)|  ?\[", text, maxsplit=1)[0] + "."


command = partial(click.command, cls=Grouped)


def together(*options: Decorator, group: str = "Options") -> Decorator:
    """Return a decorator that adds options in order, as a help group."""

    def decorate(run: Any) -> Callable[..., Any]:
        before = len(getattr(run, "__click_params__", ()))
        for option in reversed(options):
            run = option(run)
        for param in run.__click_params__[before:]:
            vars(param).setdefault("group", group)
        return run  # type: ignore[no-any-return]

    return decorate
