"""Text from data inside Markdown."""

from __future__ import annotations

import re
from typing import TypeAlias

Markdown: TypeAlias = str
"""Markdown for Streamlit; data are in it only by :func:`literal`.

tests/contract/test_markdown.py checks each call, function and attribute of this type.
"""

# White space, except inside numbers
_SPACE = re.compile("[^\\S\u00a0\u202f]+")
_PUNCTUATION = re.compile(r"(?!(?<=\w)[-._](?=\w))([!#$&*+\-.:<=>@\[\\\]^_`{|}~])")
_NUMBERED = re.compile(r"^(\d+)\)")
_SHORTCODE = re.compile(r":(?=[\w+/-]+:)")
_ARROWS = re.compile(r"(?<=[-<>=~])(?=[-<>=~])")
_LINKS = re.compile(r"(?i)(https?(?=://)|www(?=\.)|@(?=[-\w]+\.))")
_WORD = re.compile(r"\w+")
_JOINER = "\u2060"


def literal(text: object) -> Markdown:
    r"""Return text shown verbatim by Streamlit's Markdown.

    Examples
    --------
    >>> print(literal("a*b* <b> $x$"), literal("_x_ job_class (1 to 5)"))
    a\*b\* \<b\> \$x\$ \_x\_ job_class (1 to 5)
    """
    joined = _ARROWS.sub(_JOINER, _SHORTCODE.sub(f":{_JOINER}", _SPACE.sub(" ", str(text)).strip()))
    joined = _LINKS.sub(rf"\1{_JOINER}", joined)
    return _NUMBERED.sub(r"\1\\)", _PUNCTUATION.sub(r"\\\1", joined))


def methods_link(words: Markdown, section: str) -> Markdown:
    """Return a link to a section of the Methods page, in a tab of its own.

    Examples
    --------
    >>> methods_link("Rows traced", "Attack: record linkage")
    '[Rows traced](methods#attack-record-linkage)'
    """
    return f"[{words}](methods#{section_anchor(section)})"


def section_anchor(section: str) -> str:
    """Return a heading's anchor on its page."""
    return "-".join(re.findall(_WORD, section.lower()))


def told_apart(label: str, of: str) -> Markdown:
    r"""Return a button's label, with its object for screen readers.

    Examples
    --------
    >>> print(told_apart("Remove", "a.csv"))
    Remove :gray[a.csv]
    """
    return f"{label} :gray[{literal(of)}]"
