"""The documentation's examples, and as modules for a type checker: examples.py FOLDER."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = sorted(ROOT.glob("docs/*.md"))
FENCE = re.compile(
    r"(<!-- not run: [^>]+-->\n)?^```(python|sh)\n(.*?)^```$",
    re.DOTALL | re.MULTILINE,
)


def write(folder: Path) -> None:
    """Write the Python of each page as a module, whether or not it runs in the tests."""
    package = folder / "doc_examples"
    package.mkdir(parents=True, exist_ok=True)
    for old in package.glob("*.py"):
        old.unlink()
    (package / "__init__.py").touch()
    for page in (ROOT / "README.md", *PAGES):
        found = [
            code
            for _, of, code in FENCE.findall(page.read_text("utf-8"))
            if of == "python"
        ]
        if found:
            (package / f"{page.stem.replace('-', '_')}.py").write_text(
                "\n".join(found), "utf-8"
            )


if __name__ == "__main__":
    write(Path(sys.argv[1]))
