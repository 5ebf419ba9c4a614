"""Terms in plain words, for help texts, pages and reports."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Term(NamedTuple):
    """A term's explanation, and the section of docs/methods.md that defines it."""

    text: str
    section: str


GLOSSARY: Mapping[str, Term] = MappingProxyType(
    {
        "original": Term("The unpublished table of real people.", "Terms"),
        "release": Term("The tables to be published.", "Terms"),
        "known columns": Term(
            "Columns the attacker knows about a person. Also called: quasi-identifiers, "
            "key variables.",
            "Who knows what",
        ),
        "unknown column": Term(
            "The column the attacker wants to infer. Also called: sensitive attribute, "
            "target variable.",
            "Terms",
        ),
        "attack": Term(
            "Predicts the unknown column from the known ones and the release.", "The attack loop"
        ),
        "best row match": Term(
            "Answers with the released rows most like the person.",
            "Attack: best row match",
        ),
        "record linkage": Term(
            "Weighs how likely each released row is to be the person's own.",
            "Attack: record linkage",
        ),
        "baseline": Term(
            "The best guess, by a model trained on other people.",
            "Baseline",
        ),
        "precision": Term("Share of answers that are correct.", "Precision"),
        "recall": Term("Share of people the attacker answers for, not TP / (TP + FN).", "Recall"),
        "rank score": Term("Certainty of a prediction. Below a threshold, no answer.", "Terms"),
        "PRC": Term(
            "Precision-recall coefficient, 0 to 1. Recall matters little unless very low.",
            "Precision-recall coefficient",
        ),
        "ALC": Term(
            "Anonymity Loss Coefficient: how far the attack closes the gap between best "
            "guess and certainty.",
            "Anonymity loss coefficient",
        ),
        "ALC, everyone": Term("Attack and baseline at their best, among everyone.", "Two readings"),
        "ALC, hard to guess": Term(
            "ALC for equally many answers about people hard to guess. The more severe reading "
            "decides.",
            "Two readings",
        ),
        "people hard to guess": Term(
            "Everyone but those the best guess is nearly certain about.", "Two readings"
        ),
        "people exposed": Term(
            "People hard to guess: those only the attack is right about, minus those only the "
            "best guess is.",
            "People exposed",
        ),
        "interval": Term(
            "Likely range of the true value, by resampling people; of precision, by Wilson.",
            "Interval of ALC",
        ),
        "alpha": Term(
            "PRC exponent: higher values penalize low recall less. Default: 3.",
            "Precision-recall coefficient",
        ),
        "R_min": Term(
            "At or below this recall, precision is ignored. Default: 0.0001.",
            "Precision-recall coefficient",
        ),
        "confidence": Term("Interval level. Default: 95%.", "Precision"),
        "widest interval": Term(
            "Precision counts as at most 1 minus half of this. Default: 0.1.", "Precision"
        ),
        "no loss, below limit": Term(
            "The interval is below the limit; no loss: ALC is at most 0.", "Verdict"
        ),
        "at risk": Term(
            "The whole interval of ALC is at or above this limit. Default: 0.5.", "Verdict"
        ),
        "serious": Term(
            "The whole interval of ALC is at or above this limit. Default: 0.75.", "Verdict"
        ),
        "flagged": Term("At risk or serious.", "Verdict"),
        "inconclusive": Term(
            "The interval includes the at-risk limit, or a column could not be matched.", "Verdict"
        ),
        "not testable": Term(
            "The best guess is correct about nearly everyone.",
            "Not testable",
        ),
        "too few to test": Term(
            "Inconclusive, but few are concerned, or all were attacked.",
            "Not testable",
        ),
        "did not converge": Term("The Bayesian attacker's chains disagree.", "Verdict"),
        "worst attack": Term(
            "The worst verdict, then the highest lower bound of people exposed.", "Worst attack"
        ),
        "multiple-testing correction": Term(
            "Withdraws flags that chance may explain.", "Many attacks"
        ),
        "original rows": Term(
            "Released rows equal to an original row; by chance: as for strangers.",
            "Verbatim rows",
        ),
        "rows traced": Term(
            "Share of people whose own released row record linkage ranks first.",
            "Attack: record linkage",
        ),
        "RAPID": Term("Share of people whose true value gets a high probability.", "RAPID"),
        "k-anonymity": Term(
            "Each combination of known columns has at least k people.", "Beside the verdict"
        ),
        "uniqueness": Term("Share of people with unique known values.", "Beside the verdict"),
        "majority guess": Term("Precision of the most frequent value.", "Beside the verdict"),
        "reference points": Term(
            "The same attack on the original, and with its unknown column shuffled.",
            "Beside the verdict",
        ),
        "usefulness": Term(
            "How closely distributions and models match the original's.",
            "Utility",
        ),
        "total variation distance": Term(
            "Share of rows that must change for equal distributions.",
            "Utility",
        ),
        "train on release, test on original": Term(
            "A model trained on the release, against one trained on original rows.",
            "Utility",
        ),
    }
)


def explain(*terms: str) -> str:
    """Return terms' explanations, a paragraph each.

    >>> explain("precision")
    'Share of answers that are correct.'
    """
    if len(terms) == 1:
        return GLOSSARY[terms[0]].text
    return "\n\n".join(f"{term[0].upper()}{term[1:]}: {GLOSSARY[term].text}" for term in terms)
