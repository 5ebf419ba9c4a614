"""Every option that names columns takes their codes, too."""

import click
import pytest

from alc_core.cli import COMMANDS, cli
from alc_core.cli.parts.codes import ColumnOption, before_sign, behind, conditions, in_parts
from alc_core.cli.study import study

NAMED = {"K01": "age", "K07": "job"}
# What an option says of columns of a campaign's file, which has no table to read
BESIDE = {("gate", "--allow")}


def commands():
    context = click.Context(cli)
    for name in COMMANDS:
        command = cli.get_command(context, name)
        if command is study:
            for each in study.list_commands(context):
                yield each, study.get_command(context, each)
        else:
            yield name, command


def named(text):
    return NAMED.get(text, text)


def test_each_option_whose_value_names_a_column_knows_it():
    told = [
        (name, param.opts[0])
        for name, command in commands()
        for param in command.params
        if "COLUMN" in (param.metavar or "") or (param.metavar or "") == "CONDITION"
        if not isinstance(param, ColumnOption)
    ]
    assert set(told) == BESIDE


@pytest.mark.parametrize(
    ("reads", "given", "read"),
    [
        (before_sign, ("K07=?,n/a", "K01 = 9", "K07"), ("job=?,n/a", "age= 9", "K07")),
        (behind("="), ("pay=K07", "b.csv=K07=K07"), ("pay=job", "b.csv=K07=job")),
        (behind(":"), ("no-value:K07", "no-value:b.csv:K07", "K07"),
         ("no-value:job", "no-value:b.csv:job", "job")),
        (in_parts, "K01=35,K07=smith", "age=35,job=smith"),
        (conditions, ("K07=a,b", "K01"), ("job=a,b", "age")),
        (ColumnOption(["--x"]).reads, (("K01", "sex"), ("K07",)), (("age", "sex"), ("job",))),
        (ColumnOption(["--x"]).reads, {"K01": 3}, {"age": 3}),
        (ColumnOption(["--x"]).reads, "K01", "age"),
    ],
)  # fmt: skip
def test_what_an_option_holds_is_read_by_names(reads, given, read):
    assert reads(given, named) == read
