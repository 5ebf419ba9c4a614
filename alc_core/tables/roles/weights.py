"""Which columns are survey weights: how many people of the population a record stands for.

Nobody knows the weight of somebody else, nor their own; it is no fact about a person.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pandas as pd

from alc_core.tables.roles.names import name_words
from alc_core.tables.values.texts import numeric_values

_SURE = re.compile(
    # Census, labour force and health surveys: PWGTP and its replicates, fnlwgt, PERWT, WTMEC2YR.
    r"\w*wgt\w{0,3}|\w*wghts?\w{0,3}|wts|wt(?:finl|supp|mec|int|saf|drd|ssn)\w*"
    r"|(?:p|per|hh|asec|marsup|earn|final|fin|repl?|svy|surv|samp|sample|lnk\w|llcp|comp|fst\w*"
    r"|spf|cross|long|pop)wt\w{0,3}"
    # Stata's kinds of weights, and those of the European Social Survey.
    r"|(?:p|f|a|i|d|h|an|psp|pop|rep)weights?|pspwght"
    # German, French and Spanish statistical offices and panels.
    r"|(?:hochrechnung|gewichtung)\w*|(?:personen|haushalts|fall|design)gewichte?|[ph]?hrf|pond"
    r"|ponder\w*|ipondi|extri"
    r"|factor(?:exp\w*|el\w*)|fexp\w*|facexp\w*"
)
_CODES = re.compile(r"(?:hv|mv|v|d)005[a-z]?|rb0[56]0|pb0[4-7]0|db090|factri|facel")
"""Of the Demographic and Health Surveys, EU-SILC and INEGI, without underscores."""

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
_LIGHTEST, _HEAVIEST = 2.0, 400.0
_MOST_BODIES = 0.9


def weight_reason(column: str, values: pd.Series, others: Sequence[str]) -> str | None:
    """Say why a column is likely a survey weight.

    Examples
    --------
    >>> import pandas as pd
    >>> weight_reason("PWGTP12", pd.Series([80, 120, 35]), [])
    'the name suggests a survey weight, which nobody knows'
    >>> weight_reason("weight", pd.Series([80, 72, 95]), [])
    >>> weight_reason("weight", pd.Series([8023.5, 72.1, 950.0]), [])
    'the name suggests a weight, and the values are not those of bodies: a survey weight'
    """
    sure, maybe = _by_name(column)
    if not (sure or maybe):
        return None
    numbers = numeric_values(values)
    numbers = numbers[np.isfinite(numbers)]
    # Text, and numbers that cannot say how many people somebody stands for.
    if len(numbers) < 0.5 * values.notna().sum() or not len(numbers) or numbers.max() <= 0:
        return None
    if sure:
        return "the name suggests a survey weight, which nobody knows"
    if any(_BODILY_COLUMN.fullmatch(word) for other in others for word in name_words(other)):
        return None
    if float(np.mean((numbers >= _LIGHTEST) & (numbers <= _HEAVIEST))) >= _MOST_BODIES:
        return None
    return "the name suggests a weight, and the values are not those of bodies: a survey weight"


def _by_name(column: str) -> tuple[bool, bool]:
    """Return whether a name surely is that of a survey weight, and whether it may be."""
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
