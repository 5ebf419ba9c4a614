"""Terms in plain words, for help texts, pages and reports."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# Term to explanation
GLOSSARY: Mapping[str, str] = MappingProxyType(
    {
        "original": "The unpublished table of real people.",
        "release": "The tables to be published.",
        "known columns": "Columns the attacker knows about a person. Also called: "
        "quasi-identifiers, "
        "key variables.",
        "unknown column": "The column the attacker wants to infer. Also called: sensitive "
        "attribute, target variable.",
        "attack": "Predicts the unknown column from the known ones and the release.",
        "baseline": "The best guess, by a model trained on other people. What it knows is not a "
        "loss.",
        "precision": "Share of answers that are correct.",
        "recall": "Share of people the attacker answers for (coverage), not TP / (TP + FN).",
        "rank score": "Certainty of a prediction. Below a threshold, no answer.",
        "PRC": "Precision-recall coefficient, 0 to 1. Recall matters little unless very low.",
        "ALC": "Anonymity Loss Coefficient: how much the attack learns that guessing would miss. "
        "0 or less: nothing. 1: all.",
        "ALC, everyone": "Attack and baseline at their best, among everyone.",
        "ALC, hard to guess": "ALC without the baseline's most certain guesses (95% correct). The "
        "higher ALC decides.",
        "people exposed": "Among people hard to guess: those only the attack is right about, "
        "minus those only the best guess is right about.",
        "interval": "The range of the true value, by resampling people. 95% intervals held it in "
        "94 to 99% of simulations, less often for rare leaks.",
        "alpha": "PRC exponent: higher values penalize low recall less. Default: 3.",
        "R_min": "Recall up to which precision does not count. Default: 0.0001.",
        "confidence": "Level of the intervals, which ALC depends on. Default: 95%.",
        "widest interval": "Greatest width of precision's intervals. Default: 0.1.",
        "at risk": "ALC from which to examine an attack. Default: 0.5.",
        "flagged": "At risk or serious, not inconclusive.",
        "serious": "ALC from which the loss is serious. Default: 0.75.",
        "k-anonymity": "Each combination of known columns has at least k people.",
        "uniqueness": "Share of people with unique known values.",
        "majority guess": "Precision of the most frequent value.",
        "reference points": "The same attack on the original, and with its unknown column "
        "shuffled.",
        "utility": "How closely distributions and models match the original's.",
        "total variation distance": "Share of rows to change to equal distributions. Also called: "
        "1 minus TVComplement, 1 minus ContingencySimilarity.",
        "train on release, test on original": "A model trained on the release, against one "
        "trained on original rows. Also called: TSTR.",
    }
)


def explain(*terms: str) -> str:
    """Return terms' explanations, a paragraph each.

    >>> explain("precision")
    'Share of answers that are correct.'
    """
    if len(terms) == 1:
        return GLOSSARY[terms[0]]
    return "\n\n".join(f"{term[0].upper()}{term[1:]}: {GLOSSARY[term]}" for term in terms)
