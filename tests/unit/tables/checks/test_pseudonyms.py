"""Pseudonyms that can be undone are found; those that have a key or are random are not."""

import base64
import codecs
import hashlib
import hmac
import uuid
import zlib

import numpy as np
import pandas as pd
import pytest

from alc_core.note import KEYED, PSEUDONYM, leads_back
from alc_core.tables.checks.checker import check_tables
from alc_core.tables.checks.facts import FactKind, Weight, fact_chip, file_facts
from alc_core.tables.checks.pseudonyms.check import check_pseudonyms
from alc_core.tables.read import table_from_frame

N = 600
RNG = np.random.default_rng(4)
SYLLABLES = np.array(["ba", "ke", "li", "mo", "nu", "pa", "re", "si", "to", "wu", "za", "fe"])
NAMES = ["".join(each).title() for each in RNG.choice(SYLLABLES, (N, 4))]
PEOPLE = pd.DataFrame(
    {
        "age": RNG.integers(17, 91, N),
        "sex": RNG.choice(["m", "f"], N),
        "job": RNG.choice(list("abcdefgh"), N),
        "income": RNG.lognormal(10, 1, N).round(2),
    }
)
IDENTIFIED = PEOPLE.assign(
    name=[f"{one} {other}" for one, other in zip(NAMES, NAMES[::-1], strict=True)],
    born=(np.datetime64("1940-01-01") + RNG.integers(0, 25_000, N)).astype(str),
    phone=["0660" + str(number) for number in RNG.choice(9_000_000, N, replace=False) + 10**6],
    pid=RNG.choice(9 * 10**7, N, replace=False) + 10**7,
    seq=RNG.permutation(N) + 1001,
)
PHONE, PID, SEQ, NAME, BORN = (IDENTIFIED[c] for c in ("phone", "pid", "seq", "name", "born"))
ORIGINAL = table_from_frame(IDENTIFIED, name="original")


def hexadecimal(name):
    return lambda text: hashlib.new(name, text.encode()).hexdigest()


md5, sha1, sha256 = map(hexadecimal, ("md5", "sha1", "sha256"))


def in_base64(text, name="sha1"):
    return base64.b64encode(hashlib.new(name, text.encode()).digest()).decode()


def url(text):
    return in_base64(text, "sha256").translate(str.maketrans("+/", "-_")).rstrip("=")


def found(values, column="code", *, share=1.0):
    release = PEOPLE.assign(**{column: np.asarray(values)}).sample(frac=share, random_state=2)
    released = table_from_frame(release.reset_index(drop=True), name="release")
    return list(check_pseudonyms(ORIGINAL, released))


def joined(make, separator, *columns):
    return pd.concat(columns, axis=1).agg(separator.join, axis=1).map(make)


HASHED = {
    "MD5": PHONE.map(md5),
    "SHA-1": PHONE.map(sha1).str.upper(),
    "SHA-224": PHONE.map(hexadecimal("sha224")),
    "SHA-256": "0x" + PHONE.map(sha256),
    "SHA-384": PHONE.map(hexadecimal("sha384")),
    "SHA3-512": PHONE.map(hexadecimal("sha3_512")),
    "BLAKE2b": PHONE.map(hexadecimal("blake2b")),
    "BLAKE2s": PHONE.map(hexadecimal("blake2s")),
    "CRC-32": PHONE.map(lambda text: f"{zlib.crc32(text.encode()):x}"),
    "CRC-32 ": PHONE.map(lambda text: zlib.crc32(text.encode())),
    "MD5 of its MD5": PHONE.map(lambda text: md5(md5(text))),
    "SHA-1 ": PHONE.map(in_base64),
    "SHA-256 ": PHONE.map(url),
    "SHA-256  ": PHONE.map(lambda text: sha256(text)[:12]),
    "MD5 ": "P-" + PHONE.map(lambda text: md5(text)[-8:]),
    "SHA-1  ": PHONE.map(lambda text: int(sha1(text), 16) % 10**8),
    "name-based UUID (SHA-1)": PHONE.map(lambda text: str(uuid.uuid5(uuid.NAMESPACE_DNS, text))),
    "MD5  ": SEQ.map(lambda number: md5(f"{number:08d}")),
    "SHA-256   ": PID.map(lambda number: sha256(f"{number}.0")),
    "SHA-1   ": NAME.str.lower().map(sha1),
    "MD5   ": BORN.map(lambda text: md5(".".join(text.split("-")[::-1]))),
    "SHA-256    ": joined(sha256, "|", NAME, BORN),
    "SHA-1    ": PHONE.map(lambda text: sha1(f"+43{int(text)}")),
    "SHA-256     ": PHONE.map(lambda text: sha256(f"0033{int(text)}")[:14]),
    "MD5    ": joined(md5, "", BORN.str.replace("-", ""), NAME.str.upper()),
}


