"""A relative threat as text for the command line."""

from __future__ import annotations

from alc_core.phrasing import percent
from alc_core.threat.result import CHANCES, ESTIMATES, ThreatResult
from alc_core.threat.summary import chains_sentence
from alc_core.threat.words import comparison_sentences


def threat_text(result: ThreatResult) -> str:
    """Return the numbers with what they mean."""
    threat = result.threat
    lines = [f"Relative threat of '{result.release}': {result.unknown}", ""]
    if not result.converged:
        lines += [result.notes[0], ""]
    if result.victim is not None:
        lines += [*_victim_lines(result), ""]
    lines += _reading(result)
    width = max(map(len, ESTIMATES.values()))
    for name, estimate in result.estimates.items():
        error = f"  ± {estimate.mcse:.4f}" if estimate.mcse else ""
        lines.append(f"{ESTIMATES[name].ljust(width)}  {estimate.value:10.4f}{error}")
    for title, share in (
        ("Commonest value", threat.baseline_accuracy),
        ("Ideal accuracy", threat.ideal_accuracy),
    ):
        lines.append(f"{title.ljust(width)}  {share:10.4f}")
    lines += ["", *_of_levels(result)]
    if result.comparison is not None:
        lines += comparison_sentences(result.comparison)
    lines.append(chains_sentence(result))
    lines += [f"Note: {note}" for note in result.notes[0 if result.converged else 1 :]]
    return "\n".join(lines)


def _reading(result: ThreatResult) -> list[str]:
    threat = result.threat
    return [
        f"Who knows that people are in the release guesses {result.unknown} of "
        f"{percent(threat.gt_attacker.value)} of the {threat.n_people:,} people; who only learns "
        f"from it guesses that of {percent(threat.gt_learner.value)}, and whoever takes all tables "
        f"that the release allows as equally likely that of "
        f"{percent(threat.gt_random_worlds.value)}.",
        "± is the Monte Carlo standard error.",
        "",
    ]


def _of_levels(result: ThreatResult) -> list[str]:
    found = result.ti
    if found["median"] is None:
        return ["The attacker guesses nobody right."]
    return [
        "Relative threat level of those whom the attacker guesses (attacker's probability of the "
        f"truth divided by the learner's): median {found['median']:.2f}, 95th percentile "
        f"{found['p95']:.2f}, highest {found['max']:.1f}; at least 2 for "
        f"{percent(found['at_least_2'] or 0.0)} of all people."
    ]


def _victim_lines(result: ThreatResult) -> list[str]:
    known = ", ".join(f"{name} = {value}" for name, value in result.victim_known.items())
    said = {CHANCES[name]: chances for name, chances in result.chances.items() if chances}
    width = max(len(value) for value in (*result.values, result.unknown))
    lines = [
        f"Victim with {known}:",
        "  ".join([result.unknown.ljust(width), *said]),
    ]
    for number, value in enumerate(result.values):
        cells = [
            f"{chances.probabilities[number]:.3f}".rjust(len(title))
            for title, chances in said.items()
        ]
        lines.append("  ".join([value.ljust(width), *cells]))
    return lines
