"""The README is short, its Python runs, and its two commands do all the set-up."""

import re
from pathlib import Path

import yaml

from alc_core import __version__
from alc_core.scoring.verdict import Verdict

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "README.md").read_text("utf-8")


def test_python_blocks_run_one_after_another(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL)
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "README.md", "exec"), names)
    said = re.fullmatch(r"(\D+) (\S+) \((\S+), (\S+)\)\n", capsys.readouterr().out)
    assert said
    assert said[1] in list(map(str, Verdict))
    loss, low, high = map(float, said.groups()[1:])
    assert low <= loss <= high


def test_a_newcomer_reads_it_in_two_minutes():
    prose = re.sub(r"```.*?```|<!--.*?-->", "", TEXT, flags=re.DOTALL)
    assert len(prose.split()) < 500


def test_its_commands_are_targets_that_set_everything_up():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    rules = dict(re.findall(r"^(\w+):(.*)$", makefile, flags=re.MULTILINE))
    for command in re.findall(r"^make (\w+)", TEXT, flags=re.MULTILINE):
        wanted = rules[command].split()
        while wanted and "$(READY)" not in wanted:
            wanted = [other for each in wanted for other in rules[each].split()]
        assert wanted, f"make {command} does not make the virtual environment"


def test_the_citation_names_this_version_and_the_paper():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["version"] == __version__
    paper = citation["preferred-citation"]
    assert paper["title"] in TEXT
    assert [author["family-names"] for author in paper["authors"]] == ["Francis", "Wagner"]
