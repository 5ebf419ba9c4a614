"""The documentation: links lead somewhere, code runs, the site asks for nothing elsewhere."""

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
import urllib.parse
from html.parser import HTMLParser
from pathlib import Path

import click
import hatchling.build
import pytest
from statsmodels.datasets import fair

import alc_core as alc
from alc_core.cli import COMMANDS, cli, main
from alc_core.releases.samples.demo import write_demos
from alc_core.studies.utility import measuring
from tests.toys.small_demo import some_people

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))
READABLE = [*PAGES, *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"))]

CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


QUICK = """
from alc_core.assessment import loop
from alc_core.baselines import families
loop.default_families = families.default_families = lambda: (families.NaiveBayes(),)
from statsmodels.datasets import fair
from tests.toys.small_demo import some_people
fair.load_pandas = some_people
from alc_core.studies.utility import measuring
measuring.TREES, measuring.available_threads = 10, lambda: 1
"""


def named(path):
    return path.name


def load(name):
    spec = importlib.util.spec_from_file_location(f"docs_{name}", DOCS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


HOOKS, FENCE = load("hooks"), load("examples").FENCE


def blocks(page, language):
    """The code blocks of a page that are to run, in order."""
    return [
        code
        for skipped, found, code in FENCE.findall(page.read_text("utf-8"))
        if found == language and not skipped
    ]


def anchors(page):
    """The anchors that headings get, here and on the usual hosts of repositories."""
    text = CODE.sub(
        lambda code: re.sub(r"^#", "", code[0], flags=re.MULTILINE), page.read_text("utf-8")
    )
    titles = re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)
    return {
        re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", title.lower())).strip("-")
        for title in titles
    }


@pytest.mark.parametrize("page", READABLE, ids=named)
def test_links_and_pictures_lead_somewhere(page):
    text = CODE.sub("", page.read_text("utf-8"))
    for link in LINK.findall(text):
        target, _, anchor = link.partition("#")
        if urllib.parse.urlsplit(target).scheme:
            assert target.startswith("https://"), link
            continue
        place = (page.parent / target).resolve() if target else page
        assert place.exists(), link
        if anchor:
            assert anchor in anchors(place), link


def test_every_page_and_picture_is_used():
    menu = (ROOT / "mkdocs.yml").read_text("utf-8")
    for page in PAGES:
        assert f": {page.name}\n" in menu, page.name
    written = "".join(page.read_text("utf-8") for page in READABLE)
    pictures = sorted((DOCS / "images").glob("*.png"))
    for picture in pictures:
        assert picture.name in written, picture.name
    assert sum(picture.stat().st_size for picture in pictures) < 1.5e6


def test_every_picture_says_what_it_shows():
    for page in READABLE:
        for text in re.findall(r"!\[([^\]]*)\]\(", page.read_text("utf-8")):
            assert len(text.split()) > 5, f"{page.name}: {text!r}"


@pytest.mark.slow
@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p, "python")], ids=named)
def test_python_blocks_run_one_after_another(page, tmp_path):
    # In a process of its own: what a page registers must not reach other tests.
    run = subprocess.run(
        [sys.executable, "-c", "\n".join([QUICK, *blocks(page, "python")])],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr


HAS_R = (
    shutil.which("Rscript")
    and not subprocess.run(
        ["Rscript", "-e", "library(jsonlite)"], capture_output=True, check=False
    ).returncode
)


@pytest.mark.slow
@pytest.mark.skipif(not HAS_R, reason="needs R with jsonlite (r-base-core, r-cran-jsonlite)")
def test_r_blocks_run_one_after_another(tmp_path):
    program, script = tmp_path / "alc", tmp_path / "page.R"
    start = f"import sys\nsys.path.insert(0, {str(ROOT)!r}){QUICK}from alc_core.cli import main"
    program.write_text(f"#!{sys.executable}\n{start}\nif __name__ == '__main__':\n    main()\n")
    program.chmod(0o755)
    # Further processes would have the usual baselines.
    (tmp_path / "alc.toml").write_text("[campaign]\njobs = 1\n")
    page = (DOCS / "from-r.md").read_text("utf-8")
    script.write_text("\n".join(re.findall(r"^```r\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)))
    paths = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["Rscript", script], cwd=tmp_path, env={**os.environ, "PATH": paths},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert re.search(r"^\d+ +released +job ", done.stdout, re.MULTILINE)
    assert (tmp_path / "findings.pdf").stat().st_size


def test_a_package_made_as_described_brings_its_attack(tmp_path, monkeypatch):
    page = (DOCS / "write-your-own.md").read_text("utf-8")
    (project,) = re.findall(r"^```toml\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    code = [code for _, of, code in FENCE.findall(page) if of == "python"]
    registered = next(each for each in code if "alc.register_attack(" in each)
    (tmp_path / "pyproject.toml").write_text(project)
    package = tmp_path / "my_attacks"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "same_first_fact.py").write_text("\n".join((code[0], registered)))
    monkeypatch.chdir(tmp_path)
    wheel = hatchling.build.build_wheel(str(tmp_path))
    shutil.unpack_archive(tmp_path / wheel, tmp_path / "installed", "zip")
    run = subprocess.run(
        [sys.executable, "-m", "alc_core", "attacks"], check=True, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(tmp_path / "installed"), str(ROOT)))},
    )  # fmt: skip
    assert "same first fact" in run.stdout


def test_the_metric_for_sdmetrics_has_the_tools_own_number():
    pytest.importorskip("sdmetrics")
    found = FENCE.findall((DOCS / "python.md").read_text("utf-8"))
    (code,) = (code for skipped, _, code in found if "needs sdmetrics" in skipped)
    demo = alc.load_demo("fair")
    names = {"alc": alc, "demo": demo, "people": demo.original.frame}
    exec(code, names)
    release = demo.releases["80% swapped"]
    own = alc.assess(demo.original, release, alc.Scenario(["age"], "religious")).decisive_alc
    metric, frame = names["AnonymityLoss"], release.tables[0].frame
    assert metric.compute(names["people"], frame, known=["age"], unknown="religious") == own
    assert 0 <= metric.normalize(own) <= 1


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fair, "load_pandas", some_people)
        write_demos(folder / "demo")
        yield folder / "demo"


