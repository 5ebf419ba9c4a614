"""What may import what: the rooms, their order, and what only some may load."""

import ast
import importlib
import importlib.metadata
import inspect
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from functools import cache
from pathlib import Path

import alc_core

PACKAGE = Path(alc_core.__file__).parent
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if "site" not in path.parts)

ROOMS = [
    "arrays", "errors", "parameter", "phrasing", "plain_values", "note", "glossary", "version",
    "spreadsheet",
    "runtime", "present", "team",
    "tables.values", "tables.formats", "tables", "tables.labels", "tables.codes", "tables.apart",
    "tables.checks", "linked", "scoring", "scenario", "releases",
    "releases.samples", "baselines", "group_posterior", "attacks", "measures",
    "assessment", "review.attack_words", "campaign",
    "campaign.plan", "campaign.file", "campaign.rescore", "campaign.findings", "campaign.run",
    "explain", "studies.members", "studies.holdout", "studies.utility",
    "studies.rapid", "studies.relative_threat",
    "candidates", "studies.remedies", "studies.learning", "studies.risk_numbers", "compare",
    "figures", "studies.study", "studies.utility.figures", "studies.utility.risk_map",
    *(f"studies.{name}.{part}" for name in ("holdout", "learning", "rapid", "relative_threat",
                                            "risk_numbers") for part in ("figures", "study")),
    "studies.dependence", "studies.prior", "studies.remedies.study", "studies.utility.study",
    "report.sections", "studies",
    "review", "report", "report.html",
    "dashboard", "dashboard.choices", "dashboard.state", "dashboard.work", "dashboard.parts",
    "dashboard.findings", "dashboard.start", "dashboard.data", "dashboard.attack",
    "dashboard.one_attack", "dashboard.remedies", "dashboard.decision", "dashboard.statistics",
    "dashboard.app", "dashboard.methods", "cli.parts", "cli",
]  # fmt: skip
"""From the ground up: a room imports from itself and from those before it."""

FACES = ("alc_core", "alc_core.__main__")
"""The public names and the command; nothing inside imports from them."""

MAY_LOAD = {
    "streamlit": ("dashboard",),
    "plotly": ("dashboard", "figures", "report", "present", "studies"),  # The last three: types
    "sqlite3": ("campaign.file", "tables.formats"),
}


def name_of(path):
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


NAMES = {name_of(path): path for path in MODULES}


def room_of(module):
    """The innermost room that holds a module."""
    room = module.removeprefix("alc_core.")
    while room not in ROOMS:
        assert "." in room, f"{module} is in no room of this test's list"
        room = room.rpartition(".")[0]
    return room


def for_types_only(tree):
    """The nodes under ``if TYPE_CHECKING:``, which never run."""
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            yield from ast.walk(node)


@cache
def imported(path, *, at_run_time=False):
    """All modules that a file imports, at its top or later."""
    found = []
    tree = ast.parse(path.read_text(encoding="utf-8"))
    left_out = set(for_types_only(tree)) if at_run_time else set()
    for node in ast.walk(tree):
        if node in left_out:
            continue
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                found.append(name if name in NAMES else node.module)
    return found


def inner():
    return ((name, path) for name, path in NAMES.items() if name not in FACES)


def test_no_import_runs_up():
    for name, path in inner():
        for other in imported(path):
            if other.split(".")[0] == "alc_core":
                assert other not in FACES, f"{name} imports {other}"
                up = ROOMS.index(room_of(other)) > ROOMS.index(room_of(name))
                assert not up, f"{name} imports {other}, which lies above it"


def test_no_modules_import_each_other_in_a_circle():
    arrows = {
        name: {other for other in imported(path, at_run_time=True) if other in NAMES}
        for name, path in inner()
    }
    done, under_way = set(), []

    def visit(name):
        assert name not in under_way, " -> ".join([*under_way, name])
        if name not in done:
            under_way.append(name)
            for other in arrows.get(name, ()):
                visit(other)
            under_way.pop()
            done.add(name)

    for name in arrows:
        visit(name)


def test_no_two_classes_have_one_name():
    found = defaultdict(set)
    for name, path in NAMES.items():
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].add(name)
    assert not {name: of for name, of in found.items() if len(of) > 1}


