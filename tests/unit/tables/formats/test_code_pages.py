"""Text that is not UTF-8: the right letters or a refusal, never other letters without a word."""

# ruff: noqa: RUF001
import pytest

from alc_core.errors import TableReadError
from alc_core.tables.read import read_table

WORDS = {
    ("French", "cp1252"): (
        "Genève Orléans Besançon Nîmes Mâcon Saint-Étienne", "Zoé Chloé Jérôme Hélène François",
        "infirmière bûcheron pâtissier ingénieur mécanicien",
    ),
    ("German", "cp1252"): (
        "Köln München Düsseldorf Fürth Gießen", "Jürgen Günther Käthe Björn Änne",
        "Bäcker Tänzerin Ärztin Köchin Schlosser",
    ),
    ("Spanish", "cp1252"): (
        "Málaga Córdoba Cádiz Logroño León", "José María Begoña Ramón Andrés",
        "médico albañil músico técnico peón",
    ),
    ("Portuguese", "cp1252"): (
        "São Paulo Brasília Évora Guimarães Maceió", "João Antônio Inês Conceição Tomé",
        "médico escrivão técnico pescador capitão",
    ),
    ("Swedish", "cp1252"): (
        "Malmö Göteborg Västerås Örebro Umeå", "Åsa Björn Märta Göran Pär",
        "lärare sjuksköterska målare läkare kock",
    ),
    ("Polish", "cp1250"): (
        "Łódź Gdańsk Poznań Wrocław Częstochowa", "Małgorzata Michał Zdzisław Żaneta Bożena",
        "urzędnik inżynier księgowy rzeźnik nauczyciel",
    ),
    ("Czech", "cp1250"): (
        "Plzeň Děčín Kroměříž Třebíč Ústí", "Jiří Václav Zdeněk Božena Lukáš",
        "účetní řidič lékař zedník hasič",
    ),
    ("Hungarian", "cp1250"): (
        "Győr Kőszeg Pécs Székesfehérvár Tatabánya", "Jenő László Erzsébet Gergő Tünde",
        "könyvelő mérnök ügyvéd nővér tanár",
    ),
    ("Russian", "cp1251"): (
        "Москва Казань Тула Омск Воронеж", "Пётр Фёдор Ольга Татьяна Иван",
        "врач инженер учитель повар водитель",
    ),
    ("Russian", "koi8_r"): (
        "Москва Казань Тула Омск Воронеж", "Пётр Фёдор Ольга Татьяна Иван",
        "врач инженер учитель повар водитель",
    ),
    ("Greek", "cp1253"): (
        "Αθήνα Πάτρα Λάρισα Ιωάννινα Χανιά", "Γιώργος Μαρία Ελένη Κώστας Νίκος",
        "γιατρός δάσκαλος μηχανικός μάγειρας οδηγός",
    ),
    ("Turkish", "cp1254"): (
        "İstanbul Eskişehir Iğdır Muş Balıkesir", "Ayşe Işıl Çağla Gülşen Barış",
        "öğretmen aşçı şoför mühendis kasap",
    ),
    ("Japanese", "cp932"): (
        "東京 大阪 名古屋 札幌 福岡", "さくら ひろし 健太 美咲 ゆい",
        "医師 教師 エンジニア 看護師 会社員",
    ),
    ("Korean", "cp949"): (
        "서울 부산 대구 인천 광주", "민준 서연 지우 하은 도윤", "의사 교사 간호사 회사원 요리사",
    ),
    ("Chinese", "gb18030"): (
        "北京 上海 广州 深圳 成都", "小明 志强 丽华 建国 美玲", "医生 教师 工程师 护士 司机",
    ),
}  # fmt: skip
CASES = [
    pytest.param(kind.split(), codec, copies, id=f"{language}-{codec}-{place}-{copies}")
    for (language, codec), kinds in WORDS.items()
    for place, kind in enumerate(kinds)
    for copies in (1, 400)
]


@pytest.mark.parametrize(("words", "codec", "copies"), CASES)
def test_letters_are_read_right(words, codec, copies):
    rows = [*words, *["plain"] * 3] * copies
    table = read_table("\n".join(["id;word", *(f"1;{w}" for w in rows)]).encode(codec), name="x")
    assert table.frame["word"].tolist() == rows


@pytest.mark.parametrize(
    ("words", "codec"),
    [("Győr", "cp1250"), ("宋", "gb18030"), ("남", "cp949"), ("Петр", "cp866")],
)
def test_letters_that_tell_too_little_are_refused(words, codec):
    with pytest.raises(TableReadError, match=r"^'x' is n.* Save it as UTF-8, or choose its encodi"):
        read_table(f"id;word\n1;{words}\n".encode(codec), name="x")


def test_rivals_are_named():
    with pytest.raises(
        TableReadError, match=r"too few letters to choose from '\w+'.* and '\w+'\. Save"
    ):
        read_table("id;word\n1;Đurđica\n2;Šibenik\n".encode("iso8859_2"), name="x")


@pytest.mark.parametrize(
    ("text", "word"), [("Genève", "Genève"), ("25 °C", "°C"), ("l’eau", "l’eau")]
)
def test_cp1252_is_preferred_and_told_with_a_word(text, word):
    table = read_table(f"id;word\n1;{text}\n".encode("cp1252"), name="x")
    assert table.frame["word"].tolist() == [text]
    assert f"Encoding: cp1252 was assumed, such as '{word}'." in table.notes[1]


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (b"\xfcrth", "0xFC in line 4, character 4 (byte {})"),
        (b"F\xc3", "0xC3 in line 4, character 5 (byte {})"),
        (b"Genf;\xe4\xb8", "0xE4 in line 4, character 9 (byte {})"),
    ],
)
def test_broken_utf_8_is_refused_with_its_place(broken, told, mark):
    data = f"{mark}id;ort\n1;Köln\n2;ä\n3;ü".encode() + broken
    place = data.index(next(part for part in (b"\xfc", b"F\xc3", b"\xe4\xb8") if part in broken))
    place += broken.startswith(b"F")
    told = told.format(place + 1)
    with pytest.raises(TableReadError) as found:
        read_table(data + b"\n", name="x")
    assert told in str(found.value)
    assert "or choose the encoding" in str(found.value)
