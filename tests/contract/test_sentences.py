"""The sentences of the product, as they stand in ``sentences.txt``.

Other tests hold codes, numbers and the beginnings of sentences. Whoever rewords one runs
``python tests/contract/test_sentences.py`` and reads the difference, as the reviewer will.
"""

import ast
import re
import tomllib
from html.parser import HTMLParser
from pathlib import Path

ROOT = Path(__file__).parents[2]
KEPT = Path(__file__).with_name("sentences.txt")

NO_WORDS = re.compile(
    r"\b(SELECT|CREATE|UPDATE|INSERT|DELETE|PRAGMA)\b|</?\w+[^>]*>|[{;]\n|\(\w*\)\s*=>"
)
"""SQL, HTML, styles and scripts."""


def is_sentence(text):
    words = re.findall(r"[A-Za-z]{2,}", text)
    return len(words) >= 3 and " " in text.strip() and not NO_WORDS.search(text)


def written(node):
    """A string as it is written; what is filled in later is ``{}``."""
    if isinstance(node, ast.JoinedStr):
        return "".join(map(written, node.values))
    return node.value if isinstance(node, ast.Constant) else "{}"


def strings(node):
    """The strings below a node, without docstrings and what belongs to f-strings."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.JoinedStr) or (
            isinstance(child, ast.Constant) and isinstance(child.value, str)
        ):
            if not isinstance(node, ast.Expr):
                yield written(child)
            if isinstance(child, ast.JoinedStr):
                for part in child.values:
                    yield from strings(part)
        else:
            yield from strings(child)


def values(node):
    """The texts of a file of sentences."""
    if isinstance(node, str):
        yield re.sub(r"\{[^{}]*\}", "{}", node)
    elif isinstance(node, dict | list):
        for child in node.values() if isinstance(node, dict) else node:
            yield from values(child)


class Texts(HTMLParser):
    """The texts of a template."""

    def __init__(self, source):
        super().__init__()
        self.found, self._left_out = [], False
        self.feed(re.sub(r"\{\{.*?\}\}", "{}", re.sub(r"\{[%#].*?[%#]\}", "", source, flags=re.S)))

    def handle_starttag(self, tag, attrs):
        self._left_out = tag in ("script", "style")

    def handle_endtag(self, tag):
        self._left_out = False

    def handle_data(self, data):
        if not self._left_out:
            self.found.append(data)


def sentences():
    """All sentences, in order."""
    found = set()
    for path in (ROOT / "app.py", *ROOT.glob("pages/*.py"), *ROOT.glob("alc_core/**/*.py")):
        found |= set(strings(ast.parse(path.read_text("utf-8"))))
    for path in ROOT.glob("alc_core/**/*.j2"):
        found |= set(Texts(path.read_text("utf-8")).found)
    for path in ROOT.glob("alc_core/**/*.toml"):
        found |= set(values(tomllib.loads(path.read_text("utf-8"))))
    return sorted({" ".join(text.split()) for text in found if is_sentence(text)})


def test_every_sentence_is_as_somebody_has_read_it():
    now, kept = sentences(), KEPT.read_text("utf-8").splitlines()
    new, gone = sorted(set(now) - set(kept)), sorted(set(kept) - set(now))
    assert (new, gone) == ([], []), f"Run: python {Path(__file__).relative_to(ROOT)}"


if __name__ == "__main__":
    KEPT.write_text("".join(f"{each}\n" for each in sentences()), "utf-8")
