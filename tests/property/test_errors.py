"""Whatever a file, a name or a value holds, an error is one short printable line."""

import contextlib
import io
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alc_core.cli import main
from alc_core.phrasing import error_line, quoted
from tests.toys.hostile import WILD_NAMES


def is_short_line(line):
    turned = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    return len(line) <= 300 and not any(
        unicodedata.category(each) in ("Cc", "Cs", "Zl", "Zp")
        or unicodedata.bidirectional(each) in turned
        for each in line
    )


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(max_size=20) | st.sampled_from(WILD_NAMES), max_size=5))
def test_an_error_is_one_short_printable_line(names):
    assert is_short_line(error_line(" ".join(names)))
    line = error_line(f"Columns {quoted(names)} are missing. Choose another.")
    assert is_short_line(line)
    assert line.startswith("Columns ")
    assert line.endswith(" Choose another.")


@pytest.mark.parametrize("name", WILD_NAMES)
@pytest.mark.parametrize(
    "command",
    [
        ("findings", "{}"),
        ("report", "{}", "--html", "{}"),
        ("gate", "{}", "--data", "{}"),
        ("check", "--original", "{}", "--release", "{}"),
        ("audit", "{}"),
        ("attacks", "--plugin", "{}.py"),
        ("schema", "{}"),
        ("{}", "--{}"),
        ("dashboard", "--settings", "{}"),
    ],
)
def test_commands_end_in_one_short_line(command, name):
    said = io.StringIO()
    with contextlib.redirect_stderr(said), pytest.raises(SystemExit) as end:
        main([part.format(name) for part in command])
    assert end.value.code == 2
    (line,) = said.getvalue().splitlines()
    assert line.startswith("Error: ")
    assert is_short_line(line)
