"""Texts that stand for "no value", in the languages and spellings of surveys."""
# ruff: noqa: RUF001

import pytest

from alc_core.tables.values.no_value import judged_words, no_value_phrase, no_value_words

WITH_CODES = """
97. DK|-7 Don't know|(98) Refusal|Missing (99)|8 = refused|[-9] Not stated|-2: k. A.|
9999 NIU|.b Refused|D. Don't know|99 - No answer|-1. Weiß nicht|77 NSP|9 onbekend|
onbekend (9)|Missing: 9|88 Refuse|-9 Filter missing|-8 implausible value|
99 нет ответа|9 無回答|<8> DK|98 NR
""".replace("\n", "").split("|")
SPELLED = """
DON’T KNOW|dont know|Don`t  know|Prefer not to answer/disclose|N/A - not asked|
(VOL.) DK/Refused|DK (spontaneous)|Refused or don't know|NIU (not in universe)|
Not applicable (under 16)|Not known / not recorded|n. a.|#NULL!|#VALUE!|(blank)|(leer)|
System missing|I'd rather not say|Declined to state|Can't choose|Not ascertained
""".replace("\n", "").split("|")
LANGUAGES = """
weiß nicht / k.A.|N.S./N.C.|ND/NA|DK/REF|Brak danych (BD)|Cevap yok (CY)|hors champ|
sans objet (hors champ)|trifft nicht zu / Filter|98- Fikrim yok|not determined|KA|
WEISS NICHT|Keine Angaben|k.A. (verweigert)|Antwort verweigert|Non-réponse|
ne se prononce pas|Sans reponse|Ne sait pas / refus|No contesta|no sabe, no responde|
Prefiero no decirlo|Non sa/Non risponde|Mancata risposta|Não respondeu|nao sabe|
Weet ik niet|wil niet zeggen|n.v.t.|Vill ej svara|Uppgift saknas|ønsker ikke at svare|
Uoplyst|Ubesvart|En osaa sanoa|Ei vastausta|Odmowa odpowiedzi|Trudno powiedzieć|Neví|
Neuvedeno|Nem válaszol|Nu știu/Nu răspund|Ne zna|Затрудняюсь ответить|ОТКАЗ|не знаю|
Важко сказати|Δεν ξέρω|Cevap yok|לא יודע|لا أعرف|不知道|拒绝回答|
わからない|非該当|모름/무응답|해당없음|
No ho sap|Ez daki
""".replace("\n", "").split("|")
ANSWERS = """
none|None|no|nein|non|ninguno|geen|ingen|ei|brak|нет|无|なし|없음|other|Andere|autre|
no opinion|undecided|neither agree nor disagree|not at all|not married|Never-worked|
no religion|keine Kinder|ohne Abschluss|eher nicht|sans diplôme|sin estudios|
senza lavoro|sem instrução|geen opleiding|inte alls|ikke gift|ei lapsia|bez práce|
не работает|n.e.c.|not elsewhere classified|Other/unknown|Asthma, unspecified|
unknown soldier|missing person|Not mentioned|not tested|1. Yes|9 other|(1) none|
98 Sonstiges|2A|10+|C32.0|K|X|AB|NC|Ns|blank|value|vol|system|2 missing teeth|
Nan Goldin|0|12.5|2020-01-01
""".replace("\n", "").split("|")


@pytest.mark.parametrize("text", [*WITH_CODES, *SPELLED, *LANGUAGES])
def test_words_say_that_there_is_no_value(text):
    assert no_value_words(["clerk", text]) == [text]


@pytest.mark.parametrize("text", ANSWERS)
def test_answers_are_values(text):
    assert no_value_words(["clerk", text]) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [("98. DK", "dk"), ("-9 Don't know", "DON’T KNOW"), ("Sans réponse", "sans reponse (9)")],
)
def test_spellings_of_one_phrase_are_alike(one, other):
    assert no_value_phrase(one) == no_value_phrase(other) != ""


@pytest.mark.parametrize(
    "labels",
    [
        ["granted", "refused"],
        ["stable", "improved", "declined"],
        ["known", "unknown"],
        ["available from May", "not available"],
        ["complete response", "no response"],
        ["trifft zu", "trifft eher zu", "trifft nicht zu"],
        ["bekannt", "nicht bekannt"],
        ["1. accordé", "2. refus"],
        ["одобрено", "отказ"],
    ],
)
def test_a_word_beside_its_opposite_is_in_doubt(labels):
    assert judged_words(labels) == {labels[-1]: False}


@pytest.mark.parametrize(
    "labels",
    [
        ["DE", "FR", "NO", "DK"],
        ["DEU", "FRA", "NOR", "NIU"],
        ["0 missing", "1 missing", "2 missing"],
    ],
)
def test_codes_and_counts_are_values(labels):
    assert judged_words(labels) == {}


def test_other_words_leave_no_doubt():
    assert judged_words(["yes", "no", "refused", "98. DK"]) == {"refused": True, "98. DK": True}
    assert judged_words(["Ja", "Ej gift", "Vet ej"]) == {"Vet ej": True}
