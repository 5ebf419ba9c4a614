"""Results of studies as the command line shows them."""

from __future__ import annotations

from alc_core.present.renderers import terminal_text
from alc_core.studies.registry import studies
from alc_core.studies.study import Viewpoint, result_blocks


def shown(study: str, *results: object) -> str:
    return terminal_text(result_blocks(studies()[study], results, Viewpoint()))
