"""The parser's R objects, with attributes by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from alc_core.arrays import FloatArray

if TYPE_CHECKING:
    from rdata.parser import RObject

_LATIN1, _UTF8 = 1 << 2, 1 << 3
_NOTHING = ("NIL", "NILVALUE", "SYM", "REF")
PLAIN = {"LGL": "logical", "INT": "integer", "REAL": "numeric", "STR": "character"}
_OTHERS = {
    "VEC": "list", "CPLX": "complex", "RAW": "raw", "CLO": "function", "BUILTIN": "function",
    "ENV": "environment", "LANG": "call", "EXPR": "expression", "S4": "S4 object",
    "NILVALUE": "NULL",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class RValue:
    """An R object with attributes by name."""

    type: str  # R's type, such as INT
    value: Any
    attributes: Mapping[str, RObject]
    encoding: str  # Of texts without their own

    def attribute(self, name: str) -> RValue | None:
        """Return an attribute or slot, if not NULL or a symbol."""
        found = self.attributes.get(name)
        value = None if found is None else r_value(found, self.encoding)
        return None if value is None or value.type in _NOTHING else value

    @property
    def classes(self) -> list[str]:
        """Names of its classes, the most special first."""
        found = self.attribute("class")
        return [] if found is None else [text or "" for text in found.texts()]

    @property
    def kind(self) -> str:
        """What it is, for people."""
        if self.attribute("dim") is not None:
            return "matrix"
        named = [name for name in self.classes if name]
        return named[0] if named else PLAIN.get(self.type) or _OTHERS.get(self.type, self.type)

    def items(self) -> list[tuple[str, RValue]]:
        """Return a list's named elements."""
        elements = self.value if self.type == "VEC" else ()
        names = self.attribute("names")
        called = [""] * len(elements) if names is None else [name or "" for name in names.texts()]
        return [
            (name, r_value(element, self.encoding))
            for name, element in zip(called, elements, strict=True)
        ]

    def texts(self) -> list[str | None]:
        """Return a character vector's texts, or raise."""
        if self.type != "STR":
            raise ValueError("no texts")
        decoded: dict[tuple[bytes | None, int], str | None] = {}
        found: list[str | None] = []
        for cell in self.value:
            if cell is None or isinstance(cell, str):
                found.append(cell)
                continue
            text, flags = cell.value, cell.info.gp
            if (text, flags) not in decoded:
                decoded[text, flags] = _decoded(text, flags, self.encoding)
            found.append(decoded[text, flags])
        return found

    def numbers(self) -> FloatArray:
        """Return a vector's numbers, missing as NaN, or raise."""
        if self.type not in ("LGL", "INT", "REAL"):
            raise ValueError("no numbers")
        return np.ma.filled(np.ma.asarray(self.value, dtype=np.float64), np.nan)


def r_value(found: RObject, encoding: str) -> RValue:
    """Return a parser's object with named attributes."""
    attributes = {} if found.attributes is None else dict(r_pairs(found.attributes))
    return RValue(found.info.type.name, found.value, attributes, encoding)


def r_pairs(found: RObject) -> Iterator[tuple[str, RObject]]:
    """Yield a pair list's names and objects."""
    while found.info.type.name == "LIST":
        first, rest = found.value
        tag = found.tag
        while tag is not None and tag.referenced_object is not None:
            tag = tag.referenced_object
        name = b"" if tag is None else tag.value.value
        yield name.decode("utf-8", "replace"), first
        found = rest


def _decoded(text: bytes | None, flags: int, encoding: str) -> str | None:
    if text is None:
        return None
    own = "cp1252" if flags & _LATIN1 else "utf-8" if flags & _UTF8 else encoding
    for each in (own, "utf-8", "cp1252"):
        try:
            return text.decode(each)
        except (UnicodeDecodeError, LookupError):
            continue
    return text.decode("latin-1")
