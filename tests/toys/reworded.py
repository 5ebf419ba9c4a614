"""The product with every sentence in other words, and the facts that must not depend on words."""

import ast
import importlib.abc
import importlib.machinery
import random
import re
import sys
from pathlib import Path
from typing import Any

from tests.toys.campaigns import run_quickly

_KEPT = ("alc_core.note", "alc_core.campaign.file", "alc_core.tables.formats")
"""Modules whose strings are data: sentences of earlier versions, SQL, words of file formats."""

_CODE = re.compile(r"[\\|_<>=@]|\(\?|SELECT|CREATE|INSERT")
_WORD = re.compile(r"(?<![{\w:.])[^\W\d_]{3,}(?![\w}(])")


class _Rewords(ast.NodeTransformer):
    """Puts other words into sentences; names, codes, types and docstrings stay."""

    def __init__(self, seed: str) -> None:
        self.rng, self.changed = random.Random(seed), 0

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        enum = any("Enum" in ast.unparse(base) for base in node.bases)
        if enum:  # values of these are codes
            node.body = [self.visit(n) if isinstance(n, ast.FunctionDef) else n for n in node.body]
            return node
        return self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        return node if isinstance(node.value, ast.Constant) else self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.value = node.value and self.visit(node.value)
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        pieces = "".join(n.value for n in node.values if isinstance(n, ast.Constant))
        sentence = " " in pieces.strip() and not _CODE.search(pieces)
        for piece in node.values:
            if isinstance(piece, ast.FormattedValue):
                piece.value = self.visit(piece.value)
            elif sentence and isinstance(piece, ast.Constant):
                piece.value = self.reworded(piece.value)
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, str) and not _CODE.search(node.value):
            words = node.value.split()
            if len(words) > 4 or (len(words) > 2 and words[-1].endswith((".", ":", ";", ","))):
                node.value = self.reworded(node.value)
        return node

    def reworded(self, text: str) -> str:
        self.changed += 1
        return _WORD.sub(lambda _: "".join(self.rng.choices("bdfgklmnoprstu", k=5)), text)


class _Loader(importlib.machinery.SourceFileLoader):
    def get_code(self, fullname: str) -> Any:
        tree = ast.parse(self.get_data(self.path))
        if not fullname.startswith(_KEPT):
            tree = ast.fix_missing_locations(_Rewords(f"{SEED} {fullname}").visit(tree))
        return compile(tree, self.path, "exec")


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        if not name.startswith("alc_core"):
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = _Loader(spec.loader.name, spec.loader.path)
        return spec


def reword_files() -> None:
    """Let tables of sentences, too, be read in other words."""
    import tomllib

    words = _Rewords(f"{SEED} files")
    load = tomllib.loads

    def reworded(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: reworded(each) for name, each in value.items()}
        if isinstance(value, list):
            return [reworded(each) for each in value]
        return words.reworded(value) if isinstance(value, str) else value

    tomllib.loads = lambda text, **how: reworded(load(text, **how))
    tomllib.load = lambda file, **how: reworded(load(file.read().decode(), **how))


SEED = ""


def tables() -> tuple[Any, dict[str, Any]]:
    """An original, and releases of which the check says different things."""
    import alc_core as alc
    from tests.conftest import make_people

    frame = make_people(400)
    half = frame.copy()
    half.loc[:120, list(frame)] = make_people(400, seed=9).loc[:120, list(frame)].to_numpy()
    return frame, {
        "ordered": alc.swap_columns(frame, 0.6, seed=2),
        "shuffled": alc.swap_columns(frame, 1.0, seed=1).sample(frac=1, random_state=1),
        "half": half.sample(frac=1, random_state=2),
        "copy": frame.copy(),
        "renamed": frame.replace({"city": {"Ulm": "Ulm (BW)", "Bonn": "B", "Köln": "K"}}),
    }


def run(path: Path) -> None:
    """Plan and run a campaign on them."""

    frame, releases = tables()
    questions = ("unknown-labels", "mostly-unknown-labels")
    run_quickly(
        frame, releases, path, named=[["age", "hours"], ["city"]], targets=200, accept=questions
    ).close()


def facts_of(path: Path) -> dict[str, Any]:
    """What a campaign's file says, without its words; and its words."""
    import alc_core as alc
    from alc_core.campaign.findings.overview import campaign_headline
    from alc_core.candidates.decision import ReleaseChoice, objections
    from alc_core.candidates.lines import candidate_lines
    from alc_core.candidates.words import line_sentence
    from alc_core.tables.roles import suggest_roles

    frame, releases = tables()
    original = alc.table_from_frame(frame, name="original")
    released = [alc.table_from_frame(each, name=name) for name, each in releases.items()]
    table = alc.table_from_frame(frame.assign(same=1), name="original")
    with alc.CampaignStore.open(path) as store:
        view = alc.CampaignView(store)
        scoring = view.settings.scoring
        overview = view.overview(scoring)
        head = campaign_headline(overview, overview)
        lines = candidate_lines(view, scoring, {})
        choice = ReleaseChoice.PUBLISH
        against = [objections(e, view.only(e.release).overview(scoring), {}, choice) for e in lines]
        notes = [store.assessment(n).notes for n in sorted(overview.results["number"].tolist())]
        columns = ["number", "standing", "verdict", "through", "decisive", "decisive_alc"]
        return {
            "facts": {
                "results": overview.results[columns].astype(str).to_dict("list"),
                "head": [head.standing, head.counts, len(head.sentences)],
                "lines": [
                    [
                        e.release,
                        e.publishing,
                        e.standing,
                        e.linked,
                        e.untried,
                        e.counts,
                        e.copied and [e.copied.code, e.copied.table, e.copied.numbers],
                    ]
                    for e in lines
                ],
                "objections": [len(each) for each in against],
                "notes": [[[n.code, n.table, n.column, n.numbers] for n in e] for e in notes],
                "findings": [
                    [f.table, f.code, f.severity, f.column, f.numbers]
                    for f in alc.check_tables(original, released)
                ],
                "roles": [[s.column, s.role] for s in suggest_roles(table, table.columns)],
            },
            "words": [
                head.title,
                *map(line_sentence, lines),
                *(sentence for each in against for sentence in each),
                *(str(note) for each in notes for note in each),
            ],
        }


def main() -> None:
    """Run and read in other words: ``reworded SEED FILE_AS_IT_IS NEW_FILE``; facts go to stdout."""
    import json

    global SEED
    SEED = sys.argv[1]
    sys.meta_path.insert(0, _Finder())
    reword_files()
    as_it_is, new = map(Path, sys.argv[2:])
    run(new)
    json.dump([facts_of(as_it_is), facts_of(new)], sys.stdout)


if __name__ == "__main__":
    main()
