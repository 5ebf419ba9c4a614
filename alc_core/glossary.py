"""Terms of the review in plain words, for help texts, pages and reports."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# Term to explanation
GLOSSARY: Mapping[str, str] = MappingProxyType(
    {
        "original": "The table of real people; it is not published.",
        "release": "The anonymized or synthetic tables to be published.",
        "known columns": "Columns the attacker already knows about a person. Also called: quasi- "
        "identifiers, key variables.",
        "unknown column": "The column the attacker wants to infer. Also called: sensitive "
        "attribute, target variable.",
        "attack": "Predicts a person's unknown column from the known ones and the release, with a "
        "score for certainty.",
        "baseline": "The best guess without the person's record: a model trained on other people. "
        "What it gets right is not a loss of anonymity.",
        "precision": "The share of answers that are correct.",
        "recall": "The share of people the attacker answers for (coverage), not TP / (TP + FN).",
        "rank score": "How certain a prediction is. Below a threshold the attack does not answer.",
        "PRC": "Precision-recall coefficient, from 0 to 1. Recall matters little until it is very "
        "low.",
        "ALC": "Anonymity Loss Coefficient: what the attack learns, as a share of everything "
        "guessing would miss. 0 or less: none. 1: all.",
        "ALC among all": "Attack and baseline each at its best, among everyone: the paper's "
        "reading.",
        "ALC among the rest": "ALC without the baseline's most certain guesses, together 95% "
        "correct. The baseline guesses for as many people as the attack. The higher ALC decides.",
        "people exposed": "People the attacker is correct about only with the release, minus "
        "people correct only without it. People easily guessed are excluded; the number is "
        "scaled to everyone.",
        "interval": "The range in which the true value lies with the chosen confidence, by "
        "resampling the attacked people. In simulations with 500 people or more, 95% intervals "
        "held the true value in 94 to 99%. They hold it less often if an attack is certain of few "
        "answers among many.",
        "alpha": "PRC exponent: higher values penalize low recall less. Default: 3.",
        "R_min": "Recall at or below which precision does not count. Default: 0.0001, 1 person in "
        "10,000.",
        "confidence": "Confidence level of the intervals. Thresholds, and so ALC, depend on it. "
        "Default: 95%.",
        "widest interval": "People are attacked until intervals of precision are at most this "
        "wide. Precision counts as 1 minus half of it at most. Default: 0.1.",
        "at risk": "ALC at or above which to examine an attack before publishing. Default: 0.5.",
        "flagged": "At risk or serious; inconclusive attacks are counted separately.",
        "serious": "ALC at or above which the loss is serious. Default: 0.75.",
        "k-anonymity": "Every combination of known columns occurs for at least k people. It "
        "describes the table, not what a release reveals.",
        "uniqueness": "The share of people with a unique combination of known values.",
        "majority guess": "How often the most frequent value is correct.",
        "reference points": "The same attack on the original unchanged (everything can be found) "
        "and with its unknown column shuffled (nothing can).",
        "utility": "How closely a release's distributions, and models trained on it, match the "
        "original.",
        "total variation distance": "The share of rows that would have to change for two "
        "distributions to be equal: 0 equal, 1 disjoint. Also called: 1 minus TVComplement, 1 "
        "minus ContingencySimilarity.",
        "train on release, test on original": "A model trained on the release predicts held-out "
        "people of the original, against one trained on as many original rows. Also called: TSTR, "
        "machine learning efficacy.",
    }
)


def explain(*terms: str) -> str:
    """Return the explanations of terms, one paragraph each.

    >>> explain("precision")
    'The share of answers that are correct.'
    """
    if len(terms) == 1:
        return GLOSSARY[terms[0]]
    return "\n\n".join(f"{term[0].upper()}{term[1:]}: {GLOSSARY[term]}" for term in terms)
