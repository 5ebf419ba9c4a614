"""Suggesting the part of each column in an attack, by local rules on names and values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from alc_core.tables.table import ColumnKind, Table

Role = Literal["known", "unknown", "identifier", "ignore"]

FEW_VALUES = 100
"""Categorical columns with more labels than this are rather known (places, dates) than secrets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleSuggestion:
    """What part a column may play, and why.

    Attributes
    ----------
    column : str
        Name of the column.
    role : {"known", "unknown", "identifier", "ignore"}
        "known" if an attacker may know it, "unknown" if it is worth protecting.
    reason : str
        In words for the user.
    by_name : bool
        Whether the column's name says so, which is worth more than a guess from its values.
    """

    column: str
    role: Role
    reason: str
    by_name: bool = False


_KNOWN_TOPICS = {
    "age or birth": r"age|ages|birth\w*|dob|yob|alter|geburt\w*|edad|nacimiento|naissance|born",
    "sex": r"sex|gender|geschlecht|sexe|sexo|genre|genero|male|female",
    "race or origin": r"race|rasse|ethnic\w*|raza|etnia|ethnie|nationalit\w*|nacionalidad"
    r"|citizen\w*|staatsangeh\w*|nativity|native|birthplace|immigra\w*|herkunft|origin\w*",
    "place": r"zip\w*|plz|postal\w*|postcode|postleitzahl|address|adresse|direccion|city|stadt"
    r"|ort|wohnort|ville|ciudad|commune|municip\w*|gemeinde|county|kreis|district|region\w*"
    r"|bundesland|kanton|canton|provin\w*|state|departement|country|land|pays|pais|urban|rural"
    r"|lat|latitude|lon|lng|longitude",
    "marital status or family": r"marital\w*|marriage|married|familienstand|civil|matrimonial\w*"
    r"|spouse|household|haushalt\w*|famil\w*|children|kinder|enfants|hijos|relationship"
    r"|hhsize|dependents?",
    "education": r"edu|educ\w*|school\w*|schul\w*|bildung\w*|ausbildung|etudes|estudios|diplom\w*"
    r"|degree|grade|college|abschluss|niveau",
    "work that others see": r"workclass|employer|arbeitgeber|hours|stunden|employed|arbeitszeit",
    "looks": r"height|groesse|taille|hair|eye|language|sprache|langue|idioma",
}
_UNKNOWN_TOPICS = {
    "health": r"health\w*|gesundheit\w*|sante|salud|diagnos\w*|disease\w*|illness|krankheit\w*"
    r"|maladie|enfermedad|icd\w*|condition|cancer|hiv|diabetes|disab\w*|behinder\w*|handicap"
    r"|medic\w*|treatment|hospital\w*|mental\w*|depress\w*|pregnan\w*|bmi|weight|gewicht"
    r"|cholesterol|blood\w*|smok\w*|symptom\w*",
    "income or wealth": r"income\w*|einkommen\w*|revenu\w*|ingreso\w*|salar\w*|salair\w*"
    r"|gehalt|lohn|wage\w*|earning\w*|sueldo|wealth|vermoegen|assets?|capital\w*|tax\w*|steuer\w*|benefit\w*"
    r"|welfare|pension|rent",
    "debt or credit": r"debt\w*|schulden|dette\w*|deuda\w*|credit\w*|kredit\w*|loan\w*|mortgage"
    r"|default\w*|bankrupt\w*|score",
    "religion": r"relig\w*|church|konfession|faith|glaube|confession",
    "politics": r"politic\w*|politi\w*|party|partei|vote\w*|voting|wahl|union|gewerkschaft"
    r"|syndicat",
    "sexual life": r"sexual\w*|orientation|affairs?|abortion|partners|fidelity|contracepti\w*",
    "crime": r"crim\w*|arrest\w*|convict\w*|offen[cs]e\w*|prison|straf\w*|delit\w*|victim\w*"
    r"|police|recidiv\w*|jail",
    "drugs or alcohol": r"drug\w*|drogen?|drogue\w*|droga\w*|alcohol\w*|alkohol|addict\w*|cannabis",
    "occupation": r"occup\w*|job|beruf\w*|profession\w*|metier|ocupacion|trabajo|industry|branche",
}

_PERSON_WORD = (
    r"(?:person\w{0,2}|personne|pers|patient\w{0,3}|pacientes?|customers?|cust|clients?|clientes?"
    r"|kunden?|members?|mitglied\w{0,3}|employees?|emp|mitarbeiter|users?|nutzer|subjects?"
    r"|participants?|teilnehmer|respondents?|proband\w{0,2}|citizens?|buerger|voters?|students?"
    r"|schueler|insured|versicherten?|individuals?|individu)"
)
_NUMBER_WORD = (
    r"(?:id|ident|identifier|nr|no|num|nbr|number|nummer|numero|key|schluessel|code|uid|pid|ssn"
    r"|mrn)"
)
_PERSON_NUMBER = re.compile(rf"{_PERSON_WORD}?{_NUMBER_WORD}?")
_NOT_ALONE = frozenset({"code", "key", "schluessel", "citizen"})


