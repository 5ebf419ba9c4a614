"""Risk numbers in words, each with what it means."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from alc_core.phrasing import count, numbered, percent, quoted
from alc_core.present.blocks import Grid
from alc_core.studies.risk_numbers.classes import ClassSizes, least_size
from alc_core.studies.risk_numbers.result import LEAST_FIT, RiskNumbers, RowsAre
from alc_core.tables.checks.facts import Matching


def risk_sentence(found: RiskNumbers) -> str:
    """Say the main result."""
    original = f"In the original, {percent(found.original.unique)} of the people are unique."
    if found.released is None:
        return (
            f"{_rows_sentence(found)} It has no classes of people, and risk numbers say nothing "
            f"about it. {original}"
        )
    if not found.released.total:
        return f"Every row of the release has all known columns suppressed. {original}"
    threshold, k = found.settings.threshold, found.released.smallest
    above = percent(found.released.above_threshold(threshold))
    shared = (
        f"{percent(found.released.unique)} of the release's rows are alone with their known values "
        "(k = 1)"
        if k == 1
        else "Everybody in the release shares the known values with at least "
        f"{numbered(k - 1, 'other')} (k = {count(k)})"
    )
    return (
        f"{shared}; {above} are in classes below {least_size(threshold)}, where the risk is above "
        f"{threshold:g}. {original}"
    )


def _rows_sentence(found: RiskNumbers) -> str:
    """Say what the rows are that make no classes of people, as far as it was counted."""
    facts = found.facts
    said = found.settings.rows_are is not RowsAre.UNKNOWN
    if said or facts is None or facts.same is None or facts.matching is Matching.NEARLY:
        return "The release's rows were changed or made up."
    same = facts.same
    if facts.matching is Matching.CHANCE:
        return (
            "As whole rows, no more of the release's match the original's than chance would give: "
            "they were made up, or are of other people."
        )
    within = f" but for {quoted(same.columns)}" if same.columns else ""
    return (
        f"{count(same.count)} of {count(same.of)} rows are the original's as they are{within}; the "
        "others were changed or made up, or are of other people."
    )


def basis_sentence(found: RiskNumbers) -> str:
    """Say what the release's rows are, and how that was found out."""
    if found.settings.rows_are is not RowsAre.UNKNOWN:
        words = "people" if found.rows_are is RowsAre.PEOPLE else "changed or made up"
        return f"Rows of the release are {words}, as you said."
    fit = found.fit
    if found.rows_are is RowsAre.CHANGED:
        share = percent(1.0 - (fit.single if fit.single is not None else fit.known or 0.0))
        return (
            f"{share} of the rows have combinations of values that are more frequent than among the"
            " original's people, so not all rows are these people as they were."
        )
    if found.rows_are is RowsAre.UNKNOWN:
        return (
            "Whether rows of the release are people could not be found out from its values. If "
            "values were swapped or made up, its numbers mean nothing: say so."
        )
    if fit.known is not None and fit.single is not None and fit.known < fit.single:
        return (
            f"Rows of the release can be people of the original, but {percent(1.0 - fit.known)} of "
            "them are in classes with more rows than people who fit the labels of "
            f"{quoted(fit.coarser)}: the labels are misread, or cover other values than they say. "
            "Classes are by label and stand."
        )
    lacking = 1.0 - (1.0 if fit.known is None else fit.known)
    but = f", for all but {percent(lacking)} of the rows" if lacking > 0 else ""
    return (
        "Rows of the release can be people of the original: no class has more rows than fit it"
        f"{but}."
    )


def notes(found: RiskNumbers) -> tuple[str, ...]:
    """Say what a reader must know besides."""
    said = [basis_sentence(found)]
    if found.suppressed:
        said.append(
            f"{count(found.suppressed)} of {count(found.rows)} rows have all of these columns "
            "suppressed and are set aside."
        )
    if found.partly_suppressed:
        any_value = found.any_value
        as_any = "" if any_value is None or found.released is None else (
            f" If a suppressed value may be any, as sdcMicro counts, k is "
            f"{count(any_value.smallest)} in place of {count(found.released.smallest)}, and "
            f"{percent(any_value.above_threshold(found.settings.threshold))} of the rows are above "
            "the threshold."
        )  # fmt: skip
        said.append(
            f"{count(found.partly_suppressed)} rows have some of these columns suppressed; here "
            f"that is a label like others.{as_any}"
        )
    if found.treated and len(found.treated) < len(found.known):
        said.append(
            f"Coarser or suppressed labels are only in {quoted(found.treated)}. A k that was "
            "declared is probably one of these columns alone."
        )
    if found.absent:
        said.append(f"The release does not have {quoted(found.absent)}.")
    if found.unmatched:
        said.append(
            f"Most values of {quoted(found.unmatched)} are not the original's and were not compared"
            " with it."
        )
    said += _protected_notes(found)
    if found.settings.person is not None:
        said.append(
            f"Rows are counted. A person ('{found.settings.person}') may have several, so that "
            "classes hold fewer people than rows."
        )
    if found.settings.population is not None:
        said.append(
            f"Estimated for a population of {count(found.settings.population)}, of which the table "
            "is taken as a simple random sample (Pitman's model; data intrusion simulation)."
        )
    return tuple(said)


def _protected_notes(found: RiskNumbers) -> list[str]:
    said = []
    together, known = found.fit.together, found.fit.known
    fits = min(known or 0.0, LEAST_FIT)
    if found.rows_are is RowsAre.PEOPLE and together is not None and together < fits:
        said.append(
            f"With the protected columns, {percent(1.0 - together)} of the rows have "
            "combinations of values that are more frequent than among the original's people: "
            "protected values were changed, or rows were made up. ℓ and t are of what is released."
        )
    said += [
        f"{count(each.without_value)} rows have no value of '{each.column}' and take no part in "
        "its ℓ and t."
        for each in found.diversity
        if each.without_value
    ]
    return said


NONE = "\N{EM DASH}"  # In place of a number that means nothing there


def numbers_table(results: Sequence[RiskNumbers]) -> Grid:
    """Return the risk numbers of releases that were asked for alike, beside the original's."""
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
        ("Journalist risk, mean (marketer risk of a sample)", by_people, mean),
        (f"Journalist risk above the threshold (below {least} people)", by_people, below(least)),
    ]
    lines = [
        (title, *(NONE if each is None or not each.total else shown(each) for each in sizes))
        for title, sizes, shown in asked
    ]
    for title, name in (
        ("Estimated: unique in the population", "unique"),
        ("Estimated: a match with a unique row is right", "right_match"),
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
        alt="Risk numbers of the original and of each release.",
    )


def protected_table(found: RiskNumbers) -> Grid:
    """Return ℓ-diversity and t-closeness of the protected columns as a table."""
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
        title="What classes tell of protected columns",
        help="Distinct ℓ and entropy ℓ: of the class with the least. One value: share of the rows "
        "whose class has a single value of the column. t: of the class farthest from the whole "
        "table, by equal distances, or by ranks where ordered.",
        alt="ℓ-diversity and t-closeness of each protected column.",
    )
