"""Names from data in blocks: shown as they are, and never obeyed."""

import pytest

from alc_core.present.blocks import (
    Beside,
    Chip,
    Facts,
    Figure,
    Fold,
    Grid,
    Heading,
    Items,
    Metric,
    Metrics,
    Remark,
    Text,
    Tone,
)
from alc_core.present.renderers import blocks_html, terminal_text

NASTY = "<script>alert('x')</script> **b** $y$ \x1b[2J\r"
NESTED = Beside(((Text(NASTY),), (Fold(NASTY, (Items((NASTY,)),)),)))


def every(text):
    """Each kind of block, with a text wherever it has one."""
    yield Heading(text)
    yield Text(text, strong=True)
    yield Chip("below limit", text)
    yield Facts(((text, text),), title=text)
    yield from (Remark(text, tone, lead=text) for tone in Tone)
    yield Items((text, text), quiet=True)
    yield Metrics((Metric(text, text, text),))
    yield Grid(header=(text, "b"), rows=((text, text),), alt=text, title=text, help=text)
    yield NESTED


def test_a_terminal_obeys_no_name():
    shown = terminal_text(every(NASTY))
    assert "\x1b" not in shown
    assert "\r" not in shown
    assert shown.count("<script>") > 15


def test_a_document_obeys_no_name():
    shown = blocks_html(every(NASTY), lambda figure: "")
    assert "<script" not in shown
    assert shown.count("&lt;script&gt;") > 15


@pytest.mark.parametrize("show", [terminal_text, lambda b: blocks_html(b, lambda f: f.name)])
def test_figures_are_drawn_only_where_they_are_shown(show):
    def draw():
        raise AssertionError

    assert "\n" not in show([Figure("name", draw, "alt")])


@pytest.mark.parametrize("labels", [("a",), ("a", "a longer one"), ("a" * 90,)])
def test_facts_stand_below_each_other_in_lines_of_a_width(labels):
    facts = Facts(tuple((label, "words " * 40 + "12%") for label in labels))
    lines = terminal_text([Text("12% " * 40), facts], width=60).split("\n")
    assert max(map(len, lines)) <= 90 + 1
    assert not [line for line in lines if line.startswith("%")]
    (gap,) = {len(line) - len(line.lstrip()) for line in lines if line.startswith(" ")}
    assert gap == min(max(map(len, labels)) + 3, 30)
    assert lines.count("") == 1


def test_without_a_width_no_text_is_broken():
    text = "words " * 40 + "end"
    assert terminal_text([Text(text), Facts((("a", text),))]) == f"{text}\na:  {text}"


def test_columns_of_a_table_are_as_wide_as_what_they_hold():
    table = Grid(header=("a", "long title"), rows=(("value", "1"),), alt="")
    assert terminal_text([table]) == "a      long title\nvalue           1"
