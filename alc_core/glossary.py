"""Terms in plain words, for help texts, pages and reports."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# Term to explanation
GLOSSARY: Mapping[str, str] = MappingProxyType(
    {
        "original": "The table of real people; it is not published.",
        "release": "The anonymized or synthetic tables to be published.",
        "known columns": "Columns the attacker knows about a person. Also called: "
        "quasi-identifiers, "
        "key variables.",
        "unknown column": "The column the attacker wants to infer. Also called: sensitive "
        "attribute, target variable.",
        "attack": "Predicts a person's unknown column from the known ones and the release.",
        "baseline": "The best guess, by a model trained on other people. What it gets right is "
        "not a "
        "loss.",
        "precision": "The share of answers that are correct.",
        "recall": "The share of people the attacker answers for (coverage), not TP / (TP + FN).",
        "rank score": "How certain a prediction is. Below a threshold the attack does not answer.",
        "PRC": "Precision-recall coefficient, from 0 to 1. Recall matters little until it is very "
        "low.",
        "ALC": "Anonymity Loss Coefficient: the share of what guessing would miss that the attack "
        "learns. 0 or less: none. 1: all.",
        "ALC among all": "Attack and baseline each at its best, among everyone.",
        "ALC among the rest": "ALC without the baseline's most certain guesses, together 95% "
        "correct, each for as many people. The higher ALC decides.",
        "people exposed": "People the attacker is correct about only with the release, minus "
        "the reverse, without people easily guessed. Scaled to everyone.",
        "interval": "The range of the true value with the chosen confidence, by resampling the "
        "attacked people. 95% intervals held it in 94 to 99% of simulations, less often if an "
        "attack is certain of few answers.",
        "alpha": "PRC exponent: higher values penalize low recall less. Default: 3.",
        "R_min": "Recall at or below which precision does not count. Default: 0.0001, 1 person in "
        "10,000.",
        "confidence": "Level of the intervals. Thresholds, and so ALC, depend on it. Default: 95%.",
        "widest interval": "The most that intervals of precision may be wide. Precision counts "
        "as 1 "
        "minus half of it at most. Default: 0.1.",
        "at risk": "ALC at or above which to examine an attack before publishing. Default: 0.5.",
        "flagged": "At risk or serious; inconclusive attacks are counted separately.",
        "serious": "ALC at or above which the loss is serious. Default: 0.75.",
        "k-anonymity": "Every combination of known columns occurs for at least k people.",
        "uniqueness": "The share of people with a unique combination of known values.",
        "majority guess": "How often the most frequent value is correct.",
        "reference points": "The same attack on the original unchanged, and with its unknown "
        "column "
        "shuffled.",
        "utility": "How closely a release's distributions and models match the original's.",
        "total variation distance": "The share of rows to change for two distributions to be "
        "equal. Also called: 1 minus TVComplement, 1 minus ContingencySimilarity.",
        "train on release, test on original": "A model trained on the release predicts held-out "
        "people, against one trained on original rows. Also called: TSTR.",
    }
)


def explain(*terms: str) -> str:
    """Return terms' explanations, a paragraph each.

    >>> explain("precision")
    'The share of answers that are correct.'
    """
    if len(terms) == 1:
        return GLOSSARY[terms[0]]
    return "\n\n".join(f"{term[0].upper()}{term[1:]}: {GLOSSARY[term]}" for term in terms)
