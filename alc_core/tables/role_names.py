"""What a column's name and values suggest, in many languages and surveys; weights."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pandas as pd

from alc_core.tables.values.texts import numeric_values

KNOWN_TOPICS = {
    "age or birth": r"age|ages|birth\w*|dob|yob|alter|geburt\w*|edad|nacimiento|naissance|born|eta"
    r"|nascita|leeftijd|geboorte\w*|idade|nascimento|wiek|alder|vek|ika",
    "sex": r"sex|gender|geschlecht|sexe|sexo|genre|genero|male|female|sesso|geslacht|plec|koen"
    r"|kjoenn|sukupuoli|pohlavi",
    "race or origin": r"race|rasse|ethnic\w*|raza|etnia|ethnie|nationalit\w*|nacionalidad"
    r"|citizen\w*|staatsangeh\w*|nativity|native|immigra\w*|herkunft|origin\w*|raca"
    r"|cittadinanza|nazionalita|nacionalidade|herkomst|obywatelstwo|ancestry|hispanic",
    "place": r"zip\w*|plz|postal\w*|postcode|postleitzahl|address|adresse|direccion|city|stadt"
    r"|ort|wohnort|ville|ciudad|commune|municip\w*|gemeinde|county|kreis|district|region\w*"
    r"|bundesland|kanton|canton|provin\w*|state|departement|country|land|pays|pais|urban|rural"
    r"|lat|latitude|lon|lng|longitude|place|residence|location|borough|neighbou?rhood|comune|citta"
    r"|indirizzo|regione|gemeente|woonplaats|adres|cidade|estado|distrito|concelho|freguesia"
    r"|kommune?|miasto|gmina|wojewodztwo|obec|kraj|okres",
    "marital status or family": r"marital\w*|marriage|married|familienstand|civil\w*|matrimonial\w*"
    r"|spouse|household|haushalt\w*|famil\w*|children|kinder|enfants|hijos|relationship"
    r"|hhsize|dependents?|famiglia|figli|gezin\w*|burgerlijke|huishoud\w*|kinderen|filhos|cywilny"
    r"|civilstand|sivilstatus|dzieci",
    "education": r"edu|educ\w*|school\w*|schul\w*|bildung\w*|ausbildung|etudes|estudios|diplom\w*"
    r"|degree|grade|college|abschluss|niveau|istruzione|opleiding\w*|onderwijs|escolaridade"
    r"|utbildning|utdanning|uddannelse|wyksztalcenie|vzdelani",
    "work that others see": r"workclass|employer|arbeitgeber|hours|stunden|employed|arbeitszeit"
    r"|worker|employment|uren|horas|heures",
    "home or car": r"home\w*|dwelling|wohnung|rooms?|vehicle\w*",
    "looks or language": r"height|groesse|taille|hair|eye|language|sprache|langue|idioma|lingua"
    r"|taal|lengte",
}
SENSITIVE_TOPICS = {
    "health": r"health\w*|gesundheit\w*|sante|salud|diagn?s?|\w*diagnos\w*|dx|disease\w*|illness\w*"
    r"|krankheit\w*|maladie|enfermedad|icd\w*|(?:co)?morbid\w*|disorders?|syndrom\w*|condition"
    r"|allerg\w*|infect\w*|covid\w*|tumou?rs?|krebs|todesursache|medikament\w*|prescri\w*"
    r"|cancer|hiv(?:pos\w*|neg\w*|stat\w*|test\w*|infe\w*)?|aids|diabetes|disab\w*|behinder\w*|handicap"
    r"|medic\w*|treatment|hospital\w*|mental\w*|depress\w*|pregnan\w*|bmi|weight|gewicht"
    r"|cholesterol|blood\w*|smok\w*|symptom\w*|sick\w*|salute|malattia|gezondheid|ziekte|saude|insulin\w*|glucose|glukose|blutdruck|tension|pressure|systolic|diastolic|pulse|puls|heart"
    r"|h(?:a?e)?moglobin|hba|creatinine|kreatinin|serum|doenca|haelsa|helse|sundhed|zdrowie|choroba|zdravi|difficult\w*|asphyxia|insured",
    "income or wealth": r"income\w*|einkommen\w*|revenu\w*|ingreso\w*|salar\w*|salair\w*"
    r"|gehalt|lohn|wage\w*|earning\w*|sueldo|wealth|vermoegen|assets?|capital\w*|tax\w*|steuer\w*|benefit\w*"
    r"|welfare|pension|rent|poverty|savings?|expend\w*|expenses?|ausgaben|reddito|stipendio"
    r"|patrimonio|inkomen|loon|vermogen|renda|rendimento|inkomst|inntekt|indkomst|formue|dochod"
    r"|zarobki|prijem|socioecon\w*|costs?|prices?|amounts?|worth|equity",
    "debt or credit": r"debt\w*|schuld\w*|dette\w*|deuda\w*|credit\w*|kredit\w*|loan\w*|mortgage"
    r"|default\w*|bankrupt\w*|score|debito|divida|skuld|gaeld|gjeld|dlug",
    "religion": r"relig\w*|church|konfession|faith|glaube|confession|godsdienst|geloof|wyznanie",
    "politics": r"politic\w*|politi\w*|party|partei|vote\w*|voting|wahl|union|gewerkschaft"
    r"|syndicat|partito|sindacato|partij|sindicato|partido",
    "sexual life": r"sexual\w*|orientation|affairs?|abortion|partners|fidelity|contracepti\w*",
    "crime": r"crim\w*|arrest\w*|convict\w*|offen[cs]e\w*|prison|straf\w*|delit\w*|victim\w*"
    r"|police|recidiv\w*|jail",
    "drugs or alcohol": r"drug\w*|drogen?|drogue\w*|droga\w*|alcohol\w*|alkohol|addict\w*|cannabis",
    "opinions or feelings": r"satisf\w*|zufrieden\w*|happiness|trust\w*|vertrauen|opinion\w*"
    r"|attitude\w*|wellbeing",
    "occupation": r"occup\w*|job|beruf\w*|profession\w*|metier|ocupacion|trabajo|industry|branche"
    r"|professione|lavoro|beroep|profissao|trabalho|yrke|zawod|povolani",
}
# Not sensitive, but known only to record keepers and measurers
PRIVATE_TOPICS = {
    "money or accounts": r"balances?|bal|saldo\w*|kontostand|guthaben|solde|limits?|plafond"
    r"|revolving|payments?|zahlung\w*|paiements?|pagos?|pagament\w*|betaling\w*|repay\w*|amt"
    r"|transactions?|transaktion\w*|transacciones|trx|txn|turnover|umsatz\w*|overdraft|arrears"
    r"|instal?lments?|deposits?|accounts?|konto|konten|comptes?|cuentas?|conto|rekening|cards?"
    r"|bank\w*|interest|zins\w*|dividend\w*|fees?|premiums?|claims?|spend\w*|spent|purchases?"
    r"|bills?|invoices?|rechnung\w*",
    "a computed number": r"ratios?|quotient|quote|taux|utili[sz]ation|auslastung|percent\w*|pct"
    r"|prozent\w*|pourcentage|porcentaje|index|probability|chng|zscore",
    "use of a service": r"inactive|contacts|logins?|clicks?|calls|anrufe|visits?|besuche|usage"
    r"|nutzung",
}
# By most values, if the name is uninformative
_VALUE_TOPICS = {
    "sex": r"m|f|w|d|male|female|man|woman|men|women|maennlich|weiblich|divers|homme|femme|masculin"
    r"|feminin|hombre|mujer|maschio|femmina|nonbinary",
    "marital status or family": r"(?:never )?married.*|divorced|widow(?:ed)?|separated|single"
    r"|unmarried|husband|wife|ledig|verheiratet|geschieden|verwitwet|celibataire|mariee?|divorcee?"
    r"|veuve?|soltero|casado|viudo",
    "education": r".*(?:bachelor|master|doctora|phd|diploma|high school|primary|secondary|hs grad"
    r"|college|abitur|bachillerato|licence).*",
    "race or origin": r"white|black|asian.*|hispanic|latino|african american|amer indian.*"
    r"|caucasian",
}
_BIRTHPLACE = re.compile(
    r"\b(?:place|country|state|region|city|lieu|pays|lugar|pais|luogo|paese)(?: (?:of|de|di))?"
    r" (?:birth|naissance|nacimiento|nascita|nascimento)\b"
    r"|\b(?:birth|geburts?|geboorte) ?(?:place|country|state|ort|land|plaats)\b"
)

_LETTERS = {"ä": "ae", "ö": "oe", "ø": "oe", "ü": "ue", "ß": "ss", "ł": "l"}

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

_RECORD_WORD = re.compile(
    r"serial(?:no|nr|num\w*)?|seqn\w*|hid|case(?:id|num)|(?:hh|hog|men)(?:id|nr|num|no|serial)"
    r"|id(?:hh|hog|men|pers\w*|ind\w*)|[ph]idp|cpsidp?|(?:pers|fall|lauf|lfd|haushalts?)(?:nr|nummer)"
    r"|p?nr|id(?:no|nr|num)|row(?:id|names?|num\w*|nr)|(?:record|resp)id|uuid|guid"
)
_UNIT_WORD = re.compile(
    r"house(?:hold)?|hh|haushalts?|hogar|menage|foyer|famil(?:y|ie|ia|le)|cas[eo]|fall|record|row"
    r"|zeile|ligne|fila|serial|interview|questionnaire|fragebogen"
)
_NUMBER = re.compile(_NUMBER_WORD)
_ENDS_IN_NUMBER = re.compile(rf"\w*?{_NUMBER_WORD}")

_SURE = re.compile(
    # Census, labour force and health surveys: PWGTP and replicates, fnlwgt, PERWT, WTMEC2YR
    r"\w*wgt\w{0,3}|\w*wghts?\w{0,3}|wts|wt(?:finl|supp|mec|int|saf|drd|ssn)\w*"
    r"|(?:p|per|hh|asec|marsup|earn|final|fin|repl?|svy|surv|samp|sample|lnk\w|llcp|comp|fst\w*"
    r"|spf|cross|long|pop)wt\w{0,3}"
    # Stata's kinds of weights, and the European Social Survey's
    r"|(?:p|f|a|i|d|h|an|psp|pop|rep)weights?|pspwght"
    # German, French and Spanish statistical offices and panels
    r"|(?:hochrechnung|gewichtung)\w*|(?:personen|haushalts|fall|design)gewichte?|[ph]?hrf|pond"
    r"|ponder\w*|ipondi|extri"
    r"|factor(?:exp\w*|el\w*)|fexp\w*|facexp\w*"
)
# Demographic and Health Surveys, EU-SILC and INEGI, without underscores
_CODES = re.compile(r"(?:hv|mv|v|d)005[a-z]?|rb0[56]0|pb0[4-7]0|db090|factri|facel")
_PLAIN = re.compile(r"weights?|weighting|wt|gewichte?|poids|pesos?")
_FACTOR = re.compile(r"coef\w*|fact(?:or|eur)\w*|faktor")
_OF_EXPANSION = re.compile(
    r"expansion|grossing|calib\w*|sampling|hochrechnungs?|extrapolation|redressement|elevacion"
    r"|ponderacion"
)
_OF_A_SURVEY = re.compile(
    r"survey|sample|sampling|stichproben?|pop|population|household|hh|haus|haushalts?|design|analy\w*"
    r"|inverse|prob\w*|expansion|replicates?|repl?|grossing|calib\w*|post\w*|rak\w*|norm\w*|cross\w*"
    r"|longitud\w*|jackknife|hochrechnungs?|extrapolation|sondage|enquete|redressement|muestral"
    r"|elevacion|ponderacion"
)
_OF_SOMEBODY = re.compile(
    r"person\w{0,2}|pers|people|student|individual|final|base|full|total|my|the|\w"
)
_OF_A_BODY = re.compile(
    r"body|birth|newborn|baby|koerper\w*|geburts?|naissance|corporel|corporal|kg|kilos?|lbs?"
    r"|pounds?|grams?|l?bw(?:gh?|eigh)?t"
)
_BODILY_COLUMN = re.compile(
    r"height|groesse|taille|talla|bmi|waist|hip|gestation\w*|ht|stature|systolic|sbp|pulse|glucose"
    r"|cholesterol|hba"
)
_LIGHTEST = 2.0  # Body weights, in kg or lb
_HEAVIEST = 400.0
_MOST_BODIES = 0.9  # Share of numbers that are body weights


def names_person_number(column: str) -> bool:
    """Return whether a name may mean a person's number.

    Each word must mean a person or number.

    Examples
    --------
    >>> [names_person_number(name) for name in ("Personen-Nr", "custID", "id", "person_income")]
    [True, True, True, False]
    """
    words = name_words(column)
    if not words or (len(words) == 1 and words[0] in _NOT_ALONE):
        return False
    return all(_PERSON_NUMBER.fullmatch(word) for word in words)


def names_record(column: str) -> bool:
    """Return whether a name may mean a person's, household's or record's number.

    Examples
    --------
    >>> [names_record(name) for name in ("SERIALNO", "hhid", "Haushalts-Nr", "household_size")]
    [True, True, True, False]
    """
    words = name_words(column)
    if len(words) == 1 and _RECORD_WORD.fullmatch(words[0]):
        return True
    if (
        len(words) > 1
        and _NUMBER.fullmatch(words[-1])
        and all(map(_UNIT_WORD.fullmatch, words[:-1]))
    ):
        return True
    return names_person_number(column) and _ENDS_IN_NUMBER.fullmatch(words[-1]) is not None


def topic_of(column: str) -> str | None:
    """Return a column's topic by name: a survey's code, else a word; sensitive first."""
    if topic := topic_of_code(column):
        return topic
    words = name_words(column)
    if _BIRTHPLACE.search(" ".join(words)):
        return "race or origin"
    for topic, pattern in {**SENSITIVE_TOPICS, **PRIVATE_TOPICS, **KNOWN_TOPICS}.items():
        if any(re.fullmatch(pattern, word) for word in words):
            return topic
    return None


def topic_of_values(values: pd.Series) -> str | None:
    """Return the topic of most values."""
    present = values.dropna()
    if pd.api.types.is_numeric_dtype(present.dtype):
        return None
    texts = [" ".join(name_words(str(each))) for each in present.unique()]
    for topic, pattern in _VALUE_TOPICS.items():
        if len(texts) > 1 and sum(bool(re.fullmatch(pattern, t)) for t in texts) > len(texts) / 2:
            return topic
    return None


def name_words(column: str) -> list[str]:
    """Split a name into lower-case words without accents."""
    import unicodedata

    split = re.sub(r"(?<=[a-zà-ÿ0-9])(?=[A-ZÀ-Þ])", " ", column)
    for umlaut, plain in _LETTERS.items():
        split = split.replace(umlaut, plain).replace(umlaut.upper(), plain)
    ascii_only = unicodedata.normalize("NFKD", split).encode("ascii", "ignore").decode().lower()
    return [word for word in re.split(r"[^a-z]+", ascii_only) if word]


def weight_reason(column: str, values: pd.Series, others: Sequence[str]) -> str | None:
    """Say why a column is likely a survey weight."""
    sure, maybe = _by_name(column)
    if not (sure or maybe):
        return None
    numbers = numeric_values(values)
    numbers = numbers[np.isfinite(numbers)]
    # Text, or numbers that cannot be people per row
    if len(numbers) < 0.5 * values.notna().sum() or not len(numbers) or numbers.max() <= 0:
        return None
    if sure:
        return "the name suggests a survey weight"
    if any(_BODILY_COLUMN.fullmatch(word) for other in others for word in name_words(other)):
        return None
    if float(np.mean((numbers >= _LIGHTEST) & (numbers <= _HEAVIEST))) >= _MOST_BODIES:
        return None
    return "the name suggests a survey weight"


def _by_name(column: str) -> tuple[bool, bool]:
    """Return whether a name is certainly, or perhaps, a survey weight's."""
    words = name_words(column)
    if any(_OF_A_BODY.fullmatch(word) for word in words):
        return False, False
    if _CODES.fullmatch(re.sub(r"[^a-z0-9]", "", column.lower())) or any(
        _SURE.fullmatch(word) for word in words
    ):
        return True, True
    for weight, kind in ((_PLAIN, _OF_A_SURVEY), (_FACTOR, _OF_EXPANSION)):
        weights = sum(weight.fullmatch(word) is not None for word in words)
        of_kind = sum(kind.fullmatch(word) is not None for word in words)
        if weights and of_kind and weights + of_kind >= len(words) - 1:
            return True, True
    plain = any(_PLAIN.fullmatch(word) for word in words)
    return False, plain and all(_PLAIN.fullmatch(w) or _OF_SOMEBODY.fullmatch(w) for w in words)


