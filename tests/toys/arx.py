"""A small project of ARX, and a release exported from it."""

import io
import zipfile

PROJECT = "<project><separator>{}</separator><escape>{}</escape><quote>{}</quote></project>"
COLUMN = (
    "<assigment><name>{name}</name><type>{type}_ATTRIBUTE</type><datatype>{datatype}</datatype>"
    "{ref}</assigment>"
)
JOB = "job, or none"
TYPES = ("IDENTIFYING", "QUASI_IDENTIFYING", "SENSITIVE")
DATATYPES = ("String", "Integer", "String")
ROWS = [
    ("id", "age", JOB),
    *((k, 20 + k % 4, ["a;b", "c", "d"][k % 3]) for k in range(60)),
]
LEVELS = {
    "age": ["20;low;*", "21;low;*", "22;high;*", "23;high;*"],
    JOB: ["c;x;*", "d;x;*"],
}


def arx(*, separator=";", escape='"', quote='"', types=TYPES):
    """A project as ARX writes it, without what the reader does not look at."""
    lines = [separator.join(f"{quote}{cell}{quote}" for cell in row) for row in ROWS]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("project.xml", PROJECT.format(separator, escape, quote))
        archive.writestr("data/input.csv", "\n".join(lines))
        columns = ""
        for name, kind, datatype in zip(
            ROWS[0], types, ("String", "Integer", "String"), strict=True
        ):
            ref = f"<ref>hierarchies/{name}.csv</ref>" if name in LEVELS else ""
            columns += COLUMN.format(name=name, type=kind, datatype=datatype, ref=ref)
            if name in LEVELS:
                text = "\n".join(LEVELS[name]).replace(";", separator)
                archive.writestr(f"input/hierarchies/{name}.csv", text)
        archive.writestr("input/definition.xml", f"<definition>{columns}</definition>")
        archive.writestr("output/output.dat", b"\xac\xed\0\5sr")
    return out.getvalue()


def exported():
    """A release by the project's hierarchies, as ARX exports it."""
    rows = [ROWS[0]]
    for k, (_, age, job) in enumerate(ROWS[1:]):
        rows.append(("*", "low" if age < 22 else "high", "x" if k % 3 else job))
    return "\n".join(";".join(f'"{cell}"' for cell in row) for row in rows).encode()
