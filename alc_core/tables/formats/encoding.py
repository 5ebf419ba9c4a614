"""From the bytes of a text file to UTF-8, with the encoding detected."""

from __future__ import annotations

import codecs

from alc_core.tables.formats.source import Source

_MARKS = (
    (codecs.BOM_UTF8, "utf-8", "UTF-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
)
_SAMPLE = 256 * 1024
_CONTROL = bytes(set(range(32)) - {9, 10, 12, 13, 26})
_MAX_CONTROL_SHARE = 0.001


def as_utf8(source: Source, *, encoding: str | None) -> tuple[bytes, tuple[str, ...]]:
    """Return the text as UTF-8 without byte order mark, and notes on its encoding.

    Raises
    ------
    TableReadError
        If the bytes are no text, or not text in the given encoding.
    """
    if encoding is not None:
        return _decode_given(source, encoding), (f"Encoding: {encoding}, as given.",)
    data = source.data
    for mark, codec, label in _MARKS:
        if data.startswith(mark):
            return _decode_marked(source, data[len(mark) :], codec, label), (f"Encoding: {label}.",)
    if unmarked := _unmarked_utf16(data[:_SAMPLE]):
        text = _decode_marked(source, data, unmarked, "UTF-16")
        return text, ("Encoding: UTF-16 (no byte order mark).",)
    if b"\0" in data:
        raise not_a_table(source)
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return _guessed(source)
    _check_text(source, data)
    return data, ("Encoding: UTF-8.",)


def not_a_table(source: Source, what: str = "binary data, not text") -> Exception:
    """Return the error for a file that holds something else."""
    return source.error(
        f"is not a table, but {what}",
        "Use a CSV, TSV, Parquet, Excel, OpenDocument, Stata, SAS or SPSS file.",
    )


def _decode_given(source: Source, encoding: str) -> bytes:
    unknown = source.error(
        f"cannot be read with the unknown encoding '{encoding}'",
        "Use a name such as utf-8, utf-16, latin-1 or cp1252.",
    )
    try:
        codecs.lookup(encoding)
    except (LookupError, ValueError):  # of names that no codec can have
        raise unknown from None
    try:
        text = source.data.decode(encoding)
    except LookupError:  # a codec from bytes to bytes, such as zip
        raise unknown from None
    except ValueError:
        raise source.error(
            f"is not text in the encoding {encoding}",
            "Do not choose an encoding, so that it is detected, or save the file as UTF-8.",
        ) from None
    data = text.removeprefix("\ufeff").encode("utf-8", errors="replace")
    _check_text(source, data)
    return data


def _decode_marked(source: Source, data: bytes, codec: str, label: str) -> bytes:
    try:
        text = data.decode(codec)
    except UnicodeError:
        raise source.error(
            f"begins like {label} text but is damaged", "Save the file again as UTF-8."
        ) from None
    encoded = text.encode("utf-8", errors="replace")
    _check_text(source, encoded)
    return encoded


def _unmarked_utf16(head: bytes) -> str | None:
    """Recognise UTF-16 by its zero bytes: nearly every second byte of Western text."""
    if len(head) < 4:
        return None
    half = len(head) // 2
    even, odd = head[::2].count(0) / half, head[1::2].count(0) / half
    if odd > 0.7 and even < 0.05:
        return "utf-16-le"
    if even > 0.7 and odd < 0.05:
        return "utf-16-be"
    return None


_IN_USE = (
    "cp1252", "latin_1", "iso8859_15", "cp1250", "iso8859_2", "cp1251", "koi8_r", "cp1253",
    "cp1254", "cp1255", "cp1256", "cp1257", "mac_roman", "cp850", "cp437", "shift_jis", "euc_jp",
    "gb18030", "big5", "euc_kr",
)  # fmt: skip
"""Encodings that tables are written in; few letters would do for rare ones, too."""


def _guessed(source: Source) -> tuple[bytes, tuple[str, ...]]:
    """Let charset-normalizer guess the encoding."""
    from charset_normalizer import from_bytes

    _check_text(source, source.data)
    best = from_bytes(_sample_with_accents(source.data), cp_isolation=list(_IN_USE)).best()
    # The first in use of those that read the same.
    alike = () if best is None else {best.encoding, *best.could_be_from_charset}
    codec = next((each for each in _IN_USE if each in alike), None)
    try:
        if codec is None:
            raise UnicodeError
        text = source.data.decode(codec)
    except UnicodeError:
        raise source.error(
            "is neither UTF-8 nor text in another encoding that could be detected",
            "Save it as UTF-8, or choose its encoding, such as latin-1 or cp1252.",
        ) from None
    note = f"Encoding: not UTF-8; {codec} was guessed. If letters look wrong, choose the encoding."
    return text.encode("utf-8"), (note,)


def _sample_with_accents(data: bytes) -> bytes:
    """Return the lines around the bytes outside ASCII, which alone tell an encoding."""
    if len(data) <= _SAMPLE:
        return data
    lines = [line for line in data.splitlines() if not line.isascii()]
    sample = b"\n".join(lines[:2000])
    return sample[:_SAMPLE]


def _check_text(source: Source, data: bytes) -> None:
    head = data[:_SAMPLE]
    control = len(head) - len(head.translate(None, _CONTROL))
    if control > _MAX_CONTROL_SHARE * len(head) or b"\0" in data:
        raise not_a_table(source)
