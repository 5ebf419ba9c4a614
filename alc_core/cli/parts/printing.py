"""What commands print, and say on stderr."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from alc_core.errors import InputError, TableReadError
from alc_core.phrasing import count, error_line, in_list, printable

if TYPE_CHECKING:
    from alc_core.runtime.progress import Progress
    from alc_core.tables.checks.finding import Finding

_SECONDS_BETWEEN_READING = 4.0


def echo(text: object = "", *, err: bool = False, nl: bool = True) -> None:
    """Print a text, escaping what the terminal would obey or cannot show."""
    click.echo(_shown(str(text)), err=err, nl=nl)


def _shown(text: str) -> str:
    return text if text.isprintable() else "\n".join(map(_line, text.split("\n")))


def _line(line: str) -> str:
    end = "\r" if line.endswith("\r") else ""
    return "\t".join(map(printable, line.removesuffix("\r").split("\t"))) + end


def ended(code: int, why: str) -> int:
    """Return an exit code, and say on stderr why it is not 0."""
    if code:
        echo(error_line(f"Exit code {code}: {why}"), err=True)
    return code


def write_out(out: str, content: str | bytes, *, append: bool = False) -> None:
    """Write to a file, or to stdout if it is a hyphen.

    Only a terminal gets escapes.
    """
    if out == "-" and isinstance(content, str) and sys.stdout.isatty():
        echo(content.removesuffix("\n"))
        return
    data = content.encode(errors="backslashreplace") if isinstance(content, str) else content
    if out == "-":
        click.echo(data, nl=False)
        return
    try:
        with Path(out).open("ab" if append else "wb") as file:
            file.write(data)
    except OSError as error:
        raise InputError(f"'{out}' cannot be written: {error.strerror}.") from None


def out_option(name: str, help: str) -> Callable[[Any], Any]:  # noqa: A002
    """Return an option for an output file; see :class:`Outputs`."""
    return click.option(f"--{name}", f"{name.replace('-', '_')}_out", metavar="OUT", help=help)


class Outputs:
    """A command's output files, checked before anything runs."""

    def __init__(self, options: Mapping[str, Any], **updates: str) -> None:
        """Refuse unwritable outputs; `updates`: options whose file an output may be."""
        self._files = {
            name.removesuffix("_out"): str(out)
            for name, out in options.items()
            if out and name.endswith("_out")
        }
        taken: set[Path] = set()
        for name, out in self._files.items():
            check_writable(out)
            path = Path(out).resolve()
            if path in taken and (out == "-" or path.is_file() or not path.exists()):
                which = "'-', stdout" if out == "-" else f"'{out}'"
                raise InputError(f"Two outputs are {which}. Name another file.")
            taken.add(path)
            if (
                out != "-"
                and path.is_file()
                and any(map(path.samefile, _files_read(but=updates.get(name))))
            ):
                raise InputError(f"'{out}' is an input. Name another file.")

    def __contains__(self, name: str) -> bool:
        return name in self._files

    @property
    def on_stdout(self) -> bool:
        """Whether stdout is an output, so nothing else is printed there."""
        return "-" in self._files.values()

    def remove_old(self) -> None:
        """Remove an earlier run's outputs, which a failing one would leave."""
        for path in (Path(out) for out in self._files.values() if out != "-"):
            if path.is_file():
                path.unlink()

    def write(self, name: str, content: Callable[[], str | bytes]) -> None:
        """Write an option's output, if given."""
        if out := self._files.get(name):
            write_out(out, content())

    def write_json(self, command: str, content: Callable[[], object]) -> None:
        """Write a command's JSON, if requested."""
        if "json" in self:
            from alc_core.report.json_shapes import json_text

            self.write("json", lambda: json_text(command, content()))

    def tell(self) -> None:
        """Say on stderr what was written."""
        for out in self._files.values():
            if out != "-":
                echo(f"Wrote {out}.", err=True)


def _files_read(*, but: str | None) -> Iterator[str]:
    """Yield the running command's input files that exist.

    Without those of option `but`.
    """
    from alc_core.tables.formats.recognise import located

    context = click.get_current_context()
    for param in context.command.params:
        if isinstance(param.type, click.Path) and param.name != but:
            given = context.params.get(param.name or "") or ()
            for text in (given,) if isinstance(given, str) else given:
                for name in filter(None, (text, text.partition("=")[2])):
                    with suppress(TableReadError):
                        yield from (file for file in located(name, None)[1] if Path(file).exists())


