"""What a command imports: help and version next to nothing, an attack only what it uses."""

import json
import os
import subprocess
import sys

import pytest

import alc_core as alc
from alc_core.attacks import BUILT_IN
from alc_core.attacks.registry import attack_types
from alc_core.cli import COMMANDS, cli
from alc_core.releases import KINDS
from alc_core.releases.registry import release_types

HEAVY = {"numpy", "pandas", "pyarrow", "scipy", "sklearn", "numba", "streamlit", "plotly", "joblib"}
UNUSED = {
    "streamlit", "plotly", "matplotlib", "dask", "distributed", "openpyxl", "python_calamine",
    "pyreadstat", "jinja2", "sqlite3", "tqdm", "statsmodels", "polars", "pyarrow.parquet",
    "pyarrow.dataset", "http.server", "alc_core.dashboard", "alc_core.campaign", "alc_core.figures",
}  # fmt: skip


def imported_by(*arguments, **variables):
    """Names of all modules that a command leaves behind, in a process of its own."""
    code = (
        "import json, sys\n"
        "from alc_core.cli import main\n"
        "try:\n"
        "    main(sys.argv[1:])\n"
        "except SystemExit as ended:\n"
        "    assert not ended.code, ended.code\n"
        "print(json.dumps(sorted(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        capture_output=True, text=True, check=True, env={**os.environ, **variables},
    )  # fmt: skip
    return set(json.loads(done.stderr.splitlines()[-1]))


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_help_and_version_import_no_computing_and_no_command(option):
    found = imported_by(option)
    assert not HEAVY & found
    assert not {f"alc_core.cli.{name}" for name in COMMANDS} & found


@pytest.mark.parametrize("command", ["assess", "findings", "dashboard"])
def test_a_command_imports_no_other(command):
    found = imported_by(command, "--help")
    others = {f"alc_core.cli.{name}" for name in COMMANDS if name != command}
    assert f"alc_core.cli.{command}" in found
    assert not others & found
    assert not {*HEAVY, "alc_core.attacks.registry", "alc_core.releases.registry"} & found


def test_a_tab_imports_no_computing():
    typed = {"_ALC_COMPLETE": "bash_complete", "COMP_WORDS": "alc assess --he", "COMP_CWORD": "2"}
    assert not HEAVY & imported_by(**typed)


def test_what_help_lists_without_importing_is_what_is_registered():
    assert list(BUILT_IN) == list(attack_types())
    assert {kind: each.title for kind, each in release_types().items()} == KINDS


def test_an_attack_on_csv_imports_only_what_it_uses(people, tmp_path):
    frame = people(300)
    frame.to_csv(tmp_path / "o.csv", index=False)
    alc.swap_columns(frame, 0.2, seed=1).to_csv(tmp_path / "r.csv", index=False)
    found = imported_by(
        "assess", "--original", tmp_path / "o.csv", "--release", tmp_path / "r.csv",
        "--known", "age", "--unknown", "city", "--targets", "200", "--max-interval-width", "0.2",
        "--quiet",
    )  # fmt: skip
    assert "sklearn" in found
    assert not UNUSED & found


def test_help_says_of_each_command_what_its_own_help_begins_with():
    for name, text in COMMANDS.items():
        command = cli.get_command(None, name)
        assert command.name == name
        assert command.help.split("\n\n")[0].replace("\n", " ") == text
    assert cli.get_command(None, "nonsense") is None
