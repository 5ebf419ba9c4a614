"""Terms of the review in plain words, for help texts, pages and reports."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# Term to explanation
GLOSSARY: Mapping[str, str] = MappingProxyType(
    {
        "original": "The table of real people. It is not published. Also called: input data, "
        "real data.",
        "release": "The anonymized or synthetic tables to be published. Also called: anonymized "
        "data, output data.",
        "known attributes": "Columns the attacker already knows about a person. Also called: "
        "quasi-identifiers, key variables.",
        "unknown attribute": "The column the attacker wants to infer. Also called: sensitive "
        "attribute, target variable.",
        "attack": "Predicts a person's unknown column from the known ones and the release, with a "
        "score for how certain it is.",
        "baseline": "The best guess without the person's record: a model trained on other people "
        "predicts the unknown column from the known ones. What it gets right is not a loss of "
        "anonymity.",
        "precision": "The share of answers that are correct.",
        "recall": "Coverage: the share of people for whom the attacker answers. Not TP / (TP + "
        "FN).",
        "rank score": "How certain the attack or the baseline is of a prediction. Below a "
        "threshold it does not answer.",
        "PRC": "Precision-recall coefficient: precision and recall in one number between 0 and 1. "
        "Low recall lowers it little until it is very low.",
        "ALC": "Anonymity Loss Coefficient: the share of what guessing would miss that the attack "
        "learns. 0 or less: none. 1: all.",
        "ALC among all": "Attack and baseline each at its best, among all people: the paper's "
        "reading.",
        "ALC among the rest": "The same for people who are not easily guessed: the baseline's most "
        "certain guesses, together 95% correct, are excluded. Here the baseline guesses for as "
        "many people as the attack does. The higher of the two ALC decides.",
        "people exposed": "People about whom the attacker is right with the release and wrong "
        "without, minus the reverse, among people not easily guessed, scaled to everyone. ALC "
        "measures how certain an attacker is; this measures how many people are affected.",
        "interval": "The range in which the true value lies with the chosen confidence. It is "
        "wide if few people were attacked. ALC's interval comes from resampling the attacked "
        "people (bootstrap), choosing the best thresholds each time. In simulations, 95% "
        "intervals held the true value in 94 to 99% with 500 people or more, but less often if "
        "an attack is certain of few among many answers.",
        "alpha": "PRC exponent: higher values penalize low recall less, for attack and baseline. "
        "Default: 3.",
        "R_min": "Recall at and below which precision no longer counts: an attack on so few people "
        "does not count against the release. Default: 0.0001, that is 1 person in 10 000.",
        "confidence": "Confidence level of the intervals. It also affects ALC: the threshold is "
        "chosen by the lower end of precision's interval. Default: 95%.",
        "widest interval": "People are attacked until the intervals of precision are at most this "
        "wide. Half of it is also taken off the highest precision that counts. Default: 0.1.",
        "at risk": "ALC at or above which to examine an attack before publishing. Default: 0.5.",
        "flagged": "At risk or serious: the attack's ALC reaches the limit, and its interval does "
        "not leave that open. Inconclusive attacks are counted separately.",
        "serious": "ALC at or above which the loss is serious. Default: 0.75.",
        "k-anonymity": "Every combination of known columns occurs for at least k people. It "
        "describes the table, not what a release reveals.",
        "uniqueness": "The share of people whose combination of known values no one else has.",
        "majority guess": "How often always naming the most frequent value is correct.",
        "calibration marks": "The same attack on two tables whose outcome is known in advance: the "
        "original released unchanged (everything can be found), and the original with the "
        "unknown column shuffled (nothing can). They show what a high and a low ALC look like "
        "here.",
        "utility": "How useful the release is: how closely its distributions, and models trained "
        "on it, match the original.",
        "total variation distance": "How far apart two distributions are: the share of rows that "
        "would have to change for both to be the same. 0 is the same, 1 is nothing in common. "
        "Also called: 1 minus TVComplement, 1 minus ContingencySimilarity.",
        "train on release, test on original": "A model learns from the release and predicts people "
        "of the original who were held out. It is compared with a model that learned from as "
        "many other rows of the original. Also called: TSTR, machine learning efficacy.",
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
