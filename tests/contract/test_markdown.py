"""Nothing that came from data reaches Streamlit's Markdown but by `literal`.

Every call that draws text and every function that returns `Markdown` is looked at: it may hold
words of ours, numbers, and what `literal` or such a function returns.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOOR = ROOT / "alc_core/dashboard/markdown.py"
FILES = sorted(
    {*ROOT.glob("alc_core/dashboard/**/*.py"), *ROOT.glob("pages/*.py"), ROOT / "app.py"} - {DOOR}
)
DRAWING = (
    "badge", "button", "caption", "checkbox", "date_input", "download_button", "draw_download",
    "draw_link", "error", "expander", "file_uploader", "form_submit_button", "header", "info",
    "latex", "link_button", "markdown", "metric", "multiselect", "number_input", "page_link",
    "pills", "popover", "progress", "radio", "segmented_control", "select_slider", "selectbox",
    "slider", "spinner", "status", "subheader", "success", "tabs", "text_area", "text_input",
    "title", "toast", "toggle", "warning",
)  # fmt: skip
"""Streamlit's calls that take text, and ours that hand it on."""

BY_PLACE = {"metric": (0, 1, 2), "draw_link": (1,), "page_link": (), "progress": ()}
"""Which arguments are text; with the others the first."""

OPTIONS = {"pills", "radio", "segmented_control"}
"""Calls whose options are Markdown, too."""

BY_NAME = {"label", "body", "help", "placeholder", "text", "captions", "delta"}
OF_OURS = {
    "alc_number", "beyond_sentence", "bool", "choice_label", "count", "explain",
    "interval_text", "loss_text", "merged_words", "methods_text", "numbered", "percent",
    "release_choice_label", "section_links", "short_duration", "told_duration",
}  # fmt: skip
"""Functions that return words of ours and numbers, of whatever is given to them."""


@cache
def trees() -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text("utf-8")) for path in FILES}


def is_markdown(annotation: ast.expr | None) -> bool:
    return annotation is not None and "Markdown" in {
        node.id for node in ast.walk(annotation) if isinstance(node, ast.Name)
    }


@cache
def of_the_type() -> set[str]:
    """Names of functions that return the type."""
    all_trees = [*trees().values(), ast.parse(DOOR.read_text("utf-8"))]
    nodes = (node for tree in all_trees for node in ast.walk(tree))
    return {n.name for n in nodes if isinstance(n, ast.FunctionDef) and is_markdown(n.returns)}


class Look(ast.NodeVisitor):
    """What a module draws, or returns as Markdown, that may hold text of data as it is."""

    def __init__(self, path: Path) -> None:
        self.path, self.around = path, [trees()[path]]
        self.found: list[str] = []
        self.looking: set[str] = set()
        self.visit(trees()[path])

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.around.append(node)
        if is_markdown(node.returns):
            for each in ast.walk(node):
                if isinstance(each, ast.Return) and each.value is not None:
                    self.check(each.value, node.name)
        self.generic_visit(node)
        self.around.pop()

    def visit_Call(self, node: ast.Call) -> None:
        name = called(node)
        drawn = name in DRAWING and not (
            isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Attribute)
        )
        for place in BY_PLACE.get(name, (0,)) if drawn else ():
            for argument in node.args[place : place + 1]:
                self.check(argument, name)
        for keyword in node.keywords:
            is_option = name in OPTIONS and keyword.arg == "format_func"
            if drawn and (is_option or keyword.arg in BY_NAME):
                self.check(keyword.value, f"{name} {keyword.arg}")
        self.generic_visit(node)

    def check(self, value: ast.expr, where: str) -> None:
        if not self.safe(value, 0):
            place = f"{self.path.relative_to(ROOT)}:{value.lineno}"
            self.found.append(f"{place} {where}: {ast.unparse(value)}")

    def safe(self, node: ast.expr, depth: int) -> bool:
        parts: list[ast.expr]
        match node:
            case _ if depth > 12:
                return False
            case ast.Constant() | ast.Compare():
                return True
            case ast.FormattedValue(format_spec=None):
                parts = [node.value]
            case ast.FormattedValue():
                return True  # a number's format, such as .2f
            case ast.JoinedStr():
                parts = node.values
            case ast.BoolOp():
                parts = node.values
            case ast.IfExp():
                parts = [node.body, node.orelse]
            case ast.BinOp():
                parts = [node.left, node.right]
            case ast.List() | ast.Tuple():
                parts = node.elts
            case ast.Starred() | ast.Subscript():
                parts = [node.value]
            case ast.Lambda():
                parts = [node.body]
            case ast.Dict():
                parts = node.values
            case ast.Attribute(attr="__getitem__"):
                parts = [node.value]
            case ast.Name(id=name) if name in of_the_type() | OF_OURS:
                return True  # what makes text of options
            case ast.GeneratorExp() | ast.ListComp():
                parts = [node.elt]
            case ast.Call() if called(node) in {"join", "lower", "replace"}:
                text = node.func.value if isinstance(node.func, ast.Attribute) else node
                parts = [text, *node.args]
            case ast.Call():
                return called(node) in of_the_type() | OF_OURS
            case ast.Name():
                if node.id in self.looking:  # in terms of itself
                    return True
                parts = list(self.meanings(node.id))
                self.looking.add(node.id)
                known = bool(parts) and all(self.safe(part, depth + 1) for part in parts)
                self.looking.discard(node.id)
                return known
            case _:
                return False
        return all(self.safe(part, depth + 1) for part in parts)

    def meanings(self, name: str) -> Iterator[ast.expr]:
        """Yield what a name stands for in the innermost place that knows it."""
        for place in reversed(self.around):
            found = list(bound(place, name))
            if found:
                yield from found
                return
        if name.isupper():  # of another module: a constant of ours
            yield ast.Constant("")