BY_NAME = {"tables.apart", "tables", "cli"}
"""Plug-ins, jobs of the reading child, and what a format or a command loads when asked for."""


def test_no_other_module_is_imported_by_a_string():
    for name, path in inner():
        if room_of(name) not in BY_NAME and name != "alc_core.runtime.plugins":
            assert "import_module" not in path.read_text("utf-8"), name


def test_no_page_borrows_from_another_pages_room():
    shared = {f"dashboard.{name}" for name in ("choices", "state", "work", "parts")}
    pages = {
        path: {room_of(other) for other in imported(path) if other.startswith("alc_core.dashboard")}
        for path in (PACKAGE.parent / "pages").glob("*.py")
    }
    rooms = {path: found - shared - {"dashboard"} for path, found in pages.items()}
    own = {room for found in rooms.values() for room in found}
    assert all(len(found) <= 1 for found in rooms.values()), rooms
    for name, path in inner():
        borrowed = {room_of(other) for other in imported(path) if other in NAMES} & own
        if room_of(name) in own:
            assert borrowed <= {room_of(name)}, f"{name} imports from {borrowed}"


def test_every_room_is_there():
    modules = defaultdict(list)
    for name, path in inner():
        if path.name != "__init__.py":
            modules[path.parent].append(name)
    places = {room: PACKAGE / room.replace(".", "/") for room in ROOMS}
    modules_alone = {room for room, place in places.items() if not place.is_dir()}
    assert all(places[room].with_suffix(".py").is_file() for room in modules_alone)
    assert {name.removeprefix("alc_core.") for name in modules[PACKAGE]} <= modules_alone


def test_rooms_load_only_what_they_may():
    for name, path in inner():
        for other in imported(path):
            allowed = MAY_LOAD.get(other.split(".")[0])
            room = room_of(name)
            fits = allowed is None or any(f"{room}.".startswith(f"{a}.") for a in allowed)
            assert fits, f"{name} imports {other}"


def bare(requirement):
    return re.split(r"[^\w-]", requirement)[0].lower()


def test_what_is_imported_is_asked_for():
    """The tests' environment has more than the wheel asks for, and would not tell."""
    project = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    asked = [*project["dependencies"], *extras["cluster"], *extras["duckdb"]]
    brought = [
        each for name in map(bare, asked) for each in importlib.metadata.requires(name) or ()
    ]
    names = {bare(each) for each in (*asked, *brought) if "extra ==" not in each}
    given = importlib.metadata.packages_distributions()
    sites = (*(PACKAGE.parent / "pages").glob("*.py"), PACKAGE.parent / "app.py")
    for path in (*MODULES, *sites):
        for other in {name.partition(".")[0] for name in imported(path)}:
            if other not in sys.stdlib_module_names and other not in ("alc_core", "__future__"):
                assert names & set(map(bare, given[other])), f"{path.name} imports {other}"


def test_importing_the_package_loads_no_drawing_no_models_and_changes_no_global_state():
    code = (
        "import random, sys, warnings\n"
        "filters, state = list(warnings.filters), random.getstate()\n"
        "import alc_core\n"
        "alc_core.Scenario, alc_core.read_table, alc_core.assess\n"
        "heavy = {'streamlit', 'plotly', 'sklearn', 'numba', 'statsmodels'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
        "assert random.getstate() == state\n"
        "added = [f for f in warnings.filters if f not in filters]\n"
        "assert not [f for f in added if 'alc' in str(f)], added\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_public_names_exist_and_are_documented():
    assert len(alc_core.__all__) == len(set(alc_core.__all__))
    for name in alc_core.__all__:
        public = getattr(alc_core, name)
        if name not in ("__version__", "Predictor"):
            assert public.__doc__, name


def test_public_names_have_an_example():
    lacking = set()
    for name in alc_core.__all__:
        public = getattr(alc_core, name)
        documented = (public, *getattr(public, "__dict__", {}).values())
        if not any(">>>" in (inspect.getdoc(each) or "") for each in documented):
            lacking.add(name)
    assert lacking == {"__version__", "Predictor"}


def test_benchmarks_import_what_is_there():
    for path in sorted((PACKAGE.parent / "benchmarks").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("alc_core."):
                module = importlib.import_module(node.module)
                for name in (each.name for each in node.names):
                    assert hasattr(module, name), f"{path.name}: {node.module}.{name}"
