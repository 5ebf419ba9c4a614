"""A study of one module: how many rows releases have."""

from dataclasses import dataclass

from alc_core.campaign.file.annotations import KeptResults
from alc_core.present.blocks import Figure, Grid, Metric, Metrics, Remark
from alc_core.studies.study import Asked, Study, Takes


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """What was counted."""

    release: str
    fingerprint: str
    rows: int


class ToyRows(Study[Rows]):
    name = "toy-rows"
    title = "Toy rows"
    sentence = "How many rows has a release?"
    explanation = "It counts rows."
    button = "Count rows"
    takes = (Takes.SEED,)
    parameters = (
        Asked(name="least", title="Fewest rows", help="Fewer are said.", default=3, low=1),
    )
    kept = KeptResults("toy rows", Rows)

    def measuring(self, data, given):
        def measure(release, reporter):
            reporter.report("Counting toy rows")
            yield Rows(release=release.name, fingerprint=data.original.fingerprint,
                       rows=sum(map(len, release.tables)))  # fmt: skip

        return measure

    def blocks(self, found, look):
        yield Remark(f"{found.release} has {found.rows} toy rows.")
        yield Metrics((Metric("Toy rows", str(found.rows), "Of all tables."),))
        yield Grid.of([{"Release": found.release, "Rows": str(found.rows)}], alt="Toy rows.")
        yield Figure("toy-rows", lambda: _figure(found), f"Toy rows of {found.release}.")


def _figure(found):
    import plotly.graph_objects as go

    return go.Figure(go.Bar(y=[found.rows]))
