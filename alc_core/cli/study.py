"""``alc study``: run any study, with options from its class."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import click

from alc_core.cli.parts.campaign_file import (
    as_attacked,
    named_alike,
    names_in,
    open_campaign,
    taken_as_in,
)
from alc_core.cli.parts.codes import ColumnOption, in_parts, take_codes
from alc_core.cli.parts.command import Decorator, command
from alc_core.cli.parts.options import (
    ACCEPT,
    ORIGINAL,
    QUIET,
    RELEASES,
    SEED,
    accepted_of,
    column_option,
    missing_of,
    missing_options,
    scoring_of,
    scoring_options,
    table_options,
)
from alc_core.cli.parts.plugs import RELEASE_TYPE, with_plugins
from alc_core.cli.parts.printing import Outputs, StepsPrinter, echo, out_option, print_findings
from alc_core.cli.parts.sets import sets_options, with_given_sets
from alc_core.cli.parts.tables import read_holdout, read_original, read_releases
from alc_core.errors import CampaignMismatchError, InputError
from alc_core.phrasing import quoted

if TYPE_CHECKING:
    from alc_core.campaign.file.store import CampaignStore
    from alc_core.releases.release import Release
    from alc_core.scenario.no_value import Missing
    from alc_core.studies.study import Asked, CampaignStanding, Study, StudyData
    from alc_core.tables.table import Table


class _Studies(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        from alc_core.studies.registry import with_parts

        return [each.name for each in with_parts()]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Load plug-ins named behind a study first: it may be theirs."""
        from alc_core.runtime.plugins import load_plugins

        load_plugins(file for option, file in pairwise(args) if option == "--plugin")
        load_plugins(a.partition("=")[2] for a in args if a.startswith("--plugin="))
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        found = study_command(cmd_name)
        return found and with_plugins(found)


@click.group(cls=_Studies)
def study() -> None:
    """Run a study of a whole release."""


def study_command(name: str, called: str = "", does: str = "") -> click.Command | None:
    """Return a study's command, under its name or as `called` with what it `does`."""
    from alc_core.studies.registry import with_parts
    from alc_core.studies.study import Need

    found = next((each for each in with_parts() if each.name == name), None)
    if found is None:
        return None

    def run(**options: Any) -> None:
        _run(found, options)

    typed = called or f"study {name}"
    called = called or name
    tables = " ".join(
        f"--{need} {file}"
        for need, file in (("original", "people.csv"), ("release", "release.csv"))
        if Need[need.upper()] in found.needs
    )
    file = "review.alc " if Need.CAMPAIGN in found.needs else ""
    lines = (
        *([does] if does else []),
        found.sentence,
        f"Example: alc {typed} {file}{tables} {found.example}".rstrip(),
    )
    made: click.Command = command(called, help="\n\n".join(lines), short_help=found.sentence)(
        _options(found)(run)
    )
    return made


def _options(found: Study[Any]) -> Decorator:
    from alc_core.studies.study import Need, Takes

    def decorate(run: Callable[..., Any]) -> Callable[..., Any]:
        takes, needs = found.takes, found.needs
        in_campaign = Need.CAMPAIGN in needs
        file = click.option(
            "--campaign", "campaign_file", type=click.Path(), metavar="FILE",
            help="Keep the result in FILE.",
        )  # fmt: skip
        holdout = click.option(
            "--holdout", required=Need.HOLDOUT in needs, type=click.Path(), metavar="FILE",
            help="People in neither table.",
        )  # fmt: skip
        options: list[Decorator] = [
            *([click.argument("campaign_file", type=click.Path(), metavar="FILE")]
              if in_campaign else []),
            *([ORIGINAL] if Need.ORIGINAL in needs else []),
            *([RELEASES, RELEASE_TYPE] if Need.RELEASE in needs else []),
            *(_option(each) for each in found.parameters if each.required),
            out_option("json", "Write JSON here; '-' for stdout."),
            *([] if in_campaign or not found.kept else [file]),
            *(_option(e) for e in found.parameters if e.where != "page" and not e.required),
            *([holdout] if {Need.HOLDOUT, Takes.HOLDOUT} & {*needs, *takes} else []),
            *([table_options] if Need.ORIGINAL in needs else []),
            *([sets_options] if Takes.SETS in takes else []),
            *([missing_options] if Takes.MISSING in takes else []),
            *([SEED] if Takes.SEED in takes else []),
            *([ACCEPT] if Takes.ACCEPT in takes else []),
            *([scoring_options("as in FILE")] if in_campaign else []),
            *(out_option(each.option, each.help) for each in found.extras),
            *([click.option("--save", is_flag=True,
                            help="Keep the result in FILE.")]
              if in_campaign else []),
            QUIET,
        ]  # fmt: skip
        for option in reversed(options):
            run = option(run)
        return run

    return decorate


