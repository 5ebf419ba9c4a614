"""Risk numbers in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from alc_core.phrasing import count, numbered, percent, quoted
from alc_core.present.blocks import Grid
from alc_core.studies.risk_numbers.classes import ClassSizes, least_size
from alc_core.studies.risk_numbers.result import LEAST_FIT, RiskNumbers, RowsAre
from alc_core.tables.checks.facts import Matching, by_chance


def risk_sentence(found: RiskNumbers) -> str:
    """Say the main result."""
    original = f"In the original, {percent(found.original.unique)} of people are unique."
    if found.released is None:
        return f"{_rows_sentence(found)} The release has no classes. {original}"
    if not found.released.total:
        return f"All known columns are suppressed. {original}"
    threshold, k = found.settings.threshold, found.released.smallest
    above = percent(found.released.above_threshold(threshold))
    shared = (
        f"{percent(found.released.unique)} of released rows are unique (k = 1)"
        if k == 1
        else f"Every released row equals at least {numbered(k - 1, 'other')} (k = {count(k)})"
    )
    return (
        f"{shared}; {above} are in classes below {least_size(threshold)} (risk above "
        f"{threshold:g}). {original}"
    )


def _rows_sentence(found: RiskNumbers) -> str:
    facts = found.facts
    said = found.settings.rows_are is not RowsAre.UNKNOWN
    if said or facts is None or facts.same is None or facts.matching is Matching.NEARLY:
        return "Rows were changed or are synthetic."
    if facts.matching is Matching.CHANCE:
        return "No more rows than by chance are identical."
    same = facts.same
    within = f" but for {quoted(same.columns)}" if same.columns else ""
    return (
        f"{count(same.count)} of {count(same.of)} rows agree with the "
        f"original{within}{by_chance(same)}."
    )


def basis_sentence(found: RiskNumbers) -> str:
    """Say what the rows are, and how that was found; empty if the user said so."""
    fit = found.fit
    if found.settings.rows_are is not RowsAre.UNKNOWN:
        return ""
    if found.rows_are is RowsAre.CHANGED:
        share = percent(1.0 - (fit.single if fit.single is not None else fit.known or 0.0))
        compared = [c for c in found.known if c not in (*fit.coarser, *found.unmatched)]
        what = "values" if len(compared) == 1 else "combinations"
        return (
            f"{share} of rows have {what} of {quoted(compared)} more frequent than in the original."
        )
    if found.rows_are is RowsAre.UNKNOWN:
        return "If rows are swapped or synthetic, say so."
    if fit.known is not None and fit.single is not None and fit.known < fit.single:
        return (
            f"{percent(1.0 - fit.known)} of rows are in classes too large for the labels of "
            f"{quoted(fit.coarser)}, which may be misread."
        )
    lacking = 1.0 - (1.0 if fit.known is None else fit.known)
    but = f", for all but {percent(lacking)} of rows" if lacking > 0 else ""
    return f"Rows can be people: no class exceeds its people in the original{but}."


def notes(found: RiskNumbers) -> tuple[str, ...]:
    """Say what else a reader must know."""
    said = [basis_sentence(found)]
    if found.suppressed:
        said.append(
            f"{count(found.suppressed)} of {count(found.rows)} rows are left out: all suppressed."
        )
    if found.partly_suppressed:
        any_value = found.any_value
        as_any = "" if any_value is None or found.released is None else (
            f" As any value (sdcMicro): k = {count(any_value.smallest)}, "
            f"{percent(any_value.above_threshold(found.settings.threshold))} of rows above the "
            "threshold."
        )  # fmt: skip
        said.append(
            f"{count(found.partly_suppressed)} rows have suppressed columns, treated as a "
            f"label.{as_any}"
        )
    if found.treated and len(found.treated) < len(found.known):
        said.append(
            f"A declared k probably refers to {quoted(found.treated)}, the coarser or suppressed "
            "columns."
        )
    if found.absent:
        said.append(f"The release lacks {quoted(found.absent)}.")
    if found.unmatched:
        said.append(f"{quoted(found.unmatched)} were not compared: most values are new.")
    together, fits = found.fit.together, min(found.fit.known or 0.0, LEAST_FIT)
    if found.rows_are is RowsAre.PEOPLE and together is not None and together < fits:
        said.append(
            f"With protected columns, {percent(1.0 - together)} of rows are more frequent than in "
            "the original."
        )
    said += [
        f"{count(each.without_value)} rows with a missing '{each.column}' are left out of its ℓ "
        "and t."
        for each in found.diversity
        if each.without_value
    ]
    if (person := found.settings.person) is not None:
        said.append(
            f"People are counted by '{person}', each by their rarest row."
            if found.people
            else f"The release lacks '{person}', so rows are counted."
        )
    if found.settings.population is not None:
        said.append(
            f"Estimates assume a random sample of {count(found.settings.population)} people."
        )
    return tuple(filter(None, said))


NONE = "\N{EM DASH}"  # Not applicable


def numbers_table(results: Sequence[RiskNumbers]) -> Grid:
    """Return risk numbers of releases with equal settings, beside the original's."""
    first, threshold = results[0], results[0].settings.threshold
    least = least_size(threshold)
    by_label = [first.original, *(found.released for found in results)]
    by_people = [None, *(found.in_original for found in results)]  # of samples of the original
    population = [
        found.in_population(sizes) for found, sizes in zip((first, *results), by_label, strict=True)
    ]

    def below(size: int) -> Callable[[ClassSizes], str]:
        return lambda sizes: percent(sizes.below(size))

    def highest(sizes: ClassSizes) -> str:
        return percent(sizes.highest_risk)

    def mean(sizes: ClassSizes) -> str:
        return percent(sizes.mean_risk)

    asked: list[tuple[str, list[ClassSizes | None], Callable[[ClassSizes], str]]] = [
        ("Rows in classes", by_label, lambda sizes: count(sizes.total)),
        ("Smallest class (k)", by_label, lambda sizes: count(sizes.smallest)),
        ("Unique: alone in a class", by_label, lambda sizes: percent(sizes.unique)),
        *((f"In classes below {size}", by_label, below(size)) for size in (3, 5, 10)),
        (f"Above the threshold {threshold:g} (classes below {least})", by_label, below(least)),
        ("Prosecutor risk, highest", by_label, highest),
        ("Prosecutor risk, mean (marketer risk)", by_label, mean),
        ("Journalist risk, highest", by_people, highest),
        ("Journalist risk, mean (marketer risk, sample)", by_people, mean),
        (f"Journalist risk above the threshold (below {least})", by_people, below(least)),
    ]
    lines = [
        (title, *(NONE if each is None or not each.total else shown(each) for each in sizes))
        for title, sizes, shown in asked
    ]
    for title, name in (
        ("Estimated: unique in the population", "unique"),
        ("Estimated: a unique match is correct", "right_match"),
    ):
        shares = [getattr(each, name, None) for each in population]
        lines.append((title, *(NONE if share is None else percent(share) for share in shares)))
    names = ["Original", *(found.label for found in results)]
    told_apart = (
        name if names.count(name) == 1 else f"{name} ({place})" for place, name in enumerate(names)
    )
    return Grid(
        header=("Number", *told_apart),
        rows=tuple(line for line in lines if set(line[1:]) != {NONE}),
        title="Risk numbers",
        alt="Risk numbers by release.",
    )


def protected_table(found: RiskNumbers) -> Grid:
    """Return ℓ-diversity and t-closeness as a table."""
    return Grid(
        header=("Protected", "Distinct ℓ", "Entropy ℓ", "One value", "t"),
        rows=tuple(
            (
                each.column,
                str(each.distinct),
                f"{each.entropy:.2f}",
                percent(each.one_value),
                f"{each.closeness:.2f}{' (ordered)' if each.ordered else ''}",
            )
            for each in found.diversity
        ),
        title="Protected columns by class",
        help="ℓ: least of any class. One value: rows with ℓ = 1. t: greatest distance of a class.",
        alt="ℓ and t by protected column.",
    )