@pytest.mark.parametrize("how", HASHED)
def test_hashes_are_found_and_named(how):
    (only,) = found(HASHED[how])
    assert (only.code, only.case, only.facts["how"]) == (PSEUDONYM, "hash", how.strip())
    assert only.facts["share"] > 0.9


CODED = {
    "reversed": PHONE.str[::-1],
    "base64": NAME.map(lambda text: base64.b64encode(text.encode()).decode()),
    "bytes": PHONE.map(lambda text: text.encode().hex()),
    "rot13": NAME.map(lambda text: codecs.encode(text, "rot13")),
    "hexadecimal": PID.map(hex),
    "base 36": PID.map(lambda number: np.base_repr(number, 36)),
    "added": PID + 17,
    "added to text": PHONE.map(lambda text: f"0{int(text) + 17}"),
    "added to a sequence": SEQ + 17,
    "times": PID * 3,
    "line": PID * 3 + 7,
    "coarse line": PID * 250 - 3,
    "xor": PID ^ 0xABCDEF,
    "subtracted": 10**9 - PID,
}
KEPT = {
    "number": PHONE.astype(int),
    "spaced": " " + PHONE.str[:4] + " " + PHONE.str[4:],
    "sequence": SEQ.map(lambda number: f"P{number:06d}"),
}
ORDERED = {"of name": NAME.rank().astype(int), "of phone": N - PHONE.rank().astype(int) + 7_001}


@pytest.mark.parametrize(
    ("values", "case"),
    [(each, case) for case, of in (("code", CODED), ("kept", KEPT), ("order", ORDERED))
     for each in of.values()],
    ids=[*CODED, *KEPT, *ORDERED],
)  # fmt: skip
def test_codes_numbers_and_orders_are_found(values, case):
    assert [(each.code, each.case) for each in found(values)] == [(PSEUDONYM, case)]


@pytest.mark.parametrize(
    "values", [PHONE.map(sha256), PID + 17, PHONE.str[::-1], PID * 3 + 7, PID * 250 - 3]
)
@pytest.mark.parametrize("column", ["phone", "pid", "code"])
def test_they_are_found_under_any_name_and_in_part_of_the_people(values, column):
    (only,) = found(values, column, share=0.3)
    assert only.code == PSEUDONYM
    assert 0.15 < only.facts["share"] < 0.45


KEY = b"0123456789abcdef"
HARMLESS = {
    "salted": (PHONE.map(lambda text: sha256(f"salt{text}")), [KEYED]),
    "keyed": (PHONE.map(lambda t: hmac.new(KEY, t.encode(), "sha256").hexdigest()), [KEYED]),
    "keyed and cut": (
        PHONE.map(lambda t: hmac.new(KEY, t.encode(), "sha256").hexdigest()[:6]), [],
    ),
    "uuid": ([str(uuid.UUID(bytes=RNG.bytes(16), version=4)) for _ in range(N)], []),
    "random": (RNG.choice(10**8, N, replace=False), []),
    "random phones": (["0660" + str(x) for x in RNG.choice(9_000_000, N) + 10**6], []),
    "other order": (RNG.permutation(N) + 1001, []),
    "other order, text": ([f"P{number}" for number in RNG.permutation(N)], []),
    "amounts": (RNG.lognormal(10, 1, N), []),
}  # fmt: skip


