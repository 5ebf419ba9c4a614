"""What may import what."""

import ast
import subprocess
import sys
from pathlib import Path

import alc_core

PACKAGE = Path(alc_core.__file__).parent
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if "site" not in path.parts)

MAY_IMPORT = {"streamlit": {"dashboard"}, "plotly": {"dashboard", "document", "figures"}}


def room(path):
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else ""


def imported(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def test_importing_the_package_loads_no_drawing_no_models_and_changes_no_global_state():
    code = (
        "import random, sys, warnings\n"
        "filters, state = list(warnings.filters), random.getstate()\n"
        "import alc_core\n"
        "heavy = {'streamlit', 'plotly', 'sklearn', 'numba', 'statsmodels'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
        "assert random.getstate() == state\n"
        "added = [f for f in warnings.filters if f not in filters]\n"
        "assert not [f for f in added if 'alc' in str(f)], added\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_only_the_drawing_rooms_import_streamlit_and_plotly():
    for path in MODULES:
        for name in imported(path):
            allowed = MAY_IMPORT.get(name.split(".")[0])
            assert allowed is None or room(path) in allowed, f"{path} imports {name}"


def test_the_core_knows_nothing_of_dashboard_figures_and_command_line():
    outer = {"dashboard", "document", "figures", "cli"}
    for path in MODULES:
        if room(path) in outer or path.stem in ("cli", "__main__"):
            continue
        for name in imported(path):
            parts = name.split(".")
            assert parts[0] != "alc_core" or not (set(parts[1:2]) & outer), f"{path}: {name}"


def test_the_document_is_drawn_for_the_command_line_and_the_dashboard_only():
    for path in MODULES:
        names = [name for name in imported(path) if name.startswith("alc_core.document")]
        assert not names or room(path) in {"document", "dashboard", "cli"}, f"{path}: {names}"
    for path in (path for path in MODULES if room(path) == "document"):
        names = {name.split(".")[1] for name in imported(path) if name.startswith("alc_core.")}
        assert not names & {"dashboard", "cli"}, path


def test_scores_and_curves_stay_pure():
    for stem in ("scores", "curves", "intervals"):
        names = set(imported(PACKAGE / f"{stem}.py"))
        assert not {name for name in names if "tables" in name or "assess" in name}


def test_public_names_exist_and_are_documented():
    assert len(alc_core.__all__) == len(set(alc_core.__all__))
    for name in alc_core.__all__:
        public = getattr(alc_core, name)
        if name not in ("__version__", "Predictor"):
            assert public.__doc__, name