def names_person_number(column: str) -> bool:
    """Return whether a column's name may be that of a person's number.

    Every word has to mean a person or a number, so that "person_income" does not.

    Examples
    --------
    >>> [names_person_number(name) for name in ("Personen-Nr", "custID", "id", "person_income")]
    [True, True, True, False]
    """
    words = _words(column)
    if not words or (len(words) == 1 and words[0] in _NOT_ALONE):
        return False
    return all(_PERSON_NUMBER.fullmatch(word) for word in words)


def suggest_roles(original: Table, releases: Sequence[Table]) -> tuple[RoleSuggestion, ...]:
    """Suggest a role for each column of the original.

    The names are looked up in English, German, French and Spanish; nothing leaves the machine.

    Parameters
    ----------
    original : Table
        The table of real people.
    releases : sequence of Table
        What is published; a column in none of them is of no use to an attacker.

    Returns
    -------
    tuple of RoleSuggestion
        In the order of the original's columns.

    Examples
    --------
    >>> import pandas as pd
    >>> from alc_core.tables.read import table_from_frame
    >>> table = table_from_frame(pd.DataFrame({"Alter": [30, 40], "diagnosis": ["a", "b"]}))
    >>> [(s.column, s.role) for s in suggest_roles(table, [table])]
    [('Alter', 'known'), ('diagnosis', 'unknown')]
    """
    released = {column for release in releases for column in release.columns}
    return tuple(_suggest(original, column, column in released) for column in original.columns)


def _suggest(original: Table, column: str, is_released: bool) -> RoleSuggestion:
    kind = original.kind(column)
    overridden = column in original.overrides
    why = "as you set it" if overridden else original.guesses[column].reason
    if kind is ColumnKind.IDENTIFIER:
        return RoleSuggestion(column=column, role="identifier", reason=f"identifies records: {why}")
    if kind is ColumnKind.IGNORE:
        return RoleSuggestion(column=column, role="ignore", reason=f"not usable: {why}")
    if not is_released:
        return RoleSuggestion(column=column, role="ignore", reason="in no release")
    if why.startswith("constant"):
        return RoleSuggestion(column=column, role="ignore", reason=f"says nothing: {why}")
    for role, topics in (("unknown", _UNKNOWN_TOPICS), ("known", _KNOWN_TOPICS)):
        topic = _topic(column, topics)
        if topic is not None:
            return _by_name(column, role, topic)
    return _by_values(original, column, kind)


def _topic(column: str, topics: dict[str, str]) -> str | None:
    words = _words(column)
    for topic, pattern in topics.items():
        if any(re.fullmatch(pattern, word) for word in words):
            return topic
    return None


def _words(column: str) -> list[str]:
    """Split a name into lower-case words without accents."""
    import unicodedata

    split = re.sub(r"(?<=[a-zà-ÿ0-9])(?=[A-ZÀ-Þ])", " ", column)
    for umlaut, plain in (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss")):
        split = split.replace(umlaut, plain).replace(umlaut.upper(), plain)
    ascii_only = unicodedata.normalize("NFKD", split).encode("ascii", "ignore").decode().lower()
    return [word for word in re.split(r"[^a-z]+", ascii_only) if word]


def _by_name(column: str, role: str, topic: str) -> RoleSuggestion:
    if role == "unknown":
        reason = f"the name suggests {topic}, which is sensitive"
        return RoleSuggestion(column=column, role="unknown", reason=reason, by_name=True)
    reason = f"the name suggests {topic}, which others often know"
    return RoleSuggestion(column=column, role="known", reason=reason, by_name=True)


def _by_values(original: Table, column: str, kind: ColumnKind) -> RoleSuggestion:
    if kind is ColumnKind.DATETIME:
        reason = "dates are often known from elsewhere"
        return RoleSuggestion(column=column, role="known", reason=reason)
    if kind is ColumnKind.CONTINUOUS:
        reason = "a quantity with many values, which people rarely know of others"
        return RoleSuggestion(column=column, role="unknown", reason=reason)
    count = int(original.frame[column].nunique())
    if count > FEW_VALUES:
        reason = f"{count:,} distinct values: more likely to single out people than to be a secret"
        return RoleSuggestion(column=column, role="known", reason=reason)
    reason = (
        f"{count:,} distinct values, and no hint in the name: it can be predicted, so protect it"
    )
    return RoleSuggestion(column=column, role="unknown", reason=reason)
