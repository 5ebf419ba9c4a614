"""Text from data inside Markdown."""

from __future__ import annotations

import re
from typing import TypeAlias

Markdown: TypeAlias = str
"""Text that Streamlit reads as Markdown: what came from data is in it by :func:`literal` alone.

Only such text, words of ours and numbers reach the pages; tests/contract/test_markdown.py sees to
that for every call, and for every function and attribute of this type.
"""

# White space that may be one space: all but what keeps the parts of a number together
_SPACE = re.compile("[^\\S\u00a0\u202f]+")
_PUNCTUATION = re.compile(r"(?!(?<=\w)[-._](?=\w))([!#$&*+\-.:<=>@\[\\\]^_`{|}~])")
_NUMBERED = re.compile(r"^(\d+)\)")
_SHORTCODE = re.compile(r":(?=[\w+/-]+:)")
_ARROWS = re.compile(r"(?<=[-<>=~])(?=[-<>=~])")
_LINKS = re.compile(r"(?i)(https?(?=://)|www(?=\.)|@(?=[-\w]+\.))")
_JOINER = "\u2060"


def literal(text: object) -> Markdown:
    r"""Return text that Streamlit's Markdown shows as it is.

    Examples
    --------
    >>> print(literal("a*b* <b> $x$"), literal("_x_ job_class (1 to 5)"))
    a\*b\* \<b\> \$x\$ \_x\_ job_class (1 to 5)
    """
    joined = _ARROWS.sub(_JOINER, _SHORTCODE.sub(f":{_JOINER}", _SPACE.sub(" ", str(text)).strip()))
    joined = _LINKS.sub(rf"\1{_JOINER}", joined)
    return _NUMBERED.sub(r"\1\\)", _PUNCTUATION.sub(r"\\\1", joined))


def told_apart(label: str, of: str) -> Markdown:
    r"""Return the label of a button among others alike, with what only screen readers say of it.

    Examples
    --------
    >>> print(told_apart("Remove", "a.csv"))
    Remove :gray[a.csv]
    """
    return f"{label} :gray[{literal(of)}]"