@pytest.mark.parametrize("part", [lambda text: text.split("@")[0], str.lower])
def test_hashes_of_a_mail_address_or_its_first_part(part):
    mail = NAME.str.replace(" ", ".") + "@example.org"
    release = PEOPLE.assign(code=mail.map(lambda text: md5(part(text))))
    tables = [table_from_frame(each, name="t") for each in (PEOPLE.assign(mail=mail), release)]
    (only,) = check_pseudonyms(*tables)
    assert (only.code, only.facts["of"]) == (PSEUDONYM, ("mail",))


@pytest.mark.parametrize("grid", [100, 1_000, 2_500])
def test_a_sequence_is_not_an_amount_in_hundreds(grid):
    loan = RNG.integers(1, 4 * N, N) * grid
    release = PEOPLE.assign(code=RNG.permutation(N) + 1)
    tables = [table_from_frame(each, name="t") for each in (PEOPLE.assign(loan=loan), release)]
    assert not list(check_pseudonyms(*tables))


@pytest.mark.parametrize("slope", [12, 7, 1.08])
def test_amounts_are_no_numbers_made_of_hashes(slope):
    pay = RNG.lognormal(8.4, 0.5, 2000).round().astype(int)
    people = pd.DataFrame({"age": RNG.integers(18, 93, 2000), "pay": pay})
    original, release = people, people.assign(pay=(pay * slope).astype(int))
    tables = [table_from_frame(each, name="t") for each in (original, release)]
    assert not list(check_pseudonyms(*tables))


@pytest.mark.parametrize("values", [PID + 17, PID * 3 + 7, NAME.rank().astype(int)])
def test_nothing_else_is_asked_of_them(values):
    release = table_from_frame(PEOPLE.assign(code=values), name="release")
    codes = {each.code for each in check_tables(ORIGINAL, [release]) if each.column == "code"}
    assert codes == {PSEUDONYM}


@pytest.mark.parametrize("column", ["phone", "seq", "code"])
@pytest.mark.parametrize("kind", HARMLESS)
def test_random_and_keyed_ones_are_not(kind, column):
    values, codes = HARMLESS[kind]
    assert [each.code for each in found(values, column)] == codes


def kept(original, release, code=PSEUDONYM, **scenario):
    tables = [
        table_from_frame(frame.reset_index(drop=True), name=name)
        for frame, name in ((original, "original"), (release, "release"))
    ]
    return [f for f in check_tables(*tables, **scenario) if f.code == code and f.column == "pid"]


DRAWN = np.random.default_rng(9)
DENSE_IDS = PEOPLE.assign(pid=[f"P{number}" for number in range(N)])
OWN_IDS = PEOPLE.assign(pid=PHONE)
HIDDEN = PEOPLE.assign(
    age=pd.cut(PEOPLE.age, [0, 30, 50, 70, 99]).astype(str),
    sex=DRAWN.permutation(PEOPLE.sex), job=DRAWN.permutation(PEOPLE.job), income=0.0,
)  # fmt: skip


@pytest.mark.parametrize("people", [DENSE_IDS, OWN_IDS], ids=["dense", "sparse"])
@pytest.mark.parametrize(
    "rows",
    [
        PEOPLE,
        HIDDEN,
        PEOPLE.assign(**PEOPLE.drop(columns="job").sample(frac=1, random_state=3).reset_index()),
        PEOPLE.assign(job=PEOPLE.job.map(lambda job: f"job {ord(job)}")).drop(columns="income"),
    ],
    ids=["rows", "ranges", "one column", "recoded"],
)
def test_a_kept_identifier_stops(people, rows):
    release = rows[PEOPLE.columns.intersection(rows.columns)].assign(pid=people.pid)
    (found,) = kept(people, release.sample(frac=0.8, random_state=1))
    assert found.case == "identifier"
    assert found.facts["share"] == pytest.approx(0.8)
    assert [(offer.option, offer.value) for offer in found.offers] == [("known", "pid")]
    assert not kept(people, release, "identifier-released")
    (known,) = kept(people, release, known=["pid"], unknown="job")
    assert (known.case, known.offers) == ("attacked", ())
    assert not kept(people, release, "identifier-like", known=["pid"], unknown="job")