def commands(page):
    """The commands of a page that are to run, each as a list of words."""
    lines = "".join(blocks(page, "sh")).replace("\\\n", " ").splitlines()
    return [shlex.split(line, comments=True) for line in lines if line.strip()]


@pytest.mark.slow
@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p, "sh")], ids=named)
def test_commands_run_one_after_another(page, demo, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(measuring, "TREES", 10)
    monkeypatch.setattr(measuring, "available_threads", lambda: 1)
    if ["alc", "demo", "demo"] not in commands(page):
        shutil.copytree(demo, tmp_path / "demo")
    for program, *arguments in commands(page):
        assert program == "alc", program
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert ended.value.code == 0, f"{arguments}: {capsys.readouterr().err}"


def click_commands():
    return {name: cli.get_command(click.Context(cli), name) for name in COMMANDS}


def test_every_command_has_its_section_with_all_options():
    page = DOCS / "command-line.md"
    assert sorted(HOOKS.OPTIONS.findall(page.read_text("utf-8"))) == sorted(COMMANDS)
    filled = HOOKS.on_page_markdown(page.read_text("utf-8"))
    for name, command in click_commands().items():
        section = filled.partition(f"## alc {name}\n")[2].partition("\n## ")[0]
        assert section, name
        for param in command.params:
            for option in (*param.opts, *param.secondary_opts):
                shown = option if option.startswith("-") else param.metavar or option.upper()
                assert shown in section, f"alc {name} {option}"


def test_options_named_in_the_text_exist():
    known = {
        option
        for command in click_commands().values()
        for param in command.params
        for option in (*param.opts, *param.secondary_opts)
    }
    others = {"--help", "--help-all", "--version", "--host", "--nworkers", "--nthreads", "--strict"}
    for page in [p for p in READABLE if p.name not in ("benchmarks.md", "known-leaks.md")]:
        for code in CODE.findall(page.read_text("utf-8")):
            for option in re.findall(r"(?<![\w-])--[a-z][a-z-]+", code):
                assert option in known | others, f"{page.name}: {option}"


def test_every_public_name_is_listed():
    import alc_core

    filled = HOOKS.on_page_markdown((DOCS / "python.md").read_text("utf-8"))
    for name in set(alc_core.__all__) - {"__version__", "Predictor"}:
        assert f"| `{name}` |" in filled, name


def test_every_room_is_in_the_table_of_rooms():
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    for path in (ROOT / "alc_core").iterdir():
        room = f"`{path.name}/`" if path.is_dir() else f"`{path.stem}`"
        if not path.name.startswith("__") and path.suffix in ("", ".py"):
            assert room in text, room


class Requests(HTMLParser):
    """What a browser fetches by itself to show a page."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag == "link" and given.get("rel") not in ("canonical", "prev", "next"):
            self.found.append(given.get("href", ""))
        elif tag != "a":
            self.found += [given[name] for name in ("src", "srcset", "data") if given.get(name)]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    pytest.importorskip("material", reason="the extra docs is not installed")
    folder = tmp_path_factory.mktemp("site")
    run = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return folder


@pytest.mark.slow
def test_the_site_asks_for_nothing_elsewhere(site):
    pages = sorted(site.rglob("*.html"))
    assert len(pages) >= len(PAGES)
    for page in pages:
        parser = Requests()
        parser.feed(page.read_text("utf-8"))
        assert len(parser.found) > 5, page.name
        for address in parser.found:
            assert not re.match(r"(\w+:)?//", address), f"{page.name}: {address}"
    for style in site.rglob("*.css"):
        found = re.findall(r"url\(\s*['\"]?((?:\w+:)?//[^)]*)|@import", style.read_text("utf-8"))
        assert not found, f"{style.name}: {found}"


@pytest.mark.slow
def test_the_site_holds_what_is_read_from_the_program(site):
    commands = (site / "command-line.html").read_text("utf-8")
    assert "<!-- options" not in commands
    assert "--max-interval-width" in commands
    assert (site / "fonts" / "plex-sans.woff2").read_bytes().startswith(b"wOF2")
