"""Damaged and odd files for ``fuzz_files.py``: each from a sound one and a random generator."""

from __future__ import annotations

import datetime as dt
import gzip
import io
import zipfile
from collections.abc import Callable, Mapping
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

Random = np.random.Generator
File = tuple[str, bytes]

EXTENSIONS = (
    ".csv", ".tsv", ".txt", ".parquet", ".xlsx", ".xlsm", ".xlsb", ".xls", ".ods", ".dta",
    ".sas7bdat", ".xpt", ".sav", ".zsav", ".por", ".gz", ".zip", ".json", ".rds",
    ".RData", ".deid", ".feather", "",
)  # fmt: skip
ENCODINGS = (
    "utf-8", "utf-16", "utf-7", "latin-1", "cp1252", "cp037", "shift_jis", "utf-32", "idna",
    "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "zip", "bz2", "hex", "rot13",
    "base64", "uu", "mbcs", "no such", "", "utf-8-sig", "charmap", "\udc80", "a\0b",
)  # fmt: skip
_EXTREMES = (0, 1, 2**7, 2**15, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, 2**63, 2**64 - 1)
_CELLS = (
    "", " ", "1", "-1", "007", "1.7e308", "-1.7976931348623157e308", "1e400", "5e-324", "inf",
    "nan", "NA", "1,5", "1,234,567", "9" * 400, "0x1p3", "1_000", "٣", "½", "true", "FALSE",
    "0001-01-01", "9999-12-31", "99999-01-01", "2020-02-30", "31.12.2020 25:61", "=1+1",
    "\x1b[31mred", "\x07",
    '"', '""', "'", ";", "\t", "\n", "\r", "\0", "\ufeff", "\u202e", "\u2028", "é" * 300, "🏳️‍🌈",
    "[1, 2]", "20-39", "(20,30]", "65+", "48-025**", "*", "a*5", "{x,y}", "[" * 200, "-" * 90, "%s",
    "\x85", "\x1c", "\xa0", "1 000", "€ 5", "5%", "١٢",
)  # fmt: skip


def mutated(rng: Random, files: Mapping[str, bytes]) -> File:
    """Return a name and the bytes of a file that is odd in some way."""
    names = list(files)
    name = names[rng.integers(len(names))]
    other = names[rng.integers(len(names))]
    kind = rng.choice(list(_KINDS), p=_WEIGHTS)
    name, data = _KINDS[kind](rng, (name, files[name]), (other, files[other]))
    if rng.random() < 0.05:
        name = f"x{EXTENSIONS[rng.integers(len(EXTENSIONS))]}"
    return name, data


def options(rng: Random) -> dict[str, str | int]:
    """Return what the caller fixed, mostly nothing."""
    chosen: dict[str, str | int] = {}
    if rng.random() < 0.06:
        chosen["encoding"] = ENCODINGS[rng.integers(len(ENCODINGS))]
    if rng.random() < 0.03:
        chosen["delimiter"] = [",", ";", "\t", " ", "", "ab", "ü", '"', "\n", "\0"][
            rng.integers(10)
        ]
    if rng.random() < 0.03:
        chosen["decimal"] = "., "[rng.integers(3)].strip()
    if rng.random() < 0.03:
        chosen["sheet"] = ["", "Sheet", "\0", 1, -1, 2**40][rng.integers(6)]
    return chosen


def _flipped(rng: Random, file: File, _: File) -> File:
    name, data = file
    damaged = bytearray(data)
    for place in rng.integers(len(damaged), size=rng.geometric(0.3)):
        damaged[place] ^= 1 << rng.integers(8)
    return name, bytes(damaged)


def _set(rng: Random, file: File, _: File) -> File:
    """Write extreme numbers over some places, most of them in the first or last part."""
    name, data = file
    damaged = bytearray(data)
    for _number in range(rng.geometric(0.4)):
        width = int(rng.choice([1, 2, 4, 8]))
        extreme = _EXTREMES[rng.integers(len(_EXTREMES))] % 2 ** (8 * width)
        order = "little" if rng.random() < 0.7 else "big"
        reach = len(damaged) if rng.random() < 0.5 else min(len(damaged), 600)
        place = int(rng.integers(reach))
        place = place if rng.random() < 0.7 else max(len(damaged) - place, 0)
        damaged[place : place + width] = extreme.to_bytes(width, order)
    return name, bytes(damaged)


def _cut(rng: Random, file: File, _: File) -> File:
    name, data = file
    start, end = sorted(int(p) for p in rng.integers(len(data) + 1, size=2))
    how = rng.integers(4)
    if how == 0:
        return name, data[:end]
    if how == 1:
        return name, data[start:]
    if how == 2:
        return name, data[:start] + data[end:]
    return name, data[:end] + data[start:end] * int(rng.integers(1, 5)) + data[end:]


