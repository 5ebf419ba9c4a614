"""Small files of every format that can be written here, for tests and the fuzzer."""

import datetime as dt
import gzip
import io
import tempfile
import zipfile
from decimal import Decimal
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat

from tests.toys.arx import arx

DATA = Path(__file__).parents[1] / "data"


def people(n=40, seed=0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "income": rng.normal(2000, 500, n).round(2),
            "city": rng.choice(["Köln", "Ulm", "Jena", ""], n),
            "name": [f"person {number} ü" for number in range(n)],
            "member": rng.choice([True, False], n),
            "born": pd.Timestamp("1950-01-01") + pd.to_timedelta(rng.integers(0, 20_000, n), "D"),
        }
    )


def with_gaps(frame):
    frame = frame.copy()
    frame["income"] = frame["income"].mask(frame["age"] > 70)
    frame["city"] = frame["city"].where(frame["city"] != "", None)
    return frame


def csv(frame, **how):
    return frame.to_csv(index=False, **how).encode(how.get("encoding", "utf-8"))


def parquet(table):
    out = io.BytesIO()
    pq.write_table(table, out, row_group_size=16)
    return out.getvalue()


def rich_parquet(n=40):
    """A Parquet file with a column of every plain type of Arrow."""
    moments = [dt.datetime(2020, 1, 1, 12, 30, 1, 5) + dt.timedelta(days=k) for k in range(n)]
    whole = list(range(n))
    columns = {
        **{f"{kind}": pa.array(whole, kind) for kind in ("int8", "uint16", "int64", "uint64")},
        "gaps": pa.array([None, *whole[1:]], pa.int32()),
        **{kind: pa.array([k / 7 for k in whole], kind) for kind in ("float32", "float64")},
        "nan": pa.array([float("nan"), None, *map(float, whole[2:])]),
        "bool": pa.array([k % 2 == 0 for k in whole]),
        "bool_gaps": pa.array([None, *[k % 2 == 0 for k in whole[1:]]]),
        "decimal": pa.array([Decimal(k) / 8 for k in whole], pa.decimal128(12, 4)),
        "date": pa.array([moment.date() for moment in moments]),
        "date64": pa.array([moment.date() for moment in moments], pa.date64()),
        **{
            f"moment_{unit}": pa.array([*moments[1:], None], pa.timestamp(unit))
            for unit in ("us", "ns")
        },
        "zoned": pa.array(moments, pa.timestamp("us", "Europe/Berlin")),
        "offset": pa.array(moments, pa.timestamp("ns", "+05:30")),
        "time": pa.array([moment.time() for moment in moments]),
        "span": pa.array([dt.timedelta(seconds=k) for k in whole]),
        "few": pa.array([["x", "ö", None][k % 3] for k in whole]),
        "many": pa.array([f"text {k}" for k in whole]),
        "coded": pa.array([["x", "y"][k % 2] for k in whole]).dictionary_encode(),
        "bytes": pa.array([b"ab", *[str(k).encode() for k in whole[1:]]]),
        "nothing": pa.nulls(n, pa.string()),
    }
    return parquet(pa.table(columns))


def workbook(rows):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def rezipped(data, change):
    """Return a zip file whose members are what a function makes of their names and contents."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            new.writestr(name, change(name, old.read(name)))
    return out.getvalue()


def has_note(table, text):
    """Return whether a reader's note holds a text."""
    return any(text in note for note in table.notes)


def zipped(name, data, method=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        archive.writestr(name, data)
    return out.getvalue()


def written(suffix, write):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"file{suffix}"
        write(path)
        return path.read_bytes()


def every_format():
    """Name to bytes of a small, sound file of every format."""
    plain = people()
    gaps = with_gaps(plain)
    labelled = plain.assign(city=plain["city"].map({"Köln": 1, "Ulm": 2, "Jena": 3, "": 4}))
    simple = gaps.drop(columns=["member"])
    cells = [list(plain.columns), *plain.to_numpy().tolist()]
    mixed = [["a", "b"], [1, True], ["x", None], [dt.datetime(2020, 1, 1), "#N/A"], [2.5, False]]
    spss = {"variable_value_labels": {"city": {1: "Köln", 2: "Ulm", 3: "Jena"}}}
    text = csv(plain)
    return {
        "comma.csv": text,
        "semicolon.csv": csv(plain, sep=";", decimal=","),
        "tab.tsv": csv(gaps, sep="\t"),
        "latin.csv": csv(plain, encoding="latin-1"),
        "utf16.csv": csv(plain, encoding="utf-16"),
        "mixed.csv": b"a,b,c\n1,true,007\nNA,,008\n2.5,false,\n" * 1,
        "packed.csv.gz": gzip.compress(text, mtime=0),
        "packed.zip": zipped("inner.csv", text),
        "plain.parquet": parquet(pa.Table.from_pandas(gaps)),
        "rich.parquet": rich_parquet(),
        "cells.xlsx": workbook(cells),
        "mixed.xlsx": workbook(mixed),
        "people.xls": (DATA / "people.xls").read_bytes(),
        "people.xlsb": (DATA / "people.xlsb").read_bytes(),
        "people.ods": (DATA / "people.ods").read_bytes(),
        "stata.dta": written(
            ".dta", lambda p: gaps.assign(city=gaps["city"].astype("category")).to_stata(p)
        ),
        "stata_118.dta": written(".dta", lambda p: plain.to_stata(p, version=118)),
        "spss.sav": written(".sav", lambda p: pyreadstat.write_sav(labelled, p, **spss)),
        "spss_packed.zsav": written(
            ".zsav", lambda p: pyreadstat.write_sav(labelled, p, compress=True, **spss)
        ),
        "sas_5.xpt": written(
            ".xpt", lambda p: pyreadstat.write_xport(simple, p, file_format_version=5)
        ),
        "sas_8.xpt": written(
            ".xpt", lambda p: pyreadstat.write_xport(simple, p, file_format_version=8)
        ),
        "kinds.rds": gzip.decompress((DATA / "r" / "kinds.rds").read_bytes()),
        "text.rda": (DATA / "r" / "text.rda").read_bytes(),
        "synthpop_one.rds": (DATA / "r" / "synthpop_one.rds").read_bytes(),
        "project.deid": arx(),
        "plain.feather": written(".feather", gaps.to_feather),
        "lines.jsonl": plain.to_json(orient="records", lines=True, date_format="iso").encode(),
    }
