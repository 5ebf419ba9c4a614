"""Terms of the review in plain words, for help texts, pages and reports."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# Term to explanation
GLOSSARY: Mapping[str, str] = MappingProxyType(
    {
        "original": "The table of real people, which is not published. Elsewhere: input data, real "
        "data.",
        "release": "What is published instead: one or more tables, anonymized, modified or "
        "synthetic. Elsewhere: anonymized data, synthetic data, output data.",
        "known attributes": "Columns that an attacker already knows of a person. Elsewhere: "
        "quasi-identifiers, key variables, aux_cols, known_column_names.",
        "unknown attribute": "The column that an attacker wants to learn. Elsewhere: sensitive "
        "attribute, secret, target variable.",
        "attack": "Predicts the unknown attribute of a person from the known ones and the release, "
        "with a score for how sure it is.",
        "baseline": "The best guess about the same people without their own records: a model that "
        "never saw them predicts the unknown attribute from the known ones. What it learns is "
        "no loss of anonymity.",
        "precision": "How often a prediction is right, among the predictions that are made.",
        "recall": "The share of people for whom a prediction is made at all (coverage). An "
        "attacker may answer only where the score is high. This is not TP / (TP + FN).",
        "rank score": "How sure the attack or the baseline is of a prediction. Predictions below "
        "a threshold are not made.",
        "PRC": "Precision-recall coefficient: precision and recall in one number between 0 and 1. "
        "Low recall lowers it little until it is very low.",
        "ALC": "Anonymity loss coefficient: what the attack gains over the baseline, as a share "
        "of what there was left to gain. Higher is riskier: 0 or less is no loss, 1 is full loss.",
        "ALC among all": "Attack and baseline each at its best, among all people: the paper's "
        "reading.",
        "ALC among the rest": "ALC takes attack and baseline each at its best. There an attack "
        "takes in all the people whom anybody can guess. The rest are those whom the baseline, "
        "which never saw them, does not already know (the surest of its guesses that are together "
        "right for 95 % are left out). Among them the baseline guesses for as many people as the "
        "attack does. The higher of the two decides.",
        "people exposed": "People whose value the release gives away and the guess does not, less "
        "those for whom it is the other way round; among those whom a guess does not already "
        "know, scaled to all people. ALC says how sure an attacker is; this, of how many people.",
        "interval": "The range in which the true value lies with the chosen confidence. It is "
        "wide where few people were attacked. That of ALC comes from drawing the attacked people "
        "again and again (bootstrap), with the best thresholds chosen anew each time. In "
        "simulations, 95 % intervals held the true value in 94 to 99 % with 500 people or more, "
        "but less often where an attack is sure of few among many answers.",
        "alpha": "How little a low recall lowers the PRC. Higher alpha: being right about few "
        "people counts almost as much as being right about many, for attack and baseline alike. "
        "Usual: 3.",
        "R_min": "Recall at and below which precision no longer counts: an attack on so few people "
        "does not count against the release. Usual: 0.0001, that is 1 person in 10 000.",
        "confidence": "How sure the intervals are meant to be; see interval. The threshold that "
        "counts is the best by the lower end of precision's interval, so the ALC can move, too. "
        "Usual: 95 %.",
        "widest interval": "People are attacked until the intervals of precision are at most this "
        "wide. Half of it is also taken off the highest precision that counts. Usual: 0.1.",
        "at risk": "ALC from which an attack is to be examined. Usual: 0.5.",
        "flagged": "At risk or serious: the ALC of the attack reaches the limit from which it is "
        "to be examined, and its interval does not leave that open. Undecided attacks are counted "
        "separately.",
        "serious": "ALC from which the loss is serious. Usual: 0.75.",
        "k-anonymity": "Every combination of the known columns is shared by at least k people of "
        "the original. It is about the table, not about what a release reveals.",
        "uniqueness": "The share of people whose combination of known values nobody else has.",
        "majority guess": "How often someone is right who always names the most frequent value.",
        "calibration marks": "The same attack on two tables whose outcome is known in advance: the "
        "original released as it is (everything is there to find), and the original with the "
        "unknown column shuffled (nothing is). They show what a high and a low ALC look like here.",
        "utility": "What a release is still good for: how close its distributions are to the "
        "original's, and how well models trained on it predict people of the original.",
        "total variation distance": "How far apart two distributions are: the share of rows that "
        "would have to change for both to be the same. 0 is the same, 1 is nothing in common. "
        "Elsewhere: 1 minus TVComplement, 1 minus ContingencySimilarity.",
        "train on release, test on original": "A model learns from the release and predicts people "
        "of the original who were held out. It is compared with a model that learned from as "
        "many other rows of the original. Elsewhere: TSTR, machine learning efficacy.",
    }
)


def explain(*terms: str) -> str:
    """Return the explanations of terms, one paragraph each.

    >>> explain("precision")
    'How often a prediction is right, among the predictions that are made.'
    """
    if len(terms) == 1:
        return GLOSSARY[terms[0]]
    return "\n\n".join(f"{term[0].upper()}{term[1:]}: {GLOSSARY[term]}" for term in terms)