def _option(asked: Asked) -> Decorator:
    from alc_core.studies.study import Kind

    flag = f"--{asked.name.replace('_', '-')}"
    usual = asked.usual or ("" if asked.optional or asked.default == "" else _shown(asked.default))
    text = f"{asked.help} [default: {usual}]" if usual and not asked.required else asked.help
    if asked.kind is Kind.COLUMNS:
        return column_option(flag, asked.name, required=asked.required, help=text)
    if asked.kind is Kind.TEXTS:
        return click.option(flag, asked.name, multiple=True, metavar=asked.metavar, help=text)
    if asked.type is bool:
        both = flag if asked.default is False else f"{flag}/--no-{flag[2:]}"
        return click.option(both, asked.name, is_flag=True, default=None, help=text)
    how: dict[str, Any] = {"metavar": asked.metavar}
    if asked.kind is Kind.COLUMN:
        how = {"metavar": asked.metavar or "COLUMN", "cls": ColumnOption}
    elif (asked.metavar or "").startswith("COLUMN="):
        how |= {"cls": ColumnOption, "reads": in_parts}
    return click.option(
        flag, asked.name, required=asked.required, help=text,
        type=click.Choice(asked.choices) if asked.choices else asked.type, **how,
    )  # fmt: skip


def _shown(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _run(found: Study[Any], options: dict[str, Any]) -> None:
    from alc_core.present.renderers import terminal_text
    from alc_core.runtime.progress import Reporter
    from alc_core.studies.study import Viewpoint, checked, result_blocks

    outputs = Outputs(options)
    with ExitStack() as stack:
        store = None
        if options.get("campaign_file"):
            store = stack.enter_context(open_campaign(options["campaign_file"]))
        data = _data(found, options, store)
        given = {
            each.name: each.start if options.get(each.name) is None else options[each.name]
            for each in found.parameters
        }
        given = dict(found.suggest(data, given))
        checked(found, data, given)
        printer = None if options["quiet"] else StepsPrinter()
        results = found.run(data, given, Reporter(progress=printer))
        if store is not None and found.kept and options.get("save", True):
            for each in results:
                found.kept.keep(store, found.keepable(each))
        look = Viewpoint(data=data, standing=data.standing)
        text = terminal_text(result_blocks(found, results, look))
    plain = [found.plain(each) for each in results]
    outputs.write_json("study", lambda: {"study": found.name, "results": plain})
    for extra in found.extras:
        outputs.write(extra.option, partial(extra.make, results))
    if not outputs.on_stdout:
        echo(text or found.nothing(data))


def _data(found: Study[Any], options: dict[str, Any], store: CampaignStore | None) -> StudyData:
    from alc_core.campaign.file.annotations import kept_settings
    from alc_core.studies.study import Need, StudyData
    from alc_core.tables.roles import Roles

    if Need.ORIGINAL not in found.needs:
        return StudyData()
    original = read_original(options)
    if store is not None:
        original = _with_its_names(store, original, options)
    releases: dict[str, Release] = {}
    for release in read_releases(options, original).values() if "releases" in options else ():
        if "hierarchies" in options:
            release = with_given_sets(options, original, release)
        if store is not None:
            release = _of_campaign(store, original, release)
        releases[release.name] = release
    refused = {name: said for name, each in releases.items() if (said := found.refusal(each))}
    if refused and len(refused) == len(releases):
        raise InputError(" ".join(refused.values()))
    for said in refused.values():
        echo(said, err=True)
    accepted = {name: each for name, each in releases.items() if name not in refused}
    missing: Missing = missing_of(options) if "missing" in options else {}
    if missing == {} and store is not None and (plan := kept_settings(store)) is not None:
        missing = plan.targets.missing
    person, household = (options[name] or _asked_with(store, name) for name in _PEOPLE)
    seed = options.get("seed")
    if seed is None:
        seed = 0 if store is None else store.settings.seed
    data = StudyData(
        table=original,
        releases=accepted,
        holdout=read_holdout(options, original) if options.get("holdout") else None,
        missing=missing,
        person=person,
        household=household,
        seed=seed,
        accept=accepted_of(options),
        tell=None if options["quiet"] else print_findings,
        standing=None if store is None else _standing(store, options),
    )
    naming = [name for name in (person, household) if name]
    return replace(data, roles=Roles.of(original, data.released, naming=naming))


def _with_its_names(store: CampaignStore, original: Table, options: dict[str, Any]) -> Table:
    named = as_attacked(store, original)
    if not original.codes:
        take_codes(options, named)
    return named


_PEOPLE = ("person", "household")


def _asked_with(store: CampaignStore | None, name: str) -> Any:
    """Return a campaign's person or household columns, if any."""
    attacks = () if store is None else store.attacks
    return next(filter(None, (getattr(each.scenario, name) for each in attacks)), None)


def _standing(store: CampaignStore, options: Mapping[str, Any]) -> CampaignStanding:
    from alc_core.campaign.findings.view import CampaignView
    from alc_core.studies.study import CampaignStanding

    view, scoring = CampaignView(store), store.settings.scoring
    if "alpha" in options:
        scoring = scoring_of(options, scoring)
    return CampaignStanding(view=view, overview=view.overview(scoring))


def _of_campaign(store: CampaignStore, original: Table, release: Release) -> Release:
    """Return a release with a campaign's name, columns and labels."""
    from alc_core.tables.names import names_of

    settings = store.settings
    fitting = names_in(settings, release)
    if not fitting:
        raise CampaignMismatchError(
            f"'{store.path}' has no release '{release.name}', only "
            f"{quoted(list(settings.releases))}. Pass one."
        )
    name = release.name if release.name in fitting else fitting[0]
    release = named_alike(original, release.renamed(name), names_of(original))
    return taken_as_in(settings, original, release)
