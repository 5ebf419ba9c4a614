"""What every report says of methods, sources and limits."""

from __future__ import annotations

from collections.abc import Iterable

from alc_core.attacks.registry import attack_type
from alc_core.campaign.model import CampaignSettings
from alc_core.phrasing import count, percent, sentence_case
from alc_core.scoring.parameters import ScoringParameters

REFERENCES: tuple[str, ...] = (
    "P. Francis and D. Wagner (2025). Towards Better Attribute Inference Vulnerability Measures. "
    "The measures PRC and ALC (equations 1 to 8), the attack loop and its halting criteria "
    "(sections 3.4 and 5), the limits of risk (section 6).",
    "E. B. Wilson (1927). Probable inference, the law of succession, and statistical inference. "
    "Journal of the American Statistical Association 22, 209-212. Intervals of precision.",
    "J. C. Gower (1971). A general coefficient of similarity and some of its properties. "
    "Biometrics 27, 857-871. Distance between a person and a released row.",
    "B. Efron and R. J. Tibshirani (1993). An Introduction to the Bootstrap. Chapman and Hall. "
    "Percentile intervals of ALC.",
    "M. Giomi, F. Boenisch, C. Wehmeyer and B. Tasnadi (2022). A Unified Framework for "
    "Quantifying Privacy Risk in Synthetic Data. Measuring an attack against a baseline for "
    "people whose records it has not seen.",
    "M. Boreale, F. Corradi and C. Viscardi (2020). Relative Privacy Threats and Learning From "
    "Anonymized Data. Relative threat.",
    "M. Templ, O. Thees and R. Müller (2026). arXiv 2602.09235. RAPID.",
)
"""Sources, each with what is taken from it."""

LIMITS: tuple[tuple[str, str], ...] = (
    (
        "Only these attacks",
        "A low loss says that the attacks listed here learn little. Another attack, other known "
        "facts, another column or more targets may learn more. It is not a proof of safety.",
    ),
    (
        "Only attribute inference",
        "It does not measure whether somebody can be found in the release (linkage, singling out), "
        "nor whether somebody can be shown to be in the data at all (membership).",
    ),
    (
        "No legal conclusion",
        "The limits of risk are conventions. Whether data are anonymous in law, or a risk is "
        "acceptable, is decided by people who weigh sensitivity, likelihood, harm and purpose.",
    ),
    (
        "No loss does not mean that nothing is learned",
        "What can be predicted about people from everybody else's data counts as no loss, however "
        "certain or embarrassing it is. The baseline's precision shows how much that is.",
    ),
    (
        "Intervals are approximate",
        "With about 2\u202f000 targets the interval of ALC covers the true value in 93 to 98 % of "
        "simulated runs; with 500 in as few as 65 %, because attacks on a small share of people "
        "then stay invisible. Each interval is that of one attack: among many attacks, some miss "
        "the true value.",
    ),
    (
        "Baselines are models",
        "A baseline that is too weak makes the loss look larger. Further records of a person that "
        "nobody declared make it look smaller.",
    ),
)
"""What the report does not say: heading and explanation."""

DRIVES = (
    "The same attack was run without single known attributes. What several of them reveal "
    "together is not seen by leaving out one at a time."
)
"""How to read what drives an attack."""

ONE_PAGE_LIMITS = (
    "It is about the attacks that were run: other known facts, columns or attacks may learn more. "
    "It measures attribute inference, not linkage or membership. It is not a legal conclusion: "
    "people decide what risk is acceptable."
)
"""The same for deciders."""


def methods(
    settings: CampaignSettings, scoring: ScoringParameters, attacks: Iterable[str]
) -> tuple[tuple[str, str], ...]:
    """Return how it was measured: heading and explanation, with the parameters in force.

    References
    ----------
    Francis and Wagner (2025), equations 1 to 8 and section 5.1.
    """
    loop = settings.loop
    level, width = percent(scoring.confidence), scoring.max_interval_width
    loss = (
        "ALC = (PRC of attack - PRC of baseline) / (1 - PRC of baseline) (equation 8)"
        if scoring.loss == "relative"
        else "ALC = PRC of attack - PRC of baseline (equation 7)"
    )
    return (
        (
            "Attack",
            "The attacker knows some attributes of a person and has the release.",
        ),
        *(
            (sentence_case(found.name), f"{found.method} {found.reference}.")
            for found in dict.fromkeys(map(attack_type, attacks))
            if found is not None
        ),
        (
            "Baseline",
            "The same people's values are predicted from the same known attributes by models that "
            "never saw them, their other records or their household. What is learned this way is "
            "no loss of anonymity. The model is chosen by cross-validated PRC on other people, and "
            f"fitted on at most {count(loop.max_training_rows)} rows.",
        ),
        (
            "Precision and recall",
            "Only predictions with a rank score at or above a threshold are made. "
            "Precision is the share of right ones among those made; the middle of "
            f"its {level} Wilson interval counts. Recall is the share of people predicted for "
            "(coverage), not TP / (TP + FN).",
        ),
        (
            "PRC",
            "PRC = (1 - (log10 recall / log10 R_min)^alpha) · precision for recall above R_min, "
            f"otherwise recall (equation 6), with alpha = {scoring.alpha:g} and R_min = "
            f"{scoring.r_min:g}; of all thresholds whose precision has an interval at most "
            f"{width:g} wide, the best counts.",
        ),
        ("ALC", f"{loss}. It is at most 1, and has no lower end: 0 or less is no loss."),
        (
            "Verdict",
            "The more severe of two readings: ALC, each curve at its own best, and ALC at equal "
            f"recall. At risk from {scoring.at_risk:g}, serious from {scoring.serious:g}, "
            f"undecided where the {level} interval of the reading that decides lies on both sides "
            f"of {scoring.at_risk:g}. Nothing was left to learn where the baseline at the attack's "
            f"recall is right in {percent(scoring.precision_cap)} or more. Not converged where an "
            "attack's chains of random draws disagree, unless it is at risk or serious.",
        ),
        (
            "Interval of ALC",
            f"Percentile bootstrap over targets with {count(loop.resamples)} resamples of the "
            "whole procedure. Thresholds are chosen again in each. People of one household are "
            "drawn together.",
        ),
        (
            "Targets",
            f"People drawn at random, at least {count(loop.min_targets)} where there are so many, "
            "unless the scenario says otherwise; then as many as the halting criteria ask for, and "
            f"up to {count(loop.decide_within)} while the interval of ALC straddles a limit. A "
            "value of over half of the rows is taken in half of the attempts.",
        ),
    )