_SURVEY_CODES = {
    # American Community Survey, Current Population Survey, IPUMS, EU-SILC, NHANES, sdcMicro
    "age or birth": (
        "agep a_age agegr agecat agem ridageyr ridagemn birthyr birthqtr yob rb080 rx010 rx020"
    ),
    "sex": "sexe a_sex riagendr rb090 gndr msex fsex",
    "race or origin": (
        "rac1p rac2p rac3p racaian racasn racblk racwht racnh racsor hisp rachsing prdtrace "
        "pehspnon hispan raced bpl bpld ancestr1 anc anc1p anc2p pobp pobp05 cit citizen "
        "natvty nativity yoep waob qtrbir mig ridreth1 ridreth3 dmdborn4 pb210 pb220a"
    ),
    "place": (
        "st puma puma00 puma10 puma20 region division statefip statefips countyfip countyfips "
        "fips met2013 metro metarea gestfips gereg gtcbsa migsp migpuma powsp powpuma db040 "
        "db100 rb040 density urbrur nuts nuts1 nuts2 nuts3 cntry"
    ),
    "marital status or family": (
        "mar msp marst marhd marhm marht marhw marhyp a_maritl pemaritl sfn sfr relp relshipp "
        "rel rela relat relate related a_famrel hhcivil npf noc nrc npp np hupac hupaoc fes "
        "hht hht2 partner multg nchild famsize pb190 hx040 hsize dmdmartl dmdhhsiz hh5 sploc "
        "momloc"
    ),
    "education": (
        "schl schg sch edu educd a_hga peeduca school pe010 pe040 dmdeduc2 dmdeduc3 edlevel "
        "isced hisced eisced sciengp fod1p fod2p"
    ),
    "work that others see": (
        "cow classwkr classwkrd a_clswkr esr empstat empstatd labforce wkhp wkw wkwn uhrswork "
        "uhrswork1 wkswork1 wkswork2 jwtr jwtrns jwmnp jwrip jwap jwdp nwlk nwab nwav wrk mil "
        "vps pl030 pl031 pl060 pemlr peio1cow"
    ),
    "language": "lanx lanp eng english speakeng",
    "home or car": (
        "bld hfl rms bdsp veh ten ten_own ownershp housing_type own_rent roof walls water "
        "electcon hh010 hh020"
    ),
    "health": (
        "dis dear deye dout dphy drem ddrs dratx hicov privcov pubcov hins1 hins2 hins3 hins4 "
        "hins5 hins6 hins7 fer gcl gcm gcr diffrem diffphys diffmob diffcare diffsens hcovany "
        "dvet drat ph010 ph020 ph030 hlth bmxbmi bpxsy1 lbxtc huq010 hsd010"
    ),
    "income or wealth": (
        "pincp pernp wagp semp intp retp ssp ssip pap oip pincp_decile hincp fincp povpip "
        "inctot incwage incbus00 incss incwelfr incinvst incretir incsupp incother incearn "
        "poverty hhincome ftotinc valueh valp taxamt taxp rntp grntp smocp ocpip grpip fs agi "
        "fedtax statetax taxinc fica emcontrb ptotval pothval intval pearnval wsalval ernval "
        "adjinc py010g py010n py020g py050g py050n py090n py100n py110n py120n py130n py140n "
        "hy010 hy020 hy022 hy023 hy040g hy040n hy050n hy060n hy070n hy080n hy090n hy100n "
        "hy110n hy130n hy145n hx090 indfmpir indfmin2 indhhin2 hinctnta netinc grossinc "
        "expend savings"
    ),
    "debt or credit": "mrgp mrgx smp pay_0 pay_1 bill_amt1",
    "occupation": (
        "occp occp10 occp12 socp socp10 socp12 indp indp_cat naicsp occ occ1990 occ2010 ind "
        "ind1990 a_occ a_ind pl050 pl051 pl110 isco isco08 isco88 nace prmjocc1 prmjind1"
    ),
}

_TOPICS = {code: topic for topic, codes in _SURVEY_CODES.items() for code in codes.split()}


def topic_of_code(column: str) -> str | None:
    """Return the topic of a survey's code.

    Examples
    --------
    >>> topic_of_code("PINCP"), topic_of_code("marital")
    ('income or wealth', None)
    """
    return _TOPICS.get(re.sub(r"[^a-z0-9_]", "", column.lower()))