def check_writable(out: str) -> None:
    """Refuse an unwritable output."""
    path = Path(out)
    if out != "-" and path.is_dir():
        raise InputError(f"'{out}' is a directory. Name a file.")
    if not path.parent.is_dir():
        raise InputError(f"The directory of '{out}' does not exist. Create it.")


def finding_line(finding: Finding) -> str:
    """Return a finding as one line."""
    text = f"{finding.severity} [{finding.code}] {finding.place}: {finding.message}"
    answers = [part.answers[0] for part in finding.parts or (finding,)]
    accept = shlex.quote(",".join(map(in_list, answers)))
    how = f" Accept: --accept {accept}" if finding.severity == "question" else ""
    offered = options_of((offer.option, offer.value) for offer in finding.offers)
    if use := offered or finding.sentence.option:
        how += f" Use: {use}"
    return f"{text} {finding.action}{how}".rstrip()


def options_of(answers: Iterable[tuple[str, str]]) -> str:
    """Return options and values for a POSIX shell."""
    return " ".join(f"--{option} {shlex.quote(value)}" for option, value in answers)


def print_findings(findings: Sequence[Finding]) -> None:
    """Print findings that do not stop the run, each kind once."""
    from alc_core.tables.checks.finding import grouped

    for finding in grouped(findings):
        if not finding.blocking:
            echo(finding_line(finding), err=True)


def print_warnings(findings: Sequence[Finding]) -> None:
    """Print warnings, and the number of other findings."""
    from alc_core.phrasing import numbered
    from alc_core.tables.checks.finding import Severity, grouped

    informing = [finding for finding in findings if finding.severity is Severity.INFO]
    print_findings([finding for finding in findings if finding.severity is not Severity.INFO])
    if informing:
        only = numbered(len(grouped(informing)), "finding")
        echo(f"For information only: {only}; see 'alc check'.", err=True)


class ProgressPrinter:
    """Prints stage changes on stderr, and news once a second."""

    def __init__(self) -> None:
        self._stage = self._line = ""
        self._printed = 0.0

    def __call__(self, progress: Progress) -> None:
        """Print, if it is time to."""
        now = time.monotonic()
        if progress.stage == self._stage and now < self._printed + 1:
            return
        self._stage, self._printed = progress.stage, now
        amount = ""
        if progress.done:
            people = " people so far," if progress.of == "people" else ""
            amount = f": {count(progress.done)}{people} of {count(progress.total)}"
        line = f"{progress.stage}{amount}"
        if line != self._line:
            self._line = line
            echo(line, err=True)


class StepsPrinter:
    """Prints a line on stderr for each step of a run, with findings."""

    def __init__(self) -> None:
        self._printed = ""

    def __call__(self, progress: Progress) -> None:
        """Print what was not printed yet."""
        steps = (
            f": {count(progress.done)} of at most {count(progress.total)} steps"
            if progress.total
            else ""
        )
        line = f"{progress.stage}{steps}. {progress.remark}".strip()
        if line != self._printed:
            self._printed = line
            echo(line, err=True)


class ReadingPrinter:
    """Reports slow reading on stderr every few seconds."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._next = _SECONDS_BETWEEN_READING

    def __call__(self, elapsed: float, limit: float) -> None:
        """Print, if it is time to."""
        if elapsed < self._next:
            return
        self._next = elapsed + _SECONDS_BETWEEN_READING
        given_up = f"given up after {count(round(limit))} s"
        echo(f"Reading '{self._name}' for {elapsed:.0f} s; {given_up}", err=True)


class CampaignBar:
    """Shows attacks done, rate and findings on stderr."""

    def __init__(self) -> None:
        self._bar: Any = None

    def __enter__(self) -> CampaignBar:
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the bar as it stands."""
        if self._bar is not None:
            self._bar.close()

    def __call__(self, progress: Progress) -> None:
        """Draw the progress; before attacks, the stage on its own line."""
        from tqdm import tqdm

        if progress.of != "attacks":
            if progress.done == 0:
                echo(progress.stage, err=True)
            return
        if self._bar is None:
            self._bar = tqdm(
                total=progress.total,
                initial=progress.done,
                desc=progress.stage,
                unit=" attacks",
                file=sys.stderr,
                dynamic_ncols=True,
                mininterval=0.5,
            )
        self._bar.set_postfix_str(progress.remark, refresh=False)
        self._bar.update(progress.done - self._bar.n)