def _spliced(rng: Random, file: File, other: File) -> File:
    name, data = file
    here, there = int(rng.integers(len(data) + 1)), int(rng.integers(len(other[1]) + 1))
    return name, data[:here] + other[1][there:]


def _noise(rng: Random, file: File, _: File) -> File:
    name, data = file
    start = int(rng.integers(len(data) + 1))
    length = int(rng.integers(1, 200))
    return name, data[:start] + rng.bytes(length) + data[start + length * int(rng.integers(2)) :]


def _renamed(rng: Random, file: File, _: File) -> File:
    return f"x{EXTENSIONS[rng.integers(len(EXTENSIONS))]}", file[1]


def _packed(rng: Random, file: File, other: File) -> File:
    """Pack a file, maybe several times, under an odd name, or with a second one."""
    name, data = file
    for _number in range(rng.integers(1, 5)):
        if rng.random() < 0.4:
            name, data = f"{name}.gz", gzip.compress(data, mtime=0)
            continue
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", int(rng.choice([0, 8, 12, 14]))) as archive:
            inner = str(
                rng.choice([name, "../../x.csv", "\x1b[2Jx.csv", "a\nb.csv", "ü.csv", "x/"])
            )
            archive.writestr(inner, data)
            if rng.random() < 0.2:
                archive.writestr(f"second{other[0]}", other[1])
        name, data = "packed.zip", out.getvalue()
    return _flipped(rng, (name, data), other) if rng.random() < 0.5 else (name, data)


def _inside(rng: Random, file: File, other: File) -> File:
    """Damage a member of a workbook or zip file, so that the packing itself stays sound."""
    name, data = file
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = {each: archive.read(each) for each in archive.namelist()}
    except zipfile.BadZipFile:
        return _flipped(rng, file, other)
    for _number in range(rng.geometric(0.6)):
        each = list(members)[rng.integers(len(members))]
        if not members[each]:
            continue
        damage = (_flipped, _set, _cut, _noise, _words)[rng.integers(5)]
        members[each] = damage(rng, (each, members[each]), (each, members[each]))[1]
    if rng.random() < 0.1:
        members.pop(list(members)[rng.integers(len(members))])
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for each, content in members.items():
            archive.writestr(each, content)
    return name, out.getvalue()


_WORDS = (
    (b'ref="A1:', b'ref="C3:'), (b'r="A', b'r="XFD'), (b'r="B', b'r="ZZZZ'),
    (b'r="', b'r="A104857'),
    (b"<v>", b"<v>-"), (b"<v>", b"<v>1e999"), (b't="s"', b't="b"'), (b't="n"', b't="d"'),
    (b"<v>1", b"<v>99999999999"), (b"</c>", b""), (b"<row ", b"<row><c/></row><row "),
    (b's="1"', b's="99999"'), (b"sheet1", b"sheet9"), (b"office:value=", b"office:date-value="),
    (b"<f>", b"<f"), (b"numFmtId=", b"numFmtId=1"), (b'date1904="false"', b'date1904="1"'),
    (b"table:number-columns-repeated=\"", b"table:number-columns-repeated=\"99999"),
    (b"<table:table-row", b'<table:table-row table:number-rows-repeated="999999999"'),
    (b"<table:table-cell", b'<table:table-cell table:number-columns-repeated="999999999"'),
)  # fmt: skip


def _words(rng: Random, file: File, _: File) -> File:
    """Exchange words of a workbook's XML for others that are sound but odd."""
    name, data = file
    for _number in range(rng.geometric(0.4)):
        old, new = _WORDS[rng.integers(len(_WORDS))]
        data = data.replace(old, new, int(rng.choice([1, 3, -1])))
    return name, data


def _random_text(rng: Random, _: File, __: File) -> File:
    """Write a text file of odd cells and odd names, in an odd encoding."""
    width, height = int(rng.integers(1, 8)), int(rng.integers(0, 70))
    width = width if rng.random() < 0.97 else 6_000
    pick = [_CELLS[k] for k in rng.integers(len(_CELLS), size=int(rng.integers(1, 6)))]
    rows = [[f"n{k}" if rng.random() < 0.8 else str(rng.choice(pick)) for k in range(width)]]
    for _number in range(height if width < 6_000 else 2):
        uneven = width if rng.random() < 0.995 else width + 1
        rows.append([str(pick[k]) for k in rng.integers(len(pick), size=uneven)])
    mark = str(rng.choice([",", ";", "\t", "|"]))
    line = str(rng.choice(["\n", "\r\n", "\r"]))
    quote = rng.random() < 0.7
    text = line.join(mark.join(_quoted(cell) if quote else cell for cell in row) for row in rows)
    start = str(rng.choice(["", "", "", "sep=;\n", "\ufeff", "\n\n", '"', "# x\n", "\x1a"]))
    codec = str(rng.choice(["utf-8", "utf-8", "utf-16", "utf-32", "latin-1", "utf-16-be", "cp037"]))
    return f"text{rng.choice(['.csv', '.tsv', '.txt', ''])}", (start + text).encode(
        codec, "replace"
    )


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"'


