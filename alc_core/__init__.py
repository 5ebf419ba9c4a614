"""Privacy-risk review of anonymized and synthetic tables with the Anonymity Loss Coefficient.

Examples
--------
>>> import alc_core as alc
>>> demo = alc.load_demo("fair")
>>> result = alc.assess(
...     demo.original, demo.releases["80% swapped"], demo.scenario, seed=1
... )
>>> result.verdict
<Verdict.NO_LOSS: 'no loss'>
"""

import lazy_loader

from alc_core.present.notebook import Faces as _Faces
from alc_core.present.notebook import drawn_by as _drawn_by


def _faces() -> _Faces:
    from alc_core.report import notebook

    return notebook


_drawn_by(_faces)

# Public names are the stub's, imported when first used
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
