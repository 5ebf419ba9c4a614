"""What studies found and a campaign's file keeps, as sections of the report."""

from __future__ import annotations

from collections.abc import Collection
from html import escape
from typing import Any

from markupsafe import Markup

from alc_core.campaign.findings.overview import CampaignOverview
from alc_core.campaign.findings.view import CampaignView
from alc_core.present.blocks import Figure
from alc_core.present.html import blocks_html
from alc_core.report.html.charts import ChartBook, Picture
from alc_core.report.sections import Section
from alc_core.studies.registry import with_parts
from alc_core.studies.study import CampaignStanding, Look, Study, result_blocks


def study_sections(
    view: CampaignView, overview: CampaignOverview, book: ChartBook, shown: Collection[str]
) -> dict[str, Markup]:
    """Return the sections of studies that are shown as HTML; empty where nothing was measured."""
    look = Look(standing=CampaignStanding(view=view, overview=overview), short=True)
    found: dict[str, list[str]] = {}
    for study in with_parts():
        if study.kept is not None and study.section in shown:
            results = list(study.kept.read(view.store).values())
            text = _text(study, results, look, book) if results else ""
            found.setdefault(study.section, []).append(text)
    return {name: Markup("\n".join(filter(None, texts))) for name, texts in found.items()}  # noqa: S704 - every text in it was escaped


def nothing_measured() -> dict[str, str]:
    """Return what is said of a section of which nothing was measured."""
    said = {Section.STUDIES.value: "Nothing else was measured."}
    for study in with_parts():
        said.setdefault(study.section, study.unmeasured)
    return said


def picture_html(drawn: Picture) -> Markup:
    """Return the place of a chart, with the words for those who do not see it."""
    return Markup(  # noqa: S704 - escaped
        f'<figure><div class="chart" data-chart="{escape(drawn.key)}" data-height="{drawn.height}"'
        f' style="height:{drawn.height}px" role="img"'
        f' aria-labelledby="c-{escape(drawn.key)}"></div>\n'
        f'<figcaption id="c-{escape(drawn.key)}">{escape(drawn.alt)}</figcaption></figure>'
    )


def _text(study: Study[Any], results: list[Any], look: Look, book: ChartBook) -> str:
    """Return what a study found."""

    def picture(figure: Figure) -> str:
        key = f"{study.name}-{len(book.charts)}-{figure.name}"
        return picture_html(book.add(key, figure.draw(), figure.alt))

    return blocks_html(result_blocks(study, results, look), picture)