@pytest.mark.parametrize(
    "respelled",
    [
        lambda name: ", ".join(name.split()[::-1]),
        lambda name: name.translate(str.maketrans("aeiou ", "áéíóú_")).upper(),
        lambda name: f"{name[0]}. {name.split()[1]}",
        lambda name: f"{name.split()[0]} {name.split()[1][0]}.",
        lambda name: name.lower().replace(" ", ".") + "@mail.org",
    ],
    ids=["other order", "capitals, accents", "initial", "initial of the last", "address"],
)
def test_a_respelled_name_is_still_a_name(respelled):
    people = PEOPLE.assign(pid=[f"{a} {b}" for a, b in zip(NAMES, np.roll(NAMES, 7), strict=True)])
    released = people.pid.map(respelled)
    (found,) = kept(people, PEOPLE.assign(pid=released).sample(frac=0.8, random_state=1))
    assert found.case == "respelled"
    assert found.facts["share"] == pytest.approx(0.8, abs=0.01)
    assert not kept(people, PEOPLE.assign(pid=DRAWN.permutation(released)))


SORTED = DENSE_IDS.assign(**PEOPLE.sort_values("age", ignore_index=True))
LIKE = PEOPLE.sample(N, replace=True, random_state=2)


@pytest.mark.parametrize(
    ("people", "release", "told"),
    [
        (DENSE_IDS, PEOPLE.assign(pid=DRAWN.permutation(DENSE_IDS.pid)), []),
        (DENSE_IDS.assign(pid=range(N)), PEOPLE.assign(pid=DRAWN.permutation(N)), []),
        (DENSE_IDS, LIKE.assign(pid=[f"P{number}" for number in range(N)]), []),
        (SORTED, LIKE.sort_values("age").assign(pid=SORTED.pid.tolist()), []),
        (OWN_IDS, PEOPLE.assign(pid=[uuid.uuid4().hex for _ in range(N)]), []),
        (
            OWN_IDS,
            PEOPLE.assign(pid="0660" + pd.Series(DRAWN.integers(10**6, 10**7, N)).astype(str)),
            [],
        ),
        (OWN_IDS, PEOPLE.assign(pid=DRAWN.permutation(PHONE)), ["identifier-released"]),
    ],
    ids=["renumbered", "numbers", "row number", "sorted", "random", "made up", "shuffled"],
)
def test_identifiers_of_others_do_not(people, release, told):
    found = [code for code in (PSEUDONYM, "identifier-released") if kept(people, release, code)]
    assert found == told


def test_it_decides_about_the_file():
    release = PEOPLE.sample(frac=1, random_state=1).assign(phone=PHONE.map(md5))
    facts = file_facts(ORIGINAL, table_from_frame(release, name="release"))
    fact = facts.fact(FactKind.PSEUDONYM)
    assert (fact.weight, fact.columns, fact.of) == (Weight.ALARM, ("phone",), N)
    assert fact.count == N
    assert "'phone'" in fact_chip(fact)
    assert leads_back(PSEUDONYM)
    assert not leads_back(KEYED)


def test_pseudonyms_of_two_tables_are_looked_for_once():
    released = table_from_frame(PEOPLE.assign(code=PHONE.map(md5)), name="release")
    found = check_pseudonyms(ORIGINAL, released)
    assert found
    assert check_pseudonyms(ORIGINAL, released) is found
