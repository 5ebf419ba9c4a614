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

# The public names are those of the stub beside this file; each is imported when first used.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