def called(node: ast.Call) -> str:
    function = node.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def bound(place: ast.AST, name: str) -> Iterator[ast.expr]:
    """Yield what is given to a name; what cannot be told comes as a name that nobody knows."""
    arguments = getattr(place, "args", None)
    if isinstance(arguments, ast.arguments):
        for each in (*arguments.args, *arguments.kwonlyargs):
            if each.arg == name:
                kind = ast.unparse(each.annotation) if each.annotation else ""
                ours = is_markdown(each.annotation) or kind in ("int", "float")
                yield ast.Constant("") if ours else ast.Set()
    for node in ast.walk(place):
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets, value = node.targets, node.value
        elif isinstance(node, (ast.AugAssign, ast.NamedExpr, ast.AnnAssign)) and node.value:
            targets, value = [node.target], node.value
        elif isinstance(node, (ast.For, ast.comprehension)):
            targets, value = [node.target], node.iter
        for target in targets:
            yield from given(
                target, value, name, loop=isinstance(node, (ast.For, ast.comprehension))
            )


def given(target: ast.expr, value: ast.expr, name: str, *, loop: bool) -> Iterator[ast.expr]:
    if isinstance(target, ast.Name) and target.id == name:
        yield from value.elts if loop and isinstance(value, (ast.Tuple, ast.List)) else [value]
    elif isinstance(target, ast.Tuple) and name in ast.unparse(target):
        place = next((i for i, t in enumerate(target.elts) if ast.unparse(t) == name), None)
        rows = value.elts if loop and isinstance(value, (ast.Tuple, ast.List)) else [value]
        for row in rows:
            if place is not None and isinstance(row, ast.Tuple) and len(row.elts) > place:
                yield row.elts[place]
            elif place is not None:
                yield row  # all of it, such as what a function of the type returns


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_text_of_data_is_drawn_by_literal_alone(path):
    assert not Look(path).found


def test_a_hole_would_be_seen(monkeypatch):
    holes = """
def draw(line, words: Markdown, n: int):
    st.button(f"Decision about {line.release}")
    left.caption(f"**{words}** {literal(line.release)} {n} {count(n)}", help=str(line))
    title = "x" if n else line.title
    st.metric("Rows", title)

def told(line) -> Markdown:
    return f"{line.release} of {count(3)}"
"""
    path = ROOT / "holes.py"
    monkeypatch.setitem(trees(), path, ast.parse(holes))
    of_the_type.cache_clear()
    assert [each.split(": ")[0].split(" ", 1)[1] for each in Look(path).found] == [
        "button", "caption help", "metric", "told",
    ]  # fmt: skip
    of_the_type.cache_clear()
