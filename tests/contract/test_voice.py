"""Sentences shown to people keep to plain English: what reads as translated may only get rarer."""

import ast
import re
import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

ROOT = Path(__file__).parents[2]

# Constructions that read as translated, with what to write instead
PATTERNS = {
    'write "is not a …"': r"\b(?:is|are|was|were) no (?!longer|more|better|less)\w",
    "write show, say, reveal, distinguish": r"\b(?:tells?|told|telling)\b",
    "write is, appears, means": r"\b(?:stands?|stood)\b",
    "write two sentences, or a noun": r"\bwhom\b|\bof (?:which|whom|what)\b",
    "write if or when": r"(?:^|(?<=[.:;] ))Where\b",
    'write "anyone who …"': r"\b[Ww]hoever\b",
    "write the subject first": r"(?:^|(?<=[.:;(] ))Of (?!course)",
    "repeat the noun": r"\b(?:that|those) (?:of|that|who|which|whose)\b",
    "write unchanged, intended": r"\bas (?:it is|they are|it was|they were|it stands)\b",
    "write also, before the verb": r", too\b",
    "write someone, anyone, everyone": r"\b(?:[Ss]ome|[Aa]ny|[Ee]very)body\b",
    "write reveal": r"\bg(?:ives?|iven|iving|ave)\b.{0,30}\baway\b",
    "write needs attention": r"\bfor (?:a|no) look\b",
}
BUDGET = 1
"""How often they may occur in all. It only falls."""
BUDGET_OF_PAGES = 8
"""The same in README and documentation."""
PAGES = [*sorted(ROOT.glob("docs/*.md")), *(ROOT / f"{n}.md" for n in ("README", "CHANGELOG"))]


class _Texts(HTMLParser):
    """The texts of a template, outside of tags, styles and scripts."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self._skips = False
        self.feed(re.sub(r"\{\{.*?\}\}", "…", re.sub(r"\{[%#].*?[%#]\}", "", source, flags=re.S)))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._skips = tag in ("script", "style")

    def handle_endtag(self, tag: str) -> None:
        self._skips = False

    def handle_data(self, data: str) -> None:
        if not self._skips:
            self.found.append(data)


def _said(node: ast.AST) -> Iterator[str]:
    """Yield the strings below a node that are no docstrings; "…" is what is filled in."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.JoinedStr):
            yield "".join(
                each.value if isinstance(each, ast.Constant) else "…" for each in child.values
            )
        elif not (isinstance(node, ast.Expr) and isinstance(child, ast.Constant)):
            if isinstance(child, ast.Constant) and isinstance(child.value, str):
                yield child.value
            yield from _said(child)


def _leaves(node: object) -> Iterator[str]:
    if isinstance(node, str):
        yield re.sub(r"\{[^{}]*\}", "…", node)
    elif isinstance(node, dict | list):
        for each in node.values() if isinstance(node, dict) else node:
            yield from _leaves(each)


def _sentences() -> set[str]:
    texts: set[str] = set()
    for path in (ROOT / "alc_core").rglob("*"):
        match path.suffix:
            case ".py":
                texts.update(_said(ast.parse(path.read_text("utf-8"))))
            case ".j2":
                texts.update(_Texts(path.read_text("utf-8")).found)
            case ".toml":
                texts.update(_leaves(tomllib.loads(path.read_text("utf-8"))))
    lines = {" ".join(text.split()) for text in texts}
    return {line for line in lines if len(re.findall("[A-Za-z]{2,}", line)) >= 3}


def _written(page: str) -> set[str]:
    """Return the paragraphs, points and cells of a page of Markdown, without code."""
    text = re.sub(r"```.*?```|<[^>]*>", "", page, flags=re.S)
    parts = re.split(r"\n\s*\n|\n\s*(?:[-*]|\d+\.) |\s*\|\s*", text)
    return {" ".join(part.replace("*", "").split()) for part in parts if part.strip()}


def _translated(sentences: set[str]) -> list[str]:
    """Return the sentences that have such a construction, after what to write instead."""
    return [
        f"{advice}: {each}"
        for advice, pattern in PATTERNS.items()
        for each in sorted(sentences)
        if re.search(pattern, each)
    ]


def test_constructions_that_read_as_translated_only_get_rarer():
    sentences = _sentences()
    assert len(sentences) > 2_000, "the sentences of the product are read"
    found = _translated(sentences)
    assert len(found) <= BUDGET, "\n".join((f"{len(found)} of {BUDGET}:", *found))
    assert len(found) >= BUDGET - 20, f"only {len(found)} are left: lower BUDGET"


def test_pages_read_as_plain_english():
    found = _translated({each for page in PAGES for each in _written(page.read_text("utf-8"))})
    assert len(found) <= BUDGET_OF_PAGES, "\n".join((f"{len(found)}:", *found))


def test_a_sentence_that_reads_as_translated_is_found():
    said = (
        'def f(x):\n    """Whoever reads."""\n    return f"Whoever knows {x}, too" + "Of two, {}"\n'
    )
    texts = list(_said(ast.parse(said)))
    assert texts == ["Whoever knows …, too", "Of two, {}"]
    assert [sum(bool(re.search(p, text)) for p in PATTERNS.values()) for text in texts] == [2, 1]
    page = "- Plain\n  words.\n- Whoever\n  knows\n\n| a | of whom |\n\n```\nOf what\n```\n"
    assert _written(page) == {"- Plain words.", "Whoever knows", "a", "of whom"}
    assert len(_translated(_written(page))) == 2
