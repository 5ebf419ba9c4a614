"""The study of utility."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from alc_core.glossary import explain
from alc_core.phrasing import percent
from alc_core.present.blocks import Block, Control, Figure, Grid, Items, Text
from alc_core.releases.release import Release
from alc_core.studies.study import Asked, Given, Kind, Measuring, Study, StudyData, Takes, Viewpoint
from alc_core.studies.utility.coding import BINS
from alc_core.studies.utility.distributions import column_distribution
from alc_core.studies.utility.figures import distribution_figure, model_losses_figure, pair_heat_map
from alc_core.studies.utility.measuring import measure_utility, unmeasured
from alc_core.studies.utility.result import (
    KEPT_UTILITIES,
    Utility,
    differing_sentence,
    distribution_notes,
    losses_sentence,
    majority_sentence,
    pairs_sentence,
    reading_lines,
)


class UtilityStudy(Study[Utility]):
    """Distances of one- and two-column distributions, and model accuracies."""

    name = "utility"
    title = "Utility"
    sentence = "How useful are the releases?"
    explanation = (
        "TVD compares distributions: 0 same, 1 disjoint. Models train on the release, and are "
        "tested on the original."
    )
    methods = "Utility"
    icon, button = ":material/insights:", "Measure utility"
    takes = (Takes.SEED,)
    kept = KEPT_UTILITIES
    section = ""  # Beside each release's risk in the report
    parameters = (
        Asked(
            name="target", title="Columns to predict", kind=Kind.COLUMNS,
            help="Categorical columns to predict.",
            usual="up to 10 categorical ones, or those attacked",
        ),
        Asked(
            name="bins", title="Bins", default=BINS, low=2, step=1,
            help="Bins for numbers and dates.",
        ),
        Asked(
            name="equal_width", title="Bins of equal width", default=False,
            help="Equal-width bins instead of quantiles.",
        ),
    )  # fmt: skip

    def refusal(self, release: Release) -> str:
        return unmeasured(release)

    def measuring(self, data: StudyData, given: Given) -> Measuring[Utility]:
        among = None
        if data.standing is not None:
            attacks = data.standing.view.store.attacks
            among = sorted({attack.scenario.unknown for attack in attacks})
        return lambda release, reporter: [
            measure_utility(
                data.original, release, targets=given["target"] or None, among=among,
                bins=given["bins"], binning="equal width" if given["equal_width"] else "quantile",
                seed=data.seed, progress=reporter.progress, cancel=reporter.cancel,
            )
        ]  # fmt: skip

    def side_by_side(self, found: Sequence[Utility]) -> Iterator[Block]:
        rows = [
            {
                "Release": each.release,
                "1-column TVD": f"{each.column_distance:.4f}",
                "2-column TVD": "-" if not each.pairs else f"{each.pair_distance:.4f}",
                "Relations kept": _share(each.relations_kept),
                "Accuracy": _share(each.accuracy),
                "Trained on original": _share(each.original_accuracy),
                "Majority": _share(each.majority_accuracy),
            }
            for each in found
        ]
        yield Grid.of(rows, alt="Distances and accuracies by release.")
        yield Items(tuple(reading_lines(found)), quiet=True)
        if differing := differing_sentence(found):
            yield Text(differing)

    def blocks(self, found: Utility, look: Viewpoint) -> Iterator[Block]:
        if found.pairs:
            yield Figure("pair-differences", lambda: pair_heat_map(found))
        if found.targets:
            yield Figure("model-losses", lambda: model_losses_figure(found))
        said = [
            "" if look.short and found.pairs else pairs_sentence(found),  # below its figure
            "" if look.short and found.targets else losses_sentence(found),
            majority_sentence(found),
            *found.notes,
        ]
        yield from map(Text, filter(None, said))
        if look.page:
            yield from _distribution(found, look)


def _distribution(found: Utility, look: Viewpoint) -> Iterator[Block]:
    data = look.data
    release = None if data is None else data.releases.get(found.release)
    if data is None or release is None or not found.is_of(data.original, release):
        yield Text("Upload the tables to see distributions.", quiet=True)
        return
    ranked = found.column_frame("distance")
    distances = dict(zip(ranked["column"], ranked["distance"].tolist(), strict=True))
    column = look.text("column", distances)
    options = {name: f"{name} ({distance:.3f})" for name, distance in distances.items()}
    words = explain("total variation distance")
    yield Control(name="column", title="Column", value=column, options=options, help=words)
    shown = column_distribution(data.original, release, column)
    yield Figure("distribution", lambda: distribution_figure(shown))
    yield Text(" ".join(distribution_notes(shown)), quiet=True)


def _share(value: float | None) -> str:
    return "-" if value is None else percent(value)