def _parquet_types() -> dict[str, Callable[[Random, int], pa.Array]]:
    def whole(rng: Random, n: int, kind: pa.DataType, low: int, high: int) -> pa.Array:
        width = "int32" if kind.bit_width == 32 else "int64"
        values = rng.choice([low, high, 0, -1, 1], size=n).astype(width)
        return pa.array(values, mask=rng.random(n) < 0.2).view(kind)

    small, large = (-(2**31), 2**31 - 1), (-(2**63), 2**63 - 1)
    moments = [pa.timestamp(unit) for unit in ("s", "ms", "us", "ns")]
    zoned = [pa.timestamp("us", zone) for zone in ("UTC", "Europe/Berlin", "-09:30", "No/Where")]
    wide = [pa.date64(), pa.time64("us"), pa.duration("s"), pa.duration("ns"), *moments, *zoned]
    kinds = [(pa.date32(), *small), (pa.time32("s"), *small), *[(kind, *large) for kind in wide]]
    made: dict[str, Callable[[Random, int], pa.Array]] = {
        str(kind): lambda rng, n, kind=kind, low=low, high=high: whole(rng, n, kind, low, high)
        for kind, low, high in kinds
    }
    return {**made, **{kind: _cycled(kind, values) for kind, values in _VALUES.items()}}


def _cycled(kind: str, values: list[object]) -> Callable[[Random, int], pa.Array]:
    """Return what makes a column of some values, from a random one of them onwards."""

    def column(rng: Random, n: int) -> pa.Array:
        start = int(rng.integers(len(values)))
        chosen = [values[(start + k) % len(values)] for k in range(n)]
        plain = pa.array(chosen, _STORED.get(kind))
        return plain.dictionary_encode() if kind == "codes" else plain

    return column


_STORED = {
    "halffloat": pa.float16(),
    "float": pa.float32(),
    "decimal": pa.decimal128(38, 0),
    "decimal256": pa.decimal256(76, 5),
    "large": pa.large_string(),
    "fixed": pa.binary(4),
    "uint64": pa.uint64(),
    "nothing": pa.null(),
}
_VALUES: dict[str, list[object]] = {
    "halffloat": [np.float16(each) for each in (0.5, 6e4, np.inf, np.nan)],
    "double": [1.7e308, -1.7e308, np.inf, np.nan, 5e-324, 0.0, -0.0],
    "float": [3e38, -3e38, 1e-45, np.nan],
    "dates": [dt.date(1, 1, 1), dt.date(9999, 12, 31), None],
    "decimal": [Decimal("9" * 38), None],
    "decimal256": [Decimal("9" * 70), Decimal("0.00001")],
    "text": list(_CELLS),
    "large": ["x", None],
    "binary": [b"abc", b"\xff\0", None],
    "fixed": [b"abcd", None],
    "list": [[1, 2], None],
    "struct": [{"x": 1}],
    "codes": [1, 2, None],
    "nothing": [None],
    "bool": [True, None],
    "uint64": [2**64 - 1, 0],
}


_PARQUET = _parquet_types()


def _random_parquet(rng: Random, file: File, other: File) -> File:
    """Write a Parquet file with columns of odd types and odd names."""
    n = int(rng.integers(0, 60))
    chosen = rng.choice(list(_PARQUET), size=int(rng.integers(1, 5)), replace=True)
    names = [str(rng.choice([f"c{k}", "c", "", *_CELLS])) for k in range(len(chosen))]
    out = io.BytesIO()
    try:
        arrays = [_PARQUET[kind](rng, n) for kind in chosen]
        pq.write_table(
            pa.table(arrays, names=names), out, compression=str(rng.choice(["none", "snappy"]))
        )
    except (pa.ArrowException, ValueError, NotImplementedError):
        return _flipped(rng, file, other)
    made = ("odd.parquet", out.getvalue())
    return made if rng.random() < 0.7 else _set(rng, made, other)


DAMAGES: dict[str, Callable[[Random, File, File], File]] = {
    "flipped": _flipped,
    "set": _set,
    "cut": _cut,
    "spliced": _spliced,
    "noise": _noise,
}
"""What can happen to any file, whatever its format."""

_KINDS: dict[str, Callable[[Random, File, File], File]] = {
    **DAMAGES,
    "renamed": _renamed,
    "packed": _packed,
    "inside": _inside,
    "text": _random_text,
    "parquet": _random_parquet,
}
_WEIGHTS = (0.2, 0.2, 0.08, 0.05, 0.08, 0.03, 0.06, 0.12, 0.1, 0.08)
